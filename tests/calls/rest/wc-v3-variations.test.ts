import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { V3Product } from '#contract/catalog/v3-products.ts'
import { type V3Variation, v3Variation } from '#contract/catalog/v3-variations.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type Fault = { code: string; data: { status: number; params?: Record<string, string> } }

let shop: TestShop
let api: V3Client
let product: V3Product
let colour: { id: number }
beforeAll(async () => {
  shop = await aShop()
  api = await v3Client(shop)
  colour = (await api<{ id: number }>('POST', 'products/attributes', { name: 'Paint' })).body
  product = await created('Kite', [
    { id: colour.id, options: ['Red', 'Blue'], variation: true, visible: true },
    { name: 'Span', options: ['1 m', '2 m'], variation: true },
  ])
})
afterAll(() => shop.close())

async function created(name: string, attributes: object[]): Promise<V3Product> {
  const input = { name, type: 'variable', attributes, default_attributes: [{ id: colour.id, option: 'Blue' }] }
  const { status, body } = await api<V3Product>('POST', 'products', input)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const variation = async (input: object, of = product.id) => {
  const { status, body } = await api<V3Variation>('POST', `products/${of}/variations`, input)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

describe('wc/v3/products/{id}/variations', () => {
  it('creates variations that the product page offers and the cart takes', async () => {
    expect(product).toMatchObject({
      type: 'variable',
      purchasable: false,
      attributes: [
        { id: colour.id, name: 'Paint', slug: 'pa_paint', visible: true, variation: true, options: ['Red', 'Blue'] },
        { id: 0, name: 'Span', slug: 'span', visible: false, variation: true, options: ['1 m', '2 m'] },
      ],
      default_attributes: [{ id: colour.id, name: 'Paint', option: 'blue' }],
    })
    const red = await variation({
      sku: 'KITE-RED',
      regular_price: '30',
      manage_stock: true,
      stock_quantity: 2,
      attributes: [
        { id: colour.id, option: 'red' },
        { name: 'span', option: '2 m' },
      ],
    })
    const { _links, ...record } = red as V3Variation & { _links: object }
    expect(v3Variation.strict().parse(record)).toEqual(record)
    expect(_links).toMatchObject({
      self: [{ href: `${shop.url}/wp-json/wc/v3/products/${product.id}/variations/${red.id}` }],
      up: [{ href: `${shop.url}/wp-json/wc/v3/products/${product.id}` }],
    })
    expect(red).toMatchObject({
      name: 'Kite - Red, 2 m',
      parent_id: product.id,
      price: '30.00',
      purchasable: true,
      stock_quantity: 2,
      attributes: [
        { id: colour.id, name: 'Paint', slug: 'pa_paint', option: 'Red' },
        { id: 0, name: 'Span', slug: 'span', option: '2 m' },
      ],
    })
    const parent = (await api<V3Product>('GET', `products/${product.id}`)).body
    expect(parent).toMatchObject({ variations: [red.id], price: '30.00', purchasable: true, has_options: true })
    const html = await (await fetch(`${shop.url}/product/kite/`)).text()
    expect(html).toContain('variations_form')
    expect(html).toContain('30.00')
    const shopper = new Shopper(shop, 'kite')
    const added = await shopper.post('/product/kite/', {
      'add-to-cart': String(product.id),
      variation_id: String(red.id),
      attribute_pa_paint: 'red',
      attribute_span: '2 m',
      quantity: '1',
    })
    expect(added.status).toBeLessThan(400)
    expect(await (await shopper.request('/cart/')).text()).toContain('Kite')
    await shopper.add('KITE-RED', 1)
    await expect(shopper.add('KITE-RED', 1)).rejects.toThrow('does not sell')
  })

  it('leaves attributes open that a variation does not name', async () => {
    const { id } = await created('Open kite', [{ name: 'Span', options: ['1 m'], variation: true }])
    const open = await variation({ regular_price: '9' }, id)
    expect(open.attributes).toEqual([])
    const rows = await shop.db.sql`select slug, value from variation_attributes where product_id = ${open.id}`
    expect(rows).toEqual([{ slug: 'span', value: '' }])
    const more = {
      attributes: [
        { name: 'Span', options: ['1 m'] },
        { name: 'Tail', options: ['Long'], variation: true },
      ],
    }
    expect((await api('PUT', `products/${id}`, more)).status).toBe(200)
    const after = await shop.db.sql`select slug, value from variation_attributes where product_id = ${open.id}`
    expect(after).toEqual([{ slug: 'tail', value: '' }])
  })

  it('changes, trashes, restores and deletes a variation; the product follows', async () => {
    const { id } = await created('Price kite', [{ name: 'Span', options: ['1 m', '2 m'], variation: true }])
    const cheap = await variation({ regular_price: '5', attributes: [{ name: 'Span', option: '1 m' }] }, id)
    const dear = await variation({ regular_price: '8', attributes: [{ name: 'Span', option: '2 m' }] }, id)
    const price = async () => (await api<V3Product>('GET', `products/${id}`)).body.price
    const path = `products/${id}/variations/${cheap.id}`
    expect(await price()).toBe('5.00')
    const changed = await api<V3Variation>('PUT', path, { sale_price: '4', description: 'Light' })
    expect(changed.body).toMatchObject({ price: '4.00', regular_price: '5.00', on_sale: true, description: 'Light' })
    expect(changed.body.attributes).toEqual(cheap.attributes)
    expect((await api<V3Variation>('PUT', path, changed.body)).body).toEqual(changed.body)
    expect(await price()).toBe('4.00')
    expect((await api<V3Variation>('DELETE', path)).body.status).toBe('trash')
    expect(await api<Fault>('DELETE', path)).toMatchObject({ status: 410 })
    expect(await price()).toBe('8.00')
    expect((await api<V3Variation[]>('GET', `products/${id}/variations`)).body.map((one) => one.id)).toEqual([dear.id])
    expect((await api<V3Variation>('PATCH', path, { status: 'publish' })).body.status).toBe('publish')
    expect(await price()).toBe('4.00')
    expect((await api('DELETE', `${path}?force=true`)).status).toBe(200)
    expect(await api<Fault>('GET', path)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_product_variation_invalid_id' },
    })
    expect(await price()).toBe('8.00')
  })

  it('follows the stock of its product, if that is wanted', async () => {
    const { id } = await created('Stock kite', [{ name: 'Span', options: ['1 m'], variation: true }])
    await api('PUT', `products/${id}`, { manage_stock: true, stock_quantity: 7 })
    const of = await variation({ regular_price: '5', manage_stock: 'parent' }, id)
    expect(of).toMatchObject({ manage_stock: 'parent', stock_quantity: 7, stock_status: 'instock' })
  })

  it('refuses what is not of the product', async () => {
    const mug = await shop.idOf('MUG')
    const faults: [string, string, object | undefined, number, string][] = [
      ['GET', `products/${mug + 90_000}/variations`, undefined, 404, 'woocommerce_rest_product_invalid_id'],
      [
        'GET',
        `products/${product.id}/variations/${mug}`,
        undefined,
        404,
        'woocommerce_rest_product_variation_invalid_id',
      ],
      ['POST', `products/${mug}/variations`, { regular_price: '1' }, 404, 'woocommerce_rest_product_invalid_id'],
      ['PUT', `products/${product.id}/variations/${mug}`, {}, 404, 'woocommerce_rest_product_variation_invalid_id'],
      [
        'POST',
        `products/${product.id}/variations`,
        { attributes: [{ name: 'Span', option: '9 m' }] },
        400,
        'rest_invalid_param',
      ],
      [
        'POST',
        `products/${product.id}/variations`,
        { attributes: [{ name: 'Weather', option: 'x' }] },
        400,
        'rest_invalid_param',
      ],
      ['POST', `products/${product.id}/variations`, { sku: 'MUG' }, 400, 'product_invalid_sku'],
      ['PUT', `products/${product.id}`, { type: 'simple' }, 400, 'rest_invalid_param'],
      ['PUT', `products/${product.id}`, { regular_price: '3' }, 400, 'rest_invalid_param'],
      ['GET', `products/${await shop.idOf('SHIRT-SAND')}`, undefined, 404, 'woocommerce_rest_product_invalid_id'],
    ]
    for (const [method, path, input, status, code] of faults) {
      const answer = await api<Fault>(method, path, input)
      expect([answer.status, answer.body.code], `${method} ${path} ${JSON.stringify(input)}`).toEqual([status, code])
    }
  })

  it('applies a batch, and reports a failed element in its place', async () => {
    const { id } = await created('Batch kite', [{ name: 'Span', options: ['1 m', '2 m'], variation: true }])
    const { body } = await api<{ create: V3Variation[] }>('POST', `products/${id}/variations/batch`, {
      create: [{ regular_price: '1', attributes: [{ name: 'Span', option: '1 m' }] }, { regular_price: 'x' }],
    })
    expect(body).toMatchObject({
      create: [
        { price: '1.00', parent_id: id },
        { id: 0, error: { code: 'rest_invalid_param' } },
      ],
    })
    const rest = await api('POST', `products/${id}/variations/batch`, {
      update: [{ id: body.create[0]?.id, regular_price: '2' }],
      delete: [body.create[0]?.id, 999_999],
    })
    expect(rest.body).toMatchObject({
      update: [{ price: '2.00' }],
      delete: [{ id: body.create[0]?.id }, { error: { code: 'woocommerce_rest_product_variation_invalid_id' } }],
    })
  })
})

describe('wc/v3/variations', () => {
  it('lists the variations of all products', async () => {
    const shirt = await shop.idOf('SHIRT')
    const listed = await api<V3Variation[]>('GET', `variations?parent=${shirt}&orderby=menu_order&per_page=2`)
    expect(listed.body.map(({ sku }) => sku)).toEqual(['SHIRT-SAND', 'SHIRT-SEA-M'])
    expect(listed.headers.get('x-wp-total')).toBe('3')
    const [first] = listed.body
    expect((await api<V3Variation>('GET', `variations/${first?.id}`)).body).toMatchObject({
      id: first?.id,
      parent_id: shirt,
    })
    expect((await api<V3Variation[]>('GET', 'variations?stock_status=outofstock')).body.map(({ sku }) => sku)).toEqual([
      'SHIRT-SEA-L',
    ])
    expect((await api<V3Variation[]>('GET', 'variations?sku=SHIRT-SAND')).body).toHaveLength(1)
    expect((await api<Fault>('GET', `variations/${shirt}`)).status).toBe(404)
    expect((await api<Fault>('GET', 'variations?page=0')).body.code).toBe('rest_invalid_param')
  })
})

describe('wc/v3/products/{id}/duplicate', () => {
  it('copies a product with its variations as a draft with SKUs of its own', async () => {
    const shirt = await shop.idOf('SHIRT')
    const original = (await api<V3Product>('GET', `products/${shirt}`)).body
    const { status, body: copy } = await api<V3Product>('POST', `products/${shirt}/duplicate`)
    expect(status).toBe(200)
    expect(copy).toMatchObject({
      name: 'Linen shirt (Copy)',
      slug: 'linen-shirt-copy',
      sku: 'SHIRT-1',
      status: 'draft',
      categories: original.categories,
      attributes: original.attributes,
    })
    const { body: variations } = await api<V3Variation[]>('GET', `products/${copy.id}/variations`)
    expect(variations.map(({ sku, price }) => [sku, price])).toEqual([
      ['SHIRT-SAND-1', '40.00'],
      ['SHIRT-SEA-M-1', '44.00'],
      ['SHIRT-SEA-L-1', '44.00'],
    ])
    expect((await api<Fault>('POST', 'products/999999/duplicate')).body.code).toBe(
      'woocommerce_rest_product_invalid_id',
    )
  })
})
