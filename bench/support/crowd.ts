import { setTimeout as sleep } from 'node:timers/promises'
import { leanClient } from './lean-client.ts'
import { ModelledShopper, RequestShed, type ShopToVisit, type Step, shelfOf } from './modelled-shopper.ts'
import { inOwnProcess } from './own-process.ts'

/** A crowd that looks around and buys, each with the same time to think between two pages. */
export type LookingCrowd = {
  readonly kind: 'looking'
  readonly shop: ShopToVisit
  readonly shoppers: number
  readonly thinkMs: number
  readonly rampSeconds: number
  /** After the ramp; only this is told. */
  readonly seconds: number
}

/** A crowd that only wants to buy, without a moment's thought. */
export type BuyingCrowd = {
  readonly kind: 'buying'
  readonly shop: ShopToVisit
  readonly seconds: number
} & (
  | { /** So many buy at a time, one thing after the other: what the shop can do. */ readonly atOnce: number }
  | { /** So many come in a second, whatever became of those before them. */ readonly perSecond: number }
)

export type BrowsingReport = {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly steps: Readonly<Record<string, { count: number; p50Ms: number; p95Ms: number; p99Ms: number }>>
  readonly orders: number
  readonly requestsShed: number
  readonly errors: readonly string[]
  /** How late the generator itself came to its turn, p99: what is measured holds that too. */
  readonly ownDelayMs: number
}

export type BuyingReport = {
  readonly came: number
  /** Had the checkout before them. */
  readonly started: number
  readonly ordered: number
  readonly ordersPerSecond: number
  readonly requestsShed: number
  /** How long those who were turned away before the checkout waited for being told. */
  readonly refusalP95Ms: number
  /** Without a number to wait for. */
  readonly dishonest: number
  readonly errors: readonly string[]
}

/** Lets a crowd come from a process of its own. */
export async function crowd(wanted: LookingCrowd): Promise<BrowsingReport>
export async function crowd(wanted: BuyingCrowd): Promise<BuyingReport>
export async function crowd(wanted: LookingCrowd | BuyingCrowd): Promise<BrowsingReport | BuyingReport> {
  return inOwnProcess(import.meta.filename, wanted)
}

const client = leanClient()
const errors: string[] = []
let faults = 0

function fault(error: unknown): void {
  faults += 1
  if (errors.length < 20) errors.push(error instanceof Error ? error.message : String(error))
}

const anyOf = <Thing>(things: readonly Thing[]): Thing => things[Math.floor(Math.random() * things.length)] as Thing

async function lookAround({ shop, shoppers, thinkMs, rampSeconds, seconds }: LookingCrowd): Promise<BrowsingReport> {
  const shelf = await shelfOf(shop, client)
  const times = new Map<Step, number[]>()
  const began = performance.now()
  const from = began + rampSeconds * 1000
  const until = from + seconds * 1000
  let orders = 0
  let requestsShed = 0
  const told = (step: Step, ms: number) => {
    if (performance.now() < from || performance.now() > until) return
    const known = times.get(step)
    if (known) known.push(ms)
    else times.set(step, [ms])
  }
  const think = () => sleep(thinkMs * (0.5 + Math.random()))
  const visit = async (shopper: ModelledShopper): Promise<void> => {
    await shopper.look('home', '/')
    await think()
    await shopper.look('listing', anyOf([...shelf.listings, `/shop/?min_price=${Math.floor(Math.random() * 500)}`]))
    await think()
    await shopper.look('product', anyOf(shelf.products))
    await think()
    if (Math.random() < 0.6) return
    await shopper.add(anyOf(shelf.ids))
    await think()
    await shopper.look('cart', '/cart/')
    await think()
    if (Math.random() < 0.5) return
    await shopper.openCheckout()
    await think()
    if (Math.random() < 0.4) return
    const place = Math.random() < 0.5 && shop.emulatorUrl ? await shopper.payByWallet() : await shopper.order()
    orders += 1
    await think()
    await shopper.look('confirmation', place)
    await think()
  }
  const delays: number[] = []
  const ticking = setInterval(ticker(delays), 20)
  await Promise.all(
    Array.from({ length: shoppers }, async (_, nr) => {
      await sleep((nr / shoppers) * rampSeconds * 1000)
      let shopper = new ModelledShopper(shop, client, told)
      while (performance.now() < until) {
        try {
          await visit(shopper)
        } catch (error) {
          if (error instanceof RequestShed) requestsShed += 1
          else fault(error)
          await think()
        }
        // One in three comes again, with cookies and cart; the others were somebody else.
        if (Math.random() < 0.67) shopper = new ModelledShopper(shop, client, told)
      }
    }),
  )
  clearInterval(ticking)
  const all = [...times.values()].flat()
  return {
    requests: all.length,
    perSecond: all.length / seconds,
    ...percentiles(all),
    steps: Object.fromEntries([...times].map(([step, ms]) => [step, { count: ms.length, ...percentiles(ms) }])),
    orders,
    requestsShed,
    errors: faults > errors.length ? [...errors, `and ${faults - errors.length} more`] : errors,
    ownDelayMs: percentile(delays, 0.99),
  }
}

