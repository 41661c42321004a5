/**
 * The visitor's consent in the interface of third-party scripts: a cookie for each category, two functions and two
 * events. The same rule applies on the server and in the browser.
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

/** Opt-in: nothing optional before an answer. */
export const consentType = 'optin'

export const consentCookie = (category: string) => `wp_consent_${category}`

/** The shop's own markup of the consent banner, see `hooks.ts`. */
export const consentHooks = {
  form: '#privacy-choices',
  /** Opens the form; without scripts it links to the privacy policy. */
  link: '.privacy-choices-link',
  status: '.consent-status',
} as const

type Asking = {
  /** Returns the value of a category's cookie; any value that is no answer counts as none. */
  answer: (category: string) => string | undefined
  /** True if visitors are asked for the category: without an answer it is then denied, otherwise allowed. */
  asked: boolean
  /** Global Privacy Control: the browser refuses measuring and tracking for its user. */
  gpc: boolean
}

/**
 * Returns true if data of the category may be stored or sent. Necessary data always may. An answer takes precedence,
 * then the browser's signal, then whether the shop asks at all.
 */
export function consents(category: string, { answer, asked, gpc }: Asking): boolean {
  if (category === 'functional') return true
  const given = answer(category)
  if (given === 'allow' || given === 'deny') return given === 'allow'
  return !asked && !(gpc && category !== 'preferences')
}

/** Hooks of the entry that loads the measuring scripts. */
export const measureHooks = {
  /** Its own element, with the categories of `consentCategoriesInUse`. */
  script: 'script[data-asks]',
  /** Prefix of the attribution cookies. */
  kept: 'sbjs_',
} as const

/** The settings that decide about the categories. */
export type ConsentNeeds = {
  attribution: { enabled: boolean; consentCategory: ConsentCategory }
  consent: { banner: boolean; categories: readonly ConsentCategory[] }
  statistics: { enabled: boolean; needsConsent: boolean }
}

/**
 * Returns the categories that require an answer, in the order of the banner. Only categories in use are included: any
 * other question would be noise.
 */
export function consentCategoriesInUse({ attribution, consent, statistics }: ConsentNeeds): ConsentCategory[] {
  const asked = new Set<ConsentCategory>()
  if (consent.banner) for (const category of consent.categories) asked.add(category)
  if (consent.banner && attribution.enabled) asked.add(attribution.consentCategory)
  if (statistics.enabled && statistics.needsConsent) asked.add('statistics')
  return consentCategories.filter((category) => category !== 'functional' && asked.has(category))
}
