import type { Transaction } from 'kysely'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { closeAttempt, ownsAttempt } from '#database/payments/payments.ts'
import { isTransient, type PayPalResult } from '#paypal/result.ts'
import type { ProviderCallName } from '../../shared/checkpoints.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { claimAttempt, insertAttempt, isUnsettled, resumeAttempt } from './payment-attempt.ts'
import {
  type Admission,
  type Admitted,
  type AnyDecline,
  type Lease,
  type PaymentStep,
  type ProviderCall,
  type Reading,
  unknown,
  unreachable,
} from './payment-step.ts'

/**
 * The payment engine. Every call that moves money or prepares it runs through here: the attempt is claimed under the
 * order's lock and committed, the call is made outside any transaction, and its outcome is settled once, whatever
 * process gets to it. A process may die between any two lines: the next claim of the attempt resumes it.
 */

const timeoutMs = 6_000
const pollMs = 150

type Wait = { readonly timeoutMs?: number; readonly pollMs?: number }

/**
 * Runs a step: claims it, waits while another call works on it, calls PayPal, and settles the outcome.
 * @param admit decides under the order's lock whether the step may run
 * @param options.first work that was claimed before, in the transaction that placed the order
 * @param options.isSuperseded reports a settled step after which another one is due: the step is decided again
 */
export async function runPaymentStep<Work extends Lease, Answer, Done, Decline extends AnyDecline, Result>(
  tools: Tools,
  step: PaymentStep<Work, Answer, Done, Decline, Result>,
  admit: (tx: Transaction<Schema>) => Promise<Admission<Work, Result>>,
  options: { first?: Work | undefined; isSuperseded?: (work: Work, result: Result) => boolean; wait?: Wait } = {},
): Promise<Result> {
  const { isSuperseded, wait = {} } = options
  let { first } = options
  // Counts the pauses instead of the clock: a clock that is set back must not prolong the wait.
  for (let waitedMs = 0; ; waitedMs += wait.pollMs ?? pollMs) {
    const claim = first
      ? ({ kind: 'claimed', work: first } as const)
      : await transaction(tools, async (tx): Promise<Claim<Work, Result>> => {
          const admission = await admit(tx)
          return admission.kind === 'admitted' ? claimAdmitted(tools, tx, step.call.milestone, admission) : admission
        })
    first = undefined
    if (claim.kind === 'ended') return claim.result
    if (claim.kind === 'elsewhere') {
      const result = await claim.complete()
      if (result !== null) return result
      continue
    }
    if (claim.kind === 'claimed') {
      const result = await callAndSettle(tools, step, claim.work)
      if (!isSuperseded?.(claim.work, result)) return result
      continue
    }
    if (waitedMs >= (wait.timeoutMs ?? timeoutMs)) return claim.result
    await tools.clock.sleep(wait.pollMs ?? pollMs)
  }
}

type Claim<Work extends Lease, Result> =
  | { readonly kind: 'claimed'; readonly work: Work }
  | { readonly kind: 'busy'; readonly result: Result }
  | Exclude<Admission<Work, Result>, { kind: 'admitted' }>

/** Claims the attempt of an admitted step. The caller's transaction must hold the lock on the order's row. */
export async function claimAdmitted<Work extends Lease, Result>(
  tools: Tools,
  tx: Transaction<Schema>,
  milestone: ProviderCallName,
  { order, call, lease, work: complete, start, ledgerEnd, busy }: Admitted<Work, Result>,
): Promise<{ readonly kind: 'claimed'; readonly work: Work } | { readonly kind: 'busy'; readonly result: Result }> {
  const claim =
    'revision' in lease
      ? ({ kind: 'fresh', attempt: await insertAttempt(tools, tx, order, lease.revision, call) } as const)
      : 'resume' in lease
        ? await resumeAttempt(tools, tx, lease.resume)
        : await claimAttempt(tools, tx, order, lease.latestOf, call)
  if (claim.kind === 'busy') return { kind: 'busy', result: busy }
  const work = await complete({ order, attempt: claim.attempt, resume: claim.kind !== 'fresh' })
  if (claim.kind === 'fresh' && start) {
    const { change, event } = start(work)
    const now = tools.clock.now()
    await Promise.all([
      change ? updateOrder(tx, order.id, { ...change, updated_at: now }) : null,
      event ? appendToLedger(tx, order.id, now, [event], sha256, ledgerEnd) : null,
    ])
  }
  tools.checkpoint(`${milestone} before commit`)
  return { kind: 'claimed', work }
}

async function callAndSettle<Work extends Lease, Answer, Done, Decline extends AnyDecline, Result>(
  tools: Tools,
  step: PaymentStep<Work, Answer, Done, Decline, Result>,
  claimed: Work,
): Promise<Result> {
  try {
    const { reading, work } = await callProvider(tools, step.call, claimed)
    return await settle(tools, step, work, reading)
  } finally {
    tools.working.delete(claimed.attempt.id)
  }
}

