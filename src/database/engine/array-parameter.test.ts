import { sql, type Transaction } from 'kysely'
import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { lockStock } from '../catalog/stock.ts'
import { recordSale } from '../catalog/total-sales.ts'
import { findSessionVersions, saveSessionsWith } from '../customers/sessions.ts'
import { insertMails, recordMailOutcomes } from '../mail/messages.ts'
import { nextOrderIds } from '../orders/orders.ts'
import { listOf } from './array-parameter.ts'
import { transaction } from './connect.ts'
import type { Schema } from './schema/schema.ts'

const now = new Date('2026-03-01T10:00:00.000Z')
const environment = {
  clock: { now: () => now, sleep: async () => {} },
  chance: { hex: () => '', alphanumeric: () => '', uuid: () => '', fraction: () => 0 },
}
type Tx = Transaction<Schema>

/** The server compares both kinds of plan after five executions of a prepared statement. */
const calls = 12

const statements: Readonly<Record<string, (tx: Tx) => Promise<unknown>>> = {
  'a list by itself': (tx) => sql`select name from products where id = any(${listOf([1, 2], 'bigint')})`.execute(tx),
  'messages put down': (tx) =>
    insertMails(
      tx,
      [
        { orderId: 8, kind: 'new_order', trace: {} },
        { orderId: 8, kind: 'customer_processing_order', trace: {} },
      ],
      'after-an-end',
    ),
  'messages closed': (tx) =>
    recordMailOutcomes(tx, [
      { messageId: 'order-8-new_order', end: { recipient: 'shop', sent_at: now } },
      { messageId: 'order-8-customer_processing_order', end: { skipped: 'disabled' } },
    ]),
  'a sale': (tx) => recordSale(tx, [8], 1),
  'versions of sessions': (tx) => findSessionVersions(tx, ['a', 'b'], now),
  sessions: (tx) => saveSessionsWith(tx, [{ id: 'a', version: 1, json: '{}', expiresAt: now }], now),
  'numbers of orders': (tx) => nextOrderIds(tx, 3),
  stock: (tx) => lockStock(tx, [1, 2], null, now),
}

it.each(Object.entries(statements))('%s: the server does not plan it anew for each call', async (_what, call) => {
  await using db = await aDatabase({ max: 1 })
  await db.sql`insert into products (id, type, name, slug, regular_price) select id, 'simple', 'Bowl', 'bowl-' || id, 700
    from generate_series(1, 2000) id`
  await db.sql`insert into sessions (id, state, version, expires_at, created_at, updated_at)
    select 's' || id, '{}', 1, ${now}::timestamptz + interval '2 days', ${now}, ${now} from generate_series(1, 2000) id`
  await db.sql`insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total,
      billing, shipping, payment_method, payment_method_title, created_at, updated_at)
    select id, 'wc_order_' || id, 'pending', 's' || id, 'i', 'h', 'USD', false, 700, '{}', '{}', 'ppcp', 'PayPal', ${now}, ${now}
    from generate_series(1, 2000) id`
  await db.sql`insert into sent_mail (message_id, order_id, kind, recipient, waits_since)
    select 'order-' || id || '-new_order', id, 'new_order', '', case when id > 1900 then ${now}::timestamptz end
    from generate_series(9, 2000) id`
  await db.sql`analyze`
  await transaction({ db, ...environment }, async (tx) => {
    for (let nr = 0; nr < calls; nr += 1) await call(tx)
    const { rows } = await sql<{ statement: string; custom_plans: number; generic_plans: number }>`
      select statement, custom_plans::int, generic_plans::int from pg_prepared_statements
      where custom_plans + generic_plans = ${calls} and statement not like '%pg_prepared_statements%'`.execute(tx)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ custom_plans: anew }) => anew > 5)).toEqual([])
  })
})
