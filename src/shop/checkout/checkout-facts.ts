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
  /** The label is visible to screen readers only. */
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
  /** Country of the choices and the value of a state field. */
  printedFor?: string
}

export type CheckoutFacts = {
  cart: CartFacts
  billing: readonly FieldFacts[]
  shipping: readonly FieldFacts[]
  order: readonly FieldFacts[]
  /** Null for a logged-in customer. */
  account: {
    offer: AccountOffer
    wanted: boolean
    username: string
    logInForm: boolean
    /** Opens the login form with its input after a failed login on this page. */
    refusedLogIn?: RefusedLogIn | null
  } | null
  shipToDifferent: boolean
  methods: readonly PaymentMethodFacts[]
  /** A fee depends on the payment method. */
  methodsChangeTotal: boolean
  /** Terms must be accepted. */
  terms: boolean
  termsAccepted: boolean
  /** Intention of this screen: the idempotency key of all its requests. */
  intention: string
  /** The wallet has approved, and the visitor reviews the order. */
  ready: { walletOrderId: string; cancelUrl: string } | null
}

export type OrderFacts = {
  id: number
  /** Files that the customer can download now. */
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
  /** Taxes beside the total where prices include tax. */
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
  /** The order belongs to an account without a login in this session. */
  | { kind: 'log-in'; url: string }
  | { kind: 'verify-email'; orderId: number; failed: boolean }
  | { kind: 'checking'; order: OrderFacts; reloadUrl: string }
  | { kind: 'failed'; order: OrderFacts; payUrl: string }
  /** Cancelled, with nothing owed. */
  | { kind: 'cancelled'; order: OrderFacts }
  /** Paid, but sold out: the money is refunded. */
  | { kind: 'sold-out'; order: OrderFacts }
  | { kind: 'received'; order: OrderFacts; instructions: PaymentInstructions | null }

/** Facts of the page that pays an existing order. */
export type OrderPayFacts =
  | { kind: 'unknown' }
  | { kind: 'log-in'; url: string }
  | { kind: 'verify-email'; orderId: number; failed: boolean }
  /** Paid, in payment, or cancelled. */
  | { kind: 'not-payable'; order: OrderFacts }
  /** Products that are not available in the ordered quantity. */
  | { kind: 'sold-out'; order: OrderFacts; names: readonly string[] }
  | { kind: 'pay'; order: OrderFacts; methods: readonly PaymentMethodFacts[]; terms: boolean }
