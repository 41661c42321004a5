import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { productsPerPage: 6 } })
})
afterAll(() => shop.close())

const get = async (path: string) => {
  const response = await fetch(shop.url + path, { redirect: 'manual' })
  return { status: response.status, html: await response.text(), headers: response.headers }
}
const idsOf = (html: string) => /<body[^>]* data-product-ids="([\d,]*)"/.exec(html)?.[1] ?? ''
const canonicalOf = (html: string) => /rel="canonical" href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
const robotsOf = (html: string) => /name="robots" content="([^"]*)"/.exec(html)?.[1]
const kept = (path: string) => shop.shop.application.pageCache.get(path) !== undefined

const hostile = [
  'filter_colour=',
  'filter_colour=,,,,',
  'filter_=x',
  'filter___proto__=x',
  'filter_constructor=x',
  'filter_colour=%F0%9F%92%A9,%EF%BF%BD',
  `filter_colour=${'a,'.repeat(900)}`,
  `filter_${'x'.repeat(500)}=1`,
  "filter_product_cat='; drop table products; --",
  'filter_product_cat=../../etc/passwd',
  'filter_stock_status=instock,stolen,__proto__',
  'filter_on_sale=yes',
  'min_price=abc',
  'min_price=-5&max_price=-1',
  'min_price=NaN&max_price=Infinity',
  'min_price=1e309',
  'min_price=99999999999999999999',
  'min_price=12.345',
  'max_price=0',
  'min_price[]=1&max_price[a]=2',
  'query_type_colour=and',
  'query_type_colour=or;select+1&filter_colour=sand',
  'orderby=price;drop',
  'orderby=constructor',
  'paged=-1',
  'paged=0x10',
  'paged=1e3',
  'filter_colour=sand&filter_colour=sea',
  'filter_colour=%3Cscript%3Ealert(1)%3C/script%3E',
]

