import type { CartProduct } from '#database/cart/cart-products.ts'
import type { ItemTotals } from '#domain/cart/item-totals.ts'
import type { CartTotals } from '#domain/cart/totals.ts'
import type { Money } from '#domain/money/money.ts'
import type { StoredCoupon } from '../coupons/read-coupons.ts'
import type { CartLine, SessionState } from '../customers/sessions/session-state.ts'
import type { PaymentMethodFacts } from '../payments/operation/payment-method-facts.ts'
import type { QuotedPackage } from '../shipping/quoted-package.ts'
import type { Quote } from './quote.ts'

/** A line together with what is sold by it. */
export type CartEntry = {
  readonly line: CartLine
  /** The variation where one was chosen, else the product. */
  readonly product: CartProduct
  /** Minor units of the currency that is shown, with or without tax as entered; sale price while it is on sale. */
  readonly unitPrice: number
  /** The same in the currency in which it was entered. */
  readonly entered: number
  readonly onSale: boolean
}

/** Why a line that a visitor put in is no longer in the cart. */
export type DroppedLine = {
  readonly line: CartLine
  /** `changed`: what is sold under this number now is not what the visitor chose. */
  readonly reason: 'gone' | 'not-purchasable' | 'changed'
  readonly name: string
  readonly slug: string
}

/** A cart worked out with the facts of this moment. */
export type EvaluatedCart = {
  readonly state: SessionState
  readonly entries: readonly CartEntry[]
  readonly dropped: readonly DroppedLine[]
  readonly coupons: readonly StoredCoupon[]
  readonly items: ItemTotals
  /** In the shop's own currency, as the cart displays a subtotal: what limits are compared with. */
  readonly ownSubtotal: Money
  readonly totals: CartTotals
  /** What it would cost with each way to pay, and with none ('') that fees know; empty where that makes no difference. */
  readonly byMethod: ReadonlyMap<string, CartTotals>
  readonly packages: readonly QuotedPackage[]
  readonly needsShipping: boolean
  /** The ways to pay for it. */
  readonly methods: readonly PaymentMethodFacts[]
  readonly quote: Quote
  /** As they were read, for whoever works the cart out once more in the same moment. */
  readonly products: ReadonlyMap<number, CartProduct>
}
