import type { Database } from '#database/engine/connect.ts'
import { createPayPal } from '#paypal/client.ts'
import type { ContentFiles } from '#server/content/content-files.ts'
import type { Assets } from '#server/http/assets.ts'
import type { SigningCertificate } from '../../emulator/webhooks/certificate.ts'
import { type Luck, namedLuck, seededChance } from './chance.ts'
import { aProvider, type Provider, providerOrigin, webhookId } from './provider.ts'
import { purchase } from './purchase.ts'
import { Lives } from './restarts.ts'
import { type ShopProcess, shopOrigin } from './shop-process.ts'
import { streetTo } from './shopper-world.ts'
import { staffAtWork } from './staff.ts'
import { checkEnd, checkStep, type Witness } from './step-checks.ts'
import { Tally, type Violation } from './tally.ts'
import { Turns } from './turns.ts'
import type { Street } from './visit.ts'
import type { FindBlocked, Wire } from './wire.ts'

export type EpisodeParts = {
  readonly seed: number
  readonly purchases: number
  /** Stops after this step, to look at it. */
  readonly untilStep: number | null
  /** A fresh copy of the shelves, for this episode alone. */
  readonly databaseUrl: string
  readonly findBlocked: FindBlocked
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
  readonly #lives: Lives
  readonly #luckOf: (name: string) => Luck
  readonly #chance
  readonly #approved = new Map<string, Set<number>>()
  readonly #confirmed = new Set<number>()
  readonly #strangers = new Set<string>()
  readonly #wishes = new Map<number, { key: string; minor: number | null }[]>()
  #provider: Provider | null = null
  #calm = false
  #busyShoppers = 0
  #staffWorked = false

  constructor(parts: EpisodeParts) {
    this.#parts = parts
    this.#luckOf = namedLuck(parts.seed)
    this.#chance = seededChance(parts.seed + 0x51ed270b)
    this.#lives = new Lives({
      ...parts,
      chance: this.#chance,
      luckOf: this.#luckOf,
      tally: this.tally,
      turns: () => this.turns,
      provider: () => this.#theProvider(),
      isCalm: () => this.#calm,
    })
    this.turns = new Turns(startMs, {
      isBusy: () => (this.#lives.wire?.owed ?? 0) > 0 || parts.wire.owed > 0 || this.#lives.isChanging,
      // It falls when a new process begins at nought, which is a change like any other.
      begun: () => (this.#lives.wire?.begun ?? 0) + parts.wire.begun,
      rest: async () => {
        await this.#lives.wire?.rest()
        await parts.wire.rest()
      },
      isClear: () => this.#lives.isClear,
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
      post: (path, init) => this.#lives.request(new Request(shopOrigin + path, init), '10.255.0.1'),
      calm: () => this.#calm,
    })
    await this.#lives.start()
    this.#everyMinute()
    this.#openMailRoom()
    this.#openOffice()
    this.#openListeners(purchases)
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
    const changed = this.#lives.wire?.tookChanges() ?? 'any'
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

  #openListeners(purchases: number): void {
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
          // Two people take turns, who come back with what the shop knows of them.
          `shopper-${index}-${bought % 2}`,
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
    return streetTo({
      db: this.#parts.db,
      turns: this.turns,
      tally: this.tally,
      luck,
      provider: this.#theProvider(),
      fetch: (request) => this.#visit(request),
      agreed: (walletOrderId) => this.#agreed(walletOrderId),
      strangers: this.#strangers,
      confirmed: (orderId) => this.#confirmed.add(orderId),
    })
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
    if (!this.#calm && luck.percent(0.7)) this.#lives.lightFuse(luck)
    this.turns.offer(luck.between(5, 150), `${ip} asks ${request.method} ${path.slice(0, 60)}`, () => {
      if (lost === 'before') {
        this.tally.count('request: never arrives')
        return reject(new TypeError('connection lost'))
      }
      this.#lives.request(request, ip).then((answer) => {
        if (lost !== 'after') return resolve(answer)
        this.tally.count('request: answered to nobody')
        return reject(new TypeError('connection lost'))
      }, reject)
    })
    return promise
  }

  #everyMinute(): void {
    // Not each one: in most of them nothing is to be done.
    const inMs = minuteMs * (this.#calm ? 5 : this.#luckOf('minutes').between(1, 3))
    const work = (process: ShopProcess) => process.minute()
    this.#lives.regularly({ inMs, what: 'the minute job runs', work, next: () => this.#everyMinute() })
  }

  #openMailRoom(): void {
    const inMs = this.#calm ? 5 * minuteMs : this.#luckOf('mail room').between(5_000, 60_000)
    const work = (process: ShopProcess) => process.workOffMail()
    this.#lives.regularly({ inMs, what: 'messages are sent', work, next: () => this.#openMailRoom() })
  }

  #openOffice(): void {
    this.turns.offer(this.#luckOf('staff').between(5_000, 90_000), 'staff does something', () => {
      const { process } = this.#lives
      const again = () => this.#openOffice()
      this.#staffWorked = true
      if (this.#calm) return
      if (!process) return again()
      const office = { db: this.#parts.db, luck: this.#luckOf('staff'), tally: this.tally, wishes: this.#wishes }
      if (this.#luckOf('staff').percent(20)) void this.#settleReviews()
      const failed = (error: unknown) => {
        if (!process.isDead) this.tally.violated('F38', null, `staff met ${error}`)
      }
      void this.#lives.untilDeath(() => staffAtWork(office, process), failed).then(again)
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
      posted: this.#lives.posted,
      strangers: this.#strangers,
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
    this.#lives.end()
  }
}
