import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { refreshPrices, refreshStockStatus } from '#database/catalog/derived-columns.ts'
import { updateSalesCounts } from '#database/catalog/total-sales.ts'
import { configurationChanged } from '#database/operations/configuration.ts'
import type { Tools } from '../shared/tools.ts'
import { checkInvariants } from './doctor/check-invariants.ts'

type SystemTools = Pick<Tools, 'db' | 'clock'>

/** A command that a program may run: it loses no data, and a repeat does no harm. */
export type SystemTool = {
  readonly id: string
  readonly name: string
  readonly action: string
  readonly description: string
  /** @returns the outcome in one sentence */
  run(tools: SystemTools): Promise<{ readonly success: boolean; readonly message: string }>
}

export const systemTools: readonly SystemTool[] = [
  {
    id: 'clear_transients',
    name: 'Cached pages',
    action: 'Clear cached pages',
    description: 'All processes read the configuration and the catalog again, and render pages anew.',
    async run({ db }) {
      await db.kysely.transaction().execute(async (tx) => {
        await catalogChanged(tx)
        await configurationChanged(tx)
      })
      return { success: true, message: 'All processes were told to render pages anew.' }
    },
  },
  {
    id: 'regenerate_product_lookup_tables',
    name: 'Product lookup columns',
    action: 'Regenerate',
    description:
      'Applies scheduled sales, the out-of-stock threshold and new sales to the columns by which listings sort.',
    async run({ db, clock }) {
      const prices = await refreshPrices(db, clock.now())
      await refreshStockStatus(db)
      const sold = await updateSalesCounts(db)
      return { success: true, message: `Updated the prices of ${prices} and the sales of ${sold} products.` }
    },
  },
  {
    id: 'vitrine_check_invariants',
    name: 'Orders, payments and stock',
    action: 'Check',
    description: 'Compares orders, payments, stock and ledger with each other. Changes nothing.',
    async run({ db, clock }) {
      const broken = await checkInvariants({ db, clock, paypal: null })
      return broken.length === 0
        ? { success: true, message: 'Orders, payments and stock agree.' }
        : { success: false, message: `${broken.length} violations: run "npm run shop -- doctor".` }
    },
  },
]
