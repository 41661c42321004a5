import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errorReturnHash } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import type { PayPal } from '#paypal/client.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  provider,
  providerLedger,
  theOneOrder,
} from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
let paypal: PayPal
beforeAll(async () => {
  shop = await aShop()
  paypal = provider(shop.paypal)
})
afterAll(() => shop.close())
beforeEach(() => shop.emulate('/webhooks/hold', { on: true }))

let shoppers = 0
const aShopper = () => new Shopper(shop, `shopper-${++shoppers}`)
const unit = "/purchase_units/@reference_id=='default'"

const aCent = (orderId: number) => ({
  reference_id: 'default',
  custom_id: String(orderId),
  amount: { currency_code: 'USD', value: '0.01' },
  shipping: {
    name: { full_name: 'Ada Lovelace' },
    address: {
      address_line_1: '1 Main Street',
      admin_area_2: 'San Jose',
      admin_area_1: 'CA',
      postal_code: '95131',
      country_code: 'US',
    },
  },
})

async function expectNoCapture(orderId: number): Promise<void> {
  expect(await capturesFor(shop, orderId)).toEqual([])
  const order = await orderOf(shop, orderId)
  expect(['pending', 'none']).toContain(order.payment_state)
  expect(order.paid_at).toBeNull()
}

describe('what a browser sends', () => {
  it("P3 T1: somebody else's approved wallet order pays for nothing here", async () => {
    const victim = aShopper()
    const theirs = await victim.startToPay('MUG')
    await victim.approve(theirs.walletOrderId)
    const thief = aShopper()
    const mine = await thief.startToPay('MUG')
    expect((await thief.placeOrder('ppcp', theirs.walletOrderId)).redirect ?? '').not.toContain('order-received')
    expect(await thief.returnFromWallet(theirs.walletOrderId)).toBe(urls.cart())
    await expectNoCapture(theirs.orderId)
    await expectNoCapture(mine.orderId)
    await victim.returnFromWallet(theirs.walletOrderId)
    await theOneOrder(shop, theirs.orderId)
  })

  it('P3 T1: a wallet order that the shop never opened pays for nothing', async () => {
    const shopper = aShopper()
    const { orderId } = await shopper.startToPay('MUG')
    const { total } = await orderOf(shop, orderId)
    const own = await paypal.createOrder(
      {
        intent: 'CAPTURE',
        purchase_units: [
          { custom_id: String(orderId), amount: { currency_code: 'USD', value: (total / 100).toFixed(2) } },
        ],
        payment_source: { paypal: { experience_context: { return_url: shop.url, cancel_url: shop.url } } },
      } as never,
      { requestId: 'the thief' },
    )
    if (!own.ok) throw new Error('the emulator refuses the order')
    await shopper.approve(own.value.id)
    expect((await shopper.placeOrder('ppcp', own.value.id)).redirect ?? '').not.toContain('order-received')
    expect(await shopper.returnFromWallet(own.value.id)).toBe(urls.cart())
    await expectNoCapture(orderId)
  })

  it('P3: coming back without having approved pays for nothing, and the way on stays open', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(`${urls.checkout()}#${errorReturnHash}`)
    await expectNoCapture(orderId)
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    await theOneOrder(shop, orderId)
  })

  it('P3: fields of a form that name a status, a price or a payment change nothing', async () => {
    const shopper = aShopper()
    await shopper.add('BOWL')
    await shopper.openCheckout()
    const response = await shopper.post(urls.wcAjax('checkout'), {
      ...shopper.form('ppcp'),
      status: 'completed',
      payment_state: 'paid',
      total: '0.01',
      order_total: '1',
      paid_at: '2026-01-01',
      transaction_id: 'MINE',
      'line_items[0][total]': '0.01',
      currency: 'XTS',
    })
    const { orderId } = startedOf((await response.json()) as { result: 'success' })
    await expectNoCapture(orderId)
    const order = await orderOf(shop, orderId)
    expect(order).toMatchObject({ status: 'pending', currency: 'USD', transaction_id: null })
    expect(order.total).toBeGreaterThan(1550)
  })

  it('P12: card numbers that a page posts are kept nowhere', async () => {
    const shopper = aShopper()
    await shopper.add('MUG')
    await shopper.openCheckout()
    const card = '4111111111111111'
    await shopper.post(urls.wcAjax('checkout'), {
      ...shopper.form('ppcp'),
      card_number: card,
      'payment[card][number]': card,
      cvv: '987',
    })
    const tables = await shop.db.sql<
      { name: string }[]
    >`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
      from information_schema.tables where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`
    expect(tables.length).toBeGreaterThan(25)
    for (const { name } of tables) {
      const rows = await shop.db.sql.unsafe(`select 1 from ${name} as t where t::text like '%${card}%' limit 1`)
      expect(rows, name).toHaveLength(0)
    }
  })
})

