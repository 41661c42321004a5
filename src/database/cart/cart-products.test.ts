import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { catalogChanged } from '../catalog/catalog-version.ts'
import { connect, type Database } from '../engine/connect.ts'
import { type OwnReservations, productsForCart } from './cart-products.ts'

const now = new Date('2026-01-01T00:00:00Z')

describe('the products of a cart', () => {
  it('are planned once for carts of every size: planning takes five times as long as reading', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (type, name, slug, status) select 'simple', 'P' || nr, 'p' || nr, 'publish'
      from generate_series(1, 300) nr`
    await db.sql`analyze products`
    for (let size = 1; size <= 12; size += 1) {
      const ids = Array.from({ length: size }, (_, index) => index + 1)
      await productsForCart(db, ids, now, { sessionId: 's' })
    }
    const [plans] = await db.sql<{ generic: number; custom: number }[]>`
      select generic_plans as generic, custom_plans as custom from pg_prepared_statements
      where statement like '%"saleFrom"%' and statement not like '%pg_prepared_statements%'`
    // PostgreSQL compares plans for five executions before it decides.
    expect(plans).toEqual({ generic: 7, custom: 5 })
  })
  it('are read in whole once, and again after each change of what they are sold by', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, parent_id, name, slug, regular_price) values
      (1, 'variable', null, 'Cup', 'cup', null), (2, 'variation', 1, 'Cup', 'cup-green', 900)`
    const green = async () => (await productsForCart(db, [2], now)).get(2)
    const wholeReadings = () => wholeReadingsIn(db)
    expect(await green()).toMatchObject({ name: 'Cup', regularPrice: 900 })
    expect(await green()).toEqual(await green())
    expect(await wholeReadings()).toBe(1)

    await db.sql`update products set regular_price = 1000 where id = 2`
    expect(await green()).toMatchObject({ name: 'Cup', regularPrice: 1000 })
    await db.sql`update products set name = 'Beaker' where id = 1`
    expect(await green()).toMatchObject({ name: 'Beaker', regularPrice: 1000 })
    await db.sql`insert into categories (id, name, slug) values (7, 'Kitchen', 'kitchen')`
    await db.sql`insert into product_categories values (1, 7)`
    await catalogChanged(db.kysely)
    expect(await green()).toMatchObject({ name: 'Beaker', categoryIds: [7] })
    expect(await wholeReadings()).toBe(4)

    await db.sql`delete from products where id = 1`
    expect(await green()).toBeUndefined()
    expect(await wholeReadings()).toBe(4)
  })

  it('are not read in whole again after a sale, and there are fewer of them all the same', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, parent_id, name, slug, manage_stock, stock_quantity) values
      (1, 'variable', null, 'Cup', 'cup', 'yes', 9), (2, 'variation', 1, 'Cup', 'cup-green', 'parent', null),
      (3, 'simple', null, 'Mug', 'mug', 'yes', 5)`
    const left = async () => {
      const products = await productsForCart(db, [2, 3], now)
      return [2, 3].map((id) => [products.get(id)?.stockQuantity, products.get(id)?.stockStatus])
    }
    expect(await left()).toEqual([
      [9, 'instock'],
      [5, 'instock'],
    ])
    await db.sql`update products set stock_quantity = 8, updated_at = now() where id = 1`
    await db.sql`update products set stock_quantity = 0, stock_status = 'outofstock', total_sales = 5 where id = 3`
    expect(await left()).toEqual([
      [8, 'instock'],
      [0, 'outofstock'],
    ])
    expect(await wholeReadingsIn(db)).toBe(1)
  })

  it('have less in stock by what others reserve, not by what the visitor does', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, name, slug, regular_price, manage_stock, stock_quantity)
      values (3, 'simple', 'Bowl', 'bowl', 700, 'yes', 5)`
    const reserved = async (own: OwnReservations) => (await productsForCart(db, [3], now, own)).get(3)?.reservedByOthers
    expect(await reserved({ sessionId: 's' })).toBe(0)
    const order = 9
    await db.sql`insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total,
        billing, shipping, payment_method, payment_method_title, created_at, updated_at)
      values (${order}, 'wc_order_other', 'pending', 'other', 'i', 'h', 'USD', false, 2800, '{}', '{}', 'cod', 'Cash', ${now}, ${now})`
    await db.sql`insert into stock_reservations (order_id, product_id, quantity, expires_at)
      values (${order}, 3, 4, ${new Date('2026-01-03T00:00:00Z')})`
    expect(await reserved({ sessionId: 's' })).toBe(4)
    expect(await reserved({ sessionId: 'other' })).toBe(0)
    expect(await reserved({ orderId: order })).toBe(0)
  })

  it('are read in whole again after a change of any column that says something of them', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, parent_id, name, slug) values (1, 'variable', null, 'Cup', 'cup'),
      (2, 'variation', 1, 'Cup', 'cup-green')`
    // A pool without cached products.
    const unknowing = async () => {
      const fresh = connect(db.url, { max: 1 })
      return (await productsForCart(fresh, [2], now).finally(fresh.close)).get(2)
    }
    const columns = await db.sql<{ name: string; kind: string }[]>`
      select column_name as name, data_type as kind from information_schema.columns
      where table_name = 'products' and is_generated = 'NEVER' and column_name not in ('id', 'type', 'parent_id')`
    const otherValue = (name: string, kind: string): string => {
      const words: Record<string, string> = {
        status: "'private'",
        visibility: "'hidden'",
        tax_status: "'none'",
        manage_stock: "'yes'",
        stock_status: "'outofstock'",
        backorders: "'notify'",
      }
      if (words[name]) return words[name]
      if (kind === 'boolean') return `not ${name}`
      if (kind === 'text') return `coalesce(${name}, '') || '-other-' || id`
      if (kind === 'jsonb') return `'[{"id": "x"}]'`
      if (kind.startsWith('timestamp')) return `'2025-12-01'`
      return '3'
    }
    let told = 0
    for (const { name, kind } of columns) {
      for (const id of [1, 2]) {
        const before = await productsForCart(db, [2], now)
        // Stock management without a quantity violates a constraint: both are set together.
        const set =
          name === 'manage_stock' ? "manage_stock = 'yes', stock_quantity = 7" : `${name} = ${otherValue(name, kind)}`
        await db.sql.unsafe(`update products set ${set} where id = ${id}`)
        const after = await productsForCart(db, [2], now)
        expect(after.get(2), `${name} of ${id}`).toEqual(await unknowing())
        told += JSON.stringify(after.get(2)) === JSON.stringify(before.get(2)) ? 0 : 1
      }
    }
    expect(told).toBeGreaterThan(20)
  })
})

async function wholeReadingsIn({ sql }: Pick<Database, 'sql'>): Promise<number | undefined> {
  const [row] = await sql<{ count: number }[]>`
    select generic_plans + custom_plans as count from pg_prepared_statements
    where statement like '%"saleFrom"%' and statement not like '%pg_prepared_statements%'`
  return row?.count
}
