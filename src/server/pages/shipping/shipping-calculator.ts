import { printedForField } from '#contract/addresses/hooks.ts'
import { plainLine } from '#domain/addresses/address-check.ts'
import { isCountry } from '#domain/addresses/countries.ts'
import { invalidText } from '#domain/addresses/field-errors.ts'
import { formatPostcode, isPostcode } from '#domain/addresses/postcode.ts'
import { stateCode, stateMeant } from '#domain/addresses/states.ts'
import { countryName, shipsTo } from '#shop/addresses/allowed-countries.ts'
import type { AddressState, SessionState } from '#shop/customers/sessions/session-state.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'

/** Copies the calculator's place to the visitor's addresses, so that shipping can be priced. */
export async function setCalculatedPlace(visit: Visit, text: (name: string) => string | undefined): Promise<void> {
  const { t } = await visit.app.shop()
  const { settings } = visit.app.tools
  const { base } = settings
  const country = (text('calc_shipping_country') ?? '').trim().toUpperCase().slice(0, 10)
  const typed = {
    country,
    state: stateMeant(
      country,
      (text('calc_shipping_state') ?? '').trim().slice(0, 60),
      text(printedForField('calc_shipping_state')) ?? '',
    ),
    postcode: (text('calc_shipping_postcode') ?? '').trim().slice(0, 40),
    city: plainLine(text('calc_shipping_city') ?? '').slice(0, 100),
  }
  const known = country !== '' && country !== 'DEFAULT'
  const refuse = async (words: string, field: 'country' | 'postcode') => {
    const atField = field === 'country' ? t('Select another country or region') : t(invalidText('Postcode / ZIP'))
    await visit.change((state) => ({ state: { ...state, refusedPlace: { ...typed, field } }, result: undefined }))
    await visit.addNotice(errorNotice(words, `calc_shipping_${field}`, atField))
  }
  if (known && !isCountry(country)) return refuse(t("'%s' is not a valid country code.", country), 'country')
  if (known && !shipsTo(settings, country))
    return refuse(t('We do not ship to %s.', countryName(settings.language, country)), 'country')
  const postcode = formatPostcode(typed.postcode, country)
  if (known && postcode !== '' && !isPostcode(postcode, country))
    return refuse(t('Please enter a valid postcode / ZIP.'), 'postcode')

  // A text that is not a state of a country with states is no valid place.
  const place = known
    ? { country, state: stateCode(country, typed.state) ?? '', postcode, city: typed.city }
    : { country: base.country, state: base.state, postcode: '', city: '' }
  await visit.change((state) => ({ state: withPlace(state, place, known), result: undefined }), 'S4')
  await visit.addNotice({ kind: 'notice', html: escapeHtml(t('Shipping costs updated.')) })
}

type Place = Pick<AddressState, 'country' | 'state' | 'postcode' | 'city'>

function withPlace(state: SessionState, place: Place, known: boolean): SessionState {
  const told = { ...state, calculatedShipping: true, refusedPlace: null, approvedWallet: null }
  const { billing, shipping } = state
  if (!known || billing.first_name === '') {
    return { ...told, billing: { ...billing, ...place }, shipping: { ...shipping, ...place } }
  }
  // A complete billing address stays: the parcel then has a different address.
  const elsewhere = (['country', 'state', 'postcode', 'city'] as const).some((key) => billing[key] !== place[key])
  const before = state.shipToDifferent ? shipping : { ...billing, address_1: '', address_2: '' }
  return { ...told, shipToDifferent: state.shipToDifferent || elsewhere, shipping: { ...before, ...place } }
}
