import type { ProductReference } from '#contract/import/product-csv-cells.ts'
import type { RowAttribute } from '#contract/import/product-csv-lists.ts'
import type { RowType } from '#contract/import/product-csv-row.ts'
import { type ExistingProduct, findProducts } from '#database/catalog/write-products.ts'
import type { Database } from '#database/engine/connect.ts'
import { attributesOfProducts } from '#database/import/parent-attributes.ts'
import type { FaultList } from './import-faults.ts'
import { chosenValues, type ParentAttribute } from './product-variations.ts'

/** The data kept of a row while the rest of the file is read: a few words each. */
export type SeenRow = {
  readonly row: number
  readonly type: RowType
  /** The row's attributes, if the row will be written. */
  readonly attributes: ParentAttribute[] | null
  /** The existing product, whose attributes apply if the row has none. */
  readonly existingId: number | null
}

/** A reference of a row, checked when the whole file was read. */
export type Pending = {
  readonly row: number
  readonly column: string
  readonly reference: ProductReference
  readonly key: string
  readonly own: boolean
  /** The attributes of a variation, whose parent must have their values; null for other references. */
  readonly chosen: readonly RowAttribute[] | null
}

const referencesAtOnce = 5000

/**
 * Checks references to rows and to existing products. A variation needs its parent; another reference that finds no
 * product is a note, for it is kept until the product comes.
 */
export async function checkReferences(
  db: Database['kysely'],
  { pending, seen }: { readonly pending: readonly Pending[]; readonly seen: ReadonlyMap<string, SeenRow> },
  faults: FaultList,
  notes: FaultList,
): Promise<void> {
  for (let start = 0; start < pending.length; start += referencesAtOnce) {
    const some = pending.slice(start, start + referencesAtOnce)
    const unknown = some.filter(({ key }) => !seen.has(key))
    const found = await findProducts(
      db,
      unknown.flatMap(({ reference }) => ('sku' in reference ? [reference.sku] : [])),
      unknown.flatMap(({ reference, own }) => ('id' in reference && own ? [reference.id] : [])),
      { anyCase: true },
    )
    const stored = new Map<string, ExistingProduct>(
      found.flatMap((product) => [
        [`id:${product.id}`, product] as const,
        [`sku:${product.sku?.toLowerCase()}`, product] as const,
      ]),
    )
    const parents = some.flatMap(({ chosen, key }) =>
      chosen ? [seen.get(key)?.existingId ?? stored.get(key)?.id ?? 0] : [],
    )
    const attributes = await attributesOfProducts(db, parents)
    for (const waiting of some) {
      const target = seen.get(waiting.key)
      const product = stored.get(waiting.key)
      if (target && wantsStored(target)) {
        const own = parentAttributes(attributes.get(target.existingId ?? 0) ?? [])
        checkParent(waiting, { type: target.type, attributes: own }, faults)
      } else if (target) checkParent(waiting, target, faults)
      else if (product) {
        const own = parentAttributes(attributes.get(product.id) ?? [])
        checkParent(waiting, { type: product.type, attributes: own }, faults)
      } else reportMissing(waiting)
    }
  }

  function reportMissing({ row, column, reference, own, chosen }: Pending) {
    const isForeignId = 'id' in reference && !own
    const value = referenceText(reference)
    if (!chosen) {
      const problem = isForeignId
        ? 'is no row of the file; the link is made when a file brings the product with this ID'
        : 'is neither in the file nor in the shop; the link is made when the product comes'
      notes.add({ row, column, value, problem })
      return
    }
    const problem = isForeignId
      ? 'is no row of the file; an ID of another shop names no product here: write the SKU, or --ids own'
      : 'names a product that is neither in the file nor in the shop'
    faults.add({ row, column, value, problem })
  }
}

/** Checks the parent of a variation: its type and its values. */
export function checkParent(
  { row, column, reference, chosen }: Pending,
  target: Pick<SeenRow, 'type' | 'attributes'>,
  faults: FaultList,
): void {
  if (!chosen) return
  if (target.type !== 'variable') {
    const problem = `is a ${target.type} product; only a variable one has variations`
    faults.add({ row, column, value: referenceText(reference), problem })
    return
  }
  for (const { attribute, value, problem } of target.attributes ? chosenValues(target.attributes, chosen).faults : [])
    faults.add({ row, column: `Attribute "${attribute}"`, value, problem })
}

/** Returns the attributes of an existing product, by the names of its values. */
export function parentAttributes(
  stored: readonly { slug: string; options: readonly { value: string; label: string }[] }[],
): ParentAttribute[] {
  return stored.map(({ slug, options }) => ({
    slug,
    values: new Map(options.map(({ value, label }) => [label.toLowerCase(), value])),
  }))
}

/** Returns true if variations use the attributes of the existing product. */
export function wantsStored({ type, attributes, existingId }: SeenRow): boolean {
  return type === 'variable' && attributes === null && existingId !== null
}

export function referenceText(reference: ProductReference): string {
  return 'sku' in reference ? reference.sku : `id:${reference.id}`
}
