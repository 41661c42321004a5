import { z } from 'zod'
import { type V3Product, v3Product, v3ProductInput, v3ProductsInput } from '#contract/catalog/v3-products.ts'
import { idInput } from '#contract/shared/number-text.ts'
import { listRestProducts } from '#database/catalog/rest-products.ts'
import { deleteProduct, trashProduct } from '#shop/catalog/delete-product.ts'
import { duplicateProduct } from '#shop/catalog/duplicate-product.ts'
import { saveProduct } from '#shop/catalog/save/save-product.ts'
import { v3Call } from '../resource/v3-call.ts'
import { unknownId, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { filterOf, placesOf, productLinks, productRecord, productRecords, savedId } from './product-facts.tsx'

/** `wc/v3/products` */
const group = v3Resource({
  path: 'products',
  title: 'product',
  item: v3Product,
  list: {
    query: v3ProductsInput,
    async run(context, query) {
      const shared = filterOf(context, query)
      const { total, ids } = await listRestProducts(
        context.tools.db.kysely,
        {
          ...shared,
          // In the interface, a list by SKU contains variations.
          kind: shared.skus.length > 0 ? 'both' : 'products',
          types: query.type ? [query.type] : query.include_types,
          withoutTypes: query.exclude_types,
          featured: query.featured ?? null,
          categories: query.category,
          tags: query.tag,
          brands: query.brand,
          shippingClasses: query.shipping_class,
          attribute:
            query.attribute && query.attribute_term.length > 0
              ? { slug: query.attribute, terms: query.attribute_term }
              : null,
          parents: query.parent,
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
      return { total, records: await productRecords(context.visit.app, ids, meta) }
    },
  },
  get: productRecord,
  create: {
    input: v3ProductInput,
    async run(context, input) {
      const id = savedId(await saveProduct(context.tools, placesOf(context), null, input), 'product')
      return productRecord(context, id)
    },
  },
  update: {
    input: v3ProductInput,
    async run(context, id, input) {
      const saved = savedId(await saveProduct(context.tools, placesOf(context), id, input), 'product')
      return productRecord(context, saved)
    },
  },
  remove: {
    trash: true,
    async run(context, id, { force }) {
      const record = await productRecord(context, id)
      if (force) {
        if (!(await deleteProduct(context.tools, id))) throw unknownId('product')
        return record
      }
      if (record.status === 'trash') throw alreadyTrashed('product')
      if (!(await trashProduct(context.tools, id))) throw unknownId('product')
      return productRecord(context, id)
    },
  },
  batch: true,
  links: (record: V3Product) => productLinks(record),
})

export const alreadyTrashed = (noun: string) =>
  new V3Error(410, 'woocommerce_rest_already_trashed', `The ${noun} has already been deleted.`)

/** `POST wc/v3/products/{id}/duplicate`: copies a product as a draft. */
const duplicate = v3Call({
  name: 'products/:id/duplicate',
  method: 'POST',
  tag: 'products',
  summary: 'Copy a product',
  input: z.looseObject({ id: idInput }),
  output: v3Product,
  async answer(context, { id }) {
    const copy = await duplicateProduct(context.tools, id)
    if (copy === null) throw unknownId('product')
    return Response.json(await productRecord(context, copy))
  },
})

export const v3ProductCalls = [...group, duplicate]
