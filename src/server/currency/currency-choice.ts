import { isbot } from 'isbot'
import { hasLanguages } from '#contract/translation/languages.ts'
import { isChargeable } from '#shop/payments/operation/payment-methods.ts'
import type { Application } from '../operations/startup/application.ts'

/** Set by the server alone, and only for visitors who see another currency than the shop's own. */
export const currencyCookie = 'currency'

/** URL parameter of advertisements and feeds: the currency of their prices. */
export const currencyParameter = 'currency'

/** Lifetime of a choice. */
const cookieDays = 30

/** Calls that place or compute an order. */
const payingCalls: ReadonlySet<string> = new Set(['checkout', 'update_order_review'])
const payingPaths = /^\/(?:checkout(?:\/|$)|wp-json\/(?:wc-ppcp\/v1\/|wc\/store\/(?:v1\/)?(?:checkout|order)(?:\/|$)))/

/** The currency of a request. */
export type CurrencyChoice = {
  /** One of the offered currencies. */
  readonly code: string
  /** The cookie names a currency that is not offered, or the shop's own. */
  readonly stale: boolean
}

/**
 * Returns the currency by the visitor's choice, otherwise by the country header of the proxy, otherwise the shop's own.
 */
export function currencyOf(app: Application, request: Request): CurrencyChoice {
  const offered = app.currencies()
  const { currency: own, exchange } = app.tools.settings
  const chosen = cookieOf(request)
  const found = chosen === undefined ? undefined : offered.find(({ code }) => code === chosen)
  if (found) return { code: found.code, stale: false }
  if (chosen === own) return { code: own, stale: false }
  const code = (exchange.byCountry && byCountry(app, request)) || own
  return { code, stale: chosen !== undefined }
}

/** Returns the currency of the visitor's country, for a first visit; crawlers see the shop's own. */
function byCountry(app: Application, { headers }: Request): string | undefined {
  const country = headers.get(app.tools.settings.exchange.countryHeader)
  if (!country || !/^[A-Za-z]{2}$/.test(country) || isbot(headers.get('user-agent') ?? '')) return undefined
  return app.currencies().find(({ setting }) => setting.countries.includes(country.toUpperCase()))?.code
}

function cookieOf({ headers }: Request): string | undefined {
  return /(?:^|;)\s*currency=([^;]*)/.exec(headers.get('cookie') ?? '')?.[1]?.trim()
}

/** Checks whether an address shows prices: files and resources of programs use the shop's own currency. */
export const hasCurrency = (path: string): boolean => hasLanguages(path)

/** Checks whether a request is about a payment: its answer is in the charged currency. */
export function isPaymentRequest({ pathname, searchParams }: URL): boolean {
  return payingPaths.test(pathname) || payingCalls.has(searchParams.get('wc-ajax') ?? '')
}

/**
 * Returns the currency charged to visitors who see `code`: the same if shop and providers accept it; otherwise the
 * shop's own.
 */
export function chargedCurrency(app: Pick<Application, 'tools' | 'currencies' | 'ownCurrency'>, code: string): string {
  const shown = app.currencies().find((one) => one.code === code)
  if (!shown || !app.tools.settings.exchange.checkoutInShown || !shown.setting.checkout) return app.ownCurrency
  return isChargeable(app.tools, code) ? code : app.ownCurrency
}

/** Returns the view of the shop in the charged currency; the view itself if they are the same. */
export function chargedView(app: Application): Application {
  const { currency } = app.tools.settings
  if (currency === app.ownCurrency) return app
  const charged = chargedCurrency(app, currency)
  return charged === currency ? app : app.inCurrency(charged)
}

export function isChoosable(app: Application, code: string): boolean {
  return code === app.ownCurrency || app.currencies().some((one) => one.code === code)
}

/**
 * Returns the cookie of a choice. The shop's own currency needs none, unless the visitor's country would select
 * another.
 * @param code null: removes the choice
 */
export function currencyCookieFor(app: Application, code: string | null): string {
  const secure = app.secure ? '; Secure' : ''
  if (code === null || (code === app.ownCurrency && !app.tools.settings.exchange.byCountry))
    return `${currencyCookie}=; Path=/; SameSite=Lax${secure}; Max-Age=0`
  return `${currencyCookie}=${code}; Path=/; SameSite=Lax${secure}; Max-Age=${cookieDays * 24 * 60 * 60}`
}
