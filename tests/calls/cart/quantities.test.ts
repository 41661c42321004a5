import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { follow, keysIn, removeLink, submitCart, undoLink, viewCart } from '#tests/support/cart/cart.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterEach(async () => {
  await shop.db
    .sql`update products set regular_price = 1200, status = 'publish', stock_quantity = 50, stock_status = 'instock' where sku = 'MUG'`
  await shop.db.sql`update products set type = 'simple', status = 'publish' where sku = 'CARD'`
})
afterAll(() => shop.close())

async function withMugs(quantity = 2): Promise<Shopper> {
  const shopper = new Shopper(shop)
  await shopper.add('MUG', quantity)
  return shopper
}
const stock = (pieces: number, status = pieces > 0 ? 'instock' : 'outofstock') =>
  shop.db.sql`update products set stock_quantity = ${pieces}, stock_status = ${status} where sku = 'MUG'`
const setQuantity = async (shopper: Shopper, quantity: string) => {
  const [key = ''] = keysIn((await viewCart(shopper)).html)
  return submitCart(shopper, { [`cart[${key}][qty]`]: quantity, update_cart: 'Update cart' })
}

describe('the quantity of an add', () => {
  it.each([
    ['22 digits', '1'.repeat(22)],
    ['400 digits', '9'.repeat(400)],
    ['a long text', `${'0'.repeat(30)}2x`],
    ['a large exponent', '1e22'],
    ['many signs', '-'.repeat(30)],
  ])(
    '§1.4 that is no number of pieces is refused by call, form and link, however long it is: %s',
    async (_, quantity) => {
      const shopper = new Shopper(shop)
      const id = String(await shop.idOf('MUG'))
      const answer = await shopper.post('/?wc-ajax=add_to_cart', { product_id: id, quantity })
      expect(await answer.json()).toMatchObject({ error: true })
      await shopper.post('/product/plain-mug/', { 'add-to-cart': id, quantity })
      await shopper.request(`/?add-to-cart=${id}&quantity=${quantity}`)
      await shopper.post('/product/tea-set/', {
        'add-to-cart': String(await shop.idOf('SET')),
        [`quantity[${id}]`]: quantity,
      })
      expect((await viewCart(shopper)).lines).toEqual([])
    },
  )

  it('§1.4 that is left out is one', async () => {
    const shopper = new Shopper(shop)
    await shopper.post('/?wc-ajax=add_to_cart', { product_id: String(await shop.idOf('MUG')) })
    expect((await viewCart(shopper)).lines).toEqual(['Plain mug × 1'])
  })
})

