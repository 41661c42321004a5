import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '#contract/shared/environment.ts'

type Company = {
  waiting: Waiting[]
  /** Something is about to begin for those who wait. */
  isBusy: boolean
  /** How many groups are not done yet. */
  underWay: number
  /** Until then more of those are likely who came in one go, in milliseconds. */
  rushUntil: number
}
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

/** For so long after several were done in one go, or while others are under way, who comes next waits a moment for more. */
const rushMs = 20
const momentMs = 2

/**
 * Does a piece of work together with the same work of others: what comes while some is under way is done in one go once that has
 * ended. Under load each round trip and each write to the disk is shared, and whoever comes alone waits for nobody: two
 * milliseconds at most are spent on gathering, and only where others are about. Where what is done together fails, each is done
 * alone, so that nobody fails of another.
 * @param owner of the company, for instance a way to the database
 * @param key two things with the same key are not done together
 * @param work all of it or nothing, of whoever came first; its results stand in the order of the things
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
  // A clock that was set back would have one rush last for hours.
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
