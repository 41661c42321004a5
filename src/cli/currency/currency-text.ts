import type { RatesState } from '#contract/currency/rates-state.ts'
import type { CurrencySetting } from '#contract/currency/settings.ts'
import type { RateOfHistory } from '#database/currency/exchange-rates.ts'
import { effectiveRate, exchangeOf } from '#domain/currency/exchange.ts'
import { changePercent, rateText } from '#domain/currency/rates.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { type CurrencyState, exchangeRule } from '#shop/currency/offered-currencies.ts'
import type { AutomaticRate } from '#shop/currency/store-exchange-rates.ts'
import { ratesAddress } from '#shop/currency/update-exchange-rates.ts'
import type { CommandContext } from '../shared/command.ts'

export const sourceNames = {
  hand: 'by hand',
  ecb: 'ECB',
  'open-rates': 'open rates',
  file: 'a file',
} as const

/** The amount in the shop currency that illustrates a rate. */
const sample = 100

export type ShownCurrency = ReturnType<typeof shownCurrency>

/** The figures of a currency, for people and programs. */
export function shownCurrency(own: string, entry: CurrencyState, refused: RateOfHistory | undefined) {
  const { code, rate, setting, day, source, state, problem } = entry
  const works = rate !== null && state !== 'unworkable'
  const minor = sample * 10 ** currencyExponent(own)
  return {
    code,
    rate,
    fee: setting.fee,
    effective: works ? rateText(effectiveRate(rate, setting.fee)) : null,
    day,
    source,
    state,
    problem,
    /** The price of 100 of the shop currency. */
    sample: works ? decimalString(money(exchangeOf(own, exchangeRule(setting, rate)).price(minor), code)) : null,
    refused:
      refused && rate !== null && setting.rate === 'auto'
        ? {
            rate: refused.rate,
            day: refused.day,
            source: refused.source,
            changedPercent: changePercent(rate, refused.rate),
          }
        : null,
  }
}

export function currencyRows(own: string, maxAgeDays: number, shown: readonly ShownCurrency[]): string[][] {
  const title = ['Code', 'Rate', 'Fee', 'With it', 'Of', 'From', `${sample} ${own}`, '']
  const cells = shown.map((one) => [
    one.code,
    one.rate ?? '',
    feeText(one.fee),
    one.effective ?? '',
    one.day ?? '',
    one.source === null ? '' : sourceNames[one.source],
    one.sample ?? '',
    stateText(one, maxAgeDays),
  ])
  return [title, ...cells]
}

function feeText({ type, value }: CurrencySetting['fee']): string {
  if (!/[1-9]/.test(value)) return ''
  return type === 'percentage' ? `${value} %` : `+${value}`
}

function stateText({ state, problem }: ShownCurrency, maxAgeDays: number): string {
  switch (state) {
    case 'offered':
      return 'offered'
    case 'no-rate':
      return 'not offered: no rate yet'
    case 'too-old':
      return `not offered: the rate is older than ${maxAgeDays} ${maxAgeDays === 1 ? 'day' : 'days'}`
    case 'unworkable':
      return `not offered: ${problem}`
  }
}

/** Explains a rejected rate and how to accept it. */
export function refusedText({ code, refused, rate }: ShownCurrency): string[] {
  if (!refused) return []
  const again = refused.source === 'file' ? 'currencies import <file> --accept' : 'currencies update --accept'
  const { changedPercent, day, source } = refused
  return [
    `the rate ${refused.rate} of ${code} of ${day} (${sourceNames[source]}) differs by ${changedPercent} % from ${rate} and is not used. Accept it with: ${again}`,
  ]
}

/** Describes the source of the rates and the last request. */
export function sourceText(
  { settings }: Pick<CommandContext, 'settings'>,
  state: RatesState,
  automatic: readonly string[],
): string {
  const { source, everyHours } = settings.exchange.rates
  if (automatic.length === 0) return 'No currency has the rate auto, so no rates are fetched.'
  if (source === 'hand')
    return 'No rates are fetched. Set a source: settings exchange.rates.source ecb. Or import a file: currencies import <file>'
  const name = source === 'ecb' ? 'the European Central Bank' : 'open rates'
  const begin = `Rates come from ${name} (${ratesAddress(settings)}) every ${everyHours === 1 ? 'hour' : `${everyHours} hours`}`
  if (state.fault !== '')
    return `${begin}. The last request failed${moment(' at ', state.askedAt)}: ${state.fault}.${moment(' The next one is at ', state.notBefore)}${state.notBefore ? '.' : ''}`
  return `${begin}${state.cameAt ? `, last received${moment(' at ', state.cameAt)}` : ' and were not received yet'}.`
}

const moment = (before: string, at: Date | null) =>
  at === null ? '' : `${before}${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const outcomes = {
  taken: 'taken',
  same: 'unchanged',
  refused: 'refused: changed too much',
  missing: 'not in the source',
} as const

export function takenRows(rates: readonly AutomaticRate[]): string[][] {
  const title = ['Code', 'Rate', 'Change', '']
  const percent = ({ changedPercent }: AutomaticRate) => (changedPercent === null ? '' : `${changedPercent} %`)
  return [title, ...rates.map((one) => [one.code, one.rate, percent(one), outcomes[one.outcome]])]
}