describe('the quantities of the cart’s form', () => {
  it('T9 that cost more than a number holds are refused in words', async () => {
    await shop.db.sql`update products set regular_price = 9000000000000 where sku = 'MUG'`
    const shopper = await withMugs()
    expect((await viewCart(shopper)).lines).toEqual(['Plain mug × 2'])
    await expect(shopper.add('MUG', 48)).rejects.toThrow('does not sell 48')
    const cart = await setQuantity(shopper, '50')
    expect(cart.isEmpty).toBe(true)
    expect(cart.errors.join()).toContain('Plain mug')
  })

  it('CART-13 change a line, and 0 takes it out', async () => {
    const shopper = await withMugs()
    const more = await setQuantity(shopper, '3')
    // 3 × 12.00, tax 2.61, shipping 6.90.
    expect([more.lines, more.total, more.done]).toEqual([['Plain mug × 3'], '$45.51', ['Cart updated.']])
    const none = await setQuantity(shopper, '0')
    expect([none.isEmpty, none.done]).toEqual([true, ['Cart updated.']])
  })

  it.each([
    // Whatever is no digit and no dot is left out, as the interface has it.
    ['-1', 1, []],
    [' 4 ', 4, []],
    ['5 pieces', 5, []],
    ['3.9', 3, []],
    ['1e9', 19, []],
    ['0x10', 10, []],
    ['', 2, []],
    ['   ', 2, []],
    ['NaN', 2, ['Please enter a quantity for “Plain mug”.']],
    ['Infinity', 2, ['Please enter a quantity for “Plain mug”.']],
    ['१२', 2, ['Please enter a quantity for “Plain mug”.']],
    ['1.2.3', 2, ['Please enter a quantity for “Plain mug”.']],
    ['.', 2, ['Please enter a quantity for “Plain mug”.']],
    ['<script>', 2, ['Please enter a quantity for “Plain mug”.']],
    ['1000', 50, ['Sorry, we have only 50 of “Plain mug” in stock.']],
    ['99999999999999999999', 50, ['Sorry, we have only 50 of “Plain mug” in stock.']],
    ['9'.repeat(400), 50, ['Sorry, we have only 50 of “Plain mug” in stock.']],
  ])('CART-03 take %j for %i', async (typed, pieces, errors) => {
    const cart = await setQuantity(await withMugs(), typed)
    expect([cart.lines, cart.errors]).toEqual([[`Plain mug × ${pieces}`], errors])
    expect(cart.done).toEqual(pieces === 2 ? [] : ['Cart updated.'])
  })

  it('CART-03 have an upper end also where nobody counts', async () => {
    const shopper = new Shopper(shop)
    await shopper.add('CARD')
    const cart = await setQuantity(shopper, '99999999999999999999')
    expect([cart.lines, cart.errors]).toEqual([
      ['Gift card × 1'],
      ['You can have at most 10000 of “Gift card” in your cart.'],
    ])
    expect((await setQuantity(shopper, '10000')).lines).toEqual(['Gift card × 10000'])
  })

  it('CART-03 lists, unknown keys and foreign nonces change nothing', async () => {
    const shopper = await withMugs()
    const [key = ''] = keysIn((await viewCart(shopper)).html)
    for (const fields of [
      { [`cart[${key}][qty][]`]: '3' },
      { [`cart[${key}]`]: '3' },
      { cart: '3' },
      { 'cart[ffffffffffffffffffffffffffffffff][qty]': '3' },
      { 'cart[][qty]': '3' },
      { [`cart[${key}][qty][__a]`]: '3' },
      { [`cart[${key}][qty]`]: '3', 'woocommerce-cart-nonce': '0123456789' },
    ]) {
      const cart = await submitCart(shopper, { update_cart: 'x', ...fields })
      expect([cart.lines, cart.errors, cart.done], JSON.stringify(fields)).toEqual([['Plain mug × 2'], [], []])
    }
  })

  it('CART-03 one only of what is sold one to a person', async () => {
    const shopper = new Shopper(shop)
    await shopper.add('ONE')
    const cart = await setQuantity(shopper, '2')
    expect([cart.lines, cart.errors]).toEqual([
      ['One-off print × 1'],
      ['You can only have 1 One-off print in your cart.'],
    ])
  })

  it('CART-13 SHIP-01 the form carries the shipping method, and a script is not needed for it', async () => {
    const shopper = await withMugs()
    const { html } = await viewCart(shopper)
    const radios = [...html.matchAll(/<input type="radio"[^>]*>/g)].map(([tag]) => tag)
    expect(radios.map((tag) => /form="cart-form"/.test(tag))).toEqual([true, true])
    expect(html).toMatch(/<button type="submit" form="cart-form"[^>]*without-script[^>]*name="update_shipping"/)
    const cart = await submitCart(shopper, { update_shipping: '1', 'shipping_method[0]': 'flat_rate:2' })
    const chosen = [...cart.html.matchAll(/<input type="radio"[^>]*checked=""[^>]*>/g)].map(
      ([tag]) => /flat_rate:\d/.exec(tag)?.[0],
    )
    expect(chosen).toEqual(['flat_rate:2'])
    // 24.00, tax 1.74, Express 15.00.
    expect(cart.total).toBe('$40.74')
  })
})

