let last: Promise<void> = Promise.resolve()

/**
 * Runs cart changes one at a time in click order; a failed one is logged and does not stop the next.
 * @returns a promise that settles when this change has ended, successful or not.
 */
export function enqueue(task: () => Promise<void>): Promise<void> {
  last = last.then(task).catch((error) => console.error('a cart change failed', error))
  return last
}
