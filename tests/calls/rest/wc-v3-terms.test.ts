import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { V3Product } from '#contract/catalog/v3-products.ts'
import { type V3Category, v3Attribute, v3AttributeTerm, v3Category, v3Tag } from '#contract/catalog/v3-terms.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

type Fault = { code: string; data: { status: number; resource_id?: number; params?: Record<string, string> } }
type Term = { id: number; name: string; slug: string; count: number; description: string }

let shop: TestShop
let api: V3Client
beforeAll(async () => {
  shop = await aShop()
  api = await v3Client(shop)
})
afterAll(() => shop.close())

const page = async (path: string) => (await fetch(shop.url + path)).text()
const withoutLinks = (body: object) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== '_links'))

describe.each(['categories', 'brands', 'tags', 'shipping_classes'])('wc/v3/products/%s', (kind) => {
  const path = `products/${kind}`
  const item = kind === 'categories' || kind === 'brands' ? v3Category : v3Tag

  it('creates, reads, changes and deletes a term', async () => {
    const { status, headers, body } = await api<Term>('POST', path, { name: 'Late Summer', description: 'Warm' })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(headers.get('location')).toBe(`${shop.url}/wp-json/wc/v3/${path}/${body.id}`)
    expect(body).toMatchObject({ name: 'Late Summer', slug: 'late-summer', description: 'Warm', count: 0 })
    expect(item.strict().parse(withoutLinks(body))).toEqual(withoutLinks(body))
    expect((await api<Term>('GET', `${path}/${body.id}`)).body).toEqual(body)
    const changed = await api<Term>('PUT', `${path}/${body.id}`, { name: 'Autumn', slug: 'Autumn leaves' })
    expect(changed.body).toMatchObject({ name: 'Autumn', slug: 'autumn-leaves', description: 'Warm' })
    expect(await api<Fault>('DELETE', `${path}/${body.id}`)).toMatchObject({
      status: 501,
      body: { code: 'woocommerce_rest_trash_not_supported' },
    })
    expect(await api<Term>('DELETE', `${path}/${body.id}?force=true`)).toMatchObject({
      status: 200,
      body: { name: 'Autumn' },
    })
    expect(await api<Fault>('GET', `${path}/${body.id}`)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_term_invalid' },
    })
  })

  it('keeps names apart, and makes slugs unique', async () => {
    const first = (await api<Term>('POST', path, { name: 'Stone' })).body
    expect(await api<Fault>('POST', path, { name: 'stone' })).toMatchObject({
      status: 400,
      body: { code: 'term_exists', data: { status: 400, resource_id: first.id } },
    })
    const second = (await api<Term>('POST', path, { name: 'Stone!' })).body
    expect(second.slug).toBe('stone-2')
    expect(await api<Fault>('PUT', `${path}/${second.id}`, { name: 'Stone' })).toMatchObject({ status: 400 })
    expect((await api<Fault>('POST', path, { name: ' ' })).body.data.params).toHaveProperty('name')
    expect((await api<Fault>('PUT', `${path}/999999`, { name: 'Nothing' })).status).toBe(404)
    expect((await api<Fault>('DELETE', `${path}/999999?force=true`)).status).toBe(404)
  })

  it('lists pages, and filters and sorts them', async () => {
    await api('POST', `${path}/batch`, { create: [{ name: 'List B' }, { name: 'List A', description: 'First' }] })
    const listed = await api<Term[]>('GET', `${path}?search=list&orderby=name&order=asc`)
    expect(listed.body.map(({ name }) => name)).toEqual(['List A', 'List B'])
    expect(listed.headers.get('x-wp-total')).toBe('2')
    const one = await api<Term[]>('GET', `${path}?search=list&orderby=name&per_page=1&page=2&_fields=name`)
    expect(one.body).toEqual([{ name: 'List B' }])
    expect(one.headers.get('link')).toContain('rel="prev"')
    const [a, b] = listed.body
    const names = async (query: string) => (await api<Term[]>('GET', `${path}?${query}`)).body.map(({ name }) => name)
    expect(await names(`include=${b?.id},${a?.id}&orderby=include`)).toEqual(['List B', 'List A'])
    expect(await names(`search=list&exclude=${a?.id}`)).toEqual(['List B'])
    expect(await names('slug=list-a')).toEqual(['List A'])
    expect(await names('search=list&hide_empty=true')).toEqual([])
    for (const sort of ['id', 'slug', 'description', 'count', 'menu_order', 'term_group'])
      expect(await names(`search=list&orderby=${sort}`), sort).toHaveLength(2)
    expect((await api<Fault>('GET', `${path}?orderby=weight`)).body.code).toBe('rest_invalid_param')
  })

  it('applies a batch, and reports a failed element in its place', async () => {
    const { body } = await api<{ create: Term[] }>('POST', `${path}/batch`, {
      create: [{ name: 'Batch' }, { name: 'batch' }, {}],
    })
    const id = body.create[0]?.id
    expect(body).toMatchObject({
      create: [
        { name: 'Batch' },
        { id: 0, error: { code: 'term_exists', data: { resource_id: id } } },
        { id: 0, error: { code: 'rest_invalid_param' } },
      ],
    })
    const rest = await api('POST', `${path}/batch`, { update: [{ id, name: 'Batched' }], delete: [id] })
    expect(rest.body).toMatchObject({ update: [{ id, name: 'Batched' }], delete: [{ id, name: 'Batched' }] })
  })

  it('asks for the right of what is asked', async () => {
    const reads = await v3Client(shop, 'read')
    expect((await reads('GET', path)).status).toBe(200)
    expect((await reads('POST', path, { name: 'No' })).status).toBe(401)
    expect((await fetch(`${shop.url}/wp-json/wc/v3/${path}`)).status).toBe(401)
  })
})

