import {
  type V3RefundRecord,
  type V3RefundsInput,
  type V3RefundWrite,
  v3RefundRecord,
  v3RefundsInput,
  v3RefundWrite,
} from '#contract/payments/v3-refunds.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import type { RefundRow } from '#database/payments/refunds.ts'
import { findItemsOfRefunds, findRestRefund, listRestRefunds } from '#database/payments/rest-refunds.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import type { RefundPlanInput } from '#domain/payments/plan-refund.ts'
import { refundKey } from '#shop/payments/refund/refund-key.ts'
import { type RefundRefusal, refundOrder } from '#shop/payments/refund/refund-order.ts'
import { restRefund } from '#shop/payments/refund/rest-refund.ts'
import { parentOrder } from '../orders/parent-order.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, unknownId, V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'

/** `wc/v3/orders/{order_id}/refunds`: refunds of an order, made through the payment engine. */
const v3OrderRefundCalls = v3Resource({
  path: 'orders/:order_id/refunds',
  title: 'refund of an order',
  item: v3RefundRecord,
  list: {
    query: v3RefundsInput,
    async run(context, query) {
      const { id } = await parentOrder(context)
      await context.record('orders show', `order:${id}`)
      return listing(context, query, id)
    },
  },
  async get(context, id: number) {
    const refund = await refundOf(context, id)
    await context.record('orders show', `order:${refund.order_id}`)
    return recordOf(context, refund)
  },
  create: { input: v3RefundWrite, run: createRefund },
  remove: {
    trash: false,
    async run(context, id): Promise<V3RefundRecord> {
      await refundOf(context, id)
      throw new V3Error(
        409,
        'woocommerce_rest_cannot_delete',
        'A refund cannot be deleted: its money was given back, and the ledger is append-only.',
      )
    },
  },
  links: (_, { path }) => ({ up: [{ href: `wc/v3/orders/${path.order_id}` }] }),
})

/** `GET wc/v3/refunds`: refunds of all orders. */
const v3RefundCalls = v3Resource({
  path: 'refunds',
  title: 'refund',
  item: v3RefundRecord,
  list: {
    query: v3RefundsInput,
    async run(context, query) {
      await context.record('refunds list', `list page=${query.page}`)
      return listing(context, query, null)
    },
  },
  links: ({ parent_id: parent }) => ({ up: [{ href: `wc/v3/orders/${parent}` }] }),
})

export const v3AllRefundCalls = [...v3OrderRefundCalls, ...v3RefundCalls]

async function listing(context: V3Context, query: V3RefundsInput, orderId: number | null) {
  const { tools } = context
  const moment = (text: string | undefined) =>
    text === undefined ? null : momentIn(text, query.dates_are_gmt ? 'UTC' : tools.settings.timeZone)
  const filter = {
    orderId,
    // A refund does not change: it was modified when it was made.
    after: moment(query.after ?? query.modified_after),
    before: moment(query.before ?? query.modified_before),
    include: query.include,
    exclude: query.exclude,
    text: query.search,
    descending: query.order === 'desc',
  }
  const offset = query.offset ?? query.per_page * (query.page - 1)
  const { total, refunds } = await listRestRefunds(tools.db.kysely, filter, { limit: query.per_page, offset })
  return { total, records: await recordsOf(context, refunds) }
}

async function refundOf(context: V3Context, id: number): Promise<RefundRow> {
  const order = await parentOrder(context)
  const refund = await findRestRefund(context.tools.db.kysely, order.id, id)
  if (!refund) throw unknownId('shop_order_refund')
  return refund
}

async function createRefund(context: V3Context, input: V3RefundWrite): Promise<V3RefundRecord> {
  const { tools } = context
  const order = await parentOrder(context)
  const wish = {
    ask: planOf(input, order.currency),
    reason: input.reason.trim(),
    restock: input.api_restock,
    byHand: !input.api_refund,
  }
  const result = await refundOrder(tools, order.id, { ...wish, key: await refundKey(tools, order.id, wish) })
  if (!result.ok) throw refundError(result.reason, result.issue)
  await context.record('orders refund', `order:${order.id}`)
  return recordOf(context, result.refund)
}

