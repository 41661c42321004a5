/**
 * The visitor's consent as other scripts of the ecosystem read and give it: a cookie for each category, two functions and two
 * events. The same rule holds on the server and in the browser.
 */
export const consentCategories = [
  'functional',
  'preferences',
  'statistics',
  'statistics-anonymous',
  'marketing',
] as const

export type ConsentCategory = (typeof consentCategories)[number]
export type ConsentAnswer = 'allow' | 'deny'

/** `event.detail` of the first is `{ [category]: 'allow' | 'deny' }`. Both are dispatched on `document`. */
export const consentEvents = {
  changed: 'wp_listen_for_consent_change',
  defined: 'wp_consent_type_defined',
} as const

/** Asked first: nothing optional before there is an answer. */
export const consentType = 'optin'

export const consentCookie = (category: string) => `wp_consent_${category}`

/** Our own markup of the question, see `hooks.ts`. */
export const consentHooks = {
  form: '#privacy-choices',
  /** Leads to the form, and without scripts to what the shop says of privacy. */
  link: '.privacy-choices-link',
  status: '.consent-status',
} as const

type Asking = {
  /** What the cookie of a category says; anything but an answer counts as none. */
  answer: (category: string) => string | undefined
  /** Whether visitors are asked for the category: without an answer it is then denied, otherwise allowed. */
  asked: boolean
  /** Global Privacy Control: the browser says for its user that nobody may be measured or followed. */
  gpc: boolean
}

/**
 * Whether something of the category may be kept or sent. What the shop cannot do without always may. An answer goes before
 * everything else, then what the browser says, then whether the shop asks at all.
 */
export function consents(category: string, { answer, asked, gpc }: Asking): boolean {
  if (category === 'functional') return true
  const given = answer(category)
  if (given === 'allow' || given === 'deny') return given === 'allow'
  return !asked && !(gpc && category !== 'preferences')
}

/** What the entry that loads all this goes by. */
export const measureHooks = {
  /** Its own element, with the categories of `consentCategoriesInUse`. */
  script: 'script[data-asks]',
  /** Begins the names of the cookies that say where a visitor came from. */
  kept: 'sbjs_',
} as const

/** The settings that decide what there is to ask. */
export type ConsentNeeds = {
  attribution: { enabled: boolean; consentCategory: ConsentCategory }
  consent: { banner: boolean; categories: readonly ConsentCategory[] }
  statistics: { enabled: boolean; needsConsent: boolean }
}

/**
 * The categories in which nothing may happen without an answer, in the order in which they are asked for. Only what something
 * of the shop uses: a question that nothing depends on is noise.
 */
export function consentCategoriesInUse({ attribution, consent, statistics }: ConsentNeeds): ConsentCategory[] {
  const asked = new Set<ConsentCategory>()
  if (consent.banner) for (const category of consent.categories) asked.add(category)
  if (consent.banner && attribution.enabled) asked.add(attribution.consentCategory)
  if (statistics.enabled && statistics.needsConsent) asked.add('statistics')
  return consentCategories.filter((category) => category !== 'functional' && asked.has(category))
}
