import { newMethod } from '#contract/payments/constants.ts'
import { type ImmediateSource, isImmediateSource, type PaymentSource } from '#paypal/source-body.ts'
import type { Tools } from '../../shared/tools.ts'
import type { WalletPresentation } from '../wallet/wallet-order.ts'
import { finishPayment } from './finish-payment.ts'
import { type PayWithoutApprovalResult, payWithoutApproval } from './pay-in-one-call.ts'
import type { FinishResult } from './payment-result.ts'
import type { PaymentInput } from './payment-source.ts'

/** How a door wants an order paid that the provider's money pays. */
export type ProviderPaymentInput = {
  /** The wallet order that was approved for it, as the form has it. */
  readonly approvedId: string | null
  /** Whether something may be opened at the provider that is approved afterwards. */
  readonly start: boolean
  /** The page itself confirms a card in the provider's fields; else its holder is sent to the provider's own page. */
  readonly inPage?: boolean
  /** The shopper has pressed the button of a form that shows the total: what the wallet has approved may follow it. */
  readonly looked?: boolean
  /** The wallet was opened before the form was checked: no notification takes the money until the shopper has looked. */
  readonly unchecked?: boolean
}

/** Pays with a means that needs nobody's approval, the call that captures included where the provider wants one. */
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

/** The means that pays at once: one that is kept, whatever else the form carries, and else one that no approval is there for. */
export function immediateSource(
  source: PaymentSource,
  wish: PaymentInput,
  approvedId: string | null,
): ImmediateSource | null {
  if (!isImmediateSource(source)) return null
  const chosen = wish.kept !== '' && wish.kept !== newMethod
  return chosen || approvedId === null ? source : null
}

/** A browser that does not show the provider's fields has its cards typed on the provider's page. */
export function approvalSource(
  source: PaymentSource,
  { inPage = false }: Pick<ProviderPaymentInput, 'inPage'>,
): PaymentSource {
  return source.kind === 'card-fields' && !inPage ? { kind: 'wallet', funding: 'card', keep: source.keep } : source
}
