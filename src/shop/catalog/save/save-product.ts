import { sql, type Transaction } from 'kysely'
import type { V3ProductInput } from '#contract/catalog/v3-products.ts'
import type { V3VariationInput } from '#contract/catalog/v3-variations.ts'
import { checkRow, type ProductRow, type RowType } from '#contract/import/product-csv-row.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import {
  changeProductPage,
  ensureShippingClass,
  findProductRows,
  removeMeta,
} from '#database/catalog/product-changes.ts'
import {
  type ExistingProduct,
  findProducts,
  insertProducts,
  newProductIds,
  recordStockCounts,
  touchProducts,
  updateProducts,
} from '#database/catalog/write-products.ts'
import { advisoryLocks } from '#database/engine/advisory-locks.ts'
import { brokenConstraint, transaction } from '#database/engine/connect.ts'
import type { Row, Schema } from '#database/engine/schema/schema.ts'
import { linkNewProducts } from '#database/import/link-names.ts'
import { columnsOfRow, countedChange, newColumns, rowRules } from '../../import/product-columns.ts'
import { typeProblem } from '../../import/product-identity.ts'
import { freeProductSlugs } from '../../import/product-slugs.ts'
import { termFinder } from '../../import/product-terms.ts'
import type { Tools } from '../../shared/tools.ts'
import { type FetchedFiles, fetchDraftFiles, type ProductPlaces, type SaveTools } from './draft-files.ts'
import { writeDraftRelations } from './draft-relations.ts'
import { type DraftFault, type ProductDraft, productDraft, variationDraft } from './product-draft.ts'
import { refusedParameter, type SaveFault, SaveRefused } from './save-refused.ts'

export type SaveResult = { readonly ok: true; readonly id: number } | { readonly ok: false; readonly fault: SaveFault }

/**
 * Creates or changes a product from the input of a program, by the rules of the product import: prices, stock with its
 * movements, terms, images, derived columns and the catalog version, in one transaction.
 * @param id null: a new product
 */
export function saveProduct(
  tools: SaveTools,
  places: ProductPlaces,
  id: number | null,
  input: V3ProductInput,
): Promise<SaveResult> {
  return save(tools, places, { id, parentId: null }, productDraft(input, rowRules(tools.settings)))
}

/** Creates or changes a variation of a product in the same way. */
export function saveVariation(
  tools: SaveTools,
  places: ProductPlaces,
  id: number | null,
  input: V3VariationInput,
): Promise<SaveResult> {
  const parentId = input.product_id
  return save(tools, places, { id, parentId }, variationDraft(input, rowRules(tools.settings)))
}

type Target = { readonly id: number | null; readonly parentId: number | null }

async function save(
  tools: SaveTools,
  places: ProductPlaces,
  target: Target,
  { draft, faults }: { draft: ProductDraft; faults: readonly DraftFault[] },
): Promise<SaveResult> {
  const [fault] = faults
  if (fault) return { ok: false, fault: { reason: 'parameter', ...fault } }
  try {
    // Before the transaction: other servers may be slow.
    const fetched = await fetchDraftFiles(tools, places, draft)
    const id = await transaction(tools, (tx) => write(tools, tx, target, draft, fetched))
    return { ok: true, id }
  } catch (error) {
    if (error instanceof SaveRefused) return { ok: false, fault: error.fault }
    switch (brokenConstraint(error)) {
      case 'products_sku_key':
        return { ok: false, fault: await skuTaken(tools, draft.row.sku ?? '') }
      case 'products_stock_not_negative':
        return {
          ok: false,
          fault: {
            reason: 'parameter',
            name: 'stock_quantity',
            problem: 'must not be negative while backorders are not allowed',
          },
        }
      default:
        throw error
    }
  }
}

async function skuTaken({ db }: Pick<Tools, 'db'>, sku: string): Promise<SaveFault> {
  const [holder] = await findProducts(db.kysely, [sku], [])
  return { reason: 'sku-taken', sku, holder: holder?.id ?? null }
}

