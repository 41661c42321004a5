import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { customerBy, setRole, setVatExempt } from '#shop/customers/manage-customers.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let offsetMs = 0
const minuteMs = 60_000
beforeAll(async () => {
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  shop = await aShop({ wallet: false, environment: { clock } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  offsetMs = 0
  await shop.db.sql`delete from rate_limits`
})

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `person${count}@example.test`)
  await customer.register()
  const row = await customerBy(shop.shop.application.tools, customer.email)
  return Object.assign(customer, { id: row?.id ?? 0 })
}

describe('what staff says of a customer', () => {
  it('finds the customer by number, address or user name', async () => {
    const ada = await anAccount()
    const { tools } = shop.shop.application
    for (const who of [String(ada.id), `#${ada.id}`, ada.email.toUpperCase(), ' person1 ']) {
      expect((await customerBy(tools, who))?.id).toBe(ada.id)
    }
    for (const who of ['', 'nobody@example.test', '0', '999999', "' or 1=1"])
      expect(await customerBy(tools, who)).toBeNull()
  })

  it('freedom from tax holds at once, in the open cart and after the next login, and ends as well', async () => {
    const ada = await anAccount()
    const { tools } = shop.shop.application
    await ada.add('MUG')
    // 12.00 and Californian tax of 7.25 %: 0.87.
    const totals = async (customer: Customer) => (await customer.page('/cart/')).replace(/<[^>]*>/g, '')
    expect(await totals(ada)).toContain('$0.87')
    expect(await setVatExempt(tools, ada.id, true)).toBe('changed')
    expect(await totals(ada)).not.toContain('$0.87')
    const phone = aCustomer(shop, ada.email)
    await phone.logIn()
    expect(await totals(phone)).not.toContain('$0.87')
    await setVatExempt(tools, ada.id, false)
    expect(await totals(ada)).toContain('$0.87')
    expect(await setVatExempt(tools, 999_999, true)).toBe('unknown')
  })

  it('freedom from tax is the account’s alone: it is not left behind for a guest', async () => {
    const ada = await anAccount()
    await setVatExempt(shop.shop.application.tools, ada.id, true)
    await ada.logOut()
    await ada.add('MUG')
    expect((await ada.page('/cart/')).replace(/<[^>]*>/g, '')).toContain('$0.87')
  })

  it('T31 a new role ends every login, and staff is logged out after half an hour without a request', async () => {
    const ada = await anAccount()
    const { tools } = shop.shop.application
    expect(await setRole(tools, ada.id, 'shop_manager')).toBe('changed')
    expect(await setRole(tools, ada.id, 'shop_manager')).toBe('unchanged')
    expect(await setRole(tools, 999_999, 'shop_manager')).toBe('unknown')
    expect(await ada.page('/my-account/')).toContain('id="customer_login"')
    const manager = aCustomer(shop, ada.email)
    await manager.logIn({ rememberme: 'forever' })
    for (const minutes of [20, 40, 60]) {
      offsetMs = minutes * minuteMs
      expect(await manager.page('/my-account/')).toContain('Hello, ')
    }
    offsetMs = 95 * minuteMs
    expect(await manager.page('/my-account/')).toContain('id="customer_login"')
  })
})

describe('the limits of a coupon', () => {
  const codes = { once: { usage_limit: 1, used: 1 }, each: { usage_limit: null, used: 1 } }
  beforeAll(async () => {
    for (const [code, { usage_limit, used }] of Object.entries(codes)) {
      const settings = code === 'each' ? { usageLimitPerUser: 1 } : {}
      await shop.db.sql`insert into coupons ${shop.db.sql({
        code,
        type: 'fixed_cart',
        amount_minor: 500,
        settings: shop.db.sql.json(settings),
        usage_limit,
        used,
      })}`
    }
  })
  const apply = async (customer: Customer, coupon_code: string) =>
    (await customer.post('/?wc-ajax=apply_coupon', { coupon_code, security: customer.nonce('apply-coupon') })).text()

  /** An order that uses a coupon. */
  async function aUse(code: string, order: { customer_id: number | null; status: string; email: string }) {
    const now = new Date()
    const [row] = await shop.db.sql`insert into orders ${shop.db.sql({
      key: `wc_order_${code}_${order.email}_${order.status}_${Math.random()}`,
      status: order.status,
      session_id: `session of ${order.email}`,
      intention: String(Math.random()),
      cart_hash: '',
      currency: 'USD',
      prices_include_tax: false,
      total: 700,
      billing: shop.db.sql.json({ email: order.email }),
      shipping: shop.db.sql.json({}),
      payment_method: 'cod',
      payment_method_title: '',
      created_at: now,
      updated_at: now,
      customer_id: order.customer_id,
    })} returning id`
    await shop.db.sql`insert into coupon_uses (order_id, coupon_id, used_by)
      values (${row?.id}, (select id from coupons where code = ${code}), ${order.email})`
  }

  it('COUP-01 115: a use that is held is said to be held by the customer’s own unpaid order, where there is one', async () => {
    const ada = await anAccount()
    const other = await anAccount()
    await aUse('once', { customer_id: ada.id, status: 'pending', email: 'elsewhere@example.test' })
    for (const customer of [ada, other]) await customer.add('MUG')
    expect(await apply(ada, 'once')).toContain('is used by one of your unpaid orders')
    expect(await apply(other, 'once')).toContain('usage limit of coupon “once” has been reached')
    const guest = aCustomer(shop, 'guest@example.test')
    await guest.add('MUG')
    expect(await apply(guest, 'once')).toContain('is in use by an order that is being paid')
  })

  it('COUP-01 one for each customer counts by account, whatever e-mail address the order was for', async () => {
    const ada = await anAccount()
    await aUse('each', { customer_id: ada.id, status: 'completed', email: 'gift@example.test' })
    await ada.add('MUG')
    expect(await apply(ada, 'each')).toContain('usage limit of coupon “each” has been reached')
    const other = await anAccount()
    await other.add('MUG')
    expect(await apply(other, 'each')).toContain('applied successfully')
    // What was used by the account's own address as a guest counts too.
    const ida = await anAccount()
    await aUse('each', { customer_id: null, status: 'completed', email: ida.email })
    await ida.add('MUG')
    expect(await apply(ida, 'each')).toContain('usage limit of coupon “each” has been reached')
  })

  it('COUP-01 the address of the account will do for a coupon of some addresses', async () => {
    const ada = await anAccount()
    await shop.db.sql`insert into coupons ${shop.db.sql({
      code: 'friends',
      type: 'fixed_cart',
      amount_minor: 500,
      settings: shop.db.sql.json({ emails: [ada.email] }),
    })}`
    await ada.add('MUG')
    await shop.db
      .sql`update customers set state = jsonb_set(state, '{billing,email}', '"work@example.test"') where id = ${ada.id}`
    expect(await apply(ada, 'friends')).toContain('applied successfully')
  })
})
