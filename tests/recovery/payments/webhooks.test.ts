import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { metrics } from '#server/operations/metrics/metrics-registry.ts'
import { cancelAbandoned, maintain, reconcile } from '#shop/operations/run-maintenance.ts'
import { startWebhookSink } from '#tests/contract/fixtures/webhook-sink.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  outcomes,
  provider,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { aShop, emulatorSettings, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { startEmulator } from '../../../emulator/start-emulator.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.emulate('/webhooks/hold', { on: true })
  await shop.emulate('/webhooks/flush', {})
  await shop.emulate('/webhooks/duplicate', { copies: 1 })
  await allWorkedOff()
})

const allWorkedOff = () => until('all notifications are worked off', async () => !(await outcomes(shop)).includes(null))

let shoppers = 0
async function approved(sku = 'MUG') {
  const shopper = new Shopper(shop, `shopper-${++shoppers}`)
  const { orderId, walletOrderId } = await shopper.startToPay(sku)
  await shopper.approve(walletOrderId)
  return { shopper, orderId, walletOrderId }
}

async function refusedSoFar(): Promise<number> {
  const counter = await metrics.getSingleMetric('vitrine_webhooks_total')?.get()
  return counter?.values.find(({ labels }) => labels.outcome === 'refused')?.value ?? 0
}

describe('genuine notifications', () => {
  it('F15 at S9: one alone is enough: paid, the message sent, the cart emptied by the next visit', async () => {
    const { shopper, orderId } = await approved()
    await shop.emulate('/webhooks/hold', { on: false })
    await shop.emulate('/webhooks/flush', {})
    await theOneOrder(shop, orderId)
    await shopper.page(urls.home())
    expect(await shopper.pieces()).toBe(0)
  })

  it('F14 at S9: one before the return: the return shows the order that it paid', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    await shop.emulate('/webhooks/flush', {})
    await until('the notification has paid', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('F14 at S11: one while the return takes the money: one capture', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    await shop.emulate('/fault', { route: 'orders.capture', delay: 3_600 })
    const back = shopper.returnFromWallet(walletOrderId)
    await sleep(300)
    await shop.emulate('/webhooks/flush', {})
    expect(await back).toContain(`/order-received/${orderId}/`)
    await allWorkedOff()
    await theOneOrder(shop, orderId)
  })

  it('F14 at S10: one before the form is sent with the approved payment: the answer shows the order that it paid', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    await shop.emulate('/webhooks/flush', {})
    await until('the notification has paid', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
    const answer = await shopper.placeOrder('ppcp', walletOrderId)
    expect(answer.redirect).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
    expect(await shopper.pieces()).toBe(0)
  })

  it('F14 at S12: one of the capture itself before its answer: recorded once', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    await shop.emulate('/fault', { route: 'orders.capture', answer_late: 2_000 })
    const back = shopper.returnFromWallet(walletOrderId)
    await until('the provider has taken it', async () => (await capturesFor(shop, orderId)).length === 1)
    await shop.emulate('/webhooks/flush', {})
    expect(await back).toContain(`/order-received/${orderId}/`)
    await allWorkedOff()
    await theOneOrder(shop, orderId)
  })

  it('F16 at S11 to S13: all of them lost: the return pays, tells and empties, and reconciliation finds nothing to do', async () => {
    await shop.emulate('/webhooks/drop', { count: 10 })
    await shop.emulate('/webhooks/hold', { on: false })
    const { shopper, orderId, walletOrderId } = await approved()
    await shopper.returnFromWallet(walletOrderId)
    const paid = await theOneOrder(shop, orderId)
    await shop.db.sql`update wallet_orders set created_at = created_at - interval '5 minutes 10 seconds'`
    expect(await reconcile(shop.shop.application.tools)).toBe(0)
    expect(await orderOf(shop, orderId)).toEqual(paid)
    expect(await shopper.pieces()).toBe(0)
    await shop.emulate('/webhooks/drop', { count: 0 })
  })

  it('F16 at S9: all of them lost and nobody comes back: reconciliation takes the money', async () => {
    const { orderId, walletOrderId } = await approved()
    await shop.db
      .sql`update wallet_orders set created_at = created_at - interval '5 minutes 10 seconds' where id = ${walletOrderId}`
    expect(await reconcile(shop.shop.application.tools)).toBe(1)
    await theOneOrder(shop, orderId)
  })

  it('F17 each five times: one effect', async () => {
    await shop.emulate('/webhooks/duplicate', { copies: 5 })
    const { shopper, orderId, walletOrderId } = await approved()
    const back = shopper.returnFromWallet(walletOrderId)
    await shop.emulate('/webhooks/flush', {})
    await back
    await shop.emulate('/webhooks/flush', {})
    await allWorkedOff()
    await theOneOrder(shop, orderId)
    const [events] = await shop.db
      .sql`select count(*)::int as count from webhook_events where body like ${`%${walletOrderId}%`}`
    expect(events?.count).toBeLessThanOrEqual(3)
  })

  it('F17 in the opposite order: the same end', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    await shopper.returnFromWallet(walletOrderId)
    await shop.emulate('/webhooks/flush', { order: 'reversed' })
    await allWorkedOff()
    await theOneOrder(shop, orderId)
  })

  it('F17 three days late: the same end', async () => {
    await shop.emulate('/webhooks/backdate', { days: 3 })
    const { shopper, orderId, walletOrderId } = await approved()
    await shopper.returnFromWallet(walletOrderId)
    const paid = await theOneOrder(shop, orderId)
    await shop.emulate('/webhooks/flush', {})
    await shop.emulate('/webhooks/backdate', { days: 0 })
    await allWorkedOff()
    expect(await orderOf(shop, orderId)).toEqual(paid)
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
  })

  it('F17 an approval that is told three days late takes nothing for an order that was given up', async () => {
    const { orderId } = await approved()
    await shop.db.sql`update orders set updated_at = now() - interval '3 days' where id = ${orderId}`
    await shop.db.sql`update stock_reservations set expires_at = now() - interval '3 days' where order_id = ${orderId}`
    await cancelAbandoned(shop.shop.application.tools)
    await shop.emulate('/webhooks/flush', {})
    await allWorkedOff()
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'cancelled', stock_reduced: false })
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('F17 replayed when all is over: known by its id, and without effect', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    await shopper.returnFromWallet(walletOrderId)
    await shop.emulate('/webhooks/flush', {})
    await allWorkedOff()
    const paid = await theOneOrder(shop, orderId)
    const stored = await outcomes(shop)
    const told = (await shop.emulate('/webhooks')) as { event_id: string; type: string }[]
    for (const { event_id: event } of told.slice(-3)) await shop.emulate('/webhooks/replay', { event })
    await shop.emulate('/webhooks/flush', {})
    expect(await outcomes(shop)).toEqual(stored)
    expect(await orderOf(shop, orderId)).toEqual(paid)
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
  })

  it('F17 one about an order that nobody knows is kept and keeps no other waiting', async () => {
    const paypal = provider(shop.paypal)
    await shop.db.sql`insert into webhook_events (id, type, body, received_at)
      select 'WH-UNKNOWN-' || i, 'PAYMENT.CAPTURE.COMPLETED', '{"id":"x","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{}}',
        now() - interval '1 hour' from generate_series(1, 120) i`
    expect((await paypal.getOrder('NOSUCHORDER')).ok).toBe(false)
    const { orderId, walletOrderId } = await approved()
    const event = { id: 'WH-LATE', event_type: 'CHECKOUT.ORDER.APPROVED', resource: { id: walletOrderId } }
    await shop.db.sql`insert into webhook_events (id, type, body, received_at)
      values (${event.id}, ${event.event_type}, ${JSON.stringify(event)}, now() - interval '1 minute')`
    await until(
      'the known one has its turn',
      async () => {
        await maintain(shop.shop.application.tools)
        return (await orderOf(shop, orderId)).payment_state === 'paid'
      },
      30_000,
    )
    await theOneOrder(shop, orderId)
    await shop.db.sql`delete from webhook_events where id like 'WH-UNKNOWN-%'`
  })
})

