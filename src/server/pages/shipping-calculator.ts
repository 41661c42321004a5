import { isCountry } from '#domain/addresses/countries.ts'
import { formatPostcode, isPostcode } from '#domain/addresses/postcode.ts'
import { stateCode } from '#domain/addresses/states.ts'
import { errorNotice, escapeHtml } from '../cart-notices.tsx'
import type { Visit } from '../visit.ts'

/** Takes the place from the calculator over into the visitor's addresses, so that shipping can be priced. */
export async function setCalculatedPlace(visit: Visit, text: (name: string) => string | undefined): Promise<void> {
  const { t } = await visit.app.shop()
  const country = (text('calc_shipping_country') ?? '').trim().toUpperCase()
  const postcode = formatPostcode((text('calc_shipping_postcode') ?? '').slice(0, 20), country)
  const known = country !== '' && country !== 'DEFAULT'
  if (known && !isCountry(country)) return
  if (known && postcode !== '' && !isPostcode(postcode, country)) {
    return visit.addNotice(errorNotice(t('Please enter a valid postcode / ZIP.')))
  }
  const given = (text('calc_shipping_state') ?? '').trim().slice(0, 60)
  const { base } = visit.app.tools.settings
  const place = known
    ? {
        country,
        state: stateCode(country, given) ?? given,
        postcode,
        city: (text('calc_shipping_city') ?? '').slice(0, 100),
      }
    : { country: base.country, state: base.state, postcode: '', city: '' }
  await visit.change((state) => ({
    state: {
      ...state,
      shipping: { ...state.shipping, ...place },
      billing: known && state.billing.first_name !== '' ? state.billing : { ...state.billing, ...place },
      calculatedShipping: true,
      approvedWallet: null,
    },
    result: undefined,
  }))
  await visit.addNotice({ kind: 'notice', html: escapeHtml(t('Shipping costs updated.')) })
}
