import { Listbox } from '../../../runtime/listbox.ts'
import { element } from './element.ts'
import type { SelectMessages } from './messages.ts'
import { beginsWith, type Choice, loadChoices, matchingChoices } from './options.ts'

export type DropdownOptions = {
  readonly id: string
  readonly container: HTMLElement
  readonly choices: readonly Choice[]
  /** The URL from which options are loaded; undefined for options in the page. */
  readonly url: string | undefined
  readonly delayMs: number
  /** Minimum and maximum number of characters of a search. */
  readonly shortest: number
  readonly longest: number
  /** Maximum number of selected entries. With 1, a new choice replaces the previous one. */
  readonly most: number
  readonly multiple: boolean
  readonly messages: SelectMessages
  isChosen(choice: Choice): boolean
  isFull(): boolean
  name(carrier: HTMLElement): void
  choose(choice: Choice, keepOpen: boolean): void
  close(returnFocus: boolean): void
}

/** Pixels from the end of the list at which the next page is requested. */
const nearEndPx = 50

const highlightedClass = 'select2-results__option--highlighted'

type Item = { readonly choice: Choice; readonly node: HTMLElement }

/** The open list of a searchable select: a search field, its results and their status message. */
export class Dropdown {
  readonly #options: DropdownOptions
  readonly #root = element('span', 'select2-dropdown')
  readonly #field: HTMLInputElement
  readonly #list: HTMLElement
  readonly #status = element('span', 'select2-results__message', { role: 'status' })
  #items: Item[] = []
  readonly #listbox: Listbox
  #page = 1
  #more = false
  #asking: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: DropdownOptions) {
    this.#options = options
    const listId = `${options.id}-results`
    this.#list = element('ul', 'select2-results__options', { id: listId, role: 'listbox' })
    this.#field = element('input', 'select2-search__field', {
      type: 'text',
      inputmode: 'search',
      enterkeyhint: 'done',
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': 'true',
      'aria-controls': listId,
      'aria-owns': listId,
      autocomplete: 'off',
      autocapitalize: 'none',
      autocorrect: 'off',
      spellcheck: 'false',
    })
    if (options.multiple) this.#list.setAttribute('aria-multiselectable', 'true')
    for (const carrier of [this.#field, this.#list]) options.name(carrier)
    const search = element('span', 'select2-search select2-search--dropdown')
    search.append(this.#field)
    const results = element('span', 'select2-results')
    results.append(this.#list, this.#status)
    this.#root.append(search, results)

    this.#listbox = new Listbox({
      options: () => this.#items.filter(({ choice }) => !choice.disabled).map(({ node }) => node),
      field: this.#field,
      scroller: this.#list,
      activated(option, before) {
        before?.classList.remove(highlightedClass)
        option?.classList.add(highlightedClass)
      },
      choose: () => {
        this.#choose(false)
        return true
      },
      // Focuses the select first, so that the browser continues with the next field.
      closesOnTab: true,
      close: () => options.close(true),
    })

    this.#field.addEventListener('input', (event) => {
      // The form validates the select, not the search text.
      event.stopPropagation()
      this.#search()
    })
    this.#field.addEventListener('change', (event) => event.stopPropagation())
    this.#field.addEventListener('keydown', (event) => this.#onKey(event))
    // Pressing an entry keeps the focus in the field.
    this.#list.addEventListener('mousedown', (event) => event.preventDefault())
    this.#list.addEventListener('click', (event) => {
      const item = this.#itemAt(event.target)
      if (item && !item.choice.disabled) options.choose(item.choice, event.ctrlKey || event.metaKey)
    })
    this.#list.addEventListener('pointermove', (event) => {
      const item = this.#itemAt(event.target)
      if (item && item.node !== this.#listbox.active && !item.choice.disabled) this.#listbox.activate(item.node, false)
    })
    this.#list.addEventListener('scroll', () => this.#onScroll())
  }

  show(term: string): void {
    this.#field.value = term
    this.#options.container.append(this.#root)
    this.#search()
    this.#place()
    this.#field.focus({ preventScroll: true })
    // Centres the entry, so that its neighbours are visible on both sides.
    const { active } = this.#listbox
    if (active) this.#list.scrollTop += this.#distance(active)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#asking?.abort()
    this.#root.remove()
  }

  /** Updates the open list after the selection has changed. */
  refresh(): void {
    for (const { choice, node } of this.#items) this.#markChosen(choice, node)
    this.#sayLimit()
  }

  /** Opens below if it fits, else above if it fits. Otherwise, and with a touch keyboard, it opens at the top. */
  #place(): void {
    const { container } = this.#options
    const height = this.#root.offsetHeight
    const { top, bottom } = container.getBoundingClientRect()
    const touch = matchMedia('(pointer: coarse)').matches
    const fitsBelow = bottom + height <= innerHeight
    const above = !touch && !fitsBelow && top >= height
    if (touch || (!fitsBelow && !above))
      (container.closest('.form-row') ?? container).scrollIntoView({ block: 'start' })
    for (const [side, on] of [
      ['above', above],
      ['below', !above],
    ] as const) {
      container.classList.toggle(`select2-container--${side}`, on)
      this.#root.classList.toggle(`select2-dropdown--${side}`, on)
    }
  }

  #search(): void {
    clearTimeout(this.#timer)
    this.#asking?.abort()
    this.#more = false
    const { choices, url, delayMs, shortest, longest, messages } = this.#options
    const term = this.#field.value
    const length = term.trim().length
    if (length < shortest) {
      this.#showNothing(messages.tooShort(shortest - length))
    } else if (length > longest) {
      this.#showNothing(messages.tooLong(length - longest))
    } else if (url === undefined) {
      this.#show(matchingChoices(choices, term), term)
    } else {
      this.#page = 1
      this.#showNothing(messages.searching)
      if (delayMs === 0) void this.#load(url, term)
      else this.#timer = setTimeout(() => void this.#load(url, term), delayMs)
    }
  }

  async #load(url: string, term: string): Promise<void> {
    const asking = new AbortController()
    this.#asking = asking
    try {
      const { choices, more } = await loadChoices(url, term, this.#page, asking.signal)
      if (asking.signal.aborted) return
      this.#more = more
      if (this.#page === 1) this.#show(choices, term)
      else this.#append(choices)
    } catch {
      if (!asking.signal.aborted) this.#showNothing(this.#options.messages.failed)
    } finally {
      if (this.#asking === asking) this.#asking = undefined
    }
    // A page that does not fill the list cannot be scrolled to its end.
    this.#onScroll()
  }

  #onScroll(): void {
    const { url, messages } = this.#options
    const { scrollTop, clientHeight, scrollHeight } = this.#list
    if (!url || !this.#more || this.#asking || scrollTop + clientHeight < scrollHeight - nearEndPx) return
    this.#page += 1
    this.#say(messages.more)
    void this.#load(url, this.#field.value)
  }

  #showNothing(message: string): void {
    this.#items = []
    this.#list.replaceChildren()
    this.#listbox.activate(undefined)
    this.#say(message)
  }

  #show(choices: readonly Choice[], term: string): void {
    if (choices.length === 0) {
      this.#showNothing(this.#options.messages.none)
      return
    }
    this.#items = []
    this.#list.replaceChildren()
    this.#append(choices)
    const open = this.#items.filter(({ choice }) => !choice.disabled)
    const typed = term.trim() !== ''
    const first = open.find(({ choice }) => (typed ? beginsWith(choice, term) : this.#options.isChosen(choice)))
    this.#listbox.activate((first ?? open[0])?.node)
    if (typed && !this.#sayLimit()) this.#say(this.#options.messages.found(choices.length), false)
  }

  #append(choices: readonly Choice[]): void {
    const first = this.#items.length
    const items = choices.map((choice, index) => {
      const node = element('li', 'select2-results__option', {
        id: `${this.#options.id}-result-${first + index}`,
        role: 'option',
      })
      node.textContent = choice.text
      node.dataset.value = choice.id
      if (choice.disabled) node.setAttribute('aria-disabled', 'true')
      this.#markChosen(choice, node)
      return { choice, node }
    })
    this.#items.push(...items)
    this.#list.append(...items.map(({ node }) => node))
    if (!this.#sayLimit()) this.#say('')
  }

  #markChosen(choice: Choice, node: HTMLElement): void {
    const chosen = String(this.#options.isChosen(choice))
    node.setAttribute('aria-selected', chosen)
    node.dataset.selected = chosen
  }

  /** @returns whether the maximum number of entries is selected. */
  #sayLimit(): boolean {
    const { most, messages, isFull } = this.#options
    if (isFull()) this.#say(messages.tooMany(most))
    return isFull()
  }

  #say(text: string, seen = true): void {
    this.#status.classList.toggle('screen-reader-text', !seen || text === '')
    this.#status.textContent = text
  }

  #itemAt(target: EventTarget | null): Item | undefined {
    return target instanceof Node ? this.#items.find(({ node }) => node.contains(target)) : undefined
  }

  /** Returns the pixels from the middle of the list to the middle of an entry. */
  #distance(node: HTMLElement): number {
    const list = this.#list.getBoundingClientRect()
    const { top, height } = node.getBoundingClientRect()
    return top + height / 2 - (list.top + list.height / 2)
  }

  #choose(keepOpen: boolean): void {
    const item = this.#itemAt(this.#listbox.active ?? null)
    if (item) this.#options.choose(item.choice, keepOpen)
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === ' ' && event.ctrlKey && !event.isComposing) {
      event.preventDefault()
      event.stopPropagation()
      this.#choose(true)
    } else this.#listbox.onKey(event)
  }
}
