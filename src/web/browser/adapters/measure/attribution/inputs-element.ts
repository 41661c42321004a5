import { attributionElement } from '#contract/attribution/attribution.ts'

/** By field; `null` and '' leave an input empty. */
export type FieldValues = Readonly<Record<string, string | null>>

/**
 * Defines the element that stands in forms: it fills itself with one hidden input for each field. Setting its `values` updates
 * them, and says which of them another script has removed meanwhile.
 */
export function defineInputs(prefix: string, fields: readonly string[], now: () => FieldValues): void {
  class AttributionInputs extends HTMLElement {
    set values(values: FieldValues) {
      for (const field of fields) {
        const input = this.querySelector<HTMLInputElement>(`[name="${prefix + field}"]`)
        if (input) input.value = values[field] || ''
        else console.warn(`${prefix + field} is missing`)
      }
    }

    connectedCallback() {
      // Set before the element was known, it is a property that hides ours; ours only takes and gives nothing.
      const early: FieldValues | undefined = this.values
      Reflect.deleteProperty(this, 'values')
      this.replaceChildren(
        ...fields.map((field) =>
          Object.assign(document.createElement('input'), { type: 'hidden', name: prefix + field }),
        ),
      )
      this.values = early ?? now()
    }
  }
  // A page may bring its own.
  if (!customElements.get(attributionElement)) customElements.define(attributionElement, AttributionInputs)
}

/** Updates the inputs of the page. One set of them is posted: the checkout's, else the first. */
export function updateInputs(values: FieldValues): void {
  const find = (where: string) => document.querySelector<Element & { values?: FieldValues }>(where + attributionElement)
  const kept = find('form.checkout ') ?? find('')
  for (const one of document.querySelectorAll(attributionElement)) if (one !== kept) one.remove()
  if (kept) kept.values = values
}
