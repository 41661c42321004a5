import type { Database } from '#database/connect.ts'
import { createPayPal } from '#paypal/client.ts'
import type { Assets } from '#server/assets.ts'
import type { ContentFiles } from '#server/content-files.ts'
import type { SigningCertificate } from '../../emulator/webhooks/certificate.ts'
import { Activities } from './activity.ts'
import { type Luck, namedLuck, seededChance } from './chance.ts'
import { purchase } from './moves.ts'
import { outgoing } from './outgoing.ts'
import { aProvider, type Provider, providerOrigin, webhookId } from './provider.ts'
import { ShopProcess, shopOrigin } from './shop-process.ts'
import { staffAtWork } from './staff.ts'
import { Tally, type Violation } from './tally.ts'
import { Turns } from './turns.ts'
import type { Street } from './visit.ts'
import type { Wire } from './wire.ts'
import { checkEnd, checkStep, type Witness } from './witness.ts'

export type EpisodeParts = {
  readonly seed: number
  readonly purchases: number
  /** Stops after this step, to look at it. */
  readonly untilStep: number | null
  /** A fresh copy of the shelves, for this episode alone. */
  readonly databaseUrl: string
  /** To the same, for staff and witness. */
  readonly db: Database
  /** Of that connection. */
  readonly wire: Wire
  readonly assets: Assets
  readonly content: ContentFiles
  readonly certificate: SigningCertificate
}

export type EpisodeResult = {
  readonly steps: number
  readonly counts: ReadonlyMap<string, number>
  readonly violations: readonly Violation[]
  /** What happened last. */
  readonly story: readonly string[]
}

const startMs = Date.UTC(2026, 1, 27, 9)
const minuteMs = 60_000
/** Simulated, and far beyond what any episode needs: whoever is still busy then will be for ever. */
const longestMs = 14 * 24 * 60 * minuteMs
const mostSteps = 60_000

/** So many purchases in one shop, with everything going wrong that may; ends early at the first broken promise. */
export async function simulate(parts: EpisodeParts): Promise<EpisodeResult> {
  const episode = new Episode(parts)
  await episode.run()
  return {
    steps: episode.turns.steps,
    counts: episode.tally.counts,
    violations: episode.tally.violations,
    story: episode.turns.lastSteps(),
  }
}

class Episode {
  readonly tally = new Tally()
  readonly turns: Turns
  readonly #parts: EpisodeParts
  readonly #activities = new Activities()
  readonly #luckOf: (name: string) => Luck
  readonly #chance
  readonly #approved = new Map<string, Set<number>>()
  readonly #confirmed = new Set<number>()
  readonly #wishes = new Map<number, { key: string; minor: number | null }[]>()
  readonly #posted = new Map<string, Set<string>>()
  readonly #retired: ShopProcess[] = []
  #provider: Provider | null = null
  #process: ShopProcess | null = null
  #starting = 0
  #calm = false
  /** Of a hundred calls to the provider so many meet a fault: some episodes are quiet, some are storms. */
  #faultShare = 0
  #busyShoppers = 0
  #staffWorked = false

