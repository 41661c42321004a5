import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardMethodId, paymentFields } from '#contract/payments/constants.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { captureAuthorizedPayment } from '#shop/payments/operation/capture-authorization.ts'
import { voidAuthorizedPayment } from '#shop/payments/operation/void-authorization.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { capturesFor, invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import {
  aLoggedInCustomer,
  allMethodSettings,
  createOrder,
  payApproved,
  placeWith,
} from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const dayMs = 24 * 60 * 60 * 1000
/** How far the shop's clock has been put forward. */
let ahead = 0

let shop: TestShop
beforeAll(async () => {
  const { paypal, ...others } = allMethodSettings
  const settings = { ...others, paypal: { ...paypal, intent: 'authorize' }, payments: { cod: { enabled: true } } }
  shop = await aShop({ settings })
})
afterAll(() => shop.close())

const tools = () => {
  const real = shop.shop.application.tools
  return { ...real, clock: { ...real.clock, now: () => new Date(real.clock.now().getTime() + ahead) } }
}

async function settingsOf() {
  const { application } = shop.shop
  // A request makes the shop read its settings.
  await fetch(shop.url)
  return application.tools.settings.paypal.intent
}

let shoppers = 0
async function placeAuthorizedOrder(): Promise<number> {
  const shopper = new Shopper(shop, `holder-${++shoppers}`)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
  return orderId
}

const authorizationsOf = (orderId: number) =>
  shop.db.kysely.selectFrom('authorizations').selectAll().where('order_id', '=', orderId).execute()

const stockOf = async (orderId: number) =>
  (await shop.db.sql`select sum(change)::int as change from stock_movements where order_id = ${orderId}`)[0]?.change

