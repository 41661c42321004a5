import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nonceFor } from '#server/http/security/nonce.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** Standard costs 6.90, Express 15. Bowls ship apart; the tax of 7.25 % is on goods only. */
let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { shipping: { packagesByClass: ['fragile'] } } })
  await shop.db.sql`update products set shipping_class = 'fragile' where sku = 'BOWL'`
})
afterAll(() => shop.close())

async function withBoth(): Promise<Shopper> {
  const shopper = new Shopper(shop)
  await shopper.add('MUG', 2)
  await shopper.add('BOWL')
  return shopper
}

/** Package index and rate of every radio button, the chosen one marked. */
function choicesIn(html: string): string[] {
  return [...html.matchAll(/<input type="radio"[^>]*name="shipping_method\[(\d)\]"[^>]*>/g)].map(([tag, index]) => {
    const rate = /value="([^"]+)"/.exec(tag)?.[1]
    return `${index} ${rate}${/ checked/.test(tag) ? ' chosen' : ''}`
  })
}

const totalIn = (html: string) =>
  /class="order-total".*?<strong>(.*?)<\/strong>/s
    .exec(html)?.[1]
    ?.replace(/<[^>]*>/g, '')
    .trim()

const choose = async (shopper: Shopper, chosen: Record<string, string>) => {
  const token = shopper.cookie('sid') ?? ''
  const { application } = shop.shop
  const security = nonceFor(application.secret, 'update-shipping-method', sha256(token), application.tools.clock.now())
  const answer = await shopper.post('/?wc-ajax=update_shipping_method', { security, ...chosen })
  return { status: answer.status, html: await answer.text() }
}

describe('a cart of two parcels', () => {
  it('SHIP-04 names both, each with its contents and rates', async () => {
    const shopper = await withBoth()
    const html = await shopper.page('/cart/')
    expect(choicesIn(html)).toEqual(['0 flat_rate:1 chosen', '0 flat_rate:2', '1 flat_rate:1 chosen', '1 flat_rate:2'])
    expect([...html.matchAll(/woocommerce-shipping-contents"><small>([^<]*)</g)].map(([, text]) => text)).toEqual([
      'Plain mug × 2',
      'Soup bowl × 1',
    ])
    // 2 × 12.00 + 15.50 = 39.50; tax 1.74 + 1.12 = 2.86; shipping 2 × 6.90.
    expect(totalIn(html)).toBe('$56.16')
  })

  it('SHIP-01 SHIP-04 each keeps the method chosen for it, on the cart, the checkout and in the order', async () => {
    const shopper = await withBoth()
    const { status, html } = await choose(shopper, { 'shipping_method[1]': 'flat_rate:2' })
    expect(status).toBe(200)
    expect(html).toMatch(/^<div class="cart_totals/)
    expect(choicesIn(html)).toEqual(['0 flat_rate:1 chosen', '0 flat_rate:2', '1 flat_rate:1', '1 flat_rate:2 chosen'])
    expect(totalIn(html)).toBe('$64.26')

    const checkout = await shopper.openCheckout()
    expect(choicesIn(checkout)).toEqual(choicesIn(html))
    expect(totalIn(checkout)).toBe('$64.26')

    const placed = await shopper.placeOrder('cod')
    expect(placed.result).toBe('success')
    const rows = await shop.db.sql`
      select name, total, facts from order_items where order_id = ${placed.order_id ?? 0} and type = 'shipping' order by position`
    expect(rows.map(({ name, total, facts }) => [name, total, facts.rateId, facts.contents])).toEqual([
      ['Standard', 690, 'flat_rate:1', [{ name: 'Plain mug', quantity: 2 }]],
      ['Express', 1500, 'flat_rate:2', [{ name: 'Soup bowl', quantity: 1 }]],
    ])
  })

  it('SHIP-01 a rate that is not on offer, and a package that is not there, change nothing', async () => {
    const shopper = await withBoth()
    for (const made of [
      { 'shipping_method[0]': 'free_shipping:9' },
      { 'shipping_method[7]': 'flat_rate:2' },
      { 'shipping_method[x]': 'flat_rate:2' },
      { shipping_method: 'flat_rate:2' },
      { 'shipping_method[0][0]': 'flat_rate:2' },
      { 'shipping_method[0]': 'flat_rate:2'.repeat(400) },
    ]) {
      const { status, html } = await choose(shopper, made)
      expect(status, JSON.stringify(made)).toBeLessThan(500)
      expect(choicesIn(html)).toEqual([
        '0 flat_rate:1 chosen',
        '0 flat_rate:2',
        '1 flat_rate:1 chosen',
        '1 flat_rate:2',
      ])
    }
  })

  it('CART-09 the totals come by themselves, with a GET request', async () => {
    const shopper = await withBoth()
    const answer = await shopper.request('/?wc-ajax=get_cart_totals')
    const html = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    expect(html).toMatch(/^<div class="cart_totals.*<\/div>$/s)
    expect(totalIn(html)).toBe('$56.16')
    expect((await shopper.post('/?wc-ajax=get_cart_totals', {})).status).toBe(405)
    const empty = await new Shopper(shop).request('/?wc-ajax=get_cart_totals')
    expect([empty.status, totalIn(await empty.text())]).toEqual([200, '$0.00'])
  })

  it('SHIP-04 one parcel is named as one', async () => {
    const shopper = new Shopper(shop)
    await shopper.add('BOWL')
    const html = await shopper.page('/cart/')
    expect(choicesIn(html)).toEqual(['0 flat_rate:1 chosen', '0 flat_rate:2'])
    expect(html).not.toContain('woocommerce-shipping-contents')
  })
})