  constructor(parts: EpisodeParts) {
    this.#parts = parts
    this.#luckOf = namedLuck(parts.seed)
    this.#chance = seededChance(parts.seed + 0x51ed270b)
    this.#faultShare = this.#luckOf('storms').pick([2, 6, 6, 12, 25])
    this.turns = new Turns(startMs, {
      isBusy: () => (this.#process?.wire.owed ?? 0) > 0 || parts.wire.owed > 0 || this.#starting > 0,
      rest: async () => {
        await this.#process?.wire.rest()
        await parts.wire.rest()
      },
      isClear: () => this.#activities.isClear,
    })
  }

  async run(): Promise<void> {
    const { purchases } = this.#parts
    this.#provider = await aProvider({
      turns: this.turns,
      luck: this.#luckOf('provider'),
      tally: this.tally,
      seed: this.#parts.seed,
      certificate: this.#parts.certificate,
      post: (path, init) => this.#request(new Request(shopOrigin + path, init), '10.255.0.1'),
      calm: () => this.#calm,
    })
    await this.#startProcess()
    this.#everyMinute()
    this.#openOffice()
    this.#openDoors(purchases)
    if (!(await this.#go(() => this.#busyShoppers === 0))) return
    await this.#settle()
    await this.#close()
  }

  /** Steps until `done`; false where something was broken, or the wanted step is reached. */
  async #go(done: () => boolean): Promise<boolean> {
    const { untilStep } = this.#parts
    while (!done()) {
      if (!(await this.turns.step())) throw new Error('nothing is left that could happen')
      await checkStep(this.#witness(), this.#news())
      if (this.tally.violations.length > 0 || this.turns.steps === untilStep) {
        await this.#close()
        return false
      }
      if (this.turns.steps > mostSteps || this.turns.nowMs - startMs > longestMs) {
        this.tally.violated('I12', null, 'it does not come to an end')
        return false
      }
    }
    return true
  }

  /** The tables that may say something else than after the step before. */
  #news(): ReadonlySet<string> | 'any' {
    const byHand = this.#staffWorked
    this.#staffWorked = false
    // A dead process has changed what it has, and does not tell.
    const changed = this.#process?.wire.tookChanges() ?? 'any'
    return byHand ? 'any' : changed
  }

  /** No more trouble; time goes by, and whatever was left open comes to its end. */
  async #settle(): Promise<void> {
    this.#calm = true
    const provider = this.#theProvider()
    await this.#settleReviews()
    provider.sendAllAgain()
    const until = this.turns.nowMs + 100 * minuteMs
    if (!(await this.#go(() => this.turns.nowMs >= until))) return
    await checkEnd(this.#witness(), this.#witnessPayPal())
  }

  async #settleReviews(): Promise<void> {
    const provider = this.#theProvider()
    for (const capture of provider.world.captures.values()) {
      if (capture.status !== 'PENDING') continue
      const status = this.#luckOf('reviews').pick(['COMPLETED', 'DECLINED'] as const)
      this.tally.count(`review ends: ${status}`)
      await provider.control(`/captures/${capture.id}/settle`, { status })
    }
  }

  #openDoors(purchases: number): void {
    const { turns } = this
    const crowd = this.#luckOf('crowd').between(1, 5)
    let left = purchases
    const live = async (index: number) => {
      const luck = this.#luckOf(`shopper ${index}`)
      for (let bought = 0; left > 0; bought += 1) {
        left -= 1
        await turns.pause(luck.between(100, 20_000), `shopper ${index} comes in`)
        await purchase(
          this.#street(luck),
          `shopper-${index}-${bought % 4}`,
          `10.${index}.${bought >> 8}.${bought & 255}`,
        )
        this.tally.count('purchases')
      }
    }
    for (let index = 1; index <= crowd; index += 1) {
      this.#busyShoppers += 1
      void live(index)
        .catch((error: unknown) =>
          this.tally.violated('M1', null, `a simulated shopper broke: ${error instanceof Error ? error.stack : error}`),
        )
        .finally(() => {
          this.#busyShoppers -= 1
        })
    }
  }

