import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailTo } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
const iban = 'DE02120300000000202051'

beforeAll(async () => {
  shop = await aShop({
    wallet: false,
    settings: {
      payments: {
        bacs: {
          enabled: true,
          title: 'Transfer',
          instructions: 'Please name the order.',
          accounts: [{ accountName: 'Fern Ltd', bankName: 'Bank <b>', iban }],
        },
        cheque: { enabled: true, instructions: 'Send it to 1 Quay Street.' },
        // The second of the zone's two methods.
        cod: { shippingMethods: ['flat_rate:2'], withoutShipping: false },
      },
      fees: [{ name: 'Paperwork', amount: '2.00', taxable: false, when: { paymentMethod: 'cheque' } }],
    },
  })
})
afterAll(() => shop.close())

type Answer = { result: string; messages?: string; redirect?: string; order_id?: number }

async function place(shopper: Shopper, method: string, fields: Record<string, string> = {}): Promise<Answer> {
  const response = await shopper.post('/?wc-ajax=checkout', { ...shopper.form(method), ...fields })
  return (await response.json()) as Answer
}

async function buyer(name: string, sku = 'MUG'): Promise<Shopper> {
  const shopper = new Shopper(shop, name)
  await shopper.add(sku)
  await shopper.openCheckout()
  return shopper
}

const methodsOn = (html: string) => [...html.matchAll(/name="payment_method"[^>]* value="(\w+)"/g)].map(([, id]) => id)

async function orderRow(id: number | undefined) {
  const [row] = await shop.db.sql<Record<string, unknown>[]>`
    select status, payment_state, stock_reduced, payment_method_title, total from orders where id = ${id ?? 0}`
  return row
}

describe('paying later', () => {
  it('CHK-01 a transfer puts the order on hold, takes the stock, and says where to pay, on the page and by mail', async () => {
    const shopper = await buyer('ida')
    const { order_id, redirect = '' } = await place(shopper, 'bacs')
    expect(await orderRow(order_id)).toMatchObject({
      status: 'on-hold',
      payment_state: 'none',
      stock_reduced: true,
      payment_method_title: 'Transfer',
    })
    const html = await shopper.page(redirect)
    for (const text of ['Please name the order.', 'Fern Ltd', iban, 'Bank &lt;b&gt;']) expect(html).toContain(text)
    expect(await shopper.pieces()).toBe(0)
    expect(await mailTo(shop, 'ida@example.test', new RegExp(String(order_id)))).toBeTruthy()
  })

  it('CHK-01 a cheque puts the order on hold, with the fee that hangs on it', async () => {
    const shopper = await buyer('may')
    const { order_id, redirect = '' } = await place(shopper, 'cheque')
    // 12.00 + 7.25 % tax 0.87 + shipping 6.90 + fee 2.00
    expect(await orderRow(order_id)).toMatchObject({ status: 'on-hold', total: 2177 })
    const html = await shopper.page(redirect)
    expect(html).toContain('Send it to 1 Quay Street.')
    expect(html).not.toContain(iban)
  })

  it('CHK-01 a method for one kind of shipping is offered with that alone, and taken with no other', async () => {
    const shopper = await buyer('eve')
    expect(methodsOn(await shopper.openCheckout())).toEqual(['bacs', 'cheque'])
    const refused = await place(shopper, 'cod')
    expect(refused.messages).toContain('Please choose a payment method.')
    const { order_id } = await place(shopper, 'cod', { 'shipping_method[0]': 'flat_rate:2' })
    expect(await orderRow(order_id)).toMatchObject({ status: 'processing', payment_state: 'none' })
  })

  it('CHK-01 a method that does not exist, or is none of the shop, orders nothing', async () => {
    const shopper = await buyer('zoe')
    for (const method of ['ppcp', 'stripe', '', '__proto__', 'constructor', "cod' or 1=1"]) {
      const { result, messages } = await place(shopper, method)
      expect([method, result]).toEqual([method, 'failure'])
      expect(messages).toContain('Please choose a payment method.')
    }
  })
})
