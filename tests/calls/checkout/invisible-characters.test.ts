import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

async function order(fields: Record<string, string>): Promise<CheckoutAnswer> {
  const shopper = new Shopper(shop)
  await shopper.add('MUG')
  await shopper.openCheckout()
  const response = await shopper.post('/?wc-ajax=checkout', { ...shopper.form('cod'), ...fields })
  return (await response.json()) as CheckoutAnswer
}

const stored = async () => {
  const [row] = await shop.db.sql<
    { billing: Record<string, string>; shipping: Record<string, string>; note: string }[]
  >`
    select billing, shipping, customer_note as note from orders order by id desc limit 1`
  return row
}

describe('invisible characters at the checkout', () => {
  it.each([
    ['last_name', '\u200B\u200B', 'Last name'],
    ['first_name', '\u200D', 'First name'],
    ['address_1', '\u200E', 'Street address'],
    ['city', '\u2060', 'Town / City'],
    ['city', '\u3164 \u2800\u00AD', 'Town / City'],
    ['postcode', '\uFE0F', 'ZIP Code'],
    ['phone', '\u202E\u2066', 'Phone'],
    ['email', '\u200B\uFEFF', 'Email address'],
  ])('ADDR-07 CHK-09 leave %s as missing as nothing does: %j', async (key, typed, label) => {
    const before = await shop.db.sql`select 1 from orders`
    const answer = await order({ [`billing_${key}`]: typed })
    expect(answer.result).toBe('failure')
    expect(answer.messages).toMatch(
      new RegExp(`<strong>Billing ${label}</strong> is a required field|${label} is a required field`),
    )
    expect(await shop.db.sql`select 1 from orders`).toHaveLength(before.length)
  })

  it('CHK-09 leave a shipping address as missing, too', async () => {
    const to = { country: 'US', state: 'CA', postcode: '95131', city: 'San Jose', address_1: '1 Main Street' }
    const shipping = Object.fromEntries(Object.entries(to).map(([key, value]) => [`shipping_${key}`, value]))
    const names = { shipping_first_name: 'Ada', shipping_last_name: '\u2060\u200B' }
    const answer = await order({ ship_to_different_address: '1', ...shipping, ...names })
    expect([answer.result, answer.messages]).toEqual([
      'failure',
      expect.stringMatching(/Last name.* is a required field/),
    ])
  })

  it('are stripped of what is stored, and joiners of a word are kept', async () => {
    const answer = await order({
      billing_first_name: 'علی\u200Cرضا\u200F',
      billing_last_name: '\u202EHoseini\u202C',
      billing_company: '\u200B',
      billing_address_1: '1\u00AD Main\u2060 Street',
      billing_email: 'ali\u200Breza@example.test',
      order_comments: 'First\u200B line\nsecond 👩\u200D👧\u200D',
    })
    expect(answer.result, answer.messages).toBe('success')
    expect(await stored()).toMatchObject({
      billing: {
        first_name: 'علی\u200Cرضا',
        last_name: 'Hoseini',
        company: '',
        address_1: '1 Main Street',
        email: 'alireza@example.test',
      },
      shipping: { first_name: 'علی\u200Cرضا', last_name: 'Hoseini' },
      note: 'First line\nsecond 👩\u200D👧',
    })
  })
})

describe('invisible characters in an account', () => {
  it('leave names and addresses as missing as nothing does, and are stripped of what is stored', async () => {
    const ada = aCustomer(shop)
    await ada.register()
    const details = (fields: Record<string, string>) =>
      ada.post('/my-account/edit-account/', {
        account_first_name: 'Ada',
        account_last_name: 'Lovelace',
        account_display_name: 'Ada',
        account_email: 'ada@example.test',
        'save-account-details-nonce': ada.nonce('save_account_details'),
        ...fields,
      })
    for (const name of ['first_name', 'last_name', 'display_name']) {
      expect(await (await details({ [`account_${name}`]: '\u200B\u2060' })).text()).toContain('is a required field')
    }
    expect((await details({ account_last_name: 'Love\u200Blace\u200E' })).status).toBe(303)
    const [row] = await shop.db.sql`select last_name from customers where email = 'ada@example.test'`
    expect(row).toEqual({ last_name: 'Lovelace' })

    const address = await ada.post('/my-account/edit-address/billing/', {
      billing_first_name: 'Ada',
      billing_last_name: 'Lovelace',
      billing_country: 'US',
      billing_state: 'CA',
      billing_postcode: '95131',
      billing_city: '\u2060',
      billing_address_1: '1 Main Street',
      billing_phone: '4085550100',
      billing_email: 'ada@example.test',
      'woocommerce-edit-address-nonce': ada.nonce('woocommerce-edit_address'),
    })
    expect(await address.text()).toMatch(/Town \/ City(<\/strong>)? is a required field/)
  })
})
