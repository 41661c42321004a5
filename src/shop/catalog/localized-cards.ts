import type { CardRow } from '#database/catalog/product-rows.ts'
import { localizeFacts } from '../translation/localize-facts.ts'
import type { Translator } from '../translation/translator.ts'
import type { ProductCardFacts } from './catalog-facts.ts'
import type { CatalogTree } from './catalog-tree.ts'
import { localizeCard } from './localize-catalog.ts'
import { cardFacts } from './read-product-card.ts'
import type { DisplayPrice } from './read-product-prices.ts'

type Kept = { readonly tree: CatalogTree; readonly card: ProductCardFacts }

/**
 * Cached cards by all their inputs: each input is a new object after a change (of translations, settings, taxes, rates
 * or the row), so no invalidation is needed, and unused entries are collected with their row.
 */
const memories = new WeakMap<Translator, WeakMap<DisplayPrice, WeakMap<CardRow, Kept>>>()

/** Returns localized cards of catalog rows: the same objects while their content is the same. */
export async function localizeCards(
  tools: { readonly translator: () => Promise<Translator> },
  rows: readonly CardRow[],
  tree: CatalogTree,
  display: DisplayPrice,
): Promise<readonly ProductCardFacts[]> {
  const translator = await tools.translator()
  const memory = memoryOf(translator, display)
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

function memoryOf(translator: Translator, display: DisplayPrice): WeakMap<CardRow, Kept> {
  const byDisplay = memories.get(translator) ?? new WeakMap<DisplayPrice, WeakMap<CardRow, Kept>>()
  memories.set(translator, byDisplay)
  const memory = byDisplay.get(display) ?? new WeakMap<CardRow, Kept>()
  byDisplay.set(display, memory)
  return memory
}
