import {
  attributeParameter,
  categoryParameter,
  type ListingFilters,
  saleParameter,
  stockParameter,
} from '#contract/catalog/listing-query.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import type { Bits } from '#domain/catalog/bit-set.ts'
import { termCounts } from '#domain/catalog/product-index.ts'
import { priceSpans } from '#domain/catalog/product-prices.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import type { Money } from '#domain/money/money.ts'
import type { Translator } from '../translation/translator.ts'
import type { Catalog } from './cached-catalog.ts'
import type { ChosenFilter, FacetFacts, FacetOption, SwatchFacts } from './catalog-facts.ts'
import { isOnSale, stockTerms, type ValueFacet } from './catalog-terms.ts'
import type { Narrowing } from './narrow-listing.ts'
import type { DisplayPrice } from './read-product-prices.ts'

/** Longer lists are useless: the options with the most products, and the selected ones. */
const mostOptions = 24
const mostAttributes = 8

type Sought = {
  readonly catalog: Catalog
  readonly narrowing: Narrowing
  readonly settings: ShopSettings
  readonly display: DisplayPrice
  /** The category of the listing. */
  readonly category: number | null
  /** Returns the URL of this listing with other filters. */
  urlOf(filters: ListingFilters): string
  /** For labels of the shop itself; the merchant's stay unchanged. */
  readonly t: Translator['t']
}

type Choice = { value: string; label: string; term: number; swatch?: SwatchFacts | null }

/**
 * Returns the facets of a listing, with the number of products for each choice; choices without products are left out.
 */
export function readFacets(sought: Sought): FacetFacts[] {
  const { catalog, narrowing, t } = sought
  const { index, book } = catalog
  const categories = categoryChoices(sought)
  const attributeTerms = book.facets.flatMap(({ values }) => values.map(({ term }) => term))
  const fixed = [isOnSale, ...Object.values(stockTerms)]
  const asked = [...categories.map(({ term }) => term), ...attributeTerms, ...fixed]
  const common = termCounts(index, narrowing.found, asked, narrowing.count)
  const options: Options = (name, label, choices, chosen, toggle) => {
    // A facet is counted under all the others: its own filter must not hide its other options.
    const counts = narrowing.widens(name)
      ? termCounts(
          index,
          narrowing.without(name),
          choices.map(({ term }) => term),
        )
      : common
    return optionsFacet({ name, label, choices, chosen, counts, total: narrowing.count, toggle, sought })
  }
  return [
    options(categoryParameter, t('Category'), categories, narrowing.filters.categories, (values) => ({
      ...narrowing.filters,
      categories: values,
    })),
    priceFacet(sought),
    ...attributeFacets(sought, common, options),
    stockFacet(sought, options),
    options(
      saleParameter,
      t('Offers'),
      [{ value: '1', label: t('On sale'), term: isOnSale }],
      narrowing.filters.onSale ? ['1'] : [],
      (onSale) => ({ ...narrowing.filters, onSale: onSale.length > 0 }),
    ),
  ].flatMap((facet) => facet ?? [])
}

type Toggle = (values: readonly string[]) => ListingFilters
type Options = (
  name: string,
  label: string,
  choices: readonly Choice[],
  chosen: readonly string[],
  toggle: Toggle,
) => FacetFacts | null

function optionsFacet({
  name,
  label,
  choices,
  chosen,
  counts,
  total,
  toggle,
  sought,
}: {
  name: string
  label: string
  choices: readonly Choice[]
  chosen: readonly string[]
  counts: Uint32Array
  total: number
  toggle: Toggle
  sought: Sought
}): FacetFacts | null {
  const countOf = ({ term }: Choice) => counts[term] ?? 0
  const worth = choices.filter((choice) => countOf(choice) > 0 || chosen.includes(choice.value))
  // A single choice that all products share filters nothing.
  if (worth.length === 0 || (worth.length === 1 && chosen.length === 0 && worth.every((it) => countOf(it) === total)))
    return null
  const fullest = new Set(worth.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, mostOptions))
  const shown = worth.filter((choice) => fullest.has(choice) || chosen.includes(choice.value))
  const options: FacetOption[] = shown.map((choice) => {
    const { value, swatch = null } = choice
    const selected = chosen.includes(value)
    const values = selected ? chosen.filter((other) => other !== value) : [...chosen, value].sort()
    return { value, label: choice.label, count: countOf(choice), selected, url: sought.urlOf(toggle(values)), swatch }
  })
  return { kind: 'options', name, label, options }
}

/** Returns the categories to choose: the children of this one, and of each selected one. */
function categoryChoices({ catalog, narrowing, category }: Sought): Choice[] {
  const { tree, book } = catalog
  const { categories } = narrowing.filters
  const choices = new Map<number, Choice>()
  const offer = (id: number) => {
    const row = tree.category(id)
    const term = book.category(id)
    if (row && term !== undefined) choices.set(id, { value: row.slug, label: row.name, term })
  }
  const offerWithin = (ids: readonly { id: number; slug: string }[]) => {
    for (const { id, slug } of ids) {
      offer(id)
      if (categories.includes(slug)) offerWithin(tree.children(id))
    }
  }
  offerWithin(category === null ? tree.top : tree.children(category))
  // Selected by an external URL: it must be possible to remove it.
  for (const slug of categories) {
    const row = tree.bySlug(slug)
    if (row && !choices.has(row.id)) offer(row.id)
  }
  return [...choices.values()]
}

