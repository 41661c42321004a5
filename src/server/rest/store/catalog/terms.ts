import { z } from 'zod'
import { storeNoInput } from '#contract/cart/store-cart.ts'
import { attributeParameter } from '#contract/catalog/listing-query.ts'
import {
  type StoreFiledTermRecord,
  type StoreTermRecord,
  type StoreTermsInput,
  storeAttribute,
  storeAttributeTermsInput,
  storeFiledTerm,
  storeIdInput,
  storeTerm,
  storeTermsInput,
} from '#contract/catalog/store-terms.ts'
import { urls } from '#contract/shared/urls.ts'
import {
  attributeTerms,
  categoryImageIds,
  reviewCounts,
  storeBrands,
  storeImages,
  tagDescriptions,
} from '#database/catalog/store-terms.ts'
import { productsWith, termCounts } from '#domain/catalog/product-index.ts'
import { type Catalog, cachedCatalog, listingClauses } from '#shop/catalog/cached-catalog.ts'
import { brandFacet } from '#shop/catalog/catalog-terms.ts'
import { categoryTerm } from '#shop/catalog/catalog-tree.ts'
import { localizeFacts } from '#shop/translation/localize-facts.ts'
import type { Visit } from '../../../http/visit.ts'
import { escapeHtml } from '../../../notices/cart-notices.tsx'
import { pagingHeaders } from '../../pagination-headers.ts'
import { type StoreAnswer, type StoreContext, storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { storeImageOf } from '../shared/store-values.ts'

/** `products/attributes` */
export const storeAttributesCall = storeCall({
  name: 'products/attributes',
  method: 'GET',
  summary: 'List the attributes of all products',
  tag: 'products',
  about: 'catalogue',
  input: storeNoInput,
  output: z.array(storeAttribute),
  answer: async ({ tools }) => ({ body: await attributeRecords(tools) }),
})

/** `products/attributes/<id>` */
export const storeAttributeCall = storeCall({
  name: 'products/attributes/:id',
  method: 'GET',
  summary: 'Read an attribute',
  tag: 'products',
  about: 'catalogue',
  input: storeIdInput,
  output: storeAttribute,
  async answer({ tools }, { id }) {
    const record = (await attributeRecords(tools)).find((one) => one.id === id)
    if (!record) throw unknownTerm('Attribute does not exist.')
    return { body: record }
  },
})

/** `products/attributes/<id>/terms` */
export const storeAttributeTermsCall = storeCall({
  name: 'products/attributes/:id/terms',
  method: 'GET',
  summary: 'List the terms of an attribute',
  tag: 'products',
  about: 'catalogue',
  input: storeAttributeTermsInput,
  output: z.array(storeTerm),
  async answer({ visit, tools }, query) {
    const [rows, catalog] = await Promise.all([attributeTerms(tools.db.sql, query.id), cachedCatalog(tools)])
    if (!rows) throw unknownTerm('Attribute does not exist.')
    const attribute = catalog.book.attributes.find(({ id }) => id === query.id)
    const countOf = countsIn(tools, catalog, attribute?.values.map(({ term }) => term) ?? [])
    const records = await localizeFacts(tools, (say) =>
      rows.map(({ id, name, slug, description }) => ({
        id,
        name: escapeHtml(say.text(name)),
        slug,
        description: say.markup(description),
        parent: 0,
        count: countOf(attribute?.values.find((value) => value.slug === slug)?.term),
      })),
    )
    return termPage(visit, query, records)
  },
})

/** `products/categories` */
export const storeCategoriesCall = storeCall({
  name: 'products/categories',
  method: 'GET',
  summary: 'List categories',
  tag: 'products',
  about: 'catalogue',
  input: storeTermsInput,
  output: z.array(storeFiledTerm),
  answer: async ({ visit }, query) => termPage(visit, query, await categoryRecords(visit)),
})

/** `products/categories/<id>` */
export const storeCategoryCall = storeCall({
  name: 'products/categories/:id',
  method: 'GET',
  summary: 'Read a category',
  tag: 'products',
  about: 'catalogue',
  input: storeIdInput,
  output: storeFiledTerm,
  async answer({ visit }, { id }) {
    const record = (await categoryRecords(visit)).find((one) => one.id === id)
    if (!record) throw unknownTerm('Category does not exist.')
    return { body: record }
  },
})

/** `products/tags` */
export const storeTagsCall = storeCall({
  name: 'products/tags',
  method: 'GET',
  summary: 'List tags',
  tag: 'products',
  about: 'catalogue',
  input: storeTermsInput,
  output: z.array(storeFiledTerm),
  answer: async ({ visit }, query) => termPage(visit, query, await tagRecords(visit)),
})

/** `products/brands` */
export const storeBrandsCall = storeCall({
  name: 'products/brands',
  method: 'GET',
  summary: 'List brands',
  tag: 'products',
  about: 'catalogue',
  input: storeTermsInput,
  output: z.array(storeFiledTerm),
  answer: async ({ visit }, query) => termPage(visit, query, await brandRecords(visit)),
})

/** `products/brands/<id>` */
export const storeBrandCall = storeCall({
  name: 'products/brands/:id',
  method: 'GET',
  summary: 'Read a brand',
  tag: 'products',
  about: 'catalogue',
  input: storeIdInput,
  output: storeFiledTerm,
  async answer({ visit }, { id }) {
    const record = (await brandRecords(visit)).find((one) => one.id === id)
    if (!record) throw unknownTerm('Brand does not exist.')
    return { body: record }
  },
})

type Tools = StoreContext['tools']

const unknownTerm = (message: string) => new StoreError(404, 'woocommerce_rest_term_invalid', message)

async function attributeRecords(tools: Tools) {
  const { book } = await cachedCatalog(tools)
  return localizeFacts(tools, (say) =>
    book.attributes.map(({ id, slug, label, values }) => ({
      id,
      name: escapeHtml(say.text(label)),
      taxonomy: `pa_${slug}`,
      type: 'select',
      order: 'menu_order',
      has_archives: false,
      count: values.length,
    })),
  )
}

/** Returns the number of listed products by term. */
function countsIn({ settings }: Tools, { index }: Catalog, terms: readonly number[]) {
  const counts = termCounts(index, productsWith(index, listingClauses(settings.hideOutOfStock)), terms)
  return (term: number | undefined) => (term === undefined ? 0 : (counts[term] ?? 0))
}

async function categoryRecords(visit: Visit): Promise<StoreFiledTermRecord[]> {
  const { tools } = visit.app
  const { sql } = tools.db
  const [{ tree }, reviews, imageIds] = await Promise.all([
    cachedCatalog(tools),
    reviewCounts(sql, 'category'),
    categoryImageIds(sql),
  ])
  const images = await storeImages(sql, [...imageIds.values()])
  return localizeFacts(tools, (say) =>
    tree.all.map((category) => {
      const image = images.get(imageIds.get(category.id) ?? 0)
      return {
        id: category.id,
        name: escapeHtml(say.text(category.name)),
        slug: category.slug,
        description: say.markup(category.description),
        parent: category.parentId ?? 0,
        count: category.count,
        image: image ? storeImageOf(visit, { ...image, alt: say.text(image.alt) }) : null,
        review_count: reviews.get(category.id) ?? 0,
        permalink: tools.publicUrl + visit.path(categoryTerm(tree, category).url),
      }
    }),
  )
}

async function tagRecords(visit: Visit): Promise<StoreFiledTermRecord[]> {
  const { tools } = visit.app
  const { sql } = tools.db
  const [catalog, reviews, descriptions] = await Promise.all([
    cachedCatalog(tools),
    reviewCounts(sql, 'tag'),
    tagDescriptions(sql),
  ])
  const { tags } = catalog.book
  const countOf = countsIn(
    tools,
    catalog,
    tags.map(({ term }) => term),
  )
  return localizeFacts(tools, (say) =>
    tags.map(({ id, name, slug, term }) => ({
      id,
      name: escapeHtml(say.text(name)),
      slug,
      description: say.markup(descriptions.get(id) ?? ''),
      parent: 0,
      count: countOf(term),
      image: null,
      review_count: reviews.get(id) ?? 0,
      permalink: tools.publicUrl + visit.path(urls.tag(encodeURIComponent(slug))),
    })),
  )
}

async function brandRecords(visit: Visit): Promise<StoreFiledTermRecord[]> {
  const { tools } = visit.app
  const { sql } = tools.db
  const rows = await storeBrands(sql)
  const images = await storeImages(
    sql,
    rows.flatMap(({ imageId }) => imageId ?? []),
  )
  return localizeFacts(tools, (say) =>
    rows.map(({ id, parentId, name, slug, description, count, reviewCount, imageId }) => {
      const image = images.get(imageId ?? 0)
      return {
        id,
        name: escapeHtml(say.text(name)),
        slug,
        description: say.markup(description),
        parent: parentId ?? 0,
        count,
        image: image ? storeImageOf(visit, image) : null,
        review_count: reviewCount,
        // Brands have no page of their own: the link is the list of their products.
        permalink: tools.publicUrl + visit.path(urls.shop({ [attributeParameter(brandFacet)]: slug })),
      }
    }),
  )
}

/** Filters, sorts and cuts a list of terms. Without `per_page` it is whole. */
function termPage(visit: Visit, query: StoreTermsInput, records: readonly StoreTermRecord[]): StoreAnswer {
  const { search, include, exclude, parent, hide_empty: hidesEmpty, orderby, order, page, per_page: perPage } = query
  const wanted = search.toLowerCase()
  const found = records
    .filter(({ id, name, count, ...term }) => {
      if (hidesEmpty && count === 0) return false
      if (parent !== undefined && term.parent !== parent) return false
      if (include.length > 0 && !include.includes(id)) return false
      return !exclude.includes(id) && name.toLowerCase().includes(wanted)
    })
    .toSorted((a, b) => (orderby === 'count' ? a.count - b.count : a[orderby].localeCompare(b[orderby])) || a.id - b.id)
  const sorted = order === 'desc' ? found.toReversed() : found
  const total = sorted.length
  if (perPage === 0)
    return { body: sorted, headers: pagingHeaders(visit, { page: 1, perPage: Math.max(1, total), total }) }
  const start = (page - 1) * perPage
  return { body: sorted.slice(start, start + perPage), headers: pagingHeaders(visit, { page, perPage, total }) }
}
