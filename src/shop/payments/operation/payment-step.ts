import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { LedgerEnd, LedgerEvent } from '#database/orders/ledger.ts'
import type { OrderRow, updateOrder } from '#database/orders/orders.ts'
import type { AttemptRow } from '#database/payments/payments.ts'
import type { PayPal } from '#paypal/client.ts'
import type { PayPalResult, Refused } from '#paypal/result.ts'
import type { ProviderCallName } from '../../shared/checkpoints.ts'
import type { Tools } from '../../shared/tools.ts'
import type { Call } from './payment-attempt.ts'

/** Knowledge about the effect of a call to PayPal. */
export type Reading<Done, Decline> =
  /** The call had its effect. */
  | { readonly kind: 'done'; readonly value: Done }
  /** The call had no effect, and its request id will have none. */
  | { readonly kind: 'declined'; readonly decline: Decline }
  /** The call may have had its effect: only reading PayPal's state, or the same request id, may settle it. */
  | { readonly kind: 'unknown'; readonly issue: string }
  /** The call never reached PayPal. */
  | { readonly kind: 'unreachable'; readonly issue: string }

export const done = <Done>(value: Done) => ({ kind: 'done', value }) as const
export const declined = <Decline>(decline: Decline) => ({ kind: 'declined', decline }) as const
export const unknown = (issue: string) => ({ kind: 'unknown', issue }) as const
export const unreachable = (issue: string) => ({ kind: 'unreachable', issue }) as const

/** Result of the checks before a call; `work` holds what they learnt. */
export type Checked<Work, Done, Decline> = { readonly reading?: Reading<Done, Decline>; readonly work?: Work }

/** Why a call had no effect: PayPal's issue, and what it means for the caller. */
export type AnyDecline = { readonly issue: string; readonly reason?: string }

/** A call to PayPal and how its answers are read. The engine alone makes it. */
export type ProviderCall<Work, Answer, Done, Decline> = {
  /** Prefix of the checkpoints at which recovery tests end the process. */
  readonly milestone: ProviderCallName
  /**
   * Reads PayPal's state or checks limits before the call is sent: the way in which an attempt of a crashed process is
   * resumed. With a reading the call is not sent.
   */
  readonly check?: (tools: Tools, paypal: PayPal, work: Work) => Promise<Checked<Work, Done, Decline>>
  readonly send: (paypal: PayPal, work: Work, tools: Tools) => Promise<PayPalResult<Answer>>
  readonly read: (answer: Answer, work: Work, tools: Tools) => Reading<Done, Decline> | Promise<Reading<Done, Decline>>
  /**
   * Reads a refusal. Refusals by rate limit or access token never get here: they had no effect, like a call that never
   * reached PayPal.
   */
  readonly readRefusal: (
    refused: Refused,
    work: Work,
    tools: Tools,
  ) => Reading<Done, Decline> | Promise<Reading<Done, Decline>>
  /** Reads the effect of a call whose answer was lost. Without it the effect stays unknown. */
  readonly recover?: (issue: string, work: Work, tools: Tools) => Promise<Reading<Done, Decline>>
}

/** The right to make a call: an attempt row that this process inserted or took over, and holds. */
export type Lease = {
  readonly order: OrderRow
  readonly attempt: AttemptRow
  /** An earlier call of the attempt may have had its effect. */
  readonly resume: boolean
}

/** Outcome of the decision, under the order's lock, whether a step may run. */
export type Admission<Work extends Lease, Result> =
  | Admitted<Work, Result>
  | { readonly kind: 'ended'; readonly result: Result }
  /** An unsettled step of another kind comes first. `complete` returns null where this step is decided again. */
  | { readonly kind: 'elsewhere'; readonly complete: () => Promise<Result | null> }

export type Admitted<Work extends Lease, Result> = {
  readonly kind: 'admitted'
  readonly order: OrderRow
  readonly call: Call
  /**
   * `latestOf`: the last of these attempts where it is unsettled, otherwise the next one. `revision`: a new attempt.
   * `resume`: an unsettled attempt.
   */
  readonly lease:
    | { readonly latestOf: readonly AttemptRow[] }
    | { readonly revision: number }
    | { readonly resume: AttemptRow }
  /** Adds the step's own facts to the lease, in the transaction that takes it. */
  readonly work: (lease: Lease) => Work | Promise<Work>
  /** Written with a new attempt: a changed order and the ledger's entry of the start. */
  readonly start?: (work: Work) => { change?: Parameters<typeof updateOrder>[2]; event?: LedgerEvent }
  /** End of the order's ledger, where it was read under the lock. */
  readonly ledgerEnd?: LedgerEnd
  /** Result for a caller who waited in vain for the call of another process. */
  readonly busy: Result
}

/** `order`: its row under the lock. */
export type DeclineFacts<Work, Decline> = {
  readonly order: OrderRow
  readonly work: Work
  readonly decline: Decline
  readonly at: Date
}

/**
 * An operation that moves money or prepares it: a claim, a call, and the settlement of its outcome. Every entry, from
 * the shopper's return and webhooks to reconciliation and the merchant's orders, settles by the same functions.
 */
export type PaymentStep<Work extends Lease, Answer, Done, Decline extends AnyDecline, Result> = {
  readonly call: ProviderCall<Work, Answer, Done, Decline>
  /** Log messages of a decline, with its level, and of an unknown outcome. */
  readonly log: { readonly level: 'info' | 'warn'; readonly declined: string; readonly unknown: string }
  /** The decline that an unreachable PayPal means for a first call. */
  readonly unreachable: (issue: string) => Decline
  /** Reports, under the order's lock, whether the step still waits for its outcome, beside its attempt. */
  readonly isOpen?: (tx: Transaction<Schema>, work: Work) => Promise<boolean>
  /** Records the effect of a call, once, in transactions of its own that close the attempt. */
  readonly recordDone: (tools: Tools, work: Work, value: Done) => Promise<Result>
  /** Records that the call had no effect, in the transaction that closes the attempt. */
  readonly recordDecline?: (tools: Tools, tx: Transaction<Schema>, facts: DeclineFacts<Work, Decline>) => Promise<void>
  /** Data of a closed attempt without effect; by default the decline. */
  readonly declineRecord?: (work: Work, decline: Decline) => Record<string, unknown>
  readonly recordUnknown?: (tx: Transaction<Schema>, work: Work) => Promise<void>
  /** Result of a decline that was recorded. */
  readonly declined: (tools: Tools, work: Work, decline: Decline) => Result | Promise<Result>
  /** Result of an unknown outcome, or of a step that another process has taken over. */
  readonly unknown: (work: Work, issue: string) => Result
}
