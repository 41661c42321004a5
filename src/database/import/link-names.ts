import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { LinkKind } from './write-relations.ts'

type Tx = Kysely<Schema>

/** Replaces the names to which products link until products of these names come. */
export async function setLinkNames(
  tx: Tx,
  kind: LinkKind,
  productIds: readonly number[],
  names: readonly { product: number; position: number; name: string }[],
): Promise<void> {
  if (productIds.length === 0) return
  await sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(names)}::text::jsonb) as wanted (product bigint, position integer, name text)
    ), gone as (
      delete from product_link_names had
      where had.kind = ${kind} and had.product_id = any(${[...productIds]}::bigint[])
        and (had.product_id, had.position) not in (select product, position from wanted)
    )
    insert into product_link_names (product_id, kind, position, name) select product, ${kind}, position, name from wanted
    on conflict (product_id, kind, position) do update set name = excluded.name
      where product_link_names.name <> excluded.name`.execute(tx)
}

/** Links the products that name one of these new products. @returns their ids */
export async function linkNewProducts(tx: Tx, newIds: readonly number[]): Promise<number[]> {
  if (newIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with fresh as (
      select p.id, given.name from products p cross join lateral (values (lower(p.sku)), ('id:' || p.imported_id)) as given (name)
      where p.id = any(${[...newIds]}::bigint[]) and given.name is not null
    ), come as (
      delete from product_link_names waiting using (
        select distinct on (waits.product_id, waits.kind, waits.position) waits.product_id, waits.kind, waits.position, fresh.id
        from product_link_names waits join fresh on lower(waits.name) = fresh.name
        where waits.product_id <> fresh.id order by waits.product_id, waits.kind, waits.position, fresh.id
      ) as found
      where (waiting.product_id, waiting.kind, waiting.position) = (found.product_id, found.kind, found.position)
      returning found.product_id, found.kind, found.position, found.id
    )
    insert into product_links (product_id, kind, position, linked_id) select product_id, kind, position, id from come
    on conflict (product_id, kind, position) do nothing returning product_id as id`.execute(tx)
  return [...new Set(rows.map(({ id }) => id))]
}
