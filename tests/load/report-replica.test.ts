import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { statisticsNamespace } from '#contract/statistics/dashboard.ts'
import { connect, type Database } from '#database/engine/connect.ts'
import { migrate } from '#database/engine/migrate.ts'
import { prepareJobQueue } from '#database/operations/job-queue.ts'
import { viewCart } from '#tests/support/cart/cart.ts'
import type { Customer } from '#tests/support/customers/customer.ts'
import { staffMember } from '#tests/support/customers/staff.ts'
import { scratchBase } from '#tests/support/database/scratch.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { aPostgresPair, type PostgresPair } from '../rehearsal/postgres-pair.ts'
import { aShop, type TestShop } from '../support/shop.ts'
import { Shopper } from '../support/shopper.ts'

let pair: PostgresPair
let shop: TestShop
let manager: Customer
let replica: Database
beforeAll(async () => {
  const folder = await mkdtemp(join(scratchBase(), 'vitrine-replica-'))
  await chmod(folder, 0o755)
  pair = await aPostgresPair(folder, async (url) => {
    const db = connect(url, { max: 1 })
    await migrate(db)
    await prepareJobQueue(db, url)
    // The primary does not wait for a replica that stands still, or is gone.
    await db.sql`alter role vitrine set synchronous_commit = 'local'`
    await db.close()
  })
  const database = { ...connect(pair.primary.url, { max: 4 }), url: pair.primary.url }
  shop = await aShop({ database, databaseReplicaUrl: pair.replica.url })
  manager = await staffMember(shop, 'mona@example.test', 'shop_manager')
  replica = connect(pair.replica.url, { max: 1 })
}, 120_000)
afterAll(async () => {
  await replica?.close()
  await shop?.close()
  await pair?.[Symbol.asyncDispose]()
})

/** Orders of the last thirty days, as the merchant's page has them. */
async function reported(): Promise<number> {
  const answer = await manager.send(`/wp-json/${statisticsNamespace}/statistics`, {
    headers: { 'X-WP-Nonce': manager.nonce('wp_rest'), accept: 'application/json' },
  })
  expect(answer.status).toBe(200)
  const { sales } = (await answer.json()) as { sales: { orders: number } }
  return sales.orders
}

async function buys(name: string): Promise<void> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG')
  expect((await viewCart(shopper)).lines).toEqual(['Plain mug × 1'])
  await shopper.openCheckout()
  const { redirect = '', order_id: id } = await shopper.placeOrder('cod')
  expect(await shopper.page(redirect)).toContain('Thank you. Your order has been received.')
  expect(await shopper.page(redirect)).toContain(String(id))
  expect(await shopper.page(urls.cart())).toContain('wc-empty-cart-message')
}

describe('a replica that is behind', () => {
  it('P7 every shopper is shown the cart and the order as they are, and the merchant what the replica has', async () => {
    await until('the replica has what the shop began with', async () => (await reported()) === 0)
    await replica.sql`select pg_wal_replay_pause()`
    await until('its replay stands', async () => {
      const [row] = await replica.sql`select pg_get_wal_replay_pause_state() as state`
      return row?.state === 'paused'
    })
    await buys('ada')
    await buys('berta')
    expect(await reported()).toBe(0)
    await replica.sql`select pg_wal_replay_resume()`
    await until('the report has both orders', async () => (await reported()) === 2)
  })

  it('P7 reports come from the primary while it is gone', async () => {
    await replica.sql`select pg_wal_replay_pause()`
    await buys('clara')
    await pair.replica.kill()
    expect(await reported()).toBe(3)
    await pair.replica.start()
    await until('the replica answers again, and has all of it', async () => (await reported()) === 3)
  })
})
