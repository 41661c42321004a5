import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { urls } from '#contract/shared/urls.ts'
import { connect, type Database } from '#database/engine/connect.ts'
import { startEmbedded } from '#database/engine/embedded/embedded.ts'
import { migrate } from '#database/engine/migrate.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { prepareJobQueue } from '#database/operations/job-queue.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { freePort } from '#server/payments/demo-emulator.ts'
import { completeAllImages } from '#shop/content/image-sizes.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import serverProcess from '../../scripts/server-process.json' with { type: 'json' }
import { benchProducts } from './bench-products.ts'
import { ended, started } from './child-servers.ts'
import { processFile } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const environment = systemEnvironment(systemLog('error'))
export const webhookId = '1JE4291016473214C'

/** A shop as a merchant runs it: built, in a process of its own, with its own PostgreSQL that writes to disk. */
export type BenchShop = AsyncDisposable & {
  readonly url: string
  readonly emulatorUrl: string
  readonly db: Database
  readonly databaseUrl: string
  readonly dataDir: string
  /** For CPU time and memory. */
  readonly pids: { readonly shop: number; readonly emulator: number; readonly postgres: number }
  /** From the start of the process to the line that says that the shop is open, in milliseconds. */
  readonly startedInMs: number
  /** Starts one more process of the shop on the same database; it ends with the shop. @returns its address */
  another(): Promise<string>
  /** Starts the shop's process anew on the same database. */
  restart(options?: ProcessOptions): Promise<void>
}

export const emulatorClient = { id: 'sb', secret: 'emulator-secret' }

/** @param seed of its ids: two that write to one database need two */
export function startEmulator({ port, webhookUrl, seed }: { port: number; webhookUrl: string; seed?: string }) {
  const options = ['--port', String(port), '--webhook-id', webhookId, '--webhook-url', webhookUrl, '--follow-parent']
  return started(['emulator/main.ts', ...options, ...(seed ? ['--seed', seed] : [])], {}, /PayPal emulator/)
}

type ProcessOptions = { readonly nodeFlags?: readonly string[]; readonly env?: Readonly<Record<string, string>> }

export async function aBenchShop({
  products = 64,
  database = {},
  ...processOptions
}: { products?: number; database?: Readonly<Record<string, string>> } & ProcessOptions = {}): Promise<BenchShop> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'))
  const postgres = await startEmbedded({ ...environment, folder: join(folder, 'postgres'), settings: database })
  const db = connect(postgres.url, { max: 2 })
  await migrate(db)
  await prepareJobQueue(db, postgres.url)
  await stock(db, folder, products)
  const shopPort = await freePort(4300)
  const emulatorPort = await freePort(shopPort + 1000)
  const emulatorUrl = `http://127.0.0.1:${emulatorPort}`
  const shopUrl = `http://127.0.0.1:${shopPort}`
  const emulator = await startEmulator({ port: emulatorPort, webhookUrl: shopUrl + urls.paypalWebhook() })
  const shopEnvironment = {
    NODE_ENV: 'production',
    SHARE_PICTURES: 'off',
    PORT: String(shopPort),
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    VITRINE_SECRET: 'a secret for benches that is long enough',
    PAYPAL_SDK_URL: `${emulatorUrl}/sdk/js`,
    PAYPAL_API_BASE: emulatorUrl,
    PAYPAL_WEB_BASE: emulatorUrl,
    PAYPAL_CLIENT_ID: emulatorClient.id,
    PAYPAL_CLIENT_SECRET: emulatorClient.secret,
    PAYPAL_WEBHOOK_ID: webhookId,
    PAYPAL_CERT_HOSTS: `127.0.0.1:${emulatorPort}`,
  }
  const others: Awaited<ReturnType<typeof started>>[] = []
  const startShop = ({ nodeFlags = [], env = {} }: ProcessOptions) =>
    started(
      [...serverProcess.flags, ...nodeFlags, 'dist/server/main.js'],
      { ...serverProcess.env, ...shopEnvironment, ...env },
      /The shop is open/,
    )
  let shop = await startShop(processOptions)
  const [postgresRow] = await db.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return {
    url: shopUrl,
    emulatorUrl,
    db,
    databaseUrl: postgres.url,
    dataDir: folder,
    get pids() {
      return {
        shop: shop.child.pid ?? 0,
        emulator: emulator.child.pid ?? 0,
        postgres: parentOf(postgresRow?.pid ?? 0),
      }
    },
    get startedInMs() {
      return shop.ms
    },
    async another() {
      const port = String(await freePort(shopPort + 1))
      others.push(await startShop({ env: { PORT: port } }))
      return `http://127.0.0.1:${port}`
    },
    async restart(options = {}) {
      await ended(shop.child)
      shop = await startShop(options)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(others.map(({ child }) => ended(child)))
      await ended(shop.child)
      await ended(emulator.child)
      await db.close()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function parentOf(pid: number): number {
  const status = processFile(pid, 'status')
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0)
}

async function stock(db: Database, folder: string, products: number): Promise<void> {
  await writeSettings(db, { name: 'Bench shop', base: { country: 'US', state: 'CA' }, termsPage: false })
  await db.sql`insert into shipping_zones (id, name, zone_order, countries) values (1, 'United States', 1, '{US}')`
  await db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
    values (1, 'flat_rate', 'Standard', 0, '{"cost":"6.90"}')`
  await db.sql`insert into tax_rates (country, state, rate_ppm, name, shipping) values ('US', 'CA', 72500, 'Sales tax', false)`
  const file = join(folder, 'products.csv')
  await writeFile(file, benchProducts(products))
  const { settings } = shopConfiguration(await readConfiguration(db))
  const report = await importProducts(
    { ...environment, db, settings },
    {
      file,
      delimiter: ',',
      existing: 'update',
      dryRun: false,
      imagesDir: join(root, 'tests/fixtures'),
      mediaDir: join(folder, 'media'),
      downloadsDir: join(folder, 'downloads'),
      lookup: async () => [],
    },
  )
  if (!report.ok) throw new Error(`the bench products have faults: ${JSON.stringify(report.faults.slice(0, 3))}`)
  await completeAllImages({ ...environment, db, serialQueues: new Map() }, join(folder, 'media'))
}
