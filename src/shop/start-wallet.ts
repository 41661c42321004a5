import type { OrderBody } from '#contract/paypal/order.ts'
import { approveUrl, type WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/connect.ts'
import { appendToLedger } from '#database/ledger.ts'
import { findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders.ts'
import {
  type AttemptRow,
  closeAttempt,
  findAttempts,
  findCurrentWalletOrder,
  findUnsettledCapture,
  insertWalletOrder,
  type WalletOrderRow,
} from '#database/payments.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { sha256 } from './digest.ts'
import { claimAttempt } from './payment-attempt.ts'
import type { Tools } from './tools.ts'
import { orderAsWalletOrder, type WalletPresentation } from './wallet-order.ts'

export type StartResult =
  | { ok: true; walletOrderId: string; approveUrl: string }
  | { ok: false; reason: 'already-paid' | 'cancelled' | 'nothing-to-pay' | 'busy' }
  /** The provider could not be reached, or did not say whether it did it: trying again is safe. */
  | { ok: false; reason: 'unreachable' }
  | { ok: false; reason: 'refused'; issue: string }

const reusable: readonly string[] = ['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']
const patienceMs = 6_000
const pollMs = 100

/**
 * Creates the provider's order for a pending order of ours, once per figure: asking again gives the same one, whether the
 * first answer got lost, the process died in between, or the shopper pressed twice.
 */
export async function startWallet(
  tools: Tools,
  orderId: number,
  presentation: WalletPresentation,
): Promise<StartResult> {
  const deadline = tools.clock.now().getTime() + patienceMs
  for (;;) {
    const claimed = await claimCreation(tools, orderId, presentation)
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'claimed') {
      let result: StartResult
      try {
        result = await create(tools, claimed)
      } finally {
        tools.working.delete(claimed.attempt.id)
      }
      // A resumed call gave the wallet order of earlier figures: it is known now, and the next round makes a new one.
      if (!result.ok || claimed.attempt.amount === claimed.order.total) return result
    }
    if (tools.clock.now().getTime() > deadline) return { ok: false, reason: 'busy' }
    await tools.clock.sleep(pollMs)
  }
}

type Claimed = { kind: 'claimed'; order: OrderRow; attempt: AttemptRow; body: OrderBody }

function claimCreation(
  tools: Tools,
  orderId: number,
  presentation: WalletPresentation,
): Promise<Claimed | { kind: 'busy' } | { kind: 'ended'; result: StartResult }> {
  const ended = (result: StartResult) => ({ kind: 'ended' as const, result })
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || order.status === 'cancelled') return ended({ ok: false, reason: 'cancelled' })
    // Money that came and does not fit, or is being looked at, is no reason to take more.
    if (isPaid(order.payment_state) || order.payment_state === 'attention' || order.payment_state === 'review') {
      return ended({ ok: false, reason: 'already-paid' })
    }
    if (order.total === 0) return ended({ ok: false, reason: 'nothing-to-pay' })

    const wallet = await findCurrentWalletOrder(tx, orderId)
    if (wallet && isStillGood(tools, order, wallet)) {
      return ended({ ok: true, walletOrderId: wallet.id, approveUrl: wallet.approve_url })
    }
    if (await findUnsettledCapture(tx, orderId)) return ended({ ok: false, reason: 'busy' })
    const attempts = (await findAttempts(tx, orderId)).filter(({ step }) => step === 'create')
    const last = attempts.at(-1)
    const revision =
      last && (last.state === 'open' || last.state === 'unknown') ? last.revision : (last?.revision ?? 0) + 1
    const body = orderAsWalletOrder(tools, order, await findOrderItems(tx, orderId), revision, presentation)
    const claim = await claimAttempt(tools, tx, order, attempts, {
      step: 'create',
      walletOrderId: null,
      amount: order.total,
      body,
    })
    if (claim.kind === 'busy') return { kind: 'busy' as const }
    if (order.payment_state === 'none' || order.payment_state === 'failed') {
      await updateOrder(tx, orderId, { payment_state: 'pending', status: 'pending' })
    }
    return { kind: 'claimed' as const, order, attempt: claim.attempt, body }
  })
}

/** The provider keeps an order open for six hours; one that is nearly over is not handed out again. */
const openForMs = 5 * 60 * 60 * 1000

function isStillGood(tools: Tools, order: OrderRow, wallet: WalletOrderRow): boolean {
  return (
    wallet.amount === order.total &&
    wallet.currency === order.currency &&
    wallet.environment === tools.paymentEnvironment &&
    reusable.includes(wallet.state) &&
    tools.clock.now().getTime() - wallet.created_at.getTime() < openForMs
  )
}

/** A repeat after a crash sends the same request id and gets the order that the first call made. */
async function create(tools: Tools, { order, attempt, body }: Claimed): Promise<StartResult> {
  tools.checkpoint('S6 attempt written')
  const refuse = async (state: 'refused' | 'unknown', issue: string) => {
    await closeAttempt(tools.db.kysely, attempt.id, { state, result: { issue }, at: tools.clock.now() })
    tools.log.warn({ orderId: order.id, issue }, 'no wallet order was created')
  }
  if (!tools.paypal) {
    await refuse('refused', 'no provider is set up')
    return { ok: false, reason: 'unreachable' }
  }
  const created = await tools.paypal.createOrder(body, { requestId: attempt.request_id })
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
  const address = approveUrl(wallet)
  if (!address) {
    await refuse('refused', 'the answer names no address for approval')
    return { ok: false, reason: 'refused', issue: 'NO_APPROVAL_ADDRESS' }
  }
  await recordWallet(tools, order, attempt, wallet, address)
  tools.checkpoint('S6 recorded')
  return { ok: true, walletOrderId: wallet.id, approveUrl: address }
}

async function recordWallet(
  tools: Tools,
  order: OrderRow,
  attempt: AttemptRow,
  wallet: WalletOrder,
  address: string,
): Promise<void> {
  const now = tools.clock.now()
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    await insertWalletOrder(tx, {
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
      created_at: now,
    })
    await closeAttempt(tx, attempt.id, {
      state: 'succeeded',
      result: { walletOrder: wallet.id },
      at: now,
      walletOrderId: wallet.id,
    })
    const data = { walletOrder: wallet.id, amount: attempt.amount, currency: attempt.currency }
    await appendToLedger(tx, order.id, now, [{ kind: 'wallet-order', data }], sha256)
  })
}
