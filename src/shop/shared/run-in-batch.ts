import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '#contract/shared/environment.ts'

type Company = {
  waiting: Waiting[]
  /** A batch is about to begin. */
  isBusy: boolean
  /** Number of batches in progress. */
  underWay: number
  /** Time until which further concurrent work is likely, in milliseconds. */
  rushUntil: number
}
type Waiting = {
  readonly thing: unknown
  readonly key: string
  readonly work: (things: readonly never[]) => Promise<readonly unknown[]>
  readonly done: (result: never) => void
  readonly failed: (error: unknown) => void
  /** Runs a function in the caller's async context, for instance its trace. */
  readonly onBehalf: ReturnType<typeof AsyncLocalStorage.snapshot>
}

const companies = new WeakMap<object, Company>()

/** A batch that takes longer, for instance because of a lock, does not delay the next one. */
const patienceMs = 4
const most = 32

/** How long after a batch of several items, or during another batch, new work waits a moment for more. */
const rushMs = 20
const momentMs = 2

/**
 * Runs a piece of work in a batch with the same work of other callers: work that arrives during a batch forms the next
 * one. Under load this shares round trips and disk writes. A single caller does not wait; gathering takes two
 * milliseconds at most, and only under concurrency. If a batch fails, each item is repeated alone, so that no caller
 * fails because of another.
 * @param owner the scope of batches, for instance a database pool
 * @param key two items with the same key are not in the same batch
 * @param work all or nothing, from the first caller; its results are in the order of the items
 */
export async function runInBatch<Thing, Result>(
  { owner, clock }: { owner: object; clock: Clock },
  thing: Thing,
  key: string,
  work: (things: readonly Thing[]) => Promise<readonly Result[]>,
): Promise<Result> {
  const company = companies.get(owner) ?? { waiting: [], isBusy: false, underWay: 0, rushUntil: 0 }
  companies.set(owner, company)
  const result = new Promise<Result>((done, failed) => {
    company.waiting.push({ thing, key, work, done, failed, onBehalf: AsyncLocalStorage.snapshot() })
  })
  if (!company.isBusy) void goOn(company, clock)
  return result
}

async function goOn(company: Company, clock: Clock): Promise<void> {
  company.isBusy = true
  const pause = (ms: number) => clock.sleep(ms).catch(() => undefined)
  const rushMsLeft = company.rushUntil - clock.now().getTime()
  // If the clock was set back, the time could be hours ahead.
  if (company.underWay > 0 || (rushMsLeft > 0 && rushMsLeft <= rushMs)) await pause(momentMs)
  while (company.waiting.length > 0) {
    const together = taken(company)
    await Promise.race([begun(company, together, clock), pause(patienceMs)])
  }
  company.isBusy = false
}

async function begun(company: Company, together: readonly Waiting[], clock: Clock): Promise<void> {
  company.underWay += 1
  await doTogether(together)
  company.underWay -= 1
  if (together.length > 1) company.rushUntil = clock.now().getTime() + rushMs
}

/** Takes as many waiting items as may form a batch, in order of arrival. */
function taken(company: Company): Waiting[] {
  const together = new Map<string, Waiting>()
  company.waiting = company.waiting.filter((one) => {
    if (together.size === most || together.has(one.key)) return true
    together.set(one.key, one)
    return false
  })
  return [...together.values()]
}

async function doTogether(together: readonly Waiting[]): Promise<void> {
  const [first] = together
  if (!first) return
  try {
    const things = together.map(({ thing }) => thing as never)
    const results = await first.onBehalf(first.work, things)
    for (const [nr, { done }] of together.entries()) done(results[nr] as never)
  } catch (error) {
    if (together.length === 1) first.failed(error)
    else await Promise.all(together.map((one) => doTogether([one])))
  }
}
