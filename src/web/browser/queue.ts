let last: Promise<void> = Promise.resolve()

/** Cart changes run one at a time in the order of the clicks; one that fails does not stop the next. */
export function enqueue(task: () => Promise<void>): Promise<void> {
  const mine = last.then(task)
  last = mine.catch((error) => console.error('a cart change failed', error))
  return mine
}
