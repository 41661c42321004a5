import { clearMigrationProgress, readMigrationProgress } from '#database/import/migration-items.ts'
import type { Tools } from '../../shared/tools.ts'
import { migrateCoupons } from './migrate-coupons.ts'
import { migrateCustomers } from './migrate-customers.ts'
import { migrateOrders } from './migrate-orders.ts'
import { dropStagedProducts, migrateProducts } from './migrate-products.ts'
import { migrateReviews } from './migrate-reviews.ts'
import { migrateSettings } from './migrate-settings.ts'
import { migrateShipping } from './migrate-shipping.ts'
import { migrateTaxes } from './migrate-taxes.ts'
import { migrateTerms } from './migrate-terms.ts'
import { type MigrationReport, migrationReport } from './migration-report.ts'
import {
  type MigrationOptions,
  type MigrationProgress,
  type MigrationRun,
  type MigrationStep,
  MigrationStopped,
  migrationSteps,
  startRun,
} from './migration-run.ts'
import type { SourceConnection } from './source-connection.ts'
import { SourceError } from './source-error.ts'
import { type SourceFacts, sourceFacts } from './source-facts.ts'
import { noteUnknownParts } from './unknown-parts.ts'

export type MigrationResult = {
  readonly report: MigrationReport
  /** Steps that are finished, in their order. */
  readonly done: readonly MigrationStep[]
  /** The reason for an early end; the next run continues. Null: everything came. */
  readonly stopped: 'faulty-records' | { readonly problem: string } | null
}

const work: Readonly<Record<MigrationStep, (run: MigrationRun, facts: SourceFacts) => Promise<void>>> = {
  settings: async (run, facts) => migrateSettings(run, await facts.settings()),
  taxes: migrateTaxes,
  terms: migrateTerms,
  products: migrateProducts,
  shipping: migrateShipping,
  coupons: migrateCoupons,
  customers: migrateCustomers,
  reviews: migrateReviews,
  orders: migrateOrders,
}

/** Steps with amounts, which are not converted. */
const withMoney: ReadonlySet<MigrationStep> = new Set(['products', 'shipping', 'coupons', 'orders'])

/**
 * Brings another shop here over its REST interface, step by step. The other shop is only read. A run that ended early is
 * continued by the next one, and a finished one repeated: it brings new records and changes nothing else.
 */
export async function migrateShop(
  tools: Tools,
  source: SourceConnection,
  options: MigrationOptions,
  progress: (progress: MigrationProgress) => void = () => {},
): Promise<MigrationResult> {
  const report = migrationReport()
  const run = await startRun(tools, source, options, report, progress)
  const facts = sourceFacts(run)
  const done: MigrationStep[] = []
  try {
    if (options.dryRun) await noteUnknownParts(run)
    for (const step of migrationSteps) {
      if (!options.only.includes(step)) continue
      if (withMoney.has(step)) await requireCurrency(run, facts)
      await work[step](run, facts)
      done.push(step)
    }
    if (!options.dryRun) await forgetProgress(run)
    return { report, done, stopped: null }
  } catch (error) {
    if (error instanceof MigrationStopped) return { report, done, stopped: 'faulty-records' }
    if (error instanceof SourceError) return { report, done, stopped: { problem: error.message } }
    throw error
  }
}

/** Returns true if an earlier run of this migration ended before everything had come. */
export async function hasUnfinishedMigration({ db }: Pick<Tools, 'db'>, source: SourceConnection): Promise<boolean> {
  return (await readMigrationProgress(db.kysely, source.location.name)).size > 0
}

/** Forgets an unfinished run: the next one reads everything again. Records that came stay. */
export async function restartMigration(
  tools: Tools,
  source: SourceConnection,
  options: MigrationOptions,
): Promise<void> {
  const run = await startRun(tools, source, options, migrationReport(), () => {})
  await forgetProgress(run)
  await dropStagedProducts(run)
}

async function forgetProgress(run: MigrationRun): Promise<void> {
  const { db } = run.tools()
  const { name } = run.source.location
  await clearMigrationProgress(db.kysely, name, [...(await readMigrationProgress(db.kysely, name)).keys()])
}

/** @throws SourceError if the two shops have different currencies */
async function requireCurrency(run: MigrationRun, facts: SourceFacts): Promise<void> {
  const there = (await facts.settings()).get('woocommerce_currency')
  const { currency } = run.tools().settings
  if (typeof there !== 'string' || there === currency) return
  throw new SourceError(
    `the other shop's amounts are in ${there}, this shop's in ${currency}, and amounts are not converted. An empty shop takes over the currency with the step "settings"; otherwise: npm run shop -- settings currency ${there}`,
  )
}
