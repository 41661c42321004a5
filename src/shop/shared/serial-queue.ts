/** The last work of each key in this process. */
export type SerialQueues = Map<string, Promise<unknown>>

/**
 * Serializes work on one key within this process, in order of arrival, whether or not the previous one succeeded.
 * @param work receives whether it had to wait: then state read before may be outdated
 */
export async function runSerially<Result>(
  queues: SerialQueues,
  thing: string,
  work: (waited: boolean) => Promise<Result>,
): Promise<Result> {
  const afterOthers = () => work(true)
  const mine = queues.get(thing)?.then(afterOthers, afterOthers) ?? work(false)
  queues.set(thing, mine)
  try {
    return await mine
  } finally {
    if (queues.get(thing) === mine) queues.delete(thing)
  }
}
