import { newMethod } from '#contract/payments/constants.ts'
import { type ImmediateSource, isImmediateSource, type PaymentSource } from '#paypal/source-body.ts'
import type { Tools } from '../../shared/tools.ts'
import type { WalletPresentation } from '../wallet/wallet-order.ts'
import { finishPayment } from './finish-payment.ts'
import { type PayWithoutApprovalResult, payWithoutApproval } from './pay-in-one-call.ts'
import type { FinishResult } from './payment-result.ts'
import type { PaymentInput } from './payment-source.ts'

/** Input of a form for a payment by PayPal. */
export type ProviderPaymentInput = {
  /** Approved wallet order, as posted by the form. */
  readonly approvedId: string | null
  /** True: the call may open a wallet order that is approved afterwards. */
  readonly start: boolean
  /** The page itself confirms a card in PayPal's fields; otherwise the cardholder goes to PayPal's own page. */
  readonly inPage?: boolean
  /** The shopper pressed the button of a form with the total: an approval may be captured for it. */
  readonly looked?: boolean
  /** The wallet opened before the form was checked: no webhook captures until the shopper reviewed the order. */
  readonly unchecked?: boolean
}

/** Pays by a source that needs no approval, with the capture call where PayPal requires one. */
export async function payWithSource(
  tools: Tools,
  orderId: number,
  source: ImmediateSource,
  presentation: WalletPresentation,
): Promise<FinishResult | (PayWithoutApprovalResult & { reason: 'payer-action' })> {
  const result = await payWithoutApproval(tools, orderId, source, presentation)
  if (!result.ok && result.reason === 'not-captured') return finishPayment(tools, orderId, result.walletOrderId)
  return result
}

/** Returns the source that pays without approval: a saved payment method first, otherwise an unapproved one. */
export function immediateSource(
  source: PaymentSource,
  wish: PaymentInput,
  approvedId: string | null,
): ImmediateSource | null {
  if (!isImmediateSource(source)) return null
  const chosen = wish.kept !== '' && wish.kept !== newMethod
  return chosen || approvedId === null ? source : null
}

/** Returns the source for an approval. A browser without PayPal's card fields enters cards on PayPal's page. */
export function approvalSource(
  source: PaymentSource,
  { inPage = false }: Pick<ProviderPaymentInput, 'inPage'>,
): PaymentSource {
  return source.kind === 'card-fields' && !inPage ? { kind: 'wallet', funding: 'card', keep: source.keep } : source
}
