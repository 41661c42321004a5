import { type Kysely, sql } from 'kysely'
import { advisoryLocks } from '../engine/advisory-locks.ts'
import type { Database } from '../engine/connect.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { announceChange } from '../operations/announce-change.ts'
import { catalogChanged } from './catalog-version.ts'

/**
 * Derived columns of `products`, stored so that listings sort and filter by an index: min_price, max_price, on_sale,
 * and stock_status where a quantity or variations determine it.
 */

/** Quantity at which a managed product is out of stock. Read within statements, so that all processes agree. */
export const soldOutAt = sql`coalesce((select (value #>> '{}')::int from settings where key = 'outOfStockAmount'), 0)`

/** Quantity at which a product without its own threshold is low in stock; 2 by default. */
export const lowStockAt = sql`coalesce((select (value #>> '{}')::int from settings where key = 'lowStockAmount'), 2)`

/** True if the sale price is lower than the regular one, and today is within its dates. Needs `p` to be the product. */
const onSale = (now: Date) => sql`(p.sale_price < p.regular_price
  and (p.sale_from is null or p.sale_from <= ${now}::timestamptz)
  and (p.sale_to is null or p.sale_to >= ${now}::timestamptz))`

/**
 * Updates the derived columns of products, and of their parents and groups.
 * @returns the affected products with a page of their own, for `catalogChanged`
 */
export async function deriveColumns(tx: Kysely<Schema>, productIds: readonly number[], now: Date): Promise<number[]> {
  if (productIds.length === 0) return []
  // Ids first, so that all later statements use an index.
  const { rows } = await sql<{ id: number; page: number }>`
    with given as (select distinct coalesce(parent_id, id) as page from products where id = any(${[...productIds]}::bigint[]))
    select p.id, given.page from given join products p on p.id = given.page
    union all select v.id, given.page from given join products v on v.parent_id = given.page`.execute(tx)
  const family = rows.map(({ id }) => id)
  const pages = [...new Set(rows.map(({ page }) => page))]
  const inFamily = sql`p.id = any(${family}::bigint[])`
  await derivePrices(tx, sql`${inFamily} and p.type in ('simple', 'external', 'variation')`, now)
  await deriveParentPrices(tx, sql`p.id = any(${pages}::bigint[])`)
  const shown = [...pages, ...(await setsOf(tx, pages))]
  await deriveSetPrices(tx, sql`p.id = any(${shown}::bigint[])`)
  await deriveStockStatus(tx, inFamily)
  return shown
}

/** Returns the grouped products that contain any of these. */
async function setsOf(tx: Kysely<Schema>, memberIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct product_id as id from product_links
    where kind = 'grouped' and linked_id = any(${[...memberIds]}::bigint[])`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Updates prices of products whose sale has begun or ended since the last run. A few statements for any number of
 * products; call it each minute and at the start.
 * @returns the number of changed products
 */
export async function refreshPrices(db: Database, now: Date): Promise<number> {
  return db.kysely.transaction().execute(async (tx) => {
    const changed = await derivePrices(
      tx,
      sql`p.sale_price is not null and (p.sale_from is not null or p.sale_to is not null)
        and p.type in ('simple', 'external', 'variation')`,
      now,
    )
    if (changed.length === 0) return 0
    const { rows } = await sql<{ page: number }>`
      select distinct coalesce(parent_id, id) as page from products where id = any(${changed}::bigint[])`.execute(tx)
    const pages = rows.map(({ page }) => page)
    await deriveParentPrices(tx, sql`p.id = any(${pages}::bigint[])`)
    const sets = await setsOf(tx, pages)
    await deriveSetPrices(tx, sql`p.id = any(${sets}::bigint[])`)
    await catalogChanged(tx, [...pages, ...sets])
    await announceChange(tx, 'product.updated', ...changed)
    return changed.length
  })
}

async function derivePrices(tx: Kysely<Schema>, where: ReturnType<typeof sql>, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update products p set min_price = fresh.price, max_price = fresh.price, on_sale = fresh.on_sale
    from (
      select p.id, case when ${onSale(now)} then p.sale_price else p.regular_price end as price,
        coalesce(${onSale(now)}, false) as on_sale
      from products p where ${where}
    ) fresh
    where p.id = fresh.id
      and (p.min_price, p.max_price, p.on_sale) is distinct from (fresh.price, fresh.price, fresh.on_sale)
    returning p.id`.execute(tx)
  return rows.map(({ id }) => id)
}

