import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/payments/demo-emulator.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { missingForNginx, nginxInFront } from './support/nginx-in-front.ts'
import { report } from './support/report.ts'
import { rollingRestarts } from './support/rolling-restarts.ts'

/**
 * Does anybody notice an upgrade? Two processes of the shop behind a balancer that keeps its connections, twenty restarts in
 * turns, while eight visitors buy without a moment's thought: half of them over connections that they keep, half with a new one
 * for each request. `node bench/restarts.ts nginx` has nginx in front, by the configuration as it is delivered.
 */
const behindNginx = process.argv[2] === 'nginx'
if (behindNginx && missingForNginx.length > 0) throw new Error(`not on this machine: ${missingForNginx.join(', ')}`)
const count = Number(process.env.BENCH_RESTARTS ?? 20)

await using shop = await aBenchShop()
const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-restarts-'))
try {
  const first = await freePort(4500)
  const told = await rollingRestarts(count, {
    ports: [first, await freePort(first + 1)],
    env: { DATABASE_URL: shop.databaseUrl, DATA_DIR: dataDir },
    visitors: 8,
    ...(behindNginx && { front: nginxInFront }),
  })
  for (const fault of told.failed) console.error(fault)
  const [books] = await shop.db.sql<{ placed: number }[]>`select count(*)::int as placed from orders`
  report(behindNginx ? 'restarts-nginx' : 'restarts', [
    { what: `requests that failed, in ${count} restarts`, value: told.failed.length, unit: '', budget: { atMost: 0 } },
    { what: 'requests that were answered', value: told.requests, unit: '' },
    {
      what: 'orders that were confirmed and are not in the books',
      value: told.orders - (books?.placed ?? 0),
      unit: '',
      budget: { atMost: 0 },
    },
    { what: 'orders', value: told.orders, unit: '' },
    { what: 'from the signal to the end of the process, the longest', value: told.longestStopMs, unit: 'ms' },
    { what: 'load average at the end', value: loadavg()[0] ?? 0, unit: '' },
  ])
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
