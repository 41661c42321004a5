import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import {
  type AuthorizationRow,
  findAttempts,
  findAuthorization,
  findCaptures,
  findExpiredAuthorizations,
  setAuthorizationExpiry,
  setAuthorizationStatus,
} from '#database/payments/payments.ts'
import { findWalletOrder } from '#database/payments/wallet-orders.ts'
import { isDenied } from '#domain/payments/money-status.ts'
import { transitionLockedOrder } from '../../orders/transition-order.ts'
import type { Tools } from '../../shared/tools.ts'
import { closeVoidedOrder } from '../operation/end-authorization.ts'
import { isUnsettled } from '../operation/payment-attempt.ts'
import { amountOf } from '../refund/record-refund.ts'
import { flagStrayCapture } from './detect-stray-capture.ts'

/**
 * PayPal expires authorizations by its own clock. Without its answer an authorization counts as expired this long after
 * our own deadline, which is longer than any clock jump.
 */
const expiryMarginMs = 2 * 24 * 60 * 60 * 1000

const gone = 'the money that was held is not there any more'

/**
 * Reads authorizations that have expired by the shop's clock, and flags orders without authorized money for review.
 * @returns the number of authorizations read
 */
export async function flagExpiredAuthorizations(tools: Tools): Promise<number> {
  const expired = await findExpiredAuthorizations(tools.db.kysely, tools.clock.now(), 100)
  for (const held of expired) await checkExpiry(tools, held)
  return expired.length
}

async function checkExpiry(tools: Tools, held: AuthorizationRow): Promise<void> {
  const { paypal, clock, db } = tools
  const isPart = held.status === 'PARTIALLY_CAPTURED'
  const end = () =>
    isPart
      ? flagExpiredRest(tools, held)
      : recordEnd(tools, held, 'EXPIRED', 'the time is over for which the money was held')
  const isPastMargin = (expires: Date) => clock.now().getTime() - expires.getTime() > expiryMarginMs
  if (!paypal || held.environment !== tools.paymentEnvironment) {
    if (isPastMargin(held.expires_at)) await end()
    return
  }
  const read = await paypal.getAuthorization(held.id)
  if (!read.ok) {
    if (isMissing(read)) await end()
    return
  }
  const { status, expiration_time: expiry } = read.value
  if (status === 'VOIDED' || status === 'DENIED') return void (await end())
  if (!isPart && (status === 'CAPTURED' || status === 'PARTIALLY_CAPTURED'))
    return flagForeignCapture(tools, held, status)
  // Captured in full: captures after the partial one are recorded by their webhooks.
  if (status === 'CAPTURED') return transaction(tools, (tx) => setAuthorizationStatus(tx, held.id, status))
  const expires = expiry ? new Date(expiry) : held.expires_at
  if (isPastMargin(expires)) return void (await end())
  // Stores the later expiry: no read every minute until then.
  if (expires > held.expires_at) await setAuthorizationExpiry(db.kysely, held.id, expires)
}

/** Flags an authorization captured at PayPal. A capture of the shop itself is recorded by its own call. */
async function flagForeignCapture(
  tools: Tools,
  held: AuthorizationRow,
  status: 'CAPTURED' | 'PARTIALLY_CAPTURED',
): Promise<void> {
  const { kysely } = tools.db
  const wallet = await findWalletOrder(kysely, held.wallet_order_id)
  if (!wallet || (await findAttempts(kysely, held.order_id)).some(isUnsettled)) return
  if ((await flagStrayCapture(tools, wallet)) === 'unreachable') return
  await recordEnd(tools, held, status, gone)
}

/** Flags the rest of a partially captured authorization that has expired and can no longer be captured. */
function flagExpiredRest(tools: Tools, held: AuthorizationRow): Promise<void> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, held.order_id)
    const now = await findAuthorization(tx, held.id)
    if (!order || now?.status !== held.status) return
    await setAuthorizationStatus(tx, held.id, 'EXPIRED')
    const taken = (await findCaptures(tx, order.id))
      .filter((capture) => capture.wallet_order_id === held.wallet_order_id && !isDenied(capture))
      .reduce((sum, { amount }) => sum + amount, 0)
    const rest = held.amount - taken
    if (order.payment_state !== 'attention' || rest <= 0) return
    const why = `the rest of what was held, ${amountOf({ ...held, amount: rest })}, is not there any more (authorisation ${held.id})`
    await transitionLockedOrder(tools, tx, order, {
      to: order.status,
      note: `Needs attention: ${why}.`,
      change: { attention: [order.attention, why].filter(Boolean).join('; ') },
      event: { kind: 'needs-attention', data: { why, amount: rest, currency: held.currency } },
    })
  })
}

const isMissing = (read: { kind: string; status?: number }) => read.kind === 'refused' && read.status === 404

/**
 * Verifies the void of an authorization that a webhook reports. Voids of the shop itself are known.
 * @returns `later` while it cannot be verified
 */
export async function checkVoidedAuthorization(tools: Tools, id: string): Promise<'attention' | 'known' | 'later'> {
  const held = await findAuthorization(tools.db.kysely, id)
  if (!held || (held.status !== 'CREATED' && held.status !== 'PENDING')) return 'known'
  const read = await tools.paypal?.getAuthorization(id)
  if (!read || (!read.ok && !isMissing(read))) return 'later'
  if (read.ok && read.value.status !== 'VOIDED' && read.value.status !== 'DENIED') return 'known'
  return recordEnd(tools, held, 'VOIDED', gone)
}

/** Records the end of an authorization; an unsettled capture or void attempt decides first. */
function recordEnd(
  tools: Tools,
  held: AuthorizationRow,
  status: 'EXPIRED' | 'VOIDED' | 'CAPTURED' | 'PARTIALLY_CAPTURED',
  what: string,
): Promise<'attention' | 'known' | 'later'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, held.order_id)
    if ((await findAttempts(tx, held.order_id)).some(isUnsettled)) return 'later'
    const now = await findAuthorization(tx, held.id)
    if (now?.status !== held.status) return 'known'
    await setAuthorizationStatus(tx, held.id, status)
    // A cancelled order waits only for the end of its authorization.
    const isReleased = status === 'EXPIRED' || status === 'VOIDED'
    if (
      isReleased &&
      order?.payment_state === 'attention' &&
      (order.status === 'cancelled' || order.status === 'failed')
    ) {
      const note = `The money that was held is not there any more (authorisation ${held.id}).`
      await closeVoidedOrder(tools, tx, order, held, { to: order.status, note })
      return 'known'
    }
    if (order?.payment_state !== 'authorised') return 'known'
    const why = `${what} (authorisation ${held.id})`
    await transitionLockedOrder(tools, tx, order, {
      to: order.status,
      note: `Needs attention: ${why}.`,
      change: { payment_state: 'attention', attention: why },
      event: { kind: 'needs-attention', data: { why } },
    })
    return 'attention'
  })
}
