import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { paymentFields } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { agree, callRoute, startMethodSetup } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  // Nobody may keep anything by wish: a trial needs it all the same.
  shop = await aShop({ settings: { payments: { bacs: { enabled: true } } } })
  await shop.emulate('/webhooks/hold', { on: true })
  await shop.db.sql`
    update products set regular_price = 0, sale_price = null, virtual = true, keeps_method = true where sku = 'MUG'`
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `trial${count}@example.test`)
  await customer.register()
  const [row] = await shop.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

const address = { first_name: 'Ada', last_name: 'Lovelace', country: 'US', address_1: '1 Main Street' }
const place = { city: 'San Jose', state: 'CA', postcode: '95131', phone: '4085550100' }
function formOf(customer: Customer, fields: Record<string, string>): Record<string, string> {
  const billing = Object.entries({ ...address, ...place, email: customer.email })
  return {
    ...Object.fromEntries(billing.map(([key, value]) => [`billing_${key}`, value])),
    payment_method: 'ppcp',
    terms: '1',
    'woocommerce-process-checkout-nonce': customer.nonce('woocommerce-process_checkout'),
    ...fields,
  }
}
type Answer = { result: string; redirect?: string; messages?: string; order_id?: number }
async function order(customer: Customer, fields: Record<string, string> = {}): Promise<Answer> {
  const response = await customer.post(urls.wcAjax('checkout'), formOf(customer, fields))
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}
const ordersOf = (id: number) =>
  shop.db.sql<{ status: string; total: number; account: string | null }[]>`
    select o.status, o.total, p.account from orders o left join payment_tokens p on p.id = o.kept_method
    where o.customer_id = ${id}`

describe('a trial that costs nothing today', () => {
  it('FLOW-08 is set up without a charge by a wallet that is approved on the page', async () => {
    const ada = await anAccount()
    await ada.add('MUG')
    const refreshed = await callRoute(ada, 'cart/refresh', { page: 'checkout' })
    expect(refreshed.body.cart).toMatchObject({ needsSetupToken: true, total: '0.00' })
    const setup_token = await startMethodSetup(ada, { payment_method: 'ppcp', context: 'checkout' })
    await agree(shop, setup_token)
    const { body } = await callRoute(ada, 'vault/payment-tokens', { setup_token })
    // The order keeps it, not the approval.
    expect(await shop.db.sql`select id from payment_tokens where customer_id = ${ada.id}`).toHaveLength(0)
    const answer = await order(ada, { [paymentFields('ppcp').paymentToken]: String(body.id) })
    expect(answer).toMatchObject({ result: 'success', redirect: expect.stringContaining('/order-received/') })
    expect(await ordersOf(ada.id)).toEqual([{ status: expect.any(String), total: 0, account: 'buyer@emulator.test' }])
    expect(await shop.db.sql`select id from wallet_orders`).toHaveLength(0)

    await ada.add('MUG')
    const [saved] = await shop.db.sql`select id from payment_tokens where customer_id = ${ada.id}`
    const again = await order(ada, { [paymentFields('ppcp').kept]: String(saved?.id) })
    expect(again.redirect).toContain('/order-received/')
    expect(await ordersOf(ada.id)).toHaveLength(2)
  })

  it('FLOW-08 is set up without a script: to the provider, back to the form, and placed', async () => {
    const ada = await anAccount()
    await ada.add('MUG')
    const html = await ada.page(urls.checkout())
    expect(html).toContain('id="payment_method_ppcp"')
    expect(html).not.toContain('id="payment_method_bacs"')
    const begun = await ada.post(urls.checkout(), formOf(ada, {}))
    const token = new URL(begun.headers.get('location') ?? '').searchParams.get('approval_session_id') ?? ''
    const back = await agree(shop, token)
    expect((await ada.send(back.slice(shop.url.length))).headers.get('location')).toBe(urls.checkout())
    expect(await ada.page(urls.checkout())).toContain('Your payment method is ready')
    const done = await ada.post(urls.checkout(), formOf(ada, {}))
    expect(done.headers.get('location')).toContain('/order-received/')
    expect(await ordersOf(ada.id)).toMatchObject([{ total: 0, account: 'buyer@emulator.test' }])
  })

  it('T5 what was approved on the way is for one order: the next one asks again', async () => {
    const ada = await anAccount()
    const toProvider = async () => {
      await ada.add('MUG')
      await ada.page(urls.checkout())
      return (await ada.post(urls.checkout(), formOf(ada, {}))).headers.get('location') ?? ''
    }
    const token = new URL(await toProvider()).searchParams.get('approval_session_id') ?? ''
    await ada.send((await agree(shop, token)).slice(shop.url.length))
    await ada.page(urls.checkout())
    const done = await ada.post(urls.checkout(), formOf(ada, {}))
    expect(done.headers.get('location')).toContain('/order-received/')
    expect(await toProvider()).toContain('approval_session_id=')
    expect(await ordersOf(ada.id)).toHaveLength(1)
  })

  it('T5 is not set up with somebody else’s means, kept or just approved', async () => {
    const ada = await anAccount()
    await ada.add('MUG')
    const setup_token = await startMethodSetup(ada, { payment_method: 'ppcp', context: 'checkout' })
    await agree(shop, setup_token)
    const { body } = await callRoute(ada, 'vault/payment-tokens', { setup_token })
    const eve = await anAccount()
    await eve.add('MUG')
    const token = { [paymentFields('ppcp').paymentToken]: String(body.id) }
    expect(await order(eve, token)).toMatchObject({ result: 'failure' })
    expect(await order(ada, token)).toMatchObject({ result: 'success' })
    const [hers] = await shop.db.sql`select id from payment_tokens where customer_id = ${ada.id}`
    const answer = await order(eve, { [paymentFields('ppcp').kept]: String(hers?.id) })
    expect(answer).toMatchObject({ result: 'failure', messages: expect.stringContaining('needs a payment method') })
    expect(await order(eve, token)).toMatchObject({ result: 'failure' })
    expect(await ordersOf(eve.id)).toEqual([])
  })

  it('a guest needs an account for it', async () => {
    const guest = aCustomer(shop, 'stranger@example.test')
    await guest.add('MUG')
    expect(await order(guest)).toMatchObject({ result: 'failure' })
    expect(await shop.db.sql`select id from orders where customer_id is null`).toHaveLength(0)
  })
})
