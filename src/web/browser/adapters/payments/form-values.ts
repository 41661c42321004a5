import { cardMethodId, fastlaneHooks, paymentFields, providerMethods } from '#contract/payments/constants.ts'

/**
 * Values that payments wrote to the checkout form: stored here, and mirrored to the page's inputs, which the server's
 * markup may replace at any time.
 */
const values = new Map<string, string>()

const providerFields: readonly string[] = providerMethods.flatMap((method) => {
  const { order, billingToken, paymentToken } = paymentFields(method)
  return [order, billingToken, paymentToken]
})
/** Contains the card of accelerated checkout while it is selected. */
const cardTokenField = paymentFields(cardMethodId).paymentToken

/** Returns the form's name of a value: a name without a billing, shipping or provider prefix is of billing. */
export function formFieldName(name: string): string {
  return /^(?:billing|shipping)/.test(name) || providerFields.includes(name) ? name : `billing_${name}`
}

export function setFormValue(form: HTMLFormElement, name: string, value: string): void {
  const field = formFieldName(name)
  values.set(field, value)
  mirror(form, field, value)
}

/** Returns the form's value before the written one: later input of the shopper counts. */
export function formValue(form: HTMLFormElement, name: string): string {
  const field = form.elements.namedItem(formFieldName(name))
  return isInput(field) ? field.value : (values.get(formFieldName(name)) ?? '')
}

/** Writes all values again, into inputs that were replaced and are empty. */
export function mirrorFormValues(form: HTMLFormElement): void {
  for (const [name, value] of values) if (formValue(form, name) === '') mirror(form, name, value)
}

/** Removes the provider's order and tokens, which are no longer usable. Accelerated checkout removes its own card. */
export function forgetProviderValues(form: HTMLFormElement): void {
  const accelerated = form.elements.namedItem(fastlaneHooks.flagField)
  const keepsCard = isInput(accelerated) && accelerated.value !== ''
  for (const name of providerFields) {
    if (keepsCard && name === cardTokenField) continue
    values.delete(name)
    mirror(form, name, '')
  }
}

function mirror(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name)
  if (!isInput(field) || field.value === value) return
  field.value = value
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

function isInput(field: Element | RadioNodeList | null): field is HTMLInputElement | HTMLSelectElement {
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement
}
