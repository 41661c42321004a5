import { readdirSync } from 'node:fs'
import { freePort } from '#server/payments/demo-emulator.ts'
import { aBenchShop } from './bench-shop.ts'
import { crowd } from './crowd.ts'
import { askForGarbage } from './garbage.ts'
import { residentMb } from './processes.ts'

export type Soak = {
  readonly rounds: number
  readonly roundSeconds: number
  /** So many rounds go before, at five times the pace and without being counted: while caches fill, each request adds to them. */
  readonly warmRounds?: number
  readonly shoppers: number
  readonly thinkMs: number
}

/** What is left after a round and a collection of all garbage. */
export type SoakSample = {
  readonly hours: number
  /** Since the beginning. */
  readonly requests: number
  /** Heap and what hangs on it outside. */
  readonly liveMb: number
  readonly residentMb: number
  readonly files: number
}

export type SoakReport = {
  /** The warm rounds are not among them. */
  readonly samples: readonly SoakSample[]
  readonly orders: number
  readonly errors: readonly string[]
}

/** Lets shoppers come round after round to one process, and reads after each what it still holds. */
export async function soak(
  { rounds, roundSeconds, warmRounds = 0, shoppers, thinkMs }: Soak,
  tell: (sample: SoakSample) => void = () => {},
): Promise<SoakReport> {
  const port = await freePort(9_300)
  await using shop = await aBenchShop({
    env: { TRUSTED_PROXIES: '1', METRICS_TOKEN: metricsToken },
    nodeFlags: [`--inspect=127.0.0.1:${port}`],
  })
  const { url, emulatorUrl } = shop
  const samples: SoakSample[] = []
  const errors: string[] = []
  const began = performance.now()
  let requests = 0
  let orders = 0
  for (let round = -warmRounds; round < rounds; round += 1) {
    const told = await crowd({
      kind: 'looking',
      shop: { url, emulatorUrl },
      shoppers,
      thinkMs: round < 0 ? thinkMs / 5 : thinkMs,
      rampSeconds: 1,
      seconds: roundSeconds,
    })
    requests += told.requests
    orders += told.orders
    errors.push(...told.errors)
    await askForGarbage(port)
    const sample = {
      hours: (performance.now() - began) / 3_600_000,
      requests,
      liveMb: (await liveBytes(url)) / 1e6,
      residentMb: residentMb(shop.pids.shop),
      files: readdirSync(`/proc/${shop.pids.shop}/fd`).length,
    }
    if (round >= 0) samples.push(sample)
    tell(sample)
  }
  return { samples, orders, errors }
}

const metricsToken = 'what-the-soak-shows-to-read-figures'

async function liveBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text()
  const of = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  return of('nodejs_heap_size_used_bytes') + of('nodejs_external_memory_bytes')
}

/** By how much something grows in an hour: the line of least squares through all but the first quarter, while caches fill. */
export function growthAnHour(samples: readonly SoakSample[], of: (sample: SoakSample) => number): number {
  const points = samples.slice(Math.floor(samples.length / 4)).map((sample) => [sample.hours, of(sample)] as const)
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [hours, values] = [mean(0), mean(1)]
  const over = points.reduce((sum, [x, y]) => sum + (x - hours) * (y - values), 0)
  const under = points.reduce((sum, [x]) => sum + (x - hours) ** 2, 0)
  return under === 0 ? 0 : over / under
}