async function write(
  tools: SaveTools,
  tx: Transaction<Schema>,
  target: Target,
  draft: ProductDraft,
  { images, files }: FetchedFiles,
): Promise<number> {
  const now = tools.clock.now()
  // As in imports: two writers that make the same terms wait for each other.
  await sql`select pg_advisory_xact_lock(${advisoryLocks.productImport})`.execute(tx)
  const { existing, stored, parent } = await findTargets(tx, target)
  const type = draft.type ?? existing?.type ?? 'simple'
  const times = unchangedTimes(draft, stored)
  const row = {
    ...draft.row,
    ...stockOfDraft(draft, type, existing),
    ...times.row,
    ...downloadsOf(tools, draft.row, stored),
    type,
  }
  const createdAt = times.isCreatedAtSame ? undefined : draft.createdAt
  check(row, { existing, stored, type })
  const columns = {
    ...columnsOfRow(row, type, existing, parent, files),
    ...(draft.toTrash ? { status: 'trash' } : {}),
    ...(draft.meta ? { meta: Object.fromEntries([...draft.meta].filter(([, value]) => value !== null)) } : {}),
  }
  await requireFreeSku(tx, row.sku, existing)
  const [fresh] = existing ? [existing.id] : await newProductIds(tx, 1)
  const id = fresh ?? 0
  const terms = termFinder(tools.settings.language)
  const wanted = async (text: string) =>
    (await freeProductSlugs(tx, [{ id, type, wanted: terms.wantedSlug(text) }])).get(id) ?? `product-${id}`
  // Products of which no column of an import changed.
  const others: number[] = []
  const changed: number[] = []
  if (existing) {
    changed.push(...(await updateProducts(tx, [{ ...columns, id }], now)))
    const isOther = draft.slug && stored && terms.wantedSlug(draft.slug) !== stored.slug
    await changeProductPage(tx, id, {
      ...(isOther ? { slug: await wanted(draft.slug) } : {}),
      ...(createdAt ? { created_at: createdAt } : {}),
    })
    if (isOther || createdAt) others.push(id)
  } else {
    const slug = await wanted(draft.slug || row.name || '')
    await insertProducts(tx, [{ ...newColumns(columns), id, slug }], now)
    if (createdAt) await changeProductPage(tx, id, { created_at: createdAt })
    others.push(...(await linkNewProducts(tx, [id])))
  }
  await recordStockCounts(
    tx,
    [{ productId: id, change: countedChange(row, existing) }].filter(({ change }) => change !== 0),
    now,
  )
  const removed = [...(draft.meta ?? [])].flatMap(([key, value]) => (value === null ? [key] : []))
  if (await removeMeta(tx, id, removed)) others.push(id)
  await ensureShippingClass(tx, row.shippingClass ?? '')
  others.push(...(await writeDraftRelations(tools, tx, { id, type, parent, draft, images, terms, isNew: !existing })))
  // A new product is announced as created, and not as changed besides.
  const touched = [...new Set(others)].filter((other) => existing || other !== id)
  await touchProducts(tx, touched, now)
  if (!existing || changed.length + others.length > 0) {
    await catalogChanged(tx, await deriveColumns(tx, [id, ...others], now))
  }
  return id
}

/** Locks the product, and the product of a variation. @throws SaveRefused */
async function findTargets(tx: Transaction<Schema>, { id, parentId }: Target) {
  const products = await findProducts(
    tx,
    [],
    [id, parentId].filter((one) => one !== null),
    { lock: true },
  )
  const existing = products.find((product) => product.id === id)
  const parent = products.find((product) => product.id === parentId) ?? null
  if (parentId !== null && parent?.type !== 'variable') throw new SaveRefused({ reason: 'unknown-parent' })
  if (id !== null && existing?.parent_id !== parentId) throw new SaveRefused({ reason: 'unknown-product' })
  const [stored] = id === null ? [] : await findProductRows(tx, [id])
  return { existing, stored, parent }
}

/** SKUs are unique whatever their case, as imports find them. @throws SaveRefused */
async function requireFreeSku(
  tx: Transaction<Schema>,
  sku: string | null | undefined,
  existing: ExistingProduct | undefined,
): Promise<void> {
  if (!sku) return
  const holders = await findProducts(tx, [sku], [], { anyCase: true })
  const other = holders.find(({ id }) => id !== existing?.id)
  if (other) throw new SaveRefused({ reason: 'sku-taken', sku, holder: other.id })
}

