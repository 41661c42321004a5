import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '#contract/shared/environment.ts'

/** The waiting and running batches of one process. */
export type BatchQueue = {
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

export const emptyBatchQueue = (): BatchQueue => ({ waiting: [], isBusy: false, underWay: 0, rushUntil: 0 })

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
 * @param key two items with the same key are not in the same batch
 * @param work all or nothing, from the first caller; its results are in the order of the items
 */
export async function runInBatch<Thing, Result>(
  { queue, clock }: { queue: BatchQueue; clock: Clock },
  thing: Thing,
  key: string,
  work: (things: readonly Thing[]) => Promise<readonly Result[]>,
): Promise<Result> {
  const result = new Promise<Result>((done, failed) => {
    queue.waiting.push({ thing, key, work, done, failed, onBehalf: AsyncLocalStorage.snapshot() })
  })
  if (!queue.isBusy) void processQueue(queue, clock)
  return result
}

async function processQueue(queue: BatchQueue, clock: Clock): Promise<void> {
  queue.isBusy = true
  const pause = (ms: number) => clock.sleep(ms).catch(() => undefined)
  const rushMsLeft = queue.rushUntil - clock.now().getTime()
  // If the clock was set back, the time could be hours ahead.
  if (queue.underWay > 0 || (rushMsLeft > 0 && rushMsLeft <= rushMs)) await pause(momentMs)
  while (queue.waiting.length > 0) {
    const batch = takeBatch(queue)
    await Promise.race([runBatch(queue, batch, clock), pause(patienceMs)])
  }
  queue.isBusy = false
}

async function runBatch(queue: BatchQueue, batch: readonly Waiting[], clock: Clock): Promise<void> {
  queue.underWay += 1
  await doTogether(batch)
  queue.underWay -= 1
  if (batch.length > 1) queue.rushUntil = clock.now().getTime() + rushMs
}

/** Takes as many waiting items as may form a batch, in order of arrival. */
function takeBatch(queue: BatchQueue): Waiting[] {
  const batch = new Map<string, Waiting>()
  queue.waiting = queue.waiting.filter((one) => {
    if (batch.size === most || batch.has(one.key)) return true
    batch.set(one.key, one)
    return false
  })
  return [...batch.values()]
}

async function doTogether(batch: readonly Waiting[]): Promise<void> {
  const [first] = batch
  if (!first) return
  try {
    const things = batch.map(({ thing }) => thing as never)
    const results = await first.onBehalf(first.work, things)
    for (const [nr, { done }] of batch.entries()) done(results[nr] as never)
  } catch (error) {
    if (batch.length === 1) first.failed(error)
    else await Promise.all(batch.map((one) => doTogether([one])))
  }
}