function ticker(delays: number[]): () => void {
  let last = performance.now()
  return () => {
    const now = performance.now()
    delays.push(Math.max(0, now - last - 20))
    last = now
  }
}

/** Who has begun to pay tries again when told to; so long until even they give up. */
const persistenceMs = 30_000

async function buy(wanted: BuyingCrowd): Promise<BuyingReport> {
  const { shop, seconds } = wanted
  const shelf = await shelfOf(shop, client)
  const began = performance.now()
  const until = began + seconds * 1000
  const refusals: number[] = []
  let came = 0
  let started = 0
  let ordered = 0
  let inTime = 0
  let dishonest = 0
  const purchase = async (): Promise<void> => {
    came += 1
    const shopper = new ModelledShopper(shop, client)
    try {
      await shopper.look('listing', `/shop/?min_price=${Math.floor(Math.random() * 1_000_000)}`)
      await shopper.add(anyOf(shelf.ids))
      await shopper.openCheckout()
    } catch (error) {
      if (!(error instanceof RequestShed)) return fault(error)
      if (!(error.retryAfterMs > 0)) dishonest += 1
      refusals.push(error.ms)
      return
    }
    started += 1
    await persist(() => shopper.order(), performance.now() + persistenceMs)
    ordered += 1
    if (performance.now() <= until) inTime += 1
  }
  if ('atOnce' in wanted) await closed(wanted.atOnce, until, () => purchase().catch(fault))
  else await open(wanted.perSecond, until, () => purchase().catch(fault))
  return {
    came,
    started,
    ordered,
    ordersPerSecond: inTime / seconds,
    requestsShed: refusals.length,
    refusalP95Ms: percentile(refusals, 0.95),
    dishonest,
    errors: faults > errors.length ? [...errors, `and ${faults - errors.length} more`] : errors,
  }
}

async function persist<Result>(once: () => Promise<Result>, deadline: number): Promise<Result> {
  for (;;) {
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof RequestShed) || performance.now() > deadline) throw error
      await sleep(error.retryAfterMs || 1_000)
    }
  }
}

async function closed(atOnce: number, until: number, task: () => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) await task()
    }),
  )
}

async function open(perSecond: number, until: number, task: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>()
  const began = performance.now()
  for (let sent = 0; performance.now() < until; ) {
    const due = ((performance.now() - began) / 1000) * perSecond
    for (; sent < due; sent += 1) {
      const one = task().finally(() => running.delete(one))
      running.add(one)
    }
    await sleep(10)
  }
  await Promise.all(running)
}

export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

const percentiles = (values: readonly number[]) => ({
  p50Ms: percentile(values, 0.5),
  p95Ms: percentile(values, 0.95),
  p99Ms: percentile(values, 0.99),
})

if (import.meta.main) {
  const wanted: LookingCrowd | BuyingCrowd = JSON.parse(process.argv[2] ?? '')
  const told = wanted.kind === 'looking' ? await lookAround(wanted) : await buy(wanted)
  console.log(JSON.stringify(told))
  client.close()
}
