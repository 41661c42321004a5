import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '#contract/environment.ts'

/** What waits, and whether something is under way that it waits for. */
type Company = { waiting: Waiting[]; isBusy: boolean }
type Waiting = {
  readonly thing: unknown
  readonly key: string
  readonly work: (things: readonly never[]) => Promise<readonly unknown[]>
  readonly done: (result: never) => void
  readonly failed: (error: unknown) => void
  /** Runs something on behalf of whoever asked: in their trace, for instance. */
  readonly onBehalf: ReturnType<typeof AsyncLocalStorage.snapshot>
}

const companies = new WeakMap<object, Company>()

/** Who has taken longer than this, for instance because he waits for somebody's lock, keeps nobody waiting. */
const patienceMs = 4
const most = 32

/**
 * Does a piece of work together with the same work of others: what comes while some is under way is done in one go once that has
 * ended. Under load each round trip and each write to the disk is shared, and whoever comes alone waits for nobody. Where what
 * is done together fails, each is done alone, so that nobody fails of another.
 * @param owner of the company, for instance a way to the database
 * @param key two things with the same key are not done together
 * @param work all of it or nothing, of whoever came first; its results stand in the order of the things
 */
export async function inCompany<Thing, Result>(
  { owner, clock }: { owner: object; clock: Clock },
  thing: Thing,
  key: string,
  work: (things: readonly Thing[]) => Promise<readonly Result[]>,
): Promise<Result> {
  const company = companies.get(owner) ?? { waiting: [], isBusy: false }
  companies.set(owner, company)
  const result = new Promise<Result>((done, failed) => {
    company.waiting.push({ thing, key, work, done, failed, onBehalf: AsyncLocalStorage.snapshot() })
  })
  if (!company.isBusy) void goOn(company, clock)
  return result
}

async function goOn(company: Company, clock: Clock): Promise<void> {
  company.isBusy = true
  while (company.waiting.length > 0) {
    const patience = clock.sleep(patienceMs).catch(() => undefined)
    await Promise.race([doTogether(taken(company)), patience])
  }
  company.isBusy = false
}

/** Takes from those who wait as many as may be done together, who came first first. */
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
