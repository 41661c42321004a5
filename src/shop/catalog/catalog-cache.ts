import type { CardRow } from '#database/catalog/product-rows.ts'
import type { VariationChoiceRow } from '#database/catalog/variation-choices.ts'
import type { Tools } from '../shared/tools.ts'
import type { Translator } from '../translation/translator.ts'
import type { KeptCatalog } from './cached-catalog.ts'
import type { ShopAttribute } from './catalog-terms.ts'
import type { KeptCard } from './localized-cards.ts'
import type { KeptWordIndex } from './localized-search-words.ts'
import type { ValueName } from './matching-variations.ts'
import type { DisplayPrice, KeptDisplay } from './read-product-prices.ts'

/** The catalog of one process. The composition root creates it once; all views of the shop share it. */
export type CatalogCache = {
  /** Null until the first read, and after a failed one. */
  catalog: KeptCatalog | null
  /** Search words by language. */
  readonly words: Map<string, KeptWordIndex>
  // The following are kept by their inputs: each input is a new object after a change (of settings, taxes, rates,
  // translations or a row), so that no entry is ever outdated, and unused ones are collected with their input.
  readonly displays: WeakMap<Tools['settings'], KeptDisplay>
  readonly cards: WeakMap<Translator, WeakMap<DisplayPrice, WeakMap<CardRow, KeptCard>>>
  /** By the row of their product. */
  readonly variations: WeakMap<CardRow, readonly VariationChoiceRow[]>
  readonly valueNames: WeakMap<readonly ShopAttribute[], WeakMap<Translator, Promise<readonly ValueName[]>>>
}

export function emptyCatalogCache(): CatalogCache {
  return {
    catalog: null,
    words: new Map(),
    displays: new WeakMap(),
    cards: new WeakMap(),
    variations: new WeakMap(),
    valueNames: new WeakMap(),
  }
}
