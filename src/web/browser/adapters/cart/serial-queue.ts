let last: Promise<void> = Promise.resolve()

/**
 * Cart changes run one at a time in the order of the clicks; one that fails is logged and does not stop the next.
 * @returns when this one has ended, either way.
 */
export function enqueue(task: () => Promise<void>): Promise<void> {
  last = last.then(task).catch((error) => console.error('a cart change failed', error))
  return last
}
