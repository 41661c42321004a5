import type { Amount } from '../orders/amounts.ts'
import { amountFault, amountOf, hundredths } from '../orders/amounts.ts'
import { approveOrder } from '../orders/approve-order.ts'
import { voidAuthorization } from '../orders/authorization-life.ts'
import { authorizeOrder, captureOrder, settleCapture } from '../orders/complete-order.ts'
import { confirmOrder } from '../orders/confirm-source.ts'
import {
  DISPUTE_OUTCOMES,
  DISPUTE_REASONS,
  OPEN_DISPUTE_STATES,
  openDispute,
  resolveDispute,
  updateDispute,
} from '../orders/disputes.ts'
import type { Address, Order } from '../orders/order.ts'
import { requestShopUpdate } from '../orders/shipping-callback.ts'
import { collect, giveBack, settleRefund } from '../rest/payments.ts'
import { type CardRequest, readCard } from '../vault/cards.ts'
import { finishAuthentication } from '../vault/finish-authentication.ts'
import {
  approveAgreementToken,
  approveSetupToken,
  confirmSetupToken,
  deleteToken,
  mintSingleUseToken,
} from '../vault/vault.ts'
import { type Buyer, findBuyer } from '../wallet/buyers.ts'
import type { World } from '../world/world.ts'
import { ControlError, found, isOn, oneOf, whole } from './control-error.ts'

export type Body = Record<string, unknown>
/** Registers `POST /__emulator<path>`; `id` is the path's. */
export type Post = (path: string, run: (body: Body, id: string) => object | Promise<object>) => void

/** What buyers, banks and the merchant do at the provider, without a browser. */
export function servePayments(post: Post, world: World): void {
  serveOrders(post, world)
  serveMoney(post, world)
  serveKept(post, world)
  serveDisputes(post, world)
}

function serveOrders(post: Post, world: World): void {
  const order = (id: string) => found(world.orders, id, 'order')
  const latest = (fits: (order: Order) => boolean) => {
    const last = [...world.orders.values()].findLast(fits)
    if (!last) throw new ControlError(409, 'there is no such order yet')
    return last
  }

  post('/orders/:id/approve', async ({ buyer: email, address, option, funding }, id) => {
    const buyer = wantedBuyer(email)
    if (buyer.approvalMs > 0) await world.sleep(buyer.approvalMs)
    const approval = approveOrder(world, id, buyer, {
      addressId: text(address),
      shippingOptionId: text(option),
      ...(funding === 'venmo' || funding === 'paypal' ? { funding } : {}),
    })
    if (!approval.ok) throw new ControlError(approval.reason === 'unknown' ? 404 : 409, approval.reason)
    return { id: approval.order.id, status: approval.order.status, payer_id: buyer.payerId }
  })
  // What the script's card fields do.
  post('/orders/:id/card', (body, id) => {
    const { verification, ...card } = body
    const method = verification === undefined ? {} : { verification: { method: verification } }
    // Card and wish have the shape of `payment_source.card`; a card that is none is refused there.
    const source = { ...cardOf(card), attributes: method } as CardRequest
    confirmOrder(world, order(id), { payment_source: { card: source } })
    return { id, status: order(id).status }
  })
  post('/orders/:id/shipping', async (body, id) => {
    const delayMs = whole(body.delay_ms, 'delay_ms', 0, 0, 60_000)
    const asked = id === 'latest' ? latest(({ experience }) => experience.callback !== undefined) : order(id)
    const override = text(body.order_id_override)
    const optionId = text(body.option)
    const address = isAddress(body.address) ? body.address : isAddress(body) ? DEFAULT_PLACE : undefined
    const ask = async () => {
      await world.sleep(delayMs)
      return requestShopUpdate(world, asked, {
        ...(address ? { address } : {}),
        ...(optionId === undefined ? {} : { optionId }),
        ...(override === undefined ? {} : { orderIdOverride: override }),
      })
    }
    if (isOn(body.background ?? false)) {
      void ask()
      return { asked: asked.id }
    }
    return { ...(await ask()), amount: asked.units[0]?.amount }
  })
  // Another wallet order for the same shop order, paid: as if the shopper had used a second tab.
  post('/orders/:id/second', ({ buyer: email, invoice_id }, id) => {
    const first = id === 'latest' ? latest(({ status }) => status === 'COMPLETED') : order(id)
    const second = anotherOrder(world, first, wantedBuyer(email), text(invoice_id))
    return { id: second.id, captures: second.captureIds, authorizations: second.authorizationIds }
  })
  post('/authentication/:id', ({ end }, id) => {
    const result = finishAuthentication(
      world,
      id,
      oneOf(['succeeded', 'failed', 'by itself'], end ?? 'by itself', 'end'),
    )
    if (!result) throw new ControlError(409, 'nothing waits for a bank there')
    return result
  })
}

