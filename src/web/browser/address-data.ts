import type { AddressLocale } from '#domain/addresses/address-locale.ts'
import { isRecord, parseJson, request } from './request.ts'
import { settings } from './settings.ts'

export type AddressData = {
  readonly locale: AddressLocale
  /** Country → code → name. No entry: not known, visitors type; an empty one: the country has none. */
  readonly states: Readonly<Record<string, Readonly<Record<string, string>>>>
}

let loaded: AddressData | undefined
let loading: Promise<AddressData> | undefined

/** What the page prints or has loaded; undefined while there is more to load. */
export function knownAddressData(): AddressData | undefined {
  const { locale, locale_url } = settings('wc_address_i18n_params')
  const { countries } = settings('wc_country_select_params')
  const printed = addressDataOf(parsed(locale), parsed(countries))
  if (!locale_url) return printed
  // What is printed wins, country by country: other scripts may have changed it.
  return (
    loaded && {
      locale: { ...loaded.locale, ...printed.locale },
      states: { ...loaded.states, ...printed.states },
    }
  )
}

/** Loads once; a failure is tried again the next time and leaves fields in which everything can be typed. */
export async function loadAddressData(): Promise<AddressData> {
  const known = knownAddressData()
  if (known) return known
  loading ??= fetchAddressData().finally(() => {
    loading = undefined
  })
  return loading.then(
    (data) => {
      loaded = data
      return knownAddressData() ?? data
    },
    () => addressDataOf({}, {}),
  )
}

async function fetchAddressData(): Promise<AddressData> {
  const { locale_url = '' } = settings('wc_address_i18n_params')
  const { ok, text, status } = await request(locale_url)
  const answer = parseJson(text)
  if (!ok || !isRecord(answer)) throw new Error(`no address data at ${locale_url}: ${status}`)
  return addressDataOf(answer.locale, answer.states)
}

function addressDataOf(locale: unknown, states: unknown): AddressData {
  // Proof of the casts: both are printed by the server from the same rules; a country without states may come as an empty list.
  return {
    locale: isRecord(locale) ? (locale as AddressData['locale']) : {},
    states: isRecord(states) ? (states as AddressData['states']) : {},
  }
}

const parses = new Map<string, unknown>()

function parsed(text: string | undefined): unknown {
  if (!text) return {}
  if (!parses.has(text)) parses.set(text, parseJson(text))
  return parses.get(text)
}
