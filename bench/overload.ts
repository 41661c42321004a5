import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { aBenchShop } from './support/bench-shop.ts'
import { type BuyingReport, crowd } from './support/crowd.ts'
import { idleClients, slowClients } from './support/idle-clients.ts'
import { leanClient } from './support/lean-client.ts'
import { residentMb } from './support/processes.ts'
import { median, report } from './support/report.ts'

/**
 * What is left of the shop when five times as many want to buy as it can serve? First what it can do: twenty-four, sixty-four and 128
 * shoppers, each ordering one thing after the other (a listing that nobody has the answer to, into the cart, checkout, cash on delivery);
 * the most of the three counts. Then five times as many a second come, whatever became of those before them, and who is turned away
 * goes away. Then how long a single visitor waits five seconds after the last came. Then 10,000 connections on which nothing is asked,
 * and 500 visitors who send or read a byte now and then.
 *
 * BENCH_SECONDS (60) and BENCH_IDLE (10000) change the size.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const idle = Number(process.env.BENCH_IDLE ?? 10_000)
const crowds = [24, 64, 128]

await using shop = await aBenchShop({ env: { TRUSTED_PROXIES: '1' } })
const { url } = shop
const warming = await crowd({ kind: 'buying', shop: { url }, seconds: 5, atOnce: 24 })
const alone = await oneVisitor()
const before = await whatItCanDo()
const flood = await crowd({ kind: 'buying', shop: { url }, seconds, perSecond: 5 * most(before) })
await sleep(5_000)
const afterwards = await oneVisitor()
const mbAfter = residentMb(shop.pids.shop)
// Before and after: neighbours on the machine come and go.
const after = await whatItCanDo()
const capacity = (most(before) + most(after)) / 2
const errors = [...before, flood, ...after].flatMap((told) => told.errors)
for (const error of errors) console.error(error)

const idlers = await idleClients(url, idle)
const mbIdle = residentMb(shop.pids.shop)
const amongIdlers = await oneVisitor()
const idleStillOpen = idlers.open()
idlers.close()

const slow = await slowClients(url, 500)
const amongSlow = await oneVisitor()
const slowOpen = slow.open()
const buyingAmongSlow = await crowd({ kind: 'buying', shop: { url }, seconds: 5, atOnce: 4 })
slow.close()

const books = await shop.db.sql<{ placed: number }[]>`select count(*)::int as placed from orders`
report('overload', [
  { what: 'orders a second that the shop can do', value: capacity, unit: 'a second' },
  {
    what: `orders a second while ${(flood.came / seconds).toFixed(0)} a second want to, ${seconds} s`,
    value: flood.ordersPerSecond,
    unit: 'a second',
  },
  {
    what: 'the one against the other',
    value: flood.ordersPerSecond / capacity,
    unit: '×',
    budget: { atLeast: 0.9 },
  },
  { what: `of ${flood.came} who came, turned away`, value: flood.requestsShed, unit: '' },
  {
    what: `checkouts begun that were finished, of ${flood.started}`,
    value: (100 * flood.ordered) / flood.started,
    unit: '%',
    budget: { atLeast: 99 },
  },
  { what: 'until somebody was turned away, p95', value: flood.refusalP95Ms, unit: 'ms' },
  {
    what: 'refusals without a time to come again, and errors',
    value: flood.dishonest + errors.length,
    unit: '',
    budget: { atMost: 0 },
  },
  {
    what: 'orders that were confirmed and are not in the books',
    value: ordersConfirmed() - (books[0]?.placed ?? 0),
    unit: '',
    budget: { atMost: 0 },
  },
  {
    what: 'a single visitor five seconds after the peak against before it',
    value: afterwards / alone,
    unit: '×',
    budget: { atMost: 2 },
  },
  { what: 'resident memory after the peak', value: mbAfter, unit: 'MB', budget: { atMost: 512 } },
  { what: `of ${idle} idle connections, open`, value: idleStillOpen, unit: '', budget: { atLeast: idle } },
  {
    what: `a single visitor beside ${idle} idle connections`,
    value: amongIdlers / alone,
    unit: '×',
    budget: { atMost: 2 },
  },
  {
    what: `resident memory with ${idle} idle connections`,
    value: mbIdle,
    unit: 'MB',
    budget: { atMost: 512 },
  },
  { what: 'of 500 who send and read slowly, there', value: slowOpen, unit: '', budget: { atLeast: 500 } },
  {
    what: 'a single visitor beside 250 slow senders and 250 slow readers',
    value: amongSlow / alone,
    unit: '×',
    budget: { atMost: 2 },
  },
  {
    what: 'turned away meanwhile',
    value: buyingAmongSlow.requestsShed + buyingAmongSlow.errors.length,
    unit: '',
    budget: { atMost: 0 },
  },
  { what: 'load average at the end', value: loadavg()[0] ?? 0, unit: '' },
])

function ordersConfirmed(): number {
  return [warming, ...before, flood, ...after, buyingAmongSlow].reduce((sum, { ordered }) => sum + ordered, 0)
}

async function whatItCanDo(): Promise<readonly BuyingReport[]> {
  const told: BuyingReport[] = []
  for (const atOnce of crowds) {
    told.push(await crowd({ kind: 'buying', shop: { url }, seconds: Math.min(10, seconds), atOnce }))
  }
  return told
}

function most(told: readonly BuyingReport[]): number {
  return Math.max(...told.map(({ ordersPerSecond }) => ordersPerSecond))
}

/** How long somebody waits for a page that is not kept, in milliseconds. @throws where it does not come */
async function oneVisitor(): Promise<number> {
  const client = leanClient(false)
  const times: number[] = []
  for (let nr = 0; nr < 40; nr += 1) {
    const { status, ms } = await client.ask(new URL(`/shop/?min_price=${1e6 + Math.floor(Math.random() * 1e6)}`, url))
    if (status !== 200) throw new Error(`a single visitor was answered ${status}`)
    times.push(ms)
  }
  client.close()
  return median(times)
}