async function deriveParentPrices(tx: Kysely<Schema>, where: ReturnType<typeof sql>) {
  await sql`
    update products p set min_price = fresh.low, max_price = fresh.high, on_sale = fresh.on_sale
    from (
      select p.id, min(v.min_price) as low, max(v.max_price) as high, coalesce(bool_or(v.on_sale), false) as on_sale
      from products p
      left join products v on v.parent_id = p.id and v.status = 'publish' and v.min_price is not null
      where ${where} and p.type = 'variable' group by p.id
    ) fresh
    where p.id = fresh.id
      and (p.min_price, p.max_price, p.on_sale) is distinct from (fresh.low, fresh.high, fresh.on_sale)`.execute(tx)
}

async function deriveSetPrices(tx: Kysely<Schema>, where: ReturnType<typeof sql>) {
  await sql`
    update products p set min_price = fresh.low, max_price = fresh.high, on_sale = fresh.on_sale
    from (
      select p.id, min(m.min_price) as low, max(m.max_price) as high, coalesce(bool_or(m.on_sale), false) as on_sale
      from products p
      left join product_links l on l.product_id = p.id and l.kind = 'grouped'
      left join products m on m.id = l.linked_id and m.status = 'publish'
      where ${where} and p.type = 'grouped' group by p.id
    ) fresh
    where p.id = fresh.id
      and (p.min_price, p.max_price, p.on_sale) is distinct from (fresh.low, fresh.high, fresh.on_sale)`.execute(tx)
}

/** Derives the stock status from managed stock, also for variations that use their parent's. */
async function deriveStockStatus(tx: Kysely<Schema>, where: ReturnType<typeof sql>) {
  await sql`
    update products p set stock_status = fresh.status
    from (
      select p.id, case when owner.stock_quantity > ${soldOutAt} then 'instock'
        when owner.backorders <> 'no' then 'onbackorder' else 'outofstock' end as status
      from products p
      join products owner on owner.manage_stock = 'yes'
        and owner.id = case when p.manage_stock = 'yes' then p.id else p.parent_id end
      where ${where}
    ) fresh
    where p.id = fresh.id and p.stock_status <> fresh.status`.execute(tx)
  await sql`
    update products p set stock_status = fresh.status
    from (
      select p.id, case when bool_or(v.stock_status = 'instock') then 'instock'
        when bool_or(v.stock_status = 'onbackorder') then 'onbackorder' else 'outofstock' end as status
      from products p join products v on v.parent_id = p.id and v.status = 'publish'
      where ${where} and p.type = 'variable' and p.manage_stock <> 'yes' group by p.id
    ) fresh
    where p.id = fresh.id and p.stock_status <> fresh.status`.execute(tx)
}

const appliedKey = 'outOfStockAmountApplied'

/** @returns the configured amount; null: already applied to every status */
async function amountToApply(db: Kysely<Schema>): Promise<number | null> {
  const { rows } = await sql<{ wanted: number; applied: number }>`
    select ${soldOutAt} as wanted,
      coalesce((select (value #>> '{}')::int from settings where key = ${appliedKey}), 0) as applied`.execute(db)
  const [amount] = rows
  return amount && amount.wanted !== amount.applied ? amount.wanted : null
}

/**
 * Applies a change of the merchant's out-of-stock setting to the status of managed products; cheap if unchanged. Call
 * it when settings have changed, each minute and at the start: one process does the work.
 */
export async function refreshStockStatus(db: Database): Promise<void> {
  if ((await amountToApply(db.kysely)) === null) return
  await db.kysely.transaction().execute(async (tx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${advisoryLocks.stockStatus}) as free`.execute(tx)
    // Checked again: the previous lock holder has done it.
    const amount = rows[0]?.free ? await amountToApply(tx) : null
    if (amount === null) return
    await deriveStockStatus(tx, sql`true`)
    await sql`
      insert into settings (key, value) values (${appliedKey}, to_jsonb(${amount}::int))
      on conflict (key) do update set value = excluded.value`.execute(tx)
    await catalogChanged(tx)
  })
}
