import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ordersOf } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
  await shop.db.sql`create function refuse_write() returns trigger language plpgsql as
    'begin raise exception ''refused for a test''; end'`
})
afterAll(() => shop?.close())

/** What the database refuses while `press` is tried. */
async function whileRefused(table: string, when: string, press: () => Promise<unknown>): Promise<void> {
  await shop.db.sql.unsafe(`create trigger refuse_write before insert or update on ${table}
    for each row when (${when}) execute function refuse_write()`)
  try {
    await press()
  } finally {
    await shop.db.sql.unsafe(`drop trigger refuse_write on ${table}`)
  }
}

const openedFor = async (orderId: number) => {
  const { orders } = (await shop.emulate('/ledger')) as { orders: { custom_id: string }[] }
  return orders.filter(({ custom_id }) => custom_id === String(orderId))
}

describe('an order and the call that opens its wallet order, written down together', () => {
  it('P2 I4: where the call cannot be written down, nothing is ordered and nothing is held', async () => {
    const ada = new Shopper(shop, 'ada')
    await ada.add('MUG')
    await ada.openCheckout()
    await whileRefused('payment_attempts', "new.step = 'create'", async () => {
      await expect(ada.placeOrder()).rejects.toThrow()
    })
    expect(await ordersOf(shop, ada)).toEqual([])
    expect(await shop.db.sql`select 1 from stock_reservations`).toHaveLength(0)

    const { orderId } = startedOf(await ada.placeOrder())
    expect(await openedFor(orderId)).toHaveLength(1)
  })

  it('P1 F5 at S10: a press that dies before its call was made is gone on with by the next one at once', async () => {
    const bea = new Shopper(shop, 'bea')
    await bea.add('MUG')
    await bea.openCheckout()
    await whileRefused('sessions', "new.state ->> 'awaitingOrder' is not null", async () => {
      await expect(bea.placeOrder()).rejects.toThrow()
    })
    expect(await ordersOf(shop, bea)).toHaveLength(1)

    const began = performance.now()
    const { orderId } = startedOf(await bea.placeOrder())
    // One that is at work is waited for, six seconds long.
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(await ordersOf(shop, bea)).toHaveLength(1)
    expect(await openedFor(orderId)).toHaveLength(1)
  })
})
