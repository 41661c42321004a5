import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { agree, callRoute, keepingSettings, startMethodSetup } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: keepingSettings })
  // What is told by a notification has its own tests: here the shop's own calls must do.
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `keeper${count}@example.test`)
  await customer.register()
  const [row] = await shop.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

const savedMethodsOf = (id: number) =>
  shop.db.sql<{ method: string; kind: string; account: string; token: string; is_default: boolean }[]>`
    select method, kind, account, token, is_default from payment_tokens where customer_id = ${id} order by id`
const keep = (visitor: Customer, setup_token: string) => callRoute(visitor, 'vault/payment-tokens', { setup_token })

describe('a wallet that is saved without a purchase', () => {
  it('FLOW-08 CHK-14 is begun, approved and kept: the answer fills a form, the customer finds it saved', async () => {
    const ada = await anAccount()
    const begun = await callRoute(ada, 'vault/setup-tokens', {
      payment_method: 'ppcp',
      context: 'add_payment_method',
    })
    expect(begun.body).toEqual({
      id: expect.stringMatching(/^\w+$/),
      approve_url: expect.stringContaining('/agreements/approve?approval_session_id='),
    })
    const id = String(begun.body.id)
    expect(await keep(ada, id)).toMatchObject({ status: 400, body: { code: 'vault_error' } })
    await agree(shop, id)
    const kept = await keep(ada, id)
    expect(kept).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^\w+$/),
        payment_source: { paypal: { email_address: 'buyer@emulator.test', name: { given_name: expect.any(String) } } },
      },
    })
    expect(await savedMethodsOf(ada.id)).toEqual([
      { method: 'ppcp', kind: 'wallet', account: 'buyer@emulator.test', token: kept.body.id, is_default: true },
    ])
    expect(await ada.page('/my-account/payment-methods/')).toContain('PayPal (buyer@emulator.test)')
  })

  it('F18 at S15: presses at once begin one token and keep one way to pay, with one answer', async () => {
    const ada = await anAccount()
    const ids = await Promise.all(Array.from({ length: 4 }, () => startMethodSetup(ada)))
    expect(new Set(ids).size).toBe(1)
    await agree(shop, ids[0] ?? '')
    const kept = await Promise.all(ids.map((id) => keep(ada, id)))
    expect(new Set(kept.map(({ body }) => body.id)).size).toBe(1)
    expect(kept.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await savedMethodsOf(ada.id)).toHaveLength(1)
  })

  it('FLOW-08 every means of a customer belongs to one customer of the vault', async () => {
    const ada = await anAccount()
    for (const buyer of ['buyer@emulator.test', 'echeck@emulator.test']) {
      const id = await startMethodSetup(ada)
      await agree(shop, id, buyer)
      await keep(ada, id)
    }
    expect(await savedMethodsOf(ada.id)).toHaveLength(2)
    const rows = await shop.db.sql`select provider_id from vault_customers where customer_id = ${ada.id}`
    expect(rows).toHaveLength(1)
    const listed = await shop.shop.application.tools.paypal?.listPaymentTokens(String(rows[0]?.provider_id))
    expect(listed?.ok && listed.value).toHaveLength(2)
  })

  it('T5 what somebody has begun is of no use to another, be they a guest or a customer', async () => {
    const ada = await anAccount()
    const eve = await anAccount()
    const guest = aCustomer(shop)
    await guest.add('MUG')
    const id = await startMethodSetup(ada)
    await agree(shop, id)
    for (const other of [eve, guest]) {
      expect(await keep(other, id)).toMatchObject({ status: 404, body: { code: 'vault_error' } })
    }
    const mine = await keep(ada, id)
    expect(mine.status).toBe(200)
    for (const other of [eve, guest]) expect((await keep(other, id)).status).toBe(404)
    expect(await savedMethodsOf(eve.id)).toEqual([])
  })

  it('FLOW-08 a guest begins nothing where no account comes of it', async () => {
    const guest = aCustomer(shop)
    await guest.add('MUG')
    for (const context of ['add_payment_method', 'product', 'checkout']) {
      const answer = await callRoute(guest, 'vault/setup-tokens', { payment_method: 'ppcp', context })
      expect([context, answer.status]).toEqual([context, 401])
    }
    const [row] = await shop.db.sql`select count(*)::int as n from setup_tokens where customer_id is null`
    expect(row?.n).toBe(0)
  })

  it('hostile input is refused before anybody is asked', async () => {
    const ada = await anAccount()
    for (const body of [{}, { setup_token: '' }, { setup_token: '../x' }, { setup_token: ['a'] }, { setup_token: 5 }])
      expect((await callRoute(ada, 'vault/payment-tokens', body)).status).toBe(400)
    for (const body of [
      { payment_method: 'ppcp' },
      { payment_method: 'bacs', context: 'checkout' },
      { payment_method: 'ppcp', context: 'nowhere' },
    ])
      expect((await callRoute(ada, 'vault/setup-tokens', body)).status).toBe(400)
    expect(await keep(ada, 'NEVERBEGUN')).toMatchObject({ status: 404 })
  })

  it('is limited: who begins too often must wait', async () => {
    const ada = await anAccount()
    let last = 0
    for (let tries = 0; tries < 21; tries += 1) {
      last = (await callRoute(ada, 'vault/setup-tokens', { payment_method: 'ppcp', context: 'add_payment_method' }))
        .status
    }
    expect(last).toBe(429)
  })

  it('T5 sandbox and live never mix: a token of the other environment is unknown', async () => {
    const ada = await anAccount()
    const id = await startMethodSetup(ada)
    await agree(shop, id)
    await shop.db.sql`update setup_tokens set environment = 'live' where id = ${id}`
    expect((await keep(ada, id)).status).toBe(404)
  })
})
