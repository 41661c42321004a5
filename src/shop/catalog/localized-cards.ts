import type { CardRow } from '#database/catalog/product-rows.ts'
import { localizeFacts } from '../translation/localize-facts.ts'
import type { Translator } from '../translation/translator.ts'
import type { CatalogTools } from './cached-catalog.ts'
import type { CatalogCache } from './catalog-cache.ts'
import type { ProductCardFacts } from './catalog-facts.ts'
import type { CatalogTree } from './catalog-tree.ts'
import { localizeCard } from './localize-catalog.ts'
import { cardFacts } from './read-product-card.ts'
import type { DisplayPrice } from './read-product-prices.ts'

/** A localized card, and the categories that it was made with. */
export type KeptCard = { readonly tree: CatalogTree; readonly card: ProductCardFacts }

/** Returns localized cards of catalog rows: the same objects while their content is the same. */
export async function localizeCards(
  tools: Pick<CatalogTools, 'translator' | 'catalogCache'>,
  rows: readonly CardRow[],
  tree: CatalogTree,
  display: DisplayPrice,
): Promise<readonly ProductCardFacts[]> {
  const translator = await tools.translator()
  const memory = memoryOf(tools.catalogCache, translator, display)
  const known = rows.map((row) => {
    const kept = memory.get(row)
    return kept?.tree === tree ? kept.card : null
  })
  const left = rows.filter((_, at) => known[at] === null)
  if (left.length === 0) return known.filter((card) => card !== null)
  const made = await localizeFacts({ translator: async () => translator }, (say) =>
    left.map((row) => localizeCard(say, cardFacts(row, tree, display))),
  )
  for (const [at, row] of left.entries()) {
    const card = made[at]
    if (card) memory.set(row, { tree, card })
  }
  let next = 0
  return known.flatMap((card) => card ?? made[next++] ?? [])
}

function memoryOf({ cards }: CatalogCache, translator: Translator, display: DisplayPrice): WeakMap<CardRow, KeptCard> {
  const byDisplay = cards.get(translator) ?? new WeakMap<DisplayPrice, WeakMap<CardRow, KeptCard>>()
  cards.set(translator, byDisplay)
  const memory = byDisplay.get(display) ?? new WeakMap<CardRow, KeptCard>()
  byDisplay.set(display, memory)
  return memory
}
