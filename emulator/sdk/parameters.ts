/** What a valid address of the script asks for. */
export type ScriptSettings = {
  clientId: string
  currency: string
  intent: string
  commit: boolean
  vault: boolean
  components: string[]
  locale: string
  merchantId: string
  enableFunding: string[]
  disableFunding: string[]
  /** Types of the card fields' brands that are not taken. */
  disabledCards: string[]
  buyerCountry: string
}

export type ScriptParameters = { ok: true; settings: ScriptSettings } | { ok: false; message: string }

const INTENTS = ['capture', 'authorize', 'order', 'tokenize', 'subscription']
const BOOLEANS = ['true', 'false']

/** Everything the real script knows, so that a shop may ask for it; only what is built is exported. */
const COMPONENTS = (
  'buttons marks messages card-fields hosted-fields funding-eligibility fastlane googlepay applepay payment-fields ' +
  'three-domain-secure legal hosted-buttons fields menu shopping card-form identity'
).split(' ')

/** Funding sources by their key in `paypal.FUNDING`; the value is the key in lower case. */
export const FUNDING_SOURCES = (
  'paypal venmo paylater credit card applepay itau ideal sepa bancontact giropay sofort eps mybank p24 payu blik ' +
  'trustly oxxo boleto boletobancario wechatpay mercadopago multibanco satispay paidy zimpler maxima'
).split(' ')

/** What the control interface may take from a merchant or give to them. */
export const SWITCHABLE = [...FUNDING_SOURCES, 'card-fields', 'fastlane']

/** Brands that the script's address spells otherwise than the card fields do. */
const CARD_TYPES: Record<string, string> = { amex: 'american-express', diners: 'diners-club', cup: 'unionpay' }

const CURRENCIES = new Set(
  (
    'AED AFN ALL AMD ANG ARS AOA AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BZD CAD CDF CHF CLP ' +
    'COP CRC CVE CZK DJF DKK DOP DZD EGP ETB ERN EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ' +
    'ILS INR ISK JMD JOD JPY KGS KES KHR KMF KRW KWD KYD KZT LAK LKR LRD LSL MAD MDL MGA MKD MNT MOP MRO MRU MUR MVR ' +
    'MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD ' +
    'SHP SLE SLL SOS SRD STN SVC SZL THB TMT TJS TND TOP TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF ' +
    'XPF YER ZAR ZMW'
  ).split(' '),
)

/** Languages by country, where they are more than those understood everywhere. */
const LANGUAGES: Record<string, string> = {
  AT: 'de',
  BE: 'nl fr',
  BR: 'pt',
  CH: 'de fr it',
  CN: 'zh',
  CZ: 'cs',
  DE: 'de',
  DK: 'da',
  EG: 'ar',
  FI: 'fi',
  GR: 'el',
  HU: 'hu',
  ID: 'id',
  IL: 'he',
  IT: 'it',
  JP: 'ja',
  KR: 'ko',
  LU: 'de',
  NL: 'nl',
  NO: 'no',
  PL: 'pl',
  PT: 'pt',
  RU: 'ru',
  SA: 'ar',
  SE: 'sv',
  SK: 'sk',
  TH: 'th',
  TR: 'tr',
}
const EVERYWHERE = ['en', 'fr', 'es', 'zh']

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

type Check = (value: string) => boolean

const oneOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(value)
const listOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    value.split(',').every((entry) => allowed.includes(entry))
const free: Check = (value) => value !== ''

/** The parameters of the script, each with what its value must be. */
const CHECKS: Record<string, Check> = {
  'client-id': (value) => /^[A-Za-z0-9_-]+$/.test(value),
  'merchant-id': (value) => value === '*' || (value.split(',').length <= 10 && /^[A-Za-z0-9@.,_-]+$/.test(value)),
  components: listOf(COMPONENTS),
  currency: (value) => CURRENCIES.has(value),
  intent: oneOf(INTENTS),
  commit: oneOf(BOOLEANS),
  vault: oneOf(BOOLEANS),
  locale: isKnownLocale,
  'buyer-country': isKnownCountry,
  'enable-funding': listOf(FUNDING_SOURCES),
  'disable-funding': listOf(FUNDING_SOURCES),
  'disable-card': free,
  debug: oneOf(BOOLEANS),
  'integration-date': (value) => /^\d{4}-\d\d-\d\d$/.test(value),
  env: oneOf(['sandbox', 'production']),
  version: free,
  cachebust: free,
  'stage-host': free,
  'cdn-registry': free,
}

/** Reads the query of the script's address; the message of a refusal is the real script's. */
export function readScriptParameters(query: URLSearchParams, isKnownClient: (id: string) => boolean): ScriptParameters {
  for (const [key, value] of query) {
    const check = Object.hasOwn(CHECKS, key) ? CHECKS[key] : undefined
    if (!check) return { ok: false, message: `Disallowed query param: ${key}` }
    if (!check(value)) return { ok: false, message: `Invalid query value for ${key}: ${value}` }
  }
  const clientId = query.get('client-id')
  if (clientId === null) return { ok: false, message: 'Expected client-id to be passed' }
  if (!isKnownClient(clientId)) {
    return { ok: false, message: `client-id not recognized for either production or sandbox: ${clientId}` }
  }
  return {
    ok: true,
    settings: {
      clientId,
      currency: query.get('currency') ?? 'USD',
      intent: query.get('intent') ?? 'capture',
      commit: query.get('commit') !== 'false',
      vault: query.get('vault') === 'true',
      components: (query.get('components') ?? 'buttons').split(','),
      locale: query.get('locale') ?? 'en_US',
      merchantId: query.get('merchant-id') ?? '',
      enableFunding: query.get('enable-funding')?.split(',') ?? [],
      disableFunding: query.get('disable-funding')?.split(',') ?? [],
      disabledCards: (query.get('disable-card')?.split(',') ?? []).map((card) => CARD_TYPES[card] ?? card),
      // The real script asks where the buyer is; this one's buyers are Americans unless they say otherwise.
      buyerCountry: query.get('buyer-country') ?? 'US',
    },
  }
}

/** The body that goes with status 400: the text stands where the real one has it, and can do no harm when run. */
export function failureScript(message: string, debugId: string): string {
  const quoted = message.replace(
    /[\\'"\n\r\u2028\u2029<]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const commented = message.replaceAll('*/', '* /')
  return `throw new Error("SDK Validation error: '${quoted}'" );\n\n/* Original Error:\n\n${commented} (debug id: ${debugId})\n\n*/\n`
}

function isKnownCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && regionNames.of(code) !== undefined
}

function isKnownLocale(locale: string): boolean {
  const [, language, country] = /^([a-z]{2})_([A-Z]{2})$/.exec(locale) ?? []
  if (language === undefined || country === undefined || !isKnownCountry(country)) return false
  return EVERYWHERE.includes(language) || (LANGUAGES[country]?.split(' ').includes(language) ?? false)
}
