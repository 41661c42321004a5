import { z } from 'zod'
import {
  sourceFlag,
  sourceId,
  sourceInteger,
  sourceList,
  sourceMeta,
  sourceMoment,
  sourceObject,
  sourceText,
  sourceWord,
} from './source-values.ts'

/** Products and variations as another shop's REST v3 writes them. */

const named = z.object({ id: sourceId, name: sourceText, slug: sourceWord })
const picture = z.object({ src: sourceWord, alt: sourceText })
const ids = sourceList(sourceId)

/** Members that products and variations share. */
const goods = {
  id: sourceId,
  status: sourceWord,
  description: sourceText,
  sku: sourceWord,
  global_unique_id: sourceWord,
  regular_price: sourceWord,
  sale_price: sourceWord,
  date_on_sale_from_gmt: sourceMoment,
  date_on_sale_to_gmt: sourceMoment,
  virtual: sourceFlag,
  downloadable: sourceFlag,
  downloads: sourceList(z.object({ id: sourceWord, name: sourceText, file: sourceWord })),
  download_limit: sourceInteger,
  download_expiry: sourceInteger,
  tax_status: sourceWord,
  tax_class: sourceWord,
  manage_stock: z.union([z.literal('parent'), sourceFlag]),
  stock_quantity: sourceInteger,
  stock_status: sourceWord,
  backorders: sourceWord,
  low_stock_amount: sourceInteger,
  weight: sourceWord,
  dimensions: sourceObject({ length: sourceWord, width: sourceWord, height: sourceWord }),
  shipping_class: sourceWord,
  menu_order: sourceInteger,
  meta_data: sourceMeta,
}

export const sourceProduct = z.object({
  ...goods,
  name: sourceWord,
  slug: sourceWord,
  type: sourceWord,
  featured: sourceFlag,
  catalog_visibility: sourceWord,
  short_description: sourceText,
  external_url: sourceWord,
  button_text: sourceText,
  sold_individually: sourceFlag,
  reviews_allowed: sourceFlag,
  purchase_note: sourceText,
  upsell_ids: ids,
  cross_sell_ids: ids,
  grouped_products: ids,
  variations: ids,
  categories: sourceList(named),
  tags: sourceList(named),
  brands: sourceList(named),
  images: sourceList(picture),
  attributes: sourceList(
    z.object({
      id: sourceInteger,
      name: sourceWord,
      visible: sourceFlag,
      variation: sourceFlag,
      options: sourceList(sourceText),
    }),
  ),
  default_attributes: sourceList(z.object({ id: sourceInteger, name: sourceWord, option: sourceText })),
})

export type SourceProduct = z.output<typeof sourceProduct>

export const sourceVariation = z.object({
  ...goods,
  name: sourceWord,
  image: z
    .union([
      picture,
      z.null(),
      z
        .array(z.unknown())
        .max(0)
        .transform(() => null),
    ])
    .optional(),
  attributes: sourceList(z.object({ id: sourceInteger, name: sourceWord, option: sourceText })),
})

export type SourceVariation = z.output<typeof sourceVariation>
