import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { changesSince } from './catalog-version.ts'
import { indexRowsOf, productsBySku } from './index-rows.ts'
import { cardsByIds } from './product-rows.ts'

describe('what a listing reads of the database', () => {
  it('never looks through the table of products, whatever is asked for', async () => {
    await using db = await aDatabase({ max: 1 })
    const { sql } = db
    await sql`insert into products (type, sku, name, slug) select 'simple', 'SKU' || nr, 'P' || nr, 'p' || nr
      from generate_series(1, 20000) nr`
    await sql`insert into catalog_changes (version, product_id) select nr, nr from generate_series(1, 20000) nr`
    await sql`analyze products, catalog_changes`
    const scans = async () => {
      await sql`select pg_stat_force_next_flush()`
      const [row] = await sql<{ scans: number; lookups: number }[]>`
        select coalesce(sum(seq_scan), 0)::int as scans, sum(idx_scan)::int as lookups from pg_stat_user_tables
        where relname in ('products', 'catalog_changes')`
      return row ?? { scans: 0, lookups: 0 }
    }
    const before = await scans()
    // PostgreSQL compares plans for five executions before it chooses a generic one.
    for (let nr = 1; nr <= 8; nr += 1) {
      expect((await cardsByIds(sql, [nr, nr + 1, nr + 2])).cards).toHaveLength(3)
      expect(await indexRowsOf(sql, [nr])).toHaveLength(1)
      expect(await productsBySku(sql, `sku${nr * 1111}`, 50)).toContainEqual({ id: nr * 1111, whole: true })
      expect((await productsBySku(sql, 'sku77', 50)).length).toBeGreaterThan(20)
      expect(await productsBySku(sql, 'linen', 50)).toEqual([])
      await changesSince(sql, 20_000 - nr)
    }
    const after = await scans()
    expect(after.scans).toBe(before.scans)
    expect(after.lookups).toBeGreaterThan(before.lookups + 40)
    // A prefix of all SKUs is limited.
    expect(await productsBySku(sql, 'sku', 50)).toHaveLength(50)
  })

  it('takes a SKU as it is written, not as a pattern', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (type, sku, name, slug) values ('simple', 'A_1', 'A', 'a'), ('simple', 'AB1', 'B', 'b')`
    expect(await productsBySku(db.sql, 'a_1', 50)).toContainEqual({ id: 1, whole: true })
    expect(await productsBySku(db.sql, 'a_1', 50)).not.toContainEqual(expect.objectContaining({ id: 2 }))
    expect(await productsBySku(db.sql, '%b1', 50)).toEqual([])
  })
})
