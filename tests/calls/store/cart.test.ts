import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StoreCartItem, type StoreCartRecord, storeCart } from '#contract/cart/store-cart.ts'
import { storeHeaders } from '#contract/cart/store-headers.ts'
import { viewCart } from '#tests/support/cart/cart.ts'
import { StoreClient, storeAddress } from '#tests/support/rest/store-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { payments: { cod: { enabled: true } } } })
})
afterAll(() => shop.close())

const headless = () => new StoreClient(shop).begin()
const add = async (client: StoreClient, sku: string, quantity = 1, more: object = {}) =>
  client.post<StoreCartRecord>('cart/add-item', { id: await shop.idOf(sku), quantity, ...more })

describe('wc/store/v1/cart', () => {
  it('is empty for a new visitor, with every member, and stores nothing', async () => {
    const client = new StoreClient(shop, 'cookie')
    const { status, headers, body } = await client.get<StoreCartRecord>('cart')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(Object.keys(storeCart.shape))
    expect(body).toMatchObject({ items: [], items_count: 0, needs_payment: false, needs_shipping: false, errors: [] })
    expect(body.totals).toMatchObject({
      total_price: '0',
      currency_code: 'USD',
      currency_minor_unit: 2,
      currency_prefix: '$',
    })
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('cache-control')).toContain('no-store')
    for (const name of ['Nonce', 'Nonce-Timestamp', 'User-ID', 'Cart-Token'])
      expect(headers.get(name), name).toBeTruthy()
    expect(headers.get('Cart-Hash')).toBe('')
  })

  it('takes writes of a page with cookie and nonce, and gives the next nonce', async () => {
    const client = new StoreClient(shop, 'cookie')
    const without = await client.fail('POST', 'cart/add-item', { id: await shop.idOf('MUG'), quantity: 1 })
    expect([without.status, without.code]).toEqual([401, 'woocommerce_rest_missing_nonce'])
    await client.begin()
    const added = await add(client, 'MUG', 2)
    expect(added.status).toBe(201)
    expect(added.headers.get('set-cookie')).toContain('sid=')
    expect(added.body).toMatchObject({ items_count: 2, items: [{ name: 'Plain mug', quantity: 2, sku: 'MUG' }] })
    expect(added.headers.get('Cart-Hash')).toMatch(/^\w+$/)
    const again = await add(client, 'MUG')
    expect(again.body.items[0]?.quantity).toBe(3)
    client.nonce = '0123456789'
    const wrong = await client.fail('POST', 'cart/remove-item', { key: added.body.items[0]?.key })
    expect([wrong.status, wrong.code]).toEqual([403, 'woocommerce_rest_invalid_nonce'])
  })

  it('takes writes with a Cart-Token alone, sets no cookie, and ignores the cookie of another visitor', async () => {
    const other = new Shopper(shop, 'other')
    await other.add('BOWL')
    const client = await headless()
    client.more.cookie = `sid=${other.cookie('sid')}`
    const added = await add(client, 'MUG')
    expect(added.status).toBe(201)
    expect(added.headers.get('set-cookie')).toBeNull()
    expect(added.body.items.map(({ sku }) => sku)).toEqual(['MUG'])
    expect((await client.cart()).items_count).toBe(1)
    expect(await other.pieces()).toBe(1)
    const [head = '', payload = ''] = client.token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(Object.keys(claims)).toEqual(['user_id', 'exp', 'iss'])
    expect(claims.iss).toBe('store-api')
    expect(claims.exp - Date.now() / 1000).toBeGreaterThan(47 * 3600)
  })

  it('treats a forged or expired Cart-Token as none', async () => {
    const client = await headless()
    await add(client, 'MUG')
    const good = client.token
    const [head, payload = '', signature = ''] = good.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      `${head}.${encoded({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${good}x`,
      'nonsense',
    ]
    for (const token of forged) {
      client.token = token
      const { status, code } = await client.fail('POST', 'cart/add-item', { id: 1 })
      expect([token, status, code]).toEqual([token, 401, 'woocommerce_rest_missing_nonce'])
    }
    client.token = good
    expect((await client.cart()).items_count).toBe(1)
  })

  it('shares the cart of the session with the pages of the shop, with equal totals', async () => {
    const shopper = new Shopper(shop, 'both')
    await shopper.add('MUG', 3)
    const client = new StoreClient(shop, 'cookie')
    client.cookies.set('sid', shopper.cookie('sid') ?? '')
    await client.begin()
    await client.post('cart/update-customer', { billing_address: { ...storeAddress, email: 'both@example.test' } })
    const { totals, items } = await client.cart()
    const { total, lines } = await viewCart(shopper)
    expect(items.map(({ name, quantity }) => `${name} × ${quantity}`)).toEqual(lines)
    expect(`$${(Number(totals.total_price) / 100).toFixed(2)}`).toBe(total)
    const sum = [totals.total_items, totals.total_fees, totals.total_shipping, totals.total_tax].reduce(
      (all, part) => all + Number(part),
      -Number(totals.total_discount),
    )
    expect(sum).toBe(Number(totals.total_price))
  })

  it('adds a variation by its options, under their slugs or names', async () => {
    const client = await headless()
    const id = await shop.idOf('SHIRT')
    const missing = await client.fail('POST', 'cart/add-item', { id, quantity: 1 })
    expect([missing.status, missing.code]).toEqual([400, 'woocommerce_rest_missing_attributes'])
    const variation = [
      { attribute: 'Colour', value: 'Sea' },
      { attribute: 'attribute_size', value: 'M' },
    ]
    const { body } = await client.post<StoreCartRecord>('cart/add-item', { id, variation })
    expect(body.items).toMatchObject([
      {
        id: await shop.idOf('SHIRT-SEA-M'),
        type: 'variation',
        variation: [
          { attribute: 'Colour', value: 'Sea' },
          { attribute: 'Size', value: 'M' },
        ],
        prices: { price: '4400', raw_prices: { precision: 6, price: '44000000' } },
      },
    ])
    const wrong = await client.fail('POST', 'cart/add-item', {
      id: await shop.idOf('SHIRT-SEA-M'),
      variation: [{ attribute: 'size', value: 'L' }],
    })
    expect([wrong.status, wrong.code]).toEqual([400, 'woocommerce_rest_invalid_variation_data'])
  })

  it('refuses what it does not sell, with the code of each reason', async () => {
    const client = await headless()
    const gone = await client.fail('POST', 'cart/add-item', { id: 999_999 })
    expect([gone.status, gone.code]).toEqual([404, 'woocommerce_rest_cart_invalid_product'])
    const soldOut = await client.fail('POST', 'cart/add-item', { id: await shop.idOf('GONE') })
    expect([soldOut.status, soldOut.code]).toEqual([400, 'woocommerce_rest_product_out_of_stock'])
    const tooMany = await client.fail('POST', 'cart/add-item', { id: await shop.idOf('MUG'), quantity: 51 })
    expect([tooMany.status, tooMany.code]).toEqual([400, 'woocommerce_rest_product_partially_out_of_stock'])
    const none = await client.fail('POST', 'cart/add-item', { quantity: 1 })
    expect([none.status, none.code, none.body.data]).toEqual([
      400,
      'rest_missing_callback_param',
      { status: 400, params: ['id'] },
    ])
    const bad = await client.fail('POST', 'cart/add-item', { id: 'x' })
    expect([bad.status, bad.code]).toEqual([400, 'rest_invalid_param'])
    expect(bad.body.data.params).toHaveProperty('id')
  })

  it('changes and removes lines by their keys; an unknown key answers 409 with the whole cart', async () => {
    const client = await headless()
    const { body } = await add(client, 'MUG')
    const key = body.items[0]?.key ?? ''
    const changed = await client.post<StoreCartRecord>('cart/update-item', { key, quantity: 4 })
    expect(changed.body.items[0]?.totals.line_subtotal).toBe('4800')
    const tooMany = await client.fail('POST', 'cart/update-item', { key, quantity: 5000 })
    expect(tooMany.code).toBe('woocommerce_rest_product_partially_out_of_stock')
    const unknown = await client.fail('POST', 'cart/update-item', { key: 'nothing', quantity: 1 })
    expect([unknown.status, unknown.code]).toEqual([409, 'woocommerce_rest_cart_invalid_key'])
    expect(unknown.body.data.cart?.items_count).toBe(4)
    const removed = await client.post<StoreCartRecord>('cart/remove-item', { key })
    expect(removed.body.items).toEqual([])
    expect((await client.fail('POST', 'cart/remove-item', { key })).status).toBe(409)
  })

  it('has lines as records of their own: list, create, read, change, delete, clear', async () => {
    const client = await headless()
    const made = await client.post<StoreCartItem>('cart/items', { id: await shop.idOf('MUG'), quantity: 2 })
    expect([made.status, made.body.quantity]).toEqual([201, 2])
    const { key } = made.body
    expect((await client.get<StoreCartItem[]>('cart/items')).body).toHaveLength(1)
    expect((await client.get<StoreCartItem>(`cart/items/${key}`)).body.key).toBe(key)
    const changed = await client.send<StoreCartItem>('PUT', `cart/items/${key}`, { quantity: 5 })
    expect(changed.body.quantity).toBe(5)
    expect((await client.get('cart/items/unknown')).code).toBe('woocommerce_rest_cart_invalid_key')
    expect((await client.send('DELETE', `cart/items/${key}`)).body).toEqual([])
    await add(client, 'MUG')
    await add(client, 'BOWL')
    expect((await client.send('DELETE', 'cart/items')).body).toEqual([])
    expect((await client.cart()).items_count).toBe(0)
  })

  it('applies and removes coupons, with their discounts', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_ppm) values ('store10', 'percent', 100000)`
    const client = await headless()
    await add(client, 'MUG', 2)
    const wrong = await client.fail('POST', 'cart/apply-coupon', { code: 'nope' })
    expect([wrong.status, wrong.code]).toEqual([400, 'woocommerce_rest_cart_coupon_error'])
    const { body } = await client.post<StoreCartRecord>('cart/apply-coupon', { code: 'STORE10' })
    expect(body.coupons).toMatchObject([
      { code: 'store10', discount_type: 'percent', totals: { total_discount: '240' } },
    ])
    expect(body.totals.total_discount).toBe('240')
    expect((await client.get<unknown[]>('cart/coupons')).body).toHaveLength(1)
    expect((await client.get('cart/coupons/store10')).status).toBe(200)
    expect((await client.get('cart/coupons/other')).code).toBe('woocommerce_rest_cart_coupon_invalid_code')
    const removed = await client.post<StoreCartRecord>('cart/remove-coupon', { code: 'store10' })
    expect(removed.body.coupons).toEqual([])
    const again = await client.fail('POST', 'cart/remove-coupon', { code: 'store10' })
    expect([again.status, again.code]).toEqual([409, 'woocommerce_rest_cart_coupon_invalid_code'])
    const made = await client.post<{ code: string }>('cart/coupons', { code: 'store10' })
    expect([made.status, made.body.code]).toEqual([201, 'store10'])
    expect((await client.send('DELETE', 'cart/coupons/store10')).body).toEqual([])
    await client.post('cart/coupons', { code: 'store10' })
    expect((await client.send('DELETE', 'cart/coupons')).body).toEqual([])
  })

  it('takes partial addresses, offers rates for them, and charges the chosen one', async () => {
    const client = await headless()
    await add(client, 'MUG')
    const first = await client.post<StoreCartRecord>('cart/update-customer', {
      billing_address: { ...storeAddress, email: 'ada@example.test' },
    })
    expect(first.body.billing_address).toMatchObject({ city: 'San Jose', email: 'ada@example.test' })
    expect(first.body.shipping_address).toMatchObject({ city: 'San Jose' })
    const rates = first.body.shipping_rates[0]?.shipping_rates ?? []
    expect(rates.map(({ name, price, selected }) => [name, price, selected])).toEqual([
      ['Standard', '690', true],
      ['Express', '1500', false],
    ])
    const express = rates[1]?.rate_id
    const chosen = await client.post<StoreCartRecord>('cart/select-shipping-rate', { package_id: 0, rate_id: express })
    expect(chosen.body.totals.total_shipping).toBe('1500')
    const unknown = await client.fail('POST', 'cart/select-shipping-rate', { rate_id: 'flat_rate:99' })
    expect([unknown.status, unknown.code]).toEqual([400, 'woocommerce_rest_invalid_shipping_option'])
    expect((await client.fail('POST', 'cart/select-shipping-rate', { rate_id: '' })).code).toBe(
      'woocommerce_rest_cart_missing_rate_id',
    )
    const moved = await client.post<StoreCartRecord>('cart/update-customer', { shipping_address: { city: 'Fresno' } })
    expect(moved.body.shipping_address.city).toBe('Fresno')
    expect(moved.body.billing_address.city).toBe('San Jose')
    const bad = await client.fail('POST', 'cart/update-customer', { billing_address: { email: 'x' } })
    expect([bad.status, bad.code]).toEqual([400, 'woocommerce_rest_invalid_email_address'])
    const nowhere = await client.fail('POST', 'cart/update-customer', { shipping_address: { country: 'QQ' } })
    expect([nowhere.status, nowhere.code]).toEqual([400, 'woocommerce_rest_invalid_address_country'])
  })

  it('names what has gone from sale in its errors, without changing the cart', async () => {
    const client = await headless()
    await add(client, 'BOWL')
    await shop.db.sql`update products set status = 'draft' where sku = 'BOWL'`
    try {
      const cart = await client.cart()
      expect(cart.items).toEqual([])
      expect(cart.errors).toMatchObject([{ code: 'woocommerce_rest_product_not_purchasable' }])
      expect(cart.errors[0]?.message).toContain('Soup bowl')
    } finally {
      await shop.db.sql`update products set status = 'publish' where sku = 'BOWL'`
    }
    expect((await client.cart()).items_count).toBe(1)
  })

  it('knows no extensions', async () => {
    const client = await headless()
    const { status, code } = await client.fail('POST', 'cart/extensions', { namespace: 'points', data: { use: 5 } })
    expect([status, code]).toEqual([400, 'woocommerce_rest_cart_extensions_error'])
    expect((await client.fail('POST', 'cart/extensions', {})).code).toBe('rest_missing_callback_param')
  })

  it('answers without the version in its address as well, with the names of the Nonce headers unchanged', async () => {
    const client = new StoreClient(shop, 'token', '/wp-json/wc/store')
    const { status, headers } = await client.get('cart?_locale=user')
    expect([status, Boolean(headers.get(storeHeaders.cartToken))]).toEqual([200, true])
    expect((await add(client, 'MUG')).status).toBe(201)
  })

  it('escapes names, which are texts of the merchant', async () => {
    await shop.db.sql`update products set name = 'Mug & <b>Co</b>' where sku = 'MUG'`
    try {
      const client = await headless()
      const { body } = await add(client, 'MUG')
      expect(body.items[0]?.name).toBe('Mug &amp; &lt;b&gt;Co&lt;/b&gt;')
    } finally {
      await shop.db.sql`update products set name = 'Plain mug' where sku = 'MUG'`
    }
  })
})
