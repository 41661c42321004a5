import { afterEach, describe, expect, it } from 'vitest'
import type { Environment } from '#contract/shared/environment.ts'
import { money } from '#domain/money/money.ts'
import { createPayPal, type PayPal } from '#paypal/client.ts'
import type { PaymentSource } from '#paypal/source-body.ts'
import { purchaseUnit, type WalletOrderFacts, walletOrderBody } from '#paypal/wallet-order-body.ts'
import { requestFaults } from './paypal-openapi.ts'

type Sent = { method: string; path: string; requestId: string | null; body: unknown }

const sent: Sent[] = []
const logged: string[] = []
const log = (facts: object, text: string) => void logged.push(`${JSON.stringify(facts)} ${text}`)
afterEach(() => {
  sent.length = 0
  logged.length = 0
})

/** A provider that writes down what it is asked, and knows nothing of it. */
const environment: Environment = {
  // Nothing is waited for but a limit of time, which never comes.
  clock: { now: () => new Date('2026-01-01T00:00:00Z'), sleep: () => new Promise(() => {}) },
  chance: { hex: () => 'ab', alphanumeric: () => 'ab', uuid: () => 'ab', fraction: () => 0.1 },
  log: { info: log, warn: log, error: log },
  network: {
    async fetch(address, init) {
      const { pathname, search } = new URL(String(address))
      if (pathname === '/v1/oauth2/token') return Response.json({ access_token: 'A21', expires_in: 3600 })
      sent.push({
        method: init?.method ?? 'GET',
        path: pathname + search,
        requestId: new Headers(init?.headers).get('paypal-request-id'),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      })
      return Response.json({ name: 'RESOURCE_NOT_FOUND', details: [] }, { status: 404 })
    },
  },
}

const paypal = createPayPal({
  environment,
  config: { apiBase: 'https://api.pay.test', clientId: 'sb', clientSecret: 'secret', webhookId: '1JE4291016473214C' },
})

const usd = (minor: number) => money(minor, 'USD')
const address = {
  address_line_1: '1 Main St',
  admin_area_2: 'San Jose',
  admin_area_1: 'CA',
  postal_code: '95131',
  country_code: 'US',
}
const facts: WalletOrderFacts = {
  orderId: '1042',
  invoiceId: 'SHOP-1042-abcdef-1',
  description: 'Shop: order 1042',
  total: usd(3851),
  lines: [
    { name: 'Hat', sku: 'H1', quantity: 2, subtotal: usd(2000), virtual: false },
    { name: 'Gift card', sku: '', quantity: 3, subtotal: usd(1000), virtual: true },
  ],
  shipping: usd(500),
  tax: usd(451),
  discount: usd(100),
  fees: usd(0),
  shipTo: { fullName: 'Ann Bee', address },
}
const options = [
  { id: '0:flat_rate:1', label: 'Flat rate', cost: usd(500), selected: true, pickup: false },
  { id: '0:local_pickup:2', label: 'Pickup', cost: usd(0), selected: false, pickup: true },
]

const sources: Record<string, PaymentSource> = {
  'the wallet': { kind: 'wallet', funding: 'paypal', keep: false },
  'a wallet that is kept': { kind: 'wallet', funding: 'paypal', keep: true },
  'paying later': { kind: 'wallet', funding: 'paylater', keep: false },
  Venmo: { kind: 'wallet', funding: 'venmo', keep: true },
  'a card that is typed': { kind: 'card-fields', keep: false },
  'a typed card that is kept': { kind: 'card-fields', keep: true },
  'a kept wallet': { kind: 'kept', as: 'wallet', token: '8kk8451t' },
  'a kept card': { kind: 'kept', as: 'card', token: '8kk8451t' },
  'a card of accelerated checkout': { kind: 'single-use', token: '8kk8451t', keep: true },
  'an agreement': { kind: 'agreement', token: 'B-1AB12345CD678901E' },
}

function bodyFor(source: PaymentSource, intent: 'CAPTURE' | 'AUTHORIZE') {
  const experience = {
    brandName: 'Shop',
    locale: 'en-US',
    shippingPreference: 'SET_PROVIDED_ADDRESS',
    userAction: 'PAY_NOW',
    returnUrl: 'https://shop.test/checkout/wallet-return/',
    cancelUrl: 'https://shop.test/checkout/wallet-cancel/',
    shippingCallbackUrl: 'https://shop.test/wp-json/shipping-callback/abc',
  } as const
  return walletOrderBody(facts, experience, { intent, source, vaultCustomer: 'cust_1234', verification: 'SCA_ALWAYS' })
}

/** What the provider's own description finds wrong with all that was sent. */
const faults = () => sent.map(({ method, path, body }) => [method, path, requestFaults(method, path, body)])
const faultless = () => sent.map(({ method, path }) => [method, path, []])

