import { aBenchShop } from './support/bench-shop.ts'
import { browserEncodings, load } from './support/load.ts'
import { residentMb } from './support/processes.ts'
import { median, report } from './support/report.ts'
import { atCheckout, inParallel, orderOnDelivery } from './support/shoppers.ts'

/**
 * How long from the command to the first page, with everything built and the database there, and how much memory does the
 * shop's process hold while pages, calls and orders come in? The database runs already: `npm start` adds its second.
 */
await using shop = await aBenchShop()
const starts: number[] = []
for (let nr = 0; nr < 5; nr += 1) {
  await shop.restart()
  const began = performance.now()
  const page = await fetch(`${shop.url}/`)
  await page.text()
  starts.push(shop.startedInMs + performance.now() - began)
}

const rows = await shop.db.sql<{ id: number }[]>`select id from products where type = 'simple' order by id`
let peakMb = 0
const watch = setInterval(() => {
  peakMb = Math.max(peakMb, residentMb(shop.pids.shop))
}, 100)
const headers = { 'accept-encoding': browserEncodings }
await load({ url: `${shop.url}/shop/`, seconds: 5, connections: 50, headers, freshAddresses: true })
await load({ url: `${shop.url}/shop/`, seconds: 3, connections: 50, headers })
await inParallel(600, 16, async (nr) => orderOnDelivery(shop, await atCheckout(shop, rows[nr % rows.length]?.id ?? 0)))
clearInterval(watch)

report('start', [
  { what: 'from the command to the first page', value: median(starts) / 1000, unit: 's', budget: { atMost: 2 } },
  { what: 'memory of the shop, highest under load', value: peakMb, unit: 'MB', budget: { atMost: 200 } },
])
