import type { Generated } from 'kysely'

export type BrandsTable = {
  id: Generated<number>
  parent_id: number | null
  name: string
  slug: string
  description: Generated<string>
  position: Generated<number>
  image_id: number | null
}

export type ProductBrandsTable = { product_id: number; brand_id: number }

/** `products.shipping_class` holds the slug. */
export type ShippingClassesTable = { id: Generated<number>; name: string; slug: string; description: Generated<string> }

export type ReviewStatus = 'approved' | 'hold' | 'spam' | 'trash'

export type ReviewsTable = {
  id: Generated<number>
  product_id: number
  customer_id: number | null
  author: string
  email: Generated<string>
  /** 1 to 5, or null for a comment without stars. */
  rating: number | null
  content: string
  status: Generated<ReviewStatus>
  /** True if the author bought the product. */
  verified: Generated<boolean>
  reply: Generated<string>
  replied_at: Date | null
  /** The review's ID in another shop's export. */
  imported_id: string | null
  created_at: Date
  updated_at: Date
}
