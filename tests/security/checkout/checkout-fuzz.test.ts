import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { size } from '#tests/support/size.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    wallet: false,
    settings: {
      payments: { bacs: { enabled: true }, cheque: { enabled: true } },
      accounts: { generateUsername: false },
    },
  })
  await shop.db
    .sql`insert into shipping_zones (id, name, zone_order, countries) values (9, 'Elsewhere', 9, '{GB,DE,JP,IE,BR}')`
  await shop.db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
    values (9, 'flat_rate', 'Abroad', 0, '{"cost":"20"}')`
  await reconfigured(shop)
})
afterAll(() => shop.close())

const countries = {
  US: { state: 'CA', postcode: '95131' },
  GB: { state: '', postcode: 'SW1A 1AA' },
  DE: { state: '', postcode: '10115' },
  JP: { state: 'JP13', postcode: '100-0001' },
  IE: { state: 'D', postcode: 'D02 AF30' },
  BR: { state: 'SP', postcode: '01310-100' },
} as const

const hostile = [
  '',
  '   ',
  'x'.repeat(5000),
  `'; drop table orders; --`,
  '<script>alert(1)</script>',
  '{{7*7}}%s%1$s%%endpoint%%',
  '\u0000\uFFFF\u202E\uD800',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  '-1',
  '99999999999999999999',
  '1e309',
  'a@b@c',
  'on',
]

const fields = [
  ...[
    'first_name',
    'last_name',
    'company',
    'country',
    'address_1',
    'address_2',
    'city',
    'state',
    'postcode',
    'phone',
    'email',
  ].flatMap((key) => [`billing_${key}`, `shipping_${key}`]),
  'order_comments',
  'payment_method',
  'shipping_method[0]',
  'shipping_method[__proto__]',
  'terms',
  'terms-field',
  'createaccount',
  'account_username',
  'account_password',
  'ship_to_different_address',
  'ppcp_paypal_order_id',
  'ppcp_billing_token',
  'ppcp_payment_token',
  'intention',
  'seen_total',
  'seen_currency',
  'billing_first_name[]',
  'billing_first_name[toString]',
]

type Answer = { result: string; messages?: string; order_id?: number }

/** Sums of an order's parts that do not make its total. */
const wrongOrders = () => shop.db.sql`
  select o.id from orders o join (
    select order_id, sum(case when type in ('line_item', 'shipping', 'fee') then total + total_tax else 0 end) as sum
    from order_items group by order_id
  ) i on i.order_id = o.id where i.sum <> o.total`

describe.each(Object.entries(countries))('a checkout form of %s', (country, { state, postcode }) => {
  it(
    'ADDR-07 CHK-09 T10 answers every hostile value of every field, and orders nothing with a wrong total',
    async () => {
      const shopper = new Shopper(shop, `fuzz-${country.toLowerCase()}`)
      // Made to order: there is no end of it.
      await shopper.add('LATER')
      await shopper.openCheckout()
      const address = { country, state, postcode }
      const both = Object.fromEntries(
        Object.entries(address).flatMap(([key, value]) => [
          [`billing_${key}`, value],
          [`shipping_${key}`, value],
        ]),
      )
      const whole = {
        ...shopper.form('bacs'),
        ...both,
        shipping_first_name: 'Ada',
        shipping_last_name: 'Vale',
        shipping_address_1: '1 Street',
        shipping_city: 'Town',
        ship_to_different_address: '1',
        account_password: goodPassword,
        account_username: `fuzz ${country}`,
      }
      let placed = 0
      for (const [place, field] of fields.entries()) {
        for (const value of hostile.filter((_, index) => (index + place) % size(6, 1) === 0)) {
          const { lines } = await cart(shopper)
          if (lines === 0) await shopper.add('LATER')
          const form: Record<string, string> = { ...whole, [field]: value }
          const response = await shopper.post('/?wc-ajax=checkout', form)
          const text = await response.text()
          // A form that no browser can send is turned away whole.
          if (response.status === 400) {
            expect([field, value]).toEqual([field, expect.stringMatching(field.includes('__proto__') ? '' : '\u0000')])
            continue
          }
          expect([field, value.slice(0, 30), response.status]).toEqual([field, value.slice(0, 30), 200])
          const answer = JSON.parse(text) as Answer
          expect(['success', 'failure']).toContain(answer.result)
          expect(text).not.toContain('<script>alert')
          if (answer.result !== 'success') continue
          placed += 1
          await shopper.openCheckout()
        }
      }
      // What is odd and harmless is ordered with: the form itself is whole.
      expect(placed).toBeGreaterThan(20)
      expect(await wrongOrders()).toEqual([])
      const page = await shopper.page('/checkout/')
      expect(page).not.toContain('<script>alert')
    },
    size(120_000, 1_200_000),
  )
})

async function cart(shopper: Shopper): Promise<{ lines: number }> {
  return { lines: await shopper.pieces() }
}