function anotherOrder(world: World, first: Order, buyer: Buyer, invoiceId: string | undefined): Order {
  const id = world.ids.resource()
  const nowMs = world.clock.now().getTime()
  const second: Order = {
    ...structuredClone(first),
    id,
    status: 'CREATED',
    // An invoice id pays once: the second attempt of a shop carries another.
    units: first.units.map((unit) => ({
      ...structuredClone(unit),
      invoice_id: invoiceId ?? `${unit.invoice_id ?? id}-2`,
    })),
    captureIds: [],
    trackers: [],
    authorizationIds: [],
    createdMs: nowMs,
    updatedMs: nowMs,
  }
  delete second.approvedMs
  delete second.kept
  world.orders.set(id, second)
  approveOrder(world, id, buyer, { funding: 'paypal' })
  if (second.intent === 'CAPTURE') captureOrder(world, second)
  else authorizeOrder(world, second)
  return second
}

function serveMoney(post: Post, world: World): void {
  const capture = (id: string) => found(world.captures, id, 'capture')
  const authorization = (id: string) => found(world.authorizations, id, 'authorization')

  post('/captures/next', ({ outcome, times }) => {
    const wish = oneOf(['PENDING_REVIEW', 'DECLINED'], outcome, 'outcome')
    const count = whole(times, 'times', 1, 1, 100)
    world.captureOverrides.push(...Array.from({ length: count }, () => wish))
    return { captures: world.captureOverrides }
  })
  post('/captures/:id/settle', ({ status }, id) => {
    const pending = capture(id)
    if (pending.status !== 'PENDING') throw new ControlError(409, `the capture is ${pending.status}`)
    settleCapture(world, pending, oneOf(['COMPLETED', 'DECLINED'], status, 'status'))
    return { id, status: pending.status }
  })
  post('/captures/:id/refund', ({ amount, reversed }, id) => {
    const money = amountOfText(amount, capture(id).currency)
    const how = reversed === true || reversed === 'true' ? 'reversed' : 'refunded'
    return { id: giveBack(world, capture(id), money ? { amount: money } : {}, how).id }
  })
  post('/refunds/next', ({ outcome, times }) => {
    const wish = oneOf(['PENDING', 'FAILED'], outcome, 'outcome')
    const count = whole(times, 'times', 1, 1, 100)
    world.refundOverrides.push(...Array.from({ length: count }, () => wish))
    return { refunds: world.refundOverrides }
  })
  post('/refunds/:id/settle', ({ status }, id) => {
    const refund = found(world.refunds, id, 'refund')
    if (refund.status !== 'PENDING') throw new ControlError(409, `the refund is ${refund.status}`)
    settleRefund(world, refund, oneOf(['COMPLETED', 'FAILED'], status, 'status'))
    return { id, status: refund.status }
  })
  post('/authorizations/:id/capture', ({ amount }, id) => {
    const money = amountOfText(amount, authorization(id).currency)
    return { id: collect(world, authorization(id), money ? { amount: money } : { final_capture: true }).id }
  })
  post('/authorizations/:id/void', (_, id) => {
    const { status } = authorization(id)
    if (status !== 'CREATED') throw new ControlError(409, `the authorization is ${status}`)
    voidAuthorization(world, authorization(id))
    return { id, status: 'VOIDED' }
  })
}

