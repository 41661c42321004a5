import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { findOrderItems, lockOrder, type OrderItemRow, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { type AttemptRow, findAttempts } from '#database/payments/payments.ts'
import { findCurrentWalletOrder, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import { plainWallet, sourceKey } from '#paypal/source-body.ts'
import type { Tools } from '../../shared/tools.ts'
import { isUnsettled, movesMoney, nextRevision, opensWallet } from '../operation/payment-attempt.ts'
import type { FinishRefusal } from '../operation/payment-result.ts'
import { vaultCustomer } from '../operation/payment-source.ts'
import type { Admission, Admitted } from '../operation/payment-step.ts'
import { claimAdmitted, runPaymentStep } from '../operation/run-payment-step.ts'
import {
  createWalletOrder,
  hasSameContent,
  type StartResult,
  sourceOf,
  type WalletCreation,
} from './create-wallet-order.ts'
import { orderAsWalletOrder, type WalletPresentation } from './wallet-order.ts'
import { expectedWalletView, openingAttempt } from './wallet-snapshot.ts'

export type { StartResult } from './create-wallet-order.ts'

/** Returns the refusal of a payment that matches a failed start. */
export function problemOf(started: StartResult & { ok: false }): FinishRefusal {
  const { reason } = started
  if (reason === 'refused' && issueReaction(started.issue) === 'address') return 'address'
  if (reason === 'refused' || reason === 'unreachable' || reason === 'cancelled' || reason === 'paused') return reason
  return 'checking'
}

const reusable: readonly string[] = ['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']

/**
 * Opens the wallet order of a pending order, once per content: a repeat after a lost response, a crash or a second
 * press returns the same one.
 * @param preparedWallet the attempt, where the transaction that placed the order recorded it already
 */
export function startWallet(
  tools: Tools,
  orderId: number,
  presentation: WalletPresentation,
  preparedWallet?: PreparedWalletOrder,
): Promise<StartResult> {
  return runPaymentStep(tools, createWalletOrder, (tx) => admitCreation(tools, tx, orderId, presentation), {
    first: preparedWallet,
    // A resumed call returned a wallet order with earlier figures, address or source: it is recorded, and another one
    // is created.
    isSuperseded: ({ attempt, order, key, shown }, result) =>
      result.ok && !(attempt.amount === order.total && sourceOf(attempt) === key && hasSameContent(attempt, shown)),
    wait: { pollMs: 100 },
  })
}

/** Recorded attempt that opens the wallet order of a new order: for `startWallet`, or for `abandonWalletOrder`. */
export type PreparedWalletOrder = WalletCreation

/**
 * Records the wallet attempt in the transaction that placed the order: no other transaction sees the order yet, which
 * saves its lock and lookups.
 */
export async function prepareWalletOrder(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  items: readonly OrderItemRow[],
  presentation: WalletPresentation,
): Promise<PreparedWalletOrder> {
  const admitted = await admittedCreation(tools, tx, { order, items, opening: [], presentation })
  const claim = await claimAdmitted(tools, tx, createWalletOrder.call.milestone, admitted)
  if (claim.kind === 'busy') throw new Error(`another process works on the new order ${order.id}`)
  return claim.work
}

/** Abandons an attempt that cannot continue: the next press takes it over. */
export function abandonWalletOrder(tools: Tools, preparedWallet: PreparedWalletOrder | undefined): void {
  if (preparedWallet) tools.working.delete(preparedWallet.attempt.id)
}

async function admitCreation(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  presentation: WalletPresentation,
): Promise<Admission<WalletCreation, StartResult>> {
  const ended = (result: StartResult) => ({ kind: 'ended' as const, result })
  const [order, attempts, wallet, items] = await Promise.all([
    lockOrder(tx, orderId),
    findAttempts(tx, orderId),
    findCurrentWalletOrder(tx, orderId),
    findOrderItems(tx, orderId),
  ])
  if (!order || order.status === 'cancelled') return ended({ ok: false, reason: 'cancelled' })
  // Money that does not fit or is under review is no reason to capture more.
  if (customerHasPaid(order.payment_state) || order.payment_state === 'attention') {
    return ended({ ok: false, reason: 'already-paid' })
  }
  if (order.total === 0) return ended({ ok: false, reason: 'nothing-to-pay' })

  const key = sourceKey(presentation.source ?? plainWallet)
  if (attempts.some((attempt) => attempt.step === 'pay' && isUnsettled(attempt))) {
    return ended({ ok: false, reason: 'busy' })
  }
  if (wallet && isReusable(tools, order, wallet)) {
    const made = openingAttempt(attempts, wallet.id)
    if (!made || (sourceOf(made) === key && hasSameContent(made, expectedWalletView(order, items, presentation)))) {
      return ended({ ok: true, walletOrderId: wallet.id, approveUrl: wallet.approve_url })
    }
  }
  if (attempts.some((attempt) => movesMoney(attempt) && isUnsettled(attempt))) {
    return ended({ ok: false, reason: 'busy' })
  }
  const opening = attempts.filter(opensWallet)
  const isNew = order.payment_state === 'none' || order.payment_state === 'failed'
  const admitted = await admittedCreation(tools, tx, { order, items, opening, presentation })
  if (!isNew) return admitted
  return {
    ...admitted,
    work: async (lease) => {
      await updateOrder(tx, orderId, { payment_state: 'pending', status: 'pending' })
      return admitted.work(lease)
    },
  }
}

async function admittedCreation(
  tools: Tools,
  tx: Transaction<Schema>,
  {
    order,
    items,
    opening,
    presentation,
  }: {
    order: OrderRow
    items: readonly OrderItemRow[]
    opening: readonly AttemptRow[]
    presentation: WalletPresentation
  },
): Promise<Admitted<WalletCreation, StartResult>> {
  const source = presentation.source ?? plainWallet
  const key = sourceKey(source)
  const last = opening.at(-1)
  const revision = last && isUnsettled(last) ? last.revision : nextRevision(opening)
  const customer = await vaultCustomer(tx, order.customer_id, tools.paymentEnvironment)
  const body = await orderAsWalletOrder(tools, order, items, revision, { ...presentation, vaultCustomer: customer })
  const shown = expectedWalletView(order, items, presentation)
  return {
    kind: 'admitted',
    order,
    call: { step: 'create', walletOrderId: null, amount: order.total, body, note: { source: key, ...shown } },
    lease: { latestOf: opening },
    work: (lease) => ({ ...lease, body, source, key, shown }),
    busy: { ok: false, reason: 'busy' },
  }
}

/** PayPal keeps an order open for six hours; one near its end is not handed out again. */
const openForMs = 5 * 60 * 60 * 1000

function isReusable(tools: Tools, order: OrderRow, wallet: WalletOrderRow): boolean {
  return (
    // After a decline a new approval is needed, which background calls may capture again.
    !wallet.told_no &&
    wallet.amount === order.total &&
    wallet.currency === order.currency &&
    wallet.environment === tools.paymentEnvironment &&
    wallet.method === order.payment_method &&
    wallet.intent === (tools.settings.paypal.intent === 'authorize' ? 'AUTHORIZE' : 'CAPTURE') &&
    reusable.includes(wallet.state) &&
    tools.clock.now().getTime() - wallet.created_at.getTime() < openForMs
  )
}
