import { amountProblem } from '#contract/shared/merchant-rules.ts'
import { findOrderItems, findShownOrder, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import { findCaptures } from '#database/payments/payments.ts'
import { findRefundItems } from '#database/payments/refunds.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import { isHere } from '#domain/payments/money-status.ts'
import type { RefundPlanInput } from '#domain/payments/plan-refund.ts'
import { inMerchantLanguage, itemName } from '#shop/orders/order-lines.ts'
import { refundKey } from '#shop/payments/refund/refund-key.ts'
import { type RefundRefusal, type RefundRequest, refundOrder } from '#shop/payments/refund/refund-order.ts'
import { orderIdOf, unknownOrder } from '../orders/order-id.ts'
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
import { fail, rejectUsage } from '../shared/messages.ts'

const amountText = (minor: number, currency: string) => `${decimalString(money(minor, currency))} ${currency}`

export const refundCommand: SubCommand = {
  usage: '<number> [options]',
  summary: 'Refunds an order to its payment method: the rest, an amount, or lines with their tax.',
  example: '1002 --lines BOWL:1 --restock --reason "A crack in the glaze"',
  options: {
    amount: { type: 'string', value: '<amount>', what: 'an amount that belongs to no line' },
    lines: {
      type: 'string',
      multiple: true,
      value: '<SKU>:<pieces>',
      completes: 'product',
      what: 'MUG:1, or MUG for the rest of the line; shipping for the shipping costs',
    },
    restock: { type: 'boolean', what: 'adds the pieces to the stock' },
    reason: { type: 'string', value: '<text>', what: 'the reason, which the customer reads' },
    'by-hand': { type: 'boolean', what: 'records a refund that you have paid yourself, without PayPal' },
    ...yesOption,
    ...jsonOption,
  },
  words: [1, 1],
  completes: ['order'],
  async run([word = ''], given, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const order = await findShownOrder(context.db.kysely, id)
    if (!order) return unknownOrder(id, context)
    const ask = await planGiven(order, given, context)
    if (typeof ask === 'string') return rejectUsage(context, ask)
    const wish = await refundRequest(order, ask, given, context)
    const second = (await findCaptures(context.db.kysely, id)).find((row) => row.stray && isHere(row))
    const what = `${planText(ask, given, second ? { ...second, total: second.amount } : order)}${second ? ', which was paid a second time' : ''}`
    const action = given['by-hand'] ? `Record a refund by hand of ${what}` : `Refund ${what}`
    if (!(await isConfirmed(given, context, `${action} for order ${id}`))) return 1
    return refund(order, wish, given, context)
  },
}

/** Keyed by the refunds before the confirmation: two callers who confirm at the same time make one refund. */
async function refundRequest(
  order: OrderRow,
  ask: RefundPlanInput,
  given: Given,
  context: CommandContext,
): Promise<RefundRequest> {
  const wish = {
    ask,
    reason: textGiven(given.reason)?.trim() ?? '',
    restock: given.restock === true,
    byHand: given['by-hand'] === true,
  }
  return { ...wish, key: await refundKey(context, order.id, wish) }
}

async function refund({ id }: OrderRow, wish: RefundRequest, given: Given, context: CommandContext): Promise<number> {
  const result = await refundOrder(context, id, wish)
  if (!result.ok) {
    const why = result.issue ? ` (${result.issue})` : ''
    return fail(context, `order ${id}: ${refusals[result.reason].replace(/orders show$/, `$& ${id}`)}${why}`)
  }
  const { refund: made, state, order: after } = result
  const { amount, currency } = made
  if (given.json) {
    const facts = { order: id, refund: made.id, state, amount: decimalString(money(amount, currency)), currency }
    context.print(JSON.stringify({ ...facts, status: after.status, payment: after.payment_state }))
  } else {
    const what = amount === 0 ? 'Restocked pieces of' : `Refunded ${amountText(amount, currency)} of`
    const later = state === 'pending' ? ' PayPal has accepted the refund and pays it out later.' : ''
    context.print(`${what} order ${id}, which is now ${after.payment_state}.${later}`)
  }
  return 0
}

async function planGiven(order: OrderRow, given: Given, { db }: CommandContext): Promise<RefundPlanInput | string> {
  const amount = textGiven(given.amount)
  const named = listGiven(given.lines)
  if (amount !== undefined && named !== undefined) return '--amount and --lines cannot be combined. Use one of them.'
  if (amount !== undefined) {
    const decimals = currencyExponent(order.currency)
    const parsed = parseAmount(amount, decimals)
    if (!parsed.ok) return `--amount "${amount}" ${amountProblem(parsed.reason, decimals)}. Example: --amount 12.50`
    return parsed.minor > 0
      ? { kind: 'amount', minor: parsed.minor }
      : `--amount "${amount}" must be more than 0. Example: --amount 12.50`
  }
  if (named === undefined) return { kind: 'full' }
  const items = await findOrderItems(db.kysely, order.id)
  const before = await findRefundItems(db.kysely, order.id)
  const lines: { itemId: number; quantity: number }[] = []
  for (const text of named) {
    const [, name = text, pieces] = /^(.*?)(?::(\d{1,6}))?$/.exec(text) ?? []
    const [item, more] = itemsNamed(items, name)
    if (!item) return `--lines: order ${order.id} has no line "${name}". Choose from: ${namesOf(items).join(', ')}.`
    if (more) return `--lines: "${name}" matches several lines. Name one by its number: --lines "#${item.id}"`
    const given = before.filter(({ item_id }) => item_id === item.id).reduce((sum, { quantity }) => sum + quantity, 0)
    const all = item.type === 'line_item' ? item.quantity : 1
    const quantity = pieces === undefined ? all - given : Number(pieces)
    if (lines.some(({ itemId }) => itemId === item.id)) return `--lines: "${name}" is given twice. Name each line once.`
    lines.push({ itemId: item.id, quantity })
  }
  return { kind: 'lines', lines }
}

/** Lines of an order by SKU, name or `#` and number; the shipping costs as `shipping`. */
function itemsNamed(items: readonly OrderItemRow[], name: string): OrderItemRow[] {
  const charged = items.filter(({ type }) => type === 'line_item' || type === 'shipping' || type === 'fee')
  const number = /^#(\d{1,15})$/.exec(name)?.[1]
  if (number !== undefined) return charged.filter(({ id }) => id === Number(number))
  if (name === 'shipping') return charged.filter(({ type }) => type === 'shipping')
  const bySku = charged.filter(({ sku }) => sku !== '' && sku === name)
  if (bySku.length > 0) return bySku
  // By the name in `orders show`, or of the product alone. The caller reports several matches.
  const named = (nameOf: (item: OrderItemRow) => string) =>
    charged.filter((item) => nameOf(item).toLowerCase() === name.toLowerCase())
  const whole = named((item) => itemName(inMerchantLanguage(item)))
  return whole.length > 0 ? whole : named((item) => item.name)
}

const namesOf = (items: readonly OrderItemRow[]) =>
  items.flatMap((item) => {
    if (item.type === 'shipping') return 'shipping'
    return item.type === 'line_item' || item.type === 'fee' ? item.sku || `"${itemName(inMerchantLanguage(item))}"` : []
  })

function planText(ask: RefundPlanInput, given: Given, order: Pick<OrderRow, 'total' | 'currency'>): string {
  if (ask.kind === 'amount') return amountText(ask.minor, order.currency)
  if (ask.kind === 'full') return `the rest of ${amountText(order.total, order.currency)}`
  return `${(listGiven(given.lines) ?? []).join(', ')} with tax`
}

const refusals: Readonly<Record<RefundRefusal, string>> = {
  'not-found': 'it does not exist. List orders: orders list',
  imported: 'it was imported from another shop, which received its money. Refund it there.',
  'not-paid': 'it is not paid, or the payment is pending. See: orders show',
  disputed: 'its payment is disputed. PayPal decides about the money until the dispute is closed.',
  'second-payment': 'it was paid twice. Refund the second payment first, whole or by --amount.',
  'under-way': 'another refund of it is in progress. Run the command again in a minute.',
  'key-conflict': 'a different refund was requested at the same time, and nothing was done. Run the command again.',
  'no-provider':
    'PayPal is not connected. Set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET for this command, or add --by-hand.',
  'not-payable': 'PayPal cannot refund this amount exactly in this currency. Choose another --amount.',
  unreachable: 'PayPal could not be reached, and nothing was refunded. Run the command again.',
  refused: 'PayPal refused it. See its notes: orders show',
  checking: 'the result is not known yet. Run the same command again to learn it.',
  'nothing-left': 'it is refunded in full already. See: orders show',
  'nothing-asked': 'the refund comes to 0. Add --restock to restock free pieces without money.',
  'above-rest': 'the amount is more than the rest. See: orders show',
  'unknown-line': 'it has no such line. See: orders show',
  'amount-differs': 'its lines do not sum to the amount.',
  'more-pieces-than-left': 'a line has fewer pieces left. See: orders show',
}
