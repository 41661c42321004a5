import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { approveUrl, type WalletOrder } from '#contract/paypal/order.ts'
import { eventSubject, webhookEvent } from '#contract/paypal/webhook-event.ts'
import type { Environment } from '#contract/shared/environment.ts'
import { money } from '#domain/money/money.ts'
import { fromAmount } from '#paypal/amounts.ts'
import { createPayPal, type PayPal } from '#paypal/client.ts'
import type { PayPalResult } from '#paypal/result.ts'
import { purchaseUnit, type WalletOrderFacts, walletOrderBody } from '#paypal/wallet-order-body.ts'
import { createWebhookVerifier } from '#paypal/webhook-signature.ts'
import { aProvider } from './fixtures/provider-setup.ts'

const webhookId = '1JE4291016473214C'
const quiet = () => {}
const environment: Environment = {
  clock: { now: () => new Date(), sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}) },
  chance: { hex: () => 'ab', alphanumeric: () => 'ab', uuid: () => 'ab', fraction: () => 0.1 },
  network: { fetch: (url, init) => fetch(url, init) },
  log: { info: quiet, warn: quiet, error: quiet },
}

const { provider, sink } = aProvider({ webhookId, withSink: true })
let paypal: PayPal

beforeEach(() => {
  paypal = createPayPal({
    environment,
    config: { apiBase: provider.url, clientId: 'sb', clientSecret: 'emulator-secret', webhookId },
  })
})

const usd = (minor: number) => money(minor, 'USD')
const facts: WalletOrderFacts = {
  orderId: '1042',
  invoiceId: 'SHOP-1042-1',
  description: 'Order 1042',
  total: usd(3351),
  lines: [
    { name: 'Hat', sku: 'H1', quantity: 2, subtotal: usd(2000), virtual: false },
    { name: 'Gift card', sku: '', quantity: 3, subtotal: usd(1000), virtual: true },
  ],
  shipping: usd(0),
  tax: usd(451),
  discount: usd(100),
  fees: usd(0),
  shipTo: {
    fullName: 'Ann Bee',
    address: {
      address_line_1: '1 Main St',
      admin_area_2: 'San Jose',
      admin_area_1: 'CA',
      postal_code: '95131',
      country_code: 'US',
    },
  },
}
const body = walletOrderBody(facts, {
  brandName: 'Vitrine',
  locale: 'en-US',
  shippingPreference: 'SET_PROVIDED_ADDRESS',
  userAction: 'PAY_NOW',
  returnUrl: 'http://127.0.0.1/checkout/wallet-return/',
  cancelUrl: 'http://127.0.0.1/checkout/wallet-cancel/',
})

function must<Value>(result: PayPalResult<Value>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.value
}
const captureOf = (order: WalletOrder) => order.purchase_units?.[0]?.payments?.captures?.[0]

async function approvedOrder(buyer = 'buyer'): Promise<string> {
  const { id } = must(await paypal.createOrder(body, { requestId: 'order-1042-create-1' }))
  await provider.control(`/orders/${id}/approve`, { buyer })
  return id
}

