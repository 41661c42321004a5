import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { V3Location, V3Zone, V3ZoneMethod } from '#contract/shipping/v3-shipping.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let call: V3Client

beforeAll(async () => {
  shop = await aShop({ wallet: false })
  call = await v3Client(shop)
})
afterAll(() => shop?.close())

const zones = async () => (await call<V3Zone[]>('GET', 'shipping/zones')).body
const aZone = async (name: string) => (await call<V3Zone>('POST', 'shipping/zones', { name })).body.id

describe('wc/v3/shipping/zones', () => {
  it('lists the fallback zone first, and creates, moves, renames and deletes zones', async () => {
    expect(await zones()).toMatchObject([
      { id: 0, name: 'Locations not covered by your other zones', order: 0 },
      { id: 1, name: 'United States', order: 1 },
    ])
    const made = await call<V3Zone>('POST', 'shipping/zones', { name: 'Brazil' })
    expect(made).toMatchObject({ status: 201, body: { name: 'Brazil', order: 2 } })
    const { id } = made.body
    expect(made.headers.get('location')).toBe(`${shop.url}/wp-json/wc/v3/shipping/zones/${id}`)
    const changed = await call<V3Zone>('PUT', `shipping/zones/${id}`, { name: 'South America', order: 1 })
    expect(changed.body).toMatchObject({ id, name: 'South America', order: 1 })
    expect((await zones()).map((zone) => zone.id)).toEqual([0, id, 1])
    expect((await call('GET', 'shipping/zones/0')).body).toMatchObject({ id: 0 })
    expect(await call('PUT', 'shipping/zones/0', { name: 'Rest' })).toMatchObject({ status: 403 })
    expect(await call('DELETE', `shipping/zones/${id}`)).toMatchObject({ status: 501 })
    expect((await call('DELETE', `shipping/zones/${id}?force=true`)).body).toMatchObject({ id })
    expect(await call('GET', `shipping/zones/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_shipping_zone_invalid_id' },
    })
    expect(await call('POST', 'shipping/zones', {})).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { name: expect.any(String) } } },
    })
  })

  it('replaces the locations of a zone by an array', async () => {
    const id = await aZone('Places')
    const path = `shipping/zones/${id}/locations`
    expect((await call('GET', path)).body).toEqual([])
    const written = [
      { code: 'BR', type: 'country' },
      { code: 'US:CA', type: 'state' },
      { code: 'EU', type: 'continent' },
      { code: '90210...90220', type: 'postcode' },
    ]
    const { status, body } = await call<V3Location[]>('PUT', path, written)
    expect(status).toBe(200)
    expect(body.map(({ code, type }) => ({ code, type })).toSorted((a, b) => (a.code < b.code ? -1 : 1))).toEqual(
      written.toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    )
    expect((await call<V3Location[]>('GET', path)).body).toEqual(body)
    expect((await call('PUT', path, [{ code: 'DE' }])).body).toMatchObject([{ code: 'DE', type: 'country' }])
    expect(await call('PUT', path, [{ code: 'ZZ' }])).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    })
    expect(await call('PUT', path, [{ code: 'DE', type: 'planet' }])).toMatchObject({ status: 400 })
    expect((await call('PUT', path, [])).body).toEqual([])
    expect(await call('PUT', 'shipping/zones/0/locations', [])).toMatchObject({ status: 403 })
    expect(await call('GET', 'shipping/zones/99/locations')).toMatchObject({ status: 404 })
    await call('DELETE', `shipping/zones/${id}?force=true`)
  })

  it('adds, changes, moves and deletes the methods of a zone', async () => {
    const id = await aZone('Methods')
    const path = `shipping/zones/${id}/methods`
    const made = await call<V3ZoneMethod>('POST', path, {
      method_id: 'flat_rate',
      settings: { title: 'Parcel', cost: '4.90', tax_status: 'none', class_cost_bulky: '10', no_class_cost: '1' },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { instance_id: flat } = made.body
    expect(made.body).toMatchObject({
      id: flat,
      title: 'Parcel',
      order: 1,
      enabled: true,
      method_id: 'flat_rate',
      method_title: 'Flat rate',
      settings: {
        cost: { id: 'cost', value: '4.90', type: 'text' },
        tax_status: { value: 'none', options: { taxable: 'Taxable', none: 'None' } },
        class_cost_bulky: { value: '10' },
        no_class_cost: { value: '1' },
        type: { value: 'class' },
      },
    })
    const free = await call<V3ZoneMethod>('POST', path, {
      method_id: 'free_shipping',
      order: 1,
      settings: { requires: 'min_amount', min_amount: '50', ignore_discounts: 'yes' },
    })
    expect(free.body).toMatchObject({
      order: 1,
      settings: { requires: { value: 'min_amount' }, min_amount: { value: '50' }, ignore_discounts: { value: 'yes' } },
    })
    const changed = await call<V3ZoneMethod>('PUT', `${path}/${flat}`, {
      enabled: false,
      order: 1,
      settings: { cost: '10 + [qty] * 2', class_cost_bulky: '' },
    })
    expect(changed.body).toMatchObject({
      enabled: false,
      order: 1,
      title: 'Parcel',
      settings: { cost: { value: '10 + [qty] * 2' } },
    })
    expect(changed.body.settings.class_cost_bulky).toBeUndefined()
    const listed = await call<V3ZoneMethod[]>('GET', path)
    expect(listed.body.map((method) => method.id)).toEqual([flat, free.body.id])
    expect(listed.headers.get('x-wp-total')).toBe('2')
    expect((await call('GET', `${path}/${flat}`)).body).toEqual(changed.body)

    const fault = (body: object) =>
      call<{ code: string; data: { params: Record<string, string> } }>('PUT', `${path}/${flat}`, body)
    expect((await fault({ settings: { cost: '10 +' } })).body.data.params).toHaveProperty('cost')
    expect((await fault({ settings: { min_amount: '5' } })).body.data.params).toEqual({
      settings: '"min_amount" is unknown',
    })
    expect(await call('POST', path, { method_id: 'drone' })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    })
    expect(await call('DELETE', `${path}/${flat}`)).toMatchObject({ status: 501 })
    expect((await call('DELETE', `${path}/${flat}?force=true`)).body).toMatchObject({ id: flat })
    expect(await call('GET', `${path}/${flat}`)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_shipping_zone_method_invalid_id' },
    })
    expect((await call('GET', 'shipping/zones/1/methods/9999')).status).toBe(404)
    await call('DELETE', `shipping/zones/${id}?force=true`)
  })

  it('creates the fallback zone with its first method', async () => {
    const made = await call<V3ZoneMethod>('POST', 'shipping/zones/0/methods', { method_id: 'local_pickup' })
    expect(made).toMatchObject({ status: 201, body: { method_id: 'local_pickup', title: 'Local pickup' } })
    expect((await call<V3ZoneMethod[]>('GET', 'shipping/zones/0/methods')).body).toMatchObject([{ id: made.body.id }])
    expect((await call('DELETE', 'shipping/zones/0?force=true')).status).toBe(200)
    expect((await zones())[0]).toMatchObject({ id: 0 })
  })

  it('is closed to keys that may only read, where something changes', async () => {
    const reader = await v3Client(shop, 'read')
    expect((await reader('GET', 'shipping/zones/1/methods')).status).toBe(200)
    expect((await reader('POST', 'shipping/zones/1/methods', { method_id: 'flat_rate' })).status).toBe(401)
    expect((await reader('PUT', 'shipping/zones/1/locations', [])).status).toBe(401)
  })
})

describe('wc/v3/shipping_methods', () => {
  it('lists the kinds of methods', async () => {
    const { body } = await call<{ id: string; title: string }[]>('GET', 'shipping_methods')
    expect(body.map(({ id }) => id)).toEqual(['flat_rate', 'free_shipping', 'local_pickup'])
    expect((await call('GET', 'shipping_methods/flat_rate')).body).toMatchObject({
      id: 'flat_rate',
      title: 'Flat rate',
    })
    expect(await call('GET', 'shipping_methods/drone')).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_shipping_method_invalid_id' },
    })
  })
})