/** Each file has an id: its own, that of the same file before, or a new one. */
function downloadsOf(
  { chance }: Pick<Tools, 'chance'>,
  { downloads }: ProductRow,
  stored: Row<'products'> | undefined,
): Pick<ProductRow, 'downloads'> {
  if (!downloads) return {}
  const before = new Map(stored?.downloads.map(({ id, url }) => [url, id]))
  return {
    downloads: downloads.map((file) => ({ ...file, id: file.id || before.get(file.url) || chance.uuid() })),
  }
}

/** The interface has whole seconds: a record that a program sends back changes no time. */
function unchangedTimes({ row, createdAt }: ProductDraft, stored: Row<'products'> | undefined) {
  const second = (at: Date | null | undefined) => (at ? Math.floor(at.getTime() / 1000) : null)
  const isSame = (given: Date | null | undefined, kept: Date | null | undefined) =>
    given !== undefined && kept !== undefined && second(given) === second(kept)
  return {
    row: {
      ...(stored && isSame(row.saleFrom, stored.sale_from) ? { saleFrom: stored.sale_from } : {}),
      ...(stored && isSame(row.saleTo, stored.sale_to) ? { saleTo: stored.sale_to } : {}),
    },
    isCreatedAtSame: isSame(createdAt, stored?.created_at),
  }
}

/** Products without stock of their own have none; a quantity counts only where stock is managed. */
function stockOfDraft(
  { stock: { manage, quantity } }: ProductDraft,
  type: RowType,
  existing: ExistingProduct | undefined,
): Pick<ProductRow, 'stock'> {
  if (type === 'grouped' || type === 'external') return { stock: { manage: 'no' } }
  const isManaged = manage ?? existing?.manage_stock === 'yes'
  if (isManaged === 'parent') return { stock: { manage: 'parent' } }
  if (isManaged) {
    if (manage === undefined && typeof quantity !== 'number') return {}
    return { stock: { manage: 'yes', quantity: quantity ?? existing?.stock_quantity ?? 0 } }
  }
  return manage === false ? { stock: { manage: 'no' } } : {}
}

const parameterOf: Readonly<Record<string, string>> = {
  regularPrice: 'regular_price',
  salePrice: 'sale_price',
  saleTo: 'date_on_sale_to',
  stock: 'stock_quantity',
  externalUrl: 'external_url',
}

/** Validates a draft together with the stored product. @throws SaveRefused */
function check(
  row: ProductRow,
  {
    existing,
    stored,
    type,
  }: { existing: ExistingProduct | undefined; stored: Row<'products'> | undefined; type: RowType },
): void {
  const problem = existing && typeProblem({ ...row, sku: existing.sku, name: existing.name }, type, existing)
  if (problem) throw refusedParameter('type', problem)
  if (!existing && type !== 'variation' && !row.name) throw refusedParameter('name', 'must not be empty')
  if ((type === 'variable' || type === 'grouped') && (row.regularPrice ?? row.salePrice ?? null) !== null) {
    const holders = type === 'variable' ? 'variations' : 'members'
    throw refusedParameter('regular_price', `is the price of its ${holders}`)
  }
  const before: ProductRow = stored
    ? {
        name: stored.name,
        regularPrice: stored.regular_price,
        salePrice: stored.sale_price,
        saleFrom: stored.sale_from,
        saleTo: stored.sale_to,
        backorders: stored.backorders,
        externalUrl: stored.external_url,
      }
    : { regularPrice: null, salePrice: null, backorders: 'no', ...(type === 'external' ? { externalUrl: '' } : {}) }
  // A variation is found by its path: it has its parent, and needs no SKU.
  const whole = { id: 1, ...(type === 'variation' ? { parent: { id: 1 } } : {}), ...before, ...row }
  checkRow(whole, { fields: { has: () => true } }, (field, fault) => {
    throw refusedParameter(parameterOf[field] ?? field, fault)
  })
}
