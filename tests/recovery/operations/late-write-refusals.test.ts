import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { cardMethodId, paymentFields } from '#contract/payments/constants.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { reasons, refuseWrites, takeWrites } from '#tests/recovery/fixtures/write-refusals.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { invariants, providerLedger, theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import {
  aLoggedInCustomer,
  allMethodSettings,
  createOrder,
  payApproved,
} from '#tests/support/payments/saved-methods.ts'
import { agree, callRoute, startMethodSetup } from '#tests/support/payments/vault.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: allMethodSettings })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())
afterEach(() => takeWrites(shop.db))

let shoppers = 0
const aName = () => `later-${++shoppers}`

async function paidOrder(): Promise<{ shopper: Shopper; orderId: number; place: string }> {
  const shopper = new Shopper(shop, aName())
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  return { shopper, orderId, place: await shopper.returnFromWallet(walletOrderId) }
}

const savedMethodsOf = (email: string) =>
  shop.db.sql<{ kind: string }[]>`
    select t.kind from payment_tokens t join customers c on c.id = t.customer_id where c.email = ${email}`

describe.each(reasons)('a database that takes nothing (%s)', (reason) => {
  it('F5 at S8: another way of shipping in the wallet is not taken, and is when the shop can write again', async () => {
    const shopper = new Shopper(shop, aName())
    await shopper.add('MUG')
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const order_id = (await opened.json()) as string
    const charged = async () => (await providerLedger(shop)).orders.find(({ id }) => id === order_id)?.amount.value
    const choose = () =>
      shopper.rest('cart/shipping', {
        payment_method: 'ppcp',
        order_id,
        address: { city: 'San Jose', state: 'CA', postcode: '95131', country: 'US' },
        shipping_method: '0:flat_rate:2',
      })
    const before = await charged()
    await refuseWrites(shop.db, reason)
    const answer = await choose()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await charged()).toBe(before)
    await takeWrites(shop.db)
    expect((await choose()).status).toBe(200)
    expect(await charged()).toBe('27.87')
  })

  it('F5 at S14: who has paid reads so all the same', async () => {
    const { shopper, orderId, place } = await paidOrder()
    await refuseWrites(shop.db, reason)
    const page = await shopper.request(place)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Thank you. Your order has been received.')
    await takeWrites(shop.db)
    expect(await shopper.page(place)).toContain('Thank you. Your order has been received.')
    await theOneOrder(shop, orderId)
  })

  it('F5 at S15: a way to pay is kept once, by the repeat', async () => {
    const customer = aCustomer(shop, `${aName()}@example.test`)
    await customer.register()
    const setup_token = await startMethodSetup(customer)
    await agree(shop, setup_token)
    await refuseWrites(shop.db, reason)
    expect((await callRoute(customer, 'vault/payment-tokens', { setup_token })).status).toBe(503)
    expect(await savedMethodsOf(customer.email)).toEqual([])
    await takeWrites(shop.db)
    expect((await callRoute(customer, 'vault/payment-tokens', { setup_token })).status).toBe(200)
    expect(await savedMethodsOf(customer.email)).toEqual([{ kind: 'wallet' }])
  })

  it('F5 at S15: a card that is paid with is charged whether or not it can be kept', async () => {
    const shopper = await aLoggedInCustomer(shop, aName())
    await shopper.add('MUG')
    await shopper.openCheckout()
    const save = { [paymentFields(cardMethodId).save]: '1' }
    const id = String(await (await createOrder(shopper, cardMethodId, save)).json())
    await shop.emulate(`/orders/${id}/card`, {})
    await refuseWrites(shop.db, reason, ['payment_tokens'])
    await payApproved(shopper, cardMethodId, id, save).catch(() => undefined)
    await takeWrites(shop.db)
    const [order] = await shop.db.sql<{ order_id: number }[]>`select order_id from wallet_orders where id = ${id}`
    await theOneOrder(shop, order?.order_id ?? 0)
  })

  it('F5 at S16: money goes back once, when it can be written down that it does', async () => {
    const { orderId } = await paidOrder()
    const { tools } = shop.shop.application
    const back = () =>
      refundOrder(tools, orderId, { key: `once ${orderId}`, ask: { kind: 'amount', minor: 500 }, restock: false })
    const gone = async () => {
      const { refunds } = (await shop.emulate('/ledger')) as { refunds: unknown[] }
      return refunds.length
    }
    const before = await gone()
    await refuseWrites(shop.db, reason)
    await expect(back()).rejects.toThrow()
    expect(await gone()).toBe(before)
    await takeWrites(shop.db)
    expect(await back()).toMatchObject({ ok: true })
    expect(await back()).toMatchObject({ ok: true })
    expect(await gone()).toBe(before + 1)
    expect(await invariants(shop)).toEqual([])
  })
})
