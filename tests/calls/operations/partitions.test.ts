import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreCommand } from '#cli/operations/restore.ts'
import { ordersCommand } from '#cli/orders/orders.ts'
import { connect } from '#database/engine/connect.ts'
import { partition } from '#database/engine/partition/partitions.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { takeBackup } from '#shop/operations/backup/take-backup.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { aDatabase, partitioned } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const environment = systemEnvironment(systemLog('silent'), ['127.0.0.1'])
let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop?.close())

/** @returns the number of an order that was paid by wallet */
async function buy(name: string): Promise<number> {
  const shopper = new Shopper(shop, name)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  return orderId
}

const tools = () => shop.shop.application.tools
const broken = () => checkInvariants({ ...tools(), paypal: tools().paypal })

describe.skipIf(partitioned)('a shop whose tables are partitioned', () => {
  it('P1 P3 sells on while and after that is done: every order is paid once, and no connection minds', async () => {
    const ids = [await buy('before')]
    const shoppers = Array.from({ length: 4 }, async (_, index) => {
      for (let nr = 0; nr < 4; nr += 1) ids.push(await buy(`during${index}-${nr}`))
    })
    // Ten numbers each: these orders lie in several partitions, and some are written on beyond a bound.
    await partition(tools(), 10)
    await Promise.all(shoppers)
    await maintain(tools())
    // More than a partition has numbers: on beyond a bound, however many orders there were when the tables were divided.
    for (let nr = 0; nr <= 10; nr += 1) ids.push(await buy(`after${nr}`))
    const rows = await shop.db.sql<{ id: number; payment: string; at: string; ledger: string[] }[]>`
      select id, payment_state as payment, tableoid::regclass::text as at,
        array(select distinct tableoid::regclass::text from ledger where order_id = o.id) as ledger
      from orders o order by id`
    expect(rows.map(({ id }) => id)).toEqual(ids.sort((a, b) => a - b))
    expect(new Set(rows.map(({ payment }) => payment))).toEqual(new Set(['paid']))
    expect(new Set(rows.map(({ at }) => at)).size).toBeGreaterThan(1)
    for (const { at, ledger } of rows) expect(ledger).toEqual([at.replace('orders', 'ledger')])
    expect(await broken()).toEqual([])
  })

  it('gives money back, in whichever partition the order lies', async () => {
    const orders = await shop.db.sql<{ id: number }[]>`select min(id) as id from orders group by tableoid`
    expect(orders.length).toBeGreaterThan(1)
    for (const { id } of orders) {
      const args = ['refund', String(id), '--amount', '1.00', '--yes', '--json']
      const { code, out, err } = await runCommandWith(tools(), ordersCommand, shop.db, ...args)
      expect(code, err).toBe(0)
      expect(JSON.parse(out)).toMatchObject({ amount: '1.00', payment: 'partly-refunded' })
    }
    expect(await broken()).toEqual([])
  })

  it('P11: is backed up as a whole, and comes back row by row', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-partitions-'))
    const file = join(folder, 'shop.tar.zst')
    const said: string[] = []
    await using target = await aDatabase()
    try {
      await takeBackup({ ...environment, db: shop.db }, { file, dataDir: shop.dataDir, program: '1.2.3' })
      const own = connect(target.url, { max: 2 })
      const code = await restoreCommand.runBare?.([file], {
        ...environment,
        db: own,
        databaseUrl: target.url,
        dataDir: join(folder, 'data'),
        paypal: null,
        say: (line) => said.push(line),
        print: () => {},
        progress: () => {},
      })
      await own.close()
      expect(code, said.join('\n')).toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    expect(said.join('\n')).toContain('All checks passed')
    const idsOf = ({ sql }: Pick<TestShop['db'], 'sql'>) => sql`select id, order_id, name from order_items order by id`
    const restored = connect(target.url, { max: 1 })
    expect(await idsOf(restored)).toEqual(await idsOf(shop.db))
    await restored.close()
  })
})