  #street(luck: Luck): Street {
    const { db } = this.#parts
    const { turns, tally } = this
    const provider = this.#theProvider()
    return {
      turns,
      tally,
      luck,
      world: {
        url: shopOrigin,
        fetch: (url, init) => this.#visit(new Request(url, init)),
        idOf: async (sku) => {
          const [row] = await db.sql<{ id: number }[]>`select id from products where sku = ${sku}`
          return row?.id ?? 0
        },
        emulate: (path, body = {}) => provider.control(path, body),
      },
      approve: async (id, buyer) => {
        await turns.pause(luck.between(500, 5_000), `a shopper approves ${id}`)
        const shown = provider.world.orders.get(id)?.units[0]?.amount
        const answer = await provider.control(`/orders/${id}/approve`, { buyer }).catch(() => null)
        if (!answer || !shown) return null
        tally.count(`approved by ${buyer}`)
        const minor = Math.round(Number(shown.value) * 100)
        this.#agreed(id).add(minor)
        return minor
      },
      agreed: (id, seen) => {
        if (seen !== null) this.#agreed(id).add(seen)
      },
      placed: async (orderId) => {
        const [order] = await db.sql<{ holds: boolean }[]>`
          select status <> 'pending' or not exists (
              select from order_items i join products p on p.id = (i.facts ->> 'stockOwner')::bigint
              where i.order_id = o.id and i.type = 'line_item' and p.manage_stock = 'yes')
            or exists (select from stock_reservations r where r.order_id = o.id) as holds
          from orders o where id = ${orderId}`
        if (order && !order.holds) tally.violated('I4', orderId, 'it was placed and holds no pieces')
      },
      paidAtOnce: async (orderId, seen) => {
        if (seen === null) return
        for (const { id } of await db.sql<{ id: string }[]>`select id from wallet_orders where order_id = ${orderId}`) {
          this.#agreed(id).add(seen)
        }
      },
      confirmed: (orderId) => this.#confirmed.add(orderId),
    }
  }

  #agreed(walletOrderId: string): Set<number> {
    const known = this.#approved.get(walletOrderId) ?? new Set()
    this.#approved.set(walletOrderId, known)
    return known
  }

  /** A shopper's request, which takes a moment to arrive. */
  #visit(request: Request): Promise<Response> {
    const ip = request.headers.get('x-forwarded-for') ?? '10.9.9.9'
    request.headers.delete('x-forwarded-for')
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const path = request.url.slice(shopOrigin.length)
    const luck = this.#luckOf(`way of ${ip}`)
    const lost = !this.#calm && luck.percent(1) ? luck.pick(['before', 'after'] as const) : null
    if (!this.#calm && luck.percent(0.7)) this.#lightFuse(luck)
    this.turns.offer(luck.between(5, 150), `${ip} asks ${request.method} ${path.slice(0, 60)}`, () => {
      if (lost === 'before') {
        this.tally.count('request: never arrives')
        return reject(new TypeError('connection lost'))
      }
      this.#request(request, ip).then((answer) => {
        if (lost !== 'after') return resolve(answer)
        this.tally.count('request: answered to nobody')
        return reject(new TypeError('connection lost'))
      }, reject)
    })
    return promise
  }

  /** Rejects as a closed connection does when there is no process, or when it dies meanwhile. */
  async #request(request: Request, ip: string): Promise<Response> {
    const process = this.#process
    if (!process || this.#starting > 0) throw new TypeError('connection refused')
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

  readonly #onDeath = new Set<(error: Error) => void>()

  async #startProcess(): Promise<void> {
    this.#starting += 1
    try {
      const process = new ShopProcess({
        ...this.#parts,
        turns: this.turns,
        activities: this.#activities,
        chance: this.#chance,
        network: (self) =>
          outgoing(
            {
              turns: this.turns,
              activities: this.#activities,
              luck: this.#luckOf,
              tally: this.tally,
              provider: this.#theProvider(),
              faultShare: () => (this.#calm ? 0 : this.#faultShare),
              kill: (whom, why) => this.#kill(whom, why),
            },
            self,
          ),
        checkpoint: (self, point) => {
          this.tally.count(`passed: ${point}`)
          if (self.isDead || this.#calm || !this.#luckOf(point).percent(0.3)) return
          this.#kill(self, `at ${point}`)
          throw new Error('the process died')
        },
        posted: ({ id, to, subject }) => {
          const about = `${/^order-(\d+)-/.exec(id)?.[1] ?? '?'} ${to.join(',')} ${subject}`
          const ids = this.#posted.get(about) ?? new Set()
          this.#posted.set(about, ids.add(id))
          this.tally.count('messages sent')
        },
        noteError: (message, facts) => {
          this.turns.tell(`  the shop says: ${message} ${String(facts.error ?? '').slice(0, 200)}`)
          this.tally.count(`logged: ${message}`)
          // The database is there all the time: whatever fails is a mistake.
          this.tally.violated('P7', null, `${message}: ${String(facts.error)}`)
        },
      })
      await process.start()
      this.#process = process
    } finally {
      this.#starting -= 1
    }
  }

  #lightFuse(luck: Luck): void {
    const process = this.#process
    if (!process) return
    const fuse = { statements: luck.between(1, 40), after: luck.percent(50) }
    process.wire.light(fuse, () =>
      this.#kill(process, `at the database, ${fuse.after ? 'after' : 'before'} a statement`),
    )
  }

  #kill(process: ShopProcess, why: string): void {
    if (process.isDead) return
    process.die()
    this.#retired.push(process)
    this.#process = null
    this.#activities.forget()
    this.tally.count(`crash: ${why.replace(/[A-Z0-9]{17}/, '…')}`)
    this.tally.count('crashes')
    this.turns.tell(`  the process dies ${why}`)
    for (const tell of this.#onDeath) tell(new TypeError('connection lost'))
    this.#onDeath.clear()
    this.turns.offer(this.#luckOf('starts').between(200, 5_000), 'the shop starts again', () => {
      this.#starting += 1
      void this.#lockReleased()
        .then(() => this.#startProcess())
        .finally(() => {
          this.#starting -= 1
        })
    })
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

  #everyMinute(): void {
    // Not each one: in most of them nothing is to be done.
    this.turns.offer(minuteMs * (this.#calm ? 5 : this.#luckOf('minutes').between(1, 3)), 'the minute job runs', () => {
      const process = this.#process
      const again = () => this.#everyMinute()
      if (!process || this.#starting > 0) return again()
      const died = new Promise<void>((resolve) => this.#onDeath.add(() => resolve()))
      void Promise.race([
        this.#activities
          .start(() => process.minute())
          .catch((error: unknown) => this.tally.count(`minute job: ${error}`)),
        died,
      ]).then(again)
      return undefined
    })
  }

  #openOffice(): void {
    this.turns.offer(this.#luckOf('staff').between(5_000, 90_000), 'staff does something', () => {
      const process = this.#process
      const again = () => this.#openOffice()
      this.#staffWorked = true
      if (this.#calm) return
      if (!process || this.#starting > 0) return again()
      const office = { db: this.#parts.db, luck: this.#luckOf('staff'), tally: this.tally, wishes: this.#wishes }
      const died = new Promise<void>((resolve) => this.#onDeath.add(() => resolve()))
      if (this.#luckOf('staff').percent(20)) void this.#settleReviews()
      void Promise.race([
        this.#activities
          .start(() => staffAtWork(office, process))
          .catch((error: unknown) => {
            if (!process.isDead) this.tally.violated('F38', null, `staff met ${error}`)
          }),
        died,
      ]).then(again)
      return undefined
    })
  }

  #theProvider(): Provider {
    if (!this.#provider) throw new Error('there is no provider yet')
    return this.#provider
  }

  #witness(): Witness {
    return {
      db: this.#parts.db,
      world: this.#theProvider().world,
      tally: this.tally,
      now: () => new Date(this.turns.nowMs),
      approved: this.#approved,
      confirmed: this.#confirmed,
      wishes: this.#wishes,
      posted: this.#posted,
      strange: this.#theProvider().strange,
    }
  }

  /** The provider as the shop's credentials reach it, by a way on which nothing goes wrong. */
  #witnessPayPal() {
    const provider = this.#theProvider()
    return createPayPal({
      environment: {
        chance: this.#chance,
        clock: { now: () => new Date(this.turns.nowMs), sleep: () => new Promise(() => {}) },
        network: { fetch: (url, init) => provider.fetch(String(url), init) },
        log: { info: () => {}, warn: () => {}, error: () => {} },
      },
      config: { apiBase: providerOrigin, clientId: 'sb', clientSecret: 'emulator-secret', webhookId },
    })
  }

  async #close(): Promise<void> {
    this.#process?.die()
  }
}
