import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import { insertProducts, newProductIds } from '#database/catalog/write-products.ts'
import type { Database } from '#database/engine/connect.ts'
import { ensureAttribute, ensureAttributeTerms, ensureCategories, ensureTags } from '#database/import/ensure-terms.ts'
import {
  setAttributes,
  setCategories,
  setImages,
  setTags,
  setVariationAttributes,
} from '#database/import/write-relations.ts'

const nouns = ['mug', 'bowl', 'teapot', 'cushion', 'lantern', 'basket']
const makes = ['stoneware', 'linen', 'walnut', 'brass', 'marble', 'leather']
const colours = ['chalk', 'sand', 'rust', 'amber', 'moss', 'forest', 'navy', 'plum', 'smoke', 'charcoal']
const sizes = ['Small', 'Medium', 'Large', 'Extra large']
const tags = Array.from({ length: 40 }, (_, nr) => `collection ${nr + 1}`)
const departments = ['Kitchen', 'Table', 'Bath', 'Bedroom', 'Living', 'Garden', 'Office', 'Gifts']

/** A sequence of numbers from 0 up to below `under` that is the same for the same seed. */
function sequence(seed: number) {
  let state = seed >>> 0
  return (under: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * under)
  }
}

const syllables = 'ar be cor da el fen gi hol im jo ka lo mir nor ol per qui ra sol tav ul ven wil yar zen'.split(' ')
const series = (nr: number) => {
  const letters = [nr, nr / 25, nr / 625, nr / 15_625].map((at) => syllables[Math.floor(at) % 25])
  return letters.slice(0, nr < 15_625 ? 3 : 4).join('')
}

/** How many words texts are made of. */
const vocabulary = 20_000

/** As words are spread in any language: the second commonest half as often as the first, the hundredth a hundredth as often. */
function word(pick: (under: number) => number): string {
  return series(Math.floor(vocabulary ** (pick(1_000_000) / 1_000_000)) - 1)
}

export const wordsOfNames = { nouns, makes, colours }

/**
 * Fills a shop with products of a seed: six nouns, six makes and ten colours, in eight departments of eight shelves, one in
 * five with three variations by size, texts of fifty words out of 20,000. Small and large catalogues have the same vocabulary
 * of names, and so few of them that a page of 24 cards fills up with 200 products too: pages weigh the same, and only the work
 * behind them differs. A word of the names is in a sixth of the products, which is more than shops have.
 */
export async function fillCatalog(db: Database, count: number, seed = 7): Promise<void> {
  const now = new Date('2026-01-01T00:00:00Z')
  const pick = sequence(seed)
  const of = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item // The lists are not empty.
  const tx = db.kysely
  const top = await ensureCategories(
    tx,
    departments.map((name) => ({ parentId: null, name, slug: name.toLowerCase() })),
  )
  const shelves = await ensureCategories(
    tx,
    top.flatMap((parentId, at) =>
      Array.from({ length: 8 }, (_, nr) => ({
        parentId,
        name: `${departments[at]} shelf ${nr + 1}`,
        slug: `${departments[at]}-shelf-${nr + 1}`.toLowerCase(),
      })),
    ),
  )
  const tagIds = [
    ...(
      await ensureTags(
        tx,
        tags.map((name) => ({ name, slug: name.replace(' ', '-') })),
      )
    ).values(),
  ]
  const attributes = await Promise.all(
    (
      [
        ['Colour', colours],
        ['Material', makes],
        ['Size', sizes],
      ] as const
    ).map(async ([name, values]) => {
      const id = await ensureAttribute(tx, name, name.toLowerCase())
      const slugOf = (value: string) => value.toLowerCase().replaceAll(' ', '-')
      await ensureAttributeTerms(
        tx,
        id,
        values.map((value) => ({ name: value, slug: slugOf(value) })),
      )
      return { id, name, slug: `pa_${name.toLowerCase()}`, slugOf }
    }),
  )
  const pictures = await db.sql<{ id: number }[]>`select id from images order by id`

  for (let done = 0; done < count; done += 2000) {
    const size = Math.min(2000, count - done)
    const ids = await newProductIds(tx, size * 4)
    const pages = ids.slice(0, size).map((id, at) => {
      const nr = done + at
      const [noun, make, colour] = [of(nouns), of(makes), of(colours)]
      const name = `${series(pick(5000))} ${make} ${noun}, ${colour}`
      const text = [name, ...Array.from({ length: 50 }, () => word(pick))]
      return {
        id,
        nr,
        make,
        colour,
        name,
        text: `<p>${text.join(' ')}.</p>`,
        variable: pick(5) === 0,
        price: 500 + pick(20_000),
      }
    })
    const row = (nr: number, id: number, sku: string) => ({
      id,
      sku,
      status: 'publish',
      tax_status: 'taxable',
      stock_status: nr % 11 === 5 ? 'outofstock' : 'instock',
    })
    await insertProducts(
      tx,
      pages.map(({ id, nr, name, text, variable, price }) => ({
        ...row(nr, id, `N${nr}`),
        type: variable ? 'variable' : 'simple',
        slug: `n-${nr}`,
        name,
        short_description: `${name}, made to be used every day.`,
        description: text,
        regular_price: variable ? null : price,
        sale_price: !variable && nr % 9 === 0 ? price - 200 : null,
        menu_order: (nr * 7919) % count,
        parent_id: null,
      })),
      now,
    )
    const variations = pages
      .filter(({ variable }) => variable)
      .flatMap(({ id, nr, name, price }, at) =>
        sizes.slice(0, 3).map((value, step) => ({
          ...row(nr + step, ids[size + at * 3 + step] ?? 0, `N${nr}-${step}`),
          value,
          parent_id: id,
          name,
          price: price + step * 500,
        })),
      )
    await insertProducts(
      tx,
      variations.map(({ value, price, ...variation }) => ({
        ...variation,
        type: 'variation',
        slug: `variation:${variation.id}`,
        regular_price: price,
      })),
      now,
    )
    const pageIds = pages.map(({ id }) => id)
    await setCategories(
      tx,
      pageIds,
      pageIds.map((product) => ({ product, other: of(shelves) })),
    )
    await setTags(
      tx,
      pageIds,
      pageIds.map((product) => ({ product, other: of(tagIds) })),
    )
    await setImages(
      tx,
      pageIds,
      pageIds.map((product) => ({ product, position: 0, image: of(pictures).id })),
    )
    await setAttributes(
      tx,
      pageIds,
      pages.flatMap(({ id, colour, make, variable }) =>
        attributes.flatMap((attribute, position) => {
          const values = [[colour], [make], variable ? sizes.slice(0, 3) : []][position] ?? []
          const { name, slug, slugOf } = attribute
          const options = values.map(slugOf)
          const shared = { product: id, position, attribute: attribute.id, name, slug, visible: true, preset: '' }
          return values.length > 0 ? [{ ...shared, options }] : []
        }),
      ),
    )
    await setVariationAttributes(
      tx,
      variations.map(({ id }) => id),
      variations.map(({ id, value }) => ({ product: id, slug: 'pa_size', value: value.toLowerCase() })),
    )
    await db.sql`update product_attributes set for_variations = true
      where slug = 'pa_size' and product_id = any(${pageIds}::bigint[])`
    await deriveColumns(tx, pageIds, now)
  }
  await catalogChanged(tx)
  await db.sql`vacuum analyze`
}
