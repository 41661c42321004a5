import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, type Database } from '#database/engine/connect.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { partitioned } from '#tests/support/database/database.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { fillOrders } from '../../../bench/support/many-orders.ts'

const orders = 5_000

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
  const { sql } = shop.db
  await fillOrders(shop.db, orders)
  await sql`insert into authorizations (id, order_id, wallet_order_id, status, amount, currency, environment, authorized_at, expires_at)
    select 'A' || w.id, w.order_id, w.id, 'CAPTURED', w.amount, w.currency, w.environment, w.created_at, w.created_at
    from wallet_orders w`
  await sql`insert into refunds (order_id, key, body_hash, state, made_by, by_provider, amount, currency, created_at)
    select id, '', '', 'done', 'shop', true, 1, 'USD', created_at from orders`
  await sql`insert into sessions (id, state, expires_at, created_at, updated_at)
    select md5(n::text), '{}', ${future}, ${future}, ${future} from generate_series(1, ${orders}::int) n`
  await sql`analyze`
})
afterAll(() => shop?.close())

const future = new Date('2099-01-01T00:00:00Z')

/** Of tables with thousands of rows: how often each was read from end to end by the one connection of a pool, and by others before. */
async function wholeReads({ sql }: Database): Promise<Record<string, number>> {
  await sql`select pg_stat_force_next_flush()`
  const rows = await sql<{ table: string; times: number }[]>`
    select relname as table, seq_scan::int as times from pg_stat_user_tables where n_live_tup >= ${orders / 2}`
  return Object.fromEntries(rows.map(({ table, times }) => [table, times]))
}

it.skipIf(partitioned)('looks every minute for what is under way without reading all that ever was', async () => {
  const db = connect(shop.databaseUrl, { max: 1 })
  const tools = { ...shop.shop.application.tools, db }
  try {
    const before = await wholeReads(db)
    const large = ['orders', 'captures', 'authorizations', 'refunds', 'sessions', 'webhook_events', 'payment_attempts']
    expect(Object.keys(before)).toEqual(expect.arrayContaining(large))
    for (let minute = 0; minute < 3; minute += 1) await maintain(tools)
    expect(await wholeReads(db)).toEqual(before)
  } finally {
    await db.close()
  }
})
