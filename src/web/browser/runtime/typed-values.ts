import { islandTag } from './island-tag.ts'

/**
 * What a visitor entered before an island was alive. React takes the page's fields as it finds them but learns nothing of
 * values that differ from what it rendered; so they are entered once more, where it can see.
 */

export type TypedValue = { retype(): void }

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The changed fields of an island, without those of islands inside it. */
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
        tell(field)
      },
    }
  }
  if (isTickable(field)) {
    const { checked } = field
    return {
      retype() {
        // A click is what React hears of a tick; it has to change something, and a radio can only be clicked on.
        if (field.type === 'radio' && !checked) return
        field.checked = !checked
        field.click()
      },
    }
  }
  const { value, selectionStart, selectionEnd } = field
  return {
    retype() {
      // Typing may have gone on, and then what stands there is newer than what was noted.
      const newer = field.value !== value && field.value !== field.defaultValue
      const text = newer ? field.value : value
      const selection = newer ? [field.selectionStart, field.selectionEnd] : [selectionStart, selectionEnd]
      // React watches the field's own property to tell its writes from the visitor's; the prototype's setter is the latter.
      field.value = field.defaultValue
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
      tell(field)
      // Null for kinds of fields that have no selection, and those refuse to be given one.
      const [start = null, end = null] = selection
      if (start !== null) field.setSelectionRange(start, end)
    },
  }
}

function tell(field: Field): void {
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

function isTickable(field: HTMLInputElement | HTMLTextAreaElement): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')
}
