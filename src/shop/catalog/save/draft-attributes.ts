import type { Transaction } from 'kysely'
import type { RowAttribute } from '#contract/import/product-csv-lists.ts'
import {
  changeProductName,
  findProductAttributes,
  findShopAttributes,
  type ShopAttribute,
  type StoredProductAttribute,
  setVariationChoices,
} from '#database/catalog/product-changes.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { attributesOfProducts } from '#database/import/parent-attributes.ts'
import {
  markVariationAttributes,
  type ProductAttributeRow,
  setAttributes,
  setVariationAttributes,
} from '#database/import/write-relations.ts'
import { attributeSlugs } from '../../import/product-terms.ts'
import { chosenValues } from '../../import/product-variations.ts'
import type { Tools } from '../../shared/tools.ts'
import type { RelationTarget } from './draft-relations.ts'
import type { ProductDraft } from './product-draft.ts'
import { refusedParameter } from './save-refused.ts'

type Tx = Transaction<Schema>
type Wanted = ProductAttributeRow & { readonly forVariations: boolean }

/** Replaces attributes and default choices of a product. @returns its id if anything changed @throws SaveRefused */
export async function writeAttributes(
  { db, settings }: Pick<Tools, 'db' | 'settings'>,
  tx: Tx,
  target: RelationTarget,
): Promise<number[]> {
  const { id, draft } = target
  if (!draft.attributes && !draft.defaults) return []
  const stored = await findProductAttributes(tx, id)
  const shared = await findShopAttributes(
    tx,
    (draft.attributes ?? []).flatMap(({ id: attribute }) => attribute || []),
  )
  const slugOf = await attributeSlugs(db.sql, settings.language)
  const wanted = draft.attributes ? [] : stored.map((row) => storedRow(id, row))
  // One at a time: each may make terms.
  for (const [index, given] of (draft.attributes ?? []).entries()) {
    wanted.push(await wantedRow(tx, target, { given, index, shared, slugOf }))
  }
  const twice = wanted.find(({ slug }, index) => wanted.findIndex((other) => other.slug === slug) < index)
  if (twice) throw refusedParameter('attributes', `${twice.name} is given twice`)
  const rows: Wanted[] = []
  for (const row of wanted) rows.push(await withPreset(tx, row, draft.defaults, stored))
  const changed = await setAttributes(tx, [id], rows)
  const choices = rows.filter(({ forVariations }) => forVariations).map(({ slug }) => slug)
  const rechosen = await setVariationChoices(tx, id, choices)
  return rechosen ? [...changed, id] : changed
}

function storedRow(product: number, row: StoredProductAttribute): Wanted {
  const { position, attribute_id: attribute, name, slug, options, visible, default_option: preset } = row
  return { product, position, attribute, name, slug, options, visible, preset, forVariations: row.for_variations }
}

type Given = NonNullable<ProductDraft['attributes']>[number]

async function wantedRow(
  tx: Tx,
  { id, terms }: RelationTarget,
  {
    given,
    index,
    shared,
    slugOf,
  }: { given: Given; index: number; shared: readonly ShopAttribute[]; slugOf: (name: string) => string },
): Promise<Wanted> {
  const { position = index, visible = false, variation: forVariations = false } = given
  const values = [...new Set((given.options ?? []).filter((option) => option !== ''))]
  const common = { product: id, position, visible, forVariations, preset: '' }
  if (!given.id) {
    const name = given.name ?? ''
    const slug = slugOf(name).slice(0, 100)
    if (slug === '') throw refusedParameter('attributes', 'each needs an id, or a name with a letter or a digit')
    return { ...common, attribute: null, name, slug, options: values }
  }
  const attribute = shared.find((one) => one.id === given.id)
  if (!attribute) throw refusedParameter('attributes', `there is none with the id ${given.id}`)
  const slug = `pa_${attribute.slug}`
  const names = values.map((value) => nameOf(attribute, value))
  await terms.findTerms(tx, slug, attribute.name, names)
  const options = [...new Set(names.map((name) => terms.termSlug(slug, name)))]
  return { ...common, attribute: attribute.id, name: attribute.name, slug, options }
}

