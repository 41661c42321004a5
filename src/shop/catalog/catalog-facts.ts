import type { Money } from '#domain/money/money.ts'

/** A picture on disk: `/media/<hash>-<width>.webp` exists for every width. */
export type ImageFacts = {
  hash: string
  width: number
  height: number
  alt: string
  /** Dominant colour as #rrggbb. */
  placeholder: string
  widths: readonly number[]
  /** True if `.avif` exists for every width too; false until the background job has made it. */
  avif: boolean
}

export type ProductType = 'simple' | 'variable' | 'grouped' | 'external'
export type StockStatus = 'instock' | 'outofstock' | 'onbackorder'

/** The price of a product, in display tax mode. `none`: empty price, not purchasable. */
export type PriceFacts =
  | { kind: 'none' }
  | { kind: 'single'; price: Money; suffix?: PriceSuffix }
  | { kind: 'sale'; regular: Money; price: Money; suffix?: PriceSuffix }
  | { kind: 'range'; from: Money; to: Money; suffix?: PriceSuffix }

/** The lowest price with and without tax, for shops with a price suffix. */
export type PriceSuffix = { incl: Money; excl: Money }

export type TermFacts = { name: string; slug: string; url: string }

/** One card of a listing. */
export type ProductCardFacts = {
  id: number
  type: ProductType
  sku: string
  name: string
  url: string
  image: ImageFacts | null
  price: PriceFacts
  onSale: boolean
  featured: boolean
  stock: StockStatus
  purchasable: boolean
  virtual: boolean
  downloadable: boolean
  soldIndividually: boolean
  taxable: boolean
  hasDefaultAttributes: boolean
  categories: readonly TermFacts[]
  tags: readonly TermFacts[]
  averageRating: number
  ratingCount: number
  /** URL and text of the button of an external product. */
  externalUrl: string
  buttonText: string
}

export type CategoryFacts = TermFacts & {
  id: number
  parentId: number | null
  description: string
  productCount: number
  image: ImageFacts | null
}

export type Sorting = 'menu_order' | 'relevance' | 'popularity' | 'rating' | 'date' | 'price' | 'price-desc'

/** The display of an option besides its name: a CSS colour #rrggbb, or an image. */
export type SwatchFacts = { kind: 'colour'; colour: string } | { kind: 'picture'; image: ImageFacts }

/** A choice of a facet. `url` is the listing with this choice applied or, if `selected`, removed. */
export type FacetOption = {
  value: string
  label: string
  /** The number of products in the listing with this choice. */
  count: number
  selected: boolean
  url: string
  swatch: SwatchFacts | null
}

/** A facet of a listing. Every choice is a plain link. */
export type FacetFacts =
  | {
      kind: 'options'
      /** The query parameter: `filter_colour`, `filter_product_cat`, `filter_stock_status`, `filter_on_sale`. */
      name: string
      label: string
      /** True: the label is an interface text although the choices are the merchant's. */
      ownLabel?: true
      options: readonly FacetOption[]
    }
  | {
      /** A GET form with `min_price` and `max_price` in whole units of the currency. */
      kind: 'price'
      name: 'price'
      label: string
      /** The lowest price of the listing without this facet. */
      lowest: Money
      highest: Money
      from: Money | null
      to: Money | null
    }

/** Suggestions for the start of a search term. */
export type SuggestionFacts = {
  term: string
  /** The URL of the full result. */
  url: string
  total: number
  products: readonly ProductCardFacts[]
  categories: readonly TermFacts[]
}

/** An applied filter, and the URL without it; `price` is the price range. */
export type ChosenFilter = {
  label: string
  url: string
  price?: { from: Money | null; to: Money | null }
}

export type ListingFacts = {
  kind: 'shop' | 'category' | 'tag' | 'search'
  title: string
  /** The description of a category, or ''. */
  description: string
  /** The image of a category; null without one. */
  image: ImageFacts | null
  searchTerm: string
  /** Path and query of this listing without paging, e.g. /product-category/glass/?orderby=price. */
  path: string
  query: Readonly<Record<string, string>>
  sorting: Sorting
  sortings: readonly Sorting[]
  page: number
  pageCount: number
  perPage: number
  total: number
  products: readonly ProductCardFacts[]
  /** The subcategories to link: the children of the category, else the top ones. */
  categories: readonly CategoryFacts[]
  /** From the top category to this one's parent. */
  ancestors: readonly TermFacts[]
  facets: readonly FacetFacts[]
  /** The applied filters; `url` removes each. */
  chosen: readonly ChosenFilter[]
  /** The listing without any facet; null without filters. */
  clearUrl: string | null
  /** The spelling that was searched instead, after the typed term found nothing. */
  correctedTerm: string | null
  /** For a search: true if recent translations are not indexed yet. */
  isPassing: boolean
}

export type AttributeFacts = {
  /** Wire name without the prefix `attribute_`: `pa_colour` for a shop-wide attribute, `size` for the product's own. */
  slug: string
  label: string
  visible: boolean
  forVariations: boolean
  options: readonly { value: string; label: string; swatch?: SwatchFacts | null }[]
  defaultOption: string
}

/** Offer data for search engines, besides the visible data. */
export type OfferFacts = {
  gtin: string
  shippingClass: string
  /** The last day of the price, in the shop's time zone, 2026-11-30; null: no known end. */
  saleEnds: string | null
  /** The price in the shop's own currency, which decides about free shipping; null without a price. */
  ownPrice: Money | null
}

/** A variation for the browser; `contract/catalog/variation.ts` converts it to the wire object. */
export type VariationFacts = OfferFacts & {
  id: number
  sku: string
  /** Attribute slug → value, '' for any. */
  attributes: Readonly<Record<string, string>>
  price: PriceFacts
  displayPrice: Money | null
  displayRegularPrice: Money | null
  stock: StockStatus
  /** Null: not managed. */
  stockQuantity: number | null
  backorders: 'no' | 'notify' | 'yes'
  purchasable: boolean
  soldIndividually: boolean
  virtual: boolean
  downloadable: boolean
  maxQuantity: number | null
  description: string
  weightGrams: number | null
  dimensionsMm: { length: number; width: number; height: number } | null
  image: ImageFacts | null
}

export type ProductFacts = ProductCardFacts &
  OfferFacts & {
    /** Available only by its URL. */
    hidden: boolean
    description: string
    shortDescription: string
    images: readonly ImageFacts[]
    /** Null: not managed. */
    stockQuantity: number | null
    backorders: 'no' | 'notify' | 'yes'
    maxQuantity: number | null
    lowStockAmount: number
    attributes: readonly AttributeFacts[]
    variations: readonly VariationFacts[]
    /** False above 30 variations: the browser calls get_variation instead of receiving all of them. */
    variationsInline: boolean
    grouped: readonly ProductCardFacts[]
    upsells: readonly ProductCardFacts[]
    related: readonly ProductCardFacts[]
    /** Ids of the products that the merchant linked to it, including unpublished ones. */
    linked: readonly number[]
    weightGrams: number | null
    dimensionsMm: { length: number; width: number; height: number } | null
    ancestors: readonly TermFacts[]
  }
