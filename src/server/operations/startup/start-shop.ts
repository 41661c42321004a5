import type { Server } from 'node:http'
import { dirname, join } from 'node:path'
import type { Environment } from '#contract/shared/environment.ts'
import { refreshStockStatus } from '#database/catalog/derived-columns.ts'
import { DatabaseNotReachedError, reach } from '#database/engine/check-connection.ts'
import { connect } from '#database/engine/connect.ts'
import { migrate, migrationsFolder } from '#database/engine/migrate.ts'
import { enqueueAbandonedMail, onPendingMail } from '#database/mail/outbox.ts'
import { sharedSecret } from '#database/operations/configuration.ts'
import { prepareJobQueue, releaseDeadJobs, runJobs } from '#database/operations/job-queue.ts'
import { isOnlyInstance, registerInstance } from '#database/payments/payments.ts'
import { cachedCatalog } from '#shop/catalog/cached-catalog.ts'
import type { ImageProgress } from '#shop/content/image-sizes.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { applyConfig } from '#shop/operations/settings/apply-config-file.ts'
import { changeLine } from '#shop/operations/settings/config-changes.ts'
import { readConfigFile } from '#shop/operations/settings/read-config-file.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { createTranslationMemory } from '#shop/translation/translation-memory.ts'
import { importShopWords } from '#shop/translation/translation-seeds.ts'
import { pageInvalidation } from '../../cache/invalidate-pages.ts'
import { createPageCache } from '../../cache/page-cache.ts'
import { createPagePurges } from '../../cache/page-purges.ts'
import type { PurgeSettings } from '../../cache/purge-requests.ts'
import { readContentFiles } from '../../content/content-files.ts'
import { createImageEncoder } from '../../content/image-encoder.ts'
import { type App, createApp } from '../../http/app.ts'
import type { Assets } from '../../http/assets.ts'
import { limitedServer } from '../../http/connection-limits.ts'
import { openListeners } from '../../http/listeners.ts'
import { createListener } from '../../http/request-listener.ts'
import { announceImagesJob, imageSizesJob } from '../../jobs/content/image-sizes.ts'
import { accountMailJob } from '../../jobs/mail/account-mail.ts'
import { createMailOutbox } from '../../jobs/mail/mail-outbox.ts'
import { createMailer } from '../../jobs/mail/mailer.ts'
import { orderMailJob, sendOrderMails } from '../../jobs/mail/order-mail.ts'
import { deliverWebhookJob } from '../../jobs/operations/deliver-webhook.ts'
import { deleteVaultTokenJob } from '../../jobs/payments/delete-vault-token.ts'
import { refundSoldOutJob } from '../../jobs/payments/refund-unavailable-items.ts'
import { reportShipmentJob } from '../../jobs/payments/report-shipment.ts'
import { voidAuthorizationJob } from '../../jobs/payments/void-authorization.ts'
import { translateJob } from '../../jobs/translation/translate-texts.ts'
import { isOwnAddress } from '../../pages/shared/reserved-paths.ts'
import { webhookPayloads } from '../../rest/v3/webhook-payloads.ts'
import { isServerCounting } from '../../statistics/page-views.ts'
import { themeWarningLog } from '../../theme/log-theme-warnings.ts'
import type { LocaleViews } from '../../translation/locale-view.ts'
import { PortTakenError } from '../configuration/check-resources.ts'
import { compareSetUp } from '../configuration/compare-setup.ts'
import type { PayPalSettings } from '../configuration/config.ts'
import { followConfiguration } from '../configuration/live-configuration.ts'
import { countedNetwork, createLoadGate } from '../load/load-gate.ts'
import type { Pulse } from '../load/load-limiter.ts'
import { createOtlpExporter } from '../metrics/otlp-exporter.ts'
import { createTracer, tracedLog, tracedNetwork } from '../metrics/tracer.ts'
import type { Application } from './application.ts'
import { assembleShop } from './assemble-shop.ts'
import { gracefulStop } from './graceful-stop.ts'

