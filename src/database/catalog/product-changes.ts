import { type Kysely, sql } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import { announceChange } from '../operations/announce-change.ts'

type Tx = Kysely<Schema>

/** Changes of single products that no product file contains. */

/** Sets members of a product's page. Absent members stay. */
export async function changeProductPage(
  tx: Tx,
  id: number,
  change: { slug?: string; created_at?: Date },
): Promise<void> {
  if (Object.keys(change).length > 0) await tx.updateTable('products').set(change).where('id', '=', id).execute()
}

/** Removes keys of the meta data. @returns whether there were any */
export async function removeMeta(tx: Tx, id: number, keys: readonly string[]): Promise<boolean> {
  if (keys.length === 0) return false
  const { rows } = await sql`
    update products set meta = meta - ${listOf(keys, 'text')}
    where id = ${id}::bigint and meta ?| ${listOf(keys, 'text')} returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Sets which attributes of a product its variations choose from. A variation has a value, or '' for any, of exactly
 * these.
 * @returns whether anything changed
 */
export async function setVariationChoices(tx: Tx, id: number, slugs: readonly string[]): Promise<boolean> {
  const marked = await sql`
    update product_attributes set for_variations = not for_variations
    where product_id = ${id}::bigint and for_variations <> (slug = any(${listOf(slugs, 'text')})) returning slug`.execute(
    tx,
  )
  const gone = await sql`
    delete from variation_attributes chosen using products v
    where v.id = chosen.product_id and v.parent_id = ${id}::bigint and chosen.slug <> all(${listOf(slugs, 'text')})
    returning chosen.slug`.execute(tx)
  const come = await sql`
    insert into variation_attributes (product_id, slug, value)
    select v.id, choice.slug, '' from products v cross join unnest(${listOf(slugs, 'text')}) as choice (slug)
    where v.parent_id = ${id}::bigint on conflict do nothing returning slug`.execute(tx)
  return marked.rows.length + gone.rows.length + come.rows.length > 0
}

/** Makes shipping classes that have no entry of their own yet; the slug is their name. */
export async function ensureShippingClass(tx: Tx, slug: string): Promise<void> {
  if (slug === '') return
  await sql`insert into shipping_classes (name, slug) values (${slug}, ${slug}) on conflict (slug) do nothing`.execute(
    tx,
  )
}

/** Returns those of the ids that exist. */
export async function existingIds(
  tx: Tx,
  table: 'categories' | 'tags' | 'brands' | 'images' | 'products',
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where id = any(${listOf(ids, 'bigint')})`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export type StoredProductAttribute = Row<'product_attributes'>

export async function findProductAttributes(tx: Tx, productId: number): Promise<StoredProductAttribute[]> {
  return tx
    .selectFrom('product_attributes')
    .selectAll()
    .where('product_id', '=', productId)
    .orderBy('position')
    .execute()
}

export type ShopAttribute = { id: number; name: string; slug: string; terms: { name: string; slug: string }[] }

/** Returns shop-wide attributes with their terms. Slugs are without `pa_`. */
export async function findShopAttributes(tx: Tx, ids: readonly number[]): Promise<ShopAttribute[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ShopAttribute>`
    select a.id, a.name, a.slug, (
      select coalesce(json_agg(json_build_object('name', t.name, 'slug', t.slug)), '[]')
      from attribute_terms t where t.attribute_id = a.id) as terms
    from attributes a where a.id = any(${listOf(ids, 'bigint')})`.execute(tx)
  return rows
}

/** Deletes a product with its variations, reviews and relations. Orders keep their lines. */
export async function deleteProductRow(tx: Tx, id: number): Promise<void> {
  const gone = await tx.deleteFrom('products').where('id', '=', id).returning('status').executeTakeFirst()
  // The move into the trash was announced as the deletion.
  if (gone && gone.status !== 'trash') await announceChange(tx, 'product.deleted', id)
}

/** Copies all relations of a product to a new one. */
export async function copyRelations(tx: Tx, from: number, to: number): Promise<void> {
  for (const [table, columns] of [
    ['product_categories', 'category_id'],
    ['product_tags', 'tag_id'],
    ['product_brands', 'brand_id'],
    ['product_images', 'position, image_id'],
    ['product_links', 'kind, position, linked_id'],
    ['product_attributes', 'position, attribute_id, name, slug, options, visible, for_variations, default_option'],
    ['variation_attributes', 'slug, value'],
  ] as const) {
    await sql`
      insert into ${sql.table(table)} (product_id, ${sql.raw(columns)})
      select ${to}::bigint, ${sql.raw(columns)} from ${sql.table(table)} where product_id = ${from}::bigint`.execute(tx)
  }
}

/** Returns products with all their columns. */
export async function findProductRows(tx: Tx, ids: readonly number[]): Promise<Row<'products'>[]> {
  if (ids.length === 0) return []
  return tx
    .selectFrom('products')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
}

/** Returns the ids of a product's variations, in their order. */
export async function findVariationIds(tx: Tx, parentId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('products')
    .select('id')
    .where('parent_id', '=', parentId)
    .orderBy('menu_order')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Sets the name of a variation: it follows from its product and its values. */
export async function changeProductName(tx: Tx, id: number, name: string): Promise<void> {
  await sql`update products set name = ${name} where id = ${id}::bigint and name <> ${name}`.execute(tx)
}