describe('every request to the provider is one that its description knows', () => {
  it.each(Object.entries(sources))('an order paid with %s', async (_what, source) => {
    await paypal.createOrder(bodyFor(source, 'CAPTURE'), { requestId: 'v-1' })
    await paypal.createOrder(bodyFor(source, 'AUTHORIZE'), { requestId: 'v-2' })
    expect(sent.map(({ requestId }) => requestId)).toEqual(['v-1', 'v-2'])
    expect(faults()).toEqual(faultless())
  })

  const amount = { currency_code: 'USD', value: '38.51' }
  const again = { requestId: 'v-1042-step-1' }
  const experience = { return_url: 'https://shop.test/back', cancel_url: 'https://shop.test/no' }
  /** One of each call: the compiler says so when one is missing. `null`: the published files do not describe it. */
  const calls: Record<keyof PayPal, (() => Promise<unknown>) | null> = {
    createOrder: () =>
      paypal.createOrder(bodyFor({ kind: 'wallet', funding: 'paypal', keep: false }, 'CAPTURE'), again),
    getOrder: () => paypal.getOrder('5O190127TN364715T'),
    patchOrder: () =>
      paypal.patchOrder('5O190127TN364715T', [
        {
          op: 'replace',
          path: "/purchase_units/@reference_id=='default'",
          value: purchaseUnit({ ...facts, shippingOptions: options }),
        },
      ]),
    captureOrder: () => paypal.captureOrder('5O190127TN364715T', again),
    authorizeOrder: () => paypal.authorizeOrder('5O190127TN364715T', again),
    trackOrder: () =>
      paypal.trackOrder(
        '5O190127TN364715T',
        {
          capture_id: '3C679366HH908993F',
          tracking_number: '443844607820',
          carrier: 'FEDEX',
          notify_payer: false,
          items: [{ name: 'Hat', quantity: '1', sku: 'H1' }],
        },
        again,
      ),
    getCapture: () => paypal.getCapture('3C679366HH908993F'),
    getAuthorization: () => paypal.getAuthorization('0VF52814937998046'),
    captureAuthorization: () =>
      paypal.captureAuthorization(
        '0VF52814937998046',
        { amount, invoice_id: 'SHOP-1042-abcdef-h1', final_capture: true },
        again,
      ),
    voidAuthorization: () => paypal.voidAuthorization('0VF52814937998046', again),
    reauthorize: () => paypal.reauthorize('0VF52814937998046', {}, again),
    refundCapture: () => paypal.refundCapture('3C679366HH908993F', { amount }, again),
    getRefund: () => paypal.getRefund('1JU08902781691411'),
    createSetupToken: async () => {
      const card = { verification_method: 'SCA_ALWAYS', experience_context: experience } as const
      await paypal.createSetupToken({ payment_source: { card }, customer: { id: 'cust_1234' } }, again)
      return paypal.createSetupToken(
        {
          payment_source: {
            paypal: {
              usage_type: 'MERCHANT',
              customer_type: 'CONSUMER',
              permit_multiple_payment_tokens: false,
              description: 'Shop',
              experience_context: {
                brand_name: 'Shop',
                locale: 'en-US',
                shipping_preference: 'NO_SHIPPING',
                vault_instruction: 'ON_CREATE_PAYMENT_TOKENS',
                ...experience,
              },
            },
          },
        },
        again,
      )
    },
    getSetupToken: () => paypal.getSetupToken('5C991763VB2781612'),
    createPaymentToken: async () => {
      const setup = { id: '5C991763VB2781612', type: 'SETUP_TOKEN' } as const
      await paypal.createPaymentToken({ payment_source: { token: setup }, customer: { id: 'cust_1234' } }, again)
      const single = { id: '8kk8451t', type: 'NONCE' } as const
      return paypal.createPaymentToken({ payment_source: { token: single } }, again)
    },
    getPaymentToken: () => paypal.getPaymentToken('8kk8451t'),
    listPaymentTokens: () => paypal.listPaymentTokens('cust_1234'),
    deletePaymentToken: () => paypal.deletePaymentToken('8kk8451t'),
    createAgreementToken: null,
    getAgreementToken: null,
    createAgreement: null,
    browserToken: null,
    listWebhooks: () => paypal.listWebhooks(),
    verifyWebhookSignature: () =>
      paypal.verifyWebhookSignature(
        new Headers({
          'paypal-transmission-id': '69cd13f0-d67a-11e5-baa3-778b53f4ae55',
          'paypal-transmission-time': '2026-01-01T00:00:00Z',
          'paypal-transmission-sig': 'lmI95Jx3Y9nhR5SJWlHVIWpg4AgFk7n9bCHSRxbrd8A=',
          'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
          'paypal-auth-algo': 'SHA256withRSA',
        }),
        new TextEncoder().encode('{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{}}'),
      ),
  }
  const described = Object.entries(calls).flatMap(([name, call]) => (call ? [[name, call] as const] : []))
  it.each(described)('%s', async (_name, call) => {
    await call()
    expect(sent.length).toBeGreaterThan(0)
    expect(faults()).toEqual(faultless())
  })

  it.each(described.filter(([name]) => /^(create|capture|authorize|void|reauthorize|refund)/.test(name)))(
    'P1 %s bears the id of its step',
    async (_name, call) => {
      await call()
      expect(sent).not.toEqual([])
      expect(sent.map(({ requestId }) => requestId)).toEqual(sent.map(() => again.requestId))
    },
  )

  it('T38 the ids of kept means, setup tokens and agreements are not written down', async () => {
    await paypal.getPaymentToken('8kk8451t')
    await paypal.deletePaymentToken('8kk8451t')
    await paypal.getSetupToken('5C991763VB2781612')
    await paypal.getAgreementToken('BA-5C991763VB2781612')
    await paypal.listPaymentTokens('cust_1234')
    await paypal.getOrder('5O190127TN364715T')
    const text = logged.join('\n')
    expect(text).toContain('/v3/vault/payment-tokens/…')
    expect(text).not.toMatch(/8kk8451t|5C991763VB2781612|cust_1234/)
    expect(text).toContain('/v2/checkout/orders/5O190127TN364715T')
  })
})
