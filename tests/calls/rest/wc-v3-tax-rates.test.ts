import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { V3Tax } from '#contract/tax/v3-taxes.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let call: V3Client

beforeAll(async () => {
  shop = await aShop({ wallet: false })
  call = await v3Client(shop)
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.db.sql`delete from tax_rates`
})

const create = async (body: object) => {
  const made = await call<V3Tax>('POST', 'taxes', body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

describe('wc/v3/taxes', () => {
  it('creates, reads, changes and deletes a rate', async () => {
    const made = await call<V3Tax>('POST', 'taxes', {
      country: 'us',
      state: 'California',
      postcodes: ['90210...90220', '94*'],
      city: 'Los Angeles;Fresno',
      rate: '7.25',
      name: 'Sales tax',
      shipping: false,
      class: 'reduced-rate',
    })
    const { id } = made.body
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${shop.url}/wp-json/wc/v3/taxes/${id}`)
    expect(made.body).toMatchObject({
      country: 'US',
      state: 'CA',
      postcode: '90210...90220',
      city: 'LOS ANGELES',
      postcodes: ['90210...90220', '94*'],
      cities: ['LOS ANGELES', 'FRESNO'],
      rate: '7.2500',
      name: 'Sales tax',
      priority: 1,
      compound: false,
      shipping: false,
      order: 0,
      class: 'reduced-rate',
    })
    expect((await call('GET', `taxes/${id}`)).body).toEqual(made.body)
    const changed = await call<V3Tax>('PUT', `taxes/${id}`, { rate: 7.5, compound: true, class: 'standard' })
    expect(changed.body).toMatchObject({
      rate: '7.5000',
      compound: true,
      class: 'standard',
      cities: ['LOS ANGELES', 'FRESNO'],
    })
    expect((await call('GET', `taxes/${id}?_fields=id,rate`)).body).toEqual({ id, rate: '7.5000' })
    expect(await call('DELETE', `taxes/${id}`)).toMatchObject({ status: 501 })
    expect((await call('DELETE', `taxes/${id}?force=true`)).body).toMatchObject({ id, rate: '7.5000' })
    expect(await call('GET', `taxes/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_tax_invalid_id' },
    })
  })

  it('keeps equal rates apart, and taxes carts by them', async () => {
    const first = await create({ country: 'US', rate: '5', name: 'Tax' })
    const second = await create({ country: 'US', rate: '5', name: 'Tax' })
    expect(second.id).not.toBe(first.id)
    const { tools } = shop.shop.application
    await expect.poll(() => tools.taxRates.map(({ ratePpm }) => ratePpm)).toEqual([50_000, 50_000])
  })

  it('lists rates in pages, by class and in the wanted order', async () => {
    const ids: number[] = []
    for (const [priority, taxClass] of [
      [3, ''],
      [1, 'reduced-rate'],
      [2, ''],
    ] as const)
      ids.push((await create({ country: 'DE', rate: '19', priority, class: taxClass })).id)
    const page = await call<V3Tax[]>('GET', 'taxes?per_page=2')
    expect(page.body.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect([page.headers.get('x-wp-total'), page.headers.get('x-wp-totalpages')]).toEqual(['3', '2'])
    const by = async (query: string) =>
      (await call<V3Tax[]>('GET', `taxes?${query}`)).body.map(({ priority }) => priority)
    expect(await by('orderby=priority')).toEqual([1, 2, 3])
    expect(await by('orderby=id&order=desc')).toEqual([2, 1, 3])
    expect(await by('class=standard')).toEqual([3, 2])
    expect(await by(`class=reduced-rate&include=${ids}&exclude=${ids[0]}`)).toEqual([1])
    expect(await by('offset=2')).toEqual([2])
  })

  it('names the faults of a rate by their parameters', async () => {
    const faults = async (body: object) =>
      (await call<{ code: string; data: { params: Record<string, string> } }>('POST', 'taxes', body)).body
    expect(await faults({ country: 'ZZ', rate: 'much', class: 'luxury' })).toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { country: expect.any(String), rate: expect.any(String), class: expect.any(String) } },
    })
    expect(await faults({ country: 'DE' })).toMatchObject({ data: { params: { rate: 'is missing' } } })
    expect(await faults({ rate: '5', priority: 'first' })).toMatchObject({
      data: { params: { priority: expect.any(String) } },
    })
    expect(await call('GET', 'taxes?orderby=rate')).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
    expect(await call('PUT', 'taxes/999999', { rate: '5' })).toMatchObject({ status: 404 })
  })

  it('applies a batch, of which elements fail alone', async () => {
    const { id } = await create({ country: 'FR', rate: '20' })
    const { body } = await call<Record<'create' | 'update' | 'delete', (V3Tax & { error?: { code: string } })[]>>(
      'POST',
      'taxes/batch',
      {
        create: [{ country: 'IT', rate: '22' }, { country: 'IT' }],
        update: [{ id, rate: '5.5' }],
        delete: [id, 999_999],
      },
    )
    expect(body.create).toMatchObject([{ country: 'IT', rate: '22.0000' }, { error: { code: 'rest_invalid_param' } }])
    expect(body.update).toMatchObject([{ id, rate: '5.5000', country: 'FR' }])
    expect(body.delete).toMatchObject([{ id }, { error: { code: 'woocommerce_rest_tax_invalid_id' } }])
  })

  it('is closed to keys that may only read, where something changes', async () => {
    const reader = await v3Client(shop, 'read')
    expect((await reader('GET', 'taxes')).status).toBe(200)
    expect((await reader('POST', 'taxes', { rate: '5' })).status).toBe(401)
    expect((await reader('DELETE', 'taxes/classes/zero-rate?force=true')).status).toBe(401)
  })
})

describe('wc/v3/taxes/classes', () => {
  it('lists, creates and deletes classes, with their rates', async () => {
    const slugs = async () => (await call<{ slug: string }[]>('GET', 'taxes/classes')).body.map(({ slug }) => slug)
    expect(await slugs()).toEqual(['standard', 'reduced-rate', 'zero-rate'])
    const made = await call('POST', 'taxes/classes', { name: 'Books & more' })
    expect(made).toMatchObject({ status: 201, body: { slug: 'books-more', name: 'Books more' } })
    expect(await call('POST', 'taxes/classes', { name: 'books-more' })).toMatchObject({
      status: 400,
      body: { code: 'woocommerce_rest_tax_class_exists' },
    })
    expect(await call('POST', 'taxes/classes', {})).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } })
    const rate = await create({ country: 'DE', rate: '7', class: 'books-more' })
    expect(await slugs()).toContain('books-more')
    expect(await call('DELETE', 'taxes/classes/books-more')).toMatchObject({ status: 501 })
    expect(await call('DELETE', 'taxes/classes/books-more?force=true')).toMatchObject({
      status: 200,
      body: { slug: 'books-more' },
    })
    expect((await call('GET', `taxes/${rate.id}`)).status).toBe(404)
    expect(await slugs()).toEqual(['standard', 'reduced-rate', 'zero-rate'])
    for (const slug of ['books-more', 'standard']) {
      expect(await call('DELETE', `taxes/classes/${slug}?force=true`)).toMatchObject({
        status: 404,
        body: { code: 'woocommerce_rest_tax_class_invalid_slug' },
      })
    }
  })
})
