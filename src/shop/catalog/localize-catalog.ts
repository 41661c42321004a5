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

// Localization of the catalog's facts. Product ids, URLs and posted values stay unchanged.

export const localizeImage = <Image extends Pick<ImageFacts, 'alt'>>(say: Say, image: Image): Image => ({
  ...image,
  alt: say.text(image.alt),
})

const localizeOptionalImage = <Image extends Pick<ImageFacts, 'alt'>>(say: Say, image: Image | null): Image | null =>
  image && localizeImage(say, image)

export const localizeTerm = <Term extends TermFacts>(say: Say, term: Term): Term => ({
  ...term,
  name: say.text(term.name),
})

export function localizeCategory(say: Say, category: CategoryFacts): CategoryFacts {
  return {
    ...localizeTerm(say, category),
    description: say.markup(category.description),
    image: localizeOptionalImage(say, category.image),
  }
}

export function localizeCard<Card extends ProductCardFacts>(say: Say, card: Card): Card {
  return {
    ...card,
    name: say.text(card.name),
    image: localizeOptionalImage(say, card.image),
    categories: card.categories.map((term) => localizeTerm(say, term)),
    tags: card.tags.map((term) => localizeTerm(say, term)),
    buttonText: say.text(card.buttonText),
  }
}

function localizeSwatch(say: Say, swatch: SwatchFacts | null): SwatchFacts | null {
  return swatch?.kind === 'picture' ? { ...swatch, image: localizeImage(say, swatch.image) } : swatch
}

function localizeAttribute(say: Say, attribute: AttributeFacts): AttributeFacts {
  return {
    ...attribute,
    label: say.text(attribute.label),
    options: attribute.options.map((option) => ({
      ...option,
      label: say.text(option.label),
      ...(option.swatch ? { swatch: localizeSwatch(say, option.swatch) } : {}),
    })),
  }
}

export function localizeVariation(say: Say, variation: VariationFacts): VariationFacts {
  return {
    ...variation,
    description: say.markup(variation.description),
    image: localizeOptionalImage(say, variation.image),
  }
}

export function localizeProduct(say: Say, product: ProductFacts): ProductFacts {
  return {
    ...localizeCard(say, product),
    description: say.markup(product.description),
    shortDescription: say.markup(product.shortDescription),
    images: product.images.map((image) => localizeImage(say, image)),
    attributes: product.attributes.map((attribute) => localizeAttribute(say, attribute)),
    variations: product.variations.map((variation) => localizeVariation(say, variation)),
    grouped: product.grouped.map((card) => localizeCard(say, card)),
    upsells: product.upsells.map((card) => localizeCard(say, card)),
    related: product.related.map((card) => localizeCard(say, card)),
    ancestors: product.ancestors.map((term) => localizeTerm(say, term)),
  }
}

/** Localizes a facet; labels of the shop's own facets are interface texts. */
function localizeFacet(say: Say, facet: FacetFacts): FacetFacts {
  if (facet.kind !== 'options' || facet.name === stockParameter || facet.name === saleParameter) return facet
  return {
    ...facet,
    label: facet.name === categoryParameter || facet.ownLabel ? facet.label : say.text(facet.label),
    options: facet.options.map((option) => ({
      ...option,
      label: say.text(option.label),
      swatch: localizeSwatch(say, option.swatch),
    })),
  }
}

/** Localizes a listing without its products; `localized-cards.ts` localizes those. */
export function localizeListing(say: Say, listing: Omit<ListingFacts, 'products'>): Omit<ListingFacts, 'products'> {
  const facets = listing.facets.map((facet) => localizeFacet(say, facet))
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
    image: localizeOptionalImage(say, listing.image),
    categories: listing.categories.map((category) => localizeCategory(say, category)),
    ancestors: listing.ancestors.map((term) => localizeTerm(say, term)),
    facets,
    chosen: listing.chosen.map((filter) => ({ ...filter, label: labels.get(filter.url) ?? filter.label })),
  }
}

export function localizeSuggestions(say: Say, facts: SuggestionFacts): SuggestionFacts {
  return {
    ...facts,
    products: facts.products.map((card) => localizeCard(say, card)),
    categories: facts.categories.map((term) => localizeTerm(say, term)),
  }
}
