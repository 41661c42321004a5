import { cardMethodId, fastlaneHooks, paymentFields, providerMethods } from '#contract/payments/constants.ts'

/**
 * What payments have written into the checkout form: kept here, and mirrored to the page's inputs, which the server's
 * markup may replace at any time.
 */
const values = new Map<string, string>()

const providerFields: readonly string[] = providerMethods.flatMap((method) => {
  const { order, billingToken, paymentToken } = paymentFields(method)
  return [order, billingToken, paymentToken]
})
/** Holds the card that accelerated checkout has chosen, while that is so. */
const cardTokenField = paymentFields(cardMethodId).paymentToken

/** The form's name for a value: one that names neither billing nor shipping nor the provider is of billing. */
export function formFieldName(name: string): string {
  return /^(?:billing|shipping)/.test(name) || providerFields.includes(name) ? name : `billing_${name}`
}

export function setFormValue(form: HTMLFormElement, name: string, value: string): void {
  const field = formFieldName(name)
  values.set(field, value)
  mirror(form, field, value)
}

/** What the form says, over what was written: what the shopper has typed since counts. */
export function formValue(form: HTMLFormElement, name: string): string {
  const field = form.elements.namedItem(formFieldName(name))
  return isInput(field) ? field.value : (values.get(formFieldName(name)) ?? '')
}

/** Writes everything once more, into inputs that have come anew and are empty. */
export function mirrorFormValues(form: HTMLFormElement): void {
  for (const [name, value] of values) if (formValue(form, name) === '') mirror(form, name, value)
}

/** The provider's order and tokens are of no use any more. The card of accelerated checkout is its own to forget. */
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
