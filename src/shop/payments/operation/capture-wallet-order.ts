import type { Transaction } from 'kysely'
import { cardMethodId } from '#contract/payments/constants.ts'
import type { WalletOrder } from '#contract/paypal/order.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { updateOrder } from '#database/orders/orders.ts'
import { findAttempts } from '#database/payments/payments.ts'
import { setWalletState, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'
import { threeDSecureDecision } from '#domain/payments/three-d-secure.ts'
import type { PayPal } from '#paypal/client.ts'
import type { Refused } from '#paypal/result.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { cardFingerprint, countFailedPayment, paymentsPaused } from '../cards/limit-failed-payments.ts'
import {
  authenticationFacts,
  authorizationIn,
  captureIn,
  confirmedCardIn,
  walletMatches,
} from '../wallet/read-wallet-order.ts'
import { type FinishRefusal, type FinishResult, isFailedPayment } from './payment-result.ts'
import {
  type Checked,
  type DeclineFacts,
  declined,
  done,
  type Lease,
  type PaymentStep,
  type Reading,
  unknown,
  unreachable,
} from './payment-step.ts'
import { recordMoney } from './record-payment.ts'
import { notifyMerchant } from './report-account-problem.ts'

/** A claimed capture, or authorization, of an approved wallet order. */
export type WalletCapture = Lease & {
  readonly wallet: WalletOrderRow
  /** Returns whether the shop sent the shipping address to PayPal. */
  readonly isAddressSent: () => boolean
  /** False: an existing capture is recorded, and no new one is made. */
  readonly mayTake: boolean
  /** Fingerprint of the card, once PayPal shows it. */
  readonly card?: string | null
}

type Decline = {
  readonly reason: FinishRefusal
  readonly issue: string
  /** Why this wallet order cannot be used again; the next press opens another. */
  readonly spent?: 'GONE' | 'VOIDED' | 'MISMATCH' | 'REFUSED'
}

type CaptureReading = Reading<WalletOrder, Decline>

/** The issue of a capture that is possible and left to the shopper. */
export const shopperApprovalRequired = 'LEFT_TO_SHOPPER'

const no = (reason: FinishRefusal, issue: string, spent?: Decline['spent']) =>
  declined<Decline>({ reason, issue, ...(spent ? { spent } : {}) })

/** Captures or authorizes the money of an approved wallet order; its existing capture is recorded instead. */
export const captureWalletOrder: PaymentStep<WalletCapture, WalletOrder, WalletOrder, Decline, FinishResult> = {
  call: {
    milestone: 'S11',
    check: checkWallet,
    send: (paypal, { attempt, wallet }) => {
      const options = { requestId: attempt.request_id }
      return attempt.step === 'authorise'
        ? paypal.authorizeOrder(wallet.id, options)
        : paypal.captureOrder(wallet.id, options)
    },
    read: (wallet, work, tools) =>
      hasProviderCapture(wallet) ? done(wallet) : readWallet('no capture in the answer', work, tools),
    readRefusal,
    recover: readWallet,
  },
  log: { level: 'info', declined: 'payment not captured', unknown: 'payment outcome unknown' },
  unreachable: (issue) => ({ reason: 'unreachable', issue }),
  recordDone: recordMoney,
  recordDecline,
  declineRecord: (_, { reason, issue }) => ({ reason, issue }),
  recordUnknown: (tx, { wallet }) => setWalletState(tx, wallet.id, { state: 'UNKNOWN' }),
  declined: async (tools, { order, wallet, attempt, card = null }, { reason, issue }) => {
    // The webhook of an approval may repeat a decline that the shopper already saw.
    const isRepeated = (await findAttempts(tools.db.kysely, order.id)).some(
      ({ id, state, wallet_order_id: of }) => of === wallet.id && state === 'refused' && id < attempt.id,
    )
    if (!isRepeated && isFailedPayment(reason, issue)) await countFailedPayment(tools, order, card)
    return { ok: false, reason, order, issue }
  },
  unknown: ({ order }, issue) => ({ ok: false, reason: 'checking', order, issue }),
}

export function hasProviderCapture(wallet: WalletOrder): boolean {
  return captureIn(wallet) !== undefined || authorizationIn(wallet) !== undefined
}

/** Reads the wallet order before it is captured: what PayPal shows must be what the shopper ordered. */
async function checkWallet(
  tools: Tools,
  paypal: PayPal,
  work: WalletCapture,
): Promise<Checked<WalletCapture, WalletOrder, Decline>> {
  const { order, wallet, resume } = work
  const read = await paypal.getOrder(wallet.id)
  if (!read.ok) {
    if (read.kind !== 'refused') return { reading: unreachable(read.reason) }
    const isGone = read.status === 404 && order.payment_state !== 'review'
    return { reading: isGone ? no('not-approved', read.issue, 'GONE') : unreachable(read.issue) }
  }
  const current = read.value
  if (hasProviderCapture(current)) return { reading: done(current) }
  if (!work.mayTake) return { reading: no('not-approved', shopperApprovalRequired) }
  // PayPal showed a capture before: one that is missing for a moment must not be made again.
  if (order.payment_state === 'review') return { reading: unknown('the capture is not shown') }
  const shown = { ...work, card: cardFingerprint(confirmedCardIn(current)) }
  const reading = readApproval(tools, shown, current)
  if (reading) return { reading, work: shown }
  if (!resume && (await paymentsPaused(tools, order, shown.card))) {
    return { reading: no('paused', 'PAUSED'), work: shown }
  }
  return { work: shown }
}

/** Returns why a wallet order without a capture must not be captured; null where it may. */
function readApproval(tools: Tools, work: WalletCapture, current: WalletOrder): CaptureReading | null {
  const { order, wallet } = work
  const card = confirmedCardIn(current)
  const isOpen = current.status === 'CREATED' || current.status === 'SAVED'
  if (current.status === 'PAYER_ACTION_REQUIRED' || (isOpen && !card)) return no('not-approved', current.status)
  if (current.status === 'VOIDED') return no('refused', 'ORDER_VOIDED', 'VOIDED')
  if (!walletMatches(order, current, work.isAddressSent)) return no('outdated', 'AMOUNT_MISMATCH', 'MISMATCH')
  const payee = current.purchase_units?.[0]?.payee?.merchant_id
  if (payee && wallet.payee && payee !== wallet.payee) return no('refused', 'PAYEE_MISMATCH', 'MISMATCH')
  if (!card) return null
  const facts = authenticationFacts(card.authentication_result)
  const decision = threeDSecureDecision(facts, tools.settings.paypal.cards.threeDSecure)
  if (decision === 'reject') return no('card-rejected', 'CARD_AUTHENTICATION_REJECTED', 'REFUSED')
  return decision === 'retry' ? no('card-retry', 'CARD_AUTHENTICATION_RETRY', 'REFUSED') : null
}

async function readRefusal({ issue }: Refused, work: WalletCapture, tools: Tools): Promise<CaptureReading> {
  const isCard = work.wallet.method === cardMethodId
  switch (issueReaction(issue)) {
    case 'read':
      return readWallet(issue, work, tools)
    case 'restart':
      // Another card needs another wallet order, and each failure counts.
      return isCard ? no('declined', issue, 'REFUSED') : no('declined', issue)
    case 'payer-step':
      // The bank confirms a card; a new wallet order asks it again.
      return isCard ? no('card-retry', issue, 'REFUSED') : no('payer-step', issue)
    case 'approve':
      return no('not-approved', issue)
    case 'merchant':
      await notifyMerchant(tools, work.order.id, issue)
      return no('refused', issue, 'REFUSED')
    default:
      return no('refused', issue, 'REFUSED')
  }
}

/** Reads a call that may have succeeded; without a capture, reconciliation settles it later. */
async function readWallet(issue: string, { wallet }: WalletCapture, tools: Tools): Promise<CaptureReading> {
  const read = await tools.paypal?.getOrder(wallet.id)
  return read?.ok && hasProviderCapture(read.value) ? done(read.value) : unknown(issue)
}

/** Records that no money was captured: the order waits for the shopper again. */
async function recordDecline(
  _tools: Tools,
  tx: Transaction<Schema>,
  { order, work: { wallet }, decline: { issue, spent }, at }: DeclineFacts<WalletCapture, Decline>,
): Promise<void> {
  if (spent) await setWalletState(tx, wallet.id, { state: spent })
  if (order.payment_state === 'authorising') {
    await updateOrder(tx, order.id, { payment_state: 'pending', updated_at: at })
  }
  const data = { walletOrder: wallet.id, issue }
  await appendToLedger(tx, order.id, at, [{ kind: 'capture-refused', data }], sha256)
}
