import type { Money } from '#domain/money/money.ts'
import type { CartFacts } from '../cart/cart-facts.ts'
import type { RefusedLogIn } from '../customers/sessions/session-state.ts'
import type { DownloadFacts } from '../orders/downloads/list-downloads.ts'
import type { PaymentInstructions, PaymentMethodFacts } from '../payments/operation/payment-method-facts.ts'
import type { AccountOffer } from './checkout-account.ts'

export type FieldFacts = {
  /** `billing_first_name` */
  id: string
  label: string
  /** The label is there for screen readers only. */
  labelHidden: boolean
  placeholder: string
  type: 'text' | 'email' | 'tel' | 'country' | 'state' | 'textarea'
  required: boolean
  hidden: boolean
  priority: number
  /** form-row-first, address-field, … */
  rowClasses: readonly string[]
  validate: readonly ('required' | 'email' | 'phone' | 'postcode' | 'state')[]
  autocomplete: string
  value: string
  /** Choices of a select; empty for a state field of a country without states. */
  options: readonly { value: string; label: string }[]
  /** Of a state field: the country that its choices and its value belong to. */
  printedFor?: string
}

export type CheckoutFacts = {
  cart: CartFacts
  billing: readonly FieldFacts[]
  shipping: readonly FieldFacts[]
  order: readonly FieldFacts[]
  /** Null for somebody who is logged in. */
  account: {
    offer: AccountOffer
    wanted: boolean
    username: string
    logInForm: boolean
    /** Who has just not been logged in here sees the form open, with what was typed. */
    refusedLogIn?: RefusedLogIn | null
  } | null
  shipToDifferent: boolean
  methods: readonly PaymentMethodFacts[]
  /** A fee hangs on how it is paid. */
  methodsChangeTotal: boolean
  /** Terms must be accepted. */
  terms: boolean
  termsAccepted: boolean
  /** One press on "pay" on this screen: the idempotency key of whatever is sent from it. */
  intention: string
  /** The wallet has approved and the visitor looks over the order once more. */
  ready: { walletOrderId: string; cancelUrl: string } | null
}

export type OrderFacts = {
  id: number
  /** The files that it opens now. */
  downloads?: readonly DownloadFacts[]
  number: string
  key: string
  status: string
  paymentState: string
  createdAt: Date
  email: string
  currency: string
  lines: readonly {
    productId: number | null
    name: string
    url: string | null
    sku: string
    quantity: number
    choices: readonly { label: string; value: string }[]
    subtotal: Money
    total: Money
  }[]
  /** Rows under the lines: subtotal, discount, shipping, fees, taxes, payment method, total. */
  totals: readonly { key: string; label: string; value: Money | string }[]
  /** Said beside the total where prices are shown with tax. */
  includedTaxes: readonly { label: string; amount: Money }[]
  total: Money
  billing: readonly string[]
  shipping: readonly string[]
  phone: string
  customerNote: string
  paymentMethod: string
  paymentMethodTitle: string
}

export type OrderReceivedFacts =
  | { kind: 'generic' }
  /** It belongs to an account that is not logged in here. */
  | { kind: 'log-in'; url: string }
  | { kind: 'verify-email'; orderId: number; failed: boolean }
  | { kind: 'checking'; order: OrderFacts; reloadUrl: string }
  | { kind: 'failed'; order: OrderFacts; payUrl: string }
  /** Nothing comes of it any more, and nothing is owed. */
  | { kind: 'cancelled'; order: OrderFacts }
  /** Paid, but its pieces were gone: the money goes back. */
  | { kind: 'sold-out'; order: OrderFacts }
  | { kind: 'received'; order: OrderFacts; instructions: PaymentInstructions | null }

/** The page that pays an order which was placed before. */
export type OrderPayFacts =
  | { kind: 'unknown' }
  | { kind: 'log-in'; url: string }
  | { kind: 'verify-email'; orderId: number; failed: boolean }
  /** Paid, being paid, or given up. */
  | { kind: 'not-payable'; order: OrderFacts }
  /** Products that are no longer there in the number that was ordered. */
  | { kind: 'sold-out'; order: OrderFacts; names: readonly string[] }
  | { kind: 'pay'; order: OrderFacts; methods: readonly PaymentMethodFacts[]; terms: boolean }
