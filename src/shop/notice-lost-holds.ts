import { transaction } from '#database/connect.ts'
import { lockOrder } from '#database/orders.ts'
import {
  type AuthorizationRow,
  findAttempts,
  findAuthorization,
  findExpiredAuthorizations,
  setAuthorizationStatus,
} from '#database/payments.ts'
import { endHold } from './end-hold.ts'
import { moveLockedOrder } from './move-order.ts'
import { isUnsettled } from './payment-attempt.ts'
import type { Tools } from './tools.ts'

/** Shows a person the orders whose money was held for too long and is held no longer. @returns how many there were */
export async function noticeExpiredHolds(tools: Tools): Promise<number> {
  const expired = await findExpiredAuthorizations(tools.db.kysely, tools.clock.now(), 100)
  for (const held of expired) await notice(tools, held, 'EXPIRED', 'the time is over for which the money was held')
  return expired.length
}

/**
 * Looks whether money that the provider tells to have let go is gone indeed. What the shop itself lets go is no news.
 * @returns `later` while it cannot be known
 */
export async function noticeLostHold(tools: Tools, id: string): Promise<'attention' | 'known' | 'later'> {
  const held = await findAuthorization(tools.db.kysely, id)
  if (!held || (held.status !== 'CREATED' && held.status !== 'PENDING')) return 'known'
  const read = await tools.paypal?.getAuthorization(id)
  if (!read || (!read.ok && !(read.kind === 'refused' && read.status === 404))) return 'later'
  if (read.ok && read.value.status !== 'VOIDED' && read.value.status !== 'DENIED') return 'known'
  return notice(tools, held, 'VOIDED', 'the money that was held is not there any more')
}

/** While a call that takes the money or lets it go is open, its end decides. */
function notice(
  tools: Tools,
  held: AuthorizationRow,
  status: 'EXPIRED' | 'VOIDED',
  what: string,
): Promise<'attention' | 'known' | 'later'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, held.order_id)
    if ((await findAttempts(tx, held.order_id)).some(isUnsettled)) return 'later'
    const now = await findAuthorization(tx, held.id)
    if (now?.status !== held.status) return 'known'
    await setAuthorizationStatus(tx, held.id, status)
    // What came to nothing waits for nothing else than that its money is let go.
    if (order?.payment_state === 'attention' && (order.status === 'cancelled' || order.status === 'failed')) {
      const note = `The money that was held is not there any more (authorisation ${held.id}).`
      await endHold(tools, tx, order, held, { to: order.status, note })
      return 'known'
    }
    if (order?.payment_state !== 'authorised') return 'known'
    const why = `${what} (authorisation ${held.id})`
    await moveLockedOrder(tools, tx, order, {
      to: order.status,
      note: `Needs attention: ${why}.`,
      change: { payment_state: 'attention', attention: why },
      event: { kind: 'needs-attention', data: { why } },
    })
    return 'attention'
  })
}