describe('the provider client against the emulator', () => {
  it('creates, changes, captures and refunds', async () => {
    const order = must(await paypal.createOrder(body, { requestId: 'order-1042-create-1' }))
    expect(order.status).toBe('PAYER_ACTION_REQUIRED')
    expect(approveUrl(order)).toBe(`${provider.url}/checkoutnow?token=${order.id}`)
    await provider.control(`/orders/${order.id}/approve`, { buyer: 'buyer' })

    const dearer = purchaseUnit({ ...facts, shipping: usd(500), total: usd(3851) })
    const path = "/purchase_units/@reference_id=='default'"
    expect(await paypal.patchOrder(order.id, [{ op: 'replace', path, value: dearer }])).toEqual({
      ok: true,
      value: null,
    })

    const capture = captureOf(must(await paypal.captureOrder(order.id, { requestId: 'order-1042-capture-1' })))
    expect(capture).toMatchObject({ status: 'COMPLETED', custom_id: '1042' })
    expect(capture && fromAmount(capture.amount)).toEqual(usd(3851))

    const refund = await paypal.refundCapture(capture?.id ?? '', {}, { requestId: 'order-1042-refund-1' })
    expect(must(refund)).toMatchObject({ status: 'COMPLETED' })
    expect(must(await paypal.getCapture(capture?.id ?? ''))).toMatchObject({ status: 'REFUNDED' })
  })

  it('P1 F2 at S11 a capture sent twice under one id takes money once', async () => {
    const id = await approvedOrder()
    const once = captureOf(must(await paypal.captureOrder(id, { requestId: 'order-1042-capture-1' })))
    const twice = captureOf(must(await paypal.captureOrder(id, { requestId: 'order-1042-capture-1' })))
    expect(twice?.id).toBe(once?.id)
    expect(await paypal.captureOrder(id, { requestId: 'order-1042-capture-2' })).toMatchObject({
      kind: 'refused',
      issue: 'ORDER_ALREADY_CAPTURED',
    })
  })

  it('F8 at S11 a capture that was done behind a 500 is found by the repeat', async () => {
    const id = await approvedOrder()
    await provider.control('/fault', { route: 'orders.capture', done_then_500: true, times: 1 })
    const capture = captureOf(must(await paypal.captureOrder(id, { requestId: 'order-1042-capture-1' })))
    expect(capture?.status).toBe('COMPLETED')
    expect(must(await paypal.getOrder(id)).purchase_units?.[0]?.payments?.captures).toHaveLength(1)
  })

  it('F10 an access token that is gone is replaced', async () => {
    await approvedOrder()
    await provider.control('/tokens/expire')
    expect(await paypal.getOrder('5O190127TN364715T')).toMatchObject({ kind: 'refused', status: 404 })
  })

  it('F12 F13 at S11 declined and pending payments are told apart', async () => {
    expect(await paypal.captureOrder(await approvedOrder('declined'), { requestId: 'c1' })).toMatchObject({
      kind: 'refused',
      issue: 'INSTRUMENT_DECLINED',
    })
    await provider.control('/reset')
    const pending = must(await paypal.captureOrder(await approvedOrder('echeck'), { requestId: 'c2' }))
    expect(captureOf(pending)).toMatchObject({ status: 'PENDING', status_details: { reason: 'ECHECK' } })
  })

  it('F17 its notifications are genuine offline and by asking, and a changed one is not', async () => {
    const id = await approvedOrder()
    await paypal.captureOrder(id, { requestId: 'order-1042-capture-1' })
    // Late deliveries of another test's order may be among them.
    const ours = () => deliveries().filter((delivery) => eventSubject(eventOf(delivery)).walletOrderId === id)
    await expect
      .poll(() => ours().map((delivery) => eventOf(delivery).event_type))
      .toContain('PAYMENT.CAPTURE.COMPLETED')

    const verifier = createWebhookVerifier({ environment, certHosts: [new URL(provider.url).host], webhookId })
    for (const { headers, raw } of ours()) {
      expect(await verifier.verify(headers, raw)).toEqual({ ok: true })
      expect(await paypal.verifyWebhookSignature(headers, raw)).toEqual({ ok: true, value: true })
      const forged = Buffer.from(Buffer.from(raw).toString().replace('WH-', 'WX-'))
      expect(await verifier.verify(headers, forged)).toEqual({ ok: false, reason: 'bad-signature' })
      expect(eventSubject(eventOf({ raw })).customId).toBe('1042')
    }
  })
})

const eventOf = ({ raw }: { raw: Uint8Array }) => webhookEvent.parse(JSON.parse(Buffer.from(raw).toString()))
const deliveries = () =>
  sink.received.map(({ headers, rawBody }) => ({
    headers: new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])),
    raw: Buffer.from(rawBody),
  }))
