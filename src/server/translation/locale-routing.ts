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
  isPaymentRequest,
} from '../currency/currency-choice.ts'
import { Visit, type VisitFacts } from '../http/visit.ts'
import type { Application } from '../operations/startup/application.ts'
import { plainRestPath } from '../rest/rest-path.ts'

/** A request resolved to the language of its address. */
export type ResolvedRequest = {
  readonly visit: Visit
  /** A redirect, "not found", or a finished response; null: the request is answered as it is. */
  readonly instead: { readonly leadOn: string } | 'nothing' | Response | null
}

/**
 * Resolves a request whose address begins with a language to the shop in that language, with the rest as its path.
 * Non-canonical addresses, also of files or with another language's paths, are redirected.
 */
export async function resolveLocale(app: Application, request: Request, facts: VisitFacts): Promise<ResolvedRequest> {
  const languages = app.languages()
  const plain = () => seen(app, request, facts)
  const url = new URL(request.url)
  const byLink = currencyByLink(app, request, url)
  if (byLink) return { visit: plain(), instead: byLink }
  if (languages.length === 1) return { visit: plain(), instead: null }
  const { language, path } = splitPath(languages, url.pathname)
  if (!language) {
    const meant = canonicalPath(languages, url.pathname)
    return { visit: plain(), instead: meant === null ? null : { leadOn: meant + url.search } }
  }
  if (!language.published && !(await canSeeLanguage(plain()))) return { visit: plain(), instead: 'nothing' }
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
    // An inconsistent translation memory must not cause a redirect loop.
    addresses.known(splitPath([language], usual).path) === known
  return { visit, instead: moved ? { leadOn: usual + url.search } : null }
}

/** Returns the shop as this visitor sees it: in the chosen currency, and in the charged one where payments are made. */
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
  const view = app.inCurrency(isPaymentRequest(asked) ? chargedCurrency(app, code) : code)
  const visit = new Visit(view, request, facts, addresses, asked, code)
  if (stale) visit.setCookie(currencyCookieFor(app, null))
  return visit
}

/** Handles the currency parameter of advertisements and feeds: stores it in a cookie, and redirects without it. */
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

/**
 * Returns the canonical path of `/DE/shop/`, or of a path with the shop's own language; null: the path has no language.
 */
function canonicalPath(languages: readonly ShopLanguage[], path: string): string | null {
  const first = path.split('/', 2)[1] ?? ''
  const small = first.toLowerCase()
  const rest = path.slice(first.length + 1).replace(/^\/*/, '/')
  const written = languages.find(({ slug }) => slug !== '' && slug === small)
  if (written) return `/${written.slug}${rest}`
  return small === slugOf({ tag: ownLanguage(languages).tag }) ? rest : null
}

/** Unpublished languages are visible to translators only. */
async function canSeeLanguage(visit: Visit): Promise<boolean> {
  if (!visit.hasSessionCookie) return false
  const { role } = await visit.session()
  return role !== null && mayActAs(role, 'translator')
}

export const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/**
 * Redirects permanently to a path of this shop, never to `//another.host/`; posted forms are posted again. Browsers
 * revalidate: a localized path may change, and change back.
 */
export function permanentRedirect(request: Request, location: string): Response {
  return new Response(null, {
    status: isRead(request) ? 301 : 308,
    headers: { Location: location.replace(/^[/\\]+/, '/'), 'Cache-Control': 'no-cache' },
  })
}
