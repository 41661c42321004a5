import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nonceFor } from '#server/http/security/nonce.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  await shop.db
    .sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500), ('fresh', 'fixed_cart', 500)`
  await shop.db.sql`
    insert into coupons (code, type, amount_minor, expires_at) values ('late', 'fixed_cart', 500, '2020-01-01')`
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

async function withMug(): Promise<Shopper> {
  const shopper = new Shopper(shop)
  await shopper.add('MUG')
  return shopper
}

/** Types a code as the page's script sends it. */
async function apply(shopper: Shopper, coupon_code: string): Promise<string> {
  const { application } = shop.shop
  const token = shopper.cookie(application.sessionCookie) ?? ''
  const security = nonceFor(application.secret, 'apply-coupon', sha256(token), application.tools.clock.now())
  const response = await shopper.post('/?wc-ajax=apply_coupon', { security, coupon_code })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  return response.text()
}

const error = (text: string) => `<ul class="woocommerce-error" role="alert"><li role="presentation">${text}</li></ul>`
const unknown = (code: string) => error(`Coupon “${code}” does not exist.`)
const paused = error('Too many attempts. Please wait 2 minutes, then try again.')

/** The wait is over: every bucket has room for one try more. */
const waited = () => shop.db.sql`update rate_limits set used_until = used_until - interval '90 seconds'`

describe('guessing coupon codes', () => {
  it('COUP-03 40 wrong codes in one session are ten tries, answered in the words of the interface, and then a wait', async () => {
    const shopper = await withMug()
    for (let at = 0; at < 10; at += 1) expect(await apply(shopper, `guess-${at}`)).toBe(unknown(`guess-${at}`))
    for (let at = 10; at < 40; at += 1) expect(await apply(shopper, `guess-${at}`)).toBe(paused)
    await waited()
    expect(await apply(shopper, 'guess-40')).toBe(unknown('guess-40'))
    expect(await apply(shopper, 'guess-41')).toContain('Too many attempts. Please wait 3 minutes')
  })

  it('COUP-01 a right code waits too, whether this process knows it or not, and counts afterwards', async () => {
    const other = await withMug()
    expect(await apply(other, 'five')).toContain('applied successfully')
    await shop.db.sql`delete from rate_limits`
    const shopper = await withMug()
    for (let at = 0; at < 10; at += 1) await apply(shopper, `guess-${at}`)
    expect(await apply(shopper, 'five')).toBe(paused)
    expect(await apply(shopper, 'fresh')).toBe(paused)
    expect((await viewCart(shopper)).coupons).toEqual([])
    await waited()
    expect(await apply(shopper, 'five')).toContain('applied successfully')
    expect((await viewCart(shopper)).coupons).toEqual(['five'])
  })

  it('a network with ever new sessions waits after thirty; another session of it may not try meanwhile', async () => {
    for (let round = 0; round < 3; round += 1) {
      const shopper = await withMug()
      for (let at = 0; at < 10; at += 1) expect(await apply(shopper, `guess-${at}`)).toBe(unknown(`guess-${at}`))
    }
    expect(await apply(await withMug(), 'guess')).toContain('Too many attempts. Please wait a minute')
  })

  it('codes that exist are no guesses, whatever stands in their way', async () => {
    const shopper = await withMug()
    for (let at = 0; at < 15; at += 1) expect(await apply(shopper, 'late')).toBe(error('Coupon “late” has expired.'))
    for (let at = 0; at < 15; at += 1) expect(await apply(shopper, '')).toBe(error('Please enter a coupon code.'))
    expect(await shop.db.sql`select 1 from rate_limits`).toHaveLength(0)
  })

  it('COUP-03 the forms of cart and checkout count in the same way, without scripts', async () => {
    const shopper = await withMug()
    for (let at = 0; at < 5; at += 1) {
      await submitCart(shopper, { coupon_code: `cart-${at}`, apply_coupon: '1' })
      await shopper.post('/checkout/', { coupon_code: `checkout-${at}`, apply_coupon: '1' })
    }
    await viewCart(shopper)
    for (const path of ['/cart/', '/checkout/']) {
      await shopper.post(path, { coupon_code: 'five', apply_coupon: '1' })
      expect(await (await shopper.request(path)).text()).toContain('Too many attempts. Please wait 2 minutes')
    }
    expect((await viewCart(shopper)).coupons).toEqual([])
  })
})
