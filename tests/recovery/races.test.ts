import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'
import { theOneOrder } from './bookkeeping.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { cashOnDelivery: true } })
})
afterAll(() => shop.close())

const tenTimes = <Value>(act: () => Promise<Value>) => Promise.all(Array.from({ length: 10 }, act))

describe('everything twice and at once', () => {
  it('P1 ten presses on "place order" at once make one order and one wallet order', async () => {
    const shopper = new Shopper(shop, 'ten-presses')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const started = (await tenTimes(() => shopper.placeOrder())).map(startedOf)
    expect(new Set(started.map(({ orderId }) => orderId)).size).toBe(1)
    expect(new Set(started.map(({ walletOrderId }) => walletOrderId)).size).toBe(1)
  })

  it('P1 ten returns at once take the money once, and all see the confirmation', async () => {
    const shopper = new Shopper(shop, 'ten-returns')
    const { orderId, walletOrderId } = await shopper.startToPay('BOWL', 2)
    await shopper.approve(walletOrderId)
    const places = await tenTimes(() => shopper.comeBack(walletOrderId))
    expect(
      places.every((place) => place.includes(`/order-received/${orderId}/`)),
      places.join(),
    ).toBe(true)
    await theOneOrder(shop, orderId)
  })
})
