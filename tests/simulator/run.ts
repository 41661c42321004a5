import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Violation } from './tally.ts'

export type Ask = {
  readonly seed: number
  readonly purchases: number
  /** Purchases of one episode. */
  readonly each: number
  readonly workers: number
  /** One episode alone; null: all of them. */
  readonly episode: number | null
  readonly untilStep: number | null
  readonly bug: string | null
  /** Seconds after which no further episode is begun; null: none is left out. */
  readonly seconds: number | null
}

export type Failure = {
  readonly episode: number
  readonly steps: number
  readonly violations: readonly Violation[]
  readonly story: readonly string[]
}

export type Summary = {
  readonly seed: number
  readonly bug: string | null
  purchases: number
  episodes: number
  steps: number
  seconds: number
  readonly counts: Record<string, number>
  readonly failures: Failure[]
}

/** What a worker is told, and what it tells after each episode. */
export type Orders = { readonly episodes: readonly { number: number; seed: number; purchases: number }[] } & Pick<
  Ask,
  'untilStep' | 'bug'
>
export type Told = {
  readonly episode: number
  readonly steps: number
  readonly counts: Record<string, number>
  readonly violations: readonly Violation[]
  readonly story: readonly string[]
}

/** Every episode's seed comes from the run's and its number alone, so that it can be played by itself. */
export const episodeSeed = (seed: number, number: number) =>
  (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)) >>> 0

/** Plays the asked purchases in several processes, each with a database of its own, until all are done or one promise is broken. */
export async function run(ask: Ask): Promise<Summary> {
  const began = performance.now()
  const summary: Summary = {
    seed: ask.seed,
    bug: ask.bug,
    purchases: 0,
    episodes: 0,
    steps: 0,
    seconds: 0,
    counts: {},
    failures: [],
  }
  const count = Math.ceil(ask.purchases / ask.each)
  const all = Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    seed: episodeSeed(ask.seed, index + 1),
    purchases: ask.each,
  })).filter(({ number }) => ask.episode === null || number === ask.episode)
  if (ask.episode !== null && all.length === 0) {
    all.push({ number: ask.episode, seed: episodeSeed(ask.seed, ask.episode), purchases: ask.each })
  }
  const workers = Math.min(ask.workers, all.length)
  const children = Array.from({ length: workers }, (_, index) => {
    const child = fork(join(import.meta.dirname, 'work.ts'), {
      execArgv: [],
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const episodes = all.filter((_, at) => at % workers === index)
    const orders: Orders = { episodes, untilStep: ask.untilStep, bug: ask.bug }
    child.send(orders)
    return child
  })
  const ends = children.map(
    (child) =>
      new Promise<void>((resolve, reject) => {
        child.on('message', (told: Told) => {
          summary.purchases += told.counts.purchases ?? 0
          summary.episodes += 1
          summary.steps += told.steps
          for (const [what, times] of Object.entries(told.counts))
            summary.counts[what] = (summary.counts[what] ?? 0) + times
          if (told.violations.length > 0) summary.failures.push(told)
          const isLate = ask.seconds !== null && performance.now() - began > ask.seconds * 1000
          if (told.violations.length > 0 || isLate) for (const other of children) other.connected && other.send('stop')
        })
        child.on('error', reject)
        child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
      }),
  )
  try {
    await Promise.all(ends)
  } finally {
    for (const child of children) if (child.exitCode === null) child.kill()
  }
  summary.seconds = Math.round((performance.now() - began) / 100) / 10
  return summary
}

/** What a run must have met, so that nothing is true because nothing was tried; as patterns of what is counted. */
const mustHappen: readonly RegExp[] = [
  /^crashes$/,
  /^approved by buyer$/,
  /^approved by declined$/,
  /^call: (done, then lost|refused|never arrives|arrives late|status 5..|half an answer)$/,
  /^notification: (lost|late|five times)$/,
  /^notification: forged$/,
  /^move: double press$/,
  /^move: comes back twice$/,
  /^move: never comes back$/,
  /^move: cancels at the wallet$/,
  /^move: changes the cart meanwhile$/,
  /^move: two wallets open$/,
  /^move: takes the order back$/,
  /^move: coupon$/,
  /^move: changes a quantity$/,
  /^move: removes a line$/,
  /^move: opens an account$/,
  /^move: logs in$/,
  /^move: goes on in another browser$/,
  /^move: pays with a kept card$/,
  /^card: good$/,
  /^card: (declined|refused)$/,
  /^card: its holder (succeeded|failed)$/,
  /^provider: takes /,
  /^order: paid$/,
  /^order: failed$/,
  /^refund: done$/,
  /^refund: above-rest$/,
  /^staff: price$/,
  /^staff: sold out$/,
  /^review ends: /,
  /^messages sent$/,
]

/** What did not happen once, although it should have. */
export function missing({ counts }: Summary): string[] {
  return mustHappen.filter((pattern) => !Object.keys(counts).some((what) => pattern.test(what))).map(String)
}
