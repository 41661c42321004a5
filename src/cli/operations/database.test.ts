import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, partitioned, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { databaseCommand } from './database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())

const database = (ask: boolean | null, ...args: string[]) =>
  runCommandWith({ ask: async () => ask }, databaseCommand, db, ...args)

describe.skipIf(partitioned)('npm run shop -- database', () => {
  it('partitions nothing unless it is meant, and refuses what is no number of orders', async () => {
    expect(await database(false, 'partition')).toMatchObject({ code: 1, err: 'Nothing was changed.' })
    expect(await database(null, 'partition')).toMatchObject({
      code: 1,
      err: expect.stringContaining('confirm with --yes'),
    })
    for (const wrong of ['999', '1.5', '-2000', 'many', '1e15'])
      expect(await database(true, 'partition', '--orders', wrong), wrong).toMatchObject({
        code: 2,
        err: expect.stringContaining('is not a whole number of at least 1000'),
      })
    expect(await database(null)).toMatchObject({
      code: 0,
      err: 'No table is partitioned. Partition them with: database partition',
    })
  })

  it('partitions orders, ledger and statistics, and says once what the database no longer checks', async () => {
    const done = await database(null, 'partition', '--orders', '2000', '--yes')
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining('refund_items_item_id_fkey') })
    expect(await database(true, 'partition')).toMatchObject({ code: 1, err: expect.stringContaining('already') })
    const { out } = await database(null, 'partitions')
    expect(out).toMatch(/^orders +orders_from_2000 +2000 +4000 +0 +0\.\d MB$/m)
    expect(out).toMatch(/^ledger +ledger_rest +the rest +0 +0\.\d MB$/m)
    expect(out).toMatch(/^stat_count +stat_count_first +\d{4}-01-01 /m)
    expect(JSON.parse((await database(null, 'partitions', '--json')).out)).toContainEqual(
      expect.objectContaining({
        table: 'order_items',
        partitions: expect.arrayContaining([expect.objectContaining({ name: 'order_items_first', to: '2000' })]),
      }),
    )
  })
})
