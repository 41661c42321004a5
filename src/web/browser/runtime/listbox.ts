/** Characters typed within this time form one word. */
const typingMs = 500

export type ListboxHost = {
  /** The options that can be active, in the order of the list. */
  options(): readonly HTMLElement[]
  /** Keeps the focus, with the active option as its descendant. Without a field the options take the focus. */
  readonly field?: HTMLElement
  /** The field itself follows both ends of the list. */
  readonly passesField?: boolean
  /** Scrolled instead of the page. */
  readonly scroller?: HTMLElement
  /** Shows which option is active. */
  activated?(option: HTMLElement | undefined, before: HTMLElement | undefined): void
  /** The texts of an option that typed letters look for. */
  wordsOf?(option: HTMLElement): readonly string[]
  /** Enter. @returns false to leave the key to the browser */
  choose?(option: HTMLElement | undefined): boolean
  /** Escape, Alt with the arrow to the list's button, and Tab if `closesOnTab`; the focus returns to the button. */
  close(): void
  /** The browser then continues from the button. */
  readonly closesOnTab?: boolean
}

/**
 * The keys of an open listbox, and of any list that is used like one (WAI-ARIA Authoring Practices): arrows, Home and
 * End move among the options, letters jump, Enter chooses, Escape closes.
 */
export class Listbox {
  readonly #host: ListboxHost
  #active: HTMLElement | undefined
  #typed = ''
  #typedAt = 0

  constructor(host: ListboxHost) {
    this.#host = host
  }

  get active(): HTMLElement | undefined {
    if (this.#host.field) return this.#active
    return this.#host.options().find((option) => option === document.activeElement)
  }

  activate(option: HTMLElement | undefined, reveals = true): void {
    const { field, activated } = this.#host
    const before = this.#active
    this.#active = option
    if (!field) option?.focus({ preventScroll: true })
    else if (option) field.setAttribute('aria-activedescendant', option.id)
    else field.removeAttribute('aria-activedescendant')
    activated?.(option, before)
    if (option && reveals) this.#reveal(option)
  }

  /** Handles a key while the list is open. */
  onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const { key, altKey, ctrlKey, metaKey } = event
    const { field, wordsOf, closesOnTab } = this.#host
    if (key === 'Tab') {
      if (closesOnTab) this.#host.close()
      return
    }
    const letter = key.length === 1 && key !== ' ' && !ctrlKey && !altKey && !metaKey
    if (letter && wordsOf) {
      this.#jump(key, event.timeStamp, wordsOf)
      return
    }
    const acted = {
      ArrowDown: () => this.#step(1),
      ArrowUp: () => (altKey ? this.#host.close() : this.#step(-1)),
      // In a field they move the cursor.
      Home: field ? undefined : () => this.activate(this.#host.options()[0]),
      End: field ? undefined : () => this.activate(this.#host.options().at(-1)),
      Escape: () => this.#host.close(),
      Enter: () => this.#host.choose?.(this.active) ?? false,
    }[key]
    if (!acted || acted() === false) return
    event.preventDefault()
    // Escape closes only this list; Enter does not submit the form.
    event.stopPropagation()
  }

  #step(step: 1 | -1): void {
    const options = this.#host.options()
    const { active } = this
    const at = active ? options.indexOf(active) : -1
    if (this.#host.passesField) {
      this.activate(options[(at === -1 && step === -1 ? options.length : at) + step])
      return
    }
    const next = options[Math.min(Math.max(at + step, 0), options.length - 1)]
    if (next) this.activate(next)
  }

  #jump(key: string, now: number, wordsOf: (option: HTMLElement) => readonly string[]): void {
    const options = this.#host.options()
    const at = this.active ? options.indexOf(this.active) : -1
    this.#typed = now - this.#typedAt > typingMs ? key : this.#typed + key
    this.#typedAt = now
    const typed = this.#typed.toLocaleLowerCase()
    // Repeating a letter moves to the next option that starts with it.
    const wanted = [...typed].every((letter) => letter === typed[0]) ? typed.slice(0, 1) : typed
    const from = wanted.length === 1 ? at + 1 : Math.max(at, 0)
    const turned = [...options.slice(from), ...options.slice(0, from)]
    const found = turned.find((option) => wordsOf(option).some((word) => word.toLocaleLowerCase().startsWith(wanted)))
    if (found) this.activate(found)
  }

  #reveal(option: HTMLElement): void {
    const { scroller } = this.#host
    if (!scroller) {
      option.scrollIntoView({ block: 'nearest' })
      return
    }
    const view = scroller.getBoundingClientRect()
    const { top, bottom } = option.getBoundingClientRect()
    if (top < view.top) scroller.scrollTop += top - view.top
    else if (bottom > view.bottom) scroller.scrollTop += bottom - view.bottom
  }
}
