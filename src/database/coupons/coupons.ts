import { type Kysely, sql, type Transaction } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'
import { announceChange } from '../operations/announce-change.ts'

/** Finds coupons that can be applied, by code, trimmed and in lower case; others are left out. */
export function findCoupons(db: Kysely<Schema>, codes: readonly string[]): Promise<Row<'coupons'>[]> {
  if (codes.length === 0) return Promise.resolve([])
  return db
    .selectFrom('coupons')
    .selectAll()
    .where('code', 'in', [...codes])
    .where('status', '=', 'publish')
    .where('trashed_at', 'is', null)
    .execute()
}

/**
 * Replaces the uses of an order by exactly these, one per coupon.
 * @param usedBy the billing email; a logged-in customer is also identified by the order
 * @returns the coupon whose limit is reached, in total or for this customer, or null
 */
export async function takeCouponUses(
  tx: Transaction<Schema>,
  orderId: number,
  couponIds: readonly number[],
  usedBy: string,
): Promise<number | null> {
  await giveBackCouponUses(tx, orderId)
  // In the order of ids, so that two orders with the same coupons cannot deadlock.
  for (const couponId of [...couponIds].sort((a, b) => a - b)) {
    const { rows } = await sql<{ each: number | null }>`
      update coupons set used = used + 1
      where id = ${couponId}::bigint and (usage_limit is null or used < usage_limit)
      returning (settings ->> 'usageLimitPerUser')::int as each`.execute(tx)
    const [coupon] = rows
    if (!coupon) return couponId
    // Counted after the coupon was locked: a separate statement sees what the previous holder committed.
    if (coupon.each && (await usesOfCustomer(tx, couponId, orderId, usedBy)) >= coupon.each) return couponId
    await tx.insertInto('coupon_uses').values({ order_id: orderId, coupon_id: couponId, used_by: usedBy }).execute()
  }
  return null
}

