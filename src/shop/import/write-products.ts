import type { Transaction } from 'kysely'
import type { ProductReference } from '#contract/import/product-csv-cells.ts'
import { type ProductRow, productRow, type RowType } from '#contract/import/product-csv-row.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import {
  type ExistingProduct,
  findProducts,
  insertProducts,
  newProductIds,
  recordStockCounts,
  touchProducts,
  updateProducts,
} from '#database/catalog/write-products.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { linkNewProducts, setLinkNames } from '#database/import/link-names.ts'
import { attributesOfProducts } from '#database/import/parent-attributes.ts'
import {
  markVariationAttributes,
  setBrands,
  setCategories,
  setLinks,
  setTags,
  setVariationAttributes,
} from '#database/import/write-relations.ts'
import type { ImportPlan } from './check-products.ts'
import { parentAttributes, referenceText } from './check-references.ts'
import { columnsOfRow, countedChange, newColumns } from './product-columns.ts'
import { ProductFileError } from './product-file-error.ts'
import { isOwnRow, keysOf, productFinder, rowIdKey, targetKey } from './product-identity.ts'
import { freeProductSlugs } from './product-slugs.ts'
import type { TermFinder } from './product-terms.ts'
import { chosenValues } from './product-variations.ts'
import type { CsvRow } from './read-product-rows.ts'
import { writeAttributes, writeImages } from './write-attributes-and-images.ts'

type Tx = Transaction<Schema>

/** The part of a plan that rows are written by. */
export type WritePlan = Pick<ImportPlan, 'layout' | 'rules' | 'ids' | 'shopMark' | 'otherIds'>

export type WriteContext = {
  readonly plan: WritePlan
  readonly images: ReadonlyMap<string, number>
  /** Stored paths of downloadable files, by their name in the rows. */
  readonly files: ReadonlyMap<string, string>
  readonly terms: TermFinder
  readonly skipExisting: boolean
  readonly now: Date
}

/** Ids of products by their result. */
export type BatchResult = {
  readonly created: readonly number[]
  readonly changed: readonly number[]
  readonly skipped: readonly number[]
}

type Entry = {
  readonly number: number
  readonly row: ProductRow
  readonly type: RowType
  readonly existing: ExistingProduct | undefined
  /** True if another product has the row's ID here. */
  readonly idTaken: boolean
  readonly parent: ExistingProduct | null
  readonly id: number
}

/** First pass: everything except variations. */
export async function writeProducts(tx: Tx, batch: readonly CsvRow[], context: WriteContext): Promise<BatchResult> {
  const rows = parseBatch(batch, context.plan)
  const { skus, ids: fileIds, importedIds } = keysOf(rows.map(({ row }) => row))
  const finder = productFinder(
    await findProducts(tx, skus, fileIds, { lock: true, anyCase: true, importedIds }),
    context.plan,
  )
  const found = rows
    .map(({ number, row }) => {
      return { number, row, existing: finder.find(row), idTaken: finder.byId(row) !== undefined, parent: null }
    })
    .filter(({ row, existing }) => (row.type ?? existing?.type) !== 'variation')
  return writeEntries(tx, found, context, async (entries, ids) => {
    const { images, terms, plan } = context
    const given = (field: 'categories' | 'tags' | 'brands') => (plan.layout.fields.has(field) ? ids : [])
    for (const kind of ['categories', 'brands'] as const) {
      await terms.findPaths(
        tx,
        kind,
        entries.flatMap(({ row }) => row[kind] ?? []),
      )
    }
    await terms.findTags(
      tx,
      entries.flatMap(({ row }) => row.tags ?? []),
    )
    for (const { row } of entries) {
      for (const { slug, name, values, global } of row.attributes ?? []) {
        if (global) await terms.findTerms(tx, slug, name, values)
      }
    }
    const filed = (kind: 'categories' | 'brands') =>
      entries.flatMap(({ id, row }) => (row[kind] ?? []).flatMap((path) => pair(id, terms.idOfPath(kind, path))))
    return [
      ...(await setCategories(tx, given('categories'), filed('categories'))),
      ...(await setBrands(tx, given('brands'), filed('brands'))),
      ...(await setTags(
        tx,
        given('tags'),
        entries.flatMap(({ id, row }) => (row.tags ?? []).flatMap((tag) => pair(id, terms.tagId(tag)))),
      )),
      ...(await writeImages(tx, entries, ids, images, plan)),
      ...(await writeAttributes(tx, entries, ids, terms, plan)),
    ]
  })
}

