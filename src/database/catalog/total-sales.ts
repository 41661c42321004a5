import { type Kysely, sql, type Transaction } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Database } from '../engine/connect.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { catalogChanged } from './catalog-version.ts'

/** Records that the items of orders were sold (1), or that the sale was reversed (-1). */
export async function recordSale(tx: Transaction<Schema>, orderIds: readonly number[], sign: 1 | -1): Promise<void> {
  await sql`
    insert into sales_news (product_id, pieces)
    select product_id, quantity * ${sign}::int from order_items
    where order_id = any(${listOf(orderIds, 'bigint')}) and type = 'line_item' and product_id is not null`.execute(tx)
}

/** Applies the records since the last run. @returns the number of changed products */
export async function updateSalesCounts(db: Database): Promise<number> {
  return db.kysely.transaction().execute(async (tx: Kysely<Schema>) => {
    const { rows } = await sql<{ id: number }>`
      with taken as (delete from sales_news returning product_id, pieces),
        sums as (select product_id, sum(pieces) as pieces from taken group by product_id)
      update products p set total_sales = greatest(0, p.total_sales + sums.pieces) from sums
      where p.id = sums.product_id and sums.pieces <> 0
      returning p.id`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await catalogChanged(tx, ids)
    return ids.length
  })
}
