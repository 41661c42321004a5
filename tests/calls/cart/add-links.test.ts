import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop?.close())

describe('§1.12: a link that adds a product', () => {
  it.each([
    ['/', '/'],
    ['/shop/?orderby=price', '/shop/?orderby=price'],
    ['/product/plain-mug/', '/product/plain-mug/'],
    ['/cart/', '/cart/'],
    ['/checkout/', '/checkout/'],
    ['/my-account/', '/my-account/'],
    ['/about/', '/about/'],
    ['/nothing-here/', '/nothing-here/'],
    ['/nothing/here/', '/nothing/here/'],
  ])('CART-13 on %s fills the cart and shows that page, which tells of it', async (page, to) => {
    const guest = aCustomer(shop)
    const link = `${page.split('?')[0]}?add-to-cart=${await shop.idOf('BOWL')}`
    const answer = await guest.send(link, { headers: { referer: shop.url + page } })
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
      303,
      to,
      'private, no-store',
    ])
    expect(await guest.page(to)).toContain('has been added to your cart')
    expect(await guest.cart()).toHaveLength(1)
  })

  it('leads to the page that it names, wherever it stands, and keeps what else it says', async () => {
    const guest = aCustomer(shop)
    const leadsTo = async (path: string, referer: string) =>
      (await guest.send(path, { headers: { referer } })).headers.get('location')
    const id = await shop.idOf('MUG')
    expect(await leadsTo(`/checkout/?add-to-cart=${id}&quantity=2`, `${shop.url}/about/`)).toBe('/checkout/')
    expect(await leadsTo(`/checkout/?add-to-cart=${id}`, 'https://news.example/letter')).toBe('/checkout/')
    expect(await leadsTo(`/shop/?orderby=price&add-to-cart=${id}`, `${shop.url}/`)).toBe('/shop/?orderby=price')
    expect(await guest.cart()).toEqual(['4 Plain mug'])
  })

  it('puts nothing into the cart of one who only asks what it would answer, which nobody keeps', async () => {
    const guest = aCustomer(shop)
    const link = `/shop/?orderby=price&add-to-cart=${await shop.idOf('MUG')}`
    const { status, headers } = await guest.send(link, { method: 'HEAD' })
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      303,
      '/shop/?orderby=price',
      'private, no-store',
    ])
    expect(await guest.cart()).toEqual([])
  })

  it('on a cart among whose products others are offered', async () => {
    const guest = aCustomer(shop)
    const [mug, bowl] = [await shop.idOf('MUG'), await shop.idOf('BOWL')]
    await shop.db
      .sql`insert into product_links (product_id, kind, position, linked_id) values (${mug}, 'crosssell', 0, ${bowl})`
    await guest.add('MUG')
    const offered = /class="cross-sells".*?href="(\?add-to-cart=\d+)"/s.exec(await guest.page('/cart/'))?.[1] ?? ''
    expect(offered).toBe(`?add-to-cart=${bowl}`)
    await guest.send(`/cart/${offered}`)
    expect((await guest.cart()).map((line) => line.slice(0, 1))).toEqual(['1', '1'])
    expect((await guest.cart()).join()).toContain('Plain mug')
  })

  it('does nothing at addresses that are no pages', async () => {
    const guest = aCustomer(shop)
    const id = await shop.idOf('MUG')
    for (const path of [
      '/robots.txt',
      '/my-account/customer-logout/',
      '/search-suggestions/',
      '/healthz',
      '/assets/x.js',
    ])
      await guest.send(`${path}?add-to-cart=${id}`)
    expect(await guest.cart()).toEqual([])
  })
})
