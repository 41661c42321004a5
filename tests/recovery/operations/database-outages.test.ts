import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aKillablePostgres, type KillablePostgres } from '#tests/recovery/fixtures/killable-postgres.ts'
import { viewCart } from '#tests/support/cart/cart.ts'
import { invariants, theSale, until } from '#tests/support/payments/bookkeeping.ts'
import { aShopOfProcesses, type ShopOfProcesses } from '#tests/support/process/process.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** A server of the test's own, since what is done to it here is done to all of its databases. */
let postgres: KillablePostgres
let shop: ShopOfProcesses
beforeAll(async () => {
  postgres = await aKillablePostgres()
  shop = await aShopOfProcesses({ database: postgres.database })
  await shop.start({ env: { LOG_LEVEL: 'warn' } })
})
afterAll(async () => {
  await shop?.close()
  await postgres?.stop()
})

let shoppers = 0
const aShopper = () => new Shopper(shop, `real-trouble-${++shoppers}`)
const add = async (shopper: Shopper) =>
  shopper.post(urls.wcAjax('add_to_cart'), { product_id: String(await shop.idOf('MUG')), quantity: '1' })
const order = (shopper: Shopper) => shopper.post(urls.wcAjax('checkout'), shopper.form('cod'))

async function refused(answer: Response): Promise<void> {
  expect([answer.status, answer.headers.get('retry-after')], await answer.text()).toEqual([503, '5'])
}

const ordersOf = ({ email }: Shopper) =>
  shop.db.sql<{ id: number }[]>`select id from orders where billing ->> 'email' = ${email}`

/** Adds and orders, and everything is as if nothing had been wrong before. */
async function buys(shopper: Shopper, lines: readonly string[]): Promise<void> {
  expect((await viewCart(shopper)).lines).toEqual(lines)
  await shopper.openCheckout()
  expect(await (await order(shopper)).json()).toMatchObject({ result: 'success' })
  const orders = await ordersOf(shopper)
  expect(orders).toHaveLength(1)
  await theSale(shop, orders[0]?.id ?? 0)
  expect(await invariants(shop)).toEqual([])
}

describe('a database that is really in trouble', () => {
  it.each([
    ['S1', 'sessions', add],
    ['S5 and S10', 'orders', order],
  ] as const)(
    'F5 at %s: where somebody else holds %s, nobody waits for ever',
    async (_, table, press) => {
      const shopper = aShopper()
      expect((await add(shopper)).status).toBe(200)
      await shopper.openCheckout()
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      const holder = shop.db.sql.begin(async (tx) => {
        await tx.unsafe(`lock table ${table} in share mode`)
        await released
      })
      await until(`${table} is locked`, async () => {
        const rows = await shop.db.sql`select from pg_locks
          where relation = ${table}::regclass and mode = 'ShareLock' and granted`
        return rows.length > 0
      })
      const began = performance.now()
      await refused(await press(shopper))
      // Nobody gives up before the demanded five seconds, and nobody waits for the one who holds.
      expect(performance.now() - began).toBeGreaterThan(4_500)
      release()
      await holder
      await buys(shopper, ['Plain mug \u00d7 1'])
    },
    120_000,
  )

  it('F5 at S1, S5 and S10: a server that takes no writes is told, and the shop goes on when it does again', async () => {
    const shopper = aShopper()
    expect((await add(shopper)).status).toBe(200)
    await shopper.openCheckout()
    const staff = await shop.db.sql.reserve()
    await staff`set default_transaction_read_only = off`
    await staff`alter system set default_transaction_read_only = on`
    await staff`select pg_reload_conf()`
    await until('the server is read-only', async () => {
      const [row] = await shop.db.sql`show default_transaction_read_only`
      return row?.default_transaction_read_only === 'on'
    })
    await refused(await add(shopper))
    await refused(await order(shopper))
    expect((await shopper.request('/shop/')).status).toBe(200)
    await staff`alter system reset default_transaction_read_only`
    await staff`select pg_reload_conf()`
    staff.release()
    await until('the server writes', async () => (await add(shopper)).status === 200)
    await buys(shopper, ['Plain mug \u00d7 2'])
  }, 120_000)

  it('F5 at S1: a full disk is told, and the shop goes on when there is room', async ({ skip }) => {
    const disk = aSmallDisk(postgres.folder)
    if (disk === null) return skip('only root can make a disk')
    const { sql } = shop.db
    try {
      await sql.unsafe(`create tablespace small location '${join(disk, 'space')}'`)
      await sql.unsafe('alter table sessions set tablespace small')
      fill(join(disk, 'filler'))
      const known = aShopper()
      // What is left on the pages that exist is used up first.
      await until('newcomers find no room', async () => (await add(aShopper())).status === 503, 60_000)
      await refused(await add(aShopper()))
      expect((await known.request('/shop/')).status).toBe(200)
      rmSync(join(disk, 'filler'))
      const shopper = aShopper()
      await until('newcomers find room', async () => (await add(shopper)).status === 200)
      await buys(shopper, ['Plain mug \u00d7 1'])
    } finally {
      await sql.unsafe('alter table sessions set tablespace pg_default')
      await sql.unsafe('drop tablespace if exists small')
      spawnSync('umount', [disk])
    }
  }, 240_000)
})

/** One of two megabytes, with a folder on it for whoever owns the server's files; null where this process may not. */
function aSmallDisk(folder: string): string | null {
  const [cluster = ''] = readdirSync(folder)
  const { uid, gid } = statSync(join(folder, cluster))
  const disk = join(folder, '..', 'small-disk')
  mkdirSync(disk)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=755', 'tmpfs', disk])
  if (status !== 0) return null
  mkdirSync(join(disk, 'space'))
  chownSync(join(disk, 'space'), uid, gid)
  return disk
}

/** Writes until nothing more can be written. */
function fill(file: string): void {
  const page = Buffer.alloc(4096)
  try {
    for (;;) writeFileSync(file, page, { flag: 'a' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
