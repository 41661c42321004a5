import { categoryParameter, saleParameter, stockParameter } from '#contract/catalog/listing-query.ts'
import type { Say } from '../translation/localize-facts.ts'
import type {
  AttributeFacts,
  CategoryFacts,
  FacetFacts,
  ImageFacts,
  ListingFacts,
  ProductCardFacts,
  ProductFacts,
  SuggestionFacts,
  SwatchFacts,
  TermFacts,
  VariationFacts,
} from './catalog-facts.ts'

// Facts of the catalogue in another language. Numbers of products, addresses and posted values stay as they are.

export const sayImage = <Image extends Pick<ImageFacts, 'alt'>>(say: Say, image: Image): Image => ({
  ...image,
  alt: say.text(image.alt),
})

const sayImageIfAny = <Image extends Pick<ImageFacts, 'alt'>>(say: Say, image: Image | null): Image | null =>
  image && sayImage(say, image)

export const sayTerm = <Term extends TermFacts>(say: Say, term: Term): Term => ({ ...term, name: say.text(term.name) })

export function sayCategory(say: Say, category: CategoryFacts): CategoryFacts {
  return {
    ...sayTerm(say, category),
    description: say.markup(category.description),
    image: sayImageIfAny(say, category.image),
  }
}

export function sayCard<Card extends ProductCardFacts>(say: Say, card: Card): Card {
  return {
    ...card,
    name: say.text(card.name),
    image: sayImageIfAny(say, card.image),
    categories: card.categories.map((term) => sayTerm(say, term)),
    tags: card.tags.map((term) => sayTerm(say, term)),
    buttonText: say.text(card.buttonText),
  }
}

function saySwatch(say: Say, swatch: SwatchFacts | null): SwatchFacts | null {
  return swatch?.kind === 'picture' ? { ...swatch, image: sayImage(say, swatch.image) } : swatch
}

function sayAttribute(say: Say, attribute: AttributeFacts): AttributeFacts {
  return {
    ...attribute,
    label: say.text(attribute.label),
    options: attribute.options.map((option) => ({
      ...option,
      label: say.text(option.label),
      ...(option.swatch ? { swatch: saySwatch(say, option.swatch) } : {}),
    })),
  }
}

export function sayVariation(say: Say, variation: VariationFacts): VariationFacts {
  return {
    ...variation,
    description: say.markup(variation.description),
    image: sayImageIfAny(say, variation.image),
  }
}

export function sayProduct(say: Say, product: ProductFacts): ProductFacts {
  return {
    ...sayCard(say, product),
    description: say.markup(product.description),
    shortDescription: say.markup(product.shortDescription),
    images: product.images.map((image) => sayImage(say, image)),
    attributes: product.attributes.map((attribute) => sayAttribute(say, attribute)),
    variations: product.variations.map((variation) => sayVariation(say, variation)),
    grouped: product.grouped.map((card) => sayCard(say, card)),
    upsells: product.upsells.map((card) => sayCard(say, card)),
    related: product.related.map((card) => sayCard(say, card)),
    ancestors: product.ancestors.map((term) => sayTerm(say, term)),
  }
}

/** The labels of the shop's own facets are words of the interface. */
function sayFacet(say: Say, facet: FacetFacts): FacetFacts {
  if (facet.kind !== 'options' || facet.name === stockParameter || facet.name === saleParameter) return facet
  return {
    ...facet,
    label: facet.name === categoryParameter ? facet.label : say.text(facet.label),
    options: facet.options.map((option) => ({
      ...option,
      label: say.text(option.label),
      swatch: saySwatch(say, option.swatch),
    })),
  }
}

/** A listing but for its products, which `localized-cards.ts` says. */
export function sayListing(say: Say, listing: Omit<ListingFacts, 'products'>): Omit<ListingFacts, 'products'> {
  const facets = listing.facets.map((facet) => sayFacet(say, facet))
  const labels = new Map(
    facets.flatMap((facet) =>
      facet.kind === 'options'
        ? facet.options.filter(({ selected }) => selected).map(({ url, label }) => [url, label] as const)
        : [],
    ),
  )
  return {
    ...listing,
    title: listing.kind === 'category' || listing.kind === 'tag' ? say.text(listing.title) : listing.title,
    description: say.markup(listing.description),
    image: sayImageIfAny(say, listing.image),
    categories: listing.categories.map((category) => sayCategory(say, category)),
    ancestors: listing.ancestors.map((term) => sayTerm(say, term)),
    facets,
    chosen: listing.chosen.map((filter) => ({ ...filter, label: labels.get(filter.url) ?? filter.label })),
  }
}

export function saySuggestions(say: Say, facts: SuggestionFacts): SuggestionFacts {
  return {
    ...facts,
    products: facts.products.map((card) => sayCard(say, card)),
    categories: facts.categories.map((term) => sayTerm(say, term)),
  }
}
