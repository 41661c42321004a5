import type { z } from 'zod'
import {
  type V3Category,
  type V3CategoryInput,
  type V3Tag,
  v3CategoriesInput,
  v3Category,
  v3CategoryChange,
  v3NewCategory,
  v3NewTag,
  v3Tag,
  v3TagChange,
  v3TagsInput,
} from '#contract/catalog/v3-terms.ts'
import { findTerm, listTerms, type TermKind, type TermRow } from '#database/catalog/term-rows.ts'
import {
  changeTerm,
  createTerm,
  removeTerm,
  type TermInput,
  type TermRefusal,
  type TermResult,
} from '#shop/catalog/manage-terms.ts'
import { imageAddress, imageName } from '#shop/catalog/rest-product.ts'
import { fetchImages } from '#shop/catalog/save/draft-files.ts'
import { SaveRefused } from '#shop/catalog/save/save-refused.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { placesOf } from './product-facts.tsx'

type TreeKind = 'categories' | 'brands'
type FlatKind = 'tags' | 'shipping_classes'

export const unknownTerm = () => new V3Error(404, 'woocommerce_rest_term_invalid', 'Resource does not exist.')

export const termExists = (id: number) =>
  new V3Error(400, 'term_exists', 'A term with the name provided already exists with this parent.', undefined, {
    resource_id: id,
  })

/** Options of a page of terms in the database. */
export function termPage({
  orderby,
  order,
  per_page: limit,
  page,
  offset = limit * (page - 1),
}: Pick<z.output<typeof v3TagsInput>, 'orderby' | 'order' | 'per_page' | 'page' | 'offset'>) {
  // Terms have no groups here.
  return { sort: orderby === 'term_group' ? 'id' : orderby, descending: order === 'desc', limit, offset } as const
}

/** Filters that all lists of terms have. */
export function termFilter(query: z.output<typeof v3TagsInput>) {
  const { search, include, exclude, slug: slugs, hide_empty: hideEmpty, product = null } = query
  return { search, include, exclude, slugs, hideEmpty, product }
}

/** Declares a group of terms that form a tree and have images: categories, brands. */
export function treeTerms(kind: TreeKind, title: string) {
  return v3Resource({
    path: `products/${kind}`,
    title,
    item: v3Category,
    list: {
      query: v3CategoriesInput,
      async run(context, query) {
        const parent = query.parent === undefined ? undefined : query.parent || null
        const filter = { ...termFilter(query), parent }
        const { total, terms } = await listTerms(context.tools.db.kysely, kind, filter, termPage(query))
        return { total, records: terms.map((term) => categoryRecord(context, term)) }
      },
    },
    get: async (context, id: number) => categoryRecord(context, await termOf(context, kind, id)),
    create: {
      input: v3NewCategory,
      async run(context, input) {
        const written = { ...(await treeInput(context, input)), name: input.name }
        return categoryRecord(context, saved(await createTerm(context.tools, kind, written)))
      },
    },
    update: {
      input: v3CategoryChange,
      async run(context, id, input) {
        await termOf(context, kind, id)
        const written = { ...(await treeInput(context, input)), name: input.name }
        return categoryRecord(context, saved(await changeTerm(context.tools, kind, id, written)))
      },
    },
    remove: {
      trash: false,
      run: async (context, id) => categoryRecord(context, saved(await removeTerm(context.tools, kind, id))),
    },
    batch: true,
    links: ({ parent }: V3Category) =>
      parent === 0 ? {} : { up: [{ href: `wc/v3/products/${kind}/${parent}`, embeddable: true }] },
  })
}

/** Declares a group of terms with texts only: tags, shipping classes. */
export function flatTerms(kind: FlatKind, title: string) {
  return v3Resource({
    path: `products/${kind}`,
    title,
    item: v3Tag,
    list: {
      query: v3TagsInput,
      async run({ tools }, query) {
        const { total, terms } = await listTerms(tools.db.kysely, kind, termFilter(query), termPage(query))
        return { total, records: terms.map(tagRecord) }
      },
    },
    get: async (context, id: number) => tagRecord(await termOf(context, kind, id)),
    create: {
      input: v3NewTag,
      run: async ({ tools }, { name, slug, description }) =>
        tagRecord(saved(await createTerm(tools, kind, { name, slug, description }))),
    },
    update: {
      input: v3TagChange,
      run: async ({ tools }, id, { name, slug, description }) =>
        tagRecord(saved(await changeTerm(tools, kind, id, { name, slug, description }))),
    },
    remove: { trash: false, run: async ({ tools }, id) => tagRecord(saved(await removeTerm(tools, kind, id))) },
    batch: true,
  })
}

async function termOf({ tools }: V3Context, kind: TermKind, id: number): Promise<TermRow> {
  const term = await findTerm(tools.db.kysely, kind, id)
  if (!term) throw unknownTerm()
  return term
}

async function treeInput(context: V3Context, input: V3CategoryInput): Promise<TermInput> {
  const { slug, description, parent, menu_order: position, image } = input
  const imageId = image === undefined ? undefined : await imageOf(context, image)
  return { slug, description, parent, position, imageId }
}

/** Returns the id of an image of the library, or of one that is fetched. */
async function imageOf(
  context: V3Context,
  image: NonNullable<V3CategoryInput['image']> | null,
): Promise<number | null> {
  if (!image?.id && !image?.src) return null
  try {
    const fetched = await fetchImages(context.tools, placesOf(context), [image], '')
    return image.id || (fetched.get(image.src ?? '') ?? null)
  } catch (error) {
    if (!(error instanceof SaveRefused) || error.fault.reason !== 'image') throw error
    throw invalidParam('image', `${error.fault.source} ${error.fault.problem}`)
  }
}

function saved(result: TermResult): TermRow {
  if (result.ok) return result.term
  throw refusal(result)
}

function refusal(refused: TermRefusal): V3Error {
  switch (refused.reason) {
    case 'unknown':
      return unknownTerm()
    case 'exists':
      return termExists(refused.id)
    case 'unknown-parent':
      return invalidParam('parent', 'there is none with this id')
    case 'parent-below':
      return invalidParam('parent', 'must not be the term itself or one below it')
    case 'unknown-image':
      return invalidParam('image', 'there is none with this id')
    case 'slug-has-costs':
      return invalidParam('slug', 'shipping methods have costs for this class; change those first')
  }
}

const tagRecord = ({ id, name, slug, description, count }: TermRow): V3Tag => ({ id, name, slug, description, count })

/** The shop stores no times of an image. */
const noTimes = { date_created: null, date_created_gmt: null, date_modified: null, date_modified_gmt: null }

function categoryRecord({ tools }: V3Context, term: TermRow): V3Category {
  const { image } = term
  return {
    ...tagRecord(term),
    parent: term.parent_id ?? 0,
    display: 'default',
    image: image && {
      id: image.id,
      ...noTimes,
      src: imageAddress(tools, image),
      name: imageName(image),
      alt: image.alt,
    },
    menu_order: term.position,
  }
}
