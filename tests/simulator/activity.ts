import { AsyncLocalStorage } from 'node:async_hooks'

/** Something that was set off and has neither ended nor come to an outside call yet. */
type Activity = { parked: number }

const current = new AsyncLocalStorage<Activity>()

/** What is under way in the shop, so that the next turn is not given too early. */
export class Activities {
  readonly #open = new Set<Activity>()

  /** Runs something that others do not wait for by themselves. */
  start<Value>(work: () => Promise<Value>): Promise<Value> {
    const activity: Activity = { parked: 0 }
    this.#open.add(activity)
    return current.run(activity, work).finally(() => this.#open.delete(activity))
  }

  /** While the one who calls waits for a turn. */
  async parked<Value>(wait: Promise<Value>): Promise<Value> {
    const activity = current.getStore()
    if (activity) activity.parked += 1
    try {
      return await wait
    } finally {
      if (activity) activity.parked -= 1
    }
  }

  /** Those of a dead process end no more. */
  forget(): void {
    this.#open.clear()
  }

  get isClear(): boolean {
    for (const { parked } of this.#open) if (parked === 0) return false
    return true
  }
}
