import { join } from 'node:path'
import { connect } from '#database/engine/connect.ts'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { completeAllImages } from '#shop/content/image-sizes.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { shopConfiguration } from '#shop/operations/settings/shop-configuration.ts'
import { allMethodSettings } from '#tests/support/payments/saved-methods.ts'

const fixtures = join(import.meta.dirname, '../fixtures')

/** Fills an empty database with the shop that every episode begins with. @param mediaDir for the pictures, which nobody looks at */
export async function stockShelves(databaseUrl: string, mediaDir: string): Promise<void> {
  const db = connect(databaseUrl, { max: 2 })
  try {
    await writeSettings(db, {
      name: 'Simulated shop',
      base: { country: 'US', state: 'CA' },
      mail: { from: 'shop@example.test' },
      email: 'owner@example.test',
      ...allMethodSettings,
    })
    await db.sql`insert into shipping_zones (id, name, zone_order, countries) values (1, 'United States', 1, '{US}')`
    await db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
      values (1, 'flat_rate', 'Standard', 0, '{"cost":"6.90"}'), (1, 'flat_rate', 'Express', 1, '{"cost":"15"}')`
    await db.sql`insert into tax_rates (country, state, rate_ppm, name, shipping) values ('US', 'CA', 72500, 'Sales tax', false)`
    await db.sql`insert into coupons (code, type, amount_ppm, usage_limit) values ('tenth', 'percent', 100000, null), ('few', 'percent', 333333, 3)`
    await db.sql`insert into coupons (code, type, amount_minor, settings) values ('five', 'fixed_cart', 500, '{"usageLimitPerUser":1}')`
    const report = await importProducts(
      {
        ...systemEnvironment(systemLog('silent')),
        db,
        settings: shopConfiguration(await readConfiguration(db)).settings,
      },
      {
        file: join(fixtures, 'products.csv'),
        delimiter: ',',
        existing: 'update',
        dryRun: false,
        imagesDir: fixtures,
        mediaDir,
        downloadsDir: join(mediaDir, '../downloads'),
        lookup: async () => [],
      },
    )
    if (!report.ok) throw new Error(`the products have faults: ${JSON.stringify(report.faults.slice(0, 3))}`)
    await completeAllImages({ ...systemEnvironment(systemLog('silent')), db, serialQueues: new Map() }, mediaDir)
  } finally {
    await db.close()
  }
}
