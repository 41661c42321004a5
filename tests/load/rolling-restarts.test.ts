import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import type { Balancer } from '../../bench/support/balancer.ts'
import { missingForNginx, nginxInFront } from '../../bench/support/nginx-in-front.ts'
import { rollingRestarts } from '../../bench/support/rolling-restarts.ts'
import { freePort, stock } from '../support/shop.ts'
import { size } from '../support/size.ts'

const timeout = size(180_000, 900_000)

it('P8 M15 loses no request when its processes are restarted in turns while visitors buy', { timeout }, () =>
  losesNoRequest(),
)

it.skipIf(missingForNginx.length > 0)(
  'P8 M15 loses none behind nginx as it is delivered, which does not ask whether a process takes visitors',
  { timeout },
  () => losesNoRequest(nginxInFront),
)

async function losesNoRequest(front?: (ports: readonly number[]) => Promise<Balancer>): Promise<void> {
  const database = await aDatabase({ max: 2 })
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-restarts-'))
  try {
    await stock(database.url, dataDir)
    await database.sql`update products set stock_quantity = 100000 where manage_stock = 'yes'`
    const told = await rollingRestarts(size(2, 20), {
      ports: [await freePort(), await freePort()],
      env: { DATABASE_URL: database.url, DATA_DIR: dataDir },
      ...(front && { front }),
    })
    expect(told.failed).toEqual([])
    expect(told.orders).toBeGreaterThan(0)
    const [books] = await database.sql<{ placed: number }[]>`select count(*)::int as placed from orders`
    expect(books?.placed).toBe(told.orders)
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
