import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mayActAs } from '#domain/customers/roles.ts'
import { Visit } from '#server/http/visit.ts'
import { requireRole } from '#server/pages/customers/require-role.ts'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { routeAddress } from '#tests/support/shared/route-address.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

// The matrix of who may do what in accounts, over the shop's own list of routes.

const identities = ['guest', 'other', 'staff', 'owner'] as const
type Identity = (typeof identities)[number]

let shop: TestShop
let people: Record<Identity, Customer>
let order = 0
let method = 0
let fileToken = ''
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  people = {
    guest: aCustomer(shop, 'nobody@example.test'),
    other: aCustomer(shop, 'other@example.test'),
    staff: aCustomer(shop, 'staff@example.test'),
    owner: aCustomer(shop, 'owner@example.test'),
  }
  for (const name of ['other', 'staff', 'owner'] as const) await people[name].register()
  await shop.db.sql`update customers set role = 'administrator' where email = 'staff@example.test'`
  await people.guest.add('MUG')
  await ownersThings()
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

/** An order with a file, an address and a card of the owner: each says `Secretname`. */
async function ownersThings() {
  const { sql } = shop.db
  const [customer] = await sql`select id from customers where email = 'owner@example.test'`
  const id = Number(customer?.id)
  const secret = sql.json({ last_name: 'Secretname', address_1: 'Secretname Street 1', country: 'US', state: 'CA' })
  await sql`update customers set billing = ${secret}, shipping = ${secret}, first_name = 'Secretname', last_name = 'Secretname',
    display_name = 'Secretname' where id = ${id}`
  const now = new Date()
  const [placed] = await sql`insert into orders ${sql({
    key: 'wc_order_aaaaaaaaaaaaaaaaaaaaaa',
    status: 'completed',
    session_id: `customer:${id}`,
    intention: 'x',
    cart_hash: '',
    currency: 'USD',
    prices_include_tax: false,
    total: 1200,
    billing: secret,
    shipping: secret,
    payment_method: 'cod',
    payment_method_title: 'Cash on delivery',
    customer_id: id,
    created_at: now,
    updated_at: now,
  })} returning id`
  order = Number(placed?.id)
  const [card] = await sql`insert into payment_tokens ${sql({
    customer_id: id,
    method: 'ppcp',
    environment: 'sandbox',
    token: 'vault',
    kind: 'wallet',
    account: 'Secretname@pay.test',
    created_at: now,
  })} returning id`
  method = Number(card?.id)
  fileToken = 'f'.repeat(32)
  await sql`insert into download_permissions ${sql({
    order_id: order,
    product_id: await shop.idOf('MUG'),
    file_id: 'x',
    name: 'Secretname.pdf',
    token: fileToken,
    created_at: now,
  })}`
}

const accountRoutes = pageRoutes.filter(({ path }) => path.startsWith('/my-account/'))

/** The address of a route, about what the owner has. */
function addressOf(path: string): string {
  return routeAddress(path, { id: path.includes('payment-method/') ? method : order })
}

const actions = {
  'woocommerce-login-nonce': 'woocommerce-login',
  'woocommerce-register-nonce': 'woocommerce-register',
  'woocommerce-lost-password-nonce': 'lost_password',
  'woocommerce-edit-address-nonce': 'woocommerce-edit_address',
  'save-account-details-nonce': 'save_account_details',
  'account-privacy-nonce': 'account-privacy',
  'confirm-email-nonce': 'confirm-email',
}

async function ownersRows() {
  const { sql } = shop.db
  const [orders, methods, customers, files] = await Promise.all([
    sql`select * from orders order by id`,
    sql`select * from payment_tokens order by id`,
    sql`select id, email, password, role, first_name, display_name, billing, shipping, email_wanted, vat_exempt, state
      from customers where email = 'owner@example.test'`,
    sql`select * from download_permissions order by id`,
  ])
  return JSON.stringify([orders, methods, customers, files])
}

