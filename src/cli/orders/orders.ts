import { dayIn } from '#contract/import/product-csv-cells.ts'
import { offlineMethods, providerMethods } from '#contract/payments/constants.ts'
import { listDeskOrders, type OrderFilter } from '#database/orders/desk-orders.ts'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { readOrderRecord } from '#shop/orders/read-order-record.ts'
import { methodTitle } from '#shop/payments/operation/payment-methods.ts'
import { refundCommand } from '../payments/order-refund.ts'
import type { Command, CommandContext } from '../shared/command.ts'
import {
  commandGroup,
  type Given,
  jsonOption,
  listGiven,
  type Options,
  type SubCommand,
  textGiven,
} from '../shared/command-group.ts'
import { listOptions, pageGiven, printList, unknownWord, wordOf } from '../shared/listing.ts'
import { listSubject, recordStaffAccess } from '../shared/log-access.ts'
import { rejectUsage, unknownChoice } from '../shared/messages.ts'
import { shipmentCommand } from '../shipping/order-shipment.ts'
import {
  cancelCommand,
  captureCommand,
  noteCommand,
  payLinkCommand,
  releaseCommand,
  transitionCommand,
} from './order-changes.ts'
import { orderIdOf, unknownOrder } from './order-id.ts'
import { termsCommand } from './order-terms.ts'
import { orderColumns, orderJson, orderLines } from './order-text.ts'

const paymentStates = [
  'none',
  'pending',
  'authorising',
  'authorised',
  'review',
  'captured',
  'paid',
  'failed',
  'attention',
  'partly-refunded',
  'refunded',
  'disputed',
] as const

const filters = {
  search: { type: 'string', value: '<text>', what: 'in names, addresses, products, SKUs or payment IDs' },
  status: {
    type: 'string',
    multiple: true,
    value: '<status>',
    what: `${orderStatuses.join(', ')}; all except drafts`,
    completes: orderStatuses,
  },
  payment: {
    type: 'string',
    value: '<state>',
    what: `${paymentStates.join(', ')}`,
    completes: paymentStates,
  },
  from: { type: 'string', value: '<date>', what: 'the first day, as 2026-05-01' },
  to: { type: 'string', value: '<date>', what: 'the last day' },
  customer: {
    type: 'string',
    value: '<customer>',
    what: 'email address, user name or number of an account; a guest by address',
  },
  method: { type: 'string', value: '<method>', what: 'the payment method: cod or "Cash on delivery"' },
} as const satisfies Options

const listCommand: SubCommand = {
  usage: '[text] [options]',
  summary: 'Lists orders, newest first.',
  example: 'bowl --status processing',
  options: { ...filters, ...listOptions },
  words: [0, 1],
  run: ([text], given, context) => list({ ...given, ...(text === undefined ? {} : { search: text }) }, context),
}

const showCommand: SubCommand = {
  usage: '<number> [--json]',
  summary: 'Shows one order with its payments, refunds, ledger and notes. "orders 1001" does the same.',
  example: '1001',
  options: jsonOption,
  words: [1, 1],
  completes: ['order'],
  async run([word = ''], { json }, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const record = await readOrderRecord(context.db, id)
    if (!record) return unknownOrder(id, context)
    await recordStaffAccess(context, 'orders show', `order:${id}`)
    if (json) context.print(JSON.stringify(record))
    else for (const line of orderLines(record, context.settings)) context.print(line)
    return 0
  },
}

const group = commandGroup('orders', {
  list: listCommand,
  show: showCommand,
  terms: termsCommand,
  note: noteCommand,
  move: transitionCommand,
  capture: captureCommand,
  release: releaseCommand,
  refund: refundCommand,
  shipment: shipmentCommand,
  cancel: cancelCommand,
  'pay-link': payLinkCommand,
})

/** `orders 1001` shows an order. */
const withShow = (args: readonly string[]) => (/^\d/.test(args[0] ?? '') ? ['show', ...args] : args)

export const ordersCommand: Command = {
  ...group,
  usageProblem: (args) => group.usageProblem(withShow(args)),
  run: (args, context) => group.run(withShow(args), context),
}

async function list(given: Given, context: CommandContext): Promise<number> {
  const page = pageGiven(given)
  const filter = filterGiven(given, context.settings)
  if (typeof page === 'string' || typeof filter === 'string') {
    const [problem = ''] = [page, filter].filter((each) => typeof each === 'string')
    return rejectUsage(context, problem)
  }
  await recordStaffAccess(context, 'orders list', listSubject(given))
  const { count, orders } = await listDeskOrders(context.db.kysely, filter, page)
  const [status] = filter.statuses ?? []
  const alone = Object.values(filter).filter((value) => value !== undefined).length === 1
  printList(context, given, page, {
    items: orders,
    count,
    columns: orderColumns(context.settings),
    json: (order) => orderJson(order, context.settings),
    none: status && alone ? `No order has the status ${filter.statuses?.join(' or ')}.` : noneText(filter),
  })
  return 0
}

const noneText = (filter: OrderFilter) =>
  Object.values(filter).some((value) => value !== undefined) ? 'No order matches.' : 'There are no orders yet.'

function filterGiven(given: Given, settings: CommandContext['settings']): OrderFilter | string {
  const { timeZone } = settings
  const statuses = listGiven(given.status)
  const known = statuses?.map((word) => wordOf(word, orderStatuses) ?? null)
  const stranger = statuses?.find((_, index) => known?.[index] === null)
  if (stranger !== undefined) return unknownChoice('status', stranger, orderStatuses)
  const payment = wordOf(given.payment, paymentStates)
  if (payment === null) return unknownWord('payment state', given.payment, paymentStates)
  const days = { from: textGiven(given.from), to: textGiven(given.to) }
  const from = days.from === undefined ? undefined : dayIn(days.from, 'start', timeZone)
  const to = days.to === undefined ? undefined : dayIn(days.to, 'end', timeZone)
  if (from && 'problem' in from) return `--from "${days.from}" ${from.problem}. Example: --from 2026-05-01`
  if (to && 'problem' in to) return `--to "${days.to}" ${to.problem}. Example: --to 2026-05-31`
  const customer = textGiven(given.customer)?.trim()
  const account = /^#?(\d{1,15})$/.exec(customer ?? '')?.[1]
  return {
    statuses: known && known.length > 0 ? known.filter((status) => status !== null) : undefined,
    payment,
    from: from?.value,
    to: to?.value,
    customer: account === undefined ? customer || undefined : Number(account),
    method: methodNamed(settings, textGiven(given.method)),
    text: textGiven(given.search)?.trim() || undefined,
  }
}

/** Finds a payment method by its id or the merchant's title: orders store the title in the customer's language. */
function methodNamed(settings: CommandContext['settings'], text: string | undefined): string | undefined {
  const ids: readonly string[] = [...providerMethods, ...offlineMethods]
  const named = ids.find((id) => methodTitle(settings, id)?.toLowerCase() === text?.trim().toLowerCase())
  return named ?? (text || undefined)
}
