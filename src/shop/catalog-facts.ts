import type { Money } from '#domain/money/money.ts'

/** A picture on disk: `/media/<hash>-<width>.avif` and `.webp` exist for every width. */
export type ImageFacts = {
  hash: string
  width: number
  height: number
  alt: string
  /** Dominant colour as #rrggbb. */
  placeholder: string
  widths: readonly number[]
}

export type ProductType = 'simple' | 'variable' | 'grouped' | 'external'
export type StockStatus = 'instock' | 'outofstock' | 'onbackorder'

/** What a price line shows, in display tax mode. `none`: empty price, not purchasable. */
export type PriceFacts =
  | { kind: 'none' }
  | { kind: 'single'; price: Money }
  | { kind: 'sale'; regular: Money; price: Money }
  | { kind: 'range'; from: Money; to: Money }

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

export type ListingFacts = {
  kind: 'shop' | 'category' | 'tag' | 'search'
  title: string
  /** The text of a category, or ''. */
  description: string
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
}

export type AttributeFacts = {
  /** Wire name without the prefix `attribute_`: `pa_colour` for a shop-wide attribute, `size` for the product's own. */
  slug: string
  label: string
  visible: boolean
  forVariations: boolean
  options: readonly { value: string; label: string }[]
  defaultOption: string
}

/** One variation as the browser needs it; `contract/variation.ts` turns it into the object of the wire. */
export type VariationFacts = {
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

export type ProductFacts = ProductCardFacts & {
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
  weightGrams: number | null
  dimensionsMm: { length: number; width: number; height: number } | null
  ancestors: readonly TermFacts[]
}

export type HomeFacts = {
  categories: readonly CategoryFacts[]
  featured: readonly ProductCardFacts[]
  newest: readonly ProductCardFacts[]
  onSale: readonly ProductCardFacts[]
}
