import type { ListingFilters } from '#contract/catalog/listing-query.ts'
import type { CardRow } from '#database/catalog/product-rows.ts'
import { type VariationChoiceRow, variationChoices } from '#database/catalog/variation-choices.ts'
import { pickVariation, type WantedVariation } from '#domain/catalog/pick-variation.ts'
import { bareNumber, searchWords } from '#domain/catalog/search-words.ts'
import { withoutStopWords } from '#domain/catalog/stop-words.ts'
import { wordForms } from '#domain/catalog/word-forms.ts'
import { localizeFacts } from '../translation/localize-facts.ts'
import type { Translator } from '../translation/translator.ts'
import type { CatalogTools } from './cached-catalog.ts'
import type { ImageFacts, ProductCardFacts } from './catalog-facts.ts'
import type { TermBook } from './catalog-terms.ts'
import { localizeImage } from './localize-catalog.ts'
import { searchTermWords } from './search-catalog.ts'

/** The filters of a product list. */
export type ListNarrowing = {
  readonly filters: ListingFilters
  /** The search term; null outside of a search. */
  readonly term: string | null
}

/** Up to this number of products may have been found by a variation's SKU. */
const mostByNumber = 3

/**
 * Returns the cards of a filtered list, with the image and URL of the matching variation. Variations are read only
 * where the filters or the search words can match one.
 */
export async function withMatchingVariations(
  tools: CatalogTools,
  book: TermBook,
  { filters, term }: ListNarrowing,
  rows: readonly CardRow[],
  cards: readonly ProductCardFacts[],
): Promise<readonly ProductCardFacts[]> {
  const variable = rows.filter(({ type }) => type === 'variable')
  if (variable.length === 0) return cards
  const values = { ...(await namedBy(tools, book, term)), ...filteredBy(filters) }
  const number = term !== null && rows.length <= mostByNumber ? bareNumber(term) : ''
  if (Object.keys(values).length === 0 && !filters.onSale && number === '') return cards

  const variations = await variationsOf(tools, variable)
  const wanted: WantedVariation = { values, onSale: filters.onSale }
  const picks = new Map(
    variations.flatMap(([id, own]) => {
      const pick = byNumber(own, number) ?? pickVariation(own, wanted)
      return pick ? [[id, pick] as const] : []
    }),
  )
  if (picks.size === 0) return cards
  return localizeFacts(tools, (say) =>
    cards.map((card) => {
      const pick = picks.get(card.id)
      if (!pick) return card
      const image = pick.variation.image
      return {
        ...card,
        url: chosenUrl(card.url, pick.choice),
        image: image ? localizeImage<ImageFacts>(say, image) : card.image,
      }
    }),
  )
}

async function variationsOf(
  { db, catalogCache: { variations: read } }: CatalogTools,
  products: readonly CardRow[],
): Promise<[number, readonly VariationChoiceRow[]][]> {
  const left = products.filter((product) => !read.has(product))
  if (left.length > 0) {
    const ids = left.map(({ id }) => id)
    const fresh = Map.groupBy(await variationChoices(db.sql, ids), ({ productId }) => productId)
    for (const product of left) read.set(product, fresh.get(product.id) ?? [])
  }
  return products.map((product) => [product.id, read.get(product) ?? []])
}

function chosenUrl(url: string, choice: Readonly<Record<string, string>>): string {
  const chosen = Object.entries(choice).map(([slug, value]): [string, string] => [`attribute_${slug}`, value])
  return `${url}?${new URLSearchParams(chosen.sort())}`
}

/** An SKU identifies one variation, which may still have open attributes. */
function byNumber(variations: readonly VariationChoiceRow[], number: string) {
  const variation = number === '' ? undefined : variations.find(({ sku }) => bareNumber(sku) === number)
  if (!variation) return null
  const fixed = Object.entries(variation.attributes).filter(([, value]) => value !== '')
  return { variation, choice: Object.fromEntries(fixed) }
}

function filteredBy({ attributes }: ListingFilters): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(attributes).map(([slug, { values }]) => [`pa_${slug}`, values]))
}

/** Returns attribute values whose names are among the search words. */
async function namedBy(
  tools: CatalogTools,
  book: TermBook,
  term: string | null,
): Promise<Record<string, readonly string[]>> {
  if (term === null) return {}
  const { language, sourceLanguage } = await tools.translator()
  const languages = [language, sourceLanguage]
  const wanted = new Set<string>()
  for (const word of withoutStopWords(searchTermWords(term), languages)) {
    wanted.add(word)
    for (const form of wordForms(word, languages)) wanted.add(form)
  }
  const named = (await valueNames(tools, book)).filter(({ names }) =>
    names.some((words) => words.length > 0 && words.every((word) => wanted.has(word))),
  )
  const bySlug = Map.groupBy(named, ({ slug }) => slug)
  return Object.fromEntries([...bySlug].map(([slug, found]) => [slug, found.map(({ value }) => value)]))
}

/** A value of an attribute. */
export type ValueName = {
  readonly slug: string
  readonly value: string
  /** The words of its name, localized and original. */
  readonly names: readonly (readonly string[])[]
}

async function valueNames(tools: CatalogTools, { attributes }: TermBook): Promise<readonly ValueName[]> {
  const translator = await tools.translator()
  const remembered = tools.catalogCache.valueNames
  const byTranslator = remembered.get(attributes) ?? new WeakMap<Translator, Promise<readonly ValueName[]>>()
  remembered.set(attributes, byTranslator)
  const known = byTranslator.get(translator)
  if (known) return known
  const made = localizeFacts({ translator: async () => translator }, (say) =>
    attributes.flatMap(({ slug, values }) =>
      values.map((value) => ({
        slug: `pa_${slug}`,
        value: value.slug,
        names: [searchWords(say.text(value.label)), searchWords(value.label)],
      })),
    ),
  )
  byTranslator.set(translator, made)
  // A failure must not be cached.
  made.catch(() => byTranslator.delete(translator))
  return made
}
