import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { decoded, submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let ids: Record<string, number>
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  const skus = ['MUG', 'BOWL', 'CARD']
  ids = Object.fromEntries(await Promise.all(skus.map(async (sku) => [sku, await shop.idOf(sku)])))
  const [kitchen] = await shop.db.sql<{ id: number }[]>`select id from categories where slug = 'kitchen'`
  const coupon = (
    code: string,
    settings: object = {},
    over: { type?: string; limit?: number; used?: number; expires?: Date } = {},
  ) =>
    shop.db.sql`insert into coupons ${shop.db.sql({
      code,
      type: over.type ?? 'fixed_cart',
      amount_minor: 500,
      usage_limit: over.limit ?? null,
      used: over.used ?? 0,
      expires_at: over.expires ?? null,
      settings: shop.db.sql.json(settings as never),
    })}`
  await coupon('five')
  await coupon('also')
  await coupon('alone', { individualUse: true })
  await coupon('late', {}, { expires: new Date('2020-01-01') })
  await coupon('spend100', { minimumAmount: 10_000 })
  await coupon('under10', { maximumAmount: 1_000 })
  await coupon('bowls', { productIds: [ids.BOWL] }, { type: 'fixed_product' })
  await coupon('nosale', { excludeSaleItems: true })
  await coupon('nomugs', { excludedProductIds: [ids.MUG] })
  await coupon('nokitchen', { excludedCategoryIds: [kitchen?.id] })
  await coupon('friends', { emails: ['*@friends.example'] })
  await coupon('once', {}, { limit: 1 })
  await coupon('spent', {}, { limit: 1, used: 1 })
  await coupon('oneeach', { usageLimitPerUser: 1 })
  await coupon('free', { freeShipping: true })
  await shop.db
    .sql`insert into shipping_methods (zone_id, method, title, position, settings) values (1, 'free_shipping', 'Free', 2, '{"requires":"coupon"}')`
  await reconfigured(shop)
})
afterAll(() => shop.close())

async function withMug(name = 'ada'): Promise<Shopper> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG')
  return shopper
}

/** A call as the page's script makes it. */
async function call(shopper: Shopper, endpoint: 'apply_coupon' | 'remove_coupon', fields: Record<string, string>) {
  const action = endpoint.replace('_', '-')
  const { application } = shop.shop
  const token = shopper.cookie(application.sessionCookie) ?? ''
  const security = nonceFor(application.secret, action, sha256(token), application.tools.clock.now())
  const response = await shopper.post(`/?wc-ajax=${endpoint}`, { security, ...fields })
  return { status: response.status, html: await response.text(), type: response.headers.get('content-type') }
}
const apply = (shopper: Shopper, coupon_code: string, more: Record<string, string> = {}) =>
  call(shopper, 'apply_coupon', { coupon_code, ...more })
const error = (text: string) => `<ul class="woocommerce-error" role="alert"><li role="presentation">${text}</li></ul>`
const done = (text: string) => `<div class="woocommerce-message" role="alert">${text}</div>`

