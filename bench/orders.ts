import { aBenchShop } from './support/bench-shop.ts'
import { cpuSeconds } from './support/processes.ts'
import { type Figure, report } from './support/report.ts'
import { atCheckout, inParallel, orderOnDelivery, payByWallet } from './support/shoppers.ts'

/**
 * How many orders can be placed and paid? Twelve shoppers at a time, each with one product in the cart and the checkout
 * open: the wallet order is opened, the buyer approves by the emulator's control interface, the shop captures. Shop,
 * emulator, PostgreSQL and shoppers share the machine; PostgreSQL writes to disk; notifications and messages are sent
 * meanwhile. Carts are filled before the clock runs.
 *
 * BENCH_PROFILE=/tmp/profile leaves a CPU profile of the shop there.
 */
const atOnce = 12
const count = Number(process.env.BENCH_ORDERS ?? 800)
const profile = process.env.BENCH_PROFILE

await using shop = await aBenchShop(profile ? { nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${profile}`] } : {})
const rows = await shop.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id`

type Spent = Record<'shop' | 'emulator' | 'postgres' | 'shoppers', number>

/** @returns orders a second, and processor time of each part in milliseconds an order */
async function orders(number: number, pay: typeof payByWallet): Promise<{ perSecond: number; cpuMs: Spent }> {
  const carts: Awaited<ReturnType<typeof atCheckout>>[] = []
  await inParallel(number, atOnce, async (nr) => {
    carts[nr] = await atCheckout(shop, rows[nr % rows.length]?.id ?? 0)
  })
  const before = spent()
  const seconds = await inParallel(number, atOnce, async (nr) => {
    const cart = carts[nr]
    if (cart) await pay(shop, cart)
  })
  const after = spent()
  const each = (part: keyof Spent) => ((after[part] - before[part]) / number) * 1000
  return {
    perSecond: number / seconds,
    cpuMs: {
      shop: each('shop'),
      emulator: each('emulator'),
      postgres: each('postgres'),
      shoppers: each('shoppers'),
    },
  }
}

function spent(): Spent {
  const own = process.cpuUsage()
  return {
    shop: cpuSeconds(shop.pids.shop),
    emulator: cpuSeconds(shop.pids.emulator),
    postgres: cpuSeconds(shop.pids.postgres, { withChildren: true }),
    shoppers: (own.user + own.system) / 1e6,
  }
}

await orders(200, payByWallet)
const wallet = await orders(count, payByWallet)
await orders(200, orderOnDelivery)
const delivery = await orders(count, orderOnDelivery)
const [books] = await shop.db.sql<{ paid: number; placed: number }[]>`
  select count(*) filter (where payment_state = 'paid')::int as paid, count(*)::int as placed from orders`
if (books?.paid !== 200 + count || books.placed !== 400 + 2 * count) {
  throw new Error(`the books say ${JSON.stringify(books)}`)
}
const cpuFigures = (name: string, { cpuMs }: { cpuMs: Spent }): Figure[] =>
  Object.entries(cpuMs).map(([part, ms]) => ({
    what: `${name}: processor time, ${part}`,
    value: ms,
    unit: 'ms an order',
  }))
report('orders', [
  { what: 'paid by wallet and captured', value: wallet.perSecond, unit: 'a second', budget: { atLeast: 200 } },
  ...cpuFigures('by wallet', wallet),
  { what: 'cash on delivery', value: delivery.perSecond, unit: 'a second', budget: { atLeast: 50 * 10 } },
  ...cpuFigures('on delivery', delivery),
])
