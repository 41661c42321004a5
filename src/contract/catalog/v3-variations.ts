import { z } from 'zod'
import { idInput as id } from '../shared/number-text.ts'
import { flag, listOf } from '../shared/rest-input.ts'
import { productFilters } from './v3-products.ts'
import { createdAndModified, idOrNone, image, imageInput, sellable, sellableInput, words } from './v3-shapes.ts'

/** `wc/v3/products/{product_id}/variations/{id}` */
export const v3Variation = z.object({
  id: z.number(),
  type: z.literal('variation'),
  name: z.string(),
  parent_id: z.number(),
  permalink: z.string(),
  ...createdAndModified,
  status: z.enum(['publish', 'private', 'draft', 'trash']),
  description: z.string(),
  ...sellable,
  /** `parent`: the stock of the product counts. */
  manage_stock: z.union([z.boolean(), z.literal('parent')]),
  image: image.nullable(),
  attributes: z.array(z.object({ id: z.number(), name: z.string(), slug: z.string(), option: z.string() })),
})
export type V3Variation = z.output<typeof v3Variation>

/** `GET wc/v3/products/{product_id}/variations` and `GET wc/v3/variations` */
export const v3VariationsInput = z.object({
  ...productFilters,
  orderby: productFilters.orderby.removeDefault().default('menu_order'),
  order: productFilters.order.removeDefault().default('asc'),
  product_id: id.optional(),
  parent: listOf(id).default([]),
  parent_exclude: listOf(id).default([]),
  has_price: flag.optional(),
})

/** `POST wc/v3/products/{product_id}/variations` and `PUT …/{id}`. Absent members stay unchanged. */
export const v3VariationInput = z.looseObject({
  ...sellableInput,
  product_id: id,
  status: z.enum(['publish', 'private', 'draft', 'pending', 'future', 'trash']).optional(),
  manage_stock: z.union([z.literal('parent'), flag]).optional(),
  image: z.preprocess((given) => (given === '' ? null : given), imageInput.nullable()).optional(),
  attributes: z
    .array(z.looseObject({ id: idOrNone.optional(), name: words(200).optional(), option: words(200).default('') }))
    .max(100)
    .optional(),
})
export type V3VariationInput = z.output<typeof v3VariationInput>
