import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { splitFullName } from '#domain/addresses/full-name.ts'
import { loadAddressData } from '../../addresses/address-data.ts'
import { formValue, setFormValue } from '../form-values.ts'
import type { AcceleratedProfile } from '../provider.ts'

type Kind = 'billing' | 'shipping'
type Place = Readonly<Record<string, string>>

/** The country comes first, because it loads the list of its states. */
const keys = [
  'country',
  'state',
  'city',
  'postcode',
  'address_1',
  'address_2',
  'company',
  'first_name',
  'last_name',
  'phone',
] as const

const names = (['billing', 'shipping'] as const).flatMap((kind) => keys.map((key) => `${kind}_${key}`))

/** @returns a function that restores the form's current values */
export function typedBefore(form: HTMLFormElement): () => Promise<void> {
  const values = names.map((name) => [name, formValue(form, name)] as const)
  const elsewhere = elsewhereBox(form)?.checked
  return async () => {
    await loadAddressData()
    for (const [name, value] of values) setFormValue(form, name, value)
    if (elsewhere !== undefined) shipElsewhere(form, elsewhere)
  }
}

/**
 * Fills the form with the name and addresses of the provider's customer, in place of typed values. The billing address
 * is the card's; without a card it is the shipping address.
 */
export async function fillProfile(form: HTMLFormElement, profile: AcceleratedProfile): Promise<void> {
  // Without the data the states of another country could not be selected.
  await loadAddressData()
  const { shipping, card } = profile
  const person = profile.name ? splitFullName(profile.name) : {}
  const phone = shipping?.phone ? { phone: shipping.phone } : {}
  const bill = card?.billing.country ? card.billing : shipping?.address
  fillPlace(form, 'billing', { ...person, ...phone, ...bill })
  if (!shipping || !elsewhereBox(form)) return
  const elsewhere = bill !== shipping.address && !isSamePlace(form, shipping.address)
  shipElsewhere(form, elsewhere)
  if (elsewhere) fillPlace(form, 'shipping', { ...phone, ...shipping.address })
}

/** Returns the billing address of the form. */
export function billingPlace(form: HTMLFormElement): Place {
  return Object.fromEntries(keys.map((key) => [key, formValue(form, `billing_${key}`)]))
}

/** In a country without shop sales only the name is filled in. */
function fillPlace(form: HTMLFormElement, kind: Kind, place: Place): void {
  const country = form.elements.namedItem(`${kind}_country`)
  const sold =
    !(country instanceof HTMLSelectElement) || [...country.options].some(({ value }) => value === place.country)
  for (const key of keys) {
    const value = place[key]
    if (value !== undefined && (sold || key.endsWith('_name'))) setFormValue(form, `${kind}_${key}`, value)
  }
}

function isSamePlace(form: HTMLFormElement, place: Place): boolean {
  return keys.every((key) => {
    const value = place[key]
    return !value || key === 'company' || key === 'phone' || value === formValue(form, `billing_${key}`)
  })
}

function elsewhereBox(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(checkoutHooks.shipToDifferent)
}

function shipElsewhere(form: HTMLFormElement, elsewhere: boolean): void {
  const box = elsewhereBox(form)
  // Clicks the box like a visitor: the fields below it open or close.
  if (box && box.checked !== elsewhere) box.click()
}
