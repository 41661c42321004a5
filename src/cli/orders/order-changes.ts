import { amountProblem } from '#contract/shared/merchant-rules.ts'
import { hint } from '#contract/shared/suggest-word.ts'
import { urls } from '#contract/shared/urls.ts'
import { transaction } from '#database/engine/connect.ts'
import { findOrder, findOrderItems, lockOrder, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import { findCaptures } from '#database/payments/payments.ts'
import { findRefundItems, findRefunds } from '#database/payments/refunds.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import { needsPayment, orderStatuses } from '#domain/orders/order-status.ts'
import type { RefundPlanInput } from '#domain/orders/plan-refund.ts'
import { isHere } from '#domain/payments/money-status.ts'
import { announceInvoice } from '#shop/mail/mail-events.ts'
import { addOrderNote } from '#shop/orders/add-order-note.ts'
import { inMerchantLanguage, itemName } from '#shop/orders/order-lines.ts'
import {
  type MerchantTransition,
  type MerchantTransitionResult,
  transitionOrder,
} from '#shop/orders/transition-by-merchant.ts'
import {
  type CaptureRefusal,
  type CaptureResult,
  captureAuthorizedPayment,
  voidAuthorizedPayment,
} from '#shop/payments/operation/capture-authorization.ts'
import { type RefundRefusal, type RefundRequest, refundOrder } from '#shop/payments/refund/refund-order.ts'
import { canonicalJson, sha256 } from '#shop/shared/digest.ts'
import { moneyText } from '../payments/payment-text.ts'
import type { CommandContext } from '../shared/command.ts'
import {
  type Given,
  isMeant,
  jsonOption,
  listGiven,
  type SubCommand,
  textGiven,
  yesOption,
} from '../shared/command-group.ts'
import { wordOf } from '../shared/listing.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { orderIdOf, unknownOrder } from './order-id.ts'

const amountText = (minor: number, currency: string) => `${decimalString(money(minor, currency))} ${currency}`

export const noteCommand: SubCommand = {
  usage: '<number> <text>',
  summary: 'Adds a note for yourself, or one that is mailed to the customer.',
  options: {
    'to-customer': { type: 'boolean', what: 'mails it, and shows it with the order' },
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
      context.say(added.reason === 'empty' ? 'The note is empty.' : 'A note has at most 5000 characters.')
      return 1
    }
    if (given.json) context.print(JSON.stringify({ order: id, note: added.noteId, toCustomer: forCustomer }))
    context.say(forCustomer ? `Order ${id}: the running shop mails it to the customer.` : `Order ${id}: noted.`)
    return 0
  },
}

const restockOption = {
  'no-restock': { type: 'boolean', what: 'the pieces do not go back on the shelf' },
} as const

export const transitionCommand: SubCommand = {
  usage: '<number>… <status>',
  summary: 'Moves orders to a status, with all that follows: stock, coupons, downloads, messages.',
  options: {
    note: { type: 'string', value: '<text>', what: 'why, to be read among the notes of the order' },
    ...restockOption,
    ...jsonOption,
  },
  words: [2, 1000],
  completes: ['order', ['pending', 'on-hold', 'processing', 'completed', 'cancelled', 'failed']],
  async run(words, given, context) {
    const status = words.at(-1) ?? ''
    const to = wordOf(status, orderStatuses)
    if (!to) {
      context.say(
        `There is no status "${status}".${hint(status, orderStatuses)} An order is ${orderStatuses.join(', ')}.`,
      )
      return 2
    }
    return moveAll(words.slice(0, -1), moveGiven(to, given), given, context)
  },
}

export const cancelCommand: SubCommand = {
  usage: '<number>…',
  summary: 'Cancels orders. Money that was paid stays with you until "orders refund" gives it back.',
  options: {
    note: { type: 'string', value: '<text>', what: 'why, to be read among the notes of the order' },
    ...restockOption,
    ...jsonOption,
  },
  words: [1, 1000],
  completes: ['order'],
  run: (words, given, context) => moveAll(words, moveGiven('cancelled', given), given, context),
}

