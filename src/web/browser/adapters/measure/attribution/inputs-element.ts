import { attributionElement } from '#contract/attribution/attribution.ts'

/** Values by field; `null` and '' leave an input empty. */
export type FieldValues = Readonly<Record<string, string | null>>

/**
 * Defines the element that fills itself with a hidden input for each field inside a form. Setting its `values` updates
 * the inputs and logs those that another script has removed.
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
      // A value set before the element was defined is an own property that hides the setter.
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
  // A page may define its own.
  if (!customElements.get(attributionElement)) customElements.define(attributionElement, AttributionInputs)
}

/** Updates the page's inputs. A single set is submitted: the checkout's, else the first. */
export function updateInputs(values: FieldValues): void {
  const find = (where: string) => document.querySelector<Element & { values?: FieldValues }>(where + attributionElement)
  const kept = find('form.checkout ') ?? find('')
  for (const one of document.querySelectorAll(attributionElement)) if (one !== kept) one.remove()
  if (kept) kept.values = values
}
