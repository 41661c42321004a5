import { z } from 'zod'
import { idInput as id } from '../shared/number-text.ts'
import { flag, listOf, paging, recordShape } from '../shared/rest-input.ts'
import { idOrNone, image, imageInput, integer, longText, words } from './v3-shapes.ts'

/** Categories, tags, brands, shipping classes, attributes and their terms in REST v3. */

const name = words(200).pipe(z.string().min(1))

/** Parameters of each list of terms. */
const termFilters = {
  ...paging,
  ...recordShape,
  search: words(200).default(''),
  include: listOf(id).default([]),
  exclude: listOf(id).default([]),
  order: z.enum(['asc', 'desc']).default('asc'),
  hide_empty: flag.default(false),
  /** Only terms of this product. */
  product: id.optional(),
  slug: listOf(words(200)).default([]),
}

const orderBy = z.enum(['id', 'include', 'name', 'slug', 'term_group', 'description', 'count', 'menu_order'])

const common = { id: z.number(), name: z.string(), slug: z.string(), description: z.string(), count: z.number() }

/** `wc/v3/products/categories/{id}` and `wc/v3/products/brands/{id}` */
export const v3Category = z.object({
  ...common,
  parent: z.number(),
  display: z.literal('default'),
  image: image.nullable(),
  menu_order: z.number(),
})
export type V3Category = z.output<typeof v3Category>

export const v3CategoriesInput = z.object({
  ...termFilters,
  orderby: orderBy.default('name'),
  /** 0: top ones only. */
  parent: idOrNone.optional(),
})

const writtenCategory = {
  slug: words(200).optional(),
  parent: idOrNone.optional(),
  description: longText.optional(),
  image: z.preprocess((given) => (given === '' ? null : given), imageInput.nullable()).optional(),
  menu_order: integer.optional(),
}
export const v3NewCategory = z.looseObject({ ...writtenCategory, name })
export const v3CategoryChange = z.looseObject({ ...writtenCategory, name: name.optional() })
export type V3CategoryInput = z.output<typeof v3CategoryChange>

/** `wc/v3/products/tags/{id}` and `wc/v3/products/shipping_classes/{id}` */
export const v3Tag = z.object(common)
export type V3Tag = z.output<typeof v3Tag>

export const v3TagsInput = z.object({ ...termFilters, orderby: orderBy.default('name') })

const writtenTag = { slug: words(200).optional(), description: longText.optional() }
export const v3NewTag = z.looseObject({ ...writtenTag, name })
export const v3TagChange = z.looseObject({ ...writtenTag, name: name.optional() })

/** `wc/v3/products/attributes/{id}`; the slug begins with `pa_`. */
export const v3Attribute = z.object({
  id: z.number(),
  name: z.string(),
  slug: z.string(),
  type: z.literal('select'),
  order_by: z.enum(['menu_order', 'name', 'name_num', 'id']),
  has_archives: z.boolean(),
})
export type V3Attribute = z.output<typeof v3Attribute>

export const v3AttributesInput = z.object({ ...paging, ...recordShape })

const writtenAttribute = {
  slug: words(100).optional(),
  order_by: z.enum(['menu_order', 'name', 'name_num', 'id']).optional(),
  /** Known in the interface; this shop has one type, and its archives are the filters of listings. */
  type: words(50).optional(),
  has_archives: flag.optional(),
}
export const v3NewAttribute = z.looseObject({ ...writtenAttribute, name })
export const v3AttributeChange = z.looseObject({ ...writtenAttribute, name: name.optional() })

/** `wc/v3/products/attributes/{attribute_id}/terms/{id}` */
export const v3AttributeTerm = z.object({ ...common, menu_order: z.number() })
export type V3AttributeTerm = z.output<typeof v3AttributeTerm>

export const v3AttributeTermsInput = z.object({ ...termFilters, orderby: orderBy.default('name'), attribute_id: id })

const writtenTerm = { ...writtenTag, menu_order: integer.optional(), attribute_id: id }
export const v3NewAttributeTerm = z.looseObject({ ...writtenTerm, name })
export const v3AttributeTermChange = z.looseObject({ ...writtenTerm, name: name.optional() })
