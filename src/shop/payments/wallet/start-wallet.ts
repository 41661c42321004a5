import type { Transaction } from 'kysely'
import type { OrderBody } from '#contract/paypal/order.ts'
import { approveUrl, type WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger, findLedgerEnd } from '#database/orders/ledger.ts'
import { findOrderItems, lockOrder, type OrderItemRow, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { type AttemptRow, closeAttempt, findAttempts } from '#database/payments/payments.ts'
import { findCurrentWalletOrder, insertWalletOrder, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import { type PaymentSource, plainWallet, sourceKey } from '#paypal/source-body.ts'
import { withoutLocale } from '#paypal/wallet-order-body.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { paymentsPaused } from '../cards/limit-failed-payments.ts'
import { claimAttempt, isUnsettled, movesMoney, nextRevision, opensWallet } from '../operation/payment-attempt.ts'
import type { FinishRefusal } from '../operation/payment-result.ts'
import { vaultCustomer } from '../operation/payment-source.ts'
import { orderAsWalletOrder, type WalletPresentation } from './wallet-order.ts'
import { expectedWalletView, isSameWalletView, openingAttempt, type Shown, shownBy, unsure } from './wallet-snapshot.ts'

export type StartResult =
  /** `approveUrl` is '' where there is none: the cardholder confirms the card on the page. */
  | { ok: true; walletOrderId: string; approveUrl: string }
  | { ok: false; reason: 'already-paid' | 'cancelled' | 'nothing-to-pay' | 'busy' }
  /** The limit of failed payments is reached. */
  | { ok: false; reason: 'paused' }
  /** PayPal could not be reached, or the outcome is unknown: a retry is safe. */
  | { ok: false; reason: 'unreachable' }
  | { ok: false; reason: 'refused'; issue: string }

/** Returns the refusal of a payment that matches a failed start. */
export function problemOf(started: StartResult & { ok: false }): FinishRefusal {
  const { reason } = started
  if (reason === 'refused' && issueReaction(started.issue) === 'address') return 'address'
  if (reason === 'refused' || reason === 'unreachable' || reason === 'cancelled' || reason === 'paused') return reason
  return 'checking'
}

const reusable: readonly string[] = ['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']
const timeoutMs = 6_000
const pollMs = 100

/**
 * Opens the wallet order of a pending order, once per content: a repeat after a lost response, a crash or a second
 * press returns the same one.
 * @param preparedWallet the attempt, where the transaction that placed the order recorded it already
 */
export async function startWallet(
  tools: Tools,
  orderId: number,
  presentation: WalletPresentation,
  preparedWallet?: PreparedWalletOrder,
): Promise<StartResult> {
  let first = preparedWallet
  // Counts the pauses instead of the clock: a clock that is set back must not prolong the wait.
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const claimed = first ?? (await claimCreation(tools, orderId, presentation))
    first = undefined
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'claimed') {
      let result: StartResult
      try {
        result = await create(tools, claimed)
      } finally {
        tools.working.delete(claimed.attempt.id)
      }
      // A resumed call returned a wallet order with earlier figures, address or source: it is recorded, and the next
      // round
      // creates a new one.
      const { attempt, order, key, shown } = claimed
      const same = attempt.amount === order.total && sourceOf(attempt) === key && hasSameContent(attempt, shown)
      if (!result.ok || same) return result
    }
    if (waitedMs > timeoutMs) return { ok: false, reason: 'busy' }
    await tools.clock.sleep(pollMs)
  }
}

type Claimed = {
  kind: 'claimed'
  order: OrderRow
  attempt: AttemptRow
  body: OrderBody
  source: PaymentSource
  key: string
  shown: Shown
}

/** Recorded attempt that opens the wallet order of a new order: for `startWallet`, or for `abandonWalletOrder`. */
export type PreparedWalletOrder = Claimed

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
  const { claim, ...call } = await claimCall(tools, tx, { order, items, opening: [], presentation })
  tools.checkpoint('S6 before commit')
  return { kind: 'claimed', order, attempt: claim.attempt, ...call }
}

/** Abandons an attempt that cannot continue: the next press takes it over. */
export function abandonWalletOrder(tools: Tools, preparedWallet: PreparedWalletOrder | undefined): void {
  if (preparedWallet) tools.working.delete(preparedWallet.attempt.id)
}

async function claimCall(
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
) {
  const source = presentation.source ?? plainWallet
  const key = sourceKey(source)
  const last = opening.at(-1)
  const revision = last && isUnsettled(last) ? last.revision : nextRevision(opening)
  const customer = await vaultCustomer(tx, order.customer_id, tools.paymentEnvironment)
  const body = await orderAsWalletOrder(tools, order, items, revision, { ...presentation, vaultCustomer: customer })
  const shown = expectedWalletView(order, items, presentation)
  const claim = await claimAttempt(tools, tx, order, opening, {
    step: 'create',
    walletOrderId: null,
    amount: order.total,
    body,
    note: { source: key, ...shown },
  })
  return { claim, body, source, key, shown }
}

