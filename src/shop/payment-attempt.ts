import type { Transaction } from 'kysely'
import type { OrderRow } from '#database/orders.ts'
import { type AttemptRow, isInstanceAlive, openAttempt, takeOverAttempt } from '#database/payments.ts'
import type { Schema } from '#database/schema.ts'
import { canonicalJson, sha256 } from './digest.ts'
import type { Tools } from './tools.ts'

/** No call to the provider takes longer; whoever still holds an attempt then will not come back. */
const longestCallMs = 30_000

export type Claim =
  /** Nobody has tried yet, or what was tried is known to have had no effect. */
  | { kind: 'fresh'; attempt: AttemptRow }
  /** The one who tried is gone: read what the provider has before anything else. */
  | { kind: 'resume'; attempt: AttemptRow }
  /** Somebody is at it this moment. */
  | { kind: 'busy'; attempt: AttemptRow }
  | { kind: 'done'; attempt: AttemptRow }

/**
 * Writes down, before a call that can move money, that it is about to be made; or finds out that it was made before.
 * The order's row must be locked by the transaction, which serialises all attempts of an order.
 * @param attempts the order's attempts of this step, oldest first
 */
export async function claimAttempt(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  attempts: readonly AttemptRow[],
  call: { step: AttemptRow['step']; walletOrderId: string | null; amount: number; body: unknown },
): Promise<Claim> {
  const now = tools.clock.now()
  const last = attempts.at(-1)
  if (last?.state === 'succeeded' && last.wallet_order_id === call.walletOrderId) return { kind: 'done', attempt: last }
  if (last && (last.state === 'open' || last.state === 'unknown')) {
    const held =
      last.state === 'open' &&
      now.getTime() - last.opened_at.getTime() < longestCallMs &&
      (last.instance === tools.instance ? tools.working.has(last.id) : await isInstanceAlive(tx, last.instance))
    if (held) return { kind: 'busy', attempt: last }
    await takeOverAttempt(tx, last.id, tools.instance, now)
    tools.working.add(last.id)
    return { kind: 'resume', attempt: { ...last, state: 'open', instance: tools.instance, opened_at: now } }
  }
  const revision = (last?.revision ?? 0) + 1
  const attempt = await openAttempt(tx, {
    order_id: order.id,
    step: call.step,
    revision,
    request_id: requestId(order, call.step, revision),
    wallet_order_id: call.walletOrderId,
    amount: call.amount,
    currency: order.currency,
    body_hash: sha256(canonicalJson(call.body)),
    state: 'open',
    instance: tools.instance,
    opened_at: now,
    closed_at: null,
  })
  tools.working.add(attempt.id)
  return { kind: 'fresh', attempt }
}

/** The same for every repeat of a step, and guessable by nobody: the order's key is in it. */
function requestId(order: OrderRow, step: string, revision: number): string {
  return `v-${order.id}-${step}-${revision}-${sha256(`${order.key}:${step}:${revision}`).slice(0, 24)}`
}
