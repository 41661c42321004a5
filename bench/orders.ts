import { aBenchShop } from './support/bench-shop.ts'
import { cpuSeconds } from './support/processes.ts'
import { atCheckout, inParallel, orderOnDelivery, payByWallet } from './support/shoppers.ts'

const atOnce = 12
const count = Number(process.env.BENCH_ORDERS ?? 1500)
const profile = process.env.BENCH_PROFILE
await using shop = await aBenchShop(profile ? { nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${profile}`] } : {})
const rows = await shop.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id`
const productOf = (nr: number) => rows[nr % rows.length]?.id ?? 0

async function run(name: string, orders: number, pay: typeof payByWallet): Promise<void> {
  const carts: Awaited<ReturnType<typeof atCheckout>>[] = []
  await inParallel(orders, atOnce, async (nr) => {
    carts[nr] = await atCheckout(shop, productOf(nr))
  })
  const cpu = () => ({
    shop: cpuSeconds(shop.pids.shop),
    emulator: cpuSeconds(shop.pids.emulator),
    postgres: cpuSeconds(shop.pids.postgres, { withChildren: true }),
    shoppers: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  })
  const before = cpu()
  const seconds = await inParallel(orders, atOnce, async (nr) => {
    const cart = carts[nr]
    if (cart) await pay(shop, cart)
  })
  const after = cpu()
  const ms = (key: keyof typeof before) => (((after[key] - before[key]) / orders) * 1000).toFixed(2)
  console.log(
    `${name}: ${(orders / seconds).toFixed(0)}/s; CPU ms per order: shop ${ms('shop')}, emulator ${ms('emulator')}, postgres ${ms('postgres')}, shoppers ${ms('shoppers')}`,
  )
}
await run('warm up', 300, payByWallet)
await run('wallet', count, payByWallet)
const [counted] = await shop.db.sql`select count(*) filter (where payment_state = 'paid') as paid, count(*) as all,
  (select count(*) from webhook_events) as webhooks, (select count(*) from webhook_events where processed_at is null) as waiting,
  (select count(*) from graphile_worker.jobs) as jobs from orders`
console.log(counted)
await run('cod', count, orderOnDelivery)
