import { effectiveRate, type RateFee } from './exchange.ts'
import { decimalText, exact, multiplyExact } from './fraction.ts'

/** A currency as a page tells it to scripts, under the names that the ecosystem's scripts read. */
export type CurrencyEntry = {
  /** Its place among the shop's currencies, the shop's own being 1. */
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

/** What a price calculator's rule says besides its range; a price that is not set is empty. */
export type PricingRule = { readonly price?: string; readonly regular_price?: string; readonly sale_price?: string }

const priced = ['price', 'regular_price', 'sale_price'] as const

/** More than any currency has: a rule's price is per unit of length or weight, and is rounded when it is used. */
const decimals = 10

/**
 * The rules of a price calculator in another currency (CUR-04): every price times the effective rate, exactly, without rounding to
 * price endings. What is empty or no number stays as it is.
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
