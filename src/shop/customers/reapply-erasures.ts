import { recordAccess } from '#database/customers/access-log.ts'
import { lockCustomer } from '#database/customers/customers.ts'
import { type Erasures, sameShop } from '#database/customers/erasures.ts'
import { eraseOrders, lockOrdersToErase, requestOrderErasure } from '#database/customers/personal-data.ts'
import { transaction } from '#database/engine/connect.ts'
import { readSettingRows } from '#database/operations/configuration.ts'
import { readSettings } from '../operations/settings/shop-configuration.ts'
import type { Tools } from '../shared/tools.ts'
import { closeAccount } from './erase-customer.ts'

/**
 * Erases from a shop that was just restored whom the shop before had erased since the backup. A customer's wish outlives a
 * disk (GDPR Art. 17): who has been told "your data are gone" must not come back with a backup.
 * @returns how many accounts and orders; 0 where the shop before was another one, whose numbers mean other people here
 */
export async function reapplyErasures(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'>,
  { entries, marks }: Erasures,
): Promise<number> {
  if (entries.length === 0 || !(await sameShop(tools.db.sql, marks))) return 0
  const settings = readSettings(await readSettingRows(tools.db.kysely), 'left-out')
  let erased = 0
  for (const { at, who, subject } of entries) {
    const [kind, number] = subject.split(':')
    const id = Number(number)
    const done = await transaction(tools, async (tx) => {
      if (kind === 'customer') {
        const customer = await lockCustomer(tx, id)
        if (customer?.role !== 'customer') return false
        await closeAccount(tx, { settings, now: tools.clock.now() }, customer, who !== subject)
      } else {
        if (!(await requestOrderErasure(tx, id))) return false
        const now = tools.clock.now()
        await eraseOrders(tx, await lockOrdersToErase(tx, now, 10_000), now)
      }
      await recordAccess(tx, { at, who, action: 'erased', subject })
      return true
    })
    if (done) erased += 1
  }
  return erased
}
