import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { showCoupons } from '#shop/coupons/manage-coupons.ts'
import { aV3Program, refusalOf, type V3Program } from '#tests/support/rest/v3-program.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let api: V3Program
beforeAll(async () => {
  shop = await aShop({ settings: { timeZone: 'America/New_York' } })
  api = await aV3Program(shop)
})
afterAll(() => shop.close())

const make = async (more: object) => {
  const made = await api.post('coupons', more)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const codes = async (query: string) =>
  ((await api.get(`coupons?per_page=100&${query}`)).body as unknown as { code: string }[]).map(({ code }) => code)

/** What the shop answers to a shopper who types the code. */
async function applied(name: string, code: string): Promise<string> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG', 2)
  const response = await shopper.post(urls.cart(), { coupon_code: code, apply_coupon: 'Apply' })
  return (await shopper.page(response.headers.get('location') ?? urls.cart())).includes(`data-coupon="${code}"`)
    ? 'applied'
    : 'refused'
}

describe('wc/v3/coupons', () => {
  it('creates a coupon with every member, by the rules of the commands', async () => {
    const mug = await shop.idOf('MUG')
    const [category] = await shop.db.sql<{ id: number }[]>`select id from categories order by id limit 1`
    const given = {
      code: ' SUMMER ',
      amount: '12.5',
      discount_type: 'percent',
      description: 'For subscribers',
      date_expires: '2027-07-01T00:00:00',
      individual_use: true,
      product_ids: [mug],
      usage_limit: 5,
      usage_limit_per_user: 1,
      limit_usage_to_x_items: 2,
      free_shipping: true,
      excluded_product_categories: [category?.id],
      exclude_sale_items: true,
      minimum_amount: '20.00',
      maximum_amount: '0.00',
      email_restrictions: ['*@club.example'],
      meta_data: [{ key: 'campaign', value: [1, 2] }],
    }
    const coupon = await make(given)
    expect(coupon).toMatchObject({
      ...given,
      code: 'summer',
      amount: '12.50',
      status: 'publish',
      date_expires_gmt: '2027-07-01T04:00:00',
      usage_count: 0,
      product_categories: [],
      excluded_product_ids: [],
      used_by: [],
    })
    expect((await api.get(`coupons/${coupon.id}`)).body).toMatchObject({ id: coupon.id, code: 'summer' })
    const [shown] = await showCoupons(shop.shop.application.tools, 'summer')
    expect(shown?.written).toMatchObject({ type: 'percent', amount: '12.5', minimum: '20.00', limit: '5' })
  })

  it('changes only what it is told, also the code, and clears limits with 0 and null', async () => {
    const coupon = await make({ code: 'ten', amount: '10', usage_limit: 3, date_expires: '2027-01-01' })
    expect(coupon).toMatchObject({ discount_type: 'fixed_cart', amount: '10.00', usage_limit: 3 })
    const changed = await api.put(`coupons/${coupon.id}`, { code: 'eleven', amount: '11.00', usage_limit: null })
    expect(changed.body).toMatchObject({
      ...{ id: coupon.id, code: 'eleven', amount: '11.00', usage_limit: null },
      date_expires: '2027-01-01T00:00:00',
    })
    expect((await api.put(`coupons/${coupon.id}`, { date_expires: null })).body.date_expires).toBeNull()
    expect(await codes('code=ELEVEN')).toEqual(['eleven'])
    expect(await codes('code=ten')).toEqual([])
    const taken = await api.put(`coupons/${coupon.id}`, { code: 'summer' })
    expect(refusalOf(taken)).toEqual([400, 'woocommerce_rest_coupon_code_already_exists'])
  })

  it.each([
    ['a percentage above 100', { discount_type: 'percent', amount: '101' }, 'amount'],
    ['a type that is none', { discount_type: 'gift' }, 'discount_type'],
    ['a limit to items of the whole cart', { limit_usage_to_x_items: 1 }, 'limit_usage_to_x_items'],
    ['an unknown product', { product_ids: [99_999_999] }, 'product_ids'],
    ['a maximum below the minimum', { minimum_amount: '10', maximum_amount: '5' }, 'maximum_amount'],
    ['a date that is none', { date_expires: 'soon' }, 'date_expires'],
    ['an address that is none', { email_restrictions: ['club'] }, 'email_restrictions'],
  ])('refuses %s', async (_, more, parameter) => {
    const refused = await api.post('coupons', { code: 'wrong', amount: '1', ...more })
    expect(refusalOf(refused)).toEqual([400, 'rest_invalid_param'])
    expect(Object.keys((refused.body as unknown as { data: { params: object } }).data.params)).toEqual([parameter])
  })

  it('refuses a code twice, no code, unknown ids, and keys without the right', async () => {
    expect(refusalOf(await api.post('coupons', { code: 'Summer' }))).toEqual([
      400,
      'woocommerce_rest_coupon_code_already_exists',
    ])
    expect(refusalOf(await api.post('coupons', {}))).toEqual([400, 'rest_invalid_param'])
    for (const answer of [
      await api.get('coupons/4711'),
      await api.put('coupons/4711'),
      await api.delete('coupons/4711'),
    ])
      expect(refusalOf(answer)).toEqual([404, 'woocommerce_rest_shop_coupon_invalid_id'])
    const reader = await aV3Program(shop, 'read')
    expect(refusalOf(await reader.post('coupons', { code: 'x' }))).toEqual([
      401,
      'woocommerce_rest_authentication_error',
    ])
    const writer = await aV3Program(shop, 'write')
    expect(refusalOf(await writer.get('coupons'))).toEqual([401, 'woocommerce_rest_authentication_error'])
  })

  it('lists in pages, by search, sequence and status', async () => {
    await make({ code: 'draft-a', status: 'draft', description: 'Not yet' })
    expect(await codes('search=not%20yet')).toEqual(['draft-a'])
    expect(await codes('status=draft')).toEqual(['draft-a'])
    expect(await codes('orderby=title&order=asc')).toEqual(['draft-a', 'eleven', 'summer'])
    const page = await api.get('coupons?per_page=1&page=2&orderby=title&order=asc')
    expect(page.body).toMatchObject([{ code: 'eleven' }])
    expect([page.headers.get('x-wp-total'), page.headers.get('x-wp-totalpages')]).toEqual(['3', '3'])
    expect(page.headers.get('link')).toMatch(/rel="prev".*rel="next"/)
    expect(refusalOf(await api.get('coupons?orderby=price'))).toEqual([400, 'rest_invalid_param'])
    expect((await api.get('coupons?code=summer&_fields=code,amount')).body).toEqual([
      { code: 'summer', amount: '12.50' },
    ])
  })

  it('takes a draft and a coupon in the trash from shoppers, and gives it back', async () => {
    const coupon = await make({ code: 'five', amount: '5' })
    expect(await applied('ida', 'five')).toBe('applied')
    await api.put(`coupons/${coupon.id}`, { status: 'draft' })
    expect(await applied('bob', 'five')).toBe('refused')
    await api.put(`coupons/${coupon.id}`, { status: 'publish' })
    const trashed = await api.delete(`coupons/${coupon.id}`)
    expect(trashed.body).toMatchObject({ id: coupon.id, status: 'trash' })
    expect(refusalOf(await api.delete(`coupons/${coupon.id}`))).toEqual([410, 'woocommerce_rest_already_trashed'])
    expect(await applied('carl', 'five')).toBe('refused')
    expect(await showCoupons(shop.shop.application.tools, 'five')).toEqual([])
    expect(await codes('')).not.toContain('five')
    expect(await codes('status=trash')).toEqual(['five'])
    expect(refusalOf(await api.post('coupons', { code: 'five' }))[0]).toBe(400)
    expect((await api.put(`coupons/${coupon.id}`, { status: 'publish' })).body.status).toBe('publish')
    expect(await applied('eve', 'five')).toBe('applied')
    expect((await api.delete(`coupons/${coupon.id}?force=true`)).body).toMatchObject({ code: 'five' })
    expect(refusalOf(await api.get(`coupons/${coupon.id}`))[0]).toBe(404)
  })

  it('names who used it, and counts', async () => {
    const coupon = await make({ code: 'used', amount: '1' })
    const order = await api.post('orders', {
      billing: { country: 'US', email: 'Ada@example.test' },
      line_items: [{ sku: 'MUG' }],
      coupon_lines: [{ code: 'used' }],
    })
    expect(order.status).toBe(201)
    expect((await api.get(`coupons/${coupon.id}`)).body).toMatchObject({
      usage_count: 1,
      used_by: ['ada@example.test'],
    })
    const below = await api.put(`coupons/${coupon.id}`, { usage_limit: 1 })
    expect(below.body.usage_limit).toBe(1)
  })

  it('a batch creates, changes and deletes, and reports the element that fails', async () => {
    const coupon = await make({ code: 'batch-1', amount: '1' })
    const answer = await api.post('coupons/batch', {
      create: [{ code: 'batch-2', amount: '2' }, { code: 'batch-1' }],
      update: [{ id: coupon.id, amount: '3' }],
      delete: [4711],
    })
    expect(answer.body).toMatchObject({
      create: [{ code: 'batch-2' }, { error: { code: 'woocommerce_rest_coupon_code_already_exists' } }],
      update: [{ id: coupon.id, amount: '3.00' }],
      delete: [{ id: 4711, error: { code: 'woocommerce_rest_shop_coupon_invalid_id' } }],
    })
  })
})
