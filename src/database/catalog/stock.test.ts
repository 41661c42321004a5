import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { transaction } from '../engine/connect.ts'
import { reserveStock } from './stock.ts'

const now = new Date('2026-03-01T10:00:00.000Z')
const environment = {
  clock: { now: () => now, sleep: async () => {} },
  chance: { hex: () => '', alphanumeric: () => '', uuid: () => '', fraction: () => 0 },
}

it('I4: what an order holds is exactly what it asked for last, and what others hold stays', async () => {
  await using db = await aDatabase({ max: 1 })
  await db.sql`insert into products (id, type, name, slug, regular_price, manage_stock, stock_quantity)
    select id, 'simple', 'Bowl', 'bowl-' || id, 700, 'yes', 50 from generate_series(1, 4) id`
  await db.sql`insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total,
      billing, shipping, payment_method, payment_method_title, created_at, updated_at)
    select id, 'wc_order_' || id, 'pending', 's' || id, 'i', 'h', 'USD', false, 700, '{}', '{}', 'ppcp', 'PayPal', ${now}, ${now}
    from generate_series(8, 9) id`
  const hold = (order: number, pieces: Record<number, number>, isNew = false) =>
    transaction({ db, ...environment }, (tx) =>
      reserveStock(tx, order, new Map(Object.entries(pieces).map(([id, count]) => [Number(id), count])), now, isNew),
    )
  const held = async () => {
    const rows = await db.sql<{ order_id: number; product_id: number; quantity: number }[]>`
      select order_id, product_id, quantity from stock_reservations order by order_id, product_id`
    return rows.map((row) => `${row.order_id}: ${row.quantity} of ${row.product_id}`)
  }

  await hold(8, { 1: 5, 2: 1 }, true)
  await hold(9, { 1: 2, 3: 1 }, true)
  await hold(9, { 1: 3, 2: 2 })
  expect(await held()).toEqual(['8: 5 of 1', '8: 1 of 2', '9: 3 of 1', '9: 2 of 2'])
  await hold(9, {})
  expect(await held()).toEqual(['8: 5 of 1', '8: 1 of 2'])
})