describe('figures that were changed at the provider', () => {
  const changes: [string, (orderId: number, total: number) => object][] = [
    ['T2: a smaller amount', (orderId) => ({ op: 'replace', path: unit, value: aCent(orderId) })],
    ['T2: another reference', () => ({ op: 'replace', path: `${unit}/custom_id`, value: '999999' })],
  ]
  it.each(changes)('P3 %s is not captured, and the next press starts anew', async (_what, change) => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    const { total } = await orderOf(shop, orderId)
    const patched = await paypal.patchOrder(walletOrderId, [change(orderId, total)] as never)
    if (!patched.ok) throw new Error(`the provider refuses the change: ${JSON.stringify(patched)}`)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(`${urls.checkout()}#${errorReturnHash}`)
    expect((await providerLedger(shop)).captures.filter(({ order_id }) => order_id === walletOrderId)).toEqual([])
    expect((await orderOf(shop, orderId)).paid_at).toBeNull()

    await shopper.openCheckout()
    const next = startedOf(await shopper.placeOrder())
    expect(next.walletOrderId).not.toBe(walletOrderId)
    await shopper.approve(next.walletOrderId)
    await shopper.returnFromWallet(next.walletOrderId)
    await theOneOrder(shop, next.orderId)
  })

  it('I3: money of another amount that the provider took all the same is shown to a person', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    const patched = await paypal.patchOrder(walletOrderId, [
      { op: 'replace', path: unit, value: aCent(orderId) },
    ] as never)
    if (!patched.ok) throw new Error('the provider refuses the change')
    await shopper.approve(walletOrderId)
    await paypal.captureOrder(walletOrderId, { requestId: 'not the shop' })
    expect(await shopper.returnFromWallet(walletOrderId)).toContain('order-received')
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'attention', paid_at: null })
    // And it is not asked for a second time.
    await shopper.openCheckout()
    await shopper.placeOrder()
    const { orders } = await providerLedger(shop)
    expect(orders.filter(({ custom_id }) => custom_id === String(orderId))).toHaveLength(1)
  })
})

describe('prices that change', () => {
  const setPrice = (minor: number) =>
    shop.db
      .sql`update products set regular_price = ${minor}, min_price = ${minor}, max_price = ${minor} where sku = 'MUG'`

  it('P5 F24 at S7: what the wallet showed is what is charged, whatever the price became meanwhile', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    const shown = (await providerLedger(shop)).orders.find(({ id }) => id === walletOrderId)
    await setPrice(9900)
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    await setPrice(1200)
    const order = await theOneOrder(shop, orderId)
    expect(shown).toMatchObject({ amount: { value: (order.total / 100).toFixed(2) } })
  })

  it('P5 F24 at S10: an approval of the former total takes that total and not the new one', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    const { total } = await orderOf(shop, orderId)
    await shopper.approve(walletOrderId)
    await setPrice(9900)
    const answer = await shopper.placeOrder('ppcp', walletOrderId)
    await setPrice(1200)
    expect(answer.result).toBe('success')
    const { captures } = await providerLedger(shop)
    expect(captures.filter(({ order_id }) => order_id === walletOrderId)).toMatchObject([
      { status: 'COMPLETED', amount: { value: (total / 100).toFixed(2) } },
    ])
  })
})

describe('after all that', () => {
  it('I1 to I13 hold', async () => {
    expect(await invariants(shop)).toEqual([])
  })
})