async function usesOfCustomer(tx: Transaction<Schema>, couponId: number, orderId: number, usedBy: string) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from coupon_uses use join orders o on o.id = use.order_id
    where use.coupon_id = ${couponId}::bigint and (
      (use.used_by <> '' and use.used_by = ${usedBy})
      or o.customer_id = (select customer_id from orders where id = ${orderId}::bigint))`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Releases an order's uses. */
export async function giveBackCouponUses(tx: Transaction<Schema>, orderId: number): Promise<void> {
  await sql`
    with gone as (delete from coupon_uses where order_id = ${orderId}::bigint returning coupon_id)
    update coupons set used = used - 1 where id in (select coupon_id from gone)`.execute(tx)
}

/** Returns every coupon outside the trash, the oldest first; or the one with the given code. */
export function listCoupons(db: Kysely<Schema>, code?: string): Promise<Row<'coupons'>[]> {
  const all = db.selectFrom('coupons').selectAll().where('trashed_at', 'is', null).orderBy('id')
  return (code === undefined ? all : all.where('code', '=', code)).execute()
}

export function listCouponsAfter(db: Kysely<Schema>, after: number, limit: number): Promise<Row<'coupons'>[]> {
  return db
    .selectFrom('coupons')
    .selectAll()
    .where('id', '>', after)
    .where('trashed_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Finds a coupon, also in the trash. */
export function findCoupon(
  db: Kysely<Schema>,
  by: { readonly id: number } | { readonly code: string },
): Promise<Row<'coupons'> | undefined> {
  const all = db.selectFrom('coupons').selectAll()
  return ('id' in by ? all.where('id', '=', by.id) : all.where('code', '=', by.code)).executeTakeFirst()
}

export type CouponColumns = Omit<NewRow<'coupons'>, 'id' | 'used'>

/**
 * Inserts or replaces the coupon of this id or code; its uses stay. It leaves the trash.
 * @returns whether it was inserted
 */
export async function saveCoupon(tx: Transaction<Schema>, coupon: CouponColumns, id?: number): Promise<boolean> {
  const before = await tx
    .selectFrom('coupons')
    .select(['id', 'trashed_at'])
    .where(id === undefined ? 'code' : 'id', '=', id ?? coupon.code)
    .forUpdate()
    .executeTakeFirst()
  if (before) {
    await tx
      .updateTable('coupons')
      .set({ ...coupon, trashed_at: null, updated_at: sql`now()` })
      .where('id', '=', before.id)
      .execute()
    await announceChange(tx, before.trashed_at === null ? 'coupon.updated' : 'coupon.restored', before.id)
    return false
  }
  const added = await tx.insertInto('coupons').values(coupon).returning('id').executeTakeFirstOrThrow()
  await announceChange(tx, 'coupon.created', added.id)
  return true
}

export async function trashCoupon(tx: Transaction<Schema>, id: number, now: Date): Promise<void> {
  await tx.updateTable('coupons').set({ trashed_at: now, updated_at: now }).where('id', '=', id).execute()
  await announceChange(tx, 'coupon.deleted', id)
}

/** Deletes a coupon and its uses; orders keep the discount. @returns whether it existed */
export async function deleteCoupon(tx: Transaction<Schema>, code: string): Promise<boolean> {
  const gone = await tx.deleteFrom('coupons').where('code', '=', code).returning('id').executeTakeFirst()
  if (gone) await announceChange(tx, 'coupon.deleted', gone.id)
  return gone !== undefined
}

/** Name that `brokenConstraint` returns if the limit would fall below the existing uses. */
export const limitConstraint = 'coupons_within_limit'

export type CatalogNames = {
  readonly products: readonly { id: number; sku: string | null }[]
  readonly categories: readonly { id: number; slug: string }[]
}

/** Resolves the references of coupons: products by id or SKU, categories by id or slug. Unknown ones are left out. */
export async function catalogNames(
  db: Kysely<Schema>,
  wanted: {
    readonly skus: readonly string[]
    readonly productIds: readonly number[]
    readonly slugs: readonly string[]
    readonly categoryIds: readonly number[]
  },
): Promise<CatalogNames> {
  const { skus, productIds, slugs, categoryIds } = wanted
  const [products, categories] = await Promise.all([
    sql<{ id: number; sku: string | null }>`
      select id, sku from products where sku = any(${[...skus]}::text[]) or id = any(${[...productIds]}::bigint[])`.execute(
      db,
    ),
    sql<{ id: number; slug: string }>`
      select id, slug from categories
      where slug = any(${[...slugs]}::text[]) or id = any(${[...categoryIds]}::bigint[])`.execute(db),
  ])
  return { products: products.rows, categories: categories.rows }
}

/** Finds what a coupon file of another shop names: products by their IDs there, categories by slug or name. */
export async function foreignNames(
  db: Kysely<Schema>,
  wanted: { readonly productIds: readonly number[]; readonly categories: readonly string[] },
): Promise<{
  readonly products: readonly { readonly id: number; readonly imported_id: number }[]
  readonly categories: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
}> {
  const names = wanted.categories.map((name) => name.toLowerCase())
  const [products, categories] = await Promise.all([
    sql<{ id: number; imported_id: number }>`
      select id, imported_id from products where imported_id = any(${[...wanted.productIds]}::bigint[])`.execute(db),
    sql<{ id: number; slug: string; name: string }>`
      select id, slug, lower(name) as name from categories
      where slug = any(${names}::text[]) or lower(name) = any(${names}::text[])`.execute(db),
  ])
  return { products: products.rows, categories: categories.rows }
}

/** Takes over how often a new coupon was used in another shop, up to its limit. */
export async function setEarlierUses(tx: Transaction<Schema>, code: string, used: number): Promise<void> {
  await sql`update coupons set used = least(${used}::int, coalesce(usage_limit, ${used}::int)) where code = ${code}`.execute(
    tx,
  )
}

export type CouponUses = {
  /** Uses by other sessions' unpaid orders: they may be released. */
  readonly held: number
  /** Uses by this session's own unpaid orders, which the next order of the same cart takes over. */
  readonly mine: number
  /** This customer's uses in other orders, and those among them that are reserved. */
  readonly ownCounted: number
  readonly ownHeld: number
}

/** Returns the current uses by coupon id; coupons without uses are left out. */
export async function couponUses(
  db: Kysely<Schema>,
  couponIds: readonly number[],
  { sessionId, emails, customerId }: { sessionId: string; emails: readonly string[]; customerId: number | null },
): Promise<Map<number, CouponUses>> {
  const { rows } = await sql<CouponUses & { id: number }>`
    select use.coupon_id as id,
      count(*) filter (where open and not mine)::int as held,
      count(*) filter (where open and mine)::int as mine,
      count(*) filter (where own and not open)::int as "ownCounted",
      count(*) filter (where own and open and not mine)::int as "ownHeld"
    from coupon_uses use join orders o on o.id = use.order_id
    cross join lateral (select o.status in ('pending', 'failed') as open,
      coalesce(o.session_id = ${sessionId}, false) as mine,
      use.used_by = any(${[...emails]}::text[]) or coalesce(o.customer_id = ${customerId}::bigint, false) as own) is_
    where use.coupon_id = any(${listOf(couponIds, 'bigint')}) group by use.coupon_id`.execute(db)
  return new Map(rows.map(({ id, ...uses }) => [id, uses]))
}