function attributeFacets({ catalog, narrowing, settings, t }: Sought, common: Uint32Array, options: Options) {
  const chosen = (slug: string) => narrowing.attribute(slug)
  const products = ({ values }: ValueFacet) => values.reduce((sum, { term }) => sum + (common[term] ?? 0), 0)
  const isChosen = ({ slug }: ValueFacet) => chosen(slug).values.length > 0
  const fullest = catalog.book.facets
    .filter((attribute) => products(attribute) > 0)
    .toSorted((a, b) => products(b) - products(a))
    .slice(0, mostAttributes)
  // In the merchant's order: a facet must keep its place when another is selected.
  return catalog.book.facets.flatMap((attribute) => {
    if (!fullest.includes(attribute) && !isChosen(attribute)) return []
    const { slug, label } = attribute
    const { values, all } = chosen(slug)
    const choices = attribute.values.map((value) => ({
      value: value.slug,
      label: value.label,
      term: value.term,
      swatch: colourOf(settings, slug, value.slug),
    }))
    const facet = options(attributeParameter(slug), label ?? t('Brand'), choices, values, (wanted) => {
      const others = Object.fromEntries(Object.entries(narrowing.filters.attributes).filter(([name]) => name !== slug))
      const own = wanted.length > 0 ? { [slug]: { values: wanted, all: all && wanted.length > 1 } } : {}
      return { ...narrowing.filters, attributes: { ...others, ...own } }
    })
    if (facet === null) return []
    return facet.kind === 'options' && label === null ? { ...facet, ownLabel: true as const } : facet
  })
}

function colourOf({ swatches }: ShopSettings, slug: string, value: string): SwatchFacts | null {
  const colours = swatches[slug] ?? swatches[`pa_${slug}`]
  const colour = colours && Object.hasOwn(colours, value) ? colours[value] : undefined
  return colour ? { kind: 'colour', colour } : null
}

function stockFacet({ narrowing, settings, t }: Sought, options: Options): FacetFacts | null {
  const { instock, onbackorder, outofstock } = stockTerms
  const choices = [
    { value: 'instock', label: t('In stock'), term: instock },
    { value: 'onbackorder', label: t('On backorder'), term: onbackorder },
    ...(settings.hideOutOfStock ? [] : [{ value: 'outofstock', label: t('Out of stock'), term: outofstock }]),
  ]
  const { stock } = narrowing.filters
  return options(stockParameter, t('Availability'), choices, stock, (values) => ({
    ...narrowing.filters,
    stock: choices.flatMap(({ value }) => stockOf(value, values)),
  }))
}

function stockOf(value: string, wanted: readonly string[]): ListingFilters['stock'] {
  return wanted.includes(value) && (value === 'instock' || value === 'onbackorder' || value === 'outofstock')
    ? [value]
    : []
}

function priceFacet({ catalog, narrowing, display, t }: Sought): FacetFacts | null {
  const span = priceSpan(catalog, narrowing.without('price'), display)
  const { from, to } = narrowing.price
  if (!span || (span.lowest.minor >= span.highest.minor && !from && !to)) return null
  return { kind: 'price', name: 'price', label: t('Price'), ...span, from, to }
}

/** Returns the range of displayed prices, in whole units of the currency. */
function priceSpan(
  { index, book }: Catalog,
  found: Bits,
  display: DisplayPrice,
): { lowest: Money; highest: Money } | null {
  const spans = priceSpans(index, found, book.taxGroups.length).flatMap((span, group) => {
    const taxed = book.taxGroups[group]
    return span && taxed ? [{ lowest: display(span.from, taxed), highest: display(span.to, taxed) }] : []
  })
  const [first] = spans
  if (!first) return null
  const { currency } = first.lowest
  const unit = 10 ** currencyExponent(currency)
  const lowest = Math.min(...spans.map((span) => span.lowest.minor))
  const highest = Math.max(...spans.map((span) => span.highest.minor))
  return {
    lowest: { minor: lowest - (lowest % unit), currency },
    highest: { minor: Math.ceil(highest / unit) * unit, currency },
  }
}

/** Returns the applied filters, each with the URL that removes it. */
export function chosenFacts(
  facets: readonly FacetFacts[],
  { narrowing, urlOf, t }: Pick<Sought, 'narrowing' | 'urlOf' | 't'>,
): ChosenFilter[] {
  const options = facets.flatMap((facet) =>
    facet.kind === 'options'
      ? facet.options.filter(({ selected }) => selected).map(({ label, url }) => ({ label, url }))
      : [],
  )
  const { from, to } = narrowing.price
  const without = urlOf({ ...narrowing.filters, minPrice: null, maxPrice: null })
  return from || to ? [...options, { label: t('Price'), url: without, price: { from, to } }] : options
}
