import type { z } from 'zod'
import { type V3Variation, v3Variation, v3VariationInput, v3VariationsInput } from '#contract/catalog/v3-variations.ts'
import { findRestProducts, listRestProducts } from '#database/catalog/rest-products.ts'
import { deleteProduct, trashProduct } from '#shop/catalog/delete-product.ts'
import { saveVariation } from '#shop/catalog/save/save-product.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { unknownId } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { filterOf, placesOf, productLinks, savedId, variationRecords } from './product-facts.tsx'
import { alreadyTrashed } from './products.ts'

const unknown = () => unknownId('product_variation')

/** Lists variations: of the product in the path, or of all products. */
async function list(context: V3Context, query: z.output<typeof v3VariationsInput>) {
  const { total, ids } = await listRestProducts(
    context.tools.db.kysely,
    {
      ...filterOf(context, query),
      kind: 'variations',
      hasPrice: query.has_price ?? null,
      parents: query.product_id === undefined ? query.parent : [query.product_id],
      withoutParents: query.parent_exclude,
    },
    {
      sort: query.orderby,
      descending: query.order === 'desc',
      limit: query.per_page,
      offset: query.offset ?? query.per_page * (query.page - 1),
    },
  )
  const meta = { include: query.include_meta, exclude: query.exclude_meta }
  return { total, records: await variationRecords(context, ids, meta) }
}

/** Returns a variation of the product in the path. @throws V3Error 404 */
async function variationOf(context: V3Context, id: number): Promise<V3Variation> {
  const [record] = await variationRecords(context, [id])
  if (!record || record.parent_id !== Number(context.path.product_id)) throw unknown()
  return record
}

/** @throws V3Error 404 unless the product in the path exists */
async function requireProduct(context: V3Context, id: number): Promise<void> {
  const [product] = await findRestProducts(context.tools.db.kysely, [id])
  if (!product || product.type === 'variation') throw unknownId('product')
}

/** `wc/v3/products/{product_id}/variations` */
const ofProduct = v3Resource({
  path: 'products/:product_id/variations',
  title: 'product variation',
  item: v3Variation,
  list: {
    query: v3VariationsInput,
    async run(context, query) {
      await requireProduct(context, Number(context.path.product_id))
      return list(context, query)
    },
  },
  get: variationOf,
  create: {
    input: v3VariationInput,
    async run(context, input) {
      const id = savedId(await saveVariation(context.tools, placesOf(context), null, input), 'product_variation')
      return variationOf(context, id)
    },
  },
  update: {
    input: v3VariationInput,
    async run(context, id, input) {
      const saved = savedId(await saveVariation(context.tools, placesOf(context), id, input), 'product_variation')
      return variationOf(context, saved)
    },
  },
  remove: {
    trash: true,
    async run(context, id, { force }) {
      const record = await variationOf(context, id)
      if (force) {
        if (!(await deleteProduct(context.tools, id))) throw unknown()
        return record
      }
      if (record.status === 'trash') throw alreadyTrashed('variation')
      if (!(await trashProduct(context.tools, id))) throw unknown()
      return variationOf(context, id)
    },
  },
  batch: true,
  links: productLinks,
})

/** `GET wc/v3/variations`: the variations of all products. */
const ofAll = v3Resource({
  path: 'variations',
  title: 'variation of any product',
  item: v3Variation,
  list: { query: v3VariationsInput, run: list },
  async get(context, id: number) {
    const [record] = await variationRecords(context, [id])
    const [row] = await findRestProducts(context.tools.db.kysely, [id])
    if (!record || row?.type !== 'variation') throw unknown()
    return record
  },
  links: productLinks,
})

export const v3VariationCalls = [...ofProduct, ...ofAll]
