import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** The published variations of a product in the order in which the first match wins, with what fixes each. */
export async function variationValues(
  db: Kysely<Schema>,
  productId: number,
): Promise<{ id: number; attributes: Readonly<Record<string, string>> }[]> {
  const { rows } = await sql<{ id: number; attributes: Record<string, string> | null }>`
    select v.id, (
      select json_object_agg(a.slug, a.value) from variation_attributes a where a.product_id = v.id
    ) as attributes
    from products v where v.parent_id = ${productId}::bigint and v.status = 'publish'
    order by v.menu_order, v.id`.execute(db)
  return rows.map(({ id, attributes }) => ({ id, attributes: attributes ?? {} }))
}