function planOf(input: V3RefundWrite, currency: string): RefundPlanInput {
  const minor = (name: string, text: string): number => {
    const parsed = parseAmount(text, currencyExponent(currency))
    if (!parsed.ok || parsed.minor < 0) throw invalidParam(name, 'must be an amount of the currency, like 12.50')
    return parsed.minor
  }
  const amount = input.amount === undefined ? null : minor('amount', input.amount)
  const lines = (['line_items', 'shipping_lines', 'fee_lines'] as const).flatMap((name) =>
    (input[name] ?? []).map((line) => ({ ...line, name })),
  )
  if (lines.length === 0) {
    if (amount === null) throw invalidParam('amount', 'is required without lines')
    return { kind: 'amount', minor: amount }
  }
  // Pieces without amounts are refunded at their price, unless the whole amount is stated.
  const isByPiece = amount === null && lines.every((line) => line.refund_total === undefined && line.quantity)
  if (isByPiece) return { kind: 'lines', lines: lines.map(({ id, quantity = 1 }) => ({ itemId: id, quantity })) }
  return {
    kind: 'stated',
    minor: amount,
    lines: lines.map(({ id, quantity = 0, refund_total: total = '0', refund_tax: taxes = [], name }) => ({
      itemId: id,
      quantity,
      total: minor(name, total),
      tax: taxes.reduce((sum, { refund_total: tax }) => sum + minor(name, tax), 0),
    })),
  }
}

const refusals: Readonly<Record<RefundRefusal, string>> = {
  'not-found': 'The order is in the trash.',
  imported: 'The order was imported from another shop: it is not refunded here.',
  'not-paid': 'The order is not paid, or its payment is pending.',
  disputed: 'The payment is disputed.',
  'second-payment': 'The order was paid twice: refund an amount without lines first.',
  'under-way': 'Another refund of this order is in progress.',
  'key-conflict': 'Another refund was requested at the same time.',
  'no-provider': 'The provider of this payment is not connected. Set api_refund to false for a refund by hand.',
  'not-payable': 'The provider cannot refund this exact amount.',
  unreachable: 'The provider could not be reached, and nothing was refunded.',
  refused: 'The provider refused the refund.',
  checking: 'The outcome is not known yet. Repeat the same request to learn it.',
  'nothing-left': 'The order is refunded in full.',
  'nothing-asked': 'The refund comes to 0.',
  'above-rest': 'Invalid refund amount: more than what is left.',
  'unknown-line': 'The order has no such line, or a line is named twice.',
  'more-pieces-than-left': 'A line has fewer pieces left.',
  'amount-differs': 'The lines do not sum to the amount.',
}

/** Refusals that a repeat may not meet. */
const isTemporary: ReadonlySet<RefundRefusal> = new Set(['under-way', 'key-conflict', 'unreachable', 'checking'])

function refundError(reason: RefundRefusal, issue?: string): V3Error {
  const message = refusals[reason] + (issue ? ` (${issue})` : '')
  return new V3Error(isTemporary.has(reason) ? 409 : 400, 'woocommerce_rest_cannot_create_order_refund', message)
}

async function recordOf(context: V3Context, refund: RefundRow): Promise<V3RefundRecord> {
  const [record] = await recordsOf(context, [refund])
  if (!record) throw new Error(`the refund ${refund.id} has no record`)
  return record
}

async function recordsOf({ tools }: V3Context, refunds: readonly RefundRow[]): Promise<V3RefundRecord[]> {
  const { kysely } = tools.db
  const orderIds = [...new Set(refunds.map(({ order_id: id }) => id))]
  const [{ items }, given] = await Promise.all([
    findOrderParts(kysely, orderIds),
    findItemsOfRefunds(
      kysely,
      refunds.map(({ id }) => id),
    ),
  ])
  return refunds.map((refund) => {
    const own = items.filter(({ order_id: id }) => id === refund.order_id)
    return restRefund(tools, refund, { items: own, given })
  })
}
