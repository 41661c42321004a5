import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { normalisePostcode } from '#domain/addresses/postcode.ts'
import { allOf } from '../../../runtime/elements.ts'
import { loadAddressData } from '../../addresses/address-data.ts'
import { formValue, setFormValue } from '../form-values.ts'
import type { WalletPayer, WalletPlace } from '../provider.ts'

export type FillOptions = {
  readonly needsShipping: boolean
  /** The merchant copies the wallet's addresses to the form. */
  readonly useAddress: boolean
}

/** `review`: the shipping address differs from the form's; `changed`: the totals may differ. */
export type Filled = 'review' | 'changed' | 'same'

/** Fills the checkout form with the wallet owner's data, wherever the form's own values are invalid. */
export async function fillCheckout(
  form: HTMLFormElement,
  payer: WalletPayer,
  { needsShipping, useAddress }: FillOptions,
): Promise<Filled> {
  for (const key of ['first_name', 'last_name', 'email', 'phone'] as const)
    fillEmpty(form, `billing_${key}`, payer[key])
  if (!useAddress) return 'same'
  // Without the data the states of another country could not be selected.
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
  // Clicks the box like a visitor: the fields below it open.
  if (box && !box.checked) box.click()
}

function fillEmpty(form: HTMLFormElement, name: string, value: string): void {
  if (value !== '' && formValue(form, name).trim() === '') setFormValue(form, name, value)
}

/**
 * Returns true if the address is complete: a country and its required fields. Phone and email address do not belong to
 * it.
 */
function isAddress(form: HTMLFormElement, kind: Kind): boolean {
  const asked = allOf(`[id^=${kind}_][id$=_field].${rowHooks.required}`, form)
    .map(({ id }) => id.slice(0, -'_field'.length))
    .filter((name) => name !== `${kind}_phone` && name !== `${kind}_email`)
  return [`${kind}_country`, ...asked].every((name) => formValue(form, name).trim() !== '')
}

/**
 * Returns true for the same place, by the parts that a wallet shares before approval. An optional state may be missing.
 */
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

/** Fills in the whole place, since parts of two addresses do not combine. @returns whether a value changed */
function fillPlace(form: HTMLFormElement, kind: Kind, place: WalletPlace): boolean {
  const country = form.elements.namedItem(`${kind}_country`)
  const offered =
    !(country instanceof HTMLSelectElement) || [...country.options].some((it) => it.value === place.country)
  // Nothing is filled in for a country without shop sales; the shop reports it when the order is placed.
  if (!offered) return false
  let changed = false
  // The country comes first, because it loads the list of its states.
  for (const key of ['country', 'state', 'city', 'postcode', 'address_1', 'address_2'] as const) {
    const name = `${kind}_${key}`
    if (formValue(form, name) === place[key]) continue
    setFormValue(form, name, place[key])
    changed = true
  }
  return changed
}
