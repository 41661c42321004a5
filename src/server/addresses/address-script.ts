import type { ScriptSettings } from '#contract/shared/browser-settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { type AddressLocale, addressLocale } from '#domain/addresses/address-locale.ts'
import { statesByCountry } from '#domain/addresses/states.ts'
import { offeredCountries } from '#shop/addresses/allowed-countries.ts'
import { shortDigest } from '#shop/shared/digest.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { acceptedEncoding, type Bytes, compress, type Encoding } from '../http/compression.ts'
import type { Visit } from '../http/visit.ts'

type Translate = ShopContextValue['t']

/** Script data about the countries that the shop offers. */
type AddressData = {
  /** As printed by the page: of all offered countries or, if that is long, of the shop's own. */
  readonly locale: string
  readonly states: string
  /** True if the file contains more. */
  readonly isPart: boolean
  /** Data of all countries in one text, as in the file, and its digest. */
  readonly json: string
  readonly hash: string
  readonly encoded: Map<Encoding, Bytes>
}

/**
 * Maximum length in characters that a page prints itself to save a request; a shop that sells everywhere has six times
 * as much.
 */
const printedUpTo = 8000

/**
 * Returns the settings objects of pages with address fields. Long data is moved to a file that the page names.
 * Third-party scripts parse the printed value in any case, so it stays valid data for them.
 */
export function addressScript(
  settings: ShopSettings,
  { t, path }: Pick<ShopContextValue, 't' | 'path'>,
): Pick<ScriptSettings, 'wc_country_select_params' | 'wc_address_i18n_params'> {
  const { locale, states, isPart, hash } = addressData(settings, t)
  return {
    wc_country_select_params: {
      countries: states,
      i18n_select_state_text: t('Select an option…'),
      i18n_no_matches: t('No results found'),
      i18n_ajax_error: t('The results could not be loaded.'),
      i18n_input_too_short_1: t('Please enter 1 or more characters'),
      i18n_input_too_short_n: t('Please enter %qty% or more characters'),
      i18n_input_too_long_1: t('Please delete 1 character'),
      i18n_input_too_long_n: t('Please delete %qty% characters'),
      i18n_selection_too_long_1: t('You can only select 1 item'),
      i18n_selection_too_long_n: t('You can only select %qty% items'),
      i18n_load_more: t('Loading more results…'),
      i18n_searching: t('Searching…'),
      i18n_results_1: t('1 result'),
      i18n_results_n: t('%qty% results'),
    },
    wc_address_i18n_params: {
      locale,
      locale_fields: localeFields,
      i18n_required_text: t('required'),
      i18n_optional_text: t('optional'),
      locale_url: isPart ? path(urls.addressData(hash)) : '',
    },
  }
}

/**
 * Answers with the file of address data. Its name contains a digest of its content. An older name, from an older page
 * or another process, gets the current content.
 */
export async function addressDataFile(visit: Visit, { name = '' }: Record<string, string>): Promise<Response> {
  const { t } = await visit.app.shop()
  const data = addressData(visit.app.tools.settings, t)
  const encoding = acceptedEncoding(visit.request.headers.get('accept-encoding'))
  const body = data.encoded.get(encoding) ?? (await compress(Buffer.from(data.json), encoding))
  data.encoded.set(encoding, body)
  return new Response(body, {
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'Cache-Control': name === `${data.hash}.json` ? 'public, max-age=31536000, immutable' : 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    },
  })
}

/** Cached while settings and language stay the same. */
const made = new WeakMap<ShopSettings, WeakMap<Translate, AddressData>>()

function addressData(settings: ShopSettings, t: Translate): AddressData {
  const byLanguage = made.get(settings) ?? new WeakMap<Translate, AddressData>()
  made.set(settings, byLanguage)
  const data = byLanguage.get(t) ?? makeAddressData(settings, t)
  byLanguage.set(t, data)
  return data
}

function makeAddressData(settings: ShopSettings, t: Translate): AddressData {
  const countries = offeredCountries(settings)
  const rules: AddressLocale = addressLocale(countries, settings.base.country, settings.addressFields, t)
  const states = statesByCountry(countries, settings.language)
  const json = JSON.stringify({ locale: rules, states })
  const isPart = json.length > printedUpTo
  const own = ['default', settings.base.country]
  const printed = <Value>(data: Readonly<Record<string, Value>>) =>
    JSON.stringify(isPart ? Object.fromEntries(Object.entries(data).filter(([name]) => own.includes(name))) : data)
  return { locale: printed(rules), states: printed(states), isPart, json, hash: shortDigest(json), encoded: new Map() }
}

/** Selectors of the fields' rows that follow the country; names change places in Hungary and Japan. */
const localeFields = JSON.stringify(
  Object.fromEntries(
    ['first_name', 'last_name', 'address_1', 'address_2', 'state', 'postcode', 'city', 'country', 'phone'].map(
      (key) => [
        key,
        [
          `#billing_${key}_field`,
          `#shipping_${key}_field`,
          ...(['state', 'postcode', 'city', 'country'].includes(key) ? [`#calc_shipping_${key}_field`] : []),
        ].join(', '),
      ],
    ),
  ),
)
