import { setImmediate as nextRound, setTimeout as realPause } from 'node:timers/promises'

type Turn = { readonly atMs: number; readonly order: number; readonly what: string; readonly happen: () => void }

/** What has to come to rest before the next thing may happen. */
export type Stirring = {
  /** Resolves once nothing of it is under way. */
  rest(): Promise<void>
  isBusy(): boolean
  /** Grows whenever something of it begins: what begins and ends between two looks was no rest. */
  begun(): number
  /** False while something waits for what nobody can see: then it gets more time before it counts as waiting. */
  isClear(): boolean
}

const toldSteps = 20
const calmRounds = 20
/** Each takes a millisecond at least: the driver opens a connection after a moment of the machine's own clock. */
const patientRounds = 60

/**
 * The one who says what happens next. Everything that waits for the outside (an answer, a moment, a shopper's next press)
 * is a turn with a time; the earliest comes next, the clock jumps to it, and nothing else happens until all that it set off
 * has come to rest. So a run is the same whenever its turns are.
 */
export class Turns {
  nowMs: number
  steps = 0
  readonly story: string[] = []
  #order = 0
  readonly #turns = new Set<Turn>()
  readonly #stirring: Stirring
  readonly #startMs: number

  constructor(startMs: number, stirring: Stirring) {
    this.nowMs = startMs
    this.#startMs = startMs
    this.#stirring = stirring
  }

  /** @returns takes it back */
  offer(inMs: number, what: string, happen: () => void): () => void {
    this.#order += 1
    const turn = { atMs: this.nowMs + Math.max(0, inMs), order: this.#order, what, happen }
    this.#turns.add(turn)
    return () => this.#turns.delete(turn)
  }

  /** Lets time go by for one who waits for it. */
  pause(ms: number, what: string): Promise<void> {
    return new Promise((resolve) => this.offer(ms, what, resolve))
  }

  /** The next thing happens, and all that follows from it at once. @returns whether there was one */
  async step(): Promise<boolean> {
    const next = this.#next()
    if (!next) return false
    this.#turns.delete(next)
    this.nowMs = Math.max(this.nowMs, next.atMs)
    this.steps += 1
    this.tell(next.what)
    next.happen()
    await this.quiet()
    return true
  }

  /** Adds to what is said of this step. */
  tell(what: string): void {
    const seconds = ((this.nowMs - this.#startMs) / 1000).toFixed(3)
    this.story.push(`${String(this.steps).padStart(5)}  ${seconds.padStart(10)} s  ${what}`)
    if (this.story.length > toldSteps * 2) this.story.splice(0, this.story.length - toldSteps)
  }

  lastSteps(): string[] {
    return this.story.slice(-toldSteps)
  }

  /** Waits until everything waits for a turn. */
  async quiet(): Promise<void> {
    let begun = this.#stirring.begun()
    for (let calm = 0; ; ) {
      const isClear = this.#stirring.isClear()
      if (calm >= (isClear ? calmRounds : patientRounds)) return
      await (isClear || calm < calmRounds ? nextRound() : realPause(1))
      if (this.#stirring.isBusy()) {
        calm = 0
        await this.#stirring.rest()
      } else calm = begun === this.#stirring.begun() ? calm + 1 : 0
      begun = this.#stirring.begun()
    }
  }

  #next(): Turn | undefined {
    let next: Turn | undefined
    for (const turn of this.#turns) {
      if (!next || turn.atMs < next.atMs || (turn.atMs === next.atMs && turn.order < next.order)) next = turn
    }
    return next
  }
}