export type ShopOptions = {
  readonly environment: Environment
  readonly databaseUrl: string
  /** Setting named in error messages about the database; `DATABASE_URL` by default. */
  readonly databaseSetting?: string
  /** A direct connection, if the usual address is a pooler's; null or absent: the usual one. */
  readonly databaseDirectUrl?: string | null
  /** A replica for the merchant's reports; null or absent: the primary. */
  readonly databaseReplicaUrl?: string | null
  /** Folder of images and, without a mail server, of outgoing emails. */
  readonly dataDir: string
  /** Folder of the browser build. */
  readonly clientFolder: string
  readonly assets: Assets
  /** Null: no wallet. */
  readonly paypal: PayPalSettings | null
  readonly host: string
  /** First port to try; 0 for any. A port in use falls back to the next … */
  readonly port: number
  /** … unless visitors expect this one. Another program may have taken it since an earlier check. */
  readonly thatPortAlone?: boolean
  /** Null: the address of the listener. */
  readonly publicBaseUrl: string | null
  readonly smtpUrl: string | null
  readonly secret: string | null
  /** API key of the translation engine; null or absent: as in the settings. */
  readonly translationKey?: string | null
  /** File of breached passwords; null or absent: there is none. */
  readonly breachedPasswords?: string | null
  /** Number of the operator's own proxies; 0 by default. */
  readonly trustedProxies?: number
  /** Called when the database is ready, before requests are served. */
  readonly prepare?: (tools: Application['tools']) => Promise<void>
  /** Told now and then while sizes of pictures are made in the background. */
  readonly onImages?: (progress: ImageProgress) => void
  /** The merchant's config file, applied at every start; null or absent: none. */
  readonly configFile?: string | null
  /** Folder of the Markdown files of static pages; null or absent: there are none. */
  readonly contentFolder?: string | null
  /** The folder of the project, where the interface's translations and the programs of other processes lie. */
  readonly rootFolder: string
  readonly checkpoint?: (point: Checkpoint) => void
  /** Seconds that CDNs may cache a page that is the same for all visitors; 0 or absent: they always revalidate. */
  readonly cdnSeconds?: number
  /** Bearer token of monitors; null or absent: metrics are closed. */
  readonly metricsToken?: string | null
  /** CDNs to purge after changes; null or absent: there are none. */
  readonly purge?: PurgeSettings | null
  /** Digest of the build; CDNs are purged once no process of another build is left. */
  readonly build?: string
  /** URL of an OpenTelemetry collector, without `/v1/traces`; null or absent: traces are not exported. */
  readonly otlpEndpoint?: string | null
  /** Share of the traces that are exported, 0 to 1; all by default. */
  readonly traceShare?: number
  /** Number of database connections; 20 by default. */
  readonly connections?: number
  /** Load of the process, for load shedding; absent: every request is admitted. */
  readonly pulse?: Pulse
  /** Wraps the function that answers requests; absent: it is used as it is. */
  readonly wrapApp?: (app: App) => App
}

export type RunningShop = {
  readonly url: string
  readonly app: App
  readonly application: Application
  /**
   * @param patienceMs how long idle connections may stay; 0 by default
   * @param noticeMs how long load balancers are notified in advance; 0 by default
   */
  stop(patienceMs?: number, noticeMs?: number): Promise<void>
}

const pageLifeMs = 60_000
/** Time after expiry in which a page may be served once more while it is rebuilt. */
const pageStaleMs = 60_000
const pageBytes = 12 * 1024 * 1024
/** A request that waits longer for a lock fails and may be retried. */
const lockTimeoutMs = 5_000
/** One page of reports runs about five queries at once. */
const reportConnections = 4