describe('money that no order expects', () => {
  it('I2: a capture for an order that was given up is shown to a person, and neither accepted nor sent back', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    await shop.db.sql`update orders set updated_at = now() - interval '2 hours' where id = ${orderId}`
    await shop.db.sql`update stock_reservations set expires_at = now() - interval '1 hour' where order_id = ${orderId}`
    await cancelAbandoned(shop.shop.application.tools)
    expect((await orderOf(shop, orderId)).status).toBe('cancelled')
    expect(await shopper.returnFromWallet(walletOrderId)).not.toContain('order-received')
    expect(await capturesFor(shop, orderId)).toEqual([])

    await provider(shop.paypal).captureOrder(walletOrderId, { requestId: 'somebody at the provider' })
    await shop.emulate('/webhooks/flush', {})
    await until('a person is told', async () => (await orderOf(shop, orderId)).payment_state === 'attention')
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'cancelled', stock_reduced: false })
    expect(await invariants(shop)).toEqual([])
  })

  it('I2 F40 at S11: a second capture of one order, by an older wallet order, is shown to a person', async () => {
    const { shopper, orderId, walletOrderId } = await approved()
    // Looked up just now: else the job of the minute, which may run any moment, takes the money first.
    await shop.db
      .sql`update wallet_orders set created_at = created_at - interval '5 hours 30 minutes', checked_at = now() where id = ${walletOrderId}`
    await shopper.openCheckout()
    const answer = await shopper.placeOrder()
    const next = new URL(answer.redirect ?? '').searchParams.get('token') ?? ''
    await shopper.approve(next)
    await shopper.returnFromWallet(next)
    await until('it is paid', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
    await provider(shop.paypal).captureOrder(walletOrderId, { requestId: 'somebody else at the provider' })
    await shop.emulate('/webhooks/flush', {})
    await until('a person is told', async () => (await orderOf(shop, orderId)).payment_state === 'attention')
    expect((await orderOf(shop, orderId)).attention).toContain('a second time')
    expect(await invariants(shop)).toEqual([])
  })
})

