import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { rollingRestarts } from '../../bench/support/rolling-restarts.ts'
import { freePort, stock } from '../support/shop.ts'
import { nextVersion } from './next-version.ts'

/** What the next version might want of the tables that every visitor writes to: each by itself, as CONTRIBUTING.md asks. */
const nextMigrations = [
  "alter table sessions add column next_version text not null default ''",
  "alter table orders add column next_version jsonb not null default '{}'; create index orders_next on orders (payment_method)",
  'alter table order_items add column next_version bigint',
  'alter table products add column next_version text',
]

it('F35 at S1, S5, S10, S13 and S14 P8: old and new code run on one schema: an upgrade with a migration loses no request while visitors buy', {
  timeout: 180_000,
}, async () => {
  const database = await aDatabase({ max: 2 })
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-upgrade-'))
  try {
    await stock(database.url, folder)
    await database.sql`update products set stock_quantity = 100000 where manage_stock = 'yes'`
    const told = await rollingRestarts(2, {
      ports: [await freePort(), await freePort()],
      env: { DATABASE_URL: database.url, DATA_DIR: folder },
      next: await nextVersion(join(folder, 'next'), nextMigrations),
    })
    expect(told.failed).toEqual([])
    expect(told.orders).toBeGreaterThan(0)
    const [books] = await database.sql<{ placed: number }[]>`select count(*)::int as placed from orders`
    expect(books?.placed).toBe(told.orders)
    const newer = await database.sql`select from schema_migrations where name like '%next_version%'`
    expect(newer).toHaveLength(nextMigrations.length)
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
})
