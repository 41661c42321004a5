import { type Kysely, sql, type Transaction } from 'kysely'
import type { Row, Schema } from './schema.ts'

/** Coupons by their codes, trimmed and in lower case; unknown codes are left out. */
export function findCoupons(db: Kysely<Schema>, codes: readonly string[]): Promise<Row<'coupons'>[]> {
  if (codes.length === 0) return Promise.resolve([])
  return db
    .selectFrom('coupons')
    .selectAll()
    .where('code', 'in', [...codes])
    .execute()
}

/**
 * Makes the uses that an order takes exactly these, one of each coupon.
 * @param usedBy the account, or the billing e-mail
 * @returns the coupon whose limit is reached, or null
 */
export async function takeCouponUses(
  tx: Transaction<Schema>,
  orderId: number,
  couponIds: readonly number[],
  usedBy: string,
): Promise<number | null> {
  await giveBackCouponUses(tx, orderId)
  // In the order of ids, so that two orders with the same coupons cannot wait for each other.
  for (const couponId of [...couponIds].sort((a, b) => a - b)) {
    const { rows } = await sql`
      update coupons set used = used + 1
      where id = ${couponId}::bigint and (usage_limit is null or used < usage_limit) returning id`.execute(tx)
    if (rows.length === 0) return couponId
    await tx.insertInto('coupon_uses').values({ order_id: orderId, coupon_id: couponId, used_by: usedBy }).execute()
  }
  return null
}

/** Lets an order's uses go. */
export async function giveBackCouponUses(tx: Transaction<Schema>, orderId: number): Promise<void> {
  await sql`
    with gone as (delete from coupon_uses where order_id = ${orderId}::bigint returning coupon_id)
    update coupons set used = used - 1 where id in (select coupon_id from gone)`.execute(tx)
}
