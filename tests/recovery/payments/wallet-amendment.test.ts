import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletOrderField } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { checkoutTotal, Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
/** Nothing after this point is carried out, as if the process had died there. */
let diesAt: Checkpoint | null = null
beforeAll(async () => {
  shop = await aShop({
    checkpoint: (point) => {
      if (point === diesAt) throw new Error(`died at ${point}`)
    },
  })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())

describe('new figures of an order whose wallet is open', () => {
  it('F4 at S8 I7 P5: told by a process that dies before it says so, what is charged is what the books say was shown', async () => {
    const shopper = new Shopper(shop, 'amended')
    const { walletOrderId } = await shopper.startExpress()
    await shopper.approve(walletOrderId)
    await shopper.anotherTab().add('BOWL')
    diesAt = 'S8 new figures called'
    await shopper.returnFromWallet(walletOrderId).catch(() => undefined)
    diesAt = null
    expect(await shopper.returnFromWallet(walletOrderId)).not.toContain('/order-received/')
    const seen = checkoutTotal(await shopper.openCheckout())
    const answer = await shopper.post(urls.wcAjax('checkout'), {
      ...shopper.form('ppcp'),
      [walletOrderField]: walletOrderId,
      seen_total: String(seen),
    })
    expect(await answer.json()).toMatchObject({ result: 'success' })
    const [wallet] = await shop.db.sql<{ order_id: number }[]>`
      select order_id from wallet_orders where id = ${walletOrderId}`
    const orderId = wallet?.order_id ?? 0
    const order = await until('it is paid', async () => {
      const row = await orderOf(shop, orderId)
      return row.payment_state === 'paid' && row
    })
    expect(order.total).toBe(seen)
    expect(await invariants(shop)).toEqual([])
  })
})