describe('money that is held first', () => {
  it('I3 after approval the money is held, the order waits, and its pieces are kept', async () => {
    expect(await settingsOf()).toBe('authorize')
    const orderId = await placeAuthorizedOrder()
    const order = await orderOf(shop, orderId)
    expect(order).toMatchObject({ status: 'on-hold', payment_state: 'authorised', stock_reduced: true })
    expect(await authorizationsOf(orderId)).toMatchObject([
      { status: 'CREATED', amount: order.total, currency: order.currency },
    ])
    expect(await capturesFor(shop, orderId)).toEqual([])
    expect(await stockOf(orderId)).toBe(-1)
    expect(await invariants(shop)).toEqual([])
  })

  it('I1 moving the order on takes the money once, and a refund of a part gives it back', async () => {
    const orderId = await placeAuthorizedOrder()
    const moved = await Promise.all([1, 2].map(() => transitionOrder(tools(), orderId, { to: 'processing' })))
    expect(moved.map(({ ok }) => ok)).toEqual([true, true])
    const order = await orderOf(shop, orderId)
    expect(order).toMatchObject({ status: 'processing', payment_state: 'paid' })
    const captures = await capturesFor(shop, orderId)
    expect(captures).toMatchObject([{ status: 'COMPLETED', amount: { value: (order.total / 100).toFixed(2) } }])
    expect(order.transaction_id).toBe(captures[0]?.id)
    expect(await authorizationsOf(orderId)).toMatchObject([{ status: 'CAPTURED' }])
    expect(await invariants(shop)).toEqual([])

    const part = await refundOrder(tools(), orderId, { key: 'one', ask: { kind: 'amount', minor: 100 } })
    expect(part).toMatchObject({ ok: true, state: 'done' })
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'partly-refunded' })
    const rest = await refundOrder(tools(), orderId, { key: 'rest', ask: { kind: 'full' } })
    expect(rest).toMatchObject({ ok: true, state: 'done' })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
    expect(await invariants(shop)).toEqual([])
  })

  it('I1 cancelling the order lets the money go, and nothing can take it any more', async () => {
    const orderId = await placeAuthorizedOrder()
    expect(await transitionOrder(tools(), orderId, { to: 'cancelled' })).toMatchObject({ ok: true })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'cancelled', payment_state: 'failed' })
    expect(await authorizationsOf(orderId)).toMatchObject([{ status: 'VOIDED' }])
    expect(await stockOf(orderId)).toBe(0)
    expect(await captureAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: false, reason: 'nothing-held' })
    expect(await capturesFor(shop, orderId)).toEqual([])
    expect(await invariants(shop)).toEqual([])
  })

  it('P1 taking and letting go at the same time do one of the two', async () => {
    const orderId = await placeAuthorizedOrder()
    await Promise.all([captureAuthorizedPayment(tools(), orderId), voidAuthorizedPayment(tools(), orderId)])
    const { status, payment_state: state } = await orderOf(shop, orderId)
    const captures = await capturesFor(shop, orderId)
    expect([`${status} ${state} ${captures.length}`]).toEqual(
      captures.length === 1 ? ['processing paid 1'] : ['cancelled failed 0'],
    )
    expect(await invariants(shop)).toEqual([])
  })

  it('F7 at S11: a capture that works and does not say so is read, never repeated', async () => {
    const orderId = await placeAuthorizedOrder()
    await shop.emulate('/fault', { route: 'authorizations.capture', done_then_drop: true, times: 3 })
    const taken = await captureAuthorizedPayment(tools(), orderId)
    await shop.emulate('/faults/clear', {})
    if (!taken.ok)
      await until('the money is recorded', async () => (await captureAuthorizedPayment(tools(), orderId)).ok)
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'processing', payment_state: 'paid' })
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
    expect(await invariants(shop)).toEqual([])
  })

  it('F12 at S11: money let go at the provider leaves the order to a person', async () => {
    const orderId = await placeAuthorizedOrder()
    const [held] = await authorizationsOf(orderId)
    await shop.emulate(`/authorizations/${held?.id}/void`, {})
    const moved = await transitionOrder(tools(), orderId, { to: 'completed' })
    expect(moved).toEqual({ ok: false, reason: 'held-money-stays' })
    const order = await orderOf(shop, orderId)
    expect(order.payment_state).toBe('attention')
    expect(order.attention).toContain('not there any more')
  })

  it('I12 the money is asked for once more after its promise is over, and then taken', async () => {
    const orderId = await placeAuthorizedOrder()
    await shop.emulate('/clock', { advance_ms: 5 * dayMs })
    ahead = 5 * dayMs
    expect(await captureAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: true, state: 'paid' })
    ahead = 0
    await shop.emulate('/clock', { advance_ms: -5 * dayMs })
    const [held] = await authorizationsOf(orderId)
    const log = (await shop.emulate('/log')) as { path: string; status: number }[]
    // The access token may have run out with the days: then the call was sent once more.
    const asked = log.filter(({ path }) => path.endsWith(`/${held?.id}/reauthorize`)).map(({ status }) => status)
    expect(asked).toContain(201)
    expect(held?.status).toBe('CAPTURED')
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
    expect(await invariants(shop)).toEqual([])
  })

  it('I12 a provider by whose clock the promise is not over yet is believed: the money is taken as it is held', async () => {
    const orderId = await placeAuthorizedOrder()
    // Ahead of the provider, which still counts the first three days.
    ahead = 3 * dayMs + 60_000
    const taken = await captureAuthorizedPayment(tools(), orderId)
    ahead = 0
    expect(taken).toMatchObject({ ok: true, state: 'paid' })
    const log = (await shop.emulate('/log')) as { path: string; issue?: string }[]
    const [held] = await authorizationsOf(orderId)
    const asked = log.filter(({ path }) => path.endsWith(`/${held?.id}/reauthorize`))
    expect(asked.map(({ issue }) => issue)).toEqual(['REAUTHORIZATION_TOO_SOON'])
    expect(held?.status).toBe('CAPTURED')
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
    expect(await invariants(shop)).toEqual([])
  })

  it('I12 an order whose held money has run out needs attention', async () => {
    const orderId = await placeAuthorizedOrder()
    // No word of its end comes, and it is long ago.
    await shop.db.sql`update authorizations set expires_at = now() - interval '1 day' where order_id = ${orderId}`
    const [held] = await authorizationsOf(orderId)
    await shop.emulate('/webhooks/drop', { count: 1 })
    await shop.emulate(`/authorizations/${held?.id}/void`, {})
    await maintain(tools())
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'on-hold', payment_state: 'attention' })
    expect(await authorizationsOf(orderId)).toMatchObject([{ status: 'EXPIRED' }])
  })

  it('I3 a card’s money is held, and what is kept holds it at once', async () => {
    const shopper = await aLoggedInCustomer(shop, 'keeper')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const save = { [paymentFields(cardMethodId).save]: '1' }
    const id = String(await (await createOrder(shopper, cardMethodId, save)).json())
    await shop.emulate(`/orders/${id}/card`, {})
    expect((await payApproved(shopper, cardMethodId, id, save)).result).toBe('success')
    const [kept] = await shop.db.sql<{ id: number }[]>`select id from payment_tokens`
    await shopper.add('MUG')
    await shopper.openCheckout()
    const answer = await placeWith(shopper, cardMethodId, { [paymentFields(cardMethodId).kept]: String(kept?.id) })
    expect(answer.result, answer.messages).toBe('success')
    const orderId = answer.order_id ?? 0
    expect(await orderOf(shop, orderId)).toMatchObject({
      status: 'on-hold',
      payment_state: 'authorised',
      payment_method_title: 'Visa ending in 1111',
    })
    expect(await transitionOrder(tools(), orderId, { to: 'completed' })).toMatchObject({ ok: true })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'completed', payment_state: 'paid' })
    expect(await invariants(shop)).toEqual([])
  })
})
