import { languageHooks } from '#contract/translation/language-hooks.ts'
import { cookie } from '../../runtime/cookies.ts'
import { allOf } from '../../runtime/elements.ts'
import { isRecord, parseJson } from '../../runtime/request.ts'
import { keepClearOfBars } from '../notices/bar-clearance.ts'
import { hideBar } from '../notices/bottom-bars.ts'
import { dismissOffers } from './language-choice.ts'

/**
 * Offers the page in the visitor's stored or browser language. The visitor is not redirected: the bar contains a link,
 * and dismissing it lasts for a year.
 */
export function startLanguageOffer(): void {
  const bar = document.querySelector<HTMLElement>(languageHooks.offer)
  if (!bar || cookie(languageHooks.hintCookie) === languageHooks.dismissed) return
  const offers = parseJson(bar.dataset.offers ?? '')
  const present = document.documentElement.lang
  if (!isRecord(offers)) return
  const chosen = cookie(languageHooks.chosenCookie)
  const offered = offeredLanguage(chosen ? [chosen] : navigator.languages, [present, ...Object.keys(offers)])
  const words = offered === undefined ? undefined : offers[offered]
  const link = allOf<HTMLAnchorElement>(languageHooks.link).find(({ hreflang }) => hreflang === offered)
  if (!link || !Array.isArray(words)) return

  const [view, dismiss] = words.map(String)
  const { href, hreflang, dir } = link
  const there = Object.assign(document.createElement('a'), { href, hreflang, textContent: view })
  const away = Object.assign(document.createElement('button'), { type: 'button', textContent: dismiss })
  away.addEventListener('click', () => {
    dismissOffers()
    hideBar(bar)
  })
  bar.lang = hreflang
  bar.dir = dir
  bar.append(there, away)
  bar.hidden = false
  keepClearOfBars()
}

/** The first of the languages somebody reads that is spoken here, if it is not the present one: `de-AT` reads `de-DE`. */
export function offeredLanguage(read: readonly string[], [present, ...others]: readonly string[]): string | undefined {
  for (const tag of read) {
    const spoken = [present, ...others].filter((one) => one !== undefined)
    const found =
      spoken.find((one) => one === tag) ?? spoken.find((one) => languageAndScript(one) === languageAndScript(tag))
    if (found) return found === present ? undefined : found
  }
  return undefined
}

/** Returns a language with its script: a reader of one script may not read the other. */
function languageAndScript(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}
