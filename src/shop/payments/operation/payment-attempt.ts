import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { type AttemptRow, isInstanceAlive, openAttempt, takeOverAttempt } from '#database/payments/payments.ts'
import { canonicalJson, sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'

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

type Call = {
  step: AttemptRow['step']
  walletOrderId: string | null
  amount: number
  body: unknown
  /** What whoever resumes the call must know to send it again. */
  note?: Record<string, unknown>
}

/** Steps that take money or hold it. While one of them is open nothing else may be paid. */
const moneySteps: readonly AttemptRow['step'][] = ['capture', 'authorise', 'pay']

export function movesMoney({ step }: Pick<AttemptRow, 'step'>): boolean {
  return moneySteps.includes(step)
}

/** Opens a wallet order: their revisions count on together, since the provider's invoice number holds them. */
export function opensWallet({ step }: Pick<AttemptRow, 'step'>): boolean {
  return step === 'create' || step === 'pay'
}

export function isUnsettled({ state }: Pick<AttemptRow, 'state'>): boolean {
  return state === 'open' || state === 'unknown'
}

export function nextRevision(attempts: readonly AttemptRow[]): number {
  return Math.max(0, ...attempts.map(({ revision }) => revision)) + 1
}

/**
 * Real money, in a shop that is connected with the provider's sandbox at the moment. There nobody knows of it, which does not
 * say that it is not taken, held or given back.
 */
export function isOtherEnvironment(
  { paymentEnvironment }: Pick<Tools, 'paymentEnvironment'>,
  { environment }: { environment: string },
): boolean {
  return environment === 'live' && paymentEnvironment !== 'live'
}

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
  call: Call,
): Promise<Claim> {
  const last = attempts.at(-1)
  if (last?.state === 'succeeded' && last.wallet_order_id === call.walletOrderId) return { kind: 'done', attempt: last }
  if (last && isUnsettled(last)) return resumeAttempt(tools, tx, last)
  return { kind: 'fresh', attempt: await insertAttempt(tools, tx, order, nextRevision(attempts), call) }
}

/** Takes over an attempt whose end is not known, unless somebody is at it this moment. The order's row must be locked. */
export async function resumeAttempt(
  tools: Tools,
  tx: Transaction<Schema>,
  last: AttemptRow,
): Promise<Extract<Claim, { kind: 'busy' | 'resume' }>> {
  const now = tools.clock.now()
  const held =
    last.state === 'open' &&
    now.getTime() - last.opened_at.getTime() < longestCallMs &&
    (last.instance === tools.instance ? tools.working.has(last.id) : await isInstanceAlive(tx, last.instance))
  if (held) return { kind: 'busy', attempt: last }
  await takeOverAttempt(tx, last.id, tools.instance, now)
  tools.working.add(last.id)
  return { kind: 'resume', attempt: { ...last, state: 'open', instance: tools.instance, opened_at: now } }
}

/** Writes down that a call is about to be made which nobody has tried before. The order's row must be locked. */
export async function insertAttempt(
  tools: Tools,
  tx: Transaction<Schema>,
  order: Pick<OrderRow, 'id' | 'key' | 'currency'>,
  revision: number,
  call: Call,
): Promise<AttemptRow> {
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
    ...(call.note ? { result: call.note } : {}),
    instance: tools.instance,
    opened_at: tools.clock.now(),
    closed_at: null,
  })
  tools.working.add(attempt.id)
  return attempt
}

/** The same for every repeat of a step, and guessable by nobody: the order's key is in it. */
function requestId(order: Pick<OrderRow, 'id' | 'key'>, step: string, revision: number): string {
  return `v-${order.id}-${step}-${revision}-${sha256(`${order.key}:${step}:${revision}`).slice(0, 24)}`
}
