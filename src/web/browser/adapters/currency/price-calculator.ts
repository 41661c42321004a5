import { type CurrencyEntry, convertPricingRules, type PricingRule } from '#domain/currency/pricing-rules.ts'
import { isRecord } from '../../runtime/request.ts'
import { settings } from '../../runtime/settings.ts'

/** The settings object of the third-party price calculator, where a page has one. */
const calculator = 'wc_price_calculator_params'

/**
 * Converts the rules and the number format of an extension's price calculator, which uses shop prices, to the page's
 * currency (CUR-04).
 */
export function convertCalculator(entry: Partial<CurrencyEntry> = settings('wc_currency_params')): void {
  const params: unknown = Reflect.get(window, calculator)
  if (!isRecord(params) || !isEntry(entry)) return
  Object.assign(params, {
    woocommerce_currency_pos: entry.currencyPosition,
    woocommerce_price_decimal_sep: entry.decimalSeparator,
    woocommerce_price_num_decimals: String(entry.numberDecimal),
    woocommerce_price_thousand_sep: entry.thousandSeparator,
  })
  const { pricing_rules: rules } = params
  if (Array.isArray(rules) && rules.every(isRecord)) {
    params.pricing_rules = convertPricingRules(rules as PricingRule[], entry)
  }
}

/** Other scripts may have changed the page's settings. */
function isEntry(entry: Partial<CurrencyEntry>): entry is CurrencyEntry {
  return typeof entry.rate === 'string' && isRecord(entry.fee) && typeof entry.fee.value === 'string'
}
