/** An entry of the list. */
export type Choice = {
  readonly id: string
  readonly text: string
  readonly disabled: boolean
  /** Absent for an entry that was loaded and is not in the select yet. */
  readonly option?: HTMLOptionElement
}

/** Returns the select's own options; the empty option is the placeholder and is left out. */
export function choicesIn(select: HTMLSelectElement): Choice[] {
  return [...select.options]
    .filter(({ value }) => value !== '')
    .map((option) => ({ id: option.value, text: option.text, disabled: option.disabled, option }))
}