describe('forged notifications', () => {
  it('P3 F17: one signed by a stranger is refused and counted, and nothing is paid', async () => {
    const { orderId } = await approved()
    const before = await refusedSoFar()
    // A provider of somebody's own, complete with certificate, that says our order was paid.
    const stranger = await startEmulator({
      webhookUrl: shop.url + urls.paypalWebhook(),
      webhookId: shop.paypal?.webhookId ?? '',
    })
    try {
      const paypal = provider(emulatorSettings(stranger.url))
      const { total } = await orderOf(shop, orderId)
      const created = await paypal.createOrder(
        {
          intent: 'CAPTURE',
          purchase_units: [
            { custom_id: String(orderId), amount: { currency_code: 'USD', value: (total / 100).toFixed(2) } },
          ],
          payment_source: { paypal: { experience_context: { return_url: shop.url, cancel_url: shop.url } } },
        } as never,
        { requestId: 'a stranger' },
      )
      if (!created.ok) throw new Error('the stranger has no order')
      await fetch(`${stranger.url}/__emulator/orders/${created.value.id}/approve`, { method: 'POST', body: '{}' })
      await paypal.captureOrder(created.value.id, { requestId: 'a stranger again' })
      await until('they are refused', async () => (await refusedSoFar()) >= before + 2)
    } finally {
      await stranger.close()
    }
    expect((await orderOf(shop, orderId)).payment_state).toBe('pending')
  })

  it('P3 F17: a genuine one with other content, for another webhook, or without a signature is refused', async () => {
    await using sink = await aSink()
    const elsewhere = await startEmulator({ webhookUrl: sink.url, webhookId: shop.paypal?.webhookId ?? '' })
    const { orderId } = await approved()
    const before = await refusedSoFar()
    try {
      const paypal = provider(emulatorSettings(elsewhere.url))
      await paypal.createOrder(
        {
          intent: 'CAPTURE',
          purchase_units: [{ amount: { currency_code: 'USD', value: '1.00' } }],
          payment_source: { paypal: { experience_context: { return_url: shop.url, cancel_url: shop.url } } },
        } as never,
        { requestId: 'x' },
      )
      const { orders } = (await (await fetch(`${elsewhere.url}/__emulator/ledger`)).json()) as {
        orders: { id: string }[]
      }
      await fetch(`${elsewhere.url}/__emulator/orders/${orders[0]?.id}/approve`, { method: 'POST', body: '{}' })
      const genuine = await until('a delivery', async () => sink.received[0])
      const signature = Object.entries(genuine.headers).filter(([name]) => name.startsWith('paypal-'))
      const deliver = (body: string, headers: Record<string, string>) =>
        fetch(shop.url + urls.paypalWebhook(), {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        })
      const signed = Object.fromEntries(signature.map(([name, value]) => [name, String(value)]))
      const forged = genuine.rawBody.replace(orders[0]?.id ?? '', 'OURS')
      expect((await deliver(forged, signed)).status).toBe(401)
      expect((await deliver(genuine.rawBody, {})).status).toBe(401)
      const ourCert = signed['paypal-cert-url']?.replace(elsewhere.url, shop.paypal?.apiBase ?? '') ?? ''
      expect((await deliver(genuine.rawBody, { ...signed, 'paypal-cert-url': ourCert })).status).toBeGreaterThanOrEqual(
        401,
      )
    } finally {
      await elsewhere.close()
    }
    expect(await refusedSoFar()).toBe(before + 3)
    expect((await orderOf(shop, orderId)).payment_state).toBe('pending')
    const [strange] = await shop.db.sql`select count(*)::int as count from webhook_events where body like '%OURS%'`
    expect(strange?.count).toBe(0)
  })
})

describe('notifications that never happened', () => {
  it.each(['forged', 'foreign-merchant', 'sandbox'])(
    'P3 T3 F17 %s: refused, counted, and nothing is paid',
    async (kind) => {
      const shopper = new Shopper(shop, `shopper-${++shoppers}`)
      const { orderId, walletOrderId } = await shopper.startToPay()
      const before = await refusedSoFar()
      const made = (await shop.emulate('/webhooks/false', { kind, order: walletOrderId })) as { id: string }
      await shop.emulate('/webhooks/flush', {})
      await until('it is refused', async () => (await refusedSoFar()) > before)
      expect(await shop.db.sql`select id from webhook_events where id = ${made.id}`).toHaveLength(0)
      expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'pending' })
      expect(await capturesFor(shop, orderId)).toEqual([])
    },
  )
})

async function aSink() {
  const sink = await startWebhookSink()
  return Object.assign(sink, { [Symbol.asyncDispose]: () => sink.close() })
}
