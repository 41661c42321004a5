import { urls } from '#contract/shared/urls.ts'
import { findShownOrder } from '#database/orders/orders.ts'
import { needsPayment, orderStatuses } from '#domain/orders/order-status.ts'
import { addOrderNote } from '#shop/orders/add-order-note.ts'
import { requestInvoice } from '#shop/orders/request-invoice.ts'
import {
  type MerchantTransition,
  type MerchantTransitionResult,
  transitionOrder,
} from '#shop/orders/transition-by-merchant.ts'
import {
  type CaptureRefusal,
  type CaptureResult,
  captureAuthorizedPayment,
} from '#shop/payments/operation/capture-authorization.ts'
import { voidAuthorizedPayment } from '#shop/payments/operation/void-authorization.ts'
import { moneyText } from '../payments/payment-text.ts'
import type { CommandContext } from '../shared/command.ts'
import {
  type Given,
  isConfirmed,
  jsonOption,
  listGiven,
  type SubCommand,
  textGiven,
  yesOption,
} from '../shared/command-group.ts'
import { wordOf } from '../shared/listing.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { fail, rejectUsage, unknownChoice } from '../shared/messages.ts'
import { orderIdOf, unknownOrder } from './order-id.ts'

export const noteCommand: SubCommand = {
  usage: '<number> <text>',
  summary: 'Adds a private note, or one that is emailed to the customer.',
  example: '1001 "It leaves tomorrow." --to-customer',
  options: {
    'to-customer': { type: 'boolean', what: 'emails the note and shows it with the order' },
    ...jsonOption,
  },
  words: [2, 2],
  completes: ['order', []],
  async run([word = '', text = ''], given, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const forCustomer = given['to-customer'] === true
    const added = await addOrderNote(context, id, { text, forCustomer })
    if (!added.ok) {
      if (added.reason === 'not-found') return unknownOrder(id, context)
      if (added.reason === 'imported')
        return fail(
          context,
          `order ${id} was imported from another shop, and no emails are sent about it. Leave out --to-customer.`,
        )
      const problem = added.reason === 'empty' ? 'is empty' : `has ${text.length} characters, of at most 5000`
      return fail(context, `the note ${problem}. Example: orders note ${id} "It leaves tomorrow."`)
    }
    if (given.json) context.print(JSON.stringify({ order: id, note: added.noteId, toCustomer: forCustomer }))
    context.say(`Added a note to order ${id}.${forCustomer ? ' The running shop emails it to the customer.' : ''}`)
    return 0
  },
}

const restockOption = {
  'no-restock': { type: 'boolean', what: 'does not add the pieces to the stock' },
} as const

export const transitionCommand: SubCommand = {
  usage: '<number>… <status>',
  summary: 'Changes the status of orders, with all effects on stock, coupons, downloads and emails.',
  example: '1001 1002 completed',
  options: {
    note: { type: 'string', value: '<text>', what: 'the reason, as a note of the order' },
    ...restockOption,
    ...jsonOption,
  },
  words: [2, 1000],
  completes: ['order', ['pending', 'on-hold', 'processing', 'completed', 'cancelled', 'failed']],
  async run(words, given, context) {
    const status = words.at(-1) ?? ''
    const to = wordOf(status, orderStatuses)
    if (!to) return rejectUsage(context, unknownChoice('status', status, orderStatuses))
    const ids = orderIdsOf(words.slice(0, -1), context)
    return ids ? transitionAll(ids, transitionGiven(to, given), given, context) : 2
  },
}

export const cancelCommand: SubCommand = {
  usage: '<number>…',
  summary: 'Cancels orders. Payments are not refunded: use "orders refund" for that.',
  example: '1003 --note "Ordered twice by mistake."',
  options: {
    note: { type: 'string', value: '<text>', what: 'the reason, as a note of the order' },
    ...restockOption,
    ...yesOption,
    ...jsonOption,
  },
  words: [1, 1000],
  completes: ['order'],
  async run(words, given, context) {
    const ids = orderIdsOf(words, context)
    if (!ids) return 2
    const action = `Cancel ${ids.length === 1 ? 'order' : `${ids.length} orders:`} ${ids.join(', ')}`
    if (!(await isConfirmed(given, context, action))) return 1
    return transitionAll(ids, transitionGiven('cancelled', given), given, context)
  },
}

function transitionGiven(to: MerchantTransition['to'], given: Given): MerchantTransition {
  const note = textGiven(given.note)?.trim()
  return { to, ...(note ? { note } : {}), restock: given['no-restock'] !== true }
}

/** The numbers of orders, or null where a word is none. */
function orderIdsOf(words: readonly string[], context: CommandContext): number[] | null {
  const ids = (listGiven(words) ?? []).map((word) => orderIdOf(word, context))
  return ids.includes(null) ? null : ids.filter((id) => id !== null)
}

