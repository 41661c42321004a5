const queues = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * Serializes work on one key within this process, in order of arrival, whether or not the previous one succeeded.
 * @param owner the scope of keys, for instance a database
 * @param work receives whether it had to wait: then state read before may be outdated
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
