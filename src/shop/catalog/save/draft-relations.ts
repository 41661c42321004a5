import type { Transaction } from 'kysely'
import type { RowType } from '#contract/import/product-csv-row.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { describeMedia } from '#database/catalog/media-rows.ts'
import { existingIds } from '#database/catalog/product-changes.ts'
import type { ExistingProduct } from '#database/catalog/write-products.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { setLinkNames } from '#database/import/link-names.ts'
import { setBrands, setCategories, setImages, setLinks, setTags } from '#database/import/write-relations.ts'
import type { TermFinder } from '../../import/product-terms.ts'
import type { Tools } from '../../shared/tools.ts'
import { writeAttributes, writeChoices } from './draft-attributes.ts'
import type { ProductDraft } from './product-draft.ts'
import { refusedParameter } from './save-refused.ts'

type Tx = Transaction<Schema>

export type RelationTarget = {
  readonly id: number
  readonly type: RowType
  readonly parent: ExistingProduct | null
  readonly draft: ProductDraft
  /** Ids of fetched images by their addresses. */
  readonly images: ReadonlyMap<string, number>
  readonly terms: TermFinder
  readonly isNew: boolean
}

/**
 * Replaces those relations of a product that a draft contains.
 * @returns the changed products
 * @throws SaveRefused
 */
export async function writeDraftRelations(
  tools: Pick<Tools, 'db' | 'settings'>,
  tx: Tx,
  target: RelationTarget,
): Promise<number[]> {
  const { id, type, draft } = target
  const changed: number[] = []
  for (const [name, table, ids, set] of [
    ['categories', 'categories', draft.categories, setCategories],
    ['tags', 'tags', draft.tags, setTags],
    ['brands', 'brands', draft.brands, setBrands],
  ] as const) {
    if (!ids) continue
    await requireIds(tx, table, name, ids)
    changed.push(
      ...(await set(
        tx,
        [id],
        ids.map((other) => ({ product: id, other })),
      )),
    )
  }
  for (const [name, kind, ids] of [
    ['upsell_ids', 'upsell', draft.upsells],
    ['cross_sell_ids', 'crosssell', draft.crosssells],
    ['grouped_products', 'grouped', draft.grouped],
  ] as const) {
    if (!ids) continue
    if (ids.includes(id)) throw refusedParameter(name, 'names the product itself')
    await requireIds(tx, 'products', name, ids)
    // Names that an import could not resolve belong to the links that are replaced.
    await setLinkNames(tx, kind, [id], [])
    changed.push(
      ...(await setLinks(
        tx,
        kind,
        [id],
        ids.map((linked, position) => ({ product: id, position, linked })),
      )),
    )
  }
  changed.push(...(await writeImages(tx, target)))
  changed.push(...(type === 'variation' ? await writeChoices(tx, target) : await writeAttributes(tools, tx, target)))
  return [...new Set(changed)]
}

async function requireIds(
  tx: Tx,
  table: Parameters<typeof existingIds>[1],
  name: string,
  ids: readonly number[],
): Promise<void> {
  const known = await existingIds(tx, table, ids)
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw refusedParameter(name, `there is none with the id ${missing}`)
}

async function writeImages(tx: Tx, { id, type, draft, images }: RelationTarget): Promise<number[]> {
  if (!draft.images) return []
  const name = type === 'variation' ? 'image' : 'images'
  const wanted = draft.images.map(({ id: image, src, alt }) => ({ image: image || images.get(src ?? ''), alt }))
  const ids = wanted.map(({ image }) => image ?? 0)
  await requireIds(tx, 'images', name, ids)
  for (const { image, alt } of wanted) {
    if (image === undefined || alt === undefined) continue
    const { products, categories } = await describeMedia(tx, image, alt)
    if (categories) await catalogChanged(tx)
    else if (products.length > 0) await catalogChanged(tx, products)
  }
  // Two names of one image show it once.
  const rows = [...new Set(ids)].map((image, position) => ({ product: id, position, image }))
  return setImages(tx, [id], rows)
}
