import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database.ts'
import { productsForCart } from './cart-products.ts'

describe('the products of a cart', () => {
  it('are planned once for carts of every size: planning takes five times as long as reading', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (type, name, slug, status) select 'simple', 'P' || nr, 'p' || nr, 'publish'
      from generate_series(1, 300) nr`
    await db.sql`analyze products`
    const now = new Date('2026-01-01T00:00:00Z')
    for (let size = 1; size <= 12; size += 1) {
      const ids = Array.from({ length: size }, (_, index) => index + 1)
      await productsForCart(db.kysely, ids, now, { sessionId: 's' })
    }
    const [plans] = await db.sql<{ generic: number; custom: number }[]>`
      select generic_plans as generic, custom_plans as custom from pg_prepared_statements
      where statement like '%"saleFrom"%' and statement not like '%pg_prepared_statements%'`
    // PostgreSQL tries five times before it settles.
    expect(plans).toEqual({ generic: 7, custom: 5 })
  })
})
