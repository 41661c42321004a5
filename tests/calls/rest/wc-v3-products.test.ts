import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type V3Product, v3Product } from '#contract/catalog/v3-products.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type Fault = { code: string; message: string; data: { status: number; params?: Record<string, string> } }

let shop: TestShop
let api: V3Client
beforeAll(async () => {
  shop = await aShop({ settings: { timeZone: 'America/New_York' } })
  api = await v3Client(shop)
})
afterAll(() => shop.close())

const create = async (input: object) => {
  const { status, body } = await api<V3Product>('POST', 'products', input)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const page = async (path: string) => (await fetch(shop.url + path)).text()

describe('wc/v3/products', () => {
  it('has every member of a product, with amounts as decimals and times of the shop and of UTC', async () => {
    const mug = await shop.idOf('MUG')
    const { status, body } = await api<V3Product>('GET', `products/${mug}`)
    expect(status).toBe(200)
    const { _links, ...record } = body as V3Product & { _links: unknown }
    expect(v3Product.strict().parse(record)).toEqual(record)
    expect(Object.keys(record).sort()).toEqual(Object.keys(v3Product.shape).sort())
    expect(record).toMatchObject({
      id: mug,
      sku: 'MUG',
      type: 'simple',
      status: 'publish',
      permalink: `${shop.url}/product/${record.slug}/`,
      purchasable: true,
      manage_stock: true,
      backorders: 'no',
      backorders_allowed: false,
      download_limit: -1,
      tax_class: '',
      has_options: false,
      price: record.regular_price,
    })
    expect(record.price).toMatch(/^\d+\.\d\d$/)
    expect(record.price_html).toContain('woocommerce-Price-amount')
    const hours = (text: string | null) => Date.parse(`${text}Z`) / 3_600_000
    expect([4, 5]).toContain(hours(record.date_created_gmt) - hours(record.date_created))
    expect(_links).toMatchObject({ self: [{ href: `${shop.url}/wp-json/wc/v3/products/${mug}` }] })
  })

  it('creates a product that the storefront shows and sells at once', async () => {
    const { status, headers, body } = await api<V3Product>('POST', 'products', {
      name: 'Moon lamp',
      sku: 'MOON',
      regular_price: '48.5',
      sale_price: '40',
      description: '<p>Glows.</p>',
      manage_stock: true,
      stock_quantity: 3,
      weight: '1.25',
      dimensions: { length: '10', width: '20.5', height: '' },
      meta_data: [{ key: 'origin', value: { country: 'PT' } }],
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(headers.get('location')).toBe(`${shop.url}/wp-json/wc/v3/products/${body.id}`)
    expect(body).toMatchObject({
      slug: 'moon-lamp',
      type: 'simple',
      status: 'publish',
      price: '40.00',
      regular_price: '48.50',
      sale_price: '40.00',
      on_sale: true,
      stock_quantity: 3,
      stock_status: 'instock',
      weight: '1.25',
      dimensions: { length: '10', width: '20.5', height: '' },
      meta_data: [{ id: 1, key: 'origin', value: { country: 'PT' } }],
    })
    expect(await page('/product/moon-lamp/')).toContain('Moon lamp')
    expect(await page('/?s=moon+lamp&post_type=product')).toContain('/product/moon-lamp/')
    const shopper = new Shopper(shop, 'moon')
    await shopper.add('MOON', 2)
    const [line] = await shop.db.sql`
      select count(*)::int as n from sessions where state::text like ${`%"productId":${body.id}%`} or state::text like ${`%"productId": ${body.id}%`}`
    expect(line).toEqual({ n: 1 })
    const [moved] = await shop.db.sql`select change, kind from stock_movements where product_id = ${body.id}`
    expect(moved).toEqual({ change: 3, kind: 'counted' })
  })

  it('changes a product, and its cached page and listing follow', async () => {
    const { id } = await create({ name: 'Tide bowl', regular_price: '20.00', sku: 'TIDE-BOWL' })
    expect(await page('/product/tide-bowl/')).toContain('20.00')
    expect(await page('/product/tide-bowl/')).toContain('20.00')
    const { status, body } = await api<V3Product>('PUT', `products/${id}`, {
      regular_price: 23.5,
      name: 'Tidal bowl',
      manage_stock: true,
      stock_quantity: 0,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Tidal bowl', slug: 'tide-bowl', price: '23.50', stock_status: 'outofstock' })
    await expect.poll(() => page('/product/tide-bowl/')).toContain('23.50')
    expect(await page('/product/tide-bowl/')).toContain('Tidal bowl')
    expect(await page('/product/tide-bowl/')).toContain('Out of stock')
    const same = await api<V3Product>('PUT', `products/${id}`, body)
    expect(same.status, JSON.stringify(same.body)).toBe(200)
    expect(same.body.date_modified_gmt).toBe(body.date_modified_gmt)
    expect(same.body).toEqual(body)
  })

  it('moves a product to the trash, restores it by its status, and deletes it by force', async () => {
    const { id } = await create({ name: 'Short lived', regular_price: '5' })
    const trashed = await api<V3Product>('DELETE', `products/${id}`)
    expect(trashed).toMatchObject({ status: 200, body: { id, status: 'trash' } })
    await expect.poll(async () => (await fetch(`${shop.url}/product/short-lived/`)).status).toBe(404)
    const again = await api<Fault>('DELETE', `products/${id}`)
    expect(again).toMatchObject({ status: 410, body: { code: 'woocommerce_rest_already_trashed' } })
    expect((await api<V3Product[]>('GET', `products?include=${id}`)).body).toEqual([])
    expect((await api<V3Product[]>('GET', `products?include=${id}&status=trash`)).body).toMatchObject([{ id }])
    expect((await api<V3Product>('PUT', `products/${id}`, { status: 'publish' })).body.status).toBe('publish')
    await expect.poll(async () => (await fetch(`${shop.url}/product/short-lived/`)).status).toBe(200)
    expect(await api('DELETE', `products/${id}?force=true`)).toMatchObject({ status: 200, body: { id } })
    expect(await api<Fault>('GET', `products/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_product_invalid_id' },
    })
  })

  it('refuses a duplicate SKU, an impossible price, unknown terms and unknown types', async () => {
    const mug = await shop.idOf('MUG')
    const duplicate = await api<Fault>('POST', 'products', { name: 'Another mug', sku: 'MUG', regular_price: '5' })
    expect(duplicate).toMatchObject({
      status: 400,
      body: { code: 'product_invalid_sku', data: { status: 400, resource_id: mug } },
    })
    const faults: [object, string][] = [
      [{ name: 'X', regular_price: 'ten' }, 'regular_price'],
      [{ name: 'X', regular_price: '5', sale_price: '5' }, 'sale_price'],
      [{ name: 'X', sale_price: '5' }, 'sale_price'],
      [{ name: '' }, 'name'],
      [{ regular_price: '5' }, 'name'],
      [{ name: 'X', type: 'service' }, 'type'],
      [{ name: 'X', type: 'external' }, 'external_url'],
      [{ name: 'X', tax_class: 'luxury' }, 'tax_class'],
      [{ name: 'X', weight: 'heavy' }, 'weight'],
      [{ name: 'X', categories: [{ id: 999_999 }] }, 'categories'],
      [{ name: 'X', upsell_ids: [999_999] }, 'upsell_ids'],
      [{ name: 'X', images: [{ id: 999_999 }] }, 'images'],
      [{ name: 'X', manage_stock: true, stock_quantity: -1 }, 'stock_quantity'],
      [{ name: 'X', date_on_sale_from: 'tomorrow' }, 'date_on_sale_from'],
    ]
    for (const [input, name] of faults) {
      const { status, body } = await api<Fault>('POST', 'products', input)
      expect([status, body.code, Object.keys(body.data.params ?? {})], JSON.stringify(input)).toEqual([
        400,
        'rest_invalid_param',
        [name],
      ])
    }
    const [left] = await shop.db.sql`select count(*)::int as n from products where name = 'X'`
    expect(left).toEqual({ n: 0 })
  })

  it('takes an SKU for a duplicate whatever its case', async () => {
    const { status, body } = await api<Fault>('POST', 'products', { name: 'Lower mug', sku: 'mug' })
    expect([status, body.code]).toEqual([400, 'product_invalid_sku'])
    const mug = await shop.idOf('MUG')
    expect((await api<V3Product>('PUT', `products/${mug}`, { sku: 'MUG' })).status).toBe(200)
  })

  it('cleans markup, as the import does', async () => {
    const script = '<p onclick="x()">Safe</p><script>steal()</script>'
    const { description, short_description: short } = await create({
      name: 'Clean',
      description: script,
      short_description: script,
    })
    expect([description, short]).toEqual(['<p>Safe</p>', '<p>Safe</p>'])
    const { body: category } = await api('POST', 'products/categories', { name: 'Clean', description: script })
    expect(category.description).toBe('<p>Safe</p>')
  })

  it('links products that waited for the SKU of a new one', async () => {
    const mug = await shop.idOf('MUG')
    await shop.db
      .sql`insert into product_link_names (product_id, kind, position, name) values (${mug}, 'crosssell', 0, 'SOON-1')`
    const { id } = await create({ name: 'Later', sku: 'SOON-1', regular_price: '2' })
    expect((await api<V3Product>('GET', `products/${mug}`)).body.cross_sell_ids).toEqual([id])
    expect((await api<V3Product>('PUT', `products/${mug}`, { cross_sell_ids: [] })).body.cross_sell_ids).toEqual([])
  })

  it('asks for a key, and for the right of what is asked', async () => {
    const [reads, writes] = [await v3Client(shop, 'read'), await v3Client(shop, 'write')]
    expect((await fetch(`${shop.url}/wp-json/wc/v3/products`)).status).toBe(401)
    expect((await reads('POST', 'products', { name: 'No' })).status).toBe(401)
    expect((await writes('GET', 'products')).status).toBe(401)
    expect((await reads('GET', 'products?per_page=1')).status).toBe(200)
  })
})

describe('the list of wc/v3/products', () => {
  const skus = async (query: string) => {
    const { status, body } = await api<V3Product[]>('GET', `products?per_page=100&${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.map(({ sku }) => sku)
  }

  it('counts its pages in headers and links to the others', async () => {
    const { headers, body } = await api<V3Product[]>('GET', 'products?per_page=2&page=2&orderby=id&order=asc')
    const total = Number(headers.get('x-wp-total'))
    expect(body).toHaveLength(2)
    expect(headers.get('x-wp-totalpages')).toBe(String(Math.ceil(total / 2)))
    expect(headers.get('link')).toMatch(/rel="prev".*rel="next"/)
    const offset = await api<V3Product[]>('GET', 'products?per_page=2&offset=1&orderby=id&order=asc&_fields=id')
    expect(offset.body[1]).toEqual({ id: body[0]?.id })
    expect((await api<Fault>('GET', 'products?per_page=101')).body.data.params).toEqual({
      per_page: expect.any(String),
    })
    expect((await api<Fault>('GET', 'products?orderby=colour')).status).toBe(400)
  })

  it('filters by each parameter', async () => {
    const { body: category } = await api<{ id: number }>('POST', 'products/categories', { name: 'Filtered' })
    const { body: child } = await api<{ id: number }>('POST', 'products/categories', {
      name: 'Below',
      parent: category.id,
    })
    const { body: tag } = await api<{ id: number }>('POST', 'products/tags', { name: 'Filtered tag' })
    const { body: brand } = await api<{ id: number }>('POST', 'products/brands', { name: 'Filtered brand' })
    const { body: attribute } = await api<{ id: number; slug: string }>('POST', 'products/attributes', {
      name: 'Finish',
    })
    const one = await create({
      name: 'Filter one',
      sku: 'F-1',
      type: 'external',
      external_url: 'https://example.test/',
      regular_price: '11',
      sale_price: '9',
      featured: true,
      global_unique_id: '4006381333931',
      shipping_class: 'Bulky goods',
      categories: [{ id: child.id }],
      tags: [{ id: tag.id }],
      brands: [{ id: brand.id }],
      attributes: [{ id: attribute.id, options: ['Matte', 'Gloss'] }],
      status: 'private',
      date_created: '2020-02-01T10:00:00',
    })
    const two = await create({
      name: 'Filter two',
      sku: 'F-2',
      regular_price: '99',
      stock_status: 'onbackorder',
      virtual: true,
    })
    const { body: terms } = await api<{ id: number; name: string }[]>(
      'GET',
      `products/attributes/${attribute.id}/terms`,
    )
    const [gloss] = terms.filter(({ name }) => name === 'Gloss')
    const both = `include=${one.id},${two.id}&orderby=include`
    expect(await skus(both)).toEqual(['F-1', 'F-2'])
    expect(await skus(`include[]=${two.id}&include[]=${one.id}&orderby=include`)).toEqual(['F-2', 'F-1'])
    expect(await skus(`${both}&exclude=${one.id}`)).toEqual(['F-2'])
    const cases: [string, string[]][] = [
      [`${both}&type=external`, ['F-1']],
      [`${both}&exclude_types=external`, ['F-2']],
      [`${both}&status=private`, ['F-1']],
      [`${both}&exclude_status=private`, ['F-2']],
      [`${both}&featured=true`, ['F-1']],
      [`${both}&on_sale=1`, ['F-1']],
      [`${both}&virtual=true`, ['F-2']],
      [`${both}&max_price=9.50`, ['F-1']],
      [`${both}&min_price=50`, ['F-2']],
      [`${both}&stock_status=onbackorder`, ['F-2']],
      [`${both}&tax_class=standard`, ['F-1', 'F-2']],
      [`${both}&before=2021-01-01T00:00:00`, ['F-1']],
      [`${both}&after=2021-01-01T00:00:00`, ['F-2']],
      [`${both}&modified_before=2021-01-01T00:00:00`, []],
      [`${both}&search_sku=f-2`, ['F-2']],
      [`${both}&search_name_or_sku=one`, ['F-1']],
      [`category=${category.id}`, ['F-1']],
      [`tag=${tag.id}`, ['F-1']],
      [`brand=${brand.id}`, ['F-1']],
      [`shipping_class=${one.shipping_class_id}`, ['F-1']],
      [`attribute=${attribute.slug}&attribute_term=${gloss?.id}`, ['F-1']],
      ['global_unique_id=4006381333931', ['F-1']],
      ['sku=F-2,F-1&orderby=price&order=asc', ['F-1', 'F-2']],
      ['slug=filter-two', ['F-2']],
      ['search=filter%20t', ['F-2']],
      ['sku=SHIRT-SAND', ['SHIRT-SAND']],
      ['sku=F-1,F-2&orderby=title&order=asc', ['F-1', 'F-2']],
      ['sku=F-1,F-2&orderby=date&order=asc', ['F-1', 'F-2']],
      ['sku=F-1,F-2&orderby=slug&order=desc', ['F-2', 'F-1']],
      ['sku=F-1,F-2&orderby=id&order=desc', ['F-2', 'F-1']],
      ['sku=F-1,F-2&orderby=modified&order=desc', ['F-2', 'F-1']],
      ['sku=F-1,F-2&orderby=popularity&order=desc', ['F-2', 'F-1']],
      ['sku=F-1,F-2&orderby=rating&order=desc', ['F-2', 'F-1']],
      ['sku=F-1,F-2&orderby=menu_order&order=asc', ['F-1', 'F-2']],
    ]
    for (const [query, expected] of cases) expect(await skus(query), query).toEqual(expected)
  })

  it('embeds linked products once asked', async () => {
    const mug = await shop.idOf('MUG')
    const { id } = await create({ name: 'Saucer', regular_price: '4', upsell_ids: [mug] })
    const plain = await api<Record<string, unknown>>('GET', `products/${id}`)
    expect(plain.body).toMatchObject({
      upsell_ids: [mug],
      _links: { upsell: [{ href: `${shop.url}/wp-json/wc/v3/products/${mug}`, embeddable: true }] },
    })
    expect(plain.body).not.toHaveProperty('_embedded')
    expect((await api('GET', `products/${id}?_embed`)).body).toMatchObject({
      _embedded: { upsell: [{ id: mug, sku: 'MUG' }] },
    })
    expect((await api('GET', `products/${id}?_embed=up`)).body).not.toHaveProperty('_embedded')
    const listed = await api<Record<string, unknown>[]>(
      'GET',
      `products?include=${id}&_embed=1&_fields=id,_embedded.upsell.sku`,
    )
    expect(listed.body).toEqual([{ id, _embedded: { upsell: [{ sku: 'MUG' }] } }])
  })
})

describe('a batch of wc/v3/products', () => {
  it('applies what can be, and reports the rest in its place', async () => {
    const { id } = await create({ name: 'Batch one', regular_price: '1' })
    const gone = await create({ name: 'Batch gone', regular_price: '1' })
    const { status, body } = await api('POST', 'products/batch', {
      create: [
        { name: 'Batch two', regular_price: '2' },
        { name: 'Batch three', sku: 'MUG' },
      ],
      update: [
        { id, regular_price: '3' },
        { id: 999_999, name: 'Nothing' },
      ],
      delete: [gone.id, 999_999],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      create: [
        { name: 'Batch two', price: '2.00' },
        { id: 0, error: { code: 'product_invalid_sku' } },
      ],
      update: [
        { id, price: '3.00' },
        { id: 999_999, error: { code: 'woocommerce_rest_product_invalid_id' } },
      ],
      delete: [{ id: gone.id }, { id: 999_999, error: { code: 'woocommerce_rest_product_invalid_id' } }],
    })
    const many = { create: Array.from({ length: 101 }, () => ({ name: 'Many' })) }
    expect(await api('POST', 'products/batch', many)).toMatchObject({
      status: 413,
      body: { code: 'woocommerce_rest_request_entity_too_large' },
    })
  })
})
