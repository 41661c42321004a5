import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Environment } from '#contract/environment.ts'
import { sharedSecret } from '#database/configuration.ts'
import { connect } from '#database/connect.ts'
import { releaseDeadJobs, workOffJobs } from '#database/job-queue.ts'
import { migrate } from '#database/migrate.ts'
import { isOnlyInstance, registerInstance } from '#database/payments.ts'
import { createPayPal } from '#paypal/client.ts'
import { createWebhookVerifier } from '#paypal/webhook-signature.ts'
import { maintain } from '#shop/maintain.ts'
import type { Checkpoint } from '#shop/tools.ts'
import type { HeroFacts } from '#web/pages/home-page.tsx'
import { type App, createApp } from './app.ts'
import type { Application } from './application.ts'
import type { Assets } from './assets.ts'
import type { PayPalSettings } from './config.ts'
import { createTools } from './create-tools.ts'
import { createMailer } from './jobs/mail.ts'
import { orderMailJob } from './jobs/order-mail.tsx'
import { createListener } from './listener.ts'
import { followConfiguration } from './live-configuration.ts'
import { createPageCache } from './page-cache.ts'
import { makeShopContext } from './shop-context.ts'

export type ShopOptions = {
  readonly environment: Environment
  readonly databaseUrl: string
  /** Pictures and, without a mail server, outgoing messages. */
  readonly dataDir: string
  /** What the build made for browsers. */
  readonly clientFolder: string
  readonly assets: Assets
  /** Null: no wallet. */
  readonly paypal: PayPalSettings | null
  readonly host: string
  /** Where to try first; 0 for any. A taken one moves on to the next. */
  readonly port: number
  /** Null: the address that it listens on. */
  readonly publicBaseUrl: string | null
  readonly smtpUrl: string | null
  readonly secret: string | null
  /** Called once the database is ready and before anything is served. */
  readonly prepare?: (tools: Application['tools']) => Promise<void>
  readonly checkpoint?: (point: Checkpoint) => void
  /** Connections to the database; 20 unless told. */
  readonly connections?: number
}

export type RunningShop = {
  readonly url: string
  readonly app: App
  readonly application: Application
  stop(): Promise<void>
}

const pageLifeMs = 60_000
const pageBytes = 16 * 1024 * 1024

/** Puts the shop together and opens its port. What it needs from outside comes in by `options` alone. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { environment, paypal } = options
  const { log, clock } = environment
  const db = connect(options.databaseUrl, { max: options.connections ?? 20 })
  const undo: (() => Promise<unknown>)[] = [() => db.close()]
  try {
    await migrate(db)
    const instance = await registerInstance(db)
    undo.push(instance.release)

    let shopContext: ReturnType<typeof makeShopContext> | null = null
    const pageCache = createPageCache({ maxBytes: pageBytes, lifeMs: pageLifeMs, now: () => clock.now().getTime() })
    const configuration = await followConfiguration(db, log, () => {
      shopContext = null
      pageCache.clear()
    })
    undo.push(configuration.stop)

    let listeningOn = ''
    const tools = createTools({
      environment,
      db,
      configuration,
      paypal: paypal && createPayPal({ environment, config: paypal }),
      paymentEnvironment: paypal?.environment ?? 'sandbox',
      publicUrl: () => options.publicBaseUrl ?? listeningOn,
      instance: instance.instance,
      ...(options.checkpoint ? { checkpoint: options.checkpoint } : {}),
    })
    const secure = options.publicBaseUrl?.startsWith('https:') ?? false
    const application: Application = {
      tools,
      secret: options.secret ?? (await sharedSecret(db, environment.chance.hex(32))),
      sessionCookie: secure ? '__Host-sid' : 'sid',
      secure,
      assets: options.assets,
      pageCache,
      clientFolder: options.clientFolder,
      mediaFolder: join(options.dataDir, 'media'),
      webhooks:
        paypal && createWebhookVerifier({ environment, certHosts: paypal.certHosts, webhookId: paypal.webhookId }),
      provider: paypal,
      shop() {
        shopContext ??= makeShopContext(tools)
        return shopContext
      },
      hero: async (): Promise<HeroFacts> => {
        const { home, name, tagline } = tools.settings
        const link = home.link ? { linkText: home.link.text, linkUrl: home.link.url } : {}
        return { title: home.title || name, text: home.text || tagline, image: home.image, ...link }
      },
    }
    const mailer = createMailer({
      smtpUrl: options.smtpUrl ?? tools.settings.mail.smtpUrl,
      outbox: join(options.dataDir, 'outbox'),
    })
    // Alone, whatever is held is held by the dead: a message must not wait for hours for a process that was killed.
    if (await isOnlyInstance(db, instance.instance)) await releaseDeadJobs(db, null)
    const jobs = await workOffJobs(
      options.databaseUrl,
      { 'order-mail': orderMailJob(application, mailer), maintain: () => maintain(tools) },
      { crontab: '* * * * * maintain ?max=1', log },
    )
    undo.push(jobs.stop)
    await options.prepare?.(tools)

    const app = createApp(application)
    const server = createServer(
      { requestTimeout: 30_000, headersTimeout: 5_000, keepAliveTimeout: 10_000 },
      createListener(app, pageCache),
    )
    server.maxHeadersCount = 100
    const port = await listen(server, options.host, options.port)
    undo.push(() => close(server))
    listeningOn = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`

    // What an earlier process left half done is picked up at once, not at the next minute.
    void maintain(tools)
    return { url: listeningOn, app, application, stop: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}

async function undoAll(steps: (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step().catch(() => undefined)
}

/** Opens the port, or the next free one after it. @returns the port @throws when a hundred in a row are taken */
async function listen(server: Server, host: string, first: number): Promise<number> {
  for (let port = first; port < first + 100; port += 1) {
    const outcome = await new Promise<number | NodeJS.ErrnoException>((resolve) => {
      const onError = (error: NodeJS.ErrnoException) => resolve(error)
      server.once('error', onError)
      server.listen(port, host, () => {
        server.off('error', onError)
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : port)
      })
    })
    if (typeof outcome === 'number') return outcome
    if (outcome.code !== 'EADDRINUSE') throw outcome
  }
  throw new Error(`the ports ${first} to ${first + 99} are all in use: set PORT to another one`)
}

/** Stops taking connections, answers what is open, and ends idle ones. */
async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 5_000).unref()
  })
}
