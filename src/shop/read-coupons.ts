import { couponSettings } from '#contract/coupon-settings.ts'
import { findCoupons } from '#database/coupons.ts'
import type { Coupon } from '#domain/coupons/coupon.ts'
import { money } from '#domain/money/money.ts'
import type { Tools } from './tools.ts'

export type StoredCoupon = Coupon & { readonly used: number }

/** The coupons of these codes, in the order of the codes; unknown ones are left out. */
export async function readCoupons({ db, settings }: Tools, codes: readonly string[]): Promise<StoredCoupon[]> {
  if (codes.length === 0) return []
  const rows = new Map((await findCoupons(db.kysely, codes)).map((row) => [row.code, row]))
  return codes.flatMap((code) => {
    const row = rows.get(code)
    if (!row) return []
    const set = couponSettings.parse(row.settings)
    const amount = (minor: number | null) => (minor === null ? null : money(minor, settings.currency))
    return {
      ...set,
      minimumAmount: amount(set.minimumAmount),
      maximumAmount: amount(set.maximumAmount),
      id: row.id,
      code: row.code,
      takesOff:
        row.type === 'percent'
          ? { type: row.type, ppm: row.amount_ppm ?? 0 }
          : { type: row.type, amount: money(row.amount_minor ?? 0, settings.currency) },
      expiresAt: row.expires_at,
      usageLimit: row.usage_limit,
      used: row.used,
    }
  })
}
