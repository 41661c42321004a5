import type { ShopSettings } from '#contract/shared/settings.ts'
import type { FeeRule } from '#domain/cart/fee-rules.ts'
import type { Exchange } from '#domain/currency/exchange.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { type Money, money } from '#domain/money/money.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import type { ConfigurationFault } from '../operations/settings/shop-configuration.ts'

/**
 * Parses the fees of the settings: amounts in the displayed currency, bounds in the shop's own. A fee that the shop's
 * own currency cannot express is left out and reported: a change of currency must not charge a hundredfold.
 */
export function feeRules(
  { fees }: Pick<ShopSettings, 'fees'>,
  exchange: Exchange,
): {
  readonly rules: readonly FeeRule[]
  readonly faults: readonly ConfigurationFault[]
} {
  const rules: FeeRule[] = []
  const faults: ConfigurationFault[] = []
  fees.forEach((fee, index) => {
    const { name, amount, percent, taxable, taxClass, when } = fee
    const problems: string[] = []
    const figure = (what: string, text: string, decimals: number): number => {
      const parsed = parseAmount(text, decimals)
      if (parsed.ok) return parsed.minor
      problems.push(`${what}: "${text}" is ${words[parsed.reason]}`)
      return 0
    }
    const inCurrency = (what: string, text: string): Money =>
      money(exchange.amount(figure(what, text, currencyExponent(exchange.from))), exchange.to)
    const bound = (what: 'minSubtotal' | 'maxSubtotal') => {
      const text = when[what]
      return text === undefined ? null : money(figure(what, text, currencyExponent(exchange.from)), exchange.from)
    }
    const rule: FeeRule = {
      name,
      charge:
        percent === undefined
          ? { kind: 'amount', amount: inCurrency('amount', amount ?? '') }
          : // Four decimals of a percentage are parts per million.
            { kind: 'percent', ppm: figure('percent', percent, 4) },
      taxable,
      taxClass,
      when: {
        minSubtotal: bound('minSubtotal'),
        maxSubtotal: bound('maxSubtotal'),
        paymentMethod: when.paymentMethod ?? null,
        country: when.country?.toUpperCase() ?? null,
        needsShipping: when.needsShipping ?? null,
      },
    }
    if (problems.length === 0) rules.push(rule)
    else faults.push({ rule: `fees[${index}] "${name}"`, problem: problems.join('; ') })
  })
  return { rules, faults }
}

const words = {
  empty: 'empty',
  'not-a-number': 'not a number',
  'too-many-decimals': 'written with more decimals than there are',
  'too-large': 'too large',
} as const
