import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { paymentFields } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { eraseCustomer } from '#shop/customers/erase-customer.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { agree, callRoute, keepingSettings, startMethodSetup } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: keepingSettings })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `hearer${count}@example.test`)
  await customer.register()
  const [row] = await shop.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

const savedMethodsOf = (id: number) =>
  shop.db.sql<{ token: string; account: string; is_default: boolean }[]>`
    select token, account, is_default from payment_tokens where customer_id = ${id} order by id`
const provider = () => {
  const { paypal } = shop.shop.application.tools
  if (!paypal) throw new Error('the shop has no provider')
  return paypal
}

async function saveWallet(customer: Customer, email?: string): Promise<string> {
  const setup_token = await startMethodSetup(customer)
  await agree(shop, setup_token, email)
  const { body } = await callRoute(customer, 'vault/payment-tokens', { setup_token })
  return String(body.id)
}

/** Buys a mug and ticks that the wallet is kept. */
async function buyAndKeep(customer: Customer, buyer: string): Promise<void> {
  await customer.add('MUG')
  const address = { first_name: 'Ada', last_name: 'Lovelace', country: 'US', address_1: '1 Main Street' }
  const place = { city: 'San Jose', state: 'CA', postcode: '95131', phone: '4085550100', email: customer.email }
  const response = await customer.post(urls.wcAjax('checkout'), {
    ...Object.fromEntries(Object.entries({ ...address, ...place }).map(([key, value]) => [`billing_${key}`, value])),
    payment_method: 'ppcp',
    [paymentFields('ppcp').save]: '1',
    terms: '1',
    'woocommerce-process-checkout-nonce': customer.nonce('woocommerce-process_checkout'),
  })
  const { redirect = '', ...rest } = (await response.json()) as { redirect?: string }
  const token = new URL(redirect, shop.url).searchParams.get('token')
  if (!token) throw new Error(`the checkout did not lead to the wallet: ${JSON.stringify(rest)}`)
  await shop.emulate(`/orders/${token}/approve`, { buyer })
  const back = await customer.send(`${urls.walletReturn()}?token=${token}&PayerID=X`)
  expect(back.headers.get('location')).toContain('/order-received/')
}

describe('a wallet that is kept with a purchase', () => {
  it('FLOW-08 CHK-11 is saved for the customer once it has paid', async () => {
    const ada = await anAccount()
    await buyAndKeep(ada, 'buyer')
    await vi.waitFor(async () => expect(await savedMethodsOf(ada.id)).toHaveLength(1), 5_000)
    const [kept] = await savedMethodsOf(ada.id)
    expect(kept).toMatchObject({ account: 'buyer@emulator.test', is_default: true })
    expect((await provider().getPaymentToken(kept?.token ?? '')).ok).toBe(true)
  })

  it('FLOW-08 one whose token comes later is saved when the provider tells of it', async () => {
    const ada = await anAccount()
    await shop.emulate('/webhooks/hold', { on: true })
    await buyAndKeep(ada, 'kept-later')
    expect(await savedMethodsOf(ada.id)).toEqual([])
    await shop.emulate('/webhooks/hold', { on: false })
    await shop.emulate('/webhooks/flush', {})
    await vi.waitFor(async () => expect(await savedMethodsOf(ada.id)).toHaveLength(1), 10_000)
    expect(await savedMethodsOf(ada.id)).toMatchObject([{ account: 'kept-later@emulator.test', is_default: true }])
  })
})

describe('a saved way to pay that goes', () => {
  it('CHK-11 is deleted at the provider too, after an outage as well', async () => {
    const ada = await anAccount()
    const token = await saveWallet(ada)
    const html = await ada.page('/my-account/payment-methods/')
    const link = (/href="([^"]*delete-payment-method[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
    await shop.emulate('/fault', { route: 'payment-tokens.delete', status: 503, times: 3 })
    await ada.send(link)
    expect(await savedMethodsOf(ada.id)).toEqual([])
    const gone = async () => expect(await provider().getPaymentToken(token)).toMatchObject({ status: 404 })
    // The queue tries again after some seconds: it is told to do that now.
    await vi.waitFor(async () => {
      await shop.db.sql`update graphile_worker._private_jobs set run_at = now() where attempts > 0`
      await gone()
    }, 20_000)
  })

  it('T5 one that the provider has deleted is offered no longer, and the next becomes the default', async () => {
    const ada = await anAccount()
    const first = await saveWallet(ada)
    const second = await saveWallet(ada, 'echeck@emulator.test')
    expect(await savedMethodsOf(ada.id)).toMatchObject([
      { token: first, is_default: true },
      { token: second, is_default: false },
    ])
    await provider().deletePaymentToken(first)
    await vi.waitFor(async () => expect(await savedMethodsOf(ada.id)).toHaveLength(1), 10_000)
    expect(await savedMethodsOf(ada.id)).toMatchObject([{ token: second, is_default: true }])
  })

  it('goes from the provider with the account', async () => {
    const ada = await anAccount()
    const token = await saveWallet(ada)
    expect(await eraseCustomer(shop.shop.application.tools, ada.id, 'a test')).toEqual({ ok: true })
    await vi.waitFor(async () => expect(await provider().getPaymentToken(token)).toMatchObject({ status: 404 }), 10_000)
  })
})
