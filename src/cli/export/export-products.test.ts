import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { loadCommand } from '../commands.ts'
import { importGroup } from '../import/import-group.ts'
import { exportCommand } from './export.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'export-products-'))
  await db.sql`insert into products (id, type, sku, name, slug, imported_id, parent_id) values
    (1, 'variable', 'CUP', 'Cup & saucer', 'cup', 501, null), (2, 'simple', 'PLATE', 'Plate', 'plate', 502, null),
    (3, 'variation', 'CUP-RED', 'Cup red', 'cup-red', null, 1), (4, 'simple', null, 'Twin', 'twin', null, null),
    (5, 'simple', null, 'Twin', 'twin-2', null, null)`
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

describe('export products', () => {
  const exported = async (...options: string[]) => (await runCommand(exportCommand, db, 'products', ...options)).out

  it('has every column, and is imported again without any change; --short has names, prices and status', async () => {
    const all = await exported()
    const products = await loadCommand('products')
    if (!products) throw new Error('there is no command products')
    expect((await runCommand(products, db, 'export', '--all')).out).toBe(all)
    const [header = ''] = all.split('\n')
    expect(header.split(',')).toEqual(expect.arrayContaining(['Type', 'Description', 'Stock', 'Categories', 'Parent']))
    expect((await exported('--short')).split('\n')[0]).toBe('Shop mark,ID,SKU,Name,Published,Regular price,Sale price')
    const stored = () => db.kysely.selectFrom('products').selectAll().orderBy('id').execute()
    await db.sql`update products set regular_price = 1200 where type <> 'variable'`
    await db.sql`update products set description = ${'<p>A \\n and &amp;</p>'}, weight_grams = 450, gtin = '4006381333931' where id = 2`
    for (const options of [[], ['--short']]) {
      const file = join(folder, 'products.csv')
      await runCommand(exportCommand, db, 'products', file, ...options)
      const before = await stored()
      const { out } = await runCommand(importGroup, db, 'products', file, '--update', '--json', '--allow-without-price')
      expect(JSON.parse(out)).toMatchObject({ ok: true, created: 0, updated: 0, unchanged: 5 })
      expect(await stored()).toEqual(before)
    }
  })
})
