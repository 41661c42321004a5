import {
  type V3Attribute,
  type V3AttributeTerm,
  v3Attribute,
  v3AttributeChange,
  v3AttributesInput,
  v3AttributeTerm,
  v3AttributeTermChange,
  v3AttributeTermsInput,
  v3NewAttribute,
  v3NewAttributeTerm,
} from '#contract/catalog/v3-terms.ts'
import {
  type AttributeRow,
  type AttributeTermRow,
  findAttribute,
  findAttributeTerm,
  listAttributes,
  listAttributeTerms,
} from '#database/catalog/attribute-rows.ts'
import {
  type AttributeResult,
  type AttributeTermResult,
  changeAttribute,
  changeAttributeTerm,
  createAttribute,
  createAttributeTerm,
  removeAttribute,
  removeAttributeTerm,
} from '#shop/catalog/manage-attributes.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { termExists, termFilter, termPage, unknownTerm } from './term-resource.ts'

const unknownAttribute = () => new V3Error(404, 'woocommerce_rest_taxonomy_invalid', 'Resource does not exist.')

/** `wc/v3/products/attributes` */
const attributes = v3Resource({
  path: 'products/attributes',
  title: 'product attribute',
  item: v3Attribute,
  list: {
    query: v3AttributesInput,
    async run({ tools }, { per_page: limit, page, offset = limit * (page - 1) }) {
      const { total, attributes } = await listAttributes(tools.db.kysely, { limit, offset })
      return { total, records: attributes.map(attributeRecord) }
    },
  },
  async get({ tools }, id: number) {
    const attribute = await findAttribute(tools.db.kysely, id)
    if (!attribute) throw unknownAttribute()
    return attributeRecord(attribute)
  },
  create: {
    input: v3NewAttribute,
    run: async ({ tools }, { name, slug, order_by: sortOrder }) =>
      attributeRecord(savedAttribute(await createAttribute(tools, { name, slug, sortOrder }))),
  },
  update: {
    input: v3AttributeChange,
    run: async ({ tools }, id, { name, slug, order_by: sortOrder }) =>
      attributeRecord(savedAttribute(await changeAttribute(tools, id, { name, slug, sortOrder }))),
  },
  remove: {
    trash: false,
    run: async ({ tools }, id) => attributeRecord(savedAttribute(await removeAttribute(tools, id))),
  },
  batch: true,
})

function savedAttribute(result: AttributeResult): AttributeRow {
  if (result.ok) return result.attribute
  switch (result.reason) {
    case 'exists':
      throw new V3Error(
        400,
        'woocommerce_rest_cannot_create',
        'The name or the slug is used by another attribute.',
        undefined,
        { resource_id: result.id },
      )
    case 'no-slug':
      throw invalidParam('name', 'must hold a letter or a digit')
    case 'unknown':
    case 'unknown-attribute':
      throw unknownAttribute()
  }
}

function attributeRecord({ id, name, slug, sort_order }: AttributeRow): V3Attribute {
  return { id, name, slug: `pa_${slug}`, type: 'select', order_by: sort_order, has_archives: false }
}

const attributeIn = ({ path }: V3Context) => Number(path.attribute_id)

/** `wc/v3/products/attributes/{attribute_id}/terms` */
const terms = v3Resource({
  path: 'products/attributes/:attribute_id/terms',
  title: 'attribute term',
  item: v3AttributeTerm,
  list: {
    query: v3AttributeTermsInput,
    async run({ tools }, query) {
      const { kysely } = tools.db
      if (!(await findAttribute(kysely, query.attribute_id))) throw unknownAttribute()
      const page = termPage(query)
      const { total, terms } = await listAttributeTerms(kysely, query.attribute_id, termFilter(query), page)
      return { total, records: terms.map(termRecord) }
    },
  },
  async get(context, id: number) {
    const { kysely } = context.tools.db
    if (!(await findAttribute(kysely, attributeIn(context)))) throw unknownAttribute()
    const term = await findAttributeTerm(kysely, attributeIn(context), id)
    if (!term) throw unknownTerm()
    return termRecord(term)
  },
  create: {
    input: v3NewAttributeTerm,
    async run({ tools }, { attribute_id: attribute, name, slug, description, menu_order: position }) {
      return termRecord(savedTerm(await createAttributeTerm(tools, attribute, { name, slug, description, position })))
    },
  },
  update: {
    input: v3AttributeTermChange,
    async run({ tools }, id, { attribute_id: attribute, name, slug, description, menu_order: position }) {
      const change = { name, slug, description, position }
      return termRecord(savedTerm(await changeAttributeTerm(tools, attribute, id, change)))
    },
  },
  remove: {
    trash: false,
    run: async (context, id) =>
      termRecord(savedTerm(await removeAttributeTerm(context.tools, attributeIn(context), id))),
  },
  batch: true,
  links: (_, context) => ({
    up: [{ href: `wc/v3/products/attributes/${attributeIn(context)}`, embeddable: true }],
  }),
})

function savedTerm(result: AttributeTermResult): AttributeTermRow {
  if (result.ok) return result.term
  switch (result.reason) {
    case 'exists':
      throw termExists(result.id)
    case 'no-slug':
      throw invalidParam('name', 'must hold a letter or a digit')
    case 'unknown':
      throw unknownTerm()
    case 'unknown-attribute':
      throw unknownAttribute()
  }
}

function termRecord({ id, name, slug, description, position, count }: AttributeTermRow): V3AttributeTerm {
  return { id, name, slug, description, menu_order: position, count }
}

export const v3AttributeCalls = [...terms, ...attributes]
