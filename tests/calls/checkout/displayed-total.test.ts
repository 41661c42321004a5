import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let mug: number
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  mug = await shop.idOf('MUG')
})
afterAll(() => shop.close())

const address = {
  billing_first_name: 'Ann',
  billing_last_name: 'Bee',
  billing_country: 'US',
  billing_address_1: '1 Main St',
  billing_city: 'San Jose',
  billing_state: 'CA',
  billing_postcode: '95131',
  billing_phone: '4085551234',
  billing_email: 'ann@example.test',
  payment_method: 'cod',
  terms: '1',
  'terms-field': '1',
}

/** A visitor with one mug in the cart: the cookie, and the checkout page's hidden fields. */
async function atCheckout(cookie?: string): Promise<{ cookie: string; hidden: Record<string, string> }> {
  let session = cookie
  if (!session) {
    const added = await fetch(`${shop.url}/?wc-ajax=add_to_cart`, {
      method: 'POST',
      body: new URLSearchParams({ product_id: String(mug) }),
    })
    session =
      added.headers
        .getSetCookie()
        .find((one) => one.startsWith('sid='))
        ?.split(';')[0] ?? ''
  }
  const page = await (await fetch(`${shop.url}/checkout/`, { headers: { cookie: session } })).text()
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const names = ['woocommerce-process-checkout-nonce', 'seen_total', 'intention']
  return { cookie: session, hidden: Object.fromEntries(names.map((name) => [name, value(name)])) }
}

async function place(cookie: string, fields: Record<string, string>) {
  const answer = await fetch(`${shop.url}/?wc-ajax=checkout`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams(fields),
  })
  return answer.json()
}

describe('the total that a checkout form showed', () => {
  it('P5 is charged when it still holds', async () => {
    const { cookie, hidden } = await atCheckout()
    expect(hidden.seen_total).toBe(String(1200 + 87 + 690))
    expect((await place(cookie, { ...address, ...hidden })).result).toBe('success')
  })

  it('P5 is confirmed again when a price has changed since', async () => {
    const { cookie, hidden } = await atCheckout()
    await shop.db.sql`update products set regular_price = 1500 where id = ${mug}`
    const refused = await place(cookie, { ...address, ...hidden })
    expect(refused).toMatchObject({ result: 'failure', refresh: true })
    expect(refused.messages).toContain('$22.99')

    const again = await atCheckout(cookie)
    expect((await place(cookie, { ...address, ...again.hidden })).result).toBe('success')
    const [order] = await shop.db.sql<{ total: number }[]>`select total from orders order by id desc limit 1`
    expect(order?.total).toBe(1500 + 109 + 690)
    await shop.db.sql`update products set regular_price = 1200 where id = ${mug}`
  })

  it('P5 is confirmed again when the address brings another tax', async () => {
    const { cookie, hidden } = await atCheckout()
    const oregon = { ...address, billing_state: 'OR', billing_city: 'Portland', billing_postcode: '97201' }
    const before = await shop.db.sql`select from orders`
    expect((await place(cookie, { ...oregon, ...hidden })).messages).toContain('$18.90')
    expect(await shop.db.sql`select from orders`).toHaveLength(before.length)
    const again = await atCheckout(cookie)
    expect((await place(cookie, { ...oregon, ...again.hidden })).result).toBe('success')
  })
})
