import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { v3SystemStatus } from '#contract/operations/v3-data.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let call: V3Client
let reader: V3Client

beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { currency: 'EUR' } })
  call = await v3Client(shop)
  reader = await v3Client(shop, 'read')
})
afterAll(() => shop?.close())

type Place = { code: string; name: string }

describe('wc/v3/data', () => {
  it('lists countries with their states, and reads one', async () => {
    expect((await call<{ slug: string }[]>('GET', 'data')).body.map(({ slug }) => slug)).toEqual([
      'continents',
      'countries',
      'currencies',
    ])
    const { body } = await call<(Place & { states: Place[] })[]>('GET', 'data/countries')
    expect(body).toHaveLength(249)
    expect(body.find(({ code }) => code === 'US')?.states).toContainEqual({ code: 'CA', name: 'California' })
    expect((await call('GET', 'data/countries/de')).body).toMatchObject({
      code: 'DE',
      name: 'Germany',
      _links: { self: [{ href: `${shop.url}/wp-json/wc/v3/data/countries/de` }] },
    })
    expect(await call('GET', 'data/countries/zz')).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_data_invalid_location' },
    })
  })

  it('lists continents with their countries, and reads one', async () => {
    const { body } = await call<(Place & { countries: Place[] })[]>('GET', 'data/continents')
    expect(body.map(({ code }) => code)).toEqual(['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'])
    expect(body.flatMap(({ countries }) => countries)).toHaveLength(249)
    const europe = await call<{ countries: Place[] }>('GET', 'data/continents/eu?_fields=countries.code')
    expect(europe.body.countries).toContainEqual({ code: 'DE' })
    expect(await call('GET', 'data/continents/xx')).toMatchObject({ status: 404 })
  })

  it('lists currencies, and reads one and its own', async () => {
    const { body } = await call<object[]>('GET', 'data/currencies')
    expect(body).toContainEqual(expect.objectContaining({ code: 'USD', name: 'US Dollar', symbol: '$' }))
    expect((await call('GET', 'data/currencies/jpy')).body).toMatchObject({ code: 'JPY', symbol: '¥' })
    expect((await call('GET', 'data/currencies/current')).body).toMatchObject({
      code: 'EUR',
      name: 'Euro',
      symbol: '€',
    })
    expect(await call('GET', 'data/currencies/zzz')).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_data_invalid_currency' },
    })
  })
})

describe('wc/v3/system_status', () => {
  it('tells the state of the shop, without folders and secrets', async () => {
    const { status, body } = await call('GET', 'system_status')
    expect(status).toBe(200)
    const state = v3SystemStatus.parse(body)
    expect(state).toMatchObject({
      environment: { home_url: shop.url, language: 'en-US' },
      settings: { currency: 'EUR', currency_symbol: '€', number_of_decimals: 2 },
      security: { secure_connection: false },
    })
    expect(Object.keys(state.database.database_tables)).toContain('orders')
    expect(state.checks).toContainEqual({ check: expect.stringMatching(/^Node /), state: 'ok', advice: '' })
    expect(JSON.stringify(body)).not.toContain(shop.dataDir)
    expect((await call('GET', 'system_status?_fields=settings.currency')).body).toEqual({
      settings: { currency: 'EUR' },
    })
  })

  it('runs its tools after a confirmation alone', async () => {
    const { body } = await call<{ id: string }[]>('GET', 'system_status/tools')
    expect(body.map(({ id }) => id)).toEqual([
      'clear_transients',
      'regenerate_product_lookup_tables',
      'vitrine_check_invariants',
    ])
    for (const { id } of body) {
      expect((await call('GET', `system_status/tools/${id}`)).body).toMatchObject({ id })
      expect(await call('PUT', `system_status/tools/${id}`, {})).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { confirm: expect.any(String) } } },
      })
      expect(await call('PUT', `system_status/tools/${id}`, { confirm: true })).toMatchObject({
        status: 200,
        body: { id, success: true, message: expect.any(String) },
      })
    }
    expect(await call('PUT', 'system_status/tools/reset_roles', { confirm: true })).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_system_status_tool_invalid_id' },
    })
    expect((await reader('PUT', 'system_status/tools/clear_transients', { confirm: true })).status).toBe(401)
    expect((await reader('GET', 'system_status/tools')).status).toBe(200)
  })

  it('applies a sale that has begun', async () => {
    const mug = await shop.idOf('MUG')
    await shop.db
      .sql`update products set sale_price = 100, sale_from = now() - interval '1 hour', sale_to = null where id = ${mug}`
    await call('PUT', 'system_status/tools/regenerate_product_lookup_tables', { confirm: true })
    const [row] = await shop.db.sql<{ min_price: number }[]>`select min_price from products where id = ${mug}`
    expect(row?.min_price).toBe(100)
  })
})