async function transitionAll(
  ids: readonly number[],
  transition: MerchantTransition,
  given: Given,
  context: CommandContext,
): Promise<number> {
  let code = 0
  for (const id of ids) {
    const moved = await transitionOrder(context, id, transition)
    if (!moved.ok) {
      const from = (await findShownOrder(context.db.kysely, id))?.status ?? ''
      code = fail(context, `order ${id}: ${transitionProblem(moved.reason, id, from, transition.to)}`)
    } else if (given.json) {
      const { status, payment_state: payment } = moved.order
      context.print(JSON.stringify({ order: id, status, payment }))
    } else context.print(`Order ${id} is now ${moved.order.status}, ${moneyText(moved.order)}.`)
  }
  return code
}

function transitionProblem(
  reason: Extract<MerchantTransitionResult, { ok: false }>['reason'],
  id: number,
  from: string,
  to: MerchantTransition['to'],
): string {
  switch (reason) {
    case 'not-found':
      return 'it does not exist. List orders: orders list'
    case 'not-allowed':
      return `its status ${from} cannot change to ${to}. See: orders show ${id}`
    case 'sold-out':
      return 'its products are out of stock. Add stock with: products stock <SKU> --by <pieces>'
    case 'imported':
      return 'it was imported from another shop, and imported orders do not change. Import a newer file: import orders <file> --update'
    case 'coupon-used-up':
      return 'its coupon has reached its limit. Raise it with: coupons edit <code> --limit <number>'
    case 'money-under-way':
      return 'its payment is in progress: PayPal has not reported the result yet. Run the command again in a minute.'
    case 'held-money-stays':
      return `PayPal refused to capture or void its authorization, and the status stays ${from}. See its notes: orders show ${id}`
    case 'refund-instead':
      return `a refund changes this status. Run: orders refund ${id}`
  }
}

const captureRefusals: Readonly<Record<CaptureRefusal, string>> = {
  'not-found': 'it does not exist. List orders: orders list',
  'nothing-held': 'it has no authorized payment at PayPal. See: orders show',
  unreachable: 'PayPal could not be reached, and the authorization is unchanged. Run the command again.',
  refused: 'PayPal refused it. See its notes: orders show',
  gone: 'its authorization has expired or was voided at PayPal. See: orders show',
  checking: 'the result is not known yet. Run the same command again to learn it.',
  attention: 'the captured amount differs from the order, which needs manual review. See: orders show',
}

/** Captures or voids the authorized payments of orders. */
async function settleAuthorizations(
  words: readonly string[],
  settle: (tools: CommandContext, id: number) => Promise<CaptureResult>,
  given: Given,
  context: CommandContext,
): Promise<number> {
  const ids = orderIdsOf(words, context)
  if (!ids) return 2
  let code = 0
  for (const id of ids) {
    const result = await settle(context, id)
    if (!result.ok) {
      const why = result.issue ? ` (${result.issue})` : ''
      code = fail(context, `order ${id}: ${captureRefusals[result.reason].replace(/orders show$/, `$& ${id}`)}${why}`)
    } else if (given.json) {
      const { status, payment_state: payment } = result.order
      context.print(JSON.stringify({ order: id, status, payment }))
    } else context.print(`Order ${id} is now ${result.order.status}, ${moneyText(result.order)}.`)
  }
  return code
}

export const captureCommand: SubCommand = {
  usage: '<number>…',
  summary: 'Captures the authorized payments of orders, as "orders move" to processing or completed does.',
  example: '1001',
  options: jsonOption,
  words: [1, 1000],
  completes: ['order'],
  run: (words, given, context) => settleAuthorizations(words, captureAuthorizedPayment, given, context),
}

export const releaseCommand: SubCommand = {
  usage: '<number>…',
  summary: 'Voids the authorized payments of orders, and cancels the orders.',
  example: '1001',
  options: jsonOption,
  words: [1, 1000],
  completes: ['order'],
  run: (words, given, context) => settleAuthorizations(words, voidAuthorizedPayment, given, context),
}

export const payLinkCommand: SubCommand = {
  usage: '<number> [--send]',
  summary: 'Prints the link where the customer can pay an unpaid order.',
  example: '1003 --send',
  options: {
    send: { type: 'boolean', what: 'emails the order and the link to the customer' },
    ...jsonOption,
  },
  words: [1, 1],
  completes: ['order'],
  async run([word = ''], given, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const order = await findShownOrder(context.db.kysely, id)
    if (!order) return unknownOrder(id, context)
    if (!needsPayment({ status: order.status, totalMinor: order.total })) {
      return fail(context, `order ${id} is ${order.status} and needs no payment. See: orders show ${id}`)
    }
    await recordStaffAccess(context, 'orders pay-link', `order:${id}`)
    const url = context.publicUrl + urls.orderPay(id, order.key)
    context.print(given.json ? JSON.stringify({ order: id, url }) : url)
    if (given.send) {
      await requestInvoice(context, id)
      context.say(`The running shop emails the payment link of order ${id} to the customer.`)
    }
    return 0
  },
}