describe('a line that is taken out', () => {
  it('CART-07 comes back by its link, once', async () => {
    const shopper = await withMugs()
    const gone = await follow(shopper, removeLink((await viewCart(shopper)).html, 'Plain mug'))
    expect([gone.isEmpty, gone.done]).toEqual([true, ['“Plain mug” removed. Undo?']])
    const undo = undoLink(gone.html) ?? ''
    expect((await follow(shopper, undo)).lines).toEqual(['Plain mug × 2'])
    expect((await follow(shopper, undo)).lines).toEqual(['Plain mug × 2'])
  })

  it('CART-07 is not offered back when stock cannot serve it', async () => {
    const shopper = await withMugs()
    const link = removeLink((await viewCart(shopper)).html, 'Plain mug')
    await stock(1)
    const gone = await follow(shopper, link)
    expect([gone.done, undoLink(gone.html)]).toEqual([['“Plain mug” removed.'], null])
  })

  it('CART-07 comes back only as far as stock serves it', async () => {
    const shopper = await withMugs(3)
    const gone = await follow(shopper, removeLink((await viewCart(shopper)).html, 'Plain mug'))
    await stock(2)
    const fewer = await follow(shopper, undoLink(gone.html) ?? '')
    expect([fewer.lines, fewer.errors]).toEqual([['Plain mug × 2'], ['Sorry, we have only 2 of “Plain mug” in stock.']])
  })

  it('CART-07 stays out when it is sold out or no longer sold', async () => {
    const shopper = await withMugs()
    const undo = undoLink((await follow(shopper, removeLink((await viewCart(shopper)).html, 'Plain mug'))).html) ?? ''
    await stock(0)
    const soldOut = await follow(shopper, undo)
    expect([soldOut.isEmpty, soldOut.errors]).toEqual([true, ['“Plain mug” cannot be put back: it is out of stock.']])
    await stock(50)
    await shop.db.sql`update products set status = 'draft' where sku = 'MUG'`
    const hidden = await follow(shopper, undo)
    expect(hidden.errors).toEqual(['“Plain mug” cannot be put back: it can no longer be purchased.'])
  })

  it('CART-07 needs the visitor’s own nonce, and a key that is there', async () => {
    const shopper = await withMugs()
    const link = removeLink((await viewCart(shopper)).html, 'Plain mug')
    const forged = link.replace(/_wpnonce=\w+/, '_wpnonce=0123456789')
    expect((await follow(shopper, forged)).lines).toEqual(['Plain mug × 2'])
    const unknown = await follow(shopper, link.replace(/remove_item=\w+/, 'remove_item=nothing'))
    expect([unknown.lines, unknown.done]).toEqual([['Plain mug × 2'], []])
    for (const odd of ['%00', '%F0%9F', '', 'x'.repeat(5000), '__proto__']) {
      const { status } = await shopper.request(link.replace(/remove_item=\w+/, `remove_item=${odd}`))
      expect(status, odd).toBeLessThan(500)
    }
    expect((await viewCart(shopper)).lines).toEqual(['Plain mug × 2'])
  })
})

