import { effectiveRate, type RateFee } from './exchange.ts'
import { decimalText, exact, multiplyExact } from './fraction.ts'

/** Currency entry for scripts, under the names of the ecosystem. */
export type CurrencyEntry = {
  /** Position among the shop's currencies; the shop's own is 1. */
  readonly ID: number
  readonly currency: string
  readonly symbol: string
  readonly rate: string
  readonly fee: RateFee
  readonly currencyPosition: 'left' | 'right' | 'left_space' | 'right_space'
  readonly decimalSeparator: string
  readonly numberDecimal: number
  readonly thousandSeparator: string
}

/** Prices of a price calculator's rule, beside its range; a missing price is empty. */
export type PricingRule = { readonly price?: string; readonly regular_price?: string; readonly sale_price?: string }

const priced = ['price', 'regular_price', 'sale_price'] as const

/** More than any currency has: a rule's price is per unit of length or weight, and is rounded on use. */
const decimals = 10

/**
 * Converts the rules of a price calculator (CUR-04): every price times the effective rate, exact, without price
 * endings. Empty and non-numeric values stay unchanged.
 */
export function convertPricingRules<Rule extends PricingRule>(
  rules: readonly Rule[],
  { rate, fee }: Pick<CurrencyEntry, 'rate' | 'fee'>,
): Rule[] {
  const factor = effectiveRate(rate, fee)
  const convert = (text: string) => {
    try {
      return decimalText(multiplyExact(exact(text), factor), decimals)
    } catch {
      return text
    }
  }
  return rules.map((rule) => {
    const converted = priced.flatMap((name) => {
      const text = rule[name]
      return text === undefined ? [] : [[name, convert(String(text))] as const]
    })
    return { ...rule, ...Object.fromEntries(converted) }
  })
}
