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
 * The provider ends what it holds by its own clock. One that says nothing of that, or cannot be asked any more, is believed
 * to hold nothing so long after the end by ours, which is further than clocks jump.
 */
const surelyOverMs = 2 * 24 * 60 * 60 * 1000

const gone = 'the money that was held is not there any more'

/**
 * Asks the provider about money whose time is over by the shop's clock, and shows a person the orders whose money is held no
 * longer. @returns how many were looked at
 */
export async function flagExpiredAuthorizations(tools: Tools): Promise<number> {
  const expired = await findExpiredAuthorizations(tools.db.kysely, tools.clock.now(), 100)
  for (const held of expired) await lookAfter(tools, held)
  return expired.length
}

async function lookAfter(tools: Tools, held: AuthorizationRow): Promise<void> {
  const { paypal, clock, db } = tools
  const isPart = held.status === 'PARTIALLY_CAPTURED'
  const end = () =>
    isPart ? noticeRest(tools, held) : notice(tools, held, 'EXPIRED', 'the time is over for which the money was held')
  const isSurelyOver = (expires: Date) => clock.now().getTime() - expires.getTime() > surelyOverMs
  if (!paypal || held.environment !== tools.paymentEnvironment) {
    if (isSurelyOver(held.expires_at)) await end()
    return
  }
  const read = await paypal.getAuthorization(held.id)
  if (!read.ok) {
    if (isMissing(read)) await end()
    return
  }
  const { status, expiration_time: told } = read.value
  if (status === 'VOIDED' || status === 'DENIED') return void (await end())
  if (!isPart && (status === 'CAPTURED' || status === 'PARTIALLY_CAPTURED')) return noticeTaken(tools, held, status)
  // All of it by now: what was collected after the part is recorded by the notification of it.
  if (status === 'CAPTURED') return transaction(tools, (tx) => setAuthorizationStatus(tx, held.id, status))
  const expires = told ? new Date(told) : held.expires_at
  if (isSurelyOver(expires)) return void (await end())
  // Not asked about every minute until then.
  if (expires > held.expires_at) await setAuthorizationExpiry(db.kysely, held.id, expires)
}

/** Somebody has collected it at the provider. What is being taken by the shop at this moment is recorded by that call. */
async function noticeTaken(
  tools: Tools,
  held: AuthorizationRow,
  status: 'CAPTURED' | 'PARTIALLY_CAPTURED',
): Promise<void> {
  const { kysely } = tools.db
  const wallet = await findWalletOrder(kysely, held.wallet_order_id)
  if (!wallet || (await findAttempts(kysely, held.order_id)).some(isUnsettled)) return
  if ((await flagStrayCapture(tools, wallet)) === 'unreachable') return
  await notice(tools, held, status, gone)
}

/** The rest of a hold, of which the merchant has collected a part, has run out: what did not come by then comes no more. */
function noticeRest(tools: Tools, held: AuthorizationRow): Promise<void> {
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
 * Looks whether money that the provider tells to have let go is gone indeed. What the shop itself lets go is no news.
 * @returns `later` while it cannot be known
 */
export async function checkVoidedAuthorization(tools: Tools, id: string): Promise<'attention' | 'known' | 'later'> {
  const held = await findAuthorization(tools.db.kysely, id)
  if (!held || (held.status !== 'CREATED' && held.status !== 'PENDING')) return 'known'
  const read = await tools.paypal?.getAuthorization(id)
  if (!read || (!read.ok && !isMissing(read))) return 'later'
  if (read.ok && read.value.status !== 'VOIDED' && read.value.status !== 'DENIED') return 'known'
  return notice(tools, held, 'VOIDED', gone)
}

/** While a call that takes the money or lets it go is open, its end decides. */
function notice(
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
    // What came to nothing waits for nothing else than that its money is let go.
    const isLetGo = status === 'EXPIRED' || status === 'VOIDED'
    if (
      isLetGo &&
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