describe('categories of REST v3', () => {
  it('form a tree; deletion moves those below up', async () => {
    const make = async (name: string, parent = 0) =>
      (await api<V3Category>('POST', 'products/categories', { name, parent })).body
    const top = await make('Garden')
    const middle = await make('Beds', top.id)
    const low = await make('Herbs', middle.id)
    expect((await api<V3Category>('GET', `products/categories/${low.id}?_embed`)).body).toMatchObject({
      parent: middle.id,
      _embedded: { up: [{ id: middle.id, name: 'Beds' }] },
    })
    const loop = await api<Fault>('PUT', `products/categories/${top.id}`, { parent: low.id })
    expect(loop).toMatchObject({ status: 400, body: { data: { params: { parent: expect.any(String) } } } })
    expect((await api<Fault>('POST', 'products/categories', { name: 'X', parent: 999_999 })).status).toBe(400)
    expect((await api<V3Category[]>('GET', `products/categories?parent=${top.id}`)).body).toMatchObject([
      { id: middle.id },
    ])
    await api('DELETE', `products/categories/${middle.id}?force=true`)
    expect((await api<V3Category>('GET', `products/categories/${low.id}`)).body.parent).toBe(top.id)
  })

  it('file products, whose pages and listings follow a new name', async () => {
    const { body: category } = await api<V3Category>('POST', 'products/categories', { name: 'Teapots' })
    const { body: product } = await api<V3Product>('POST', 'products', {
      name: 'Round teapot',
      regular_price: '30',
      categories: [{ id: category.id }],
    })
    expect(product.categories).toEqual([{ id: category.id, name: 'Teapots', slug: 'teapots' }])
    await expect.poll(() => page('/product-category/teapots/')).toContain('Round teapot')
    expect((await api<V3Category>('GET', `products/categories/${category.id}`)).body.count).toBe(1)
    expect((await api<Term[]>('GET', `products/categories?product=${product.id}`)).body).toMatchObject([
      { id: category.id },
    ])
    await api('PUT', `products/categories/${category.id}`, { name: 'Pots for tea' })
    await expect.poll(() => page('/product/round-teapot/')).toContain('Pots for tea')
    await api('DELETE', `products/categories/${category.id}?force=true`)
    await expect.poll(async () => (await fetch(`${shop.url}/product-category/teapots/`)).status).toBe(404)
    expect((await api<V3Product>('GET', `products/${product.id}`)).body.categories).toEqual([])
  })
})

