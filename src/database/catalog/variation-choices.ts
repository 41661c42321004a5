import type { Sql } from '../engine/driver/sql.ts'
import { imageJson, type StoredImage } from './product-rows.ts'

/** The data of a variation that a list shows in place of its product. */
export type VariationChoiceRow = {
  productId: number
  sku: string
  /** Attribute slug → value, '' for any. */
  attributes: Record<string, string>
  onSale: boolean
  available: boolean
  /** Null: no image of its own. */
  image: StoredImage | null
}

/** Reads the published variations of products, in the merchant's order. */
export async function variationChoices(sql: Sql, productIds: readonly number[]): Promise<VariationChoiceRow[]> {
  // A subquery hides the list of ids: its length would make PostgreSQL plan this again for every page.
  const [row] = await sql<{ rows: VariationChoiceRow[] }[]>`
    select coalesce(json_agg(json_build_object('productId', v.parent_id, 'sku', coalesce(v.sku, ''),
        'onSale', v.on_sale, 'available', v.min_price is not null and v.stock_status <> 'outofstock',
        'attributes', (select coalesce(json_object_agg(a.slug, a.value), '{}')
          from variation_attributes a where a.product_id = v.id),
        'image', (select ${sql.unsafe(imageJson)} from product_images pi join images i on i.id = pi.image_id
          where pi.product_id = v.id order by pi.position limit 1)) order by v.parent_id, v.menu_order, v.id), '[]') as rows
      from products v where v.parent_id = any((select ${[...productIds]}::bigint[])::bigint[]) and v.status = 'publish'`
  return row?.rows ?? []
}
