import { slugOf } from '#contract/translation/language-settings.ts'
import { hasLanguages, ownLanguage, type ShopLanguage, splitPath } from '#contract/translation/languages.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { type Addresses, addressesIn } from '#shop/translation/localized-paths.ts'
import {
  chargedCurrency,
  currencyCookie,
  currencyCookieFor,
  currencyOf,
  currencyParameter,
  hasCurrency,
  isChoosable,
  paysBy,
} from '../currency/currency-choice.ts'
import { Visit, type VisitFacts } from '../http/visit.ts'
import type { Application } from '../operations/startup/application.ts'
import { plainRestPath } from '../rest/rest-path.ts'

/** A request at the door of the language that its address names. */
export type Arrival = {
  readonly visit: Visit
  /** Where it belongs, that there is nothing, or what is answered already; null: it is answered as asked. */
  readonly instead: { readonly leadOn: string } | 'nothing' | Response | null
}

/**
 * Whose address begins with a language is answered by the shop in that language, as if the rest had been asked for. Addresses
 * that are written otherwise, of files, or with the words of another language lead on.
 */
export async function arrive(app: Application, request: Request, facts: VisitFacts): Promise<Arrival> {
  const languages = app.languages()
  const plain = () => seen(app, request, facts)
  const url = new URL(request.url)
  const byLink = currencyByLink(app, request, url)
  if (byLink) return { visit: plain(), instead: byLink }
  if (languages.length === 1) return { visit: plain(), instead: null }
  const { language, path } = splitPath(languages, url.pathname)
  if (!language) {
    const meant = meantPath(languages, url.pathname)
    return { visit: plain(), instead: meant === null ? null : { leadOn: meant + url.search } }
  }
  if (!language.published && !(await maySee(plain()))) return { visit: plain(), instead: 'nothing' }
  if (!hasLanguages(path)) return { visit: plain(), instead: { leadOn: path + url.search } }

  const view = app.inLanguage(language.tag)
  const addresses = await addressesIn(view.tools)
  const asked = url.pathname
  const known = addresses.known(path)
  if (known !== asked) url.pathname = known
  const visit = seen(view, request, facts, addresses, url)
  const usual = addresses.lead(known)
  const moved =
    usual !== asked &&
    isRead(request) &&
    !url.searchParams.has('wc-ajax') &&
    // A memory that contradicts itself must not send anybody round in circles.
    addresses.known(splitPath([language], usual).path) === known
  return { visit, instead: moved ? { leadOn: usual + url.search } : null }
}

/** The shop as this visitor sees it: in the chosen currency, and where paying is about in that which is charged. */
function seen(
  app: Application,
  request: Request,
  facts: VisitFacts,
  addresses: Addresses | null = null,
  url?: URL,
): Visit {
  const asked = url ?? new URL(request.url)
  const route = plainRestPath(asked.pathname, asked.search)
  if (route !== null) asked.pathname = route
  if (app.currencies().length === 0 && !request.headers.get('cookie')?.includes(currencyCookie))
    return new Visit(app, request, facts, addresses, asked)
  if (!hasCurrency(asked.pathname)) return new Visit(app, request, facts, addresses, asked)
  const { code, stale } = currencyOf(app, request)
  const view = app.inCurrency(paysBy(asked) ? chargedCurrency(app, code) : code)
  const visit = new Visit(view, request, facts, addresses, asked, code)
  if (stale) visit.setCookie(currencyCookieFor(app, null))
  return visit
}

/** An advertisement or feed names the currency of its prices: it is remembered, and the address goes on without it. */
function currencyByLink(app: Application, request: Request, url: URL): Response | null {
  const code = url.searchParams.get(currencyParameter)
  const pages = isRead(request) && !url.searchParams.has('wc-ajax') && !url.pathname.startsWith('/wp-')
  if (code === null || !pages || !hasCurrency(url.pathname) || app.currencies().length === 0) return null
  url.searchParams.delete(currencyParameter)
  const answer = new Response(null, {
    status: 302,
    headers: { Location: url.pathname + url.search, 'Cache-Control': 'private, no-store' },
  })
  if (isChoosable(app, code)) answer.headers.append('Set-Cookie', currencyCookieFor(app, code))
  return answer
}

/** The path that somebody meant who wrote `/DE/shop/`, or named the shop's own language; null: it names none. */
function meantPath(languages: readonly ShopLanguage[], path: string): string | null {
  const first = path.split('/', 2)[1] ?? ''
  const small = first.toLowerCase()
  const rest = path.slice(first.length + 1).replace(/^\/*/, '/')
  const written = languages.find(({ slug }) => slug !== '' && slug === small)
  if (written) return `/${written.slug}${rest}`
  return small === slugOf({ tag: ownLanguage(languages).tag }) ? rest : null
}

/** A language that is not published yet is there for those who translate it. */
async function maySee(visit: Visit): Promise<boolean> {
  if (!visit.hasSessionCookie) return false
  const { role } = await visit.session()
  return role !== null && mayActAs(role, 'translator')
}

export const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/**
 * Sends on for good, to a path of this shop, never to `//another.host/`; what was posted is posted there again. Browsers ask
 * each time: a word of an address may be changed, and changed back.
 */
export function permanentRedirect(request: Request, location: string): Response {
  return new Response(null, {
    status: isRead(request) ? 301 : 308,
    headers: { Location: location.replace(/^[/\\]+/, '/'), 'Cache-Control': 'no-cache' },
  })
}
