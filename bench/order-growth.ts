import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { aBenchShop, type BenchShop } from './support/bench-shop.ts'
import { fillOrders } from './support/many-orders.ts'
import { type Figure, median, report } from './support/report.ts'
import { atCheckout, orderOnDelivery, payByWallet } from './support/shoppers.ts'

/**
 * What does an order cost when a million lie in the database already, instead of ten thousand? Two shops, asked in turns. Told
 * with it: which large tables are read from end to end by what a shop does every minute of its life, for that is what breaks
 * first as they grow.
 */
const small = 10_000
const large = Number(process.env.GROWTH_ORDERS ?? 1_000_000)
const rounds = 60

await using few = await aBenchShop()
await using many = await aBenchShop()
const began = performance.now()
await fillOrders(few.db, small)
await fillOrders(many.db, large)
const filled = (performance.now() - began) / 1000
for (const shop of [few, many]) await shop.restart()

const [product] = await few.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id`
const productId = product?.id ?? 0

type Work = (shop: BenchShop) => Promise<() => Promise<unknown>>
const works: Record<string, Work> = {
  'an order on delivery': async (shop) => {
    const cart = await atCheckout(shop, productId)
    return () => orderOnDelivery(shop, cart)
  },
  'an order by wallet': async (shop) => {
    const cart = await atCheckout(shop, productId)
    return () => payByWallet(shop, cart)
  },
}

/** Tables of some size that were read from end to end, and how often. */
async function wholeReads(shop: BenchShop): Promise<Map<string, number>> {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const rows = await shop.db.sql<{ table: string; times: number }[]>`
    select relname as table, seq_scan::int as times from pg_stat_user_tables where n_live_tup > ${large / 20}`
  return new Map(rows.map(({ table, times }) => [table, times]))
}

async function readsOf(shop: BenchShop, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await wholeReads(shop)
  await work()
  const after = await wholeReads(shop)
  return Object.fromEntries(
    [...after]
      .map(([table, times]) => [table, times - (before.get(table) ?? 0)] as const)
      .filter(([, times]) => times > 0),
  )
}

const figures: Figure[] = []
const reads: Record<string, Record<string, number>> = {}
for (const [what, work] of Object.entries(works)) {
  const times: number[][] = [[], []]
  reads[what] = await readsOf(many, async () => {
    for (let round = -5; round < rounds; round += 1) {
      for (const [at, shop] of [few, many].entries()) {
        const run = await work(shop)
        const start = performance.now()
        await run()
        if (round >= 0) times[at]?.push(performance.now() - start)
      }
    }
  })
  const [a = [], b = []] = times
  figures.push(
    {
      what: `${what}, p50, ${large} orders against ${small}`,
      value: median(b) / median(a),
      unit: '×',
      budget: { atMost: 1.5 },
    },
    { what: `${what}, p50 with ${large}`, value: median(b), unit: 'ms' },
  )
}

const idleMs = Number(process.env.GROWTH_IDLE_MS ?? 240_000)
reads['minutes in which nobody comes'] = await readsOf(
  many,
  () => new Promise((resolve) => setTimeout(resolve, idleMs)),
)

for (const args of [
  ['orders', 'list'],
  ['orders', 'list', '--customer', 'c77@example.test'],
  ['orders', 'list', '--search', 'Lovelace'],
  ['doctor'],
]) {
  const took = [few, many].map((shop) => {
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../src/cli/main.ts'), ...args], {
      env: { ...process.env, DATABASE_URL: shop.databaseUrl },
      encoding: 'utf8',
    })
    // "doctor" finds that pieces were sold which nobody had.
    if (status !== 0 && args[0] !== 'doctor') throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
    return performance.now() - start
  })
  figures.push(
    { what: `command "${args.join(' ')}" with ${small}`, value: took[0] ?? 0, unit: 'ms' },
    { what: `command "${args.join(' ')}" with ${large}`, value: took[1] ?? 0, unit: 'ms' },
  )
}

const [size] = await many.db.sql<{ bytes: number }[]>`select pg_database_size(current_database())::bigint as bytes`
figures.push(
  { what: `database with ${large} orders`, value: (size?.bytes ?? 0) / 2 ** 20, unit: 'MB' },
  { what: 'filled in', value: filled, unit: 's' },
)
for (const [what, tables] of Object.entries(reads)) {
  const all = Object.values(tables).reduce((sum, times) => sum + times, 0)
  figures.push({ what: `${what}: large tables read from end to end`, value: all, unit: 'times', budget: { atMost: 0 } })
  for (const [table, times] of Object.entries(tables)) {
    figures.push({ what: `${what}: ${table} among them`, value: times, unit: 'times' })
  }
}
report('order-growth', figures)
