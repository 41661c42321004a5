import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

export type ImageRow = {
  hash: string
  source: string
  width: number
  height: number
  alt: string
  placeholder: string
  widths: readonly number[]
}

/** What the shop knows of pictures, by the hash of their source file. */
export async function findImages(
  tx: Kysely<Schema>,
  hashes: readonly string[],
): Promise<Map<string, ImageRow & { id: number }>> {
  const { rows } = await sql<ImageRow & { id: number }>`
    select id, hash, source, width, height, alt, placeholder, widths from images
    where hash = any(${[...hashes]}::text[])`.execute(tx)
  return new Map(rows.map((row) => [row.hash, row]))
}

/** Notes a picture and what was made of it; its source and text stay as they were first noted. @returns its id */
export async function keepImage(tx: Kysely<Schema>, image: ImageRow): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into images (hash, source, width, height, alt, placeholder, widths)
    values (${image.hash}, ${image.source}, ${image.width}::int, ${image.height}::int, ${image.alt}, ${image.placeholder},
      ${[...image.widths]}::int[])
    on conflict (hash) do update set width = excluded.width, height = excluded.height, placeholder = excluded.placeholder,
      widths = excluded.widths returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error(`the picture ${image.hash} was not kept`)
  return id
}
