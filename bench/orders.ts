import { barePayments } from './support/bare-payments.ts'
import { aBenchShop, type BenchShop } from './support/bench-shop.ts'
import { cpuSeconds } from './support/processes.ts'
import { type Figure, report } from './support/report.ts'
import { atCheckout, inParallel, orderOnDelivery, payByWallet } from './support/shoppers.ts'

/**
 * How many orders can be placed and paid? Twelve shoppers at a time, each with one product in the cart and the checkout
 * open: the wallet order is opened, the buyer approves by the emulator's control interface, the shop captures. Shop,
 * emulator, PostgreSQL and shoppers share the machine; PostgreSQL writes to disk; notifications and messages are sent
 * meanwhile. Carts are filled before the clock runs. Beside it the least that an order by wallet takes on this machine: the same
 * shoppers and calls, the same rows, and nothing of what makes a shop (`support/bare-payments.ts`).
 *
 * BENCH_PROFILE=/tmp/profile leaves a CPU profile of the shop there.
 */
const atOnce = 12
const count = Number(process.env.BENCH_ORDERS ?? 800)
const profile = process.env.BENCH_PROFILE

await using shop = await aBenchShop(profile ? { nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${profile}`] } : {})
const rows = await shop.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id`

type Spent = Record<'shop' | 'emulator' | 'postgres' | 'shoppers', number>

type Paid = { perSecond: number; cpuMs: Spent }
type Payee = Pick<BenchShop, 'url' | 'emulatorUrl' | 'pids'>

/** @returns orders a second, and processor time of each part in milliseconds an order */
async function orders(number: number, pay: typeof payByWallet): Promise<Paid> {
  const carts: Awaited<ReturnType<typeof atCheckout>>[] = []
  await inParallel(number, atOnce, async (nr) => {
    carts[nr] = await atCheckout(shop, rows[nr % rows.length]?.id ?? 0)
  })
  return timed(shop, number, async (nr) => {
    const cart = carts[nr]
    if (cart) await pay(shop, cart)
  })
}

/** The same presses at what does no more than it must: it knows no visitors, so that one cart is as good as many. */
async function bareOrders(number: number, payee: Payee): Promise<Paid> {
  const cart = await atCheckout(shop, rows[0]?.id ?? 0)
  return timed(payee, number, () => payByWallet(payee, cart))
}

async function timed({ pids }: Payee, number: number, press: (nr: number) => Promise<void>): Promise<Paid> {
  const before = spent(pids)
  const seconds = await inParallel(number, atOnce, press)
  const after = spent(pids)
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

function spent(pids: Payee['pids']): Spent {
  const own = process.cpuUsage()
  return {
    shop: cpuSeconds(pids.shop),
    emulator: cpuSeconds(pids.emulator),
    postgres: cpuSeconds(pids.postgres, { withChildren: true }),
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
const bare = await (async () => {
  await using payee = await barePayments(
    shop,
    rows.map(({ id }) => id),
  )
  await bareOrders(2 * count, payee)
  const paid = await bareOrders(count, payee)
  const [written] = await shop.db.sql<{ paid: number }[]>`
    select count(*)::int as paid from orders where key like 'bare-%' and payment_state = 'paid'`
  if (written?.paid !== 3 * count) throw new Error(`without a shop ${written?.paid} orders were paid`)
  return paid
})()
const cpuFigures = (name: string, { cpuMs }: Paid): Figure[] =>
  Object.entries(cpuMs).map(([part, ms]) => ({
    what: `${name}: processor time, ${part}`,
    value: ms,
    unit: 'ms an order',
  }))
report('orders', [
  {
    what: 'paid by wallet and captured',
    value: wallet.perSecond,
    unit: 'a second',
    budget: { atLeast: 200 },
    knownMiss: 'docs/decisions/0076-lower-bound-benchmark-for-wallet-orders.md',
  },
  ...cpuFigures('by wallet', wallet),
  { what: 'the same calls and rows without a shop', value: bare.perSecond, unit: 'a second' },
  ...cpuFigures('without a shop', bare),
  { what: 'paid by wallet against that', value: wallet.perSecond / bare.perSecond, unit: '×' },
  { what: 'cash on delivery', value: delivery.perSecond, unit: 'a second', budget: { atLeast: 50 * 10 } },
  ...cpuFigures('on delivery', delivery),
])