/** Assembles the shop and opens its port. All external dependencies are in `options`. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { clock, chance } = options.environment
  const log = tracedLog(options.environment.log)
  const counted = countedNetwork(options.environment.network)
  const exporter = options.otlpEndpoint ? createOtlpExporter(options.environment, options.otlpEndpoint) : null
  const network = exporter ? tracedNetwork(counted, { clock, chance }, exporter) : counted
  const environment = { ...options.environment, network, log }
  const trusted = (options.trustedProxies ?? 0) > 0
  const tracer = createTracer({ clock, chance, exporter, share: options.traceShare ?? 1, trusted })
  const db = connect(options.databaseUrl, {
    max: options.connections ?? 20,
    directUrl: options.databaseDirectUrl ?? null,
    lockTimeoutMs,
  })
  const reports = options.databaseReplicaUrl
    ? connect(options.databaseReplicaUrl, { max: reportConnections, name: 'vitrine-reports' })
    : null
  const undo: (() => Promise<unknown>)[] = [
    async () => exporter?.stop(),
    () => db.close(),
    async () => reports?.close(),
  ]
  try {
    const usual = await reach(db.sql, options.databaseSetting ?? 'DATABASE_URL', options.databaseUrl)
    if (options.databaseDirectUrl) {
      const direct = await reach(db.session, 'DATABASE_DIRECT_URL', options.databaseDirectUrl)
      // Emails would be enqueued in one database and searched in the other.
      if (direct.identity !== usual.identity)
        throw new DatabaseNotReachedError('DATABASE_DIRECT_URL and DATABASE_URL lead to different databases')
    }
    await migrate(db, migrationsFolder, (migration) =>
      log.warn({ migration }, 'migration waits for a lock on its table, as held by a backup or a long report'),
    )
    const instance = await registerInstance(db, clock)
    undo.push(instance.release)

    const now = () => clock.now().getTime()
    const pageCache = createPageCache({ maxBytes: pageBytes, lifeMs: pageLifeMs, staleMs: pageStaleMs, now })
    const pageMaker = { build: options.build ?? '', instance: instance.instance }
    const purges = options.purge ? createPagePurges({ ...environment, db }, options.purge, pageMaker) : null
    if (purges) undo.push(purges.stop)
    let spoken: LocaleViews | null = null
    const forget = pageInvalidation({
      pageCache,
      clock,
      catalog: () => application.tools,
      forgetShop: () => spoken?.forget(),
      ...(purges ? { onShown: purges.shown } : {}),
    })
    let checkLook: (() => Promise<void>) | null = null
    let learnWords: (() => Promise<void>) | null = null
    let recountStock: (() => Promise<void>) | null = null
    const memory = createTranslationMemory({ db, clock, log })
    undo.push(memory.stop)
    const configuration = await followConfiguration(db, { clock, chance, log }, (what) => {
      // After a lost connection the changes are unknown, and are announced as a change of configuration.
      if (what === 'configuration') memory.changed()
      else if (what !== 'catalog' && what !== 'words') memory.changed([what.slice('translation:'.length)])
      forget.after(what)
      if (what === 'configuration') {
        void checkLook?.()
        void learnWords?.()
        void recountStock?.()
      }
    })
    undo.push(configuration.stop)
    const content = await readContentFiles({
      folder: options.contentFolder ?? null,
      reserved: (slug) => isOwnAddress(slug, configuration.current.settings),
      clock,
      log,
      onChange() {
        forget.all()
        void purges?.changed('content')
      },
    })
    undo.push(async () => content.stop())

    const secret = options.secret ?? (await sharedSecret(db, environment.chance.hex(32)))
    let listeningOn = ''
    const shop = assembleShop({
      ...options,
      environment,
      db,
      reports,
      instance: instance.instance,
      secret,
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
    // The import enqueues jobs.
    await prepareJobQueue(db, options.databaseDirectUrl ?? options.databaseUrl)
    await options.prepare?.(tools)
    // After the demo was stocked: the merchant's config file overrides it.
    if (options.configFile) await applyAtStart(tools, options.configFile, application.mediaFolder)
    checkLook = themeWarningLog(tools, content)
    await configuration.refresh()
    const wordsFolder = join(options.rootFolder, 'translations')
    learnWords = () => importShopWords(tools, wordsFolder)
    await learnWords()
    recountStock = () =>
      refreshStockStatus(db).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'stock status could not be updated; retrying within a minute'),
      )
    const mailer = createMailer({
      smtpUrl: () => options.smtpUrl ?? tools.settings.mail.smtpUrl,
      outbox: join(options.dataDir, 'outbox'),
    })
    // Logged here, where the start can no longer fail: only a running shop compares its settings.
    const isAlone = await isOnlyInstance(db, instance.instance)
    await compareSetUp(db, log, { secret, publicBaseUrl: options.publicBaseUrl }, isAlone)
    // As the only process, any claim belongs to a dead one: an email must not wait for hours after a kill.
    if (isAlone) {
      await releaseDeadJobs(db, null)
      await enqueueAbandonedMail(db, environment.clock.now())
    }
    const translation = translateJob(tools)
    const encoder = createImageEncoder(options.rootFolder)
    const jobs = await runJobs(
      options.databaseDirectUrl ?? options.databaseUrl,
      tracer.jobs({
        'order-mail': orderMailJob(application, mailer),
        'account-mail': accountMailJob(application, mailer),
        'forget-method': deleteVaultTokenJob(tools),
        'give-back': refundSoldOutJob(tools),
        'let-go': voidAuthorizationJob(tools),
        'report-shipment': reportShipmentJob(tools),
        'image-sizes': imageSizesJob(tools, application.mediaFolder, encoder.encode),
        'announce-images': announceImagesJob(tools, options.onImages ?? (() => {})),
        'deliver-webhook': deliverWebhookJob(tools, { secret, payloadOf: webhookPayloads(application) }),
        maintain: () => maintain(tools),
        translate: translation.work,
        ...(purges ? { 'purge-pages': purges.everyMinute } : {}),
      }),
      { db, crontab: ['maintain', 'translate', ...(purges ? ['purge-pages'] : [])].map(everyMinute).join('\n'), log },
    )
    // After the jobs: the picture that is being encoded is finished.
    undo.push(encoder.stop)
    undo.push(jobs.stop)
    undo.push(translation.stop)
    const gate = options.pulse && createLoadGate(application, options.pulse, counted.underWay)
    const outbox = createMailOutbox(
      application,
      tracer.asJob('order-mail', (rows) => sendOrderMails(application, mailer, rows)),
      () => gate?.isBusy() ?? false,
    )
    onPendingMail(db, outbox.wake)
    // Commands and crashed processes enqueue emails without sending them.
    const looking = setInterval(outbox.wake, 5_000).unref()
    undo.push(outbox.stop)
    undo.push(async () => clearInterval(looking))
    // Stopped before the work that waits for it.
    undo.push(mailer.stop)
    outbox.wake()

    const { wrapApp = (own) => own } = options
    const app = wrapApp(createApp(application, tracer))
    const sameForAll = () => !tools.settings.exchange.byCountry && !isServerCounting(tools.settings)
    const nowMs = options.pulse?.nowMs ?? (() => environment.clock.now().getTime())
    const shutdown = gracefulStop(createListener(app, pageCache, sameForAll, gate), nowMs)
    const server = limitedServer(shutdown.listener, { nowMs })
    const port = await listen(server, options.host, options.port, options.thatPortAlone ? 1 : 100)
    const stopping = { patienceMs: 0, noticeMs: 0 }
    undo.push(() => shutdown.stop(server, stopping.patienceMs, stopping.noticeMs))
    listeningOn = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`

    // Continues work that an earlier process left unfinished, without waiting for the next minute.
    void maintain(tools)
    // Knowing the present versions allows naming later changes.
    if (purges) {
      cachedCatalog(tools).then(() => forget.after('catalog'), purges.work)
      void purges.everyMinute()
    }
    translation.work().catch((error: unknown) => log.error({ error: String(error) }, 'machine translation failed'))
    const stop = (patienceMs = 0, noticeMs = 0) => {
      Object.assign(stopping, { patienceMs, noticeMs })
      return undoAll(undo)
    }
    return { url: listeningOn, app, application, stop }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}

/** In the queue's crontab format: missed runs are not repeated. */
const everyMinute = (task: string) => `* * * * * ${task} ?max=1`

/** @throws ConfigFileError: the shop does not start unless the merchant's config file was applied */
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

/** Listens on the first free of `count` ports. @returns the port @throws when all are in use */
async function listen(server: Server, host: string, first: number, count: number): Promise<number> {
  for (let port = first; port < first + count; port += 1) {
    const outcome = await openListeners(server, { port, host })
    if (typeof outcome === 'number') return outcome
    if (outcome.code !== 'EADDRINUSE') throw outcome
  }
  if (count === 1) throw new PortTakenError(first)
  throw new Error(`ports ${first} to ${first + count - 1} are all in use: set PORT to another one`)
}