describe.each(accountRoutes)('$method $path', ({ method: verb, path }) => {
  const address = addressOf(path)

  it.each(identities.slice(0, 3))('T10 T15 P15 shows and changes nothing of the owner for %s', async (name) => {
    expect(address, 'say in addressOf what stands in this address').not.toContain(':')
    const before = await ownersRows()
    const visitor = people[name]
    const nonces = Object.fromEntries(Object.entries(actions).map(([field, action]) => [field, visitor.nonce(action)]))
    const answers =
      verb === 'GET'
        ? await Promise.all(
            ['delete-payment-method', 'set-default-payment-method', 'customer-logout-of-nobody'].map((action) =>
              visitor.send(`${address}?_wpnonce=${visitor.nonce(action)}`, { headers: { accept: 'text/html' } }),
            ),
          )
        : [
            // With proper nonces of one's own and everything that a form could say about somebody else.
            await visitor.post(address, {
              ...nonces,
              id: '1',
              customer_id: '1',
              role: 'administrator',
              vat_exempt: '1',
              action: 'export',
              password_current: 'wrong',
              account_first_name: 'Changed',
              account_last_name: 'Changed',
              account_display_name: 'Changed',
              account_email: visitor.email,
              billing_last_name: 'Changed',
            }),
          ]
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.get('cache-control')).toMatch(/no-store/)
      const text = await answer.text()
      expect(text).not.toContain('Secretname')
      expect(text).not.toContain(fileToken)
      if (name === 'guest' && answer.status === 200 && !/lost-password/.test(path))
        expect(text).toContain('id="customer_login"')
      if (path.includes('view-order') && name !== 'guest') expect(answer.status).toBe(404)
    }
    expect(await ownersRows()).toBe(before)
    const [rights] = await shop.db.sql`select count(*)::int as n from customers where vat_exempt or
      (role <> 'customer' and email <> 'staff@example.test')`
    expect(rights?.n).toBe(0)
  })
})

it.each([
  ['/my-account/', 'Hello, <span translate="no">Secretname'],
  ['/my-account/orders/', 'view-order/'],
  ['/my-account/downloads/', 'Secretname.pdf'],
  ['/my-account/edit-address/', 'Secretname Street 1'],
  ['/my-account/edit-address/billing/', 'Secretname Street 1'],
  ['/my-account/payment-methods/', 'Secretname@pay.test'],
  ['/my-account/edit-account/', 'value="Secretname"'],
  ['/my-account/privacy/', 'this device'],
])('the owner sees it: %s', async (path, words) => {
  expect(await people.owner.page(path)).toContain(words)
  expect(await people.owner.page(`/my-account/view-order/${order}/`)).toContain('Secretname')
})

describe('a page of the staff', () => {
  const page = requireRole('shop_manager', async () => new Response('the books'))
  const open = (who: Customer, init: RequestInit = {}) => {
    const { application } = shop.shop
    const cookie = `${application.sessionCookie}=${who.cookies.get(application.sessionCookie)}`
    const request = new Request(`${shop.url}/staff/`, { ...init, headers: { cookie, ...init.headers } })
    return page(new Visit(application, request, { requestId: 'x', ip: '127.0.0.1' }), {})
  }

  it('T14 opens to the staff, asks strangers to log in, and hides from customers, whose try is written down', async () => {
    expect(await (await open(people.staff)).text()).toBe('the books')
    expect(await (await open(people.guest)).text()).toContain('id="customer_login"')
    const denied = await open(people.other)
    expect(denied.status).toBe(404)
    expect(await denied.text()).not.toContain('the books')
    const rows = await shop.db.sql`select subject from access_log where action = 'denied'`
    expect(rows.map(({ subject }) => subject)).toEqual(['page:/staff/'])
  })

  it('T26 takes no form of another site', async () => {
    const init = { method: 'POST', headers: { origin: 'https://evil.example' }, body: new URLSearchParams() }
    expect((await open(people.staff, init)).status).toBe(403)
  })

  it('asks for as much as it needs', () => {
    expect(mayActAs('shop_manager', 'administrator')).toBe(false)
    expect(mayActAs('administrator', 'shop_manager')).toBe(true)
    expect(mayActAs('customer', 'customer')).toBe(true)
  })
})
