import type { Transaction } from 'kysely'
import type { WalletOrder } from '#contract/paypal/order.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrder, lockOrder, type OrderRow } from '#database/orders/orders.ts'
import {
  type AuthorizationRow,
  findAttempts,
  findAuthorizations,
  setAuthorizationStatus,
} from '#database/payments/payments.ts'
import { findWalletOrder, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { captureIn } from '../wallet/read-wallet-order.ts'
import { flagForReview } from './flag-for-review.ts'
import { isOtherEnvironment, isUnsettled, movesMoney } from './payment-attempt.ts'
import { type Admission, type DeclineFacts, declined, done, type Lease, type Reading, unknown } from './payment-step.ts'
import { recordMoney } from './record-payment.ts'

export type CaptureRefusal =
  | 'not-found'
  /** PayPal has no authorization for the order. */
  | 'nothing-held'
  /** PayPal could not be reached. The authorization is unchanged. */
  | 'unreachable'
  /** PayPal refuses the call; `issue` has the reason. */
  | 'refused'
  /** The authorization was voided or has expired: the order needs manual review. */
  | 'gone'
  /** The outcome is unknown until reconciliation. */
  | 'checking'
  /** The captured money does not fit the order. */
  | 'attention'

export type CaptureResult =
  | { ok: true; state: 'paid' | 'review' | 'held' | 'released'; order: OrderRow }
  | { ok: false; reason: CaptureRefusal; order: OrderRow | null; issue?: string }

/** A claimed capture or void of an authorization. */
export type AuthorizedWork = Lease & { readonly held: AuthorizationRow; readonly wallet: WalletOrderRow }
export type AuthorizedDecline = { readonly reason: CaptureRefusal; readonly issue: string }

export const no = (reason: CaptureRefusal, issue: string) => declined<AuthorizedDecline>({ reason, issue })

/**
 * Decides under the order's lock whether its authorization may be captured or voided: the two exclude each other while
 * one of them is unsettled.
 * @param call.note data of the request that the attempt keeps
 */
export async function admitAuthorized(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  { step, note }: { readonly step: 'capture' | 'void'; readonly note?: Record<string, unknown> },
): Promise<Admission<AuthorizedWork, CaptureResult>> {
  const ended = (result: CaptureResult) => ({ kind: 'ended', result }) as const
  const order = await lockOrder(tx, orderId)
  if (!order) return ended({ ok: false, reason: 'not-found', order: null })
  if (isPaid(order.payment_state) && step === 'capture') return ended({ ok: true, state: 'paid', order })
  const { payment_state: state } = order
  const held = (await findAuthorizations(tx, orderId)).find(
    // An order in manual review has no further scheduled step: a pending authorization may have been granted by now.
    ({ status }) => status === 'CREATED' || (status === 'PENDING' && state === 'attention'),
  )
  const wallet = held && (await findWalletOrder(tx, held.wallet_order_id))
  if ((state !== 'authorised' && state !== 'attention') || !held || !wallet) {
    return ended({ ok: false, reason: 'nothing-held', order })
  }
  if (isOtherEnvironment(tools, held)) return ended({ ok: false, reason: 'unreachable', order })
  if (state === 'attention' && step === 'capture') return ended({ ok: false, reason: 'attention', order })
  const attempts = await findAttempts(tx, orderId)
  const another = attempts.some(
    (attempt) => attempt.step !== step && (movesMoney(attempt) || attempt.step === 'void') && isUnsettled(attempt),
  )
  if (another) return ended({ ok: false, reason: 'checking', order })
  return {
    kind: 'admitted',
    order,
    call: { step, walletOrderId: wallet.id, amount: held.amount, body: held.id, ...(note ? { note } : {}) },
    lease: { latestOf: attempts.filter((attempt) => attempt.step === step) },
    work: (lease) => ({ ...lease, held, wallet }),
    start: () => ({
      change: {},
      event: {
        kind: step === 'void' ? 'release-started' : 'capture-started',
        data: { authorization: held.id, amount: held.amount, currency: held.currency },
      },
    }),
    busy: { ok: false, reason: 'checking', order },
  }
}

/** Issues after which only the wallet order tells whether the money was captured. */
export const possiblyCaptured = new Set([
  'AUTHORIZATION_ALREADY_CAPTURED',
  'PREVIOUSLY_CAPTURED',
  'DUPLICATE_INVOICE_ID',
  'PREVIOUS_REQUEST_IN_PROGRESS',
])
const goneIssues = new Set([
  'AUTHORIZATION_EXPIRED',
  'AUTHORIZATION_VOIDED',
  'PREVIOUSLY_VOIDED',
  'AUTHORIZATION_DENIED',
])
/** Reports whether the authorization does not exist any more. */
export function isGone({ issue, status }: { readonly issue: string; readonly status: number }): boolean {
  return goneIssues.has(issue) || status === 404
}

/** Reads a capture that may have succeeded by the wallet order; without one there, reconciliation settles it later. */
export async function readCapture(
  issue: string,
  { wallet }: Pick<AuthorizedWork, 'wallet'>,
  tools: Tools,
): Promise<Reading<WalletOrder, AuthorizedDecline>> {
  const shown = await readCapturedWallet(tools, wallet)
  return shown && shown !== 'unreachable' ? done(shown) : unknown(issue)
}

/** Returns the wallet order where it shows a capture; null where it shows none. */
export async function readCapturedWallet(
  tools: Tools,
  { id }: Pick<WalletOrderRow, 'id'>,
): Promise<WalletOrder | 'unreachable' | null> {
  const read = await tools.paypal?.getOrder(id)
  if (!read?.ok) return 'unreachable'
  return captureIn(read.value) ? read.value : null
}

/** Common parts of a capture and a void of an authorization. */
export const authorizedStep = {
  log: {
    level: 'warn',
    declined: 'authorization unchanged: capture or void refused',
    unknown: 'outcome of capture or void unknown',
  },
  unreachable: (issue: string): AuthorizedDecline => ({ reason: 'unreachable', issue }),
  recordDecline,
  declined: async (
    tools: Tools,
    { order }: AuthorizedWork,
    { reason, issue }: AuthorizedDecline,
  ): Promise<CaptureResult> => {
    const after = reason === 'gone' ? ((await findOrder(tools.db.kysely, order.id)) ?? order) : order
    return { ok: false, reason, order: after, issue }
  },
  unknown: ({ order }: AuthorizedWork, issue: string): CaptureResult => {
    return { ok: false, reason: 'checking', order, issue }
  },
} as const

/** Records that no money moved: the authorization is unchanged, or gone, which needs the merchant's review. */
async function recordDecline(
  _tools: Tools,
  tx: Transaction<Schema>,
  { order, work: { held, attempt }, decline: { reason, issue }, at }: DeclineFacts<AuthorizedWork, AuthorizedDecline>,
): Promise<void> {
  if (reason === 'gone') {
    await setAuthorizationStatus(tx, held.id, issue === 'AUTHORIZATION_EXPIRED' ? 'EXPIRED' : 'VOIDED')
    const why = `the money that was held is not there any more (${issue}, authorisation ${held.id})`
    return flagForReview(tx, order.id, why, at)
  }
  const data = { step: attempt.step, issue }
  await appendToLedger(tx, order.id, at, [{ kind: 'capture-refused', data }], sha256)
}

/** Records the capture that a wallet order shows. */
export async function recordAuthorizedCapture(
  tools: Tools,
  work: AuthorizedWork,
  wallet: WalletOrder,
): Promise<CaptureResult> {
  const result = await recordMoney(tools, work, wallet)
  if (result.ok) return result
  const reason = result.reason === 'attention' ? 'attention' : 'refused'
  return { ok: false, reason, order: result.order, ...(result.issue ? { issue: result.issue } : {}) }
}