/** Returns the payment source of an attempt; older attempts have only the wallet. */
function sourceOf({ result }: AttemptRow): string {
  return typeof result?.source === 'string' ? result.source : sourceKey(plainWallet)
}

/** Reports whether the attempt's wallet order has the current content; without a record, true is assumed. */
function hasSameContent(attempt: AttemptRow, now: Shown): boolean {
  const shown = shownBy(attempt)
  return shown === null || isSameWalletView(shown, now)
}

/** Returns the attempt's source and content for its result. */
function contentRecord(attempt: AttemptRow, now: Shown) {
  // PayPal has the first request, or, where that was lost, the current one.
  const shown = hasSameContent(attempt, now) ? shownBy(attempt) : { window: unsure, address: unsure, figures: unsure }
  return { source: sourceOf(attempt), ...shown }
}

function claimCreation(
  tools: Tools,
  orderId: number,
  presentation: WalletPresentation,
): Promise<Claimed | { kind: 'busy' } | { kind: 'ended'; result: StartResult }> {
  const ended = (result: StartResult) => ({ kind: 'ended' as const, result })
  return transaction(tools, async (tx) => {
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
    const { claim, ...call } = await claimCall(tools, tx, { order, items, opening, presentation })
    if (claim.kind === 'busy') return { kind: 'busy' as const }
    if (order.payment_state === 'none' || order.payment_state === 'failed') {
      await updateOrder(tx, orderId, { payment_state: 'pending', status: 'pending' })
    }
    tools.checkpoint('S6 before commit')
    return { kind: 'claimed' as const, order, attempt: claim.attempt, ...call }
  })
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

/** Creates the wallet order; a repeat after a crash sends the same request id and gets the first order. */
async function create(tools: Tools, claimed: Claimed): Promise<StartResult> {
  const { order, attempt, body, source, shown } = claimed
  tools.checkpoint('S6 attempt written')
  const refuse = async (state: 'refused' | 'unknown', issue: string) => {
    const result = { issue, ...contentRecord(attempt, shown) }
    await closeAttempt(tools.db.kysely, attempt.id, { state, result, at: tools.clock.now() })
    tools.log.warn({ orderId: order.id, issue }, 'wallet order not created')
  }
  if (!tools.paypal) {
    await refuse('refused', 'PayPal is not configured')
    return { ok: false, reason: 'unreachable' }
  }
  if (await paymentsPaused(tools, order)) {
    await refuse('refused', 'PAUSED')
    return { ok: false, reason: 'paused' }
  }
  let created = await tools.paypal.createOrder(body, { requestId: attempt.request_id })
  if (!created.ok && created.kind === 'refused' && created.details.some(({ field }) => field?.endsWith('/locale'))) {
    // The wallet supports fewer languages than the shop: without a locale it chooses one itself.
    created = await tools.paypal.createOrder(withoutLocale(body), { requestId: `${attempt.request_id}-l` })
  }
  tools.checkpoint('S6 called')
  if (!created.ok) {
    if (created.kind !== 'refused') {
      await refuse(created.kind === 'unknown' ? 'unknown' : 'refused', created.reason)
      return { ok: false, reason: 'unreachable' }
    }
    await refuse('refused', created.issue)
    return created.status === 429 || created.status === 401
      ? { ok: false, reason: 'unreachable' }
      : { ok: false, reason: 'refused', issue: created.issue }
  }
  const wallet = created.value
  const address = approveUrl(wallet) ?? ''
  if (address === '' && source.kind === 'wallet') {
    await refuse('refused', 'the answer names no address for approval')
    return { ok: false, reason: 'refused', issue: 'NO_APPROVAL_ADDRESS' }
  }
  await recordWallet(tools, claimed, wallet, address)
  tools.checkpoint('S6 recorded')
  return { ok: true, walletOrderId: wallet.id, approveUrl: address }
}

async function recordWallet(
  tools: Tools,
  { order, attempt, body: { intent }, shown }: Claimed,
  wallet: WalletOrder,
  address: string,
): Promise<void> {
  const now = tools.clock.now()
  await transaction(tools, async (tx) => {
    const [, ledgerEnd] = await Promise.all([lockOrder(tx, order.id), findLedgerEnd(tx, order.id)])
    const data = { walletOrder: wallet.id, amount: attempt.amount, currency: attempt.currency }
    const row = {
      id: wallet.id,
      order_id: order.id,
      revision: attempt.revision,
      session_id: order.session_id,
      environment: tools.paymentEnvironment,
      payee: wallet.purchase_units?.[0]?.payee?.merchant_id ?? '',
      amount: attempt.amount,
      currency: attempt.currency,
      state: wallet.status,
      approve_url: address,
      intent,
      method: order.payment_method,
      created_at: now,
    }
    const end = {
      state: 'succeeded',
      result: { walletOrder: wallet.id, ...contentRecord(attempt, shown) },
      at: now,
      walletOrderId: wallet.id,
    } as const
    await Promise.all([
      insertWalletOrder(tx, row),
      closeAttempt(tx, attempt.id, end),
      appendToLedger(tx, order.id, now, [{ kind: 'wallet-order', data }], sha256, ledgerEnd),
    ])
  })
}
