import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

export type StoredAttribute = { slug: string; options: { value: string; label: string }[] }

/** Returns the attributes of products, with term names for the slugs of shop-wide attributes. */
export async function attributesOfProducts(
  tx: Kysely<Schema>,
  productIds: readonly number[],
): Promise<Map<number, StoredAttribute[]>> {
  if (productIds.length === 0) return new Map()
  const { rows } = await sql<StoredAttribute & { product_id: number }>`
    select has.product_id, has.slug, (
      select coalesce(json_agg(json_build_object('value', option.value, 'label', coalesce(term.name, option.value))
        order by option.nr), '[]')
      from unnest(has.options) with ordinality as option (value, nr)
      left join attribute_terms term on term.attribute_id = has.attribute_id and term.slug = option.value) as options
    from product_attributes has where has.product_id = any(${[...productIds]}::bigint[])
    order by has.product_id, has.position`.execute(tx)
  const found = new Map<number, StoredAttribute[]>()
  for (const { product_id, slug, options } of rows) {
    const list = found.get(product_id) ?? []
    list.push({ slug, options })
    found.set(product_id, list)
  }
  return found
}