describe('a coupon by the call', () => {
  it('COUP-01 answers its notice as markup, and takes its amount off', async () => {
    const shopper = await withMug()
    const { status, html, type } = await apply(shopper, '  FIVE ')
    expect([status, html, type]).toEqual([200, done('Coupon code applied successfully.'), 'text/html; charset=UTF-8'])
    const cart = await viewCart(shopper)
    // 12.00 − 5.00, tax 0.51, shipping 6.90.
    expect([cart.coupons, cart.total]).toEqual([['five'], '$14.41'])
    // Beside the amount a code alone would not say what it is.
    expect(cart.html).toContain('<th scope="row">Coupon: <span translate="no">five</span></th>')
  })

  it('COUP-02 is removed by a call whose link carries the code', async () => {
    const shopper = await withMug()
    await apply(shopper, 'five')
    expect((await viewCart(shopper)).html).toMatch(/href="\/cart\/\?remove_coupon=five"[^>]*data-coupon="five"/)
    expect((await call(shopper, 'remove_coupon', { coupon: 'FIVE' })).html).toBe(done('Coupon has been removed.'))
    expect((await viewCart(shopper)).coupons).toEqual([])
    const again = await call(shopper, 'remove_coupon', { coupon: 'five' })
    expect(again.html).toBe(error('Sorry, there was a problem removing this coupon.'))
  })

  it('COUP-01 COUP-02 need the visitor’s nonce', async () => {
    const shopper = await withMug()
    const forged = await apply(shopper, 'five', { security: '0123456789' })
    expect([forged.status, forged.html]).toEqual([403, '-1'])
    expect((await call(shopper, 'remove_coupon', { coupon: 'five', security: '' })).status).toBe(403)
    expect((await viewCart(shopper)).coupons).toEqual([])
  })

  const refused: [string, string][] = [
    ['', 'Please enter a coupon code.'],
    ['   ', 'Please enter a coupon code.'],
    ['nothing', 'Coupon “nothing” does not exist.'],
    ['<b>&', 'Coupon “&lt;b&gt;&amp;” does not exist.'],
    ['late', 'Coupon “late” has expired.'],
    ['spent', 'The usage limit of coupon “spent” has been reached.'],
    ['spend100', 'Coupon “spend100” requires a purchase of at least $100.00.'],
    ['under10', 'Coupon “under10” is valid only for purchases up to $10.00.'],
    ['bowls', 'Coupon “bowls” does not apply to the products in your cart.'],
    ['nomugs', 'Coupon “nomugs” does not apply to these products: “Plain mug”.'],
    ['nokitchen', 'Coupon “nokitchen” does not apply to these products: “Plain mug”.'],
  ]
  it.each(refused)('COUP-01 refuses %j by the call and by the form with the same words', async (code, text) => {
    const shopper = await withMug()
    expect((await apply(shopper, code)).html).toBe(error(text))
    const cart = await submitCart(shopper, { coupon_code: code, apply_coupon: 'Apply coupon' })
    expect(cart.errors).toEqual([decoded(text)])
    expect([cart.coupons, cart.total]).toEqual([[], '$19.77'])
  })

  it('COUP-01 refuses a coupon for goods on sale, one twice, and one beside an exclusive one', async () => {
    const shopper = await withMug()
    await shopper.add('BOWL')
    expect((await apply(shopper, 'nosale')).html).toBe(error('Coupon “nosale” cannot be used for products on sale.'))
    await apply(shopper, 'five')
    expect((await apply(shopper, 'five')).html).toBe(error('Coupon code “five” has already been applied.'))
    await apply(shopper, 'also')
    expect((await viewCart(shopper)).coupons).toEqual(['five', 'also'])
    await apply(shopper, 'alone')
    expect((await viewCart(shopper)).coupons).toEqual(['alone'])
    expect((await apply(shopper, 'five')).html).toBe(
      error('Coupon “five” cannot be used together with the coupon in your cart.'),
    )
  })

  it('COUP-01: whose cart is gone is told that, and nothing of products in it', async () => {
    const expired = 'Your cart is empty, or your session has expired.'
    const shopper = new Shopper(shop, 'nobody')
    const answer = await shopper.post('/cart/', { coupon_code: 'bowls', apply_coupon: 'Apply coupon' })
    expect(answer.headers.get('location')).toBe('/cart/')
    const cart = await viewCart(shopper)
    expect([cart.isEmpty, cart.errors]).toEqual([true, [`${expired} Return to shop`]])
    expect((await apply(shopper, 'bowls')).html).toContain(`${expired} <a href="/shop/" class="wc-backward">`)
    // What is true of the coupon alone is said as ever.
    expect((await apply(shopper, 'late')).html).toBe(error('Coupon “late” has expired.'))
  })

  it('COUP-01 keeps the e-mail that the checkout sends along', async () => {
    const shopper = await withMug()
    expect((await apply(shopper, 'friends', { billing_email: 'Bob@Friends.example' })).html).toContain('successfully')
    expect((await viewCart(shopper)).coupons).toEqual(['friends'])
  })

  it('COUP-01 with free shipping chooses it', async () => {
    const shopper = await withMug()
    await apply(shopper, 'free')
    const { html, total } = await viewCart(shopper)
    expect(html).toMatch(/<input type="radio"[^>]*id="shipping_method_0_free_shipping\d"[^>]*checked=""/)
    expect(total).toBe('$7.51')
  })

  it('COUP-01 hostile codes are refused with a word', async () => {
    const shopper = await withMug()
    for (const code of ['x'.repeat(5000), "'; drop table coupons; --", '%', '\u202e', '💥'.repeat(60), 'null']) {
      const { status, html } = await apply(shopper, code)
      expect(status, code.slice(0, 20)).toBe(200)
      expect(html).toMatch(/woocommerce-error/)
    }
    for (const fields of [{ 'coupon_code[]': 'five' }, { 'coupon_code[a][b]': 'five' }]) {
      expect((await call(shopper, 'apply_coupon', fields)).html).toBe(error('Please enter a coupon code.'))
      expect((await submitCart(shopper, { ...fields, apply_coupon: '1' })).coupons).toEqual([])
    }
    expect((await shopper.post('/?wc-ajax=apply_coupon', { coupon_code: 'a\0b' })).status).toBeLessThan(500)
  })
})

