import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportCustomer } from '#shop/customers/export-customer.ts'
import { aCustomer, mailTo } from '#tests/support/customers/customer.ts'
import { aV3Program, refusalOf, type V3Program } from '#tests/support/rest/v3-program.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let api: V3Program
beforeAll(async () => {
  shop = await aShop()
  api = await aV3Program(shop)
})
afterAll(() => shop.close())

const make = async (name: string, more: object = {}) => {
  const made = await api.post('customers', { email: `${name}@example.test`, ...more })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const emails = async (query: string) =>
  ((await api.get(`customers?per_page=100&${query}`)).body as unknown as { email: string }[]).map(({ email }) => email)
const good = 'correct-horse-battery-92-staple'

describe('wc/v3/customers', () => {
  it('creates a customer, who is emailed a link to choose a password', async () => {
    const customer = await make('ida', {
      first_name: 'Ida',
      last_name: 'Rhodes',
      billing: { first_name: 'Ida', country: 'us', state: 'California', email: 'IDA@example.test' },
      meta_data: [{ key: 'loyalty', value: 'gold' }],
    })
    expect(customer).toMatchObject({
      email: 'ida@example.test',
      username: 'ida',
      role: 'customer',
      first_name: 'Ida',
      billing: { first_name: 'Ida', country: 'US', state: 'CA', email: 'IDA@example.test' },
      shipping: { first_name: '' },
      is_paying_customer: false,
      avatar_url: '',
      meta_data: [{ key: 'loyalty', value: 'gold' }],
    })
    expect(await mailTo(shop, 'ida@example.test', /Subject:/)).toContain('/my-account/lost-password/')
    const exported = await exportCustomer(shop.shop.application.tools, customer.id)
    expect(exported).toMatchObject({ metadata: [{ key: 'loyalty', value: 'gold' }] })
    expect((await api.get(`customers/${customer.id}`)).body).toMatchObject({ id: customer.id, last_name: 'Rhodes' })
  })

  it('changes what it is told; a new password ends all logins', async () => {
    const ben = aCustomer(shop, 'ben@example.test')
    await ben.register()
    const [row] = await shop.db.sql<{ id: number }[]>`select id from customers where email = 'ben@example.test'`
    const id = row?.id ?? 0
    const logins = async () => (await shop.db.sql`select 1 from sessions where customer_id = ${id}`).length
    expect(await logins()).toBe(1)
    const changed = await api.put(`customers/${id}`, { first_name: 'Ben', shipping: { city: 'Oakland' } })
    expect(changed.body).toMatchObject({ first_name: 'Ben', email: 'ben@example.test', shipping: { city: 'Oakland' } })
    expect(await logins()).toBe(1)
    expect((await api.put(`customers/${id}`, { password: good })).status).toBe(200)
    expect(await logins()).toBe(0)
    const moved = await api.put(`customers/${id}`, { email: 'Benny@example.test' })
    expect(moved.body.email).toBe('benny@example.test')
    const [after] = await shop.db.sql`select email_verified_at from customers where id = ${id}`
    expect(after?.email_verified_at).toBeNull()
  })

  it.each([
    ['an address that is none', { email: 'nobody' }, 'rest_invalid_param'],
    ['a taken address', { email: 'IDA@example.test' }, 'registration-error-email-exists'],
    ['a taken user name', { email: 'x1@example.test', username: 'ida' }, 'registration-error-username-exists'],
    ['a weak password', { email: 'x2@example.test', password: 'password' }, 'rest_invalid_param'],
    ['an unknown country', { email: 'x3@example.test', billing: { country: 'Atlantis' } }, 'rest_invalid_param'],
    ['no address', {}, 'rest_invalid_param'],
  ])('refuses %s', async (_, given, code) => {
    expect(refusalOf(await api.post('customers', given))).toEqual([400, code])
  })

  it('changes and deletes no staff, whatever the key', async () => {
    const staff = await make('mia')
    await shop.db.sql`update customers set role = 'shop_manager' where id = ${staff.id}`
    expect(refusalOf(await api.put(`customers/${staff.id}`, { password: good }))).toEqual([
      403,
      'woocommerce_rest_cannot_edit',
    ])
    expect(refusalOf(await api.delete(`customers/${staff.id}?force=true`))).toEqual([
      403,
      'woocommerce_rest_cannot_delete',
    ])
    expect((await make('zed', { role: 'administrator' })).role).toBe('customer')
  })

  it('lists customers in pages, by role, address, search and sequence', async () => {
    expect(await emails('email=Ida@example.test')).toEqual(['ida@example.test'])
    expect(await emails('role=shop_manager')).toEqual(['mia@example.test'])
    expect(await emails('role=all&search=mia')).toEqual(['mia@example.test'])
    expect(await emails('search=rhodes')).toEqual(['ida@example.test'])
    expect((await emails('orderby=registered_date&order=desc'))[0]).toBe('zed@example.test')
    const page = await api.get('customers?per_page=1&page=2&orderby=id')
    expect(page.body).toMatchObject([{ email: 'benny@example.test' }])
    expect([page.headers.get('x-wp-total'), page.headers.get('x-wp-totalpages')]).toEqual(['3', '3'])
    expect(page.headers.get('link')).toMatch(/rel="prev".*rel="next"/)
    expect(refusalOf(await api.get('customers?role=king'))).toEqual([400, 'rest_invalid_param'])
    expect((await api.get('customers?email=ida@example.test&_fields=email')).body).toEqual([
      { email: 'ida@example.test' },
    ])
  })

  it('deletes an account only by force; its orders go to another customer', async () => {
    const [from, to] = [await make('old'), await make('new')]
    const order = await api.post('orders', {
      customer_id: from.id,
      set_paid: true,
      billing: { first_name: 'Olga', country: 'US' },
      line_items: [{ sku: 'MUG' }],
    })
    expect((await api.get(`customers/${from.id}`)).body.is_paying_customer).toBe(true)
    expect(refusalOf(await api.delete(`customers/${from.id}`))).toEqual([501, 'woocommerce_rest_trash_not_supported'])
    expect(refusalOf(await api.delete(`customers/${from.id}?force=true&reassign=${from.id}`))).toEqual([
      400,
      'woocommerce_rest_customer_invalid_reassign',
    ])
    const gone = await api.delete(`customers/${from.id}?force=true&reassign=${to.id}`)
    expect(gone.body).toMatchObject({ id: from.id, email: 'old@example.test' })
    expect(refusalOf(await api.get(`customers/${from.id}`))).toEqual([404, 'woocommerce_rest_customer_invalid_id'])
    const kept = await api.get(`orders/${order.body.id}`)
    expect(kept.body).toMatchObject({ customer_id: to.id, billing: { first_name: 'Olga' } })
    expect((await api.get(`orders?customer=${to.id}`)).body).toHaveLength(1)
  })

  it('refuses unknown ids, and keys without the right', async () => {
    for (const answer of [
      await api.get('customers/4711'),
      await api.put('customers/4711', { first_name: 'x' }),
      await api.delete('customers/4711?force=true'),
      await api.get('customers/4711/downloads'),
    ])
      expect(refusalOf(answer)).toEqual([404, 'woocommerce_rest_customer_invalid_id'])
    const reader = await aV3Program(shop, 'read')
    expect(refusalOf(await reader.post('customers', { email: 'x@example.test' }))[0]).toBe(401)
  })

  it('a batch creates, changes and deletes, and reports the element that fails', async () => {
    const [one, two] = [await make('one'), await make('two')]
    const answer = await api.post('customers/batch', {
      create: [{ email: 'three@example.test' }, { email: 'one@example.test' }],
      update: [{ id: one.id, last_name: 'Uno' }],
      delete: [two.id, 4711],
    })
    expect(answer.body).toMatchObject({
      create: [{ email: 'three@example.test' }, { error: { code: 'registration-error-email-exists' } }],
      update: [{ id: one.id, last_name: 'Uno' }],
      delete: [{ id: two.id }, { id: 4711, error: { code: 'woocommerce_rest_customer_invalid_id' } }],
    })
  })

  it('lists the files that a customer can download', async () => {
    const customer = await make('dan')
    const order = await api.post('orders', { customer_id: customer.id, set_paid: true, line_items: [{ sku: 'MUG' }] })
    await shop.db
      .sql`insert into download_permissions (order_id, product_id, file_id, name, token, remaining, created_at)
      values (${order.body.id}, ${await shop.idOf('MUG')}, 'f1', 'Manual', ${'a'.repeat(32)}, 3, now())`
    const files = await api.get(`customers/${customer.id}/downloads`)
    expect(files.body).toMatchObject([
      {
        download_id: 'f1',
        download_name: 'Manual',
        product_name: 'Plain mug',
        order_id: order.body.id,
        order_key: order.body.order_key,
        downloads_remaining: '3',
        access_expires: 'never',
      },
    ])
    await api.delete(`orders/${order.body.id}`)
    expect((await api.get(`customers/${customer.id}/downloads`)).body).toEqual([])
  })

  it('P15 is in the access log, by the customer', async () => {
    const customer = await make('eve')
    await shop.db.sql`truncate access_log`
    await api.get('customers?search=eve')
    await api.get(`customers/${customer.id}`)
    await api.put(`customers/${customer.id}`, { first_name: 'Eve' })
    await api.delete(`customers/${customer.id}?force=true`)
    const rows = await shop.db.sql`select action, subject from access_log order by id`
    expect(rows.map(({ action, subject }) => `${action} | ${subject}`)).toEqual([
      'customers list | list role=customer page=1 search=eve',
      `customers show | customer:${customer.id}`,
      `customers update | customer:${customer.id}`,
      `erased | customer:${customer.id}`,
    ])
  })
})
