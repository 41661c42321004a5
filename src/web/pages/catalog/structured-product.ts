import { completeChoices } from '#domain/catalog/complete-choices.ts'
import type { AttributeValues } from '#domain/catalog/match-variation.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import type { Money } from '#domain/money/money.ts'
import type {
  AttributeFacts,
  ImageFacts,
  ProductFacts,
  StockStatus,
  VariationFacts,
} from '#shop/catalog/catalog-facts.ts'
import { definedMembers, organizationId, type Thing } from '../shared/structured-data.ts'

/** The cost of shipping a single item to a country. */
export type OfferShipping = { country: string; cost: Money }

export type ProductContext = {
  origin: string
  condition: 'new' | 'refurbished' | 'used'
  /** Plain text, not markup. */
  description: string
  /** Absolute URLs, the first image first. */
  imageUrl: (image: ImageFacts) => string
  /** Empty if the shop needs the address to calculate it. */
  shipping: (offered: Pick<Offered, 'shippingClass' | 'weightGrams' | 'price' | 'ownPrice'>) => readonly OfferShipping[]
}

const conditions = { new: 'NewCondition', refurbished: 'RefurbishedCondition', used: 'UsedCondition' } as const
const mostImages = 8
/** Variations with open attributes are expanded up to this number. */
const mostVariants = 100

/** Attributes that search engines use to distinguish variants, by their usual names. */
const knownProperties: Readonly<Record<string, string>> = {
  colour: 'color',
  color: 'color',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
}

const propertyOf = (slug: string): string | undefined => knownProperties[slug.replace(/^pa_/, '').toLowerCase()]

/**
 * Returns a product for search engines: prices and stock as on the page. Null for a product without a price, which has
 * no offer.
 */
export function productThing(product: ProductFacts, context: ProductContext): Thing | null {
  if (product.price.kind === 'none') return null
  const varies = product.attributes.filter(({ forVariations }) => forVariations)
  const variants = product.variations.filter(({ displayPrice }) => displayPrice !== null)
  if (product.type === 'variable' && varies.length > 0 && variants.length > 0) {
    return definedMembers({
      ...productMembers(product, context),
      '@type': 'ProductGroup',
      productGroupID: product.sku || String(product.id),
      variesBy: varies.map(({ slug, label }) => {
        const property = propertyOf(slug)
        return property ? `https://schema.org/${property}` : label
      }),
      hasVariant: variantsOf(product, varies).map((variant) => variantThing(product, varies, variant, context)),
    })
  }
  return definedMembers({
    ...productMembers(product, context),
    '@type': 'Product',
    sku: product.sku,
    ...gtinOf(product.gtin),
    offers: offersOf(product, context),
  })
}

function productMembers(product: ProductFacts, { origin, description, imageUrl }: ProductContext): Thing {
  const fixed = product.attributes.filter(({ forVariations, visible }) => !forVariations && visible)
  return definedMembers({
    '@type': 'Product',
    '@id': `${origin}${product.url}#product`,
    name: product.name,
    description,
    url: origin + product.url,
    image: product.images.slice(0, mostImages).map(imageUrl),
    category: product.ancestors.map(({ name }) => name).join(' > '),
    ...brandOf(product.attributes),
    ...Object.fromEntries(
      fixed.flatMap(({ slug, options }) => {
        const property = propertyOf(slug)
        return property ? [[property, options.map(({ label }) => label).join(', ')]] : []
      }),
    ),
    weight: product.weightGrams === null ? null : quantity(product.weightGrams / 1000, 'KGM'),
    aggregateRating:
      product.ratingCount > 0
        ? {
            '@type': 'AggregateRating',
            ratingValue: product.averageRating,
            ratingCount: product.ratingCount,
            bestRating: 5,
          }
        : null,
  })
}

const quantity = (value: number, unitCode: string): Thing => ({ '@type': 'QuantitativeValue', value, unitCode })

function brandOf(attributes: readonly AttributeFacts[]): Record<string, unknown> {
  const labelled = (names: readonly string[]) =>
    attributes.find(({ slug }) => names.includes(slug.replace(/^pa_/, '').toLowerCase()))?.options[0]?.label
  const brand = labelled(['brand', 'manufacturer'])
  const mpn = labelled(['mpn'])
  return { ...(brand ? { brand: { '@type': 'Brand', name: brand } } : {}), ...(mpn ? { mpn } : {}) }
}

/**
 * Returns a GTIN, UPC, EAN or ISBN only with a correct check digit, since a wrong number would list another shop's
 * product.
 */
export function gtinOf(written: string): Record<string, string> {
  const digits = written.replaceAll(/[\s-]/g, '')
  if (!/^(\d{8}|\d{12,14})$/.test(digits)) return {}
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0 ? { gtin: digits } : {}
}

/** A complete choice that can be listed. `shared`: other choices have the same variation. */
type Variant = { readonly variation: VariationFacts; readonly choice: AttributeValues; readonly shared: boolean }

