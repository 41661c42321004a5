import { couponCells, exportedCouponColumns } from '#contract/coupons/coupons-csv.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { couponsAfter, type RuleTools } from './manage-coupons.ts'

const couponsAtOnce = 500

/** Yields the lines of a coupon file with all rules and uses. Its mark tells the import that ids are this shop's. */
export async function* exportCoupons(tools: RuleTools): AsyncGenerator<string> {
  const mark = await readShopMark(tools.db.kysely)
  yield csvLine(exportedCouponColumns)
  for (let after = 0; ; ) {
    const coupons = await couponsAfter(tools, after, couponsAtOnce)
    for (const { written, used, status } of coupons)
      yield csvLine(couponCells(written, { used, status, shopMark: mark }))
    const last = coupons.at(-1)
    if (!last || coupons.length < couponsAtOnce) return
    after = last.id
  }
}
