import type { Money } from '#domain/money/money.ts'
import type { CartFacts } from './cart-facts.ts'

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
}

export type PaymentMethodFacts = {
  /** ppcp, cod */
  id: string
  title: string
  description: string
  orderButtonText: string
  chosen: boolean
}

export type CheckoutFacts = {
  cart: CartFacts
  billing: readonly FieldFacts[]
  shipping: readonly FieldFacts[]
  order: readonly FieldFacts[]
  shipToDifferent: boolean
  methods: readonly PaymentMethodFacts[]
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
  | { kind: 'verify-email'; orderId: number; failed: boolean }
  | { kind: 'checking'; order: OrderFacts; reloadUrl: string }
  | { kind: 'failed'; order: OrderFacts; payUrl: string }
  | { kind: 'received'; order: OrderFacts }
