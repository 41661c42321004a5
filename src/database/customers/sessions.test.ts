import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { cachedProducts, productsForCart } from '../cart/cart-products.ts'
import { catalogChanged } from '../catalog/catalog-version.ts'
import { findSession, saveSession } from './sessions.ts'

const now = new Date('2026-01-01T00:00:00Z')
const expiresAt = new Date('2026-01-03T00:00:00Z')

describe('a session that is written on what is remembered of products', () => {
  const changes = {
    'another price': `update products set regular_price = 1000 where id = 2`,
    'another name of the page': `update products set name = 'Beaker' where id = 1`,
    'a product that is gone': `delete from products where id = 3`,
  }
  it.each(Object.entries(changes))('is not written after %s, and is once it was read again', async (_what, change) => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, parent_id, name, slug, regular_price) values (3, 'simple', null, 'Bowl', 'bowl', 700),
      (1, 'variable', null, 'Cup', 'cup', null), (2, 'variation', 1, 'Cup', 'cup-green', 900)`
    const write = async (version: number, state: object) => {
      const recalled = cachedProducts(db, [3, 2], now)
      return (
        recalled &&
        saveSession(db, { id: 's', version, json: JSON.stringify(state), expiresAt, now }, recalled.isUnchanged)
      )
    }
    expect(await write(0, {})).toBeNull()
    await productsForCart(db, [2, 3], now)
    expect(await write(0, { nr: 1 })).toBe(true)
    expect(await write(1, { nr: 2 })).toBe(true)
    // Another request was first.
    expect(await write(1, { nr: 3 })).toBe(false)

    await db.sql.unsafe(change)
    expect(await write(2, { nr: 4 })).toBe(false)
    const present = await productsForCart(db, [2, 3], now)
    expect(await write(2, { nr: 5 })).toBe(present.size === 2)
    expect(await findSession(db, 's', now)).toMatchObject({ state: { nr: present.size === 2 ? 5 : 2 } })
  })

  it('is not written for a new visitor either, whatever has changed', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, name, slug, regular_price) values (3, 'simple', 'Bowl', 'bowl', 700)`
    await productsForCart(db, [3], now)
    const write = async (id: string) => {
      const recalled = cachedProducts(db, [3], now)
      return recalled && saveSession(db, { id, version: 0, json: '{}', expiresAt, now }, recalled.isUnchanged)
    }
    await catalogChanged(db.kysely)
    expect(await write('a')).toBe(false)
    expect(await findSession(db, 'a', now)).toBeNull()
    await productsForCart(db, [3], now)
    expect(await write('a')).toBe(true)
  })

  it('is not written once its time is over', async () => {
    await using db = await aDatabase({ max: 1 })
    const write = (version: number, at: Date) => saveSession(db, { id: 's', version, json: '{}', expiresAt, now: at })
    expect(await write(0, now)).toBe(true)
    expect(await write(1, expiresAt)).toBe(false)
    expect(await write(1, new Date(expiresAt.getTime() - 1))).toBe(true)
  })

  it('is planned once for carts of every size', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (type, name, slug, status) select 'simple', 'P' || nr, 'p' || nr, 'publish'
      from generate_series(1, 300) nr`
    await db.sql`analyze products`
    for (let size = 1; size <= 12; size += 1) {
      const ids = Array.from({ length: size }, (_, index) => index + 1)
      await productsForCart(db, ids, now)
      const isUnchanged = cachedProducts(db, ids, now)?.isUnchanged
      for (const version of [0, 1]) {
        const session = { id: `s${size}`, version, json: '{}', expiresAt, now }
        expect(await saveSession(db, session, isUnchanged)).toBe(true)
      }
    }
    const plans =
      await db.sql`select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
      where statement like '%string_agg%' and statement not like '%pg_prepared_statements%'`
    expect([...plans]).toEqual([
      { generic: 7, custom: 5 },
      { generic: 7, custom: 5 },
    ])
  })

  it('sees what others hold of the stock', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, name, slug, regular_price, manage_stock, stock_quantity)
      values (3, 'simple', 'Bowl', 'bowl', 700, 'yes', 5)`
    await productsForCart(db, [3], now)
    const order = 9
    await db.sql`insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total,
        billing, shipping, payment_method, payment_method_title, created_at, updated_at)
      values (${order}, 'wc_order_other', 'pending', 'other', 'i', 'h', 'USD', false, 2800, '{}', '{}', 'cod', 'Cash', ${now}, ${now})`
    await db.sql`insert into stock_reservations (order_id, product_id, quantity, expires_at)
      values (${order}, 3, 4, ${expiresAt})`
    const recalled = cachedProducts(db, [3], now, { sessionId: 's' })
    const session = { id: 's', version: 0, json: '{}', expiresAt, now }
    expect(recalled && (await saveSession(db, session, recalled.isUnchanged))).toBe(false)
    // The order's own visitor is not blocked by the reservation.
    const own = cachedProducts(db, [3], now, { orderId: order })
    expect(own && (await saveSession(db, session, own.isUnchanged))).toBe(true)
  })
})
