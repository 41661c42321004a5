import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { aBenchShop } from './support/bench-shop.ts'
import { crowd } from './support/crowd.ts'
import { leanClient } from './support/lean-client.ts'
import { cpuSeconds, residentMb } from './support/processes.ts'
import { type Figure, median, report } from './support/report.ts'

/**
 * How does the shop answer an ordinary crowd? A thousand shoppers, each from an address of their own, with five seconds to think:
 * home, listing, product; two in five put it into the cart and look there, half of those open the checkout, and one visitor in eight
 * buys, by cash on delivery or by wallet. One in three comes again with what they have. Shop, PostgreSQL, emulator and shoppers share the machine; the shoppers have a process
 * of their own. Beside it, before and after: how long one visitor alone waits for a page that is not kept, in the same run.
 *
 * BENCH_SHOPPERS and BENCH_SECONDS change the size.
 */
const shoppers = Number(process.env.BENCH_SHOPPERS ?? 1_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 60)
const rampSeconds = Math.min(20, seconds)

await using shop = await aBenchShop({ env: { TRUSTED_PROXIES: '1' } })
const { url, emulatorUrl } = shop
await crowd({ kind: 'looking', shop: { url, emulatorUrl }, shoppers: 50, thinkMs: 200, rampSeconds: 1, seconds: 4 })

const alone = async (): Promise<number> => {
  const client = leanClient()
  const times: number[] = []
  for (let nr = 0; nr < 50; nr += 1) {
    times.push((await client.ask(new URL(`/shop/?min_price=${1_000 + Math.floor(Math.random() * 1e6)}`, url))).ms)
  }
  client.close()
  return median(times)
}

const before = await alone()
const cpuBefore = cpuSeconds(shop.pids.shop)
let mostMb = 0
let watching = true
const watched = (async () => {
  for (; watching; await sleep(500)) mostMb = Math.max(mostMb, residentMb(shop.pids.shop))
})()
const told = await crowd({
  kind: 'looking',
  shop: { url, emulatorUrl },
  shoppers,
  thinkMs: 5_000,
  rampSeconds,
  seconds,
})
watching = false
await watched
const cpu = (cpuSeconds(shop.pids.shop) - cpuBefore) / (rampSeconds + seconds)
const after = await alone()

for (const error of told.errors) console.error(error)
const steps: Figure[] = Object.entries(told.steps).flatMap(([step, { p50Ms, p95Ms, p99Ms, count }]) => [
  { what: `${step} (${count} times), p50`, value: p50Ms, unit: 'ms' },
  { what: `${step}, p95`, value: p95Ms, unit: 'ms' },
  { what: `${step}, p99`, value: p99Ms, unit: 'ms' },
])
report('load', [
  { what: `requests a second of ${shoppers} shoppers`, value: told.perSecond, unit: 'a second' },
  { what: 'p50', value: told.p50Ms, unit: 'ms' },
  { what: 'p95', value: told.p95Ms, unit: 'ms', budget: { atMost: 150 } },
  { what: 'p99', value: told.p99Ms, unit: 'ms', budget: { atMost: 400 } },
  {
    what: 'errors, and visitors who were turned away',
    value: told.errors.length + told.requestsShed,
    unit: '',
    budget: { atMost: 0 },
  },
  { what: 'highest resident memory of the shop', value: mostMb, unit: 'MB', budget: { atMost: 512 } },
  {
    what: 'p95 against a page that is not kept, for one visitor alone',
    value: told.p95Ms / ((before + after) / 2),
    unit: '×',
  },
  { what: 'orders', value: told.orders, unit: '' },
  { what: 'processor time of the shop', value: cpu, unit: 'cores' },
  { what: 'the generator came late by, p99', value: told.ownDelayMs, unit: 'ms' },
  { what: 'load average at the end', value: loadavg()[0] ?? 0, unit: '' },
  ...steps,
])
