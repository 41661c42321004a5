import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Network } from '#contract/shared/environment.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { emptyCatalogCache } from '#shop/catalog/catalog-cache.ts'
import { type MigrationResult, migrateShop } from '#shop/import/migration/migrate-shop.ts'
import { type MigrationOptions, type MigrationProgress, migrationSteps } from '#shop/import/migration/migration-run.ts'
import { connectToSource, type SourceKey } from '#shop/import/migration/source-connection.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { emptyBatchQueue } from '#shop/shared/run-in-batch.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { interfaceTranslator } from '#shop/translation/translator.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { type ClassicShop, consumerKey, consumerSecret } from './classic-shop.ts'

export type MigrationBench = {
  readonly db: TestDatabase
  readonly dataDir: string
  /** Migrates the recorded shop as if over https. */
  migrate(
    shop: ClassicShop,
    options?: Partial<MigrationOptions>,
    onProgress?: (progress: MigrationProgress) => void,
  ): Promise<MigrationResult>
  /** Migrates another shop over a network of its own. */
  migrateFrom(from: {
    readonly address: string
    readonly key: SourceKey
    readonly network: Network
  }): Promise<MigrationResult>
  /** Rows of a table as JSON, without times and versions. */
  rows(table: string): Promise<string[]>
  close(): Promise<void>
}

/** An empty shop that takes over another one. */
export async function aMigrationBench(): Promise<MigrationBench> {
  const db = await aDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'migration-'))
  return {
    db,
    dataDir,
    async migrate(shop, options = {}, onProgress = () => {}) {
      const tools = await toolsFor(db, shop)
      const source = connectToSource(tools, {
        address: 'https://old.example',
        key: { consumerKey, consumerSecret },
        insecureHttp: false,
      })
      const whole = { only: migrationSteps, since: null, dryRun: false, skipFaulty: true, dataDir }
      const lookup = async () => ['93.184.216.34']
      return migrateShop(tools, source, { ...whole, lookup, ...options }, onProgress)
    },
    async migrateFrom({ address, key, network }) {
      const tools = await toolsFor(db, { network })
      const source = connectToSource(tools, { address, key, insecureHttp: false })
      const whole = { only: migrationSteps, since: null, dryRun: false, skipFaulty: true, dataDir }
      return migrateShop(tools, source, { ...whole, lookup: async () => [] })
    },
    async rows(table) {
      const found = await db.sql<{ row: string }[]>`
        select (to_jsonb(t) - 'created_at' - 'updated_at' - 'at' - 'search')::text as row from ${db.sql(table)} t order by 1`
      return found.map(({ row }) => row)
    },
    async close() {
      await db.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function toolsFor(db: TestDatabase, shop: Pick<ClassicShop, 'network'>): Promise<Tools> {
  const configuration = shopConfiguration(await readConfiguration(db))
  const { clock, ...environment } = systemEnvironment(systemLog('silent'))
  return {
    ...environment,
    clock: { ...clock, sleep: async () => {} },
    network: shop.network,
    ...configuration,
    db,
    exchange: noExchange(configuration.settings.currency),
    terms: () => null,
    translator: async () => interfaceTranslator(configuration.settings.language),
    pageSlugs: () => new Set(),
    machineKey: '',
    breachedPasswords: null,
    paypal: null,
    paymentEnvironment: 'sandbox',
    publicUrl: 'http://shop.test',
    instance: 0,
    working: new Set(),
    finishing: new Map(),
    serialQueues: new Map(),
    orderBatches: emptyBatchQueue(),
    storedTerms: new Set<string>(),
    catalogCache: emptyCatalogCache(),
    checkpoint: () => {},
  }
}

const tables =
  'products categories product_categories tags product_tags brands product_brands shipping_classes attributes attribute_terms product_attributes variation_attributes product_images product_links images tax_rates shipping_zones shipping_methods coupons stock_movements migration_items'.split(
    ' ',
  )

/** The rows of all tables that a migration fills. Generated IDs of images are left out: they come in any order. */
export async function everything(of: MigrationBench): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await of.rows(table)
    all[table] = rows
      .map((row) => (table.includes('images') ? row.replace(/"(id|image_id)": \d+/g, '') : row))
      .toSorted()
  }
  const people = {
    orders: of.db.sql`select o.imported_number, o.total, o.status, c.email, count(i.*)::int as items
      from orders o left join customers c on c.id = o.customer_id left join order_items i on i.order_id = o.id group by 1, 2, 3, 4`,
    customers: of.db.sql`select email, username, billing, created_at from customers`,
    reviews: of.db.sql`select product_id, imported_id, content, rating from reviews`,
  }
  for (const [name, rows] of Object.entries(people))
    all[name] = (await rows).map((row) => JSON.stringify(row)).toSorted()
  return all
}

/** Returns notes of a report as lines. */
export const noteTexts = (list: readonly { kind: string; id: string; text: string }[]) =>
  list.map(({ kind, id, text }) => `${kind} ${id}: ${text}`)
