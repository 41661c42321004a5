import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/payments/demo-emulator.ts'
import serverProcess from '../scripts/server-process.json' with { type: 'json' }
import { aBenchShop } from './support/bench-shop.ts'
import { ended, started } from './support/child-servers.ts'
import { browserEncodings, load } from './support/load.ts'
import { residentMb } from './support/processes.ts'
import { median, report } from './support/report.ts'
import { atCheckout, inParallel, orderOnDelivery } from './support/shoppers.ts'

/**
 * How long from the command to the first page, with everything built and the database's folder there: once with the database that the
 * shop starts itself, and once with one that runs already? And how much memory does the shop's process hold while pages, calls and orders come in?
 */
const withDatabase = await coldStarts(5)
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
  {
    what: 'from the command to the first page, the database among what is started',
    value: median(withDatabase) / 1000,
    unit: 's',
    budget: { atMost: 2 },
  },
  { what: 'from the command to the first page', value: median(starts) / 1000, unit: 's', budget: { atMost: 2 } },
  { what: 'memory of the shop, highest under load', value: peakMb, unit: 'MB', budget: { atMost: 200 } },
])

/** Of a shop that runs its own database and was there before. @returns milliseconds from the command to the end of the first page */
async function coldStarts(count: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-start-'))
  const port = String(await freePort(4400))
  const env = {
    ...serverProcess.env,
    NODE_ENV: 'production',
    PORT: port,
    DATA_DIR: folder,
    DATABASE_URL: '',
    VITRINE_SECRET: 'a secret for benches that is long enough',
  }
  const times: number[] = []
  try {
    // The first one makes the database.
    for (let nr = 0; nr <= count; nr += 1) {
      const began = performance.now()
      const { child } = await started([...serverProcess.flags, 'dist/server/main.js'], env, /The shop is open/)
      await (await fetch(`http://127.0.0.1:${port}/`)).text()
      if (nr > 0) times.push(performance.now() - began)
      await ended(child)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return times
}
