import {
  type ConsentAnswer,
  type ConsentCategory,
  consentCategories,
  consentCookie,
  consentEvents,
  consents,
  consentType,
} from '#contract/statistics/consent.ts'

/** The consent interface on the window; third-party consent tools define the same. */
type Page = {
  wp_has_consent?: (category: string) => boolean
  wp_set_consent?: (category: string, value: ConsentAnswer) => void
  wp_consent_type?: string
}
const page = window as Page

const dayInSeconds = 86_400

/** The browser's Global Privacy Control signal, where supported. */
export const gpc = (navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl === true

/** Returns the value of a category's cookie, undefined without one. */
const answer = (category: string) => `; ${document.cookie}`.split(`; ${consentCookie(category)}=`)[1]?.split(';')[0]

/** Checks whether data of the category may be stored or sent now, by the shop's own rule. */
export const isConsented = (category: string, asked = true) => consents(category, { answer, asked, gpc })

/** The same by what the page's consent tool says, ours or one that somebody else brought. */
export const isCategoryAllowed = (category: string, asked: boolean) =>
  page.wp_has_consent?.(category) ?? isConsented(category, asked)

/** Checks whether the visitor must still be asked: an answer from the browser's own signal is not asked again. */
export const isConsentUndecided = (asked: readonly string[]) =>
  asked.some((category) => answer(category) === undefined && !(gpc && category !== 'preferences'))

/** Answers through the public function, like the visitor and any other script. */
export const answerConsent: NonNullable<Page['wp_set_consent']> = (category, value) =>
  page.wp_set_consent?.(category, value)

/**
 * Defines the interface that other scripts use, and publishes every answer to listeners, also answers from another tab.
 * @param days the number of days that an answer is valid
 */
export function defineConsent(days: number): void {
  const known = new Map<ConsentCategory, string | undefined>()
  const tell = () => {
    for (const category of consentCategories) {
      const now = answer(category)
      if (now === known.get(category)) continue
      known.set(category, now)
      const detail = { [category]: isConsented(category) ? 'allow' : 'deny' }
      document.dispatchEvent(new CustomEvent(consentEvents.changed, { detail }))
    }
  }
  for (const category of consentCategories) known.set(category, answer(category))
  page.wp_consent_type = consentType
  page.wp_has_consent = (category) => isConsented(category)
  page.wp_set_consent = (category, value) => {
    // Both values come from any script: nothing else may get into the cookie.
    if (!consentCategories.some((one) => one === category)) return
    const given = value === 'allow' ? value : 'deny'
    const secure = location.protocol === 'https:' ? ';Secure' : ''
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous and not in every browser.
    document.cookie = `${consentCookie(category)}=${given};max-age=${days * dayInSeconds};path=/;SameSite=Lax${secure}`
    tell()
  }
  document.dispatchEvent(new CustomEvent(consentEvents.defined))
  // Another tab may have stored an answer while this page was in the background.
  addEventListener('focus', tell)
  addEventListener('pageshow', tell)
}
