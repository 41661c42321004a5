import { type Kysely, sql } from 'kysely'
import { changeChannel } from '../engine/change-counts.ts'
import type { Sql } from '../engine/driver/sql.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Setting with the catalog version, which grows with every change of what listings show. */
export const catalogVersionKey = 'catalogVersion'

/** Above this number of products a full reload is faster. */
const mostListed = 200
/** Number of versions whose changes are stored. A process further behind reloads everything. */
const keptVersions = 2000

/**
 * Increments the catalog version and notifies all processes, which update their index and rebuild pages. Call it in the
 * transaction that changes products, categories or their visibility: versions follow the order of commits.
 * @param products the changed products with a page of their own; absent: anything may have changed
 */
export async function catalogChanged(tx: Kysely<Schema>, products?: readonly number[]): Promise<void> {
  const listed = products && products.length <= mostListed ? [...new Set(products)] : [null]
  await sql`
    with version as (
      insert into settings (key, value) values (${catalogVersionKey}, to_jsonb(1))
      on conflict (key) do update set value = to_jsonb((settings.value #>> '{}')::bigint + 1), updated_at = now()
      returning (value #>> '{}')::bigint as number
    ), noted as (
      insert into catalog_changes (version, product_id)
      select version.number, product from version cross join unnest(${listed}::bigint[]) as product
    ), forgotten as (
      delete from catalog_changes where version < (select number from version) - ${keptVersions}::int
    )
    select pg_notify(${changeChannel}, 'catalog') from version`.execute(tx)
}

export type CatalogChanges = {
  readonly version: number
  /** Null: unknown, or too many to list. */
  readonly products: readonly number[] | null
}

/** Reads the changes since a version. */
export async function changesSince(sql: Sql, version: number): Promise<CatalogChanges> {
  const [row] = await sql<{ version: number | null; seen: number; all: boolean | null; products: number[] | null }[]>`
    select (select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}) as version,
      count(distinct version) as seen, bool_or(product_id is null) as all,
      array_agg(distinct product_id) filter (where product_id is not null) as products
    from catalog_changes where version > ${version}::bigint`
  const now = row?.version ?? 0
  const products = row?.products ?? []
  // A version without an entry was pruned, or belongs to a restored database.
  const complete = row?.seen === now - version && !row.all
  return { version: now, products: complete && products.length <= mostListed ? products : null }
}
