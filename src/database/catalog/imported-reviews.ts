import { type Kysely, sql } from 'kysely'
import { columnOf, listOf } from '../engine/array-parameter.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { ReviewRow } from './reviews.ts'

type Tx = Kysely<Schema>

/** A product or variation that a file of reviews may name. */
export type NamedProduct = {
  id: number
  /** The product itself, also of a variation: reviews belong to products. */
  product_id: number
  /** Lower case; '' if it has none. */
  sku: string
  slug: string
  imported_id: number | null
  /** Lower case. */
  name: string
}

/** Finds products outside the trash by any of their names, and by ID wherever they are. SKUs and names ignore case. */
export async function findNamedProducts(
  tx: Tx,
  names: {
    readonly skus: readonly string[]
    readonly slugs: readonly string[]
    readonly ids: readonly number[]
    readonly importedIds: readonly number[]
    readonly titles: readonly string[]
  },
): Promise<NamedProduct[]> {
  const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase())
  // One part per kind of name: each finds its index, and a kind that the file lacks costs nothing.
  const parts = [
    { given: names.ids, where: sql`id = any(${listOf(names.ids, 'bigint')})` },
    { given: names.skus, where: sql`status <> 'trash' and lower(sku) = any(${listOf(lower(names.skus), 'text')})` },
    { given: names.slugs, where: sql`${listed} and slug = any(${listOf(names.slugs, 'text')})` },
    { given: names.importedIds, where: sql`${listed} and imported_id = any(${listOf(names.importedIds, 'bigint')})` },
    { given: names.titles, where: sql`${listed} and lower(name) = any(${listOf(lower(names.titles), 'text')})` },
  ].filter(({ given }) => given.length > 0)
  if (parts.length === 0) return []
  const { rows } = await sql<NamedProduct>`${sql.join(
    parts.map(
      ({ where }) => sql`
        select id, coalesce(parent_id, id) as product_id, lower(coalesce(sku, '')) as sku, slug, imported_id, lower(name) as name
        from products where ${where}`,
    ),
    sql` union `,
  )} order by id`.execute(tx)
  return rows
}

/** Products, not variations, outside the trash. */
const listed = sql`parent_id is null and status <> 'trash'`

/** The identity of a review: its ID here, or that of another shop with the product. */
export type ReviewIdentity = { readonly productId: number; readonly importedId: string }

/** Locks the reviews with these ids, and those that were imported with these identities, in the order of their ids. */
export async function lockImportedReviews(
  tx: Tx,
  ids: readonly number[],
  identities: readonly ReviewIdentity[],
): Promise<ReviewRow[]> {
  if (ids.length === 0 && identities.length === 0) return []
  const { rows } = await sql<ReviewRow>`
    select r.* from reviews r
    where r.id = any(${listOf(ids, 'bigint')}) or r.id in (
      select i.id from reviews i join unnest(${columnOf(identities, ({ productId }) => productId, 'bigint')},
        ${columnOf(identities, ({ importedId }) => importedId, 'text')}) as wanted (product, imported)
        on i.product_id = wanted.product and i.imported_id = wanted.imported)
    order by r.id for update`.execute(tx)
  return rows
}

export type ReviewToExport = ReviewRow & { sku: string | null; slug: string; name: string }

/** Returns the next reviews after an ID with SKU, slug and name of their products; none from the trash. */
export async function listReviewsAfter(db: Tx, after: number, limit: number): Promise<ReviewToExport[]> {
  const { rows } = await sql<ReviewToExport>`
    select r.*, p.sku, p.slug, p.name from reviews r join products p on p.id = r.product_id
    where r.id > ${after}::bigint and r.status <> 'trash' order by r.id limit ${limit}::int`.execute(db)
  return rows
}
