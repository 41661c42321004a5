import { z } from 'zod'
import { idInput as id } from '../shared/number-text.ts'
import { datedFilters, flag, listOf, paging, recordShape } from '../shared/rest-input.ts'
import {
  createdAndModified,
  idOrNone,
  image,
  imageInput,
  integer,
  longText,
  optionalMoment,
  sellable,
  sellableInput,
  words,
} from './v3-shapes.ts'

export const productTypes = ['simple', 'variable', 'grouped', 'external'] as const

/** Statuses in the interface. This shop keeps `pending` and `future` as drafts. */
export const productStatuses = ['publish', 'private', 'draft', 'pending', 'future', 'trash'] as const

const term = z.object({ id: z.number(), name: z.string(), slug: z.string() })

/** `wc/v3/products/{id}` */
export const v3Product = z.object({
  id: z.number(),
  name: z.string(),
  slug: z.string(),
  permalink: z.string(),
  ...createdAndModified,
  type: z.enum([...productTypes, 'variation']),
  status: z.enum(['publish', 'private', 'draft', 'trash']),
  featured: z.boolean(),
  catalog_visibility: z.enum(['visible', 'catalog', 'search', 'hidden']),
  description: z.string(),
  short_description: z.string(),
  ...sellable,
  total_sales: z.number(),
  external_url: z.string(),
  button_text: z.string(),
  /** `parent`: a variation, listed by its SKU, whose parent has the stock. */
  manage_stock: z.union([z.boolean(), z.literal('parent')]),
  sold_individually: z.boolean(),
  shipping_required: z.boolean(),
  shipping_taxable: z.boolean(),
  reviews_allowed: z.boolean(),
  average_rating: z.string(),
  rating_count: z.number(),
  upsell_ids: z.array(z.number()),
  cross_sell_ids: z.array(z.number()),
  parent_id: z.number(),
  purchase_note: z.string(),
  categories: z.array(term),
  brands: z.array(term),
  tags: z.array(term),
  images: z.array(image),
  attributes: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      slug: z.string(),
      position: z.number(),
      visible: z.boolean(),
      variation: z.boolean(),
      options: z.array(z.string()),
    }),
  ),
  default_attributes: z.array(z.object({ id: z.number(), name: z.string(), option: z.string() })),
  variations: z.array(z.number()),
  grouped_products: z.array(z.number()),
  price_html: z.string(),
  related_ids: z.array(z.number()),
  has_options: z.boolean(),
})
export type V3Product = z.output<typeof v3Product>

const stockStatus = z.enum(['instock', 'outofstock', 'onbackorder'])

/** Filters of products and of variations. */
export const productFilters = {
  ...paging,
  ...recordShape,
  ...datedFilters,
  orderby: z
    .enum(['date', 'modified', 'id', 'include', 'title', 'slug', 'price', 'popularity', 'rating', 'menu_order'])
    .default('date'),
  slug: words(200).optional(),
  status: listOf(z.enum(['any', ...productStatuses])).default(['any']),
  include_status: listOf(z.enum(['any', ...productStatuses])).optional(),
  exclude_status: listOf(z.enum(productStatuses)).default([]),
  /** One SKU, or several separated by commas. */
  sku: words(1000).optional(),
  search_sku: words(200).optional(),
  search_name_or_sku: words(200).optional(),
  global_unique_id: words(1000).optional(),
  tax_class: words(100).optional(),
  on_sale: flag.optional(),
  min_price: words(30).optional(),
  max_price: words(30).optional(),
  stock_status: listOf(stockStatus).optional(),
  virtual: flag.optional(),
  downloadable: flag.optional(),
  include_meta: listOf(z.string().max(200)).default([]),
  exclude_meta: listOf(z.string().max(200)).default([]),
}

/** `GET wc/v3/products` */
export const v3ProductsInput = z.object({
  ...productFilters,
  type: z.enum(productTypes).optional(),
  include_types: listOf(z.enum(productTypes)).default([]),
  exclude_types: listOf(z.enum(productTypes)).default([]),
  featured: flag.optional(),
  category: listOf(id).default([]),
  tag: listOf(id).default([]),
  brand: listOf(id).default([]),
  shipping_class: listOf(id).default([]),
  /** `pa_color`, together with the ids of terms. */
  attribute: words(200).optional(),
  attribute_term: listOf(id).default([]),
  parent: listOf(idOrNone).default([]),
  parent_exclude: listOf(id).default([]),
})
export type V3ProductsInput = z.output<typeof v3ProductsInput>

const named = z.looseObject({ id })
const ids = z.array(id).max(1000)

/** `POST wc/v3/products` and `PUT wc/v3/products/{id}`. Absent members stay unchanged. */
export const v3ProductInput = z.looseObject({
  ...sellableInput,
  name: words(500).optional(),
  slug: words(200).optional(),
  date_created: optionalMoment,
  date_created_gmt: optionalMoment,
  type: z.enum(productTypes).optional(),
  status: z.enum(productStatuses).optional(),
  featured: flag.optional(),
  catalog_visibility: z.enum(['visible', 'catalog', 'search', 'hidden']).optional(),
  short_description: longText.optional(),
  external_url: words(2000).optional(),
  button_text: words(200).optional(),
  manage_stock: flag.optional(),
  sold_individually: flag.optional(),
  reviews_allowed: flag.optional(),
  upsell_ids: ids.optional(),
  cross_sell_ids: ids.optional(),
  grouped_products: ids.optional(),
  purchase_note: longText.optional(),
  categories: z.array(named).max(200).optional(),
  brands: z.array(named).max(200).optional(),
  tags: z.array(named).max(200).optional(),
  images: z.array(imageInput).max(100).optional(),
  attributes: z
    .array(
      z.looseObject({
        id: idOrNone.optional(),
        name: words(200).optional(),
        position: integer.optional(),
        visible: flag.optional(),
        variation: flag.optional(),
        options: z
          .preprocess(
            (given) => (typeof given === 'string' ? given.split('|').map((part) => part.trim()) : given),
            z.array(words(200)).max(500),
          )
          .optional(),
      }),
    )
    .max(100)
    .optional(),
  default_attributes: z
    .array(z.looseObject({ id: idOrNone.optional(), name: words(200).optional(), option: words(200).default('') }))
    .max(100)
    .optional(),
})
export type V3ProductInput = z.output<typeof v3ProductInput>
