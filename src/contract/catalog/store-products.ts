import { z } from 'zod'
import { dateText, flag, listOf, paging } from '../shared/rest-input.ts'
import { minorText, storeCurrency, storeExtensions, storeImage, storePrices } from '../shared/store-money.ts'

const storeTermLink = z.object({ id: z.number().int(), name: z.string(), slug: z.string(), link: z.string() })

/** A product of the Store API. */
export const storeProduct = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  /** 0: a product of its own; otherwise the product of this variation. */
  parent: z.number().int(),
  type: z.enum(['simple', 'variable', 'variation', 'grouped', 'external']),
  variation: z.string(),
  permalink: z.string(),
  sku: z.string(),
  short_description: z.string(),
  description: z.string(),
  on_sale: z.boolean(),
  prices: storePrices,
  price_html: z.string(),
  average_rating: z.string(),
  review_count: z.number().int(),
  images: z.array(storeImage),
  categories: z.array(storeTermLink),
  tags: z.array(storeTermLink),
  brands: z.array(storeTermLink),
  attributes: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      taxonomy: z.string().nullable(),
      has_variations: z.boolean(),
      terms: z.array(z.object({ id: z.number().int(), name: z.string(), slug: z.string(), default: z.boolean() })),
    }),
  ),
  variations: z.array(
    z.object({
      id: z.number().int(),
      attributes: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
    }),
  ),
  grouped_products: z.array(z.number().int()),
  has_options: z.boolean(),
  is_purchasable: z.boolean(),
  is_in_stock: z.boolean(),
  is_on_backorder: z.boolean(),
  low_stock_remaining: z.number().int().nullable(),
  stock_availability: z.object({ text: z.string(), class: z.string() }),
  sold_individually: z.boolean(),
  /** Kilograms, or ''. */
  weight: z.string(),
  /** Centimetres, or ''. */
  dimensions: z.object({ length: z.string(), width: z.string(), height: z.string() }),
  formatted_weight: z.string(),
  formatted_dimensions: z.string(),
  add_to_cart: z.object({
    text: z.string(),
    description: z.string(),
    url: z.string(),
    single_text: z.string(),
    minimum: z.number().int(),
    maximum: z.number().int(),
    multiple_of: z.number().int(),
  }),
  is_password_protected: z.boolean(),
  extensions: storeExtensions,
})

export type StoreProductRecord = z.infer<typeof storeProduct>

const id = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const operator = z.enum(['in', 'not_in', 'and']).default('in')
/** Ids or slugs. */
const terms = listOf(z.coerce.string().max(200)).default([])
const price = z.preprocess(
  (given) => (given === '' ? undefined : given),
  z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
)
/** '' counts as absent. */
const optionalFlag = z.preprocess((given) => (given === '' ? undefined : given), flag.optional())

const attributeFilter = z.object({
  /** Slug of the attribute: `pa_colour`, or the id of a shop-wide one. */
  attribute: z.coerce.string().min(1).max(200),
  term_id: listOf(id).default([]),
  slug: listOf(z.string().max(200)).default([]),
  operator,
})

/** Filters of products, also of their counts. */
export const storeProductFilters = {
  search: z.string().trim().max(200).default(''),
  slug: listOf(z.string().max(200)).default([]),
  after: dateText.optional(),
  before: dateText.optional(),
  date_column: z.enum(['date', 'date_gmt', 'modified', 'modified_gmt']).default('date'),
  include: listOf(id).default([]),
  exclude: listOf(id).default([]),
  parent: listOf(id).default([]),
  parent_exclude: listOf(id).default([]),
  type: z.enum(['', 'simple', 'variable', 'variation', 'grouped', 'external']).default(''),
  sku: listOf(z.string().max(200)).default([]),
  featured: optionalFlag,
  category: terms,
  category_operator: operator,
  tag: terms,
  tag_operator: operator,
  brand: terms,
  brand_operator: operator,
  on_sale: optionalFlag,
  /** Minor units of the displayed currency. */
  min_price: price,
  max_price: price,
  stock_status: listOf(z.enum(['instock', 'outofstock', 'onbackorder'])).default([]),
  attributes: z
    .preprocess(
      (given) => (typeof given === 'object' && given !== null ? Object.values(given) : given),
      z.array(attributeFilter).max(50),
    )
    .default([]),
  attribute_relation: z.enum(['in', 'and']).default('and'),
  catalog_visibility: z.enum(['', 'any', 'visible', 'catalog', 'search', 'hidden']).default(''),
  rating: listOf(z.coerce.number().int().min(1).max(5)).default([]),
  /** Products that share a category with this one. */
  related: id.optional(),
}

export const storeProductsInput = z.object({
  ...paging,
  ...storeProductFilters,
  order: z.enum(['asc', 'desc']).default('desc'),
  orderby: z
    .enum([
      'date',
      'modified',
      'id',
      'include',
      'title',
      'slug',
      'price',
      'popularity',
      'rating',
      'menu_order',
      'comment_count',
    ])
    .default('date'),
})

export type StoreProductsInput = z.output<typeof storeProductsInput>
const filtersOnly = z.object(storeProductFilters)
export type StoreProductFilters = z.output<typeof filtersOnly>

/** `products/<id or slug>` */
export const storeProductInput = z.object({ id: z.string().min(1).max(200) })

/** `products/collection-data`: the wanted counts. */
export const storeCollectionInput = z.object({
  ...storeProductFilters,
  calculate_price_range: flag.default(false),
  calculate_stock_status_counts: flag.default(false),
  calculate_rating_counts: flag.default(false),
  calculate_attribute_counts: z
    .preprocess(
      (given) => (typeof given === 'object' && given !== null ? Object.values(given) : given),
      z.array(z.object({ taxonomy: z.string().max(200), query_type: z.enum(['and', 'or']).default('and') })).max(50),
    )
    .default([]),
  calculate_taxonomy_counts: listOf(z.string().max(200)).default([]),
})

export const storeCollection = z.object({
  price_range: z.object({ ...storeCurrency, min_price: minorText, max_price: minorText }).nullable(),
  attribute_counts: z.array(z.object({ term: z.number().int(), count: z.number().int() })).nullable(),
  rating_counts: z.array(z.object({ rating: z.number().int(), count: z.number().int() })).nullable(),
  stock_status_counts: z.array(z.object({ status: z.string(), count: z.number().int() })).nullable(),
  taxonomy_counts: z.array(z.object({ term: z.number().int(), count: z.number().int() })).nullable(),
})

export type StoreCollectionRecord = z.infer<typeof storeCollection>
