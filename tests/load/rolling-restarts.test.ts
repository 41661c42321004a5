import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rollingRestarts } from '../../bench/support/rolling-restarts.ts'
import { aDatabase } from '../support/database.ts'
import { freePort, stock } from '../support/shop.ts'
import { size } from '../support/size.ts'

it('P8 M15 loses no request when its processes are restarted in turns while visitors buy', {
  timeout: size(180_000, 900_000),
}, async () => {
  const database = await aDatabase({ max: 2 })
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-restarts-'))
  try {
    await stock(database.url, dataDir)
    await database.sql`update products set stock_quantity = 100000 where manage_stock = 'yes'`
    const told = await rollingRestarts(size(2, 20), {
      ports: [await freePort(), await freePort()],
      env: { DATABASE_URL: database.url, DATA_DIR: dataDir },
    })
    expect(told.failed).toEqual([])
    expect(told.orders).toBeGreaterThan(0)
    const [books] = await database.sql<{ placed: number }[]>`select count(*)::int as placed from orders`
    expect(books?.placed).toBe(told.orders)
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
