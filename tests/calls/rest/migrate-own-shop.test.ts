import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#database/engine/connect.ts'
import { readConfiguration } from '#database/operations/configuration.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { exportCoupons } from '#shop/coupons/export-coupons.ts'
import { exportCustomers } from '#shop/customers/export-customers.ts'
import { makeApiKey } from '#shop/operations/api-keys.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { showZones } from '#shop/shipping/manage-shipping-zones.ts'
import { taxRatesCsv } from '#shop/tax/import-tax-rates.ts'
import { showTaxRates } from '#shop/tax/manage-tax-rates.ts'
import { aMigrationBench, type MigrationBench } from '#tests/support/import/migration-bench.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let source: TestShop
let target: MigrationBench
beforeAll(async () => {
  source = await aShop({ wallet: false, settings: { timeZone: 'America/New_York' } })
  target = await aMigrationBench()
}, 60_000)
afterAll(async () => {
  await source.close()
  await target.close()
})

const environment = systemEnvironment(systemLog('silent'))

/** Returns an export without the shop's own mark. */
async function exported(db: Database, lines: 'coupons' | 'customers' | 'tax'): Promise<string[]> {
  const tools = { ...environment, ...shopConfiguration(await readConfiguration(db)), db }
  if (lines === 'tax') return taxRatesCsv(await showTaxRates(tools)).split('\n')
  const all: string[] = []
  for await (const line of lines === 'coupons' ? exportCoupons(tools) : exportCustomers(tools)) all.push(line)
  return all.map((line) => line.replace(/^[0-9a-f-]{36},/, ''))
}

/** The catalog as rows of text. IDs of terms and images differ; those of products stay in an empty shop. */
const catalogue: Readonly<Record<string, (db: Database) => Promise<readonly object[]>>> = {
  products: (db) => db.sql`
    select (to_jsonb(p) - 'created_at' - 'updated_at' - 'imported_id' - 'total_sales' - 'search' - 'downloads')::text as row
    from products p where status <> 'trash' order by id`,
  categories: (db) => db.sql`
    select c.name, c.slug, c.description, p.slug as above from categories c left join categories p on p.id = c.parent_id order by c.slug`,
  'products of categories': (db) => db.sql`
    select product_id, slug from product_categories pc join categories c on c.id = pc.category_id order by 1, 2`,
  tags: (db) =>
    db.sql`select product_id, slug, name from product_tags pt join tags t on t.id = pt.tag_id order by 1, 2`,
  attributes: (db) => db.sql`
    select product_id, name, slug, options, visible, for_variations, default_option from product_attributes order by 1, position`,
  terms: (db) => db.sql`
    select a.slug as attribute, t.slug, t.name from attribute_terms t join attributes a on a.id = t.attribute_id order by 1, 2`,
  variations: (db) => db.sql`select product_id, slug, value from variation_attributes order by 1, 2`,
  links: (db) => db.sql`select product_id, kind, position, linked_id from product_links order by 1, 2, 3`,
  images: (db) => db.sql`select product_id, position from product_images order by 1, 2`,
  zones: async (db) =>
    (await showZones({ db })).map(({ id: _, methods, ...zone }) => ({
      ...zone,
      methods: methods.map(({ instanceId: __, ...method }) => method),
    })),
}

describe('a shop of ours that is migrated into an empty one', () => {
  it('is equal by its catalog and its exports, and keeps equal when that is repeated', async () => {
    const { consumerKey, consumerSecret } = await makeApiKey(
      { ...environment, db: source.db },
      { description: 'migration', permission: 'read', who: 'test' },
    )
    const from = { address: source.url, key: { consumerKey, consumerSecret }, network: environment.network }
    for (const round of ['first', 'second']) {
      const { report, stopped } = await target.migrateFrom(from)
      expect({ round, stopped, faults: report.faults }).toEqual({ round, stopped: null, faults: [] })
      for (const [name, rows] of Object.entries(catalogue))
        expect({ name, rows: await rows(target.db) }).toEqual({ name, rows: await rows(source.db) })
      for (const list of ['coupons', 'customers', 'tax'] as const)
        expect(await exported(target.db, list)).toEqual(await exported(source.db, list))
    }
  }, 120_000)
})
