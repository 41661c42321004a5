import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database.ts'
import { productsForCart } from './cart-products.ts'
import { catalogChanged } from './version.ts'

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
    // PostgreSQL tries five times before it settles.
    expect(plans).toEqual({ generic: 7, custom: 5 })
  })
  it('are read in whole once, and again after each change of what they are sold by', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, parent_id, name, slug, regular_price) values
      (1, 'variable', null, 'Cup', 'cup', null), (2, 'variation', 1, 'Cup', 'cup-green', 900)`
    const green = async () => (await productsForCart(db, [2], now)).get(2)
    const wholeReadings = async () => {
      const [row] = await db.sql<{ count: number }[]>`
        select generic_plans + custom_plans as count from pg_prepared_statements
        where statement like '%"saleFrom"%' and statement not like '%pg_prepared_statements%'`
      return row?.count
    }
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
})
