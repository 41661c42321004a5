import { expect, it } from 'vitest'
import { aDatabase, partitioned } from '#tests/support/database/database.ts'
import { listRestOrders, type RestOrderFilter } from './rest-orders.ts'

const all: RestOrderFilter = {
  statuses: null,
  trash: false,
  after: null,
  before: null,
  modifiedAfter: null,
  modifiedBefore: null,
  include: [],
  exclude: [],
  customerId: null,
  productId: null,
  text: '',
  orderBy: 'id',
  descending: false,
}
const now = Date.UTC(2026, 10, 27)
const hours = (count: number) => new Date(now - count * 3_600_000)

it.skipIf(partitioned)(
  'finds the few orders that have changed, and the last ones that have, without reading all others',
  async () => {
    await using db = await aDatabase({ max: 1 })
    // One per hour, oldest first; the third was changed a moment ago.
    await db.sql`insert into orders (key, status, payment_state, session_id, intention, cart_hash, currency, prices_include_tax, total, billing,
      shipping, payment_method, payment_method_title, created_at, updated_at, base_currency, base_total, exchange_rate)
    select 'k' || n, 'completed', 'none', md5('s' || n), 'i', '', 'USD', false, 1977, '{}', '{}', 'cod', '', at, at, 'USD', 1977, '1'
    from (select n, ${hours(0)}::timestamptz - n * interval '1 hour' as at from generate_series(5000, 1, -1) n) old`
    await db.sql`update orders set updated_at = ${hours(0)} where key = 'k4998'`
    await db.sql`analyze orders`
    const keys = async (filter: Partial<RestOrderFilter>) => {
      const { total, orders } = await listRestOrders(db.kysely, { ...all, ...filter }, { limit: 2, offset: 0 })
      return [total, ...orders.map(({ key }) => key)]
    }
    const before = await readWhole(db)
    expect(await keys({ modifiedAfter: hours(3.5), orderBy: 'modified' })).toEqual([4, 'k3', 'k2'])
    expect(await keys({ modifiedAfter: hours(3.5), orderBy: 'modified', descending: true })).toEqual([4, 'k4998', 'k1'])
    expect(await readWhole(db)).toBe(before)
    // The control case: a query without filters does read all rows.
    await keys({})
    expect(await readWhole(db)).toBeGreaterThan(before)
  },
)

/** Counts the full scans of the table. */
async function readWhole({ sql }: Awaited<ReturnType<typeof aDatabase>>): Promise<number> {
  await sql`select pg_stat_force_next_flush()`
  await sql`select 1`
  const [row] = await sql<{ times: number }[]>`
    select seq_scan::int as times from pg_stat_user_tables where relname = 'orders'`
  return row?.times ?? Number.NaN
}
