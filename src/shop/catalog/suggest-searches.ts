import { noFilters } from '#contract/catalog/listing-query.ts'
import { urls } from '#contract/shared/urls.ts'
import { cardsByIds } from '#database/catalog/product-rows.ts'
import { countBits } from '#domain/catalog/bit-set.ts'
import { idsOf } from '#domain/catalog/product-index.ts'
import { searchWords } from '#domain/catalog/search-words.ts'
import { withoutStopWords } from '#domain/catalog/stop-words.ts'
import { wordForms } from '#domain/catalog/word-forms.ts'
import { localizeFacts, type Say } from '../translation/localize-facts.ts'
import { type CatalogTools, cachedCatalog } from './cached-catalog.ts'
import type { SuggestionFacts } from './catalog-facts.ts'
import { type CatalogTree, type CountedCategory, categoryTerm } from './catalog-tree.ts'
import { localizeSuggestions } from './localize-catalog.ts'
import { withMatchingVariations } from './matching-variations.ts'
import { cardFacts } from './read-product-card.ts'
import { type DisplayPrice, displayPrices } from './read-product-prices.ts'
import { searchCatalog, searchTerm, searchTermWords } from './search-catalog.ts'

const mostProducts = 6
const mostCategories = 3

/** Returns suggestions for the start of a search term. */
export async function suggest(
  tools: CatalogTools,
  typed: string,
  display: DisplayPrice = displayPrices(tools),
): Promise<SuggestionFacts> {
  const term = searchTerm(typed)
  const catalog = await cachedCatalog(tools)
  const { index, tree, book } = catalog
  const { ranked, found } = await searchCatalog(tools, catalog, term)
  const { cards } = await cardsByIds(tools.db.sql, idsOf(index.columns, [...ranked.slice(0, mostProducts)]))
  const facts: Omit<SuggestionFacts, 'categories'> = {
    term,
    url: urls.search(term),
    total: countBits(found),
    products: cards.map((card) => cardFacts(card, tree, display)),
  }
  const { language, sourceLanguage } = await tools.translator()
  const said = await localizeFacts(tools, (say) => {
    const categories = categoriesNamed(tree, term, say, [language, sourceLanguage]).map((category) =>
      categoryTerm(tree, category),
    )
    return localizeSuggestions(say, { ...facts, categories })
  })
  const narrowing = { filters: noFilters, term }
  return { ...said, products: await withMatchingVariations(tools, book, narrowing, cards, said.products) }
}

/**
 * Returns categories whose localized or original name contains all words or forms of them, the last word possibly
 * incomplete; the largest first.
 */
function categoriesNamed(tree: CatalogTree, term: string, say: Say, languages: readonly string[]): CountedCategory[] {
  const wanted = withoutStopWords(searchTermWords(term), languages)
  const last = wanted.at(-1)
  if (last === undefined) return []
  const forms = wanted.map((word) => wordForms(word, languages).add(word))
  return tree.all
    .filter(({ name, count }) => {
      if (count === 0) return false
      const words = searchWords(`${say.text(name)} ${name}`)
      return forms.every((either, at) =>
        words.some((word) => either.has(word) || (at === forms.length - 1 && word.startsWith(last))),
      )
    })
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostCategories)
}
