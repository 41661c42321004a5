import { addPartitions, partition } from '#database/engine/partition/partitions.ts'
import { systemClock } from '#server/operations/startup/environment.ts'
import { aBenchShop, type BenchShop } from './support/bench-shop.ts'
import { fillOrders } from './support/many-orders.ts'
import { type Figure, median, report } from './support/report.ts'
import { atCheckout, orderOnDelivery, payByWallet } from './support/shoppers.ts'

/**
 * What does an order cost (told only: who partitions has other reasons) where orders, ledger and statistics are partitioned by time? Two shops with as many orders, one of them in
 * ten partitions, asked in turns. Told with it: how long the shop waits while the other is partitioned, and how long it takes
 * to put the oldest tenth away.
 */
const orders = Number(process.env.GROWTH_ORDERS ?? 1_000_000)
const rounds = 60
/** The numbers that `fillOrders` gives. */
const firstNumber = 1_000_000

await using whole = await aBenchShop()
await using divided = await aBenchShop()
await partition({ db: divided.db, clock: systemClock }, orders / 10)
await divided.db.sql`select setval('orders_id_seq', ${firstNumber + orders})`
await addPartitions(divided.db, new Date())
for (const shop of [whole, divided]) {
  await fillOrders(shop.db, orders)
  await shop.restart()
}

const [product] = await whole.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id`
const productId = product?.id ?? 0
const works: Readonly<Record<string, (shop: BenchShop) => Promise<() => Promise<unknown>>>> = {
  'an order on delivery': async (shop) => {
    const cart = await atCheckout(shop, productId)
    return () => orderOnDelivery(shop, cart)
  },
  'an order by wallet': async (shop) => {
    const cart = await atCheckout(shop, productId)
    return () => payByWallet(shop, cart)
  },
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const figures: Figure[] = []
for (const [what, work] of Object.entries(works)) {
  const times: [number[], number[]] = [[], []]
  for (let round = -5; round < rounds; round += 1) {
    for (const [at, shop] of [whole, divided].entries()) {
      const took = await milliseconds(await work(shop))
      if (round >= 0) times[at]?.push(took)
    }
  }
  const value = median(times[1]) / median(times[0])
  figures.push({ what: `${what}, p50, in ten partitions against one table`, value, unit: '×' })
}

const began = await milliseconds(() => partition({ db: whole.db, clock: systemClock }, orders / 10))
figures.push({ what: `partitioning ${orders} orders: the shop waits`, value: began / 1000, unit: 's' })

const [oldest] = await divided.db.sql<{ name: string }[]>`
  select 'ledger_from_' || min(order_id) / ${orders / 10}::bigint * ${orders / 10}::bigint as name from ledger`
const away = await milliseconds(() => divided.db.sql.unsafe(`alter table ledger detach partition ${oldest?.name}`))
figures.push({ what: `putting ${oldest?.name} away`, value: away, unit: 'ms' })
report('partitions', figures)
