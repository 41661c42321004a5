import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { type AttemptRow, isInstanceAlive, openAttempt, takeOverAttempt } from '#database/payments/payments.ts'
import { canonicalJson, sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'

/** Longest duration of a PayPal call; a process that holds an attempt longer has crashed. */
const longestCallMs = 30_000

export type Claim =
  /** No attempt was made, or earlier ones are known to have had no effect. */
  | { kind: 'fresh'; attempt: AttemptRow }
  /** The process of the attempt has crashed: read PayPal's state before anything else. */
  | { kind: 'resume'; attempt: AttemptRow }
  /** Another call works on the attempt right now. */
  | { kind: 'busy'; attempt: AttemptRow }
  | { kind: 'done'; attempt: AttemptRow }

/** An attempt to be recorded. */
export type Call = {
  step: AttemptRow['step']
  walletOrderId: string | null
  amount: number
  /** By default the order's. */
  currency?: string
  body: unknown
  /** Data that a resuming call needs to send the request again. */
  note?: Record<string, unknown>
}

/** Steps that capture or authorize money. While one of them is unsettled nothing else may be paid. */
const moneySteps: readonly AttemptRow['step'][] = ['capture', 'authorise', 'pay']

export function movesMoney({ step }: Pick<AttemptRow, 'step'>): boolean {
  return moneySteps.includes(step)
}

/**
 * Reports whether an attempt opens a wallet order: such steps share one sequence of revisions for the invoice number.
 */
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
 * Reports whether a payment belongs to the other PayPal environment, live or sandbox. The connected one does not know
 * it, which does not prove that it is not captured, authorized or refunded.
 */
export function isOtherEnvironment(
  { paymentEnvironment }: Pick<Tools, 'paymentEnvironment'>,
  { environment }: { environment: string },
): boolean {
  return environment === 'live' && paymentEnvironment !== 'live'
}

/**
 * Records an attempt before a call that can move money, or returns the earlier attempt.
 * The caller's transaction must hold the lock on the order's row, which serializes all attempts of an order.
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

/** Takes over an unsettled attempt, unless another call works on it. The order's row must be locked. */
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

/** Inserts the attempt of a first call. The order's row must be locked. */
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
    currency: call.currency ?? order.currency,
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

/** Returns the request id: equal for every repeat of a step, and not guessable, since it contains the order's key. */
function requestId(order: Pick<OrderRow, 'id' | 'key'>, step: string, revision: number): string {
  return `v-${order.id}-${step}-${revision}-${sha256(`${order.key}:${step}:${revision}`).slice(0, 24)}`
}