/** Second pass: variations, and links between existing products. `created` are those of this import. */
export async function writeReferences(
  tx: Tx,
  batch: readonly CsvRow[],
  context: WriteContext,
  created: ReadonlySet<number>,
): Promise<BatchResult> {
  const { plan, skipExisting } = context
  const rows = parseBatch(batch, plan)
  const references = rows.flatMap(({ row }) =>
    [row.parent, row.grouped, row.upsells, row.crosssells]
      .flat()
      .flatMap((reference) => (reference ? [{ reference, own: isOwnRow(row, plan) }] : [])),
  )
  const { skus, ids, importedIds } = keysOf(rows.map(({ row }) => row))
  const products = await findProducts(
    tx,
    [...skus, ...references.flatMap(({ reference: has }) => ('sku' in has ? [has.sku] : []))],
    [
      ...ids,
      ...references.flatMap(({ reference: has, own }) =>
        'id' in has ? [shopId(has.id, own, plan)].filter((id) => id !== null) : [],
      ),
    ],
    { lock: true, anyCase: true, importedIds },
  )
  const finder = productFinder(products, plan)
  const byKey = new Map<string, ExistingProduct>(
    products.flatMap((has) => [[`id:${has.id}`, has] as const, [`sku:${has.sku?.toLowerCase()}`, has] as const]),
  )
  const target = (reference: ProductReference, own: boolean) => {
    if (!('id' in reference)) return byKey.get(targetKey(reference, own)) ?? null
    const id = shopId(reference.id, own, plan)
    return (id === null ? null : byKey.get(`id:${id}`)) ?? null
  }

  const found = rows.map(({ number, row }) => {
    return { number, row, existing: finder.find(row), idTaken: finder.byId(row) !== undefined }
  })
  const variations = found
    .filter(({ row, existing }) => (row.type ?? existing?.type) === 'variation')
    .map((entry) => ({ ...entry, parent: parentOf(entry.row, entry.existing) }))
  const written = await writeEntries(tx, variations, context, (entries, entryIds) =>
    writeVariations(tx, entries, entryIds, context),
  )

  const others = found.flatMap(({ row, existing }) =>
    existing && existing.type !== 'variation' && (!skipExisting || created.has(existing.id))
      ? [{ row, id: existing.id }]
      : [],
  )
  const linked: number[] = []
  for (const [kind, field] of [
    ['grouped', 'grouped'],
    ['upsell', 'upsells'],
    ['crosssell', 'crosssells'],
  ] as const) {
    if (!plan.layout.fields.has(field)) continue
    const named = others.flatMap(({ id, row }) =>
      (row[field] ?? []).map((reference, position) => ({
        product: id,
        position,
        linked: target(reference, isOwnRow(row, plan))?.id ?? null,
        name: referenceText(reference),
      })),
    )
    const links = named.flatMap((link) => (link.linked === null ? [] : [{ ...link, linked: link.linked }]))
    await setLinkNames(
      tx,
      kind,
      others.map(({ id }) => id),
      named.filter(({ linked }) => linked === null).map(({ product, position, name }) => ({ product, position, name })),
    )
    linked.push(
      ...(await setLinks(
        tx,
        kind,
        others.map(({ id }) => id),
        links,
      )),
    )
  }
  await updateDerivedData(tx, linked, linked, context.now)
  return { ...written, changed: [...written.changed, ...linked] }

  function parentOf(row: ProductRow, existing: ExistingProduct | undefined): ExistingProduct | null {
    if (row.parent) return target(row.parent, isOwnRow(row, plan)) ?? throwMissing(row.parent)
    return existing ? (byKey.get(`id:${existing.parent_id}`) ?? null) : null
  }
}

async function writeVariations(
  tx: Tx,
  entries: readonly Entry[],
  ids: readonly number[],
  { plan, images }: WriteContext,
) {
  const changed = await writeImages(tx, entries, ids, images, plan)
  if (plan.layout.attributes.length === 0) return changed
  const parents = [...new Set(entries.flatMap(({ parent }) => (parent ? [parent.id] : [])))]
  const attributes = await attributesOfProducts(tx, parents)
  const choices = entries.flatMap(({ id, number, row, parent }) => {
    const { values, faults } = chosenValues(
      parentAttributes(attributes.get(parent?.id ?? 0) ?? []),
      row.attributes ?? [],
    )
    const [fault] = faults
    if (fault) throw new ProductFileError(number, `${fault.problem} (${fault.attribute}: ${fault.value})`)
    return values.map((value) => ({ product: id, ...value }))
  })
  return [
    ...changed,
    ...(await setVariationAttributes(tx, ids, choices)),
    ...(await markVariationAttributes(tx, [...new Set([...parents, ...parentsLeft(entries)])])),
  ]
}

type Found = Omit<Entry, 'id' | 'type'>

