import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { normalisePostcode } from '#domain/addresses/postcode.ts'
import { allOf } from '../../../runtime/elements.ts'
import { loadAddressData } from '../../addresses/address-data.ts'
import { formValue, setFormValue } from '../form-values.ts'
import type { WalletPayer, WalletPlace } from '../provider.ts'

export type FillOptions = {
  readonly needsShipping: boolean
  /** The merchant wants the wallet's addresses in the form. */
  readonly useAddress: boolean
}

/** `review`: it goes elsewhere than the form said; `changed`: totals may be others now. */
export type Filled = 'review' | 'changed' | 'same'

/** Puts what the wallet says of its owner into the checkout form, wherever what stands there does not hold. */
export async function fillCheckout(
  form: HTMLFormElement,
  payer: WalletPayer,
  { needsShipping, useAddress }: FillOptions,
): Promise<Filled> {
  for (const key of ['first_name', 'last_name', 'email', 'phone'] as const)
    fillEmpty(form, `billing_${key}`, payer[key])
  if (!useAddress) return 'same'
  // Without it the states of another country could not be chosen from.
  await loadAddressData()

  const shipping = needsShipping ? payer.shipping : undefined
  const elsewhere = shipping !== undefined && !isAt(form, shipsTo(form), shipping)
  let changed = false
  if (payer.billing && !isAddress(form, 'billing')) changed = fillPlace(form, 'billing', payer.billing)
  if (shipping && !isAt(form, shipsTo(form), shipping)) shipElsewhere(form)
  if (shipping && shipsTo(form) === 'shipping' && !(isAt(form, 'shipping', shipping) && isAddress(form, 'shipping'))) {
    changed = fillPlace(form, 'shipping', shipping) || changed
    for (const key of ['first_name', 'last_name'] as const) setFormValue(form, `shipping_${key}`, shipping[key])
  }
  if (elsewhere) return 'review'
  return changed ? 'changed' : 'same'
}

type Kind = 'billing' | 'shipping'

function shipsTo(form: HTMLFormElement): Kind {
  return form.querySelector<HTMLInputElement>(checkoutHooks.shipToDifferent)?.checked ? 'shipping' : 'billing'
}

function shipElsewhere(form: HTMLFormElement): void {
  const box = form.querySelector<HTMLInputElement>(checkoutHooks.shipToDifferent)
  // As a press does: the fields below it open.
  if (box && !box.checked) box.click()
}

function fillEmpty(form: HTMLFormElement, name: string, value: string): void {
  if (value !== '' && formValue(form, name).trim() === '') setFormValue(form, name, value)
}

/** Whether it can be sent to or billed: a country, and all that is asked for there. Phone and mail address are no part of it. */
function isAddress(form: HTMLFormElement, kind: Kind): boolean {
  const asked = allOf(`[id^=${kind}_][id$=_field].${rowHooks.required}`, form)
    .map(({ id }) => id.slice(0, -'_field'.length))
    .filter((name) => name !== `${kind}_phone` && name !== `${kind}_email`)
  return [`${kind}_country`, ...asked].every((name) => formValue(form, name).trim() !== '')
}

/** The same place, by what the wallet tells of one before approval. A state that nobody has to name may be left out. */
function isAt(form: HTMLFormElement, kind: Kind, place: WalletPlace): boolean {
  const value = (key: keyof WalletPlace) => formValue(form, `${kind}_${key}`).trim()
  const alike = (key: 'city' | 'state') => value(key).toLowerCase() === place[key].toLowerCase()
  return (
    value('country') === place.country &&
    normalisePostcode(value('postcode')) === normalisePostcode(place.postcode) &&
    alike('city') &&
    (value('state') === '' || alike('state'))
  )
}

/** The place is taken whole, since parts of two addresses make none. @returns whether anything is another now */
function fillPlace(form: HTMLFormElement, kind: Kind, place: WalletPlace): boolean {
  const country = form.elements.namedItem(`${kind}_country`)
  const offered =
    !(country instanceof HTMLSelectElement) || [...country.options].some((it) => it.value === place.country)
  // Where the shop does not sell there is nothing to fill in; it says so when the order is placed.
  if (!offered) return false
  let changed = false
  // The country first: it brings the list of its states.
  for (const key of ['country', 'state', 'city', 'postcode', 'address_1', 'address_2'] as const) {
    const name = `${kind}_${key}`
    if (formValue(form, name) === place[key]) continue
    setFormValue(form, name, place[key])
    changed = true
  }
  return changed
}
