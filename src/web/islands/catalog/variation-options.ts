import {
  type AttributeValues,
  availableOptions,
  keepPossible,
  type OptionState,
} from '#domain/catalog/match-variation.ts'
import { allOf } from '../../browser/runtime/elements.ts'
import type { Choosable } from './variation-choice.ts'

/**
 * The selects of a variation form, and the swatches that represent some. Only the selects hold the choice: other
 * scripts set them too. Swatches follow them, and change their select as a visitor would.
 */
export class VariationOptions {
  readonly #form: HTMLFormElement
  /** Every option as printed. */
  readonly #all = new Map<HTMLSelectElement, readonly HTMLOptionElement[]>()

  constructor(form: HTMLFormElement) {
    this.#form = form
    for (const select of this.#selects()) this.#all.set(select, [...select.options])
    form.addEventListener('change', ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return
      const select = target.closest('.value')?.querySelector('select')
      if (!select || !target.closest('.swatches')) return
      select.value = target.value
      select.dispatchEvent(new Event('change', { bubbles: true }))
    })
  }

  chosen(): AttributeValues {
    return Object.fromEntries(this.#selects().map((select) => [nameOf(select), select.value]))
  }

  /** Leaves the possible options in each select. An impossible choice is removed, and reported. */
  filter(variations: readonly Choosable[] | false): void {
    if (variations) {
      const chosen = this.chosen()
      const values = Object.fromEntries(this.#selects().map((select) => [nameOf(select), this.#values(select)]))
      const kept = keepPossible(variations, values, chosen)
      for (const select of this.#selects()) {
        this.#offer(select, availableOptions(variations, nameOf(select), this.#values(select), kept))
      }
      const lost = this.#selects().find((select) => kept[nameOf(select)] !== chosen[nameOf(select)])
      lost?.dispatchEvent(new Event('change', { bubbles: true }))
    }
    for (const select of this.#selects()) showSwatches(select)
  }

  showReset(shown: boolean): void {
    this.#form.querySelector('.reset_variations')?.classList.toggle('is-visible', shown)
  }

  /** Focuses the first choice, or its swatches. */
  focus(): void {
    const cell = this.#selects()[0]?.closest('.value')
    const controls = cell ? allOf('input:enabled, select', cell) : []
    controls.find((control) => control.checkVisibility())?.focus()
  }

  #selects(): HTMLSelectElement[] {
    return allOf<HTMLSelectElement>('.variations select', this.#form)
  }

  #values(select: HTMLSelectElement): string[] {
    return (this.#all.get(select) ?? []).flatMap(({ value }) => (value === '' ? [] : [value]))
  }

  #offer(select: HTMLSelectElement, states: readonly OptionState[]): void {
    const stateOf = new Map(states.map((state) => [state.value, state]))
    const before = stateOf.get(select.value)?.enabled ? select.value : ''
    const wanted = (this.#all.get(select) ?? []).filter((option) => {
      // The empty option is removed only where a choice is required.
      if (option.value === '') return before === '' || select.dataset.show_option_none !== 'no'
      const state = stateOf.get(option.value)
      option.disabled = state?.enabled === false
      option.className = state?.enabled ? 'attached enabled' : 'attached'
      return state !== undefined
    })
    const same =
      wanted.length === select.options.length && wanted.every((option, place) => select.options[place] === option)
    if (!same) select.replaceChildren(...wanted)
    select.value = before
  }
}

function nameOf(select: HTMLSelectElement): string {
  return select.dataset.attribute_name || select.name
}

function showSwatches(select: HTMLSelectElement): void {
  const row = select.closest('tr')
  if (!row) return
  const open = new Set([...select.options].filter(({ disabled }) => !disabled).map(({ value }) => value))
  for (const swatch of allOf<HTMLInputElement>('.swatches input', row)) {
    swatch.checked = swatch.value === select.value
    swatch.disabled = !open.has(swatch.value)
  }
  const name = row.querySelector('.swatch-chosen')
  if (name) name.textContent = select.value ? (select.selectedOptions[0]?.text ?? '') : ''
}
