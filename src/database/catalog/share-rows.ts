import type { Sql } from '../engine/driver/sql.ts'
import { imageJson, type StoredImage } from './product-rows.ts'

/** Rows for share images and sitemaps. */

/** A product `p` whose page search engines may index. */
export const findable = `p.status = 'publish' and p.parent_id is null and p.visibility <> 'hidden'`

export type SharedRow = { id: number; name: string; image: string | null; widths: readonly number[] }

const sharedColumns = `i.hash as image, coalesce(i.widths, '{}') as widths`

const firstImage = `left join lateral (select i.hash, i.widths from product_images pi join images i on i.id = pi.image_id
  where pi.product_id = p.id order by pi.position limit 1) i on true`

/** Streams products with a page by id, in batches. @param only these; null: all */
export function sharedProducts(sql: Sql, only: readonly number[] | null): AsyncIterable<SharedRow[]> {
  return sql<SharedRow[]>`
    select p.id, p.name, ${sql.unsafe(sharedColumns)} from products p ${sql.unsafe(firstImage)}
    where p.status = 'publish' and p.parent_id is null
      and (${only === null} or p.id = any(${[...(only ?? [])]}::bigint[])) order by p.id`.cursor(500)
}

export async function sharedCategories(sql: Sql): Promise<SharedRow[]> {
  return sql<SharedRow[]>`
    select c.id, c.name, ${sql.unsafe(sharedColumns)} from categories c left join images i on i.id = c.image_id
    order by c.id`
}

const pictured = `exists (select from product_images pi where pi.product_id = p.id)`

/** Returns the image of the whole shop: of the first featured product, otherwise of the oldest. */
export async function shopImage(sql: Sql): Promise<StoredImage | null> {
  const [row] = await sql<{ image: StoredImage }[]>`
    select ${sql.unsafe(imageJson)} as image
    from (
      (select p.id, 1 as choice from products p
        where p.featured and ${sql.unsafe(findable)} and ${sql.unsafe(pictured)}
        order by p.menu_order, p.name, p.id limit 1)
      union all (select p.id, 2 from products p where ${sql.unsafe(findable)} and ${sql.unsafe(pictured)}
        order by p.id limit 1)
    ) first
    join product_images pi on pi.product_id = first.id join images i on i.id = pi.image_id
    order by first.choice, pi.position limit 1`
  return row?.image ?? null
}
