import { z } from 'zod'
import { dateText, flag } from '../shared/rest-input.ts'

/** Pieces of the catalog's records and inputs in REST v3. */

/** A text; programs also send numbers, and null for an empty one. */
export const words = (longest: number) =>
  z.preprocess(
    (given) => (given === null ? '' : typeof given === 'number' ? String(given) : given),
    z.string().trim().max(longest),
  )

export const longText = words(200_000)

/** A whole number of the database's `integer`. */
export const integer = z.coerce.number().int().min(-2_147_483_648).max(2_147_483_647)

/** An id, or 0 for none. */
export const idOrNone = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** A time, or null or '' for none. */
export const optionalMoment = z.preprocess((given) => (given === '' ? null : given), dateText.nullable()).optional()

export const moment = z.string().nullable()

/** Both forms of a time: the shop's and UTC. */
export const createdAndModified = {
  date_created: moment,
  date_created_gmt: moment,
  date_modified: moment,
  date_modified_gmt: moment,
}

export const metaData = z.array(z.object({ id: z.number(), key: z.string(), value: z.unknown() }))

/** Meta data as written: a value of null removes the key. */
export const metaInput = z
  .array(z.looseObject({ key: z.string().min(1).max(200), value: z.unknown() }))
  .max(200)
  .optional()

export const dimensions = z.object({ length: z.string(), width: z.string(), height: z.string() })

export const dimensionsInput = z
  .looseObject({ length: words(30).optional(), width: words(30).optional(), height: words(30).optional() })
  .optional()

export const image = z.object({
  id: z.number(),
  ...createdAndModified,
  src: z.string(),
  name: z.string(),
  alt: z.string(),
})

/** An image of the library by its id, or one to fetch. */
export const imageInput = z.looseObject({
  id: idOrNone.optional(),
  src: words(2000).optional(),
  name: words(500).optional(),
  alt: words(1000).optional(),
})

export type ImageInput = z.output<typeof imageInput>

export const download = z.object({ id: z.string(), name: z.string(), file: z.string() })

export const downloadInput = z
  .array(z.looseObject({ id: words(100).optional(), name: words(200).optional(), file: words(2000) }))
  .max(100)
  .optional()

/** Members of products and variations that are written alike. */
export const sellableInput = {
  sku: words(200).optional(),
  global_unique_id: words(100).optional(),
  description: longText.optional(),
  regular_price: words(30).optional(),
  sale_price: words(30).optional(),
  date_on_sale_from: optionalMoment,
  date_on_sale_from_gmt: optionalMoment,
  date_on_sale_to: optionalMoment,
  date_on_sale_to_gmt: optionalMoment,
  virtual: flag.optional(),
  downloadable: flag.optional(),
  downloads: downloadInput,
  download_limit: integer.nullish(),
  download_expiry: integer.nullish(),
  tax_status: z.enum(['taxable', 'shipping', 'none']).optional(),
  tax_class: words(100).optional(),
  stock_quantity: integer.nullish(),
  stock_status: z.enum(['instock', 'outofstock', 'onbackorder']).optional(),
  backorders: z.enum(['no', 'notify', 'yes']).optional(),
  low_stock_amount: z.preprocess((given) => (given === '' ? null : given), integer.min(0).nullish()),
  weight: words(30).optional(),
  dimensions: dimensionsInput,
  shipping_class: words(100).optional(),
  menu_order: integer.optional(),
  meta_data: metaInput,
}

export type SellableInput = z.output<z.ZodObject<typeof sellableInput>>

/** Members of products and variations that are read alike. */
export const sellable = {
  sku: z.string(),
  global_unique_id: z.string(),
  price: z.string(),
  regular_price: z.string(),
  sale_price: z.string(),
  date_on_sale_from: moment,
  date_on_sale_from_gmt: moment,
  date_on_sale_to: moment,
  date_on_sale_to_gmt: moment,
  on_sale: z.boolean(),
  purchasable: z.boolean(),
  virtual: z.boolean(),
  downloadable: z.boolean(),
  downloads: z.array(download),
  download_limit: z.number(),
  download_expiry: z.number(),
  tax_status: z.enum(['taxable', 'shipping', 'none']),
  tax_class: z.string(),
  stock_quantity: z.number().nullable(),
  stock_status: z.enum(['instock', 'outofstock', 'onbackorder']),
  backorders: z.enum(['no', 'notify', 'yes']),
  backorders_allowed: z.boolean(),
  backordered: z.boolean(),
  low_stock_amount: z.number().nullable(),
  weight: z.string(),
  dimensions,
  shipping_class: z.string(),
  shipping_class_id: z.number(),
  menu_order: z.number(),
  meta_data: metaData,
}
