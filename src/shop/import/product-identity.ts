import { type ProductReference, referenceKey } from '#contract/import/product-csv-cells.ts'
import type { ProductRow } from '#contract/import/product-csv-row.ts'
import type { ExistingProduct } from '#database/catalog/write-products.ts'

/**
 * The origin of a file's IDs. `own`: this shop's, so that an ID is a product here. `foreign`: another shop's, so that
 * an ID only links rows of the file. If undefined, the mark of each row decides, and a foreign ID that another SKU uses
 * here is an error.
 */
export type IdOrigin = 'own' | 'foreign'

type Declared = { readonly ids: IdOrigin | undefined; readonly shopMark: string }

export function isOwnRow(row: ProductRow, { ids, shopMark }: Declared): boolean {
  return ids === undefined ? row.shopMark === shopMark : ids === 'own'
}

/** Returns the key by which references to an ID find a row, separate for each origin. */
export const rowIdKey = (id: number, own: boolean) => `${own ? 'id' : 'file'}:${id}`

/** Returns the key of a reference's target. */
export function targetKey(reference: ProductReference, own: boolean): string {
  return 'id' in reference ? rowIdKey(reference.id, own) : referenceKey(reference)
}

/** Returns the keys that find the products of rows. */
export function keysOf(rows: readonly ProductRow[]) {
  const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return { skus: rows.flatMap(({ sku }) => (sku ? [sku] : [])), ids, importedIds: ids }
}

/** Finds products among those read by `keysOf`: a row's product, and the one with the row's ID here. */
export function productFinder(products: readonly ExistingProduct[], declared: Declared) {
  const bySku = new Map(products.flatMap((product) => (product.sku ? [[product.sku, product] as const] : [])))
  const byLowerSku = new Map([...bySku].map(([sku, product]) => [sku.toLowerCase(), product]))
  /** The same SKU, or else one that differs in case only. */
  const skuHolder = (sku: string | null | undefined) =>
    sku ? (bySku.get(sku) ?? byLowerSku.get(sku.toLowerCase())) : undefined
  const byId = new Map(products.map((product) => [product.id, product]))
  const imported = new Map<number, ExistingProduct[]>()
  for (const product of products) {
    if (product.imported_id === null || product.sku !== null) continue
    imported.set(product.imported_id, [...(imported.get(product.imported_id) ?? []), product])
  }
  return {
    bySku: (row: ProductRow) => skuHolder(row.sku),
    byId: (row: ProductRow) => (row.id === undefined ? undefined : byId.get(row.id)),
    /** Finds an own row by its ID, a foreign one by its SKU or its imported ID. */
    find(row: ProductRow): ExistingProduct | undefined {
      const sameSku = skuHolder(row.sku)
      if (row.id === undefined) return sameSku
      if (isOwnRow(row, declared)) return byId.get(row.id) ?? sameSku
      if (row.sku) return sameSku
      const sameId = imported.get(row.id)
      // Without an SKU the name has to match as well: two shops may have used the same number. Some variations have none.
      return row.type === 'variation' && row.name === undefined
        ? sameId?.find(({ type }) => type === 'variation')
        : sameId?.find(({ name }) => name === row.name)
    },
  }
}

export type ProductFinder = ReturnType<typeof productFinder>

/**
 * Returns the reason that a row's ID cannot be used unchanged. A conflict stops the import; a note is only reported.
 */
export function idProblem(
  row: ProductRow,
  found: ProductFinder,
  declared: Declared,
): { readonly kind: 'conflict' | 'note'; readonly problem: string } | null {
  const holder = found.byId(row)
  if (!holder) return null
  const sameSku = found.bySku(row)
  if (isOwnRow(row, declared)) {
    if (!sameSku || sameSku.id === holder.id) return null
    return { kind: 'conflict', problem: `is ${shownProduct(holder)}, but the SKU is that of ${shownProduct(sameSku)}` }
  }
  const target = found.find(row)
  if (declared.ids === 'foreign' || target?.id === holder.id || (target && target.imported_id === row.id)) return null
  if (!row.sku) {
    const problem = `is ${shownProduct(holder)} here; ${shownRow(row)} has no SKU and becomes a new product with an ID of its own`
    return { kind: 'note', problem }
  }
  const here = target ? `the SKU is that of ${shownProduct(target)}, but the ID` : `${shownRow(row)} has an ID that`
  const problem = `${here} is ${shownProduct(holder)} here; write --ids foreign if the IDs are of another shop, --ids own if they are of this one`
  return { kind: 'conflict', problem }
}

/** Variations need a variable parent, and a variation its parent: neither may change its type, nor the reverse. */
export function typeProblem(row: ProductRow, type: string, existing: ExistingProduct): string | null {
  const bound = ['variable', 'variation'].filter((kind) => (existing.type === kind) !== (type === kind))
  if (bound.length === 0) return null
  const reason = bound.includes('variation')
    ? 'a variation cannot become a product or the reverse'
    : 'a variable product cannot become another type or the reverse, for its variations would be lost'
  return `${shownRow(row)} is ${type}, but ${shownProduct(existing)} here is ${existing.type}; ${reason}`
}

/** Formats a product: `"Moon Jar" (ID 171, SKU JAR)` */
export function shownProduct({ id, sku, name }: ExistingProduct): string {
  return `"${name}" (ID ${id}, ${sku ? `SKU ${sku}` : 'no SKU'})`
}

function shownRow({ name, sku, id }: ProductRow): string {
  return `${name ? `"${name}"` : 'the row'} (${sku ? `SKU ${sku}` : `ID ${id} in the file`})`
}
