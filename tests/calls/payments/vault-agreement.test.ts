import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { agree, callRoute } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

const begin = (visitor: Customer) =>
  callRoute(visitor, 'billing-agreement/token', { payment_method: 'ppcp', context: 'checkout' })

/** Begun by a visitor, and agreed to. */
async function anAgreementToken(visitor: Customer): Promise<string> {
  const { status, body } = await begin(visitor)
  if (status !== 200) throw new Error(`no agreement: ${JSON.stringify(body)}`)
  const id = String(body)
  await agree(shop, id)
  return id
}

const read = (visitor: Customer, id: string) => callRoute(visitor, `billing-agreement/token/${id}`, null)

describe('an agreement from before there was a vault', () => {
  it('FLOW-09 gives payer and address for the form of somebody who buys', async () => {
    const ada = aCustomer(shop)
    await ada.add('MUG')
    const id = await anAgreementToken(ada)
    const answer = await read(ada, id)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id,
        payer: { name: { surname: expect.any(String) }, email_address: 'buyer@emulator.test' },
        shipping: { address: { line1: expect.any(String), country_code: 'US' } },
      },
    })
  })

  it('T5 T10 tells nothing of its payer to a guest or a customer who did not begin it, whatever is in their cart', async () => {
    const ada = aCustomer(shop, 'agreed@example.test')
    await ada.register()
    await ada.add('MUG')
    const id = await anAgreementToken(ada)
    const guest = aCustomer(shop)
    await guest.add('MUG')
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.register()
    await eve.add('MUG')
    for (const other of [guest, eve]) {
      const answer = await read(other, id)
      expect(answer.status).toBe(404)
      expect(JSON.stringify(answer.body)).not.toContain('buyer@emulator.test')
    }
    expect((await read(ada, id)).status).toBe(200)
    // The same customer on another device.
    const phone = aCustomer(shop, ada.email)
    await phone.logIn()
    expect((await read(phone, id)).status).toBe(200)
  })

  it('FLOW-09 begun twice is one agreement, until it is agreed to', async () => {
    const ada = aCustomer(shop)
    await ada.add('MUG')
    const ids = (await Promise.all([begin(ada), begin(ada), begin(ada)])).map(({ body }) => String(body))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/^BA-[A-Z0-9]+$/)
    await agree(shop, ids[0] ?? '')
    expect(String((await begin(ada)).body)).not.toBe(ids[0])
  })

  it('FLOW-09 tells nothing to those who buy nothing, of ids that are none, or to who asks too often', async () => {
    const ada = aCustomer(shop)
    expect((await begin(ada)).status).toBe(404)
    await ada.add('MUG')
    const id = await anAgreementToken(ada)
    expect((await read(aCustomer(shop), id)).status).toBe(404)
    for (const wrong of ['EC-123', 'BA-../x', 'BA-', 'x'.repeat(300)]) {
      expect([400, 404]).toContain((await read(ada, encodeURIComponent(wrong))).status)
    }
    expect((await read(ada, 'BA-0NEVER0WAS0')).status).toBe(404)
    let last = 0
    for (let tries = 0; tries < 21; tries += 1) last = (await read(ada, id)).status
    expect(last).toBe(429)
  })
})
