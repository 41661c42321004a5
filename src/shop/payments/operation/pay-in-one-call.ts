import type { Transaction } from 'kysely'
import { approveUrl, type OrderBody, type WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrder, findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { findAttempts, ownsAttempt, setAttemptWallet, updateAttemptResult } from '#database/payments/payments.ts'
import { findWalletOrder, insertWalletOrder, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import type { PayPal } from '#paypal/client.ts'
import type { Refused } from '#paypal/result.ts'
import { type ImmediateSource, sourceKey } from '#paypal/source-body.ts'
import { extendReservation } from '../../orders/reserve-order-stock.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { countFailedPayment, paymentsPaused } from '../cards/limit-failed-payments.ts'
import { openedWallet } from '../wallet/opened-wallet.ts'
import { authorizationIn, captureIn } from '../wallet/read-wallet-order.ts'
import { orderAsWalletOrder, type WalletPresentation } from '../wallet/wallet-order.ts'
import { flagForReview } from './flag-for-review.ts'
import { isUnsettled, movesMoney, nextRevision, opensWallet } from './payment-attempt.ts'
import { type FinishRefusal, type FinishResult, isFailedPayment } from './payment-result.ts'
import { vaultCustomer } from './payment-source.ts'
import {
  type Admission,
  type Checked,
  type DeclineFacts,
  declined,
  done,
  type Lease,
  type PaymentStep,
  type Reading,
  unknown,
} from './payment-step.ts'
import { recordMoney } from './record-payment.ts'
import { notifyMerchant } from './report-account-problem.ts'
import { readAnswer, runPaymentStep, settle } from './run-payment-step.ts'

/** With `approveUrl`: the cardholder must confirm at the bank first; no money was captured. */
export type PayWithoutApprovalResult =
  | FinishResult
  | { ok: false; reason: 'payer-action'; order: OrderRow; approveUrl: string; walletOrderId: string }
  /** PayPal opened the order and waits for the capture call. */
  | { ok: false; reason: 'not-captured'; order: OrderRow; walletOrderId: string }

/** PayPal recognizes a repeated call for six hours. After half of that a repeat might be a second payment. */
const repeatableMs = 3 * 60 * 60 * 1000

/** Request that the resuming call repeats byte for byte. Stored only while the attempt is unsettled. */
type Sent = { source: string; means: ImmediateSource; body: OrderBody; at: string; agreement?: string }
type Charge = Lease & { readonly sent: Sent }
type Decline = {
  readonly reason: FinishRefusal
  readonly issue: string
  /** The wallet order that the call opened without capturing. */
  readonly opened?: { readonly walletOrderId: string; readonly approveUrl: string }
}

const no = (reason: FinishRefusal, issue: string) => declined<Decline>({ reason, issue })

/**
 * Pays an order by a source that needs no approval: a saved payment method, a single-use card token, an old agreement.
 * One call opens the wallet order and captures. Its outcome is settled by the same call sent again, which PayPal
 * answers with the first result.
 */
export async function payWithoutApproval(
  tools: Tools,
  orderId: number,
  source: ImmediateSource,
  presentation: WalletPresentation,
): Promise<PayWithoutApprovalResult> {
  const charge = (one: ImmediateSource) =>
    runPaymentStep(tools, chargeSource, (tx) => admitNew(tools, tx, orderId, one, presentation))
  const first = await charge(source)
  if (first.ok || source.kind !== 'kept' || first.reason !== 'refused') return first
  if (first.issue === undefined || issueReaction(first.issue) !== 'other-kind') return first
  return charge({ ...source, as: source.as === 'card' ? 'wallet' : 'card' })
}

/** Completes such a payment that a crashed process or an unreachable PayPal left unsettled. */
export function resumePayWithoutApproval(tools: Tools, orderId: number): Promise<PayWithoutApprovalResult> {
  return runPaymentStep(tools, chargeSource, (tx) => admitUnsettled(tools, tx, orderId))
}

const chargeSource: PaymentStep<Charge, WalletOrder, WalletOrder, Decline, PayWithoutApprovalResult> = {
  call: {
    milestone: 'S11',
    check: checkCharge,
    // The same body and request id for every repeat: PayPal answers all of them with one order.
    send: (paypal, { attempt, sent: { agreement, body } }) =>
      paypal.createOrder(
        agreement === undefined
          ? body
          : { ...body, payment_source: { token: { id: agreement, type: 'BILLING_AGREEMENT' } } },
        { requestId: attempt.request_id },
      ),
    read: done,
    readRefusal,
  },
  log: { level: 'info', declined: 'payment not captured', unknown: 'payment outcome unknown' },
  unreachable: (issue) => ({ reason: 'unreachable', issue }),
  recordDone: recordWalletResult,
  recordDecline,
  declineRecord: ({ sent }, { reason, issue, opened }) => ({
    issue,
    source: sent.source,
    // The invoice number identifies the money if PayPal reports it later.
    ...(reason === 'attention' ? { invoice: invoiceOf(sent) } : {}),
    ...(opened ? { walletOrder: opened.walletOrderId } : {}),
  }),
  declined: async (tools, { order }, { reason, issue, opened }) => {
    if (opened) {
      return opened.approveUrl === ''
        ? { ok: false, reason: 'not-captured', order, walletOrderId: opened.walletOrderId }
        : { ok: false, reason: 'payer-action', order, ...opened }
    }
    if (reason === 'attention') {
      return { ok: false, reason, order: (await findOrder(tools.db.kysely, order.id)) ?? order }
    }
    if (isFailedPayment(reason, issue)) await countFailedPayment(tools, order)
    return { ok: false, reason, order, issue }
  },
  unknown: ({ order }, issue) => ({ ok: false, reason: 'checking', order, issue }),
}

function settled(order: OrderRow): FinishResult | null {
  const { payment_state: state } = order
  if (state === 'attention') return { ok: false, reason: 'attention', order }
  if (!customerHasPaid(state)) return null
  return { ok: true, state: state === 'review' ? 'review' : state === 'authorised' ? 'held' : 'paid', order }
}

type ChargeAdmission = Admission<Charge, PayWithoutApprovalResult>

const ended = (result: PayWithoutApprovalResult): ChargeAdmission => ({ kind: 'ended', result })

/** Admits a new charge, with the exact request that is sent. */
async function admitNew(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  source: ImmediateSource,
  presentation: WalletPresentation,
): Promise<ChargeAdmission> {
  const order = await lockOrder(tx, orderId)
  if (!order) return ended({ ok: false, reason: 'unknown-order', order: null })
  const known = settled(order)
  if (known) return ended(known)
  const attempts = await findAttempts(tx, orderId)
  // The same press was sent twice: the second one waits for the result of the first.
  if (attempts.some((attempt) => attempt.step === 'pay' && isUnsettled(attempt))) {
    return admitUnsettled(tools, tx, orderId)
  }
  if (attempts.some((attempt) => movesMoney(attempt) && isUnsettled(attempt))) {
    return ended({ ok: false, reason: 'checking', order })
  }
  if (order.status !== 'pending' && order.status !== 'failed') {
    return ended({ ok: false, reason: 'cancelled', order })
  }
  if (!(await extendReservation(tools, tx, order))) return ended({ ok: false, reason: 'stock', order })

  const revision = nextRevision(attempts.filter(opensWallet))
  const body = await orderAsWalletOrder(tools, order, await findOrderItems(tx, orderId), revision, {
    ...presentation,
    source,
    vaultCustomer: await vaultCustomer(tx, order.customer_id, tools.paymentEnvironment),
  })
  const sent: Sent = { source: sourceKey(source), means: source, body, at: tools.clock.now().toISOString() }
  return {
    kind: 'admitted',
    order,
    call: { step: 'pay', walletOrderId: null, amount: order.total, body, note: sent },
    lease: { revision },
    work: (lease) => ({ ...lease, sent }),
    start: () => ({
      change: { payment_state: 'authorising' },
      event: { kind: 'capture-started', data: { amount: order.total, currency: order.currency } },
    }),
    busy: { ok: false, reason: 'checking', order },
  }
}

async function admitUnsettled(tools: Tools, tx: Transaction<Schema>, orderId: number): Promise<ChargeAdmission> {
  const order = await lockOrder(tx, orderId)
  if (!order) return ended({ ok: false, reason: 'unknown-order', order: null })
  const known = settled(order)
  if (known) return ended(known)
  const attempt = (await findAttempts(tx, orderId)).findLast((one) => one.step === 'pay' && isUnsettled(one))
  if (!attempt) return ended({ ok: false, reason: 'not-approved', order })
  // Written by `admitNew` alone, with this type.
  const sent = attempt.result as Sent
  return {
    kind: 'admitted',
    order,
    call: { step: 'pay', walletOrderId: null, amount: attempt.amount, body: sent.body },
    lease: { resume: attempt },
    work: async (lease) => {
      await extendReservation(tools, tx, order)
      return { ...lease, sent }
    },
    busy: { ok: false, reason: 'checking', order },
  }
}

async function checkCharge(tools: Tools, paypal: PayPal, work: Charge): Promise<Checked<Charge, WalletOrder, Decline>> {
  const { order, sent, resume } = work
  // Too late for a repeat: the merchant must search the invoice number at PayPal.
  const isTooLate = resume && tools.clock.now().getTime() - Date.parse(sent.at) > repeatableMs
  if (isTooLate) return { reading: no('attention', 'TOO_LATE') }
  if (!resume && (await paymentsPaused(tools, order))) return { reading: no('paused', 'PAUSED') }
  if (sent.means.kind !== 'agreement' || sent.agreement !== undefined) return {}
  return exchangeAgreement(tools, paypal, work, sent.means.token)
}

/**
 * Exchanges an agreement's single-use token, and stores the agreement before anything is paid with it: a resuming call
 * pays with the same agreement. A refused exchange proves that no money was captured.
 */
async function exchangeAgreement(
  tools: Tools,
  paypal: PayPal,
  work: Charge,
  token: string,
): Promise<Checked<Charge, WalletOrder, Decline>> {
  const { attempt, sent, order } = work
  const agreed = await paypal.createAgreement(token, { requestId: `${attempt.request_id}-a` })
  if (!agreed.ok) return { reading: await readAnswer(tools, chargeSource.call, agreed, work) }
  const next = { ...sent, agreement: agreed.value.id }
  const written = await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    return (await ownsAttempt(tx, attempt)) && (await updateAttemptResult(tx, attempt.id, next))
  })
  if (!written) return { reading: unknown('another process took over the attempt') }
  return { work: { ...work, sent: next, attempt: { ...attempt, result: next } } }
}

