import type * as dropdownCode from '../../../../islands/addresses/searchable-select/mount-dropdown.ts'
import type { SelectDropdownProps } from '../../../../islands/addresses/searchable-select/select-dropdown.tsx'
import { listen } from '../../../runtime/events.ts'
import { settings } from '../../../runtime/settings.ts'
import { type Choice, choicesIn } from './choices.ts'
import { element } from './element.ts'
import { placeDropdown } from './place-dropdown.ts'
import { dispatchChange, dispatchSelectEvent } from './select-events.ts'

const mirrored = ['aria-describedby', 'aria-invalid', 'aria-required']
let unnamed = 0

/** The code of the open list, which all selects of a page share. */
export class DropdownCode {
  loaded: typeof dropdownCode | undefined

  /** @throws without a connection; the next call tries again */
  async load(): Promise<typeof dropdownCode> {
    this.loaded ??= await import('../../../../islands/addresses/searchable-select/mount-dropdown.ts')
    return this.loaded
  }
}

/**
 * A select whose list opens with a search field: the contract with forms, scripts and themes. The select itself stays in
 * the page, visually hidden: the form submits it, scripts read and set it, and its label points to it. Themes and
 * scripts know the classes and events of select2. The open list is a React component, loaded when somebody comes near
 * the select; without it the plain select stays.
 */
export class SearchableSelect {
  readonly #select: HTMLSelectElement
  readonly #container = element('span', 'select2 select2-container select2-container--default')
  readonly #selection: HTMLElement
  readonly #rendered: HTMLElement
  readonly #observer: MutationObserver
  readonly #ended = new AbortController()
  readonly #unlisten: readonly (() => void)[]
  readonly #host = element('span', 'select2-dropdown')
  readonly #list: DropdownCode
  /** Enter was pressed while the list was opening. */
  #isEntered = false
  /** Letters for the field of a list that is opening; undefined when none is. */
  #typed: string | undefined
  #dropdown: dropdownCode.MountedDropdown | undefined
  #hasFailed = false

