import { type Kysely, sql } from 'kysely'
import type { Sql } from '../engine/driver/sql.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Returns published products by SKU or a variation's SKU, keyed by the lower-case SKU. */
export async function productIdsBySku(query: Sql, skus: readonly string[]): Promise<Map<string, number>> {
  const wanted = skus.map((sku) => sku.toLowerCase())
  const rows = await query<{ sku: string; id: number }[]>`
    select lower(sku) as sku, coalesce(parent_id, id) as id from products
    where lower(sku) = any(${wanted}::text[]) and status = 'publish'`
  return new Map(rows.map(({ sku, id }) => [sku, id]))
}

/** Returns the existing ones of these slugs and SKUs; SKUs in lower case. */
export async function namesThatExist(
  kysely: Kysely<Schema>,
  names: { readonly categories: readonly string[]; readonly tags: readonly string[]; readonly skus: readonly string[] },
): Promise<{ categories: ReadonlySet<string>; tags: ReadonlySet<string>; skus: ReadonlySet<string> }> {
  const { categories, tags, skus } = names
  const slugs = async (table: 'categories' | 'tags', wanted: readonly string[]): Promise<ReadonlySet<string>> => {
    if (wanted.length === 0) return new Set()
    const rows = await kysely
      .selectFrom(table)
      .select('slug')
      .where('slug', 'in', [...wanted])
      .execute()
    return new Set(rows.map(({ slug }) => slug))
  }
  const sold = async (): Promise<ReadonlySet<string>> => {
    if (skus.length === 0) return new Set()
    const wanted = skus.map((sku) => sku.toLowerCase())
    const { rows } = await sql<{ sku: string }>`
      select lower(sku) as sku from products
      where lower(sku) = any(${wanted}::text[]) and status = 'publish'`.execute(kysely)
    return new Set(rows.map(({ sku }) => sku))
  }
  return { categories: await slugs('categories', categories), tags: await slugs('tags', tags), skus: await sold() }
}
