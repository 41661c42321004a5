import { changeChannel } from '#database/engine/change-counts.ts'
import type { TestShop } from '#tests/support/shop.ts'

/** Lets a running shop read zones, taxes and settings that a test wrote into the database. */
export async function reconfigured({ db, shop }: TestShop): Promise<void> {
  const { application } = shop
  const before = application.tools.shippingZones
  await db.sql`select pg_notify(${changeChannel}, 'configuration')`
  for (let tries = 0; application.tools.shippingZones === before; tries++) {
    if (tries > 500) throw new Error('the shop did not read its configuration again')
    await new Promise((done) => setTimeout(done, 10))
  }
}