  constructor(select: HTMLSelectElement, list: DropdownCode) {
    this.#select = select
    this.#list = list
    const id = `select2-${select.id || `unnamed-${unnamed++}`}`
    this.#selection = element(
      'span',
      `select2-selection select2-selection--${select.multiple ? 'multiple' : 'single'}`,
      {
        role: 'combobox',
        'aria-haspopup': 'listbox',
        'aria-expanded': 'false',
        'aria-controls': `${id}-results`,
      },
    )
    this.#rendered = element('span', 'select2-selection__rendered', { id: `${id}-container` })
    const arrow = element('span', 'select2-selection__arrow', { role: 'presentation' })
    arrow.append(element('b', ''))
    this.#selection.append(this.#rendered, arrow)
    const selection = element('span', 'selection')
    selection.append(this.#selection)
    this.#container.append(selection)

    select.classList.add('select2-hidden-accessible')
    select.setAttribute('aria-hidden', 'true')
    select.tabIndex = -1
    select.after(this.#container)
    this.#sync()

    this.#observer = new MutationObserver(() => this.#sync())
    this.#observer.observe(select, { attributes: true, childList: true, subtree: true })
    const { signal } = this.#ended
    const on = <Type extends keyof HTMLElementEventMap>(
      target: HTMLElement,
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ) => target.addEventListener(type, listener, { signal })
    for (const near of ['pointerover', 'pointerdown', 'focusin'] as const)
      on(this.#container, near, () => void this.#load())
    on(this.#selection, 'click', (event) => this.#onClick(event))
    on(this.#selection, 'keydown', (event) => this.#onKey(event))
    on(this.#container, 'focusin', () => this.#container.classList.add('select2-container--focus'))
    on(this.#container, 'focusout', (event) => this.#onLeave(event))
    on(select, 'focus', () => this.#selection.focus())
    // The form validates the select, not the search text.
    for (const type of ['input', 'change'] as const) on(this.#host, type, (event) => event.stopPropagation())
    document.addEventListener('pointerdown', (event) => this.#onPress(event), { signal })
    // Scripts set a value and trigger `change`, some through jQuery.
    this.#unlisten = [listen(select, 'change', () => this.#sync())]
    select.form?.addEventListener('reset', () => setTimeout(() => this.#sync()), { signal })
  }

  /** Returns true if the select and its control are both in their places, or the select has to do without. */
  stands(): boolean {
    if (this.#hasFailed) return this.#select.isConnected
    const { nextElementSibling, isConnected, classList } = this.#select
    return isConnected && nextElementSibling === this.#container && classList.contains('select2-hidden-accessible')
  }

  end(): void {
    this.#dropdown?.unmount()
    this.#observer.disconnect()
    this.#ended.abort()
    for (const unlisten of this.#unlisten) unlisten()
    this.#container.remove()
    this.#select.classList.remove('select2-hidden-accessible')
    this.#select.removeAttribute('aria-hidden')
    this.#select.removeAttribute('tabindex')
  }

  /** Shows the current state of the select. */
  #sync(): void {
    const select = this.#select
    const chosen = [...select.selectedOptions].filter(({ value }) => value !== '')
    const text = chosen.map((option) => option.text).join(', ')
    this.#rendered.title = text
    if (text) {
      this.#rendered.textContent = text
    } else {
      const placeholder = element('span', 'select2-selection__placeholder')
      placeholder.textContent =
        select.dataset.placeholder || select.getAttribute('placeholder') || select.options[0]?.text || ''
      this.#rendered.replaceChildren(placeholder)
    }
    if (text && this.#clearable) {
      const clear = element('span', 'select2-selection__clear', { 'aria-hidden': 'true' })
      clear.textContent = '×'
      this.#rendered.append(clear)
    }
    this.#selection.tabIndex = select.disabled ? -1 : 0
    this.#selection.setAttribute('aria-disabled', String(select.disabled))
    this.#container.classList.toggle('select2-container--disabled', select.disabled)
    if (select.disabled) this.#close()
    for (const name of mirrored) {
      const value = select.getAttribute(name)
      if (value === null) this.#selection.removeAttribute(name)
      else this.#selection.setAttribute(name, value)
    }
    for (const [name, value] of Object.entries(this.#naming)) this.#selection.setAttribute(name, value)
  }

  /** The select's accessible name, as attributes. */
  get #naming(): SelectDropdownProps['naming'] {
    const [label] = this.#select.labels
    if (label) {
      label.id ||= `${this.#rendered.id}-label`
      return { 'aria-labelledby': label.id }
    }
    const { label: text, placeholder } = this.#select.dataset
    return { 'aria-label': this.#select.ariaLabel || text || placeholder || '' }
  }

  get #clearable(): boolean {
    return this.#select.dataset.allowClear === 'true'
  }

  get #most(): number {
    return numberOf(this.#select.dataset.maximumSelectionLength, Number.POSITIVE_INFINITY)
  }

  /** True if a multiple select has reached its maximum. */
  get #isFull(): boolean {
    return this.#select.multiple && this.#select.selectedOptions.length >= this.#most
  }

  #onClick(event: MouseEvent): void {
    if (this.#select.disabled) return
    if (event.target instanceof Element && event.target.closest('.select2-selection__clear')) this.#clear()
    else if (this.#dropdown) this.#close()
    else this.#open()
  }

  #onKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event
    if (this.#select.disabled || isComposing) return
    const letter = [...key].length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (letter || key === 'Enter' || key === ' ' || key === 'ArrowDown' || (key === 'ArrowUp' && !altKey)) {
      event.preventDefault()
      if (key === 'Enter' && this.#typed !== undefined) this.#isEntered = !event.repeat
      this.#open(letter ? key : '')
    } else if ((key === 'Delete' || key === 'Backspace') && this.#clearable) {
      event.preventDefault()
      this.#clear()
    }
  }

  #open(term = ''): void {
    if (this.#dropdown) return
    if (this.#typed !== undefined) {
      this.#typed += term
      return
    }
    this.#isEntered = false
    if (!dispatchSelectEvent(this.#select, 'opening')) return
    this.#typed = term
    if (this.#list.loaded) this.#show(this.#list.loaded, term)
    else void this.#load()
  }

  /** Loads the code of the list, and shows the list if it is waited for. */
  async #load(): Promise<void> {
    try {
      const code = await this.#list.load()
      if (this.#typed !== undefined && !this.#dropdown) this.#show(code, this.#typed)
    } catch {
      if (this.#typed !== undefined) this.#fail()
    }
  }

  #show({ mountDropdown }: typeof dropdownCode, typedBefore: string): void {
    const { dataset } = this.#select
    const constant = {
      id: this.#rendered.id.replace(/-container$/, ''),
      naming: this.#naming,
      choices: choicesIn(this.#select),
      url: this.#select.getAttribute('data-ajax--url') ?? undefined,
      delayMs: numberOf(this.#select.getAttribute('data-ajax--delay'), 0),
      shortest: numberOf(dataset.minimumInputLength, 0),
      longest: numberOf(dataset.maximumInputLength, Number.POSITIVE_INFINITY),
      most: this.#most,
      multiple: this.#select.multiple,
      texts: settings('wc_country_select_params'),
      typedBefore,
    }
    const props = (): SelectDropdownProps => ({
      ...constant,
      chosen: [...this.#select.selectedOptions].map(({ value }) => value),
      choose: (choice, keepOpen) => {
        this.#choose(choice, keepOpen)
        this.#dropdown?.update(props())
      },
      close: () => this.#close(true),
    })
    this.#container.append(this.#host)
    this.#container.classList.add('select2-container--open')
    this.#selection.setAttribute('aria-expanded', 'true')
    this.#dropdown = mountDropdown(this.#host, props(), () => this.#fail())
    placeDropdown(this.#host, this.#container)
    this.#host.querySelector('input')?.focus({ preventScroll: true })
    dispatchSelectEvent(this.#select, 'open')
    if (!this.#isEntered) return
    this.#isEntered = false
    this.#host.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  }

  #close(returnFocus = false): void {
    if (!this.#dropdown) {
      this.#typed = undefined
      return
    }
    if (!dispatchSelectEvent(this.#select, 'closing')) return
    if (returnFocus) this.#selection.focus()
    const dropdown = this.#dropdown
    this.#dropdown = undefined
    this.#typed = undefined
    dropdown.unmount()
    this.#host.remove()
    this.#container.classList.remove('select2-container--open', 'select2-container--above', 'select2-container--below')
    this.#selection.setAttribute('aria-expanded', 'false')
    dispatchSelectEvent(this.#select, 'close')
  }

  /** Gives the plain select back, with the focus where the list would have had it. */
  #fail(): void {
    this.#hasFailed = true
    this.end()
    this.#select.focus()
  }

  #choose(choice: Choice, keepOpen: boolean): void {
    const chosen = [...this.#select.options].find(({ value, selected }) => selected && value === choice.id)
    if (!chosen && this.#isFull) return
    if (!chosen) this.#take(choice)
    else if (this.#select.multiple) this.#giveUp(choice, chosen)
    if (!keepOpen) this.#close(true)
  }

  #take(choice: Choice): void {
    if (!dispatchSelectEvent(this.#select, 'selecting', choice)) return
    const option =
      [...this.#select.options].find(({ value }) => value === choice.id) ?? new Option(choice.text, choice.id)
    if (!option.isConnected) this.#select.append(option)
    option.selected = true
    dispatchChange(this.#select)
    dispatchSelectEvent(this.#select, 'select', { ...choice, option })
  }

  #giveUp(choice: Choice, option: HTMLOptionElement): void {
    if (!dispatchSelectEvent(this.#select, 'unselecting', choice)) return
    option.selected = false
    dispatchChange(this.#select)
    dispatchSelectEvent(this.#select, 'unselect', { ...choice, option })
  }

  #clear(): void {
    const chosen = choicesIn(this.#select).filter(({ option }) => option?.selected)
    if (chosen.length === 0 || !chosen.every((choice) => dispatchSelectEvent(this.#select, 'unselecting', choice)))
      return
    this.#select.value = ''
    dispatchChange(this.#select)
    for (const choice of chosen) dispatchSelectEvent(this.#select, 'unselect', choice)
    dispatchSelectEvent(this.#select, 'clear')
    this.#close(true)
  }

  #onPress({ target }: PointerEvent): void {
    if (target instanceof Node && !this.#container.contains(target)) this.#close()
  }

  /** The form's validation expects the select to lose the focus. */
  #onLeave({ relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof Node && this.#container.contains(relatedTarget)) return
    this.#container.classList.remove('select2-container--focus')
    // No related target means another window: the list stays open for the return.
    if (relatedTarget) this.#close()
    if (!this.#dropdown) this.#select.dispatchEvent(new Event('focusout', { bubbles: true }))
  }
}

function numberOf(text: string | null | undefined, otherwise: number): number {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? otherwise : number
}