describe('a listing with parameters that nobody should send', () => {
  it.each(hostile)('LIST-06 answers /shop/?%s without falling over or repeating it', async (query) => {
    const { status, html } = await get(`/shop/?${query.replace('#', '')}`)
    expect([200, 404]).toContain(status)
    expect(html).not.toContain('<script>alert')
    if (status === 200) expect(canonicalOf(html)?.length).toBeLessThan(200)
  })

  it.each([
    '?s=%27%22%3Cb%3E&post_type=product',
    '?s=%F0%9F%92%A9',
    `?s=${'a%20'.repeat(300)}`,
    '?s=*:*%26!|(',
    '?s=%25%5C_',
  ])('a search for %s', async (query) => {
    expect((await get(`/${query}`)).status).toBe(200)
    expect((await get(`/search-suggestions/${query.replace('?s=', '?term=')}`)).status).toBe(200)
  })

  it('names the bounds of prices where they are taken back', async () => {
    const { html } = await get('/shop/?min_price=5&max_price=90')
    expect(html).toContain('aria-label="Remove filter: Price: $5.00 – $90.00"')
  })

  it('makes no page of its own for what has no meaning here', async () => {
    const plain = await get('/shop/')
    expect(kept('/shop/')).toBe(true)
    const clicks = [
      'fbclid=1',
      'gclsrc=aw.ds&gclid=1',
      '_hsenc=1&_hsmi=2',
      '_kx=1',
      'mkt_tok=1',
      'mtm_campaign=x',
      'ScCid=1',
    ]
    for (const query of [
      ...clicks,
      'utm_source=x',
      'filter_nothing=1',
      'filter_product_cat=nothing',
      'min_price=x',
      'paged=1',
    ]) {
      const { html } = await get(`/shop/?${query}`)
      expect(html).toBe(plain.html)
      expect(canonicalOf(html)).toBe(`${shop.url}/shop/`)
      expect(kept(`/shop/?${query}`)).toBe(false)
    }
  })

  it('§2.2: hands on what is somebody else’s with another order, in a page that nobody else gets', async () => {
    const query = 'x=%C3%A4&y[]=1&y[]=2&z=%22%3E%3Cscript%3E'
    const path = `/shop/?orderby=price&${query}&min_price=1&utm_source=news&fbclid=1&submit=2&paged=1&product-page=3`
    const { html, headers } = await get(path)
    const form = /<form class="woocommerce-ordering".*?<\/form>/s.exec(html)?.[0] ?? ''
    expect(
      [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map((found) => found.slice(1)),
    ).toEqual([
      ['paged', '1'],
      ['min_price', '1'],
      ['x', 'ä'],
      ['y[]', '1'],
      ['y[]', '2'],
      ['z', '&quot;&gt;&lt;script&gt;'],
    ])
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(canonicalOf(html)).toBe(`${shop.url}/shop/?min_price=1&orderby=price`)
    const own = await get('/shop/?min_price=1&orderby=price')
    expect(own.headers.get('cache-control')).toMatch(/^public/)
    expect(own.html).not.toContain('name="x"')
  })

  it('makes one page of the same choices in any order', async () => {
    const { html } = await get(
      '/shop/?orderby=price&filter_stock_status=outofstock,instock&filter_on_sale=0&max_price=030.00',
    )
    const own = '/shop/?filter_stock_status=instock%2Coutofstock&max_price=30&orderby=price'
    expect(canonicalOf(html)).toBe(shop.url + own)
    expect(kept(own)).toBe(true)
    expect((await get(own)).html).toBe(html)
  })
})

describe('the page of a product', () => {
  it('is kept once for all that chooses nothing, and once for each choice that there is', async () => {
    const [product] = await shop.db.sql<{ slug: string; attribute: string; value: string }[]>`
      select p.slug, a.slug as attribute, a.options[1] as value from products p join product_attributes a on a.product_id = p.id
      where p.type = 'variable' and p.status = 'publish' and a.for_variations order by p.id, a.position limit 1`
    if (!product) throw new Error('there is no product with variations')
    const page = `/product/${product.slug}/`
    const plain = await get(page)
    const junk = [
      'attribute_nothing=1',
      `attribute_${product.attribute}=no+such`,
      'attribute_=x',
      'attribute___proto__=x',
      `attribute_x=${'y'.repeat(900)}`,
      `attribute_${product.attribute}[]=${product.value}`,
    ]
    for (const query of junk) {
      const { status, html } = await get(`${page}?${query}`)
      expect(status).toBe(200)
      expect(html).toBe(plain.html)
      expect(kept(`${page}?${query}`)).toBe(false)
    }
    const choice = `${page}?attribute_${product.attribute}=${product.value}`
    const chosen = await get(`${choice}&attribute_other=1&utm_source=x`)
    expect(chosen.html).not.toBe(plain.html)
    expect(kept(choice)).toBe(true)
    expect((await get(choice)).html).toBe(chosen.html)
    expect((await get('/product/no-such-product/?attribute_x=1')).status).toBe(404)
  })
})

describe('a listing that is narrowed', () => {
  it('LIST-06 shows search engines one choice at a time', async () => {
    expect(robotsOf((await get('/shop/')).html)).toBeUndefined()
    expect(robotsOf((await get('/shop/?filter_on_sale=1')).html)).toBeUndefined()
    expect(robotsOf((await get('/shop/?filter_on_sale=1&filter_stock_status=instock')).html)).toBe('noindex, follow')
    expect(robotsOf((await get('/shop/?max_price=20')).html)).toBe('noindex, follow')
    expect(robotsOf((await get('/?s=shirt&post_type=product')).html)).toBe('noindex, follow')
  })

  it('LIST-06 keeps its choices from page to page', async () => {
    const { html } = await get('/shop/?filter_stock_status=instock')
    expect(html).toContain('/shop/page/2/?filter_stock_status=instock')
    const second = await get('/shop/page/2/?filter_stock_status=instock')
    expect(second.status).toBe(200)
    expect(idsOf(second.html)).not.toBe('')
    expect(canonicalOf(second.html)).toBe(`${shop.url}/shop/page/2/?filter_stock_status=instock`)
    expect((await get('/shop/page/9/?filter_stock_status=instock')).status).toBe(404)
  })

  it('shows within a second that something was sold out', async () => {
    const [row] = await shop.db.sql<{ id: number }[]>`
      select id from products where type = 'simple' and stock_status = 'instock' and visibility = 'visible' order by id limit 1`
    const id = row?.id ?? 0
    const soldOut = async () => idsOf((await get('/shop/?filter_stock_status=outofstock')).html).split(',')
    expect(await soldOut()).not.toContain(String(id))
    await shop.db.kysely.transaction().execute(async (tx) => {
      await tx.updateTable('products').set({ stock_status: 'outofstock' }).where('id', '=', id).execute()
      await catalogChanged(tx, [id])
    })
    await expect.poll(soldOut, { timeout: 1000 }).toContain(String(id))
  })

  it('suggests products and categories as one types, for everybody alike', async () => {
    const { html, headers } = await get('/search-suggestions/?term=linen%20sh')
    expect(html).toContain('/product/linen-shirt/')
    expect(headers.get('cache-control')).toMatch(/^public, max-age=/)
    expect(headers.get('set-cookie')).toBeNull()
  })
})
