import {
  type ConsentAnswer,
  consentCategories,
  consentCookie,
  consentEvents,
  consents,
  consentType,
} from '#contract/consent.ts'

const dayInSeconds = 86_400

/** What the browser says for its user, where it does. */
export const gpc = () => Reflect.get(navigator, 'globalPrivacyControl') === true

/** What the cookie of a category holds, undefined without one. */
function answer(category: string): string | undefined {
  const start = `${consentCookie(category)}=`
  const pair = document.cookie.split('; ').find((one) => one.startsWith(start))
  return pair?.slice(start.length)
}

/** Whether something of the category may be kept or sent now, by the shop's own rule. */
export const mayKeep = (category: string, asked: boolean) => consents(category, { answer, asked, gpc: gpc() })

/** The same by what the page's consent tool says, ours or one that somebody else brought. */
export function allowed(category: string, asked: boolean): boolean {
  const has: unknown = Reflect.get(window, 'wp_has_consent')
  return typeof has === 'function' ? has(category) === true : mayKeep(category, asked)
}

/** Whether the visitor is still to be asked: what the browser has said for its user is not asked again. */
export function undecided(asked: readonly string[]): boolean {
  return asked.some((category) => answer(category) === undefined && !(gpc() && category !== 'preferences'))
}

const has = (category: string) => mayKeep(category, true)
const answers = () => consentCategories.map(answer)
let known = answers()

/** Tells whoever listens of every answer that is new, also of those given in another tab. */
function tell(): void {
  const before = known
  known = answers()
  consentCategories.forEach((category, place) => {
    if (known[place] === before[place]) return
    const detail = { [category]: has(category) ? 'allow' : 'deny' }
    document.dispatchEvent(new CustomEvent(consentEvents.changed, { detail }))
  })
}

/**
 * Defines the interface that other scripts know.
 * @param days for how long an answer holds
 */
export function defineConsent(days: number): void {
  const set = (category: string, value: ConsentAnswer) => {
    // Both come from any script: nothing else may get into the cookie.
    if (!consentCategories.some((one) => one === category)) return
    const given = value === 'allow' ? value : 'deny'
    const secure = location.protocol === 'https:' ? ';Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the other way is not in every browser, and answers late.
    document.cookie = `${consentCookie(category)}=${given};max-age=${days * dayInSeconds};path=/;SameSite=Lax${secure}`
    tell()
  }
  Object.assign(window, { wp_consent_type: consentType, wp_has_consent: has, wp_set_consent: set })
  document.dispatchEvent(new CustomEvent(consentEvents.defined))
  // The answer may have been given elsewhere while this page was out of sight.
  for (const name of ['focus', 'pageshow']) addEventListener(name, tell)
  document.addEventListener('visibilitychange', tell)
}