function moveGiven(to: MerchantTransition['to'], given: Given): MerchantTransition {
  const note = textGiven(given.note)?.trim()
  return { to, ...(note ? { note } : {}), restock: given['no-restock'] !== true }
}

async function moveAll(
  words: readonly string[],
  move: MerchantTransition,
  given: Given,
  context: CommandContext,
): Promise<number> {
  const ids = (listGiven(words) ?? []).map((word) => orderIdOf(word, context))
  if (ids.includes(null)) return 2
  let code = 0
  for (const id of ids.filter((number) => number !== null)) {
    const moved = await transitionOrder(context, id, move)
    if (!moved.ok) {
      const from = (await findOrder(context.db.kysely, id))?.status ?? ''
      context.say(`Order ${id}: ${moveProblem(moved.reason, from, move.to)}`)
      code = 1
    } else if (given.json) {
      const { status, payment_state: payment } = moved.order
      context.print(JSON.stringify({ order: id, status, payment }))
    } else context.print(`Order ${id} is ${moved.order.status}, ${moneyText(moved.order)}.`)
  }
  return code
}

function moveProblem(
  reason: Extract<MerchantTransitionResult, { ok: false }>['reason'],
  from: string,
  to: MerchantTransition['to'],
): string {
  switch (reason) {
    case 'not-found':
      return 'there is none.'
    case 'not-allowed':
      return `it is ${from}, and an order does not go from there to ${to}.`
    case 'sold-out':
      return 'its pieces are not there any more.'
    case 'coupon-used-up':
      return 'its coupon was used up by others meanwhile.'
    case 'money-under-way':
      return 'its payment is under way: the provider has not said yet whether it took the money.'
    case 'held-money-stays':
      return 'the provider holds its money and did not let it be moved. The order stays as it is; its notes say more.'
    case 'refund-instead':
      return 'a refund does that, and says how the money goes back: orders refund.'
  }
}

const takeRefusals: Readonly<Record<CaptureRefusal, string>> = {
  'not-found': 'there is none.',
  'nothing-held': 'the provider holds no money for it.',
  unreachable: 'the provider could not be reached. The money is held as before; give the command again.',
  refused: 'the provider refuses it.',
  gone: 'the money is not held any more: its time was over, or it was let go at the provider.',
  checking: 'whether the money was moved is being found out. The same command given again tells.',
  attention: 'what came does not fit the order: look at it.',
}

/** Takes or lets go what the provider holds for orders. */
async function moveHeld(
  words: readonly string[],
  move: (tools: CommandContext, id: number) => Promise<CaptureResult>,
  given: Given,
  context: CommandContext,
): Promise<number> {
  const ids = (listGiven(words) ?? []).map((word) => orderIdOf(word, context))
  if (ids.includes(null)) return 2
  let code = 0
  for (const id of ids.filter((number) => number !== null)) {
    const result = await move(context, id)
    if (!result.ok) {
      const why = result.issue ? ` (${result.issue})` : ''
      context.say(`Order ${id}: ${takeRefusals[result.reason]}${why}`)
      code = 1
    } else if (given.json) {
      const { status, payment_state: payment } = result.order
      context.print(JSON.stringify({ order: id, status, payment }))
    } else context.print(`Order ${id} is ${result.order.status}, ${moneyText(result.order)}.`)
  }
  return code
}

export const captureCommand: SubCommand = {
  usage: '<number>…',
  summary: 'Takes the money that the provider holds for orders. Moving them to processing or completed does it too.',
  options: jsonOption,
  words: [1, 1000],
  completes: ['order'],
  run: (words, given, context) => moveHeld(words, captureAuthorizedPayment, given, context),
}

export const releaseCommand: SubCommand = {
  usage: '<number>…',
  summary: 'Lets the money go that the provider holds for orders, and cancels them.',
  options: jsonOption,
  words: [1, 1000],
  completes: ['order'],
  run: (words, given, context) => moveHeld(words, voidAuthorizedPayment, given, context),
}

