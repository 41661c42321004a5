import { type Kysely, sql } from 'kysely'
import type { ImageSizes, Schema } from '../engine/schema/schema.ts'

export type ImageRow = {
  hash: string
  source: string
  width: number
  height: number
  alt: string
  placeholder: string
  widths: readonly number[]
  sizes: ImageSizes
}

/** Returns image rows by the hash of their source file. */
export async function findImages(
  tx: Kysely<Schema>,
  hashes: readonly string[],
): Promise<Map<string, ImageRow & { id: number }>> {
  const { rows } = await sql<ImageRow & { id: number }>`
    select id, hash, source, width, height, alt, placeholder, widths, sizes from images
    where hash = any(${[...hashes]}::text[])`.execute(tx)
  return new Map(rows.map((row) => [row.hash, row]))
}

/** Returns image rows by the path or address that they came from. */
export async function findImagesBySource(
  tx: Kysely<Schema>,
  sources: readonly string[],
): Promise<(ImageRow & { id: number })[]> {
  const { rows } = await sql<ImageRow & { id: number }>`
    select id, hash, source, width, height, alt, placeholder, widths, sizes from images
    where source = any(${[...sources]}::text[]) order by id`.execute(tx)
  return rows
}

/** Stores an image and its variants; source and text keep their first values. @returns its id */
export async function keepImage(tx: Kysely<Schema>, image: ImageRow): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into images (hash, source, width, height, alt, placeholder, widths, sizes)
    values (${image.hash}, ${image.source}, ${image.width}::int, ${image.height}::int, ${image.alt}, ${image.placeholder},
      ${[...image.widths]}::int[], ${image.sizes})
    on conflict (hash) do update set width = excluded.width, height = excluded.height, placeholder = excluded.placeholder,
      widths = excluded.widths, sizes = excluded.sizes returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`image ${image.hash} was not stored`)
  return id
}

/** Pictures whose other sizes a job has still to make, the oldest first. */
export async function unfinishedImages(tx: Kysely<Schema>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from images where sizes = 'first' order by id limit ${limit}::int`.execute(tx)
  return rows.map(({ id }) => id)
}

/** How many pictures there are, and how many of them lack sizes. */
export async function countImages(tx: Kysely<Schema>): Promise<{ all: number; unfinished: number }> {
  const { rows } = await sql<{ all: number; unfinished: number }>`
    select count(*)::int as all, count(*) filter (where sizes = 'first')::int as unfinished from images`.execute(tx)
  return rows[0] ?? { all: 0, unfinished: 0 }
}

/**
 * Marks pictures whose sizes were made as complete.
 * @returns what shows them: products with a page of their own, and whether categories do; null: no picture was marked
 */
export async function completeImages(tx: Kysely<Schema>): Promise<{ products: number[]; categories: boolean } | null> {
  const { rows } = await sql<{ id: number }>`
    update images set sizes = 'all' where sizes = 'made' returning id`.execute(tx)
  if (rows.length === 0) return null
  const ids = rows.map(({ id }) => id)
  const products = await sql<{ id: number }>`
    select distinct coalesce(p.parent_id, p.id) as id from product_images i join products p on p.id = i.product_id
    where i.image_id = any(${ids}::bigint[]) order by 1`.execute(tx)
  const categories = await sql`
    select id from categories where image_id = any(${ids}::bigint[]) limit 1`.execute(tx)
  return { products: products.rows.map(({ id }) => id), categories: categories.rows.length > 0 }
}