/** The common part of both passes: rows of `products`, then their related rows, then derived data. */
async function writeEntries(
  tx: Tx,
  found: readonly Found[],
  { plan, files, terms, skipExisting, now }: WriteContext,
  around: (entries: readonly Entry[], ids: readonly number[]) => Promise<readonly number[]>,
): Promise<BatchResult> {
  const skipped = skipExisting ? found.flatMap(({ existing }) => (existing ? [existing.id] : [])) : []
  const kept = skipExisting ? found.filter(({ existing }) => !existing) : found
  const givenId = ({ row, existing, idTaken }: Found) => existing?.id ?? (idTaken ? undefined : row.id)
  const fresh = await newProductIds(tx, kept.filter((entry) => givenId(entry) === undefined).length)
  const entries: Entry[] = kept.map((entry) => ({
    ...entry,
    type: entry.row.type ?? entry.existing?.type ?? 'simple',
    id: givenId(entry) ?? fresh.shift() ?? 0,
  }))
  for (const { id, row } of entries) {
    if (row.id !== undefined && (row.id !== id || !isOwnRow(row, plan)))
      plan.otherIds.set(rowIdKey(row.id, isOwnRow(row, plan)), id)
  }
  if (entries.length === 0) return { created: [], changed: [], skipped }
  const ids = entries.map(({ id }) => id)
  const columns = (entry: Entry) => columnsOfRow(writtenRow(entry), entry.type, entry.existing, entry.parent, files)

  const added = entries.filter(({ existing }) => !existing)
  const slugs = await freeSlugs(tx, added, terms)
  await insertProducts(
    tx,
    added.map((entry) => ({
      ...newColumns(columns(entry)),
      imported_id: isOwnRow(entry.row, plan) ? null : (entry.row.id ?? null),
      id: entry.id,
      slug: slugs.get(entry.id) ?? `product-${entry.id}`,
    })),
    now,
  )
  const present = entries.filter(({ existing }) => existing)
  const changed = await updateProducts(
    tx,
    present.map((entry) => ({ ...columns(entry), id: entry.id })),
    now,
  )
  await recordStockCounts(
    tx,
    entries
      .map(({ id, row, existing }) => ({ productId: id, change: countedChange(row, existing) }))
      .filter(({ change }) => change !== 0),
    now,
  )
  const moved = await around(entries, ids)
  const linking = await linkNewProducts(
    tx,
    added.map(({ id }) => id),
  )
  const all = [...new Set([...changed, ...moved])]
  const derived = [...added.map(({ id }) => id), ...all, ...parentsLeft(entries), ...linking]
  await updateDerivedData(tx, derived, [...moved, ...linking], now)
  return { created: added.map(({ id }) => id), changed: all, skipped }
}

/**
 * Returns the row as it is written: an SKU in another case stays as the shop has it, and a new variation without a name
 * gets one of its product and its values.
 */
function writtenRow({ row, existing, type, parent }: Entry): ProductRow {
  const sameSku = row.sku && existing?.sku && row.sku.toLowerCase() === existing.sku.toLowerCase()
  const kept = sameSku ? { ...row, sku: existing.sku } : row
  if (existing || type !== 'variation' || row.name) return kept
  const values = (row.attributes ?? []).flatMap(({ values: [value = ''] }) => (value === '' ? [] : [value]))
  return { ...kept, name: [parent?.name ?? '', values.join(', ')].filter((part) => part !== '').join(' - ') }
}

/** Returns the former parents of moved variations: their prices, stock and pages change without them. */
function parentsLeft(entries: readonly Entry[]): number[] {
  return entries.flatMap(({ existing, parent }) => {
    const before = existing?.parent_id ?? null
    return before !== null && parent && parent.id !== before ? [before] : []
  })
}

async function updateDerivedData(tx: Tx, affected: readonly number[], touched: readonly number[], now: Date) {
  if (affected.length === 0) return
  await touchProducts(tx, touched, now)
  await catalogChanged(tx, await deriveColumns(tx, affected, now))
}

/** Returns slugs of new products, by their names. */
function freeSlugs(
  tx: Tx,
  added: readonly Entry[],
  { wantedSlug }: Pick<TermFinder, 'wantedSlug'>,
): Promise<Map<number, string>> {
  return freeProductSlugs(
    tx,
    added.map(({ id, type, row }) => ({ id, type, wanted: row.slug || wantedSlug(row.name ?? '') })),
  )
}

/** The file has passed the validation, so an error now means that file or shop changed in between. */
function parseBatch(batch: readonly CsvRow[], plan: WritePlan): { number: number; row: ProductRow }[] {
  return batch.map(({ row: number, cells }) => {
    const { row, faults } = productRow(plan.layout, cells, plan.rules)
    const [fault] = faults
    if (fault) throw new ProductFileError(number, `${fault.problem}; the file changed during the import`, fault.column)
    return { number, row }
  })
}

/** Returns the ID here; null for an ID of another shop that no row of the file has: it names no product here. */
function shopId(id: number, own: boolean, plan: WritePlan): number | null {
  return plan.otherIds.get(rowIdKey(id, own)) ?? (own ? id : null)
}

function throwMissing(reference: ProductReference): never {
  throw new Error(`product ${'sku' in reference ? reference.sku : `id:${reference.id}`} was deleted during the import`)
}

function pair(product: number, other: number | undefined): { product: number; other: number }[] {
  return other === undefined ? [] : [{ product, other }]
}
