import type { Transaction } from 'kysely'
import type { Refund } from '#contract/paypal/capture.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { lockOrder, type OrderRow } from '#database/orders/orders.ts'
import {
  type AttemptRow,
  type CaptureRow,
  closeAttempt,
  findAttempts,
  findCaptures,
} from '#database/payments/payments.ts'
import { findPendingRefunds, findRefunds, insertRefund, type RefundRow } from '#database/payments/refunds.ts'
import { fromAmount } from '#paypal/amounts.ts'
import type { Tools } from '../../shared/tools.ts'
import { recordRefund } from './record-refund.ts'

/** Returns the reference that identifies the shop's refund at PayPal. */
export function refundReference(
  tools: Tools,
  order: Pick<OrderRow, 'id' | 'key'>,
  attempt: Pick<AttemptRow, 'revision'>,
): string {
  return `${tools.settings.orderPrefix}${order.id}-${order.key.slice(-6)}-R${attempt.revision}`
}

/** Reads all refunds under a wallet order. A wallet order that PayPal deleted has none. */
async function readProviderRefunds(tools: Tools, walletOrderId: string): Promise<readonly Refund[] | 'unreachable'> {
  const read = await tools.paypal?.getOrder(walletOrderId)
  if (read?.ok) return read.value.purchase_units?.flatMap(({ payments }) => payments?.refunds ?? []) ?? []
  return read?.kind === 'refused' && read.status === 404 ? [] : 'unreachable'
}

/** Finds the refund that an attempt of the shop made, if any. */
export async function findProviderRefund(
  tools: Tools,
  attempt: AttemptRow,
  mark: string,
): Promise<Refund | undefined | 'unreachable'> {
  if (!attempt.wallet_order_id) return undefined
  const all = await readProviderRefunds(tools, attempt.wallet_order_id)
  return all === 'unreachable' ? all : all.find(({ invoice_id }) => invoice_id === mark)
}

/**
 * Imports every refund of an order that is unsettled in the shop: those made at PayPal, and own ones with a lost
 * response. Each is recorded once, for any number and order of webhooks.
 */
export async function importProviderRefunds(
  tools: Tools,
  capture: CaptureRow,
): Promise<'adopted' | 'none' | 'unreachable'> {
  const all = await readProviderRefunds(tools, capture.wallet_order_id)
  if (all === 'unreachable') return all
  let news = false
  for (const theirs of all) news = (await adopt(tools, capture, theirs)) || news
  return news ? 'adopted' : 'none'
}

function adopt(tools: Tools, capture: CaptureRow, theirs: Refund): Promise<boolean> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, capture.order_id)
    if (!order) return false
    const refunds = await findRefunds(tx, order.id)
    const attempts = await findAttempts(tx, order.id)
    const marked = (refund: RefundRow) => {
      const attempt = attempts.find(({ id }) => id === refund.attempt_id)
      return attempt !== undefined && theirs.invoice_id === refundReference(tools, order, attempt)
    }
    const known =
      refunds.find(({ provider_id }) => provider_id === theirs.id) ??
      refunds.find((refund) => refund.state === 'open' && marked(refund))
    const amount = theirs.amount && fromAmount(theirs.amount)
    if (known) {
      const after = await recordRefund(tools, tx, order, known, theirs)
      if (after === known) return false
      const result = { refund: theirs.id, status: theirs.status }
      const state = after.state === 'refused' ? 'refused' : 'succeeded'
      if (known.attempt_id !== null) await closeAttempt(tx, known.attempt_id, { state, result, at: tools.clock.now() })
      return true
    }
    const of = (await captureOf(tx, capture.order_id, theirs)) ?? capture
    if (!amount || amount.minor <= 0 || (theirs.status !== 'COMPLETED' && theirs.status !== 'PENDING')) return false
    const row = {
      order_id: order.id,
      key: `provider-${theirs.id}`,
      body_hash: '',
      state: 'open',
      made_by: 'provider',
      by_provider: true,
      capture_id: of.id,
      stray: of.stray,
      attempt_id: null,
      provider_id: theirs.id,
      amount: amount.minor,
      currency: amount.currency,
      issue: null,
      created_at: tools.clock.now(),
      settled_at: null,
    } as const
    await recordRefund(tools, tx, order, await insertRefund(tx, row), theirs)
    return true
  })
}

/** Finds the capture of a refund by its link: a wallet order may have more than one capture. */
async function captureOf(tx: Transaction<Schema>, orderId: number, { links }: Refund): Promise<CaptureRow | undefined> {
  const up = links?.find(({ rel }) => rel === 'up')?.href ?? ''
  return (await findCaptures(tx, orderId)).find(({ id }) => up.endsWith(`/captures/${id}`))
}

/** Reads refunds that are pending at PayPal. @returns the number of refunds read */
export async function settlePendingRefunds(tools: Tools): Promise<number> {
  const pending = await findPendingRefunds(tools.db.kysely, { limit: 20, chance: tools.chance.fraction() })
  for (const { order_id: orderId, capture_id: captureId } of pending) {
    const capture = (await findCaptures(tools.db.kysely, orderId)).find(({ id }) => id === captureId)
    if (capture) await importProviderRefunds(tools, capture)
  }
  return pending.length
}
