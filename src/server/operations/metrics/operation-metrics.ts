import { Gauge } from 'prom-client'
import { attemptFigures, connectionFigures, jobFigures } from '#database/operations/operation-figures.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { metrics } from './metrics-registry.ts'

const gauge = (name: string, help: string, labelNames: string[] = []) =>
  new Gauge({ name, help, labelNames, registers: [metrics] })

const jobs = gauge('vitrine_jobs', 'Jobs that are due, or that were given up, of all processes', ['task', 'state'])
const jobAge = gauge('vitrine_jobs_oldest_seconds', 'How long the oldest job that is due has waited', ['task'])
const attempts = gauge(
  'vitrine_payment_attempts',
  'Calls to the payment provider in the last quarter of an hour, by step and what became of them',
  ['step', 'state'],
)
const connections = gauge('vitrine_database_connections', 'Connections of all programs by what they do', ['state'])
const answer = gauge(
  'vitrine_database_answer_seconds',
  'How long a query waited for a connection and its answer, +Inf where none came',
)
const broken = gauge(
  'vitrine_invariants_broken',
  'Promises about orders, money and stock that the tables did not keep when they were last looked through, once an hour',
)
const checked = gauge('vitrine_invariants_checked_seconds', 'When that was, in seconds since 1970')

const quarterMs = 15 * 60_000
const hourMs = 60 * 60_000
/** Monitors time out after ten seconds, and must get at least the process's own metrics. */
const patienceMs = 3_000
/** Time of the last invariant check per shop: a process may hold several. */
const lastLooks = new WeakMap<Tools['db'], number>()

/** Updates the metrics of the whole shop from the database. */
export async function measureOperation(tools: Tools): Promise<void> {
  const { db, clock } = tools
  const states = await timedConnections(tools)
  connections.reset()
  for (const state of ['active', 'idle', 'in-transaction', 'waiting'])
    connections.set({ state }, states.find((found) => found.state === state)?.count ?? 0)
  jobs.reset()
  jobAge.reset()
  for (const { task, waiting, failed, oldestSeconds } of await jobFigures(db)) {
    jobs.set({ task, state: 'waiting' }, waiting)
    jobs.set({ task, state: 'failed' }, failed)
    jobAge.set({ task }, oldestSeconds)
  }
  const now = clock.now().getTime()
  attempts.reset()
  for (const { step, state, count } of await attemptFigures(db, new Date(now - quarterMs)))
    attempts.set({ step, state }, count)
  lookThrough(tools, now)
}

/** Reads the connections, and measures the database's latency: infinite without an answer, so that the alert fires. */
async function timedConnections({ db, clock }: Tools): ReturnType<typeof connectionFigures> {
  const answered = answer.startTimer()
  const done = new AbortController()
  const late = clock.sleep(patienceMs, done.signal).then(() => null)
  try {
    const states = await Promise.race([connectionFigures(db), late])
    if (states === null) throw new Error('database did not answer')
    answered()
    return states
  } catch (error) {
    answer.set(Number.POSITIVE_INFINITY)
    throw error
  } finally {
    done.abort()
  }
}

/** Runs in the background: it reads every order, and monitors wait only seconds. */
function lookThrough({ db, clock, log }: Tools, now: number): void {
  if (now - (lastLooks.get(db) ?? Number.NEGATIVE_INFINITY) < hourMs) return
  lastLooks.set(db, now)
  checkInvariants({ db, clock, paypal: null }).then(
    (found) => {
      broken.set(found.length)
      checked.set(now / 1000)
    },
    (error: unknown) => log.warn({ error: String(error) }, 'invariants could not be checked'),
  )
}
