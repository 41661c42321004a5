import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '#contract/shared/environment.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { connect, type Database } from '#database/engine/connect.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import type { PurgeSettings } from '#server/cache/purge-requests.ts'
import { readAssets } from '#server/http/assets.ts'
import type { PayPalSettings } from '#server/operations/configuration/config.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { type RunningShop, startShop } from '#server/operations/startup/start-shop.ts'
import { completeAllImages } from '#shop/content/image-sizes.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { startEmulator } from '../../emulator/start-emulator.ts'
import { aFilledDatabase, type Filling, type TestDatabase } from './database/database.ts'
import { sharedCertificate } from './payments/emulator-certificate.ts'
import { monitorToken } from './process/monitor.ts'
import { answerChecks } from './rest/described-answers.ts'

export type TestShop = AsyncDisposable & {
  /** Without a slash at the end. */
  readonly url: string
  readonly db: Database
  readonly databaseUrl: string
  readonly dataDir: string
  readonly shop: RunningShop
  /** Null when the shop has no wallet. */
  readonly emulator: { readonly url: string } | null
  readonly paypal: PayPalSettings | null
  /** A product's or variation's id by its SKU. */
  idOf(sku: string): Promise<number>
  /** The control interface of the emulator. */
  emulate(path: string, body?: object): Promise<unknown>
  close(): Promise<void>
}

export const clientFolder = join(import.meta.dirname, '../../dist/client')
export const rootFolder = join(import.meta.dirname, '../..')
const fixtures = join(import.meta.dirname, '../fixtures')
const webhookId = '1JE4291016473214C'

type Options = {
  wallet?: boolean
  settings?: Record<string, unknown>
  /** What the shop is filled with instead of the products of the fixtures; `settings` come on top. */
  fill?: Filling
  /** Adds to what the shop is filled with, before it starts. */
  also?: (databaseUrl: string) => Promise<void>
  checkpoint?: (point: Checkpoint) => void
  /** As a proxy in front would have it: `https://shop.example`. */
  publicBaseUrl?: string
  /** Another clock, chance or network than the machine's. */
  environment?: Partial<Environment>
  /** A merchant's shop.config.ts. */
  configFile?: string
  /** The folder of the pages of text; left out: the demo's. */
  contentFolder?: string | null
  /** How the shop reaches its provider, where it differs from the usual. */
  paypal?: Partial<PayPalSettings>
  /** For how long caches in front may keep what is the same for everybody. */
  cdnSeconds?: number
  /** Null: the shop has none. */
  metricsToken?: string | null
  /** The caches that are told what has changed. */
  purge?: PurgeSettings
  /** A database of the caller's own instead of one of the run's, closed with the shop; and a replica of it. */
  database?: Database & { readonly url: string }
  databaseReplicaUrl?: string
  /** Where traces go, and from whom they are taken over. */
  traces?: { otlpEndpoint?: string; traceShare?: number; trustedProxies?: number }
  /** The operator's file of passwords out of breaches. */
  breachedPasswords?: string
  /** What nobody may see, where a test looks for it. */
  secrets?: { client?: string; webhook?: string; signing?: string; translation?: string | null }
}

