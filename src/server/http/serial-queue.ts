/** Limits concurrent work to `count`; further work waits in order of arrival. */
export function limitConcurrency(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The slot passes directly to the next waiter, so a new arrival cannot overtake.
      if (next) next()
      else free += 1
    }
  }
}
