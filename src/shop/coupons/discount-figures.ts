import type { SettledTotals } from '#domain/cart/settle-totals.ts'
import type { CartTotals } from '#domain/cart/totals.ts'
import type { Quote } from '../cart/quote.ts'

/** Returns coupons and discount of a quote. @param settled the same totals in whole minor units */
export function discountFigures(
  { coupons }: Pick<CartTotals, 'coupons'>,
  { coupons: rows, reported }: Pick<SettledTotals, 'coupons' | 'reported'>,
): Pick<Quote, 'coupons' | 'discountTotal' | 'discountTax'> {
  const minors = (figures: SettledTotals['coupons'][number] | undefined) => ({
    discount: figures?.discount.minor ?? 0,
    discountTax: figures?.discountTax.minor ?? 0,
  })
  return {
    coupons: coupons.map(({ id, code }, place) => ({
      ...{ id, code, ...minors(rows[place]) },
      reported: minors(reported.coupons[place]),
    })),
    discountTotal: reported.discount.minor,
    discountTax: reported.discountTax.minor,
  }
}
