import { type Kysely, sql } from 'kysely'
import type postgres from 'postgres'
import { changeChannel } from '../engine/change-counts.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Where the number stands that grows with every change of what listings show. */
export const catalogVersionKey = 'catalogVersion'

/** More products than this at once are not listed: reading all again is quicker. */
const mostListed = 200
/** Versions whose changes are kept. Who is further behind reads all. */
const keptVersions = 2000

/**
 * Says that the catalogue has changed, so that every process brings its index up to date and makes its pages again. Call it
 * in the transaction that changes products, categories or what of them is visible: the number is given out in the order in
 * which such transactions commit.
 * @param products those that changed, with a page of their own; left out: anything may have changed
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
  /** Null: not known, or too many to tell. */
  readonly products: readonly number[] | null
}

/** What has changed since a version. */
export async function changesSince(sql: postgres.Sql, version: number): Promise<CatalogChanges> {
  const [row] = await sql<{ version: number | null; seen: number; all: boolean | null; products: number[] | null }[]>`
    select (select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}) as version,
      count(distinct version) as seen, bool_or(product_id is null) as all,
      array_agg(distinct product_id) filter (where product_id is not null) as products
    from catalog_changes where version > ${version}::bigint`
  const now = row?.version ?? 0
  const products = row?.products ?? []
  // A version without a note is one whose note is no longer kept, or of a database that was put back.
  const complete = row?.seen === now - version && !row.all
  return { version: now, products: complete && products.length <= mostListed ? products : null }
}
