import type { CurrencySetting } from '#contract/currency/settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import type { RateRow } from '#database/currency/exchange-rates.ts'
import type { RateSource } from '#database/engine/schema/currency.ts'
import { isCurrency } from '#domain/currency/currency-codes.ts'
import { type ExchangeRule, exchangeOf } from '#domain/currency/exchange.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import type { ConfigurationFault, ShopConfiguration } from '../operations/settings/shop-configuration.ts'

/** A currency's rate of a day from a source: units of it for one unit of the shop's own. */
export type DatedRate = {
  readonly rate: string
  /** 2026-01-05, by the source's calendar. */
  readonly day: string
  readonly source: RateSource
}

/** A display currency that is available now. */
export type OfferedCurrency = {
  readonly code: string
  /** Without the fee. */
  readonly rate: string
  readonly setting: CurrencySetting
  /** Day of the rate; null for a manual rate. */
  readonly day: string | null
  readonly source: 'hand' | RateSource
}

/** An entry of the settings, and the reason if it is not offered. */
export type CurrencyState = Pick<OfferedCurrency, 'code' | 'setting' | 'day'> & {
  readonly rate: string | null
  readonly source: OfferedCurrency['source'] | null
  readonly state: 'offered' | 'no-rate' | 'too-old' | 'unworkable'
  /** The reason if it is unworkable, else ''. */
  readonly problem: string
}

/** Returns the rates of the shop's current currency from those of all its former ones. */
export function ratesFor(own: string, rows: readonly RateRow[]): ReadonlyMap<string, DatedRate> {
  return new Map(rows.flatMap(({ base, code, ...rate }) => (base === own ? [[code, rate] as const] : [])))
}

type Known = Pick<ShopConfiguration, 'settings' | 'rates'>

/** With the time after which its rate is too old; Infinity for a manual rate. */
type Judged = Omit<CurrencyState, 'state'> & {
  readonly state: Exclude<CurrencyState['state'], 'too-old'>
  readonly until: number
}

const dayMs = 24 * 60 * 60_000

/**
 * Returns the display currencies, in the merchant's order: those with a valid entry and a rate that is manual or not
 * older than `exchange.rates.maxAgeDays`. The shop's own is not among them.
 */
export function offeredCurrencies(configuration: Known, now: Date): readonly OfferedCurrency[] {
  return judge(configuration).flatMap(({ code, rate, setting, day, source, state, until }) =>
    state === 'offered' && rate !== null && source !== null && now.getTime() < until
      ? [{ code, rate, setting, day, source }]
      : [],
  )
}

/** Returns the time at which the first of the offered currencies expires without a new rate; Infinity: none. */
export function offeredUntil(configuration: Known, now: Date): number {
  return Math.min(
    ...judge(configuration).map(({ until }) => (now.getTime() < until ? until : Number.POSITIVE_INFINITY)),
  )
}

/** Returns every entry of the settings with its state. */
export function currencyStates(configuration: Known, now: Date): readonly CurrencyState[] {
  return judge(configuration).map(({ until, ...entry }) =>
    entry.state === 'offered' && now.getTime() >= until ? { ...entry, state: 'too-old' } : entry,
  )
}

/** Returns entries that are invalid regardless of their rates. */
export function currencyFaults(settings: Pick<ShopSettings, 'currency' | 'currencies'>): readonly ConfigurationFault[] {
  return settings.currencies.flatMap((setting) => {
    const problem = entryProblem(settings.currency, setting)
    return problem === null ? [] : [{ rule: `currency ${setting.code}`, problem }]
  })
}

/** Returns the rule that converts prices to a currency, from its entry and a rate. */
export function exchangeRule({ code, fee, rounding, decimals }: CurrencySetting, rate: string): ExchangeRule {
  return { code, rate, fee, ending: rounding, decimals: decimals ?? currencyExponent(code) }
}

function judge({ settings, rates }: Known): readonly Judged[] {
  return settings.currencies.map((setting) => judgeEntry(setting, settings, rates.get(setting.code)))
}

function judgeEntry(
  setting: CurrencySetting,
  { currency, exchange }: ShopSettings,
  known: DatedRate | undefined,
): Judged {
  const { code } = setting
  const byHand = setting.rate !== 'auto'
  const rate = setting.rate === 'auto' ? (known?.rate ?? null) : setting.rate
  const entry = {
    ...{ code, setting, rate, problem: '' },
    day: byHand ? null : (known?.day ?? null),
    source: byHand ? ('hand' as const) : (known?.source ?? null),
    // The rate of a day is valid for that day and this many more.
    until:
      byHand || !known
        ? Number.POSITIVE_INFINITY
        : Date.parse(`${known.day}T00:00:00Z`) + (exchange.rates.maxAgeDays + 1) * dayMs,
  }
  const problem = entryProblem(currency, setting) ?? (rate === null ? null : rateProblem(currency, setting, rate))
  if (problem !== null) return { ...entry, state: 'unworkable', problem }
  return { ...entry, state: rate === null ? 'no-rate' : 'offered' }
}

function entryProblem(own: string, setting: CurrencySetting): string | null {
  if (setting.code === own) return "it is the shop's own currency, which needs no entry"
  if (!isCurrency(setting.code)) return `there is no currency ${setting.code}`
  // Any rate shows whether fee and rounding are workable; the result of a manual rate is known.
  if (setting.rate !== 'auto') return rateProblem(own, setting, setting.rate)
  return exchangeProblem(own, setting, '1').problem
}

/** This amount of the shop's own currency, in whole units, must not round to zero in any display currency. */
const little = 100
/** This amount must still be representable. */
export const countable = 10_000_000

function rateProblem(own: string, setting: CurrencySetting, rate: string): string | null {
  const { exchange, problem } = exchangeProblem(own, setting, rate)
  if (!exchange) return problem
  const minor = 10 ** currencyExponent(own)
  try {
    exchange.price(countable * minor)
  } catch {
    return `prices in it could not be counted at the rate ${rate}`
  }
  return exchange.price(little * minor) === 0 ? `${little} ${own} would be nothing in it at the rate ${rate}` : null
}

function exchangeProblem(own: string, setting: CurrencySetting, rate: string) {
  try {
    return { exchange: exchangeOf(own, exchangeRule(setting, rate)), problem: null }
  } catch (error) {
    return { exchange: null, problem: error instanceof Error ? error.message : String(error) }
  }
}