function serveKept(post: Post, world: World): void {
  post('/setup-tokens/:id/approve', ({ buyer: email }, id) => {
    const buyer = wantedBuyer(email)
    const token = approveSetupToken(world, id, buyer)
    if (!token) throw new ControlError(409, 'no wallet waits to be kept there')
    return { id, status: token.status, payer_id: buyer.payerId }
  })
  post('/setup-tokens/:id/card', (body, id) => {
    const token = confirmSetupToken(world, id, cardOf(body))
    if (!token) throw new ControlError(409, 'no card waits to be kept there')
    return { id, status: token.status }
  })
  post('/agreement-tokens/:id/approve', ({ buyer: email }, id) => {
    const buyer = wantedBuyer(email)
    if (!approveAgreementToken(world, id, buyer)) throw new ControlError(409, 'no agreement waits there')
    return { id, payer_id: buyer.payerId }
  })
  post('/single-use-tokens', (body) => {
    const email = text(body.email)
    return { id: mintSingleUseToken(world, readCard(cardOf(body), world.clock.now()), email).id }
  })
  post('/payment-tokens/:id/delete', (_, id) => {
    deleteToken(world, found(world.vault.paymentTokens, id, 'payment token'))
    return { id }
  })
}

function serveDisputes(post: Post, world: World): void {
  const dispute = (id: string) => found(world.disputes, id, 'dispute')

  post('/captures/:id/dispute', ({ reason, amount }, id) => {
    const capture = found(world.captures, id, 'capture')
    const size = hundredths(amountOfText(amount, capture.currency))
    const opened = openDispute(
      world,
      capture,
      oneOf(DISPUTE_REASONS, reason ?? 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED', 'reason'),
      size === 0n ? capture.size : size,
    )
    return { id: opened.id, status: opened.status }
  })
  post('/disputes/:id/update', ({ status }, id) => {
    updateDispute(world, dispute(id), oneOf(OPEN_DISPUTE_STATES, status ?? 'UNDER_REVIEW', 'status'))
    return { id, status: dispute(id).status }
  })
  post('/disputes/:id/resolve', ({ outcome }, id) => {
    const ended = dispute(id)
    const how = oneOf(DISPUTE_OUTCOMES, outcome ?? 'RESOLVED_SELLER_FAVOUR', 'outcome')
    resolveDispute(world, ended, how)
    const capture = world.captures.get(ended.captureId)
    // The buyer won: the provider takes the money back itself.
    const takesBack = how === 'RESOLVED_BUYER_FAVOUR' && capture && capture.size - capture.refunded >= ended.size
    if (takesBack) giveBack(world, capture, { amount: amountOf(ended.size, capture.currency) }, 'reversed')
    return { id, status: ended.status, outcome: how }
  })
}

/** Where a form of the control page, which names a country only, has it sent. */
const DEFAULT_PLACE: Address = {
  country_code: 'US',
  admin_area_1: 'NY',
  admin_area_2: 'New York',
  postal_code: '10001',
}

function wantedBuyer(email: unknown): Buyer {
  const buyer = findBuyer(text(email) ?? 'buyer')
  if (!buyer) throw new ControlError(404, `no such buyer: ${String(email)}`)
  return buyer
}

/** A card that pays, but for what the body says otherwise. */
function cardOf(body: Body): CardRequest {
  const { number, expiry, security_code, name, billing_address } = body
  return {
    number: text(number) ?? '4111111111111111',
    expiry: text(expiry) ?? '2040-01',
    ...(text(security_code) === undefined ? {} : { security_code: String(security_code) }),
    ...(text(name) === undefined ? {} : { name: String(name) }),
    ...(isAddress(billing_address) ? { billing_address } : {}),
  }
}

function isAddress(value: unknown): value is Address {
  return typeof value === 'object' && value !== null && 'country_code' in value
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `12.50`, in the currency of the payment; nothing when none is given. */
function amountOfText(value: unknown, currency: string): Amount | undefined {
  const given = typeof value === 'number' ? String(value) : text(value)
  if (given === undefined) return undefined
  const amount = { currency_code: currency, value: given }
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(given) || amountFault(amount, 'more-than-zero')) {
    throw new ControlError(400, `amount: a figure such as 12.50, not ${given}`)
  }
  return amount
}
