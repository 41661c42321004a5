/**
 * Runs a cart change after all earlier ones; a failed one is logged and does not stop the next.
 * @returns a promise that settles when this change has ended, successful or not.
 */
export type CartQueue = (task: () => Promise<void>) => Promise<void>

/** Creates the queue of a page: cart changes run one at a time, in the order of the presses. */
export function createCartQueue(): CartQueue {
  let last: Promise<void> = Promise.resolve()
  return (task) => {
    last = last.then(task).catch((error) => console.error('a cart change failed', error))
    return last
  }
}
