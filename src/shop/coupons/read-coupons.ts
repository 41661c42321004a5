import { couponSettings } from '#contract/coupons/settings.ts'
import { findCoupons } from '#database/coupons/coupons.ts'
import type { Row } from '#database/engine/schema/schema.ts'
import type { Coupon, CouponAmount } from '#domain/coupons/coupon.ts'
import type { Exchange } from '#domain/currency/exchange.ts'
import { type Money, money } from '#domain/money/money.ts'
import type { Tools } from '../shared/tools.ts'

type CouponRow = Pick<
  Row<'coupons'>,
  'id' | 'code' | 'type' | 'settings' | 'amount_ppm' | 'amount_minor' | 'expires_at' | 'usage_limit' | 'used'
>

export type StoredCoupon = Coupon & {
  readonly used: number
  /** Amount in the shop's own currency. */
  readonly entered: CouponAmount
}

/** Reads coupons in the order of their codes and in the displayed currency; unknown codes are left out. */
export async function readCoupons(
  { db, exchange }: Pick<Tools, 'db' | 'exchange'>,
  codes: readonly string[],
): Promise<StoredCoupon[]> {
  if (codes.length === 0) return []
  const rows = new Map((await findCoupons(db.kysely, codes)).map((row) => [row.code, row]))
  return codes.flatMap((code) => {
    const row = rows.get(code)
    return row ? [couponIn(exchange, row)] : []
  })
}

/** Converts a stored coupon: amount in the displayed currency, limits in the shop's own. */
export function couponIn(exchange: Exchange, row: CouponRow): StoredCoupon {
  const set = couponSettings.parse(row.settings)
  const limit = (minor: number | null) => (minor === null ? null : money(minor, exchange.from))
  const takesOff = (amount: Money): CouponAmount =>
    row.type === 'percent' ? { type: row.type, ppm: row.amount_ppm ?? 0 } : { type: row.type, amount }
  const minor = row.amount_minor ?? 0
  return {
    ...set,
    minimumAmount: limit(set.minimumAmount),
    maximumAmount: limit(set.maximumAmount),
    id: row.id,
    code: row.code,
    takesOff: takesOff(money(exchange.amount(minor), exchange.to)),
    entered: takesOff(money(minor, exchange.from)),
    expiresAt: row.expires_at,
    usageLimit: row.usage_limit,
    used: row.used,
  }
}