export const refundCommand: SubCommand = {
  usage: '<number> [options]',
  summary: 'Gives money back by the way it came: all that is left, an amount, or lines with their tax.',
  options: {
    amount: { type: 'string', value: '<amount>', what: 'so much, for no line in particular' },
    lines: {
      type: 'string',
      multiple: true,
      value: '<SKU>:<pieces>',
      completes: 'product',
      what: 'MUG:1, or MUG for all that is left of the line; shipping for the parcel',
    },
    restock: { type: 'boolean', what: 'the pieces go back on the shelf' },
    reason: { type: 'string', value: '<text>', what: 'why; the customer reads it' },
    'by-hand': { type: 'boolean', what: 'you have paid it back yourself: the provider is not asked' },
    ...yesOption,
    ...jsonOption,
  },
  words: [1, 1],
  completes: ['order'],
  async run([word = ''], given, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const order = await findOrder(context.db.kysely, id)
    if (!order) return unknownOrder(id, context)
    const ask = await askGiven(order, given, context)
    if (typeof ask === 'string') {
      context.say(ask)
      return 2
    }
    const wish = await theWish(order, ask, given, context)
    const second = (await findCaptures(context.db.kysely, id)).find((row) => row.stray && isHere(row))
    const what = `${askText(ask, given, second ? { ...second, total: second.amount } : order)}${second ? ', which was paid a second time' : ''}`
    const way = given['by-hand'] ? 'write down that you have given back' : 'give back'
    if (!(await isMeant(given, context, `Order ${id}: ${way} ${what}?`))) return 1
    return refund(order, wish, given, context)
  },
}

/** Named by what had been given back when the question was put: two who answer it together mean one refund. */
async function theWish(
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
  return { ...wish, key: await wishKey(order, wish, context) }
}

async function refund({ id }: OrderRow, wish: RefundRequest, given: Given, context: CommandContext): Promise<number> {
  const result = await refundOrder(context, id, wish)
  if (!result.ok) {
    const why = result.issue ? ` (${result.issue})` : ''
    context.say(`Order ${id}: ${refusals[result.reason]}${why}`)
    return 1
  }
  const { refund: made, state, order: after } = result
  const { amount, currency } = made
  if (given.json) {
    const facts = { order: id, refund: made.id, state, amount: decimalString(money(amount, currency)), currency }
    context.print(JSON.stringify({ ...facts, status: after.status, payment: after.payment_state }))
  } else {
    const what = amount === 0 ? 'pieces came back, no money' : `${amountText(amount, currency)} given back`
    const later = state === 'pending' ? ' The provider has agreed and pays it out later.' : ''
    context.print(`Order ${id}: ${what}, now ${after.payment_state}.${later}`)
  }
  return 0
}

/**
 * The same command given again while its end is not known, or the provider was out of reach, is the same wish; once it has
 * ended, it is a new one.
 */
async function wishKey({ id }: OrderRow, wish: object, { db }: CommandContext): Promise<string> {
  const refunds = await findRefunds(db.kysely, id)
  const over = refunds.filter(({ state, issue }) => state !== 'open' && issue !== 'UNREACHABLE')
  return `desk-${over.length + 1}-${sha256(canonicalJson(wish)).slice(0, 16)}`
}

async function askGiven(order: OrderRow, given: Given, { db }: CommandContext): Promise<RefundPlanInput | string> {
  const amount = textGiven(given.amount)
  const named = listGiven(given.lines)
  if (amount !== undefined && named !== undefined) return '--amount and --lines exclude each other.'
  if (amount !== undefined) {
    const decimals = currencyExponent(order.currency)
    const parsed = parseAmount(amount, decimals)
    if (!parsed.ok) return `--amount: ${amountProblem(parsed.reason, decimals)}`
    return parsed.minor > 0 ? { kind: 'amount', minor: parsed.minor } : '--amount: must be more than nothing'
  }
  if (named === undefined) return { kind: 'full' }
  const items = await findOrderItems(db.kysely, order.id)
  const before = await findRefundItems(db.kysely, order.id)
  const lines: { itemId: number; quantity: number }[] = []
  for (const text of named) {
    const [, name = text, pieces] = /^(.*?)(?::(\d{1,6}))?$/.exec(text) ?? []
    const [item, more] = itemsNamed(items, name)
    if (!item) return `--lines: order ${order.id} has no line "${name}". It has ${namesOf(items).join(', ')}.`
    if (more) return `--lines: "${name}" is more than one line; name it by its number, #${item.id}`
    const given = before.filter(({ item_id }) => item_id === item.id).reduce((sum, { quantity }) => sum + quantity, 0)
    const all = item.type === 'line_item' ? item.quantity : 1
    const quantity = pieces === undefined ? all - given : Number(pieces)
    if (lines.some(({ itemId }) => itemId === item.id)) return `--lines: "${name}" stands there twice.`
    lines.push({ itemId: item.id, quantity })
  }
  return { kind: 'lines', lines }
}

