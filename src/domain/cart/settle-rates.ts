import { apportion } from '../money/apportion.ts'
import { type Money, money } from '../money/money.ts'
import type { Units } from './precision.ts'
import type { SettledTotals } from './settle-totals.ts'
import type { CartTotals } from './totals.ts'

/** Share of a tax by rate. */
export type RateShare = { readonly rateId: number; readonly amount: Money }

/** Splits the taxes of lines and packages by rate: each list sums to the settled tax. */
export function settleRates(totals: CartTotals, settled: Pick<SettledTotals, 'lines' | 'shipping'>) {
  const sharesOf = sharesIn(totals)
  return {
    lines: totals.lines.map(({ taxes, exact }, place) => {
      const before = taxes.map(({ rateId }, rate) => [rateId, exact.taxes[rate]?.subtotal ?? 0n] as const)
      const after = taxes.map(({ rateId }, rate) => [rateId, exact.taxes[rate]?.total ?? 0n] as const)
      const line = settled.lines[place]
      return { subtotal: sharesOf(before, line?.subtotalTax), total: sharesOf(after, line?.tax) }
    }),
    shipping: totals.exact.shippingByRate.map((taxes, place) => sharesOf([...taxes], settled.shipping[place]?.tax)),
  }
}

/** Splits the taxes of fees, which depend on the payment method. */
export function settleFeeRates(totals: CartTotals, settled: Pick<SettledTotals, 'fees'>): RateShare[][] {
  const sharesOf = sharesIn(totals)
  return totals.exact.feesByRate.map((taxes, place) => sharesOf([...taxes], settled.fees[place]?.tax))
}

const sharesIn =
  ({ currency, exact }: CartTotals) =>
  (taxes: readonly (readonly [number, Units])[], wanted: Money = money(0, currency)): RateShare[] => {
    const whole = apportion(
      taxes.map(([, tax]) => tax),
      exact.unitsPerMinor,
      wanted.minor,
    )
    return taxes.map(([rateId], place) => ({ rateId, amount: money(whole[place] ?? 0, currency) }))
  }
