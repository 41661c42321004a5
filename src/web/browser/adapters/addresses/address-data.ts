import type { AddressLocale } from '#domain/addresses/address-locale.ts'
import { isRecord, parseJson, request } from '../../runtime/request.ts'
import { settings } from '../../runtime/settings.ts'

export type AddressData = {
  readonly locale: AddressLocale
  /** Country → code → name. A missing entry is unknown, and visitors type the state; an empty entry means no states. */
  readonly states: Readonly<Record<string, Readonly<Record<string, string>>>>
}

let loaded: AddressData | undefined
let loading: Promise<AddressData> | undefined

let offered = false
/**
 * Texts that the page prints for its own country only, by the key of their object, until another script sets the key.
 */
const printedTexts = new Map<string, string>()

/**
 * Gives scripts every country in the objects that the page prints. Scripts read properties synchronously, so missing
 * data is loaded by a blocking request; a page where no script reads them loads nothing.
 */
export function offerAllCountries(): void {
  const { locale_url } = settings('wc_address_i18n_params')
  if (!locale_url || offered) return
  offered = true
  offerWhole(settings('wc_country_select_params'), 'countries', ({ states }) => states)
  offerWhole(settings('wc_address_i18n_params'), 'locale', ({ locale }) => locale)
}

function offerWhole<Key extends string>(
  object: Partial<Record<Key, unknown>>,
  key: Key,
  part: (data: AddressData) => object,
): void {
  const printed = object[key]
  if (typeof printed !== 'string') return
  printedTexts.set(key, printed)
  let whole: string | undefined
  Object.defineProperty(object, key, {
    configurable: true,
    enumerable: true,
    get() {
      const data = whole === undefined && (loadedAddressData() ?? loadAtOnce())
      if (data) whole = JSON.stringify(part(data))
      return whole ?? printed
    },
    set(text: unknown) {
      Object.defineProperty(object, key, { value: text, writable: true })
      printedTexts.delete(key)
    },
  })
}

/** Blocks until the data is loaded: a property getter cannot wait in another way. Null means no connection. */
function loadAtOnce(): AddressData | undefined {
  const { locale_url = '' } = settings('wc_address_i18n_params')
  try {
    const request = new XMLHttpRequest()
    request.open('GET', locale_url, false)
    request.send()
    const answer = parseJson(request.responseText)
    if (request.status !== 200 || !isRecord(answer)) return undefined
    loaded = addressDataOf(answer.locale, answer.states)
  } catch (error) {
    console.warn('Warning: the countries could not be loaded', error)
  }
  return loadedAddressData()
}

/** Returns the printed or loaded data; undefined while data is missing. */
export function loadedAddressData(): AddressData | undefined {
  const { locale_url } = settings('wc_address_i18n_params')
  const locale = printedTexts.get('locale') ?? settings('wc_address_i18n_params').locale
  const countries = printedTexts.get('countries') ?? settings('wc_country_select_params').countries
  const printed = addressDataOf(parsed(locale), parsed(countries))
  if (!locale_url) return printed
  // Printed entries win for each country: other scripts may have changed them.
  return (
    loaded && {
      locale: { ...loaded.locale, ...printed.locale },
      states: { ...loaded.states, ...printed.states },
    }
  )
}

/** Loads the data once. A failure is retried on the next call and leaves text fields for states. */
export async function loadAddressData(): Promise<AddressData> {
  const known = loadedAddressData()
  if (known) return known
  loading ??= fetchAddressData().finally(() => {
    loading = undefined
  })
  return loading.then(
    (data) => {
      loaded = data
      return loadedAddressData() ?? data
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
  // Proof of the casts: the server prints both from the same rules; a country without states may be an empty list.
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
