import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { ImageRow } from './image-rows.ts'

/** An image of the library. Without widths it is an upload whose variants do not exist yet. */
export type MediaRow = ImageRow & { id: number }

const columns = sql`id, hash, source, width, height, alt, placeholder, widths, sizes`

/** Returns a page of the library, by default newest first, and the total number. */
export async function listMedia(
  tx: Kysely<Schema>,
  { search, order, limit, offset }: { search: string; order: 'asc' | 'desc'; limit: number; offset: number },
): Promise<{ rows: MediaRow[]; total: number }> {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const found = search === '' ? sql`true` : sql`(alt ilike ${like}::text or source ilike ${like}::text)`
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const [{ rows }, count] = await Promise.all([
    sql<MediaRow>`select ${columns} from images where ${found} order by id ${direction}
      limit ${limit}::int offset ${offset}::bigint`.execute(tx),
    sql<{ total: number }>`select count(*)::int as total from images where ${found}`.execute(tx),
  ])
  return { rows, total: count.rows[0]?.total ?? 0 }
}

export async function findMedia(tx: Kysely<Schema>, id: number): Promise<MediaRow | undefined> {
  const { rows } = await sql<MediaRow>`select ${columns} from images where id = ${id}::bigint`.execute(tx)
  return rows[0]
}

/** Stores an upload without variants. A known image stays unchanged. */
export async function keepUpload(
  tx: Kysely<Schema>,
  { hash, source, width, height, alt }: Pick<ImageRow, 'hash' | 'source' | 'width' | 'height' | 'alt'>,
): Promise<MediaRow> {
  const { rows } = await sql<MediaRow>`
    insert into images (hash, source, width, height, alt, widths)
    values (${hash}, ${source}, ${width}::int, ${height}::int, ${alt}, '{}')
    on conflict (hash) do update set hash = excluded.hash returning ${columns}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`image ${hash} was not stored`)
  return row
}

/** @returns the products with a page of their own, and the categories, that show the image and become stale */
export async function describeMedia(
  tx: Kysely<Schema>,
  id: number,
  alt: string,
): Promise<{ products: number[]; categories: boolean }> {
  await sql`update images set alt = ${alt} where id = ${id}::bigint`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    select distinct coalesce(p.parent_id, p.id) as id from product_images i join products p on p.id = i.product_id
    where i.image_id = ${id}::bigint order by 1`.execute(tx)
  const categories = await sql`select id from categories where image_id = ${id}::bigint limit 1`.execute(tx)
  return { products: rows.map((row) => row.id), categories: categories.rows.length > 0 }
}

/** Deletes an unused image. @returns whether it was unused */
export async function deleteUnusedMedia(tx: Kysely<Schema>, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from images where id = ${id}::bigint
      and not exists (select from product_images where image_id = images.id)
      and not exists (select from categories where image_id = images.id)
    returning id`.execute(tx)
  return rows.length > 0
}