describe('the uses of a coupon', () => {
  const order = async (shopper: Shopper, status: string) => {
    await shopper.openCheckout()
    const placed = await shopper.placeOrder('cod')
    await shop.db.sql`update orders set status = ${status}, payment_state = 'none' where id = ${placed.order_id ?? 0}`
    return placed
  }

  it('COUP-01 one held by somebody’s unpaid order may come free again', async () => {
    const first = await withMug('first')
    await apply(first, 'once')
    await order(first, 'pending')
    const second = await withMug('second')
    expect((await apply(second, 'once')).html).toBe(
      error('Coupon “once” is in use by an order that is being paid. Please try again later.'),
    )
    await shop.db.sql`update orders set status = 'processing' where id in (select order_id from coupon_uses)`
    expect((await apply(second, 'once')).html).toBe(error('The usage limit of coupon “once” has been reached.'))
  })

  it('COUP-01 that this visitor’s own unpaid order holds stays on the cart', async () => {
    await shop.db.sql`delete from coupon_uses`
    await shop.db.sql`update coupons set used = 0 where code = 'once'`
    const shopper = await withMug('again')
    await apply(shopper, 'once')
    await order(shopper, 'pending')
    await shopper.add('MUG')
    await apply(shopper, 'once')
    const cart = await viewCart(shopper)
    expect([cart.coupons, cart.errors]).toEqual([['once'], []])
  })

  it('COUP-01 is counted for each customer, known by e-mail at the checkout', async () => {
    const shopper = await withMug('carol')
    await apply(shopper, 'oneeach')
    await order(shopper, 'processing')
    const later = await withMug('carol')
    expect((await apply(later, 'oneeach')).html).toContain('successfully')
    await later.openCheckout()
    const placed = await later.placeOrder('cod')
    expect([placed.result, placed.messages]).toEqual([
      'failure',
      error('The usage limit of coupon “oneeach” has been reached. It was removed from your cart.'),
    ])
    expect((await viewCart(later)).coupons).toEqual([])
  })
})

describe('a coupon that stands alone', () => {
  it('COUP-01 F23 has no company after a login either, and the one that comes off is told', async () => {
    const put = (customer: Customer, coupon_code: string) =>
      customer.post('/?wc-ajax=apply_coupon', { security: customer.nonce('apply-coupon'), coupon_code })
    const home = aCustomer(shop, 'vic@example.test')
    await home.register()
    await home.add('MUG')
    await put(home, 'five')
    const away = aCustomer(shop, 'vic@example.test')
    await away.add('BOWL')
    await put(away, 'alone')
    await away.logIn()

    const page = await away.page('/cart/')
    expect([...page.matchAll(/cart-discount coupon-(\w+)/g)].map(([, code]) => code)).toEqual(['alone'])
    expect(page).toContain(
      'Coupon “five” cannot be used together with the coupon in your cart. It was removed from your cart.',
    )
    expect(await away.page('/cart/')).not.toContain('It was removed from your cart.')
  })

  it('COUP-01 F18 has none where two are typed at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shopper = await withMug()
      await Promise.all(['five', 'alone', 'also'].map((code) => apply(shopper, code)))
      const { coupons } = await viewCart(shopper)
      if (coupons.includes('alone')) expect(coupons).toEqual(['alone'])
    }
  })
})

describe('a coupon that no longer holds', () => {
  it('COUP-01 comes off with its reason when the cart is looked at', async () => {
    const shopper = await withMug()
    await apply(shopper, 'five')
    await shop.db.sql`update coupons set expires_at = '2020-01-01' where code = 'five'`
    const cart = await viewCart(shopper)
    expect([cart.coupons, cart.errors]).toEqual([[], ['Coupon “five” has expired. It was removed from your cart.']])
    await shop.db.sql`update coupons set expires_at = null where code = 'five'`
  })

  it('COUP-01 comes off when the merchant has deleted it', async () => {
    const shopper = await withMug()
    await apply(shopper, 'also')
    await shop.db.sql`delete from coupons where code = 'also'`
    const cart = await viewCart(shopper)
    expect(cart.errors).toEqual(['Coupon “also” is no longer valid and was removed from your cart.'])
    expect((await viewCart(shopper)).errors).toEqual([])
  })

  it('COUP-01 comes off when the merchant takes coupons no longer', async () => {
    const shopper = await withMug()
    await apply(shopper, 'five')
    await writeSettings(shop.db, { couponsEnabled: false })
    await reconfigured(shop)
    const cart = await viewCart(shopper)
    expect([cart.total, cart.errors]).toEqual([
      '$19.77',
      ['Coupon “five” is no longer valid and was removed from your cart.'],
    ])
    await writeSettings(shop.db, { couponsEnabled: true })
    await reconfigured(shop)
    expect((await viewCart(shopper)).total).toBe('$19.77')
  })
})
