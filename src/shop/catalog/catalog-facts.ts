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
  /** Whether `.avif` exists for every width too; false until the background job has made it. */
  avif: boolean
}

export type ProductType = 'simple' | 'variable' | 'grouped' | 'external'
export type StockStatus = 'instock' | 'outofstock' | 'onbackorder'

/** What a price line shows, in display tax mode. `none`: empty price, not purchasable. */
export type PriceFacts =
  | { kind: 'none' }
  | { kind: 'single'; price: Money; suffix?: PriceSuffix }
  | { kind: 'sale'; regular: Money; price: Money; suffix?: PriceSuffix }
  | { kind: 'range'; from: Money; to: Money; suffix?: PriceSuffix }

/** The lowest price with tax and without it, where the shop says so after its prices. */
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
  /** Target and text of the button of an external product. */
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

/** How an option shows besides its name: a CSS colour #rrggbb, or a picture. */
export type SwatchFacts = { kind: 'colour'; colour: string } | { kind: 'picture'; image: ImageFacts }

/** One choice of a facet. `url` is the listing with this choice made or, where it is `selected`, taken back. */
export type FacetOption = {
  value: string
  label: string
  /** How many products the listing would hold with it. */
  count: number
  selected: boolean
  url: string
  swatch: SwatchFacts | null
}

/** A way to narrow a listing. Every choice is a plain link. */
export type FacetFacts =
  | {
      kind: 'options'
      /** The parameter of the address: `filter_colour`, `filter_product_cat`, `filter_stock_status`, `filter_on_sale`. */
      name: string
      label: string
      options: readonly FacetOption[]
    }
  | {
      /** A GET form with `min_price` and `max_price` in whole units of the currency. */
      kind: 'price'
      name: 'price'
      label: string
      /** Of the listing without this facet. */
      lowest: Money
      highest: Money
      from: Money | null
      to: Money | null
    }

/** What a visitor has typed so far may mean. */
export type SuggestionFacts = {
  term: string
  /** The address of the full answer. */
  url: string
  total: number
  products: readonly ProductCardFacts[]
  categories: readonly TermFacts[]
}

/** One thing that narrows a listing, and where it does no longer; `price` is what products may cost. */
export type ChosenFilter = {
  label: string
  url: string
  price?: { from: Money | null; to: Money | null }
}

export type ListingFacts = {
  kind: 'shop' | 'category' | 'tag' | 'search'
  title: string
  /** The text of a category, or ''. */
  description: string
  /** Of a category that has one. */
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
  /** The categories to go on to: the children of the category, else the top ones. */
  categories: readonly CategoryFacts[]
  /** From the top category to this one's parent. */
  ancestors: readonly TermFacts[]
  facets: readonly FacetFacts[]
  /** What the listing is narrowed by; `url` takes it back. */
  chosen: readonly ChosenFilter[]
  /** The listing without any facet; null while none is chosen. */
  clearUrl: string | null
  /** A search that found nothing as typed was answered with this spelling instead. */
  correctedTerm: string | null
  /** Of a search: what was translated a moment ago is not found yet. */
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

/** What search engines are told besides what the page shows. */
export type OfferFacts = {
  gtin: string
  shippingClass: string
  /** The day in the shop's own time, 2026-11-30, until which the price is promised; null: no end is known. */
  saleEnds: string | null
  /** The price in the shop's own currency, which decides about free shipping; null: there is none. */
  ownPrice: Money | null
}

/** One variation as the browser needs it; `contract/catalog/variation.ts` turns it into the object of the wire. */
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
    /** Reached by its address alone. */
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
    /** More than 30: the browser asks get_variation instead of receiving all of them. */
    variationsInline: boolean
    grouped: readonly ProductCardFacts[]
    upsells: readonly ProductCardFacts[]
    related: readonly ProductCardFacts[]
    /** Ids of those that the merchant has linked to it, also of such as are not published now. */
    linked: readonly number[]
    weightGrams: number | null
    dimensionsMm: { length: number; width: number; height: number } | null
    ancestors: readonly TermFacts[]
  }