/** Lines of an order by SKU, name or `#` and number; the parcel as `shipping`. */
function itemsNamed(items: readonly OrderItemRow[], name: string): OrderItemRow[] {
  const charged = items.filter(({ type }) => type === 'line_item' || type === 'shipping' || type === 'fee')
  const number = /^#(\d{1,15})$/.exec(name)?.[1]
  if (number !== undefined) return charged.filter(({ id }) => id === Number(number))
  if (name === 'shipping') return charged.filter(({ type }) => type === 'shipping')
  const bySku = charged.filter(({ sku }) => sku !== '' && sku === name)
  if (bySku.length > 0) return bySku
  // As `orders show` names it, or by the product alone; what that leaves open the caller asks for.
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

function askText(ask: RefundPlanInput, given: Given, order: Pick<OrderRow, 'total' | 'currency'>): string {
  if (ask.kind === 'amount') return amountText(ask.minor, order.currency)
  if (ask.kind === 'full') return `all that is left of ${amountText(order.total, order.currency)}`
  return `${(listGiven(given.lines) ?? []).join(', ')} with tax`
}

const refusals: Readonly<Record<RefundRefusal, string>> = {
  'not-found': 'there is none.',
  'not-paid': 'no money has come for it, or it is not settled yet.',
  disputed: 'its money is disputed: the provider decides until that is over.',
  'second-payment': 'it was paid twice: give back the second payment first, whole or by --amount.',
  'under-way': 'another refund of it has not ended yet.',
  'key-conflict': 'the same refund was asked for otherwise at this moment. Nothing was done.',
  'no-provider':
    'the provider that took its money is not connected: set PAYPAL_CLIENT_ID and the others for this command, or say --by-hand.',
  'not-payable': 'the provider cannot pay back so much of this currency exactly.',
  unreachable: 'the provider could not be reached. Nothing went back; give the command again.',
  refused: 'the provider refuses it.',
  checking: 'whether money went back is being found out. The same command given again tells.',
  'nothing-left': 'nothing of it is left to give back.',
  'nothing-asked': 'that comes to nothing; with --restock, pieces that were free go back on the shelf.',
  'above-rest': 'that is more than is left to give back.',
  'unknown-line': 'it has no such line.',
  'more-pieces-than-left': 'so many pieces are not left of a line.',
}

export const payLinkCommand: SubCommand = {
  usage: '<number> [--send]',
  summary: 'The address where an order that is still to be paid can be paid.',
  options: {
    send: { type: 'boolean', what: 'mails the order and the link to the customer' },
    ...jsonOption,
  },
  words: [1, 1],
  completes: ['order'],
  async run([word = ''], given, context) {
    const id = orderIdOf(word, context)
    if (id === null) return 2
    const order = await findOrder(context.db.kysely, id)
    if (!order) return unknownOrder(id, context)
    if (!needsPayment({ status: order.status, totalMinor: order.total })) {
      context.say(`Order ${id} is ${order.status}: there is nothing to pay.`)
      return 1
    }
    await recordStaffAccess(context, 'orders pay-link', `order:${id}`)
    const url = context.publicUrl + urls.orderPay(id, order.key)
    context.print(given.json ? JSON.stringify({ order: id, url }) : url)
    if (given.send) {
      await transaction(context, async (tx) => {
        await lockOrder(tx, id)
        await announceInvoice(tx, id)
      })
      context.say('The running shop mails it to the customer.')
    }
    return 0
  },
}