/**
 * Makes a call to PayPal, outside any transaction, and reads its effect.
 * @returns the reading, with the work as the checks before the call left it
 */
export async function callProvider<Work, Answer, Done, Decline>(
  tools: Tools,
  call: ProviderCall<Work, Answer, Done, Decline>,
  claimed: Work,
): Promise<{ reading: Reading<Done, Decline>; work: Work }> {
  tools.checkpoint(`${call.milestone} attempt written`)
  const { paypal } = tools
  if (!paypal) return { reading: unreachable('PayPal is not configured'), work: claimed }
  const { reading, work = claimed } = (await call.check?.(tools, paypal, claimed)) ?? {}
  if (reading) return { reading, work }
  const answer = await call.send(paypal, work, tools)
  tools.checkpoint(`${call.milestone} called`)
  return { reading: await readAnswer(tools, call, answer, work), work }
}

/** Reads what PayPal's answer to a call says about its effect. */
export async function readAnswer<Work, Answer, Done, Decline>(
  tools: Tools,
  call: ProviderCall<Work, Answer, Done, Decline>,
  answer: PayPalResult<Answer>,
  work: Work,
): Promise<Reading<Done, Decline>> {
  if (answer.ok) return call.read(answer.value, work, tools)
  if (answer.kind === 'unreachable') return unreachable(answer.reason)
  if (answer.kind === 'unknown') return call.recover?.(answer.reason, work, tools) ?? unknown(answer.reason)
  return isTransient(answer) ? unreachable(answer.issue) : call.readRefusal(answer, work, tools)
}

/**
 * Settles a step by what is known of its call. Repeats change nothing: only the process that holds the attempt closes
 * it, under the order's lock.
 */
export async function settle<Work extends Lease, Answer, Done, Decline extends AnyDecline, Result>(
  tools: Tools,
  step: PaymentStep<Work, Answer, Done, Decline, Result>,
  work: Work,
  reading: Reading<Done, Decline>,
): Promise<Result> {
  switch (reading.kind) {
    case 'done': {
      const result = await step.recordDone(tools, work, reading.value)
      if (step.call.milestone !== 'S11') tools.checkpoint(`${step.call.milestone} recorded`)
      return result
    }
    case 'declined':
      return settleDecline(tools, step, work, reading.decline)
    case 'unreachable':
      // The failure of this call does not settle the attempt that it resumes, which may still be in progress.
      return work.resume
        ? settleUnknown(tools, step, work, reading.issue)
        : settleDecline(tools, step, work, step.unreachable(reading.issue))
    case 'unknown':
      return settleUnknown(tools, step, work, reading.issue)
  }
}

async function settleDecline<Work extends Lease, Answer, Done, Decline extends AnyDecline, Result>(
  tools: Tools,
  step: PaymentStep<Work, Answer, Done, Decline, Result>,
  work: Work,
  decline: Decline,
): Promise<Result> {
  const at = tools.clock.now()
  const isRecorded = await whileHeld(tools, step, work, async (tx, order) => {
    const result = step.declineRecord?.(work, decline) ?? { ...decline }
    await closeAttempt(tx, work.attempt.id, { state: 'refused', result, at })
    await step.recordDecline?.(tools, tx, { order, work, decline, at })
  })
  const { issue, reason } = decline
  tools.log[step.log.level]({ orderId: work.order.id, reason, issue }, step.log.declined)
  return isRecorded ? step.declined(tools, work, decline) : step.unknown(work, decline.issue)
}

/** Leaves the attempt to the next claim, with the data that a repeat needs. */
async function settleUnknown<Work extends Lease, Answer, Done, Decline extends AnyDecline, Result>(
  tools: Tools,
  step: PaymentStep<Work, Answer, Done, Decline, Result>,
  work: Work,
  issue: string,
): Promise<Result> {
  const { attempt, order } = work
  // A successful attempt stays successful: a failed read does not change an earlier result.
  if (isUnsettled(attempt)) {
    await whileHeld(tools, step, work, async (tx) => {
      const result = { ...attempt.result, issue }
      await closeAttempt(tx, attempt.id, { state: 'unknown', result, at: tools.clock.now() })
      await step.recordUnknown?.(tx, work)
    })
  }
  tools.log.warn({ orderId: order.id, issue }, step.log.unknown)
  return step.unknown(work, issue)
}

/** Runs changes under the order's lock. @returns false where another process has taken over or settled the step */
function whileHeld<Work extends Lease, Answer, Done, Decline extends AnyDecline, Result>(
  tools: Tools,
  { isOpen }: PaymentStep<Work, Answer, Done, Decline, Result>,
  work: Work,
  change: (tx: Transaction<Schema>, order: OrderRow) => Promise<void>,
): Promise<boolean> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, work.order.id)
    if (!order || !(await ownsAttempt(tx, work.attempt))) return false
    if (isOpen && !(await isOpen(tx, work))) return false
    await change(tx, order)
    return true
  })
}
