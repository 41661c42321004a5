/** Runs what it is given, so many at a time; others wait in the order in which they came. */
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
      // The lane goes from hand to hand: who comes just now does not overtake.
      if (next) next()
      else free += 1
    }
  }
}