describe('what changed since a line was added', () => {
  const told = async (shopper: Shopper) => {
    const { infos, errors, lines } = await viewCart(shopper)
    return { infos, errors, lines }
  }

  it('CART-04 another price is told once, with both prices', async () => {
    const shopper = await withMugs()
    expect(await told(shopper)).toEqual({ infos: [], errors: [], lines: ['Plain mug × 2'] })
    await shop.db.sql`update products set regular_price = 1500 where sku = 'MUG'`
    expect((await told(shopper)).infos).toEqual(['The price of “Plain mug” has changed from $12.00 to $15.00.'])
    expect((await told(shopper)).infos).toEqual([])
    await shop.db.sql`update products set regular_price = 990 where sku = 'MUG'`
    expect((await told(shopper)).infos).toEqual(['The price of “Plain mug” has changed from $15.00 to $9.90.'])
  })

  it('CART-04 stock that no longer serves the line is told once, and keeps it from being ordered', async () => {
    const shopper = await withMugs()
    await stock(1)
    const fault = 'Only one of “Plain mug” is left. Please reduce the quantity to continue.'
    expect(await told(shopper)).toEqual({
      infos: ['“Plain mug” was in stock before and is down to one piece now.'],
      errors: [fault],
      lines: ['Plain mug × 2'],
    })
    expect(await told(shopper)).toEqual({ infos: [], errors: [fault], lines: ['Plain mug × 2'] })
    await shopper.openCheckout()
    expect((await shopper.placeOrder('cod')).messages).toContain(fault)
    await stock(0)
    expect(await told(shopper)).toEqual({
      infos: ['“Plain mug” was down to one piece before and is out of stock now.'],
      errors: ['“Plain mug” is out of stock. Please remove it from your cart to continue.'],
      lines: ['Plain mug × 2'],
    })
    await stock(7)
    expect(await told(shopper)).toEqual({
      infos: ['“Plain mug” was out of stock before and is in stock now.'],
      errors: [],
      lines: ['Plain mug × 2'],
    })
  })

  it('CART-04 P4 what others hold to the last piece is sold out, whoever asks, and is said once', async () => {
    const shopper = await withMugs(1)
    await stock(1)
    const other = new Shopper(shop, 'grace')
    await other.add('MUG')
    await other.openCheckout()
    expect((await other.placeOrder('cod')).result).toBe('success')
    await shop.db.sql`update products set stock_quantity = 1, stock_status = 'instock' where sku = 'MUG'`
    const [{ id } = { id: 0 }] = await shop.db.sql<{ id: number }[]>`select max(id)::int as id from orders`
    await shop.db.sql`insert into stock_reservations (order_id, product_id, quantity, expires_at)
      values (${id}, ${await shop.idOf('MUG')}, 1, now() + interval '1 hour')`
    const fault = '“Plain mug” is out of stock. Please remove it from your cart to continue.'
    expect((await viewCart(shopper)).errors).toEqual([fault])
    await shopper.openCheckout()
    expect((await shopper.post('/checkout/', shopper.form('cod'))).status).toBe(303)
    expect((await shopper.page('/checkout/')).split(fault)).toHaveLength(2)
    await shop.db.sql`delete from stock_reservations where order_id = ${id}`
  })

  it('CART-04 two lines of one product are told apart by what was chosen', async () => {
    const shopper = await withMugs(1)
    await shopper.add('SHIRT-SEA-M')
    await shop.db.sql`update products set regular_price = regular_price + 100 where sku = 'SHIRT-SEA-M'`
    expect((await told(shopper)).infos).toEqual([
      expect.stringMatching(/^The price of “Linen shirt – Sea, M” has changed/),
    ])
    await shop.db.sql`update products set stock_quantity = 0, stock_status = 'outofstock' where sku = 'SHIRT-SEA-M'`
    expect((await told(shopper)).errors).toEqual([
      '“Linen shirt – Sea, M” is out of stock. Please remove it from your cart to continue.',
    ])
  })

  it('CART-04 two looks at once tell it once', async () => {
    const shopper = await withMugs()
    await shop.db.sql`update products set regular_price = 1500 where sku = 'MUG'`
    const looks = await Promise.all([told(shopper), told(shopper), told(shopper)])
    const later = await told(shopper)
    expect([...looks, later].flatMap(({ infos }) => infos)).toHaveLength(1)
  })

  it('CART-04 a cart of an older release hears nothing and is judged from now on', async () => {
    const shopper = await withMugs()
    await shop.db
      .sql`update sessions set state = jsonb_set(state, '{lines,0}', (state #> '{lines,0}') - 'seen') - 'refusedPlace'
        where jsonb_array_length(state -> 'lines') > 0`
    await shop.db.sql`update products set regular_price = 1500 where sku = 'MUG'`
    expect(await told(shopper)).toEqual({ infos: [], errors: [], lines: ['Plain mug × 2'] })
    await shop.db.sql`update products set regular_price = 1600 where sku = 'MUG'`
    expect((await told(shopper)).infos).toEqual(['The price of “Plain mug” has changed from $15.00 to $16.00.'])
  })

  it('CART-04 a line whose product is another thing now leaves the cart, with the way to it', async () => {
    const shopper = await withMugs()
    await shopper.add('CARD')
    await shop.db.sql`update products set type = 'external' where sku = 'CARD'`
    const cart = await viewCart(shopper)
    expect([cart.lines, cart.errors]).toEqual([['Plain mug × 2'], []])
    expect(cart.infos).toEqual([
      '“Gift card” was removed from your cart because it has been changed since you added it. View the product',
    ])
    expect(cart.html).toContain('href="/product/gift-card/"')
    expect((await viewCart(shopper)).infos).toEqual([])
  })

  it('CART-04 what is gone or may no longer be bought leaves the cart, in the order of the checks', async () => {
    const shopper = new Shopper(shop)
    for (const sku of ['MUG', 'CARD', 'ONE', 'LAST']) await shopper.add(sku)
    await shop.db.sql`update products set status = 'trash' where sku = 'MUG'`
    await shop.db.sql`update products set status = 'draft' where sku = 'CARD'`
    await shop.db.sql`update products set stock_quantity = 0 where sku = 'LAST'`
    await shop.db
      .sql`update sessions set state = jsonb_set(state, '{lines,2,quantity}', '4') where jsonb_array_length(state -> 'lines') = 4`
    const cart = await viewCart(shopper)
    expect([cart.lines, cart.errors]).toEqual([
      ['One-off print × 1', 'Last teapot × 1'],
      [
        'An item that is no longer available was removed from your cart.',
        '“Gift card” was removed from your cart because it can no longer be purchased.',
        'You can only have 1 One-off print in your cart.',
        '“Last teapot” is out of stock. Please remove it from your cart to continue.',
      ],
    ])
    await shop.db.sql`update products set stock_quantity = 1 where sku = 'LAST'`
  })
})