async function readRefusal(
  { issue }: Pick<Refused, 'issue'>,
  { order }: Charge,
  tools: Tools,
): Promise<Reading<WalletOrder, Decline>> {
  switch (issueReaction(issue)) {
    case 'read':
      return unknown(issue)
    case 'restart':
      return no('declined', issue)
    case 'payer-step':
      return no('payer-step', issue)
    case 'address':
      return no('address', issue)
    case 'merchant':
      await notifyMerchant(tools, order.id, issue)
      return no('refused', issue)
    default:
      return no('refused', issue)
  }
}

async function recordWalletResult(tools: Tools, work: Charge, wallet: WalletOrder): Promise<PayWithoutApprovalResult> {
  const { order } = work
  const url = approveUrl(wallet) ?? ''
  const row = await recordWallet(tools, work, wallet, url)
  if (!row) return { ok: false, reason: 'checking', order }
  if (captureIn(wallet) || authorizationIn(wallet)) return recordMoney(tools, { ...work, wallet: row }, wallet)
  // Without money the order waits: for the cardholder's bank, or for the capture call.
  const isWaiting = wallet.status === 'PAYER_ACTION_REQUIRED' && url !== ''
  const opened = { walletOrderId: row.id, approveUrl: isWaiting ? url : '' }
  return settle(tools, chargeSource, work, declined({ reason: 'not-approved', issue: wallet.status, opened }))
}

