import type { Environment, Network } from '#contract/shared/environment.ts'
import { connect, type Database } from '#database/engine/connect.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { registerInstance } from '#database/payments/payments.ts'
import { createPageCache } from '#server/cache/page-cache.ts'
import type { ContentFiles } from '#server/content/content-files.ts'
import { type App, createApp } from '#server/http/app.ts'
import type { Assets } from '#server/http/assets.ts'
import { createMailOutbox } from '#server/jobs/mail/mail-outbox.ts'
import type { Mailer, Message } from '#server/jobs/mail/mailer.ts'
import { orderMailJob, sendOrderMails } from '#server/jobs/mail/order-mail.ts'
import type { Application } from '#server/operations/startup/application.ts'
import { assembleShop } from '#server/operations/startup/assemble-shop.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { createTranslationMemory } from '#shop/translation/translation-memory.ts'
import type { Activities } from './activity.ts'
import { providerOrigin, webhookId } from './provider.ts'
import type { Turns } from './turns.ts'
import { type FindBlocked, Wire } from './wire.ts'

export const shopOrigin = 'http://shop.test'
const connections = 4

type Parts = {
  readonly turns: Turns
  readonly activities: Activities
  readonly databaseUrl: string
  readonly findBlocked: FindBlocked
  readonly assets: Assets
  readonly content: ContentFiles
  readonly chance: Environment['chance']
  readonly network: (process: ShopProcess) => Network
  readonly checkpoint: (process: ShopProcess, point: Checkpoint) => void
  /** A message left the shop. */
  readonly posted: (message: Message) => void
  readonly noteError: (message: string, facts: Record<string, unknown>) => void
}

/** One life of the shop's process: from its start on a database that was there before, to its end at any moment. */
export class ShopProcess {
  isDead = false
  readonly wire: Wire
  readonly #parts: Parts
  readonly #environment: Environment
  #app: App | null = null
  #application: Application | null = null
  #db: Database

  constructor(parts: Parts) {
    this.#parts = parts
    const { turns, activities } = parts
    this.wire = new Wire(socketFolder(parts.databaseUrl), parts.findBlocked)
    this.#db = connect(parts.databaseUrl, { max: connections, name: 'shop', socket: this.wire.open })
    this.#environment = {
      chance: parts.chance,
      network: parts.network(this),
      clock: {
        now: () => new Date(turns.nowMs),
        sleep: (ms, signal) => {
          const { promise, resolve } = Promise.withResolvers<void>()
          if (signal?.aborted) return Promise.resolve()
          const withdraw = turns.offer(ms, signal ? 'a patience ends' : 'a pause ends', () => this.isDead || resolve())
          signal?.addEventListener('abort', () => {
            withdraw()
            resolve()
          })
          // Who may be called off waits for something else at the same time.
          return signal ? promise : activities.parked(promise)
        },
      },
      log: {
        info: () => {},
        warn: () => {},
        error: (facts, message) => this.isDead || parts.noteError(message, facts),
      },
    }
  }

  get tools(): Application['tools'] {
    if (!this.#application) throw new Error('the process has not started')
    return this.#application.tools
  }

  async start(): Promise<void> {
    const { databaseUrl: _, ...parts } = this.#parts
    const db = this.#db
    await openAll(db)
    const { instance } = await registerInstance(db, this.#environment.clock)
    const configuration = { current: shopConfiguration(await readConfiguration(db)) }
    const { spoken } = assembleShop({
      ...parts,
      checkpoint: (point) => parts.checkpoint(this, point),
      environment: this.#environment,
      db,
      instance,
      secret: 'a secret for simulations that is long enough',
      configuration,
      memory: createTranslationMemory({ db, ...this.#environment }),
      pageCache: createPageCache({ maxBytes: 2 ** 20, lifeMs: 60_000, now: () => parts.turns.nowMs }),
      publicUrl: () => shopOrigin,
      secure: false,
      writesStatistics: false,
      dataDir: '/nowhere',
      clientFolder: '/nowhere',
      paypal: {
        environment: 'sandbox',
        sdkUrl: `${providerOrigin}/sdk/js`,
        apiBase: providerOrigin,
        webBase: providerOrigin,
        clientId: 'sb',
        clientSecret: 'emulator-secret',
        webhookId,
        certHosts: [new URL(providerOrigin).host],
      },
    })
    this.#application = spoken.own
    this.#app = createApp(spoken.own)
  }

  /** Never answers once the process is dead. */
  async answer(request: Request, ip: string): Promise<Response> {
    if (!this.#app) throw new TypeError('connection refused')
    const answer = await this.#app(request, { ip })
    return this.isDead ? new Promise(() => {}) : answer
  }

  /** What runs every minute. */
  minute(): Promise<void> {
    return maintain(this.tools)
  }

  /** Sends the messages that wait, which the worker does beside everything else. */
  async workOffMail(): Promise<void> {
    const { sql } = this.#db
    const app = this.#application
    if (!app) return
    const mailer: Mailer = {
      send: async (message) => {
        if (!this.isDead) this.#parts.posted(message)
      },
    }
    await createMailOutbox(app, (rows) => sendOrderMails(app, mailer, rows)).work()
    const send = orderMailJob(app, mailer)
    const jobs = await sql<{ id: number; payload: unknown }[]>`
      select j.id, j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'order-mail' order by j.id`
    for (const { id, payload } of jobs) {
      await send(payload)
      await sql`delete from graphile_worker._private_jobs where id = ${id}`
    }
  }

  /** As a power cut would. */
  die(): void {
    this.isDead = true
    this.wire.kill()
  }

  /** In an orderly way, for one that is not needed any more. */
  async stop(): Promise<void> {
    await this.#db.close()
  }
}

/** Every connection at once: later the driver would open one after a moment that depends on the machine's pace. */
async function openAll({ sql }: Database): Promise<void> {
  const opened = await Promise.all(Array.from({ length: connections }, () => sql.reserve()))
  for (const one of opened) one.release()
}

export function socketFolder(databaseUrl: string): string {
  return new URL(databaseUrl).searchParams.get('host') ?? ''
}
