import { isbot } from 'isbot'
import { hasLanguages } from '#contract/translation/languages.ts'
import { isChargeable } from '#shop/payments/operation/payment-methods.ts'
import type { Application } from '../operations/startup/application.ts'

/** Set by the server alone, and only for those who do not see the shop's own currency. */
export const currencyCookie = 'currency'

/** In the address of an advertisement or feed: the currency in which its prices are. */
export const currencyParameter = 'currency'

/** For how long a choice holds. */
const cookieDays = 30

/** Calls in which an order is placed or worked out for it. */
const payingCalls: ReadonlySet<string> = new Set(['checkout', 'update_order_review'])
const payingPaths = /^\/(?:checkout(?:\/|$)|wp-json\/wc-ppcp\/v1\/)/

/** What a request says of the currency in which its sender sees the shop. */
export type CurrencyChoice = {
  /** One of those that the shop offers. */
  readonly code: string
  /** A cookie names a currency that is not offered, or no other than the shop's own. */
  readonly stale: boolean
}

/** By the visitor's own choice, else by the country that the proxy in front names, else the shop's own. */
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

/** The currency of the visitor's country, for a first visit; crawlers see the shop's own. */
function byCountry(app: Application, { headers }: Request): string | undefined {
  const country = headers.get(app.tools.settings.exchange.countryHeader)
  if (!country || !/^[A-Za-z]{2}$/.test(country) || isbot(headers.get('user-agent') ?? '')) return undefined
  return app.currencies().find(({ setting }) => setting.countries.includes(country.toUpperCase()))?.code
}

function cookieOf({ headers }: Request): string | undefined {
  return /(?:^|;)\s*currency=([^;]*)/.exec(headers.get('cookie') ?? '')?.[1]?.trim()
}

/** Whether an address is one where prices are seen: files and what only programs read have the shop's own currency. */
export const hasCurrency = (path: string): boolean => hasLanguages(path)

/** Whether a request is about paying: what it says is in the currency that is charged. */
export function paysBy({ pathname, searchParams }: URL): boolean {
  return payingPaths.test(pathname) || payingCalls.has(searchParams.get('wc-ajax') ?? '')
}

/** The currency in which somebody who sees `code` pays: that, where the shop and those who take the money take it; else the shop's own. */
export function chargedCurrency(app: Pick<Application, 'tools' | 'currencies' | 'ownCurrency'>, code: string): string {
  const shown = app.currencies().find((one) => one.code === code)
  if (!shown || !app.tools.settings.exchange.checkoutInShown || !shown.setting.checkout) return app.ownCurrency
  return isChargeable(app.tools, code) ? code : app.ownCurrency
}

/** The shop in the currency that is charged of those who see it in this view's; the view itself where they are one. */
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
 * The cookie that remembers a choice. The shop's own currency needs none, unless the visitor's country would choose another.
 * @param code null: nothing is chosen any more
 */
export function currencyCookieFor(app: Application, code: string | null): string {
  const secure = app.secure ? '; Secure' : ''
  if (code === null || (code === app.ownCurrency && !app.tools.settings.exchange.byCountry))
    return `${currencyCookie}=; Path=/; SameSite=Lax${secure}; Max-Age=0`
  return `${currencyCookie}=${code}; Path=/; SameSite=Lax${secure}; Max-Age=${cookieDays * 24 * 60 * 60}`
}
