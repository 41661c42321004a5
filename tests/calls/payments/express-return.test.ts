import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { capturesFor } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop?.close())

const priceOfMug = (minor: number) =>
  shop.db
    .sql`update products set regular_price = ${minor}, min_price = ${minor}, max_price = ${minor} where sku = 'MUG'`

describe('a return from the wallet whose total is not the one that was approved', () => {
  it('P5 F20 at S9 and F24 at S7: however often it is repeated, only the button of the checkout pays the new total', async () => {
    const ada = new Shopper(shop, 'ada')
    const { walletOrderId } = await ada.startExpress()
    await priceOfMug(1_500)
    await ada.approve(walletOrderId)
    const [row] = await shop.db.sql<
      { order_id: number }[]
    >`select order_id from wallet_orders where id = ${walletOrderId}`
    const orderId = row?.order_id ?? 0

    for (let times = 0; times < 4; times += 1) {
      expect(await ada.returnFromWallet(walletOrderId)).toContain(urls.checkout())
      expect(await capturesFor(shop, orderId)).toEqual([])
    }

    await ada.openCheckout()
    const answer = await ada.placeOrder(undefined, walletOrderId)
    expect(answer.result, answer.messages).toBe('success')
    const [order] = await shop.db.sql<{ total: number }[]>`select total from orders where id = ${orderId}`
    expect(await capturesFor(shop, orderId)).toMatchObject([
      { status: 'COMPLETED', amount: { value: ((order?.total ?? 0) / 100).toFixed(2) } },
    ])
  })
})