/** Returns the variants: an open attribute of a variation is sold with every value, each a variant of its own. */
function variantsOf({ variations }: ProductFacts, varies: readonly AttributeFacts[]): Variant[] {
  const choosable = varies.map(({ slug, options }) => ({ slug, values: options.map(({ value }) => value) }))
  const choices = completeChoices(variations, choosable, mostVariants)
  const uses = Map.groupBy(choices, ({ variation }) => variation)
  return choices
    .filter(({ variation }) => variation.displayPrice !== null)
    .map((choice) => ({ ...choice, shared: (uses.get(choice.variation)?.length ?? 0) > 1 }))
}

function variantThing(
  product: ProductFacts,
  varies: readonly AttributeFacts[],
  { variation, choice, shared }: Variant,
  context: ProductContext,
): Thing {
  const chosen = varies.flatMap(({ slug, label, options }) => {
    const value = choice[slug] ?? ''
    if (value === '') return []
    return [{ slug, label, value, text: options.find((option) => option.value === value)?.label ?? value }]
  })
  const query = new URLSearchParams(chosen.map(({ slug, value }) => [`attribute_${slug}`, value])).toString()
  const url = context.origin + product.url + (query ? `?${query}` : '')
  const others = chosen.filter(({ slug }) => !propertyOf(slug))
  return definedMembers({
    '@type': 'Product',
    name: [product.name, chosen.map(({ text }) => text).join(', ')].filter(Boolean).join(' – '),
    // A number of the product or of several variants identifies none of them.
    sku: shared || variation.sku === product.sku ? '' : variation.sku,
    ...(shared ? {} : gtinOf(variation.gtin)),
    image: variation.image ? context.imageUrl(variation.image) : null,
    ...Object.fromEntries(chosen.flatMap(({ slug, text }) => (propertyOf(slug) ? [[propertyOf(slug), text]] : []))),
    additionalProperty: others.map(({ label, text }) => ({ '@type': 'PropertyValue', name: label, value: text })),
    offers:
      variation.displayPrice &&
      offer(
        {
          ...variation,
          price: variation.displayPrice,
          regular: variation.displayRegularPrice,
          needsShipping: !variation.virtual,
        },
        url,
        context,
      ),
  })
}

function offersOf(product: ProductFacts, context: ProductContext): Thing | null {
  const { price } = product
  const url = context.origin + product.url
  if (price.kind === 'none') return null
  if (price.kind !== 'range') {
    return offer(
      {
        ...product,
        price: price.price,
        regular: price.kind === 'sale' ? price.regular : null,
        needsShipping: !product.virtual && product.type === 'simple',
      },
      url,
      context,
    )
  }
  // A set, or a product with more variations than its page lists.
  return definedMembers({
    '@type': 'AggregateOffer',
    url,
    lowPrice: decimalString(price.from),
    highPrice: decimalString(price.to),
    priceCurrency: price.from.currency,
    offerCount: product.grouped.length > 0 ? product.grouped.length : null,
    availability: availability(product),
    itemCondition: `https://schema.org/${conditions[context.condition]}`,
    seller: { '@id': organizationId(context.origin) },
  })
}

type Offered = {
  price: Money
  ownPrice: Money | null
  /** The struck-through price during a sale. */
  regular: Money | null
  saleEnds: string | null
  stock: StockStatus
  stockQuantity: number | null
  shippingClass: string
  weightGrams: number | null
  needsShipping: boolean
}

function offer(offered: Offered, url: string, context: ProductContext): Thing {
  const { price } = offered
  return definedMembers({
    '@type': 'Offer',
    url,
    price: decimalString(price),
    priceCurrency: price.currency,
    priceSpecification: struckThrough(offered),
    priceValidUntil: offered.saleEnds,
    availability: availability(offered),
    itemCondition: `https://schema.org/${conditions[context.condition]}`,
    seller: { '@id': organizationId(context.origin) },
    shippingDetails: offered.needsShipping ? context.shipping(offered).map(shippingDetails) : [],
  })
}

/** Returns the price before the sale. The current price has no type: search engines use an untyped price as current. */
function struckThrough({ price, regular }: Pick<Offered, 'price' | 'regular'>): Thing | null {
  if (!regular || regular.minor <= price.minor) return null
  return {
    '@type': 'UnitPriceSpecification',
    priceType: 'https://schema.org/StrikethroughPrice',
    price: decimalString(regular),
    priceCurrency: regular.currency,
  }
}

const shippingDetails = ({ country, cost }: OfferShipping): Thing => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: decimalString(cost), currency: cost.currency },
  shippingDestination: { '@type': 'DefinedRegion', addressCountry: country },
})

/** Equals the page's own stock line. */
export function availability({ stock, stockQuantity }: Pick<Offered, 'stock' | 'stockQuantity'>): string {
  if (stock === 'outofstock') return 'https://schema.org/OutOfStock'
  const behind = stock === 'onbackorder' || (stockQuantity !== null && stockQuantity <= 0)
  return `https://schema.org/${behind ? 'BackOrder' : 'InStock'}`
}