describe('beside the cart', () => {
  it('CART-01 cross-sells that can be bought stand there, those in the cart do not', async () => {
    const id = (sku: string) => shop.idOf(sku)
    const [mug, bowl, gone, teapot] = await Promise.all(['MUG', 'BOWL', 'GONE', 'LAST'].map(id))
    const links = [bowl, gone, teapot, await id('CARD'), await id('SHIRT'), await id('LATER'), mug]
    for (const [position, linked] of links.entries())
      await shop.db
        .sql`insert into product_links (product_id, kind, position, linked_id) values (${mug ?? 0}, 'crosssell', ${position}, ${linked ?? 0})`
    const shopper = await withMugs()
    const names = async () => {
      const { html } = await viewCart(shopper)
      const block = /<div class="cross-sells">(.*)<\/ul><\/div>/s.exec(html)?.[1] ?? ''
      return [...block.matchAll(/product__title">([^<]*)</g)].map(([, name]) => name)
    }
    expect(await names()).toEqual(['Soup bowl', 'Last teapot', 'Gift card', 'Linen shirt'])
    await shopper.add('BOWL')
    expect(await names()).toEqual(['Last teapot', 'Gift card', 'Linen shirt', 'Made-to-order plate'])
    await shop.db.sql`delete from product_links where kind = 'crosssell'`
    expect(await names()).toEqual([])
  })

  it('CART-06 an empty cart leads on: to the shop, and to things that can be bought', async () => {
    const { html, isEmpty } = await viewCart(new Shopper(shop))
    expect(isEmpty).toBe(true)
    expect(html).toMatch(/<p class="return-to-shop"><a class="button alt wc-backward" href="\/shop\/">/)
    const names = [...html.matchAll(/product__title">([^<]*)</g)].map(([, name]) => name)
    expect(names).toHaveLength(4)
    expect(names[0]).toBe('Plain mug')
    expect(names).not.toContain('Sold-out vase')
  })
})
