import { useState } from 'react'
import { listKeys } from '../../browser/runtime/list-keys.ts'

export type ListOption = {
  /** The id of its element, unique on the page. */
  readonly id: string
  readonly disabled?: boolean
}

export type ListboxSettings<Option extends ListOption> = {
  readonly options: readonly Option[]
  /** A field keeps the focus and names the active option; without one the options take the focus. */
  readonly hasField?: boolean
  /** The field itself follows both ends of the list. */
  readonly passesField?: boolean
  /** The browser then continues from the list's button or field. */
  readonly closesOnTab?: boolean
  /** The texts of an option that typed letters look for. */
  wordsOf?(option: Option): readonly string[]
  /** Enter. @returns false to leave the key to the browser */
  choose?(option: Option | undefined): boolean
  /** Escape, Alt with the arrow to the list's button, and Tab if `closesOnTab`: the focus returns to button or field. */
  close(): void
}

/** The active option of a list with a field, made anew by each activation. */
export type Activation = {
  readonly id: string | undefined
  /** The list scrolls to it: not to one under the pointer. */
  readonly reveals: boolean
}

export type ListboxState<Option extends ListOption> = {
  readonly options: readonly Option[]
  /** The active option of a list with a field. */
  readonly active: Option | undefined
  readonly activation: Activation
  activate(option: Option | undefined, reveals?: boolean): void
  /** Handles a key while the list is open. */
  onKey(event: KeyboardEvent): void
}

/** The state and keys of an open listbox, which `Listbox` draws. */
export function useListbox<Option extends ListOption>(settings: ListboxSettings<Option>): ListboxState<Option> {
  const { options, hasField = false, passesField, closesOnTab, wordsOf, choose, close } = settings
  const [activation, setActivation] = useState<Activation>({ id: undefined, reveals: true })
  const [keys] = useState(listKeys)

  const { id } = activation
  const activate = (option: Option | undefined, reveals = true) => {
    if (hasField) setActivation({ id: option?.id, reveals })
    else focusOn(option)
  }

  return {
    options,
    active: options.find((option) => option.id === id),
    activation,
    activate,
    onKey(event) {
      const open = options.filter(({ disabled }) => !disabled)
      const activeId = hasField ? id : document.activeElement?.id
      const active = open.findIndex((option) => option.id === activeId)
      const wordsAt = wordsOf && ((place: number) => open.slice(place, place + 1).flatMap(wordsOf))
      const step = keys(event, {
        count: open.length,
        active,
        hasField,
        ...(passesField && { passesField }),
        ...(wordsAt && { wordsOf: wordsAt }),
      })
      if (step === 'leave' && closesOnTab) close()
      if (step === undefined || step === 'leave' || (step === 'choose' && !choose?.(open[active]))) return
      event.preventDefault()
      // Escape closes only this list; Enter does not submit the form.
      event.stopPropagation()
      if (step === 'close') close()
      else if (step !== 'choose') activate(open[step])
    },
  }
}

function focusOn(option: ListOption | undefined): void {
  const element = option && document.getElementById(option.id)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}