/** Returns null where another process took over the attempt. */
async function recordWallet(
  tools: Tools,
  { order, attempt, sent }: Charge,
  wallet: WalletOrder,
  url: string,
): Promise<WalletOrderRow | null> {
  return transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return null
    const row = openedWallet(tools, order, { attempt, wallet, url, intent: sent.body.intent })
    await insertWalletOrder(tx, row)
    await setAttemptWallet(tx, attempt.id, wallet.id)
    return (await findWalletOrder(tx, wallet.id)) ?? null
  })
}

const invoiceOf = ({ body }: Sent) => body.purchase_units[0]?.invoice_id ?? ''

/** Closes the attempt without money: the order waits for the shopper again, or for the merchant's review. */
async function recordDecline(
  _tools: Tools,
  tx: Transaction<Schema>,
  { order, work: { sent }, decline: { reason, issue }, at }: DeclineFacts<Charge, Decline>,
): Promise<void> {
  if (reason === 'attention') {
    const why = `whether money was taken is not known: look for the invoice ${invoiceOf(sent)} in your PayPal account`
    return flagForReview(tx, order.id, why, at)
  }
  if (order.payment_state === 'authorising') {
    await updateOrder(tx, order.id, { payment_state: 'pending', updated_at: at })
  }
  await appendToLedger(tx, order.id, at, [{ kind: 'capture-refused', data: { issue } }], sha256)
}
