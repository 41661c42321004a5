import type { CartProduct } from '#database/cart/cart-products.ts'
import type { ItemTotals } from '#domain/cart/item-totals.ts'
import type { CartTotals } from '#domain/cart/totals.ts'
import type { Money } from '#domain/money/money.ts'
import type { StoredCoupon } from '../coupons/read-coupons.ts'
import type { CartLine, SessionState } from '../customers/sessions/session-state.ts'
import type { PaymentMethodFacts } from '../payments/operation/payment-method-facts.ts'
import type { QuotedPackage } from '../shipping/quoted-package.ts'
import type { Quote } from './quote.ts'

/** A line with its product. */
export type CartEntry = {
  readonly line: CartLine
  /** The chosen variation, or the product. */
  readonly product: CartProduct
  /** Minor units of the displayed currency, with or without tax as entered; the sale price during a sale. */
  readonly unitPrice: number
  /** Unit price in the currency of entry. */
  readonly entered: number
  readonly onSale: boolean
}

/** A line that is no longer in the visitor's cart, with the reason. */
export type DroppedLine = {
  readonly line: CartLine
  /** `changed`: the id's product is no longer the visitor's choice. */
  readonly reason: 'gone' | 'not-purchasable' | 'changed'
  readonly name: string
  readonly slug: string
}

/** A cart calculated with current facts. */
export type EvaluatedCart = {
  readonly state: SessionState
  readonly entries: readonly CartEntry[]
  readonly dropped: readonly DroppedLine[]
  readonly coupons: readonly StoredCoupon[]
  readonly items: ItemTotals
  /** Displayed subtotal in the shop's own currency, compared with limits. */
  readonly ownSubtotal: Money
  readonly totals: CartTotals
  /** Totals by payment method, and for none (''); empty where fees do not depend on it. */
  readonly byMethod: ReadonlyMap<string, CartTotals>
  readonly packages: readonly QuotedPackage[]
  readonly needsShipping: boolean
  /** Payment methods of the cart. */
  readonly methods: readonly PaymentMethodFacts[]
  readonly quote: Quote
  /** Products as read, for another evaluation at the same moment. */
  readonly products: ReadonlyMap<number, CartProduct>
}
