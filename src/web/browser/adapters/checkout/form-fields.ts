import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { type FormFields, postForm } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { chosenPaymentMethod } from '../payments/methods/payment-methods.ts'
import { chosenShipping } from '../shipping/chosen-shipping.ts'

/** The values of the checkout form, as the shop receives them. */

/** A visible password is a text field; payment details stand in the block of their method. */
export const secretFields = `[type=password], [autocomplete*=password], [name*=password], [autocomplete*=cc-], ${checkoutHooks.payment} *`

/** Stores the entered values in the shop without requesting totals. Secret fields are never sent, visible or not. */
export async function keepForm(form: HTMLFormElement): Promise<void> {
  const { wc_ajax_url } = settings('wc_checkout_params')
  const fields = { ...totalsFields(form, true), post_data: serializeForm(form, secretFields), leaving: '1' }
  await postForm(ajaxUrl(wc_ajax_url, 'update_order_review'), fields, { keepalive: true })
}

/** Returns what the shop needs to calculate the totals. */
export function totalsFields(form: HTMLFormElement, updateShippingMethod: boolean): FormFields {
  const value = (id: string) => form.querySelector<HTMLInputElement | HTMLSelectElement>(`#${id}`)?.value ?? ''
  const address = (kind: string) => ({
    country: value(`${kind}_country`),
    state: value(`${kind}_state`),
    postcode: value(`${kind}_postcode`),
    city: value(`${kind}_city`),
    address: value(`${kind}_address_1`),
    address_2: value(`${kind}_address_2`),
  })
  const billing = address('billing')
  const elsewhere = form.querySelector<HTMLInputElement>(checkoutHooks.shipToDifferent)?.checked
  const shipping = elsewhere ? address('shipping') : billing
  const { update_order_review_nonce } = settings('wc_checkout_params')
  return {
    security: update_order_review_nonce,
    payment_method: chosenPaymentMethod(),
    ...billing,
    ...Object.fromEntries(Object.entries(shipping).map(([name, text]) => [`s_${name}`, text])),
    has_full_address: hasFullAddress(form),
    post_data: serializeForm(form),
    ...(updateShippingMethod && { shipping_method: chosenShipping() }),
  }
}

function hasFullAddress(form: HTMLFormElement): boolean {
  const rows = allOf(`.address-field.${rowHooks.required}`, form).filter((row) => row.checkVisibility())
  return rows.every((row) =>
    [...row.querySelectorAll<HTMLInputElement>('input, select')].every((field) => field.value !== ''),
  )
}

/**
 * Serializes the form as the browser would submit it, without files.
 * @param leftOut selector of fields to leave out
 */
export function serializeForm(form: HTMLFormElement, leftOut?: string): string {
  const out = new Set(
    leftOut ? [...form.elements].map((field) => field.matches(leftOut) && field.getAttribute('name')) : [],
  )
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && !out.has(name)) fields.append(name, value)
  return String(fields)
}
