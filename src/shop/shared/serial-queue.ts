const queues = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * Runs what this process does to one thing one after the other, in the order of asking, whether or not the one before
 * succeeded. @param owner whose things these are, for instance a database @param work is told whether it had to wait: what
 * was known of the thing before is then out of date
 */
export async function runSerially<Result>(
  owner: object,
  thing: string,
  work: (waited: boolean) => Promise<Result>,
): Promise<Result> {
  const queue = queues.get(owner) ?? new Map<string, Promise<unknown>>()
  queues.set(owner, queue)
  const afterOthers = () => work(true)
  const mine = queue.get(thing)?.then(afterOthers, afterOthers) ?? work(false)
  queue.set(thing, mine)
  try {
    return await mine
  } finally {
    if (queue.get(thing) === mine) queue.delete(thing)
  }
}