describe('shipping classes of REST v3', () => {
  it('are followed by their products', async () => {
    const { body: product } = await api<V3Product>('POST', 'products', {
      name: 'Anvil',
      regular_price: '90',
      shipping_class: 'Heavy',
    })
    expect(product.shipping_class).toBe('heavy')
    const path = `products/shipping_classes/${product.shipping_class_id}`
    await api('PUT', path, { name: 'Very heavy', slug: 'very-heavy' })
    expect((await api<V3Product>('GET', `products/${product.id}`)).body.shipping_class).toBe('very-heavy')
    await shop.db.sql`update shipping_methods set settings = settings || '{"classCosts": {"very-heavy": "9"}}'
      where instance_id = (select min(instance_id) from shipping_methods)`
    expect((await api<Fault>('PUT', path, { slug: 'light' })).body.data.params).toHaveProperty('slug')
    await api('DELETE', `${path}?force=true`)
    expect((await api<V3Product>('GET', `products/${product.id}`)).body).toMatchObject({
      shipping_class: '',
      shipping_class_id: 0,
    })
  })
})

describe('wc/v3/products/attributes', () => {
  it('creates, changes and deletes attributes and their terms; products follow', async () => {
    const { status, body: attribute } = await api<{ id: number }>('POST', 'products/attributes', {
      name: 'Glaze',
      slug: 'pa_glaze',
      order_by: 'name',
      type: 'select',
    })
    expect(status).toBe(201)
    expect(withoutLinks(attribute)).toEqual({
      id: attribute.id,
      name: 'Glaze',
      slug: 'pa_glaze',
      type: 'select',
      order_by: 'name',
      has_archives: false,
    })
    expect(v3Attribute.strict().parse(withoutLinks(attribute))).toEqual(withoutLinks(attribute))
    const path = `products/attributes/${attribute.id}`
    const { body: term } = await api<Term>('POST', `${path}/terms`, { name: 'Sea green', menu_order: 4 })
    expect(term).toMatchObject({ name: 'Sea green', slug: 'sea-green', menu_order: 4, count: 0 })
    expect(v3AttributeTerm.strict().parse(withoutLinks(term))).toEqual(withoutLinks(term))
    const { body: product } = await api<V3Product>('POST', 'products', {
      name: 'Glazed bowl',
      type: 'variable',
      attributes: [{ id: attribute.id, options: ['sea-green', 'Ash'], variation: true, visible: true }],
      default_attributes: [{ name: 'Glaze', option: 'Ash' }],
    })
    const { body: one } = await api<{ id: number }>('POST', `products/${product.id}/variations`, {
      regular_price: '12',
      attributes: [{ id: attribute.id, option: 'Sea green' }],
    })
    await api('PUT', `${path}/terms/${term.id}`, { name: 'Sea', slug: 'sea' })
    await api('PUT', path, { name: 'Coat', slug: 'coat' })
    expect((await api<V3Product>('GET', `products/${product.id}`)).body).toMatchObject({
      attributes: [{ id: attribute.id, name: 'Coat', slug: 'pa_coat', options: ['Sea', 'Ash'] }],
      default_attributes: [{ option: 'ash' }],
    })
    expect((await api('GET', `products/${product.id}/variations/${one.id}`)).body).toMatchObject({
      attributes: [{ id: attribute.id, name: 'Coat', slug: 'pa_coat', option: 'Sea' }],
    })
    await expect.poll(() => page('/product/glazed-bowl/')).toContain('attribute_pa_coat')
    const { body: terms } = await api<Term[]>('GET', `${path}/terms?orderby=count&order=desc`)
    expect(terms.map(({ name, count }) => [name, count])).toEqual([
      ['Sea', 1],
      ['Ash', 1],
    ])
    const ash = terms.find(({ name }) => name === 'Ash')
    await api('DELETE', `${path}/terms/${ash?.id}?force=true`)
    expect((await api<V3Product>('GET', `products/${product.id}`)).body).toMatchObject({
      attributes: [{ options: ['Sea'] }],
      default_attributes: [],
    })
    expect((await api('DELETE', `${path}?force=true`)).status).toBe(200)
    expect((await api<V3Product>('GET', `products/${product.id}`)).body.attributes).toEqual([])
    expect(await shop.db.sql`select from variation_attributes where product_id = ${one.id}`).toEqual([])
  })

  it('answers unknown ids, duplicates and bad parameters with their codes', async () => {
    const { body: attribute } = await api<{ id: number }>('POST', 'products/attributes', { name: 'Weave' })
    const path = `products/attributes/${attribute.id}`
    const { body: term } = await api<Term>('POST', `${path}/terms`, { name: 'Twill' })
    const faults: [string, string, object | undefined, number, string][] = [
      ['POST', 'products/attributes', { name: 'weave' }, 400, 'woocommerce_rest_cannot_create'],
      ['POST', 'products/attributes', { name: '' }, 400, 'rest_invalid_param'],
      ['POST', 'products/attributes', { name: '!!' }, 400, 'rest_invalid_param'],
      ['POST', 'products/attributes', { name: 'Z', order_by: 'colour' }, 400, 'rest_invalid_param'],
      ['GET', 'products/attributes/999999', undefined, 404, 'woocommerce_rest_taxonomy_invalid'],
      ['PUT', 'products/attributes/999999', { name: 'Z' }, 404, 'woocommerce_rest_taxonomy_invalid'],
      ['DELETE', path, undefined, 501, 'woocommerce_rest_trash_not_supported'],
      ['GET', 'products/attributes/999999/terms', undefined, 404, 'woocommerce_rest_taxonomy_invalid'],
      ['POST', 'products/attributes/999999/terms', { name: 'Z' }, 404, 'woocommerce_rest_taxonomy_invalid'],
      ['POST', `${path}/terms`, { name: 'TWILL' }, 400, 'term_exists'],
      ['GET', `${path}/terms/999999`, undefined, 404, 'woocommerce_rest_term_invalid'],
      ['PUT', `${path}/terms/999999`, { name: 'Z' }, 404, 'woocommerce_rest_term_invalid'],
      ['DELETE', `${path}/terms/${term.id}`, undefined, 501, 'woocommerce_rest_trash_not_supported'],
      ['GET', `${path}/terms?per_page=0`, undefined, 400, 'rest_invalid_param'],
    ]
    for (const [method, at, input, status, code] of faults) {
      const answer = await api<Fault>(method, at, input)
      expect([answer.status, answer.body.code], `${method} ${at} ${JSON.stringify(input)}`).toEqual([status, code])
    }
  })

  it('applies batches of attributes and of terms', async () => {
    const { body } = await api<{ create: Term[] }>('POST', 'products/attributes/batch', {
      create: [{ name: 'Hem' }, { name: 'hem' }],
    })
    expect(body.create).toMatchObject([{ name: 'Hem' }, { error: { code: 'woocommerce_rest_cannot_create' } }])
    const path = `products/attributes/${body.create[0]?.id}/terms`
    const terms = await api<{ create: Term[] }>('POST', `${path}/batch`, {
      create: [{ name: 'Rolled' }, { name: 'Plain' }],
    })
    expect(terms.body.create.map(({ slug }) => slug)).toEqual(['rolled', 'plain'])
    const rest = await api('POST', `${path}/batch`, {
      update: [{ id: terms.body.create[0]?.id, name: 'Rolled twice' }],
      delete: [terms.body.create[1]?.id, 999_999],
    })
    expect(rest.body).toMatchObject({
      update: [{ name: 'Rolled twice', slug: 'rolled' }],
      delete: [{ name: 'Plain' }, { error: { code: 'woocommerce_rest_term_invalid' } }],
    })
    const listed = await api<Term[]>('GET', `${path}?search=roll`)
    expect(listed.body).toMatchObject([{ name: 'Rolled twice' }])
    const all = await api<Term[]>('GET', 'products/attributes?per_page=1')
    expect(Number(all.headers.get('x-wp-totalpages'))).toBeGreaterThan(1)
  })
})
