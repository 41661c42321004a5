import type { OrderRow } from '#database/orders/orders.ts'
import type { Money } from '#domain/money/money.ts'
import type { PaymentSource } from '#paypal/source-body.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { AcceptRefusal } from '../orders/accept-order.ts'
import type { ProviderPaymentInput } from '../payments/operation/pay-with-source.ts'
import type { FinishRefusal } from '../payments/operation/payment-result.ts'
import type { PaymentInput } from '../payments/operation/payment-source.ts'
import type { MethodToSave } from '../payments/vault/save-method-without-payment.ts'
import type { PreparedWalletOrder } from '../payments/wallet/start-wallet.ts'
import type { WalletPresentation } from '../payments/wallet/wallet-order.ts'
import type { AccountOffer } from './checkout-account.ts'
import type { CheckoutForm, FormFault } from './checkout-form.ts'
import type { Shopper } from './order-request.ts'
import type { PlaceOrderResult } from './place-order.ts'
import type { EvaluatedForm } from './save-checkout-form.ts'

/** Parsed request, the input of the stages of a checkout. */
export type CheckoutRequest = {
  readonly session: VisitSession
  readonly form: CheckoutForm
  readonly shopper: Shopper
  readonly wish: ProviderPaymentInput
  /** Cart that the caller just evaluated. */
  readonly looked?: EvaluatedForm | undefined
  /** The batch refused the order: it is placed alone. */
  readonly isAlone?: boolean
}

/** Output of evaluate. */
export type EvaluatedCheckout = CheckoutRequest & {
  readonly kind: 'evaluated'
  readonly cart: EvaluatedCart
  /** Account options of this order; null for a logged-in customer. */
  readonly account: AccountOffer | null
  /** This visitor's order of the posted approval. */
  readonly approved: OrderRow | null
  /** The approved order, where it is paid as it was placed. */
  readonly frozen: OrderRow | null
  /** Minor units. */
  readonly due: number
  /** Nothing is due, and a payment method is saved for later charges. */
  readonly savesMethod: boolean
  /**
   * Session state with the form's input, where the order is placed in a batch, which saves both. Null: the form is
   * saved.
   */
  readonly unsaved: SessionState | null
}

/** Output of identify. */
export type IdentifiedCheckout = Omit<EvaluatedCheckout, 'kind'> & {
  readonly kind: 'identified'
  readonly methodToSave: MethodToSave | null
  /** Null where the method takes no online payment, or the payer does not have the named source. */
  readonly source: PaymentSource | null
  /** Order of the posted approval, where it is known to belong to the session. */
  readonly approvedOrderId: number | null
}

/** Output of place: an order that waits for its payment. */
export type OrderToPay = {
  readonly kind: 'placed'
  readonly order: OrderRow
  readonly method: string
  readonly methodToSave: MethodToSave | null
  /** Null where nothing is paid online, or the payer does not have the named source. */
  readonly source: PaymentSource | null
  readonly input: PaymentInput
  readonly wish: ProviderPaymentInput
  readonly presentation: WalletPresentation
  readonly approval: Approval | null
  /** Attempt of the wallet order, where the transaction that placed the order recorded it. */
  readonly preparedWallet?: PreparedWalletOrder | undefined
}

/** Approved wallet order that may pay for the order. */
export type Approval = {
  readonly id: string
  readonly sessionId: string
  /** It is known to belong to this session and order. */
  readonly isOwn: boolean
  /** The shopper pressed the button beside the order's total: the wallet order may be updated to it. */
  readonly isTotalSeen: boolean
}

/** Output of place: an order that is approved already, or that another request is paying. */
export type ApprovedOrder = {
  readonly kind: 'approved'
  readonly order: OrderRow
  /** Refused unless it is the order's newest; left out: any wallet order of the order. */
  readonly walletOrderId?: string
}

/** End of a checkout in any stage. */
export type Ended = {
  readonly kind: 'ended'
  readonly session: VisitSession
  readonly outcome: CheckoutOutcome
}

export type PlacedCheckout = ({ readonly session: VisitSession } & (OrderToPay | ApprovedOrder)) | Ended

/** The batch cannot place the order: its cart is evaluated again. */
export type BatchRefused = { readonly kind: 'batch-refused' }

/** Output of pay. */
export type PaymentOutcome =
  | { ok: true; kind: 'done'; order: OrderRow }
  /** The shopper goes to PayPal and returns by the return URL. */
  | { ok: true; kind: 'approve'; order: OrderRow; approveUrl: string; walletOrderId: string }
  | (PaymentRefusal & { order: OrderRow; endsApproval?: boolean })

type PaymentRefusal = { ok: false; reason: 'payment'; problem: FinishRefusal | AcceptRefusal; issue?: string }

type Refused =
  /** Nothing is due: the shopper goes to PayPal to save a payment method, and returns to the form. */
  | { ok: false; reason: 'keep'; url: string }
  | { ok: false; reason: 'form'; faults: readonly FormFault[] }
  /** The form showed another total than the order's: the shopper reviews it. */
  | { ok: false; reason: 'total-changed'; total: Money }
  | { ok: false; reason: 'order'; problem: PlaceOrderResult & { ok: false } }
  | (PaymentRefusal & { order: OrderRow | null })
  /** Too many accounts were opened from this network, or for this email. */
  | { ok: false; reason: 'too-many'; waitMs: number }

/**
 * Outcome of a checkout, before it is closed.
 * @property endsApproval the approval cannot be captured any more: the wallet is asked again
 */
export type CheckoutOutcome = PaymentOutcome | Refused

/** Output of close. */
export type CheckoutResult = { session: VisitSession } & (Extract<PaymentOutcome, { ok: true }> | Refused)
