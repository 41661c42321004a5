import type { Transaction } from 'kysely'
import type { ProductRow } from '#contract/import/product-csv-row.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { setAttributes, setImages } from '#database/import/write-relations.ts'
import type { ImportPlan } from './check-products.ts'
import type { TermFinder } from './product-terms.ts'

type Tx = Transaction<Schema>
type WrittenRow = { readonly id: number; readonly row: ProductRow }

/** Writes the attributes of the file in its order. */
export async function writeAttributes(
  tx: Tx,
  entries: readonly WrittenRow[],
  ids: readonly number[],
  terms: TermFinder,
  plan: Pick<ImportPlan, 'layout'>,
): Promise<number[]> {
  if (plan.layout.attributes.length === 0) return []
  const rows = entries.flatMap(({ id, row }) =>
    (row.attributes ?? []).map(({ name, slug, values, visible, global, preset }, position) => ({
      product: id,
      position,
      attribute: global ? terms.attributeId(slug) : null,
      name,
      slug,
      options: global ? values.map((value) => terms.termSlug(slug, value)) : values,
      visible,
      preset: preset && global ? terms.termSlug(slug, preset) : preset,
    })),
  )
  return setAttributes(tx, ids, rows)
}

/** Writes the images of products in their order. @param images ids by their name in the rows */
export async function writeImages(
  tx: Tx,
  entries: readonly WrittenRow[],
  ids: readonly number[],
  images: ReadonlyMap<string, number>,
  plan: Pick<ImportPlan, 'layout'>,
): Promise<number[]> {
  if (!plan.layout.fields.has('images')) return []
  return setImages(
    tx,
    ids,
    entries.flatMap(({ id, row }) =>
      // Two names of one image show it once.
      [...new Set((row.images ?? []).flatMap((source) => images.get(source) ?? []))].map((image, position) => ({
        product: id,
        position,
        image,
      })),
    ),
  )
}
