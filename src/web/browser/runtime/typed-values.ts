import { islandTag } from './island-tag.ts'

/**
 * Restores values that a visitor entered before an island was live. On hydration React does not see values that differ
 * from its markup, so they are entered again afterwards.
 */

export type TypedValue = { retype(): void }

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Returns the changed fields of an island, without those of islands inside it. */
export function typedValuesIn(host: HTMLElement): TypedValue[] {
  return [...host.querySelectorAll<Field>('input, textarea, select')]
    .filter((field) => field.closest(islandTag) === host && isChanged(field))
    .map(typedValue)
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return [...field.options].some((it) => it.selected !== it.defaultSelected)
  if (isTickable(field)) return field.checked !== field.defaultChecked
  return field.type !== 'file' && field.value !== field.defaultValue
}

function typedValue(field: Field): TypedValue {
  if (field instanceof HTMLSelectElement) {
    const chosen = new Set([...field.selectedOptions].map((option) => option.value))
    return {
      retype() {
        for (const option of field.options) option.selected = chosen.has(option.value)
        dispatchChange(field)
      },
    }
  }
  if (isTickable(field)) {
    const { checked } = field
    return {
      retype() {
        // React detects a tick by a click, which has to change the state; a radio can only be switched on.
        if (field.type === 'radio' && !checked) return
        field.checked = !checked
        field.click()
      },
    }
  }
  const { value, selectionStart, selectionEnd } = field
  return {
    retype() {
      // The visitor may have typed on, and the current value is newer than the recorded one.
      const newer = field.value !== value && field.value !== field.defaultValue
      const text = newer ? field.value : value
      const selection = newer ? [field.selectionStart, field.selectionEnd] : [selectionStart, selectionEnd]
      // React watches the field's own property to distinguish its writes from the visitor's; the prototype's setter
      // counts as the latter.
      field.value = field.defaultValue
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
      dispatchChange(field)
      // Null for kinds of fields without a selection, whose setter throws.
      const [start = null, end = null] = selection
      if (start !== null) field.setSelectionRange(start, end)
    },
  }
}

function dispatchChange(field: Field): void {
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

function isTickable(field: HTMLInputElement | HTMLTextAreaElement): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
}