/** A whole shop with thirteen products on a database of its own, and the payment emulator on an origin of its own. */
export async function aShop({
  wallet = true,
  settings = {},
  fill,
  also,
  checkpoint,
  publicBaseUrl,
  environment,
  configFile,
  contentFolder,
  paypal: otherwise = {},
  cdnSeconds,
  metricsToken = monitorToken,
  purge,
  traces = {},
  database: given,
  databaseReplicaUrl,
  breachedPasswords,
  secrets: {
    client: clientSecret = 'emulator-secret',
    webhook = webhookId,
    signing = 'a secret for tests that is long enough',
    translation = null,
  } = {},
}: Options = {}): Promise<TestShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-shop-'))
  const database = given ?? (fill ? await aFilledDatabase(fill, dataDir) : await aStockedDatabase(dataDir, settings))
  if (given) await stock(given.url, dataDir, settings)
  else if (fill) await writeSettings(database, settings)
  await also?.(database.url)
  // The emulator must know where to deliver to before the shop has a port: it is told a port that is free now.
  const port = await freePort()
  const emulator = wallet
    ? await startEmulator({
        webhookUrl: `http://127.0.0.1:${port}${urls.paypalWebhook()}`,
        webhookId: webhook,
        clientSecret,
        certificate: await sharedCertificate(),
      })
    : null
  const paypal = emulator && { ...emulatorSettings(emulator.url), clientSecret, webhookId: webhook, ...otherwise }
  const answers = answerChecks()
  const shop = await startShop({
    environment: {
      ...systemEnvironment(systemLog(process.env.SHOP_LOG ? 'info' : 'silent'), ['127.0.0.1']),
      ...environment,
    },
    databaseUrl: database.url,
    dataDir,
    clientFolder,
    rootFolder,
    contentFolder: contentFolder === undefined ? join(import.meta.dirname, '../../demo/content') : contentFolder,
    assets: await readAssets(clientFolder),
    paypal,
    host: '127.0.0.1',
    port,
    publicBaseUrl: publicBaseUrl ?? null,
    smtpUrl: null,
    secret: signing,
    translationKey: translation,
    connections: 10,
    ...traces,
    ...(cdnSeconds === undefined ? {} : { cdnSeconds }),
    metricsToken,
    ...(purge ? { purge } : {}),
    ...(databaseReplicaUrl ? { databaseReplicaUrl } : {}),
    ...(checkpoint ? { checkpoint } : {}),
    ...(configFile ? { configFile } : {}),
    ...(breachedPasswords ? { breachedPasswords } : {}),
    wrapApp: answers.wrap,
  })
  const close = async () => {
    await shop.stop()
    await emulator?.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
    answers.report()
  }
  return {
    url: shop.url,
    db: database,
    databaseUrl: database.url,
    dataDir,
    shop,
    emulator,
    paypal,
    idOf: (sku) => idOf(database, sku),
    emulate: (path, body) => callEmulator(String(emulator?.url), path, body),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A database of the run's with what `stock` puts in, and its files in `dataDir`: imported once in a run for settings that are alike. */
export async function aStockedDatabase(dataDir: string, settings: Record<string, unknown> = {}): Promise<TestDatabase> {
  const read = settingsOfImport(settings)
  const filling = {
    key: `stock ${JSON.stringify(read)}`,
    fill: (url: string, folder: string) => putIn(url, folder, read),
  }
  const database = await aFilledDatabase(filling, dataDir)
  await writeSettings(database, { ...usualSettings, ...settings })
  return database
}

/** Fills an empty database with the products, zones and taxes of the fixtures. */
export async function stock(
  databaseUrl: string,
  dataDir: string,
  settings: Record<string, unknown> = {},
): Promise<void> {
  await putIn(databaseUrl, dataDir, settingsOfImport(settings))
  const db = connect(databaseUrl, { max: 1 })
  try {
    await writeSettings(db, { ...usualSettings, ...settings })
  } finally {
    await db.close()
  }
}

const usualSettings = {
  name: 'Test shop',
  base: { country: 'US', state: 'CA' },
  mail: { from: 'shop@example.test' },
  email: 'owner@example.test',
}

/** All that an import of products reads of a shop's settings. */
type SettingsOfImport = Pick<
  ShopSettings,
  'currency' | 'language' | 'remoteDownloads' | 'remoteImages' | 'taxes' | 'timeZone'
>

function settingsOfImport(settings: Record<string, unknown>): SettingsOfImport {
  const stored = { settings: { ...usualSettings, ...settings }, taxRates: [], shippingZones: [], rates: [] }
  const { currency, language, remoteDownloads, remoteImages, taxes, timeZone } = shopConfiguration(stored).settings
  return { currency, language, remoteDownloads, remoteImages, taxes, timeZone }
}

async function putIn(databaseUrl: string, dataDir: string, read: SettingsOfImport): Promise<void> {
  const db = connect(databaseUrl, { max: 2 })
  try {
    await db.sql`insert into shipping_zones (id, name, zone_order, countries) values (1, 'United States', 1, '{US}')`
    await db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
      values (1, 'flat_rate', 'Standard', 0, '{"cost":"6.90"}'), (1, 'flat_rate', 'Express', 1, '{"cost":"15"}')`
    await db.sql`insert into tax_rates (country, state, rate_ppm, name, shipping) values ('US', 'CA', 72500, 'Sales tax', false)`
    const { settings } = shopConfiguration(await readConfiguration(db))
    const environment = systemEnvironment(systemLog('silent'))
    const report = await importProducts(
      { ...environment, db, settings: only(settings, read) },
      {
        file: join(fixtures, 'products.csv'),
        delimiter: ',',
        existing: 'update',
        dryRun: false,
        imagesDir: fixtures,
        mediaDir: join(dataDir, 'media'),
        downloadsDir: join(dataDir, 'downloads'),
        lookup: async () => [],
      },
    )
    if (!report.ok) throw new Error(`the fixture products have faults: ${JSON.stringify(report.faults.slice(0, 3))}`)
    await completeAllImages({ ...environment, db, serialQueues: new Map() }, join(dataDir, 'media'))
  } finally {
    await db.close()
  }
}

/** The members that are given; any other is refused, which would belong among them. */
function only<Whole extends object>(whole: Whole, given: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get(_, name) {
      if (!Object.hasOwn(given, name)) throw new Error(`the import of products reads ${String(name)} of the settings`)
      return Reflect.get(given, name)
    },
  })
}

/** How a shop is set up to pay through an emulator. */
export function emulatorSettings(url: string): PayPalSettings {
  return {
    environment: 'sandbox',
    sdkUrl: `${url}/sdk/js`,
    apiBase: url,
    webBase: url,
    clientId: 'sb',
    clientSecret: 'emulator-secret',
    webhookId,
    certHosts: [new URL(url).host],
  }
}

/** The same for a process of its own, whose provider is on this machine. */
export function emulatorEnvironment(paypal: PayPalSettings): Record<string, string> {
  return {
    PRIVATE_HOSTS: '127.0.0.1',
    PAYPAL_SDK_URL: paypal.sdkUrl,
    PAYPAL_API_BASE: paypal.apiBase,
    PAYPAL_WEB_BASE: paypal.webBase,
    PAYPAL_CLIENT_ID: paypal.clientId,
    PAYPAL_CLIENT_SECRET: paypal.clientSecret,
    PAYPAL_WEBHOOK_ID: paypal.webhookId,
    PAYPAL_CERT_HOSTS: paypal.certHosts.join(','),
  }
}

/** Speaks to the control interface of an emulator: reads without a body, does with one. */
export async function callEmulator(url: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/__emulator${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return response.json()
}

async function idOf(db: Database, sku: string): Promise<number> {
  const row = await db.kysely.selectFrom('products').select('id').where('sku', '=', sku).executeTakeFirstOrThrow()
  return row.id
}

let nextPort = process.pid

/**
 * Outside the range that the system takes ports of by itself (Linux: from 32768), so that no connection of somebody else's has it
 * before the one who asked; each of the runner's workers has a thousand of its own.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 20
  for (;;) {
    const port = 12_000 + worker * 1_000 + (nextPort++ % 1_000)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const { createServer } = await import('node:net')
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
