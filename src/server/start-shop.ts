import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import type { Environment } from '#contract/environment.ts'
import { sharedSecret } from '#database/configuration.ts'
import { connect } from '#database/connect.ts'
import { releaseDeadJobs, workOffJobs } from '#database/job-queue.ts'
import { migrate } from '#database/migrate.ts'
import { isOnlyInstance, registerInstance } from '#database/payments.ts'
import { applyConfig } from '#shop/apply-config-file.ts'
import { changeLine } from '#shop/config-changes.ts'
import { catalogFollows } from '#shop/known-catalog.ts'
import { maintain } from '#shop/maintain.ts'
import { readConfigFile } from '#shop/read-config-file.ts'
import type { Checkpoint } from '#shop/tools.ts'
import { createTranslationMemory } from '#shop/translation-memory.ts'
import { takeInShopWords } from '#shop/translation-seeds.ts'
import { type App, createApp } from './app.ts'
import type { Application } from './application.ts'
import { assembleShop } from './assemble-shop.ts'
import type { Assets } from './assets.ts'
import type { PayPalSettings } from './config.ts'
import { connectionLimits, mostHeaders } from './connection-limits.ts'
import { readContentFiles } from './content-files.ts'
import { gracefulStop } from './graceful-stop.ts'
import { accountMailJob } from './jobs/account-mail.ts'
import { forgetMethodJob } from './jobs/forget-method.ts'
import { giveBackJob } from './jobs/give-back.ts'
import { createMailer } from './jobs/mail.ts'
import { orderMailJob } from './jobs/order-mail.ts'
import { translateJob } from './jobs/translate.ts'
import { createListener } from './listener.ts'
import { followConfiguration } from './live-configuration.ts'
import { lookLog } from './look-log.ts'
import { createPageCache } from './page-cache.ts'
import { ownAddresses } from './pages/own-addresses.ts'
import type { SpokenShop } from './speak.ts'
import { countsPages } from './statistics-views.ts'

export type ShopOptions = {
  readonly environment: Environment
  readonly databaseUrl: string
  /** Where connections stay one session, when the usual address is a pooler's; null or left out: the usual one. */
  readonly databaseDirectUrl?: string | null
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
  /** Of the account at the engine that translates; null or left out: as the settings say. */
  readonly translationKey?: string | null
  /** How many proxies of our own stand in front; none unless told. */
  readonly trustedProxies?: number
  /** Called once the database is ready and before anything is served. */
  readonly prepare?: (tools: Application['tools']) => Promise<void>
  /** What the merchant declares in code, applied at every start; null or left out: nothing. */
  readonly configFile?: string | null
  /** The folder of Markdown files that are pages of text; null or left out: there are none. */
  readonly contentFolder?: string | null
  /** The folder of the words of the interface in other languages; left out: the project's own. */
  readonly translationsFolder?: string
  readonly checkpoint?: (point: Checkpoint) => void
  /** Connections to the database; 20 unless told. */
  readonly connections?: number
}

export type RunningShop = {
  readonly url: string
  readonly app: App
  readonly application: Application
  /** @param patienceMs how long connections without a request may stay; none unless told */
  stop(patienceMs?: number): Promise<void>
}

const pageLifeMs = 60_000
const pageBytes = 16 * 1024 * 1024

