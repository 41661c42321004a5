import type { Kysely } from 'kysely'
import type { RowType } from '#contract/import/product-csv-row.ts'
import { takenSlugs } from '#database/catalog/write-products.ts'
import type { Schema } from '#database/engine/schema/schema.ts'

export type SlugWish = { readonly id: number; readonly type: RowType; readonly wanted: string }

/** Returns slugs of new products: the wanted one, with a number if it is taken. Variations have no page. */
export async function freeProductSlugs(tx: Kysely<Schema>, wishes: readonly SlugWish[]): Promise<Map<number, string>> {
  const pages = wishes.filter(({ type }) => type !== 'variation')
  const base = ({ wanted }: SlugWish) => wanted || 'product'
  const candidates = (wish: SlugWish) => [
    base(wish),
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${base(wish)}-${number}`),
  ]
  const taken = await takenSlugs(tx, [...new Set(pages.flatMap(candidates))])
  const slugs = new Map<number, string>()
  for (const wish of pages) {
    const slug = candidates(wish).find((candidate) => !taken.has(candidate)) ?? `${base(wish)}-${wish.id}`
    taken.add(slug)
    slugs.set(wish.id, slug)
  }
  // A colon appears in no slug made of a name.
  for (const { id, type } of wishes) if (type === 'variation') slugs.set(id, `variation:${id}`)
  return slugs
}
