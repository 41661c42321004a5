import type { Sql } from '../engine/driver/sql.ts'
import { imageJson, type StoredImage } from './product-rows.ts'
import { findable } from './share-rows.ts'

/** Rows for sitemaps and the feed. */

/** Number of ids per part of the sitemap. A part keeps its products when others come or go. */
export const idsPerPart = 5_000
const mostImages = 10

/** Returns the non-empty parts, and the time of the last change of their products. */
export async function sitemapParts(sql: Sql): Promise<{ part: number; changed: Date }[]> {
  return sql<{ part: number; changed: Date }[]>`
    select ((p.id - 1) / ${idsPerPart}::int)::int as part, max(greatest(p.updated_at, v.updated_at)) as changed
    from products p left join products v on v.parent_id = p.id and v.status = 'publish'
    where ${sql.unsafe(findable)} group by 1 order by 1`
}

export type SitemapRow = { slug: string; changed: Date; images: { hash: string; widths: readonly number[] }[] }

export async function sitemapProducts(sql: Sql, part: number): Promise<SitemapRow[]> {
  const first = part * idsPerPart
  return sql<SitemapRow[]>`
    select p.slug,
      greatest(p.updated_at, (select max(v.updated_at) from products v where v.parent_id = p.id and v.status = 'publish'))
        as changed,
      (select coalesce(json_agg(json_build_object('hash', i.hash, 'widths', i.widths) order by pi.position), '[]')
        from product_images pi join images i on i.id = pi.image_id
        where pi.product_id = p.id and pi.position < ${mostImages}::int) as images
    from products p
    where ${sql.unsafe(findable)} and p.id > ${first}::bigint and p.id <= ${first + idsPerPart}::bigint order by p.id`
}

/** Returns the last change of products directly in a category, by category id. */
export async function categoryChanges(sql: Sql): Promise<Map<number, Date>> {
  const rows = await sql<{ id: number; changed: Date }[]>`
    select pc.category_id as id, max(p.updated_at) as changed
    from product_categories pc join products p on p.id = pc.product_id
    where ${sql.unsafe(findable)} group by 1`
  return new Map(rows.map(({ id, changed }) => [id, changed]))
}

export type FeedRow = {
  id: number
  name: string
  slug: string
  short: string
  created: Date
  changed: Date
  image: StoredImage | null
}

/** Returns the newest products. */
export async function newestProducts(sql: Sql, limit: number): Promise<FeedRow[]> {
  return sql<FeedRow[]>`
    select p.id, p.name, p.slug, p.short_description as short, p.created_at as created, p.updated_at as changed,
      (select ${sql.unsafe(imageJson)} from product_images pi join images i on i.id = pi.image_id
        where pi.product_id = p.id order by pi.position limit 1) as image
    from products p where ${sql.unsafe(findable)} and p.visibility <> 'search'
    order by p.created_at desc, p.id desc limit ${limit}::int`
}