/** Puts the shop together and opens its port. What it needs from outside comes in by `options` alone. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { environment } = options
  const { log, clock } = environment
  const db = connect(options.databaseUrl, {
    max: options.connections ?? 20,
    directUrl: options.databaseDirectUrl ?? null,
  })
  const undo: (() => Promise<unknown>)[] = [() => db.close()]
  try {
    await migrate(db)
    const instance = await registerInstance(db, clock)
    undo.push(instance.release)

    const pageCache = createPageCache({ maxBytes: pageBytes, lifeMs: pageLifeMs, now: () => clock.now().getTime() })
    let spoken: SpokenShop | null = null
    const forgetPages = () => {
      spoken?.forget()
      pageCache.clear()
    }
    let checkLook: (() => Promise<void>) | null = null
    let learnWords: (() => Promise<void>) | null = null
    const memory = createTranslationMemory({ db, clock, log })
    undo.push(memory.stop)
    const configuration = await followConfiguration(db, log, (what) => {
      // After a lost connection nobody knows what changed, and it is said to be the configuration.
      if (what !== 'catalog') memory.changed(what === 'configuration' ? undefined : [what.slice('translation:'.length)])
      forgetPages()
      if (what === 'configuration') {
        void checkLook?.()
        void learnWords?.()
      }
      // Until the index has caught up, pages are made of what it knew before.
      if (what === 'catalog') catalogFollows(application.tools).then(forgetPages, forgetPages)
    })
    undo.push(configuration.stop)
    const content = await readContentFiles({
      folder: options.contentFolder ?? null,
      reserved: ownAddresses,
      clock,
      log,
      onChange: forgetPages,
    })
    undo.push(async () => content.stop())

    let listeningOn = ''
    const shop = assembleShop({
      ...options,
      db,
      instance: instance.instance,
      secret: options.secret ?? (await sharedSecret(db, environment.chance.hex(32))),
      configuration,
      memory,
      content,
      pageCache,
      publicUrl: () => options.publicBaseUrl ?? listeningOn,
      secure: options.publicBaseUrl?.startsWith('https:') ?? false,
    })
    undo.push(shop.stop)
    spoken = shop.spoken
    const application = spoken.own
    const { tools } = application
    await options.prepare?.(tools)
    // After the demo was stocked: what the merchant declares wins over it.
    if (options.configFile) await applyAtStart(tools, options.configFile, application.mediaFolder)
    checkLook = lookLog(tools, content)
    await configuration.refresh()
    const wordsFolder = options.translationsFolder ?? join(import.meta.dirname, '../../translations')
    learnWords = () => takeInShopWords(tools, wordsFolder)
    await learnWords()
    const mailer = createMailer({
      smtpUrl: () => options.smtpUrl ?? tools.settings.mail.smtpUrl,
      outbox: join(options.dataDir, 'outbox'),
    })
    // Alone, whatever is held is held by the dead: a message must not wait for hours for a process that was killed.
    if (await isOnlyInstance(db, instance.instance)) await releaseDeadJobs(db, null)
    const translation = translateJob(tools)
    const jobs = await workOffJobs(
      options.databaseDirectUrl ?? options.databaseUrl,
      {
        'order-mail': orderMailJob(application, mailer),
        'account-mail': accountMailJob(application, mailer),
        'forget-method': forgetMethodJob(tools),
        'give-back': giveBackJob(tools),
        maintain: () => maintain(tools),
        translate: translation.work,
      },
      { crontab: '* * * * * maintain ?max=1\n* * * * * translate ?max=1', log },
    )
    undo.push(jobs.stop)
    undo.push(translation.stop)

    const app = createApp(application)
    const door = gracefulStop(
      createListener(app, pageCache, () => !tools.settings.exchange.byCountry && !countsPages(tools.settings)),
    )
    const server = createServer(connectionLimits, door.listener)
    server.maxHeadersCount = mostHeaders
    const port = await listen(server, options.host, options.port)
    let patienceMs = 0
    undo.push(() => door.stop(server, patienceMs))
    listeningOn = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`

    // What an earlier process left half done is picked up at once, not at the next minute.
    void maintain(tools)
    translation
      .work()
      .catch((error: unknown) => log.error({ error: String(error) }, 'what waits could not be translated'))
    const stop = (waitMs = 0) => {
      patienceMs = waitMs
      return undoAll(undo)
    }
    return { url: listeningOn, app, application, stop }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}

/** @throws ConfigFileError: a shop that is not what its merchant declared does not open */
async function applyAtStart(tools: Application['tools'], file: string, mediaDir: string): Promise<void> {
  const { config, describe } = await readConfigFile(file)
  const applied = await applyConfig(tools, config, { places: { folder: dirname(file), mediaDir } })
  if (!applied.ok) throw describe(applied.faults)
  for (const change of applied.value) {
    const level = change.byCommand ? 'warn' : 'info'
    tools.log[level]({ change: changeLine(change) }, 'the configuration file changed the shop')
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
