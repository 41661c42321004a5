import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findGuestOrders, linkGuestOrders } from '#database/customers/personal-data.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  const coupon = (code: string, settings: object) =>
    shop.db.sql`insert into coupons ${shop.db.sql({
      code,
      type: 'fixed_cart',
      amount_minor: 500,
      settings: shop.db.sql.json(settings as never),
    })}`
  await coupon('oneeach', { usageLimitPerUser: 1 })
  await coupon('members', { emails: ['"Member"@club.test', '*@friends.test'] })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

/** What the shop said of the coupon of the last order. */
let applied = ''

/** Orders a mug under an email address, with a coupon that is typed before or after the address is known. */
async function order(email: string, coupon?: string, billing_email = ''): Promise<CheckoutAnswer> {
  const shopper = new Shopper(shop)
  await shopper.add('MUG')
  await shopper.openCheckout()
  if (coupon) {
    const { application } = shop.shop
    const token = shopper.cookie(application.sessionCookie) ?? ''
    const security = nonceFor(application.secret, 'apply-coupon', sha256(token), application.tools.clock.now())
    const typed = { security, coupon_code: coupon, billing_email }
    applied = await (await shopper.post('/?wc-ajax=apply_coupon', typed)).text()
  }
  const response = await shopper.post('/?wc-ajax=checkout', { ...shopper.form('cod'), billing_email: email })
  return (await response.json()) as CheckoutAnswer
}

const storedEmail = async () => {
  const [row] = await shop.db.sql`select billing ->> 'email' as email, customer_id from orders order by id desc limit 1`
  return row?.email
}

const spellings = [
  '"pc"@example.test',
  'PC@example.test',
  'pc@example.test.',
  'p\u200Bc@example.test',
  '"p\\c"@EXAMPLE.test',
]

describe('an email address at the checkout', () => {
  it.each([
    ['x@example.com.', 'x@example.com'],
    ['"x"@example.com', 'x@example.com'],
    ['\u200Ex@exam\u00ADple.com', 'x@example.com'],
    ['X@Example.com', 'X@Example.com'],
  ])('CHK-09 %j is stored as %j', async (typed, email) => {
    expect((await order(typed)).result).toBe('success')
    expect(await storedEmail()).toBe(email)
  })

  it.each([
    ['with 65 characters before the @', `${'a'.repeat(65)}@example.test`],
    ['with a label of 64', `a@${'b'.repeat(64)}.test`],
    ['of 255', `a@${'b.'.repeat(124)}test`.padEnd(255, 't')],
    ['of 300, which would be right if it were cut', `${'a'.repeat(60)}@${'b.'.repeat(118)}test`],
    ['with two final dots', 'x@example.com..'],
  ])('CHK-09 %s is refused', async (_, typed) => {
    const before = await shop.db.sql`select 1 from orders`
    const answer = await order(typed)
    expect([answer.result, answer.messages]).toEqual([
      'failure',
      expect.stringContaining('is not a valid email address'),
    ])
    expect(await shop.db.sql`select 1 from orders`).toHaveLength(before.length)
  })

  it.each(spellings)('COUP-01 a coupon for once per customer is used up for %s', async (spelling) => {
    if (!(await shop.db.sql`select 1 from coupon_uses`)[0])
      expect((await order('pc@example.test', 'oneeach')).result).toBe('success')
    const again = await order(spelling, 'oneeach')
    expect([again.result, again.messages]).toEqual([
      'failure',
      expect.stringContaining('The usage limit of coupon “oneeach” has been reached.'),
    ])
    await order(spelling, 'oneeach', spelling)
    expect(applied).toContain('The usage limit of coupon “oneeach” has been reached.')
    expect(await shop.db.sql`select 1 from coupon_uses`).toHaveLength(1)
  })

  it('COUP-01 a coupon for named addresses is for every spelling of them', async () => {
    const taken = async (email: string) => {
      expect((await order(email, 'members', email)).result).toBe('success')
      const [row] = await shop.db.sql`
        select count(*)::int as count from order_items where type = 'coupon' and order_id = (select max(id) from orders)`
      return row?.count
    }
    for (const email of ['member@club.test', '"MEMBER"@club.test.', 'a@friends\u200B.test'])
      expect(await taken(email)).toBe(1)
  })
})

describe('an email address of an account', () => {
  it('T12 opens one account, and logs in, in every spelling', async () => {
    expect((await aCustomer(shop, '"pc"@example.test').register()).status).toBe(303)
    expect(await shop.db.sql`select email from customers`).toEqual([{ email: 'pc@example.test' }])
    for (const spelling of spellings) {
      const again = await aCustomer(shop, spelling).register()
      expect(await again.text()).toContain('An account is already registered')
      const phone = aCustomer(shop, spelling)
      expect((await phone.logIn()).status, spelling).toBe(303)
      await shop.db.sql`delete from rate_limits`
    }
  })

  it('is found in the spelling that older versions stored', async () => {
    const old = aCustomer(shop, 'old@example.test')
    await old.register()
    await shop.db.sql`update customers set email = '"old"@example.test.' where email = 'old@example.test'`
    expect((await aCustomer(shop, '"old"@example.test.').logIn()).status).toBe(303)
  })

  it.each(['x@example.com..', `${'a'.repeat(65)}@example.test`, `${'a'.repeat(60)}@${'b.'.repeat(118)}test`])(
    'is refused where it breaks the limits: %s',
    async (email) => {
      const before = await shop.db.sql`select 1 from customers`
      expect(await (await aCustomer(shop, email).register()).text()).toContain('Please provide a valid email address.')
      expect(await shop.db.sql`select 1 from customers`).toHaveLength(before.length)
    },
  )

  it('stays the same when its owner saves it in another spelling', async () => {
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.register()
    const answer = await eve.post('/my-account/edit-account/', {
      account_first_name: 'Eve',
      account_last_name: 'Moore',
      account_display_name: 'Eve',
      account_email: '"EVE"@example.test.',
      'save-account-details-nonce': eve.nonce('save_account_details'),
    })
    expect(answer.status).toBe(303)
    expect(await shop.db.sql`select email_wanted from customers where email = 'eve@example.test'`).toEqual([
      { email_wanted: 'eve@example.test' },
    ])
  })
})

describe('an email address that names orders', () => {
  it('T10 I10 finds what was ordered as a guest, in every spelling', async () => {
    await order('guest@example.test')
    const { kysely } = shop.db
    const [id] = await findGuestOrders(kysely, 'guest@example.test')
    for (const spelling of ['"guest"@example.test', 'GUEST@example.test.', 'gue\u200Bst@example.test'])
      expect(await findGuestOrders(kysely, spelling)).toEqual([id])
    const [row] = await shop.db.sql`select id from customers limit 1`
    const linked = await kysely
      .transaction()
      .execute((tx) => linkGuestOrders(tx, Number(row?.id), '"guest"@example.test', new Date()))
    expect(linked).toBe(1)
  })

  it('T6 opens the page of an order that asks for it, in every spelling', async () => {
    await order('ida@example.test')
    const [placed] = await shop.db.sql`
      update orders set created_at = created_at - interval '1 hour' where id = (select max(id) from orders) returning id, key`
    const stranger = aCustomer(shop)
    const path = `/checkout/order-received/${placed?.id}/?key=${placed?.key}`
    expect(await stranger.page(path)).toContain('woocommerce-verify-email')
    const answer = await stranger.post(path, {
      email: '"ida"@example.test.',
      check_submission: stranger.nonce('wc_verify_email'),
      verify: '1',
    })
    expect(await answer.text()).not.toContain('woocommerce-verify-email')
  })
})
