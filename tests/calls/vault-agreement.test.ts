import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCustomer } from '#tests/support/customer.ts'
import { aShop, emulatorSettings, type TestShop } from '#tests/support/shop.ts'
import { agree, callRoute } from '#tests/support/vault.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

/** As an older shop began it, straight at the provider. */
async function anAgreementToken(): Promise<string> {
  const base = shop.emulator?.url ?? ''
  const { clientId, clientSecret } = emulatorSettings(base)
  const granted = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await granted.json()) as { access_token: string }
  const made = await fetch(`${base}/v1/billing-agreements/agreement-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      description: 'Tea each month',
      payer: { payment_method: 'PAYPAL' },
      plan: {
        type: 'MERCHANT_INITIATED_BILLING',
        merchant_preferences: { return_url: 'https://shop.test/r', cancel_url: 'https://shop.test/c' },
      },
    }),
  })
  const body = (await made.json()) as { token_id?: string }
  if (!body.token_id) throw new Error(`no agreement: ${JSON.stringify(body)}`)
  return body.token_id
}

const read = (visitor: ReturnType<typeof aCustomer>, id: string) =>
  callRoute(visitor, `billing-agreement/token/${id}`, null)

describe('an agreement from before there was a vault', () => {
  it('FLOW-09 gives payer and address for the form of somebody who buys', async () => {
    const id = await anAgreementToken()
    await agree(shop, id)
    const ada = aCustomer(shop)
    await ada.add('MUG')
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

  it('FLOW-09 tells nothing to those who buy nothing, of ids that are none, or to who asks too often', async () => {
    const id = await anAgreementToken()
    await agree(shop, id)
    expect((await read(aCustomer(shop), id)).status).toBe(404)
    const ada = aCustomer(shop)
    await ada.add('MUG')
    for (const wrong of ['EC-123', 'BA-../x', 'BA-', 'x'.repeat(300)]) {
      expect([400, 404]).toContain((await read(ada, encodeURIComponent(wrong))).status)
    }
    expect((await read(ada, 'BA-0NEVER0WAS0')).status).toBe(404)
    let last = 0
    for (let tries = 0; tries < 21; tries += 1) last = (await read(ada, id)).status
    expect(last).toBe(429)
  })
})
