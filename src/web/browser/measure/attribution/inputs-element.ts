import { attributionElement } from '#contract/attribution.ts'

/** By field; `null` and '' leave an input empty. */
export type FieldValues = Readonly<Record<string, string | null>>

/**
 * Defines the element that stands in forms: it fills itself with one hidden input for each field. Setting its `values` updates
 * them, and says which of them another script has removed meanwhile.
 */
export function defineInputs(prefix: string, fields: readonly string[], now: () => FieldValues): void {
  class AttributionInputs extends HTMLElement {
    #values: FieldValues | undefined

    set values(values: FieldValues) {
      this.#values = values
      if (!this.isConnected) return
      for (const field of fields) {
        const input = this.querySelector<HTMLInputElement>(`[name="${prefix + field}"]`)
        if (input) input.value = values[field] || ''
        else console.warn(`${prefix + field} is missing`)
      }
    }

    connectedCallback() {
      // Set before the element was known, it is a property that hides ours.
      const early = Object.getOwnPropertyDescriptor(this, 'values')
      Reflect.deleteProperty(this, 'values')
      this.replaceChildren(
        ...fields.map((field) =>
          Object.assign(document.createElement('input'), { type: 'hidden', name: prefix + field }),
        ),
      )
      this.values = early?.value ?? this.#values ?? now()
    }
  }
  // A page may bring its own.
  if (!customElements.get(attributionElement)) customElements.define(attributionElement, AttributionInputs)
}

/** Updates the inputs of the page. One set of them is posted: the checkout's, else the first. */
export function updateInputs(values: FieldValues): void {
  const all = [...document.querySelectorAll<HTMLElement & { values?: FieldValues }>(attributionElement)]
  const kept = all.find((one) => one.closest('form.checkout')) ?? all[0]
  for (const one of all) if (one !== kept) one.remove()
  if (kept) kept.values = values
}