/** Programs name a term by its name or its slug. */
function nameOf({ terms }: ShopAttribute, value: string): string {
  const hasName = terms.some(({ name }) => name.toLowerCase() === value.toLowerCase())
  return hasName ? value : (terms.find(({ slug }) => slug === value)?.name ?? value)
}

async function withPreset(
  tx: Tx,
  row: Wanted,
  defaults: ProductDraft['defaults'],
  stored: readonly StoredProductAttribute[],
): Promise<Wanted> {
  if (!defaults) {
    const kept = stored.find(({ slug }) => slug === row.slug)?.default_option ?? ''
    return { ...row, preset: row.options.includes(kept) ? kept : '' }
  }
  const given = defaults.find(({ id, name = '' }) =>
    id ? id === row.attribute : name.toLowerCase() === row.name.toLowerCase() || name === row.slug,
  )
  if (!given || given.option === '') return { ...row, preset: '' }
  const [attribute] = row.attribute === null ? [] : await findShopAttributes(tx, [row.attribute])
  const names = new Map(attribute?.terms.map(({ name, slug }) => [slug, name.toLowerCase()]))
  const option = given.option.toLowerCase()
  const preset = row.options.find((value) => value.toLowerCase() === option || names.get(value) === option)
  if (preset === undefined) throw refusedParameter('default_attributes', `${given.option} is not among the options`)
  return { ...row, preset }
}

/** Sets the fixed values of a variation; other attributes of its product are open. @throws SaveRefused */
export async function writeChoices(tx: Tx, { id, parent, draft, isNew }: RelationTarget): Promise<number[]> {
  if (!parent || (!draft.chosen && !isNew)) return []
  const own = await findProductAttributes(tx, parent.id)
  const options = (await attributesOfProducts(tx, [parent.id])).get(parent.id) ?? []
  const given: RowAttribute[] = (draft.chosen ?? []).map(({ id: attribute, name = '', option }) => {
    const row = own.find((one) =>
      attribute ? one.attribute_id === attribute : one.name.toLowerCase() === name.toLowerCase() || one.slug === name,
    )
    if (!row) throw refusedParameter('attributes', `the product has no attribute ${attribute || name}`)
    return { name: row.name, slug: row.slug, values: [option], visible: true, global: false, preset: '' }
  })
  const values = options.map(({ slug, options: all }) => ({
    slug,
    // By name and by slug, the name first.
    values: new Map([
      ...all.map(({ value }) => [value.toLowerCase(), value] as const),
      ...all.map(({ value, label }) => [label.toLowerCase(), value] as const),
    ]),
  }))
  const { values: chosen, faults } = chosenValues(values, given)
  const [fault] = faults
  if (fault) throw refusedParameter('attributes', `${fault.attribute} ${fault.value}: ${fault.problem}`)
  const open = own.filter((row) => row.for_variations && !chosen.some(({ slug }) => slug === row.slug))
  const rows = [...chosen, ...open.map(({ slug }) => ({ slug, value: '' }))]
  const changed = await setVariationAttributes(
    tx,
    [id],
    rows.map((row) => ({ product: id, ...row })),
  )
  const labels = own.flatMap(({ slug }) => {
    const value = chosen.find((one) => one.slug === slug)?.value
    const label = options.find((one) => one.slug === slug)?.options.find((one) => one.value === value)?.label
    return value ? [label ?? value] : []
  })
  await changeProductName(tx, id, labels.length > 0 ? `${parent.name} - ${labels.join(', ')}` : parent.name)
  const marked = await markVariationAttributes(tx, [parent.id])
  return [...changed, ...marked]
}
