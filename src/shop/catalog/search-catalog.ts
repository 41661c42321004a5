import { productsBySku } from '#database/catalog/index-rows.ts'
import { addBit, type Bits, hasBit } from '#domain/catalog/bit-set.ts'
import { findByWords, type WordSearch } from '#domain/catalog/find-by-words.ts'
import { numberOf, productsWith } from '#domain/catalog/product-index.ts'
import { bareNumber, searchWords } from '#domain/catalog/search-words.ts'
import { withoutParticles } from '#domain/catalog/stop-words.ts'
import { type Catalog, type CatalogTools, catalogWords, listingClauses, type Words } from './cached-catalog.ts'
import { inSearch } from './catalog-terms.ts'
import { localizedWordIndex } from './localized-search-words.ts'

export const longestTerm = 200

/** Removes NUL, which cannot be stored and so never matches. */
export function searchTerm(term: string): string {
  return term.replaceAll('\0', ' ').trim().slice(0, longestTerm)
}

export type SearchHits = {
  readonly found: Bits
  /** Numbers of products, the best first. */
  readonly ranked: readonly number[] | Uint32Array
  /** The corrected spelling that was searched; null: as typed. */
  readonly corrected: string | null
  /** Recent translations are not indexed yet: cached results become stale soon. */
  readonly isPassing: boolean
}

/** The product words cannot be read, so the result is unknown; `cause` has the reason. */
export class SearchUnavailable extends Error {
  constructor(cause: unknown) {
    super('the words of the products cannot be read', { cause })
  }
}

/** A larger group of products with the same SKU prefix is not a number read from a label. */
const mostBySku = 50

/**
 * Returns products whose SKU, or a variation's, equals the term; then word matches; then SKU prefix matches.
 * @throws SearchUnavailable
 */
export async function searchCatalog(tools: CatalogTools, catalog: Catalog, term: string): Promise<SearchHits> {
  const { db, settings } = tools
  const { index } = catalog
  const mayBeSku = term !== '' && !/\s/.test(term)
  const [known, spoken, skus] = await Promise.all([
    catalogWords(tools, catalog).catch((cause: unknown) => Promise.reject(new SearchUnavailable(cause))),
    localizedWordIndex(tools, catalog),
    mayBeSku ? productsBySku(db.sql, term, mostBySku) : [],
  ])
  const searchable = productsWith(index, listingClauses(settings.hideOutOfStock, inSearch))
  const wanted = searchTermWords(term)
  const find = ({ index: words, spelling, languages }: Words) =>
    findByWords(words, spelling, wanted, searchable, languages)
  const inMerchantLanguage = find(known)
  const { words: said, isBehind: isPassing } = spoken
  const byWords = said ? joinResults(find(said), inMerchantLanguage) : inMerchantLanguage
  const bySku = [
    ...skus.flatMap(({ id, whole }) => {
      const nr = numberOf(index, id)
      return nr >= 0 && hasBit(searchable, nr) ? [{ nr, whole }] : []
    }),
    ...byBareNumber(known, term, wanted, searchable).map((nr) => ({ nr, whole: false })),
  ]
  if (bySku.length === 0) return { ...byWords, corrected: byWords.corrected?.join(' ') ?? null, isPassing }

  const { found } = byWords
  // A corrected word is less relevant than an existing SKU.
  const ranked = byWords.corrected ? [] : byWords.ranked
  if (byWords.corrected) found.fill(0)
  const whole = bySku.filter((hit) => hit.whole).map(({ nr }) => nr)
  const others = bySku.map(({ nr }) => nr).filter((nr) => !hasBit(found, nr) && !whole.includes(nr))
  for (const { nr } of bySku) addBit(found, nr)
  return { found, ranked: [...new Set([...whole, ...ranked, ...others])], corrected: null, isPassing }
}

/** Returns the words of a term, without stop words. */
export function searchTermWords(term: string): string[] {
  return searchWords(withoutParticles(term))
}

/**
 * Returns products whose SKU differs from the term only in punctuation. A term of one word is searched with the other
 * words.
 */
function byBareNumber(
  { index, spelling }: Words,
  term: string,
  wanted: readonly string[],
  searchable: Bits,
): readonly number[] {
  if (wanted.length < 2 || !/\p{N}/u.test(term)) return []
  return [...findByWords(index, spelling, [bareNumber(term)], searchable).ranked].slice(0, mostBySku)
}

/** Joins results: localized words first, then words only in the merchant's language, corrected spellings last. */
function joinResults(said: WordSearch, inMerchantLanguage: WordSearch): WordSearch {
  const isSure = ({ corrected, ranked }: WordSearch) => corrected === null && ranked.length > 0
  if (!isSure(said)) return isSure(inMerchantLanguage) || said.ranked.length === 0 ? inMerchantLanguage : said
  if (!isSure(inMerchantLanguage)) return said
  const others = inMerchantLanguage.ranked.filter((nr) => !hasBit(said.found, nr))
  for (const nr of others) addBit(said.found, nr)
  const ranked = new Uint32Array(said.ranked.length + others.length)
  ranked.set(said.ranked)
  ranked.set(others, said.ranked.length)
  return { ...said, ranked }
}
