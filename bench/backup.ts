import { spawn } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#database/engine/connect.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { fillOrders } from './support/many-orders.ts'
import { report } from './support/report.ts'
import { atCheckout, orderOnDelivery } from './support/shoppers.ts'

/**
 * How long does a backup take of a shop that goes on selling, and how long until it stands again somewhere else? About a
 * gigabyte of orders; two shoppers order without a break meanwhile. Held against the plainest way to read as much: `copy` of
 * every table, thrown away. What comes back is compared table by table by `restore` itself, or it fails.
 */
const count = Number(process.env.BACKUP_ORDERS ?? 300_000)
await using shop = await aBenchShop()
const folder = await mkdtemp(join(tmpdir(), 'vitrine-backup-'))
try {
  await fillOrders(shop.db, count)
  await shop.db.sql`vacuum analyze`
  const [size] = await shop.db.sql<{ bytes: number }[]>`select pg_database_size(current_database())::bigint as bytes`
  const gigabytes = (size?.bytes ?? 0) / 2 ** 30

  const plainMs = await timed(copyAll)
  const file = join(folder, 'shop.tar.zst')
  const orders = { before: await placed(), stop: false }
  const selling = Promise.all([sellOn(orders), sellOn(orders)])
  const backupMs = await timed(() => command(['backup', file], shop.databaseUrl, shop.dataDir)).finally(() => {
    orders.stop = true
    return selling
  })
  const sold = (await placed()) - orders.before

  await shop.db.sql`create database restored`
  const target = new URL(shop.databaseUrl)
  target.pathname = '/restored'
  const restoreMs = await timed(() => command(['restore', file], target.href, join(folder, 'restored')))

  report('backup', [
    { what: 'database', value: gigabytes, unit: 'GB' },
    { what: 'its archive', value: (await stat(file)).size / 2 ** 20, unit: 'MB' },
    { what: 'backup while it sells', value: backupMs / 1000 / gigabytes, unit: 's/GB', budget: { atMost: 60 } },
    { what: 'the same against copying every table to nowhere', value: backupMs / plainMs, unit: '×' },
    { what: 'orders placed meanwhile', value: sold, unit: 'orders', budget: { atLeast: 1 } },
    { what: 'restored and compared', value: restoreMs / 1000 / gigabytes, unit: 's/GB' },
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function copyAll(): Promise<void> {
  const db = connect(shop.databaseUrl, { max: 1 })
  try {
    const tables = await db.sql<{ name: string }[]>`
      select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    for (const { name } of tables) {
      const rows = await db.sql.unsafe(`copy ${name} to stdout`).readable()
      for await (const piece of rows) void piece
    }
  } finally {
    await db.close()
  }
}

async function sellOn(orders: { readonly stop: boolean }): Promise<void> {
  const [product] = await shop.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id`
  while (!orders.stop) await orderOnDelivery(shop, await atCheckout(shop, product?.id ?? 0))
}

async function placed(): Promise<number> {
  const [row] = await shop.db.sql<{ count: number }[]>`select count(*)::int as count from orders`
  return row?.count ?? 0
}

/**
 * @throws when the command fails, with what it said. That the drawn orders do not agree with stock and ledger is no failure here:
 *   nobody had what they sold.
 */
async function command(args: readonly string[], databaseUrl: string, dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/cli/main.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PAYPAL_CLIENT_ID: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => {
    said += piece
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0 && !said.includes('each as in the backup')) {
    throw new Error(`${args.join(' ')} ended with ${code}: ${said}`)
  }
}
