import type { Money } from '#domain/money/money.ts'
import type { ImageFacts } from '../catalog/catalog-facts.ts'
import type { RefusedPlace } from '../customers/sessions/session-state.ts'

export type CartLineFacts = {
  key: string
  productId: number
  variationId: number | null
  sku: string
  name: string
  url: string
  image: ImageFacts | null
  quantity: number
  /** Null: unlimited. 1 for a product sold individually. */
  maxQuantity: number | null
  soldIndividually: boolean
  /** Chosen options as label and value: Colour, Sea green. */
  choices: readonly { label: string; value: string }[]
  onBackorder: boolean
  /** Price of one piece and of the line, in the cart's display tax mode. */
  price: Money
  subtotal: Money
  /** `/cart/?remove_item=…&_wpnonce=…` */
  removeUrl: string
}

export type ShippingPackageFacts = {
  index: number
  /** Contents as text: Plain mug × 2. */
  contents: readonly string[]
  /** Address in one line, or '' while unknown. */
  destination: string
  /** Costs as the cart displays them, with tax or without; `taxed` when there is one on the rate. */
  rates: readonly { id: string; label: string; cost: Money; taxed: boolean; free: boolean; chosen: boolean }[]
  /** Set when there are no rates. */
  missing: 'address' | 'no-rates' | null
}

/** Rows of the totals block, in display order. */
export type TotalsFacts = {
  subtotal: Money
  coupons: readonly { code: string; label: string; discount: Money; freeShipping: boolean; removeUrl: string }[]
  /** Empty: nothing to ship, or shipping is not shown yet. */
  packages: readonly ShippingPackageFacts[]
  fees: readonly { name: string; amount: Money }[]
  /** Shown only while prices are displayed without tax. */
  taxes: readonly TaxFacts[]
  /** Shown in the total row while prices are displayed with tax. */
  includedTaxes: readonly TaxFacts[]
  total: Money
  /** "Estimated for <country>" while the visitor has given no address. */
  estimatedFor: string | null
}

/** `code` is null for the sum of all taxes, where the shop does not itemise. */
export type TaxFacts = { code: string | null; label: string; amount: Money }

export type CartFacts = {
  lines: readonly CartLineFacts[]
  /** Sum of quantities. */
  count: number
  needsShipping: boolean
  needsPayment: boolean
  subtotal: Money
  totals: TotalsFacts
  /** Charged total, where prices are shown in another currency. */
  charged?: Money
  /** Cart in the visitor's currency, where another one is charged. */
  guide?: CartFacts
  hash: string
  customer: { country: string; state: string; city: string; postcode: string }
  calculatedShipping: boolean
  /** Invalid input of the shipping calculator, in place of `customer`. */
  refusedPlace: RefusedPlace | null
}

/** Notice queued in the session and rendered once. `html` comes only from our own renderer. */
export type NoticeFacts = {
  kind: 'error' | 'success' | 'notice'
  html: string
  /** Becomes `data-id`: the field of the message. */
  field?: string
  /** The text under the field, where it is shorter than in the list of messages. */
  atField?: string
}
