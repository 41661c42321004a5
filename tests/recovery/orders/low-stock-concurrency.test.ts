import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { withLast } from '#tests/recovery/fixtures/last-piece.ts'
import { through } from '#tests/recovery/fixtures/parallel.ts'
import { anotherProcess, invariants } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
let second: RunningShop
let elsewhere: TestShop
beforeAll(async () => {
  shop = await aShop()
  second = await anotherProcess(shop)
  elsewhere = through(shop, second)
})
afterAll(async () => {
  await second?.stop()
  await shop?.close()
})

const skus = ['MUG', 'BOWL', 'LAST']
/** Of each at the start. */
const pieces = 50
const buyers = 36

/** Fills the cart in another order than the neighbour; resolves to the last step, which sells the pieces. */
async function readyToBuy(nr: number): Promise<() => Promise<unknown>> {
  const shopper = new Shopper(nr % 2 === 0 ? shop : elsewhere, `buyer-${nr}`)
  const turned = [...skus.slice(nr % 3), ...skus.slice(0, nr % 3)]
  for (const sku of nr % 4 < 2 ? turned : turned.toReversed()) await shopper.add(sku)
  await shopper.openCheckout()
  if (nr % 3 > 0) return async () => expect((await shopper.placeOrder('cod')).result).toBe('success')
  const { walletOrderId } = startedOf(await shopper.placeOrder())
  await shopper.approve(walletOrderId)
  return () => shopper.returnFromWallet(walletOrderId)
}

describe('P1 P4 products that are nearly gone, of which each order tells all pages', () => {
  it('are sold to many at once by two processes, and no order stands in another’s way', async () => {
    const { sql } = shop.db
    await withLast(shop, pieces)
    await sql`update products set low_stock_amount = 1000 where sku = any(${skus})`
    const deadlocks = async () => {
      await sql`select pg_stat_clear_snapshot()`
      const [row] = await sql<{ deadlocks: number }[]>`
        select deadlocks::int from pg_stat_database where datname = current_database()`
      return row?.deadlocks
    }
    const before = await deadlocks()
    const ready = await Promise.all(Array.from({ length: buyers }, (_, nr) => readyToBuy(nr)))
    await Promise.all(ready.map((buy) => buy()))
    const left = async () =>
      (await sql<{ onHand: number }[]>`select stock_quantity as "onHand" from products where sku = any(${skus})`).map(
        ({ onHand }) => onHand,
      )
    await expect.poll(left, { timeout: 15_000 }).toEqual(skus.map(() => pieces - buyers))
    // Each connection tells of its deadlocks once a second at most.
    await sleep(1_500)
    expect(await deadlocks()).toBe(before)
    expect(await invariants(shop)).toEqual([])
  })
})
