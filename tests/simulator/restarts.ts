import type { Environment } from '#contract/shared/environment.ts'
import { Activities } from './activity.ts'
import type { Luck } from './chance.ts'
import { outgoing } from './outgoing.ts'
import type { Provider } from './provider.ts'
import { ShopProcess } from './shop-process.ts'
import type { EpisodeParts } from './simulate.ts'
import type { Tally } from './tally.ts'
import type { Turns } from './turns.ts'
import type { Wire } from './wire.ts'

type Parts = Pick<EpisodeParts, 'databaseUrl' | 'findBlocked' | 'db' | 'assets' | 'content'> & {
  readonly chance: Environment['chance']
  readonly luckOf: (name: string) => Luck
  readonly tally: Tally
  readonly turns: () => Turns
  readonly provider: () => Provider
  /** No more trouble. */
  readonly isCalm: () => boolean
}

type Routine = {
  readonly inMs: number
  readonly what: string
  readonly work: (process: ShopProcess) => Promise<unknown>
  readonly next: () => void
}

/** The shop's process, one life after the other: each ends at any moment, and the next begins a moment later. */
export class Lives {
  /** Messages that left the shop: under which ids, by recipient and subject. */
  readonly posted = new Map<string, Set<string>>()
  readonly #parts: Parts
  readonly #activities = new Activities()
  readonly #onDeath = new Set<(error: Error) => void>()
  /** Of a hundred calls to the provider so many meet a fault: some episodes are quiet, some are storms. */
  readonly #faultShare: number
  #process: ShopProcess | null = null
  #starting = 0
  #leaving = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#faultShare = parts.luckOf('storms').pick([2, 6, 6, 12, 25])
  }

  /** Null while none answers. */
  get process(): ShopProcess | null {
    return this.#starting > 0 ? null : this.#process
  }

  /** Of the process that runs or starts, if there is one. */
  get wire(): Wire | null {
    return this.#process?.wire ?? null
  }

  /** What a dead process had asked the database for may still be under way there. */
  get isChanging(): boolean {
    return this.#starting + this.#leaving > 0
  }

  get isClear(): boolean {
    return this.#activities.isClear
  }

  /** Rejects as a closed connection does when there is no process, or when it dies meanwhile. */
  async request(request: Request, ip: string): Promise<Response> {
    const process = this.process
    if (!process) throw new TypeError('connection refused')
    const died = new Promise<never>((_, reject) => {
      this.#onDeath.add(reject)
    })
    died.catch(() => undefined)
    return Promise.race([
      this.#activities.start(async () => {
        const answer = await process.answer(request, ip)
        const body = answer.status === 204 || answer.status === 304 ? null : await answer.arrayBuffer()
        return new Response(body, { status: answer.status, headers: answer.headers })
      }),
      died,
    ])
  }

  async start(): Promise<void> {
    const { tally, luckOf, isCalm } = this.#parts
    const turns = this.#parts.turns()
    this.#starting += 1
    try {
      const process = new ShopProcess({
        ...this.#parts,
        turns,
        activities: this.#activities,
        network: (self) =>
          outgoing(
            {
              turns,
              activities: this.#activities,
              luck: luckOf,
              tally,
              provider: this.#parts.provider(),
              faultShare: () => (isCalm() ? 0 : this.#faultShare),
              kill: (whom, why) => this.#kill(whom, why),
            },
            self,
          ),
        checkpoint: (self, point) => {
          tally.count(`passed: ${point}`)
          if (self.isDead || isCalm() || !luckOf(point).percent(0.3)) return
          this.#kill(self, `at ${point}`)
          throw new Error('the process died')
        },
        posted: ({ id, to, subject }) => {
          const about = `${/^order-(\d+)-/.exec(id)?.[1] ?? '?'} ${to.join(',')} ${subject}`
          const ids = this.posted.get(about) ?? new Set()
          this.posted.set(about, ids.add(id))
          tally.count('messages sent')
        },
        noteError: (message, facts) => {
          turns.tell(`  the shop says: ${message} ${String(facts.error ?? '').slice(0, 200)}`)
          tally.count(`logged: ${message}`)
          // The database is there all the time: whatever fails is a mistake.
          tally.violated('P7', null, `${message}: ${String(facts.error)}`)
        },
      })
      await process.start()
      this.#process = process
    } finally {
      this.#starting -= 1
    }
  }

  /** The process dies some statements from now. */
  lightFuse(luck: Luck): void {
    const process = this.#process
    if (!process) return
    const fuse = { statements: luck.between(1, 40), after: luck.percent(50) }
    process.wire.light(fuse, () =>
      this.#kill(process, `at the database, ${fuse.after ? 'after' : 'before'} a statement`),
    )
  }

  #kill(process: ShopProcess, why: string): void {
    if (process.isDead) return
    const { tally, luckOf } = this.#parts
    const turns = this.#parts.turns()
    process.die()
    this.#process = null
    this.#activities.forget()
    tally.count(`crash: ${why.replace(/[A-Z0-9]{17}/, '…')}`)
    tally.count('crashes')
    turns.tell(`  the process dies ${why}`)
    for (const tell of this.#onDeath) tell(new TypeError('connection lost'))
    this.#onDeath.clear()
    this.#leaving += 1
    void this.#lockReleased().finally(() => {
      this.#leaving -= 1
    })
    turns.offer(luckOf('starts').between(200, 5_000), 'the shop starts again', () => void this.start())
  }

  /** The database takes a moment to notice that nobody is at the other end. */
  async #lockReleased(): Promise<void> {
    for (;;) {
      const [row] = await this.#parts.db.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity where application_name = 'shop' and datname = current_database()`
      if (row?.count === 0) return
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  /** What the process does by itself, for as long as it lives; then `next`. */
  regularly({ inMs, what, work, next }: Routine): void {
    this.#parts.turns().offer(inMs, what, () => {
      const { process } = this
      if (!process) return next()
      const failed = (error: unknown) => this.#parts.tally.count(`${what}: ${error}`)
      void this.untilDeath(() => work(process), failed).then(next)
    })
  }

  /** Ends with the work, or with the process that does it. */
  untilDeath(work: () => Promise<unknown>, failed: (error: unknown) => void): Promise<unknown> {
    const died = new Promise<void>((resolve) => this.#onDeath.add(() => resolve()))
    return Promise.race([this.#activities.start(work).catch(failed), died])
  }

  end(): void {
    this.#process?.die()
  }
}
