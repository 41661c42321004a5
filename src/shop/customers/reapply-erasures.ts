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
 * Repeats erasures after a restore, if the replaced database had erased these people since the backup. An erasure (GDPR
 * Art. 17) must survive a restore.
 * @returns the number of accounts and orders; 0 if the replaced database belonged to another shop, whose ids mean other
 * people
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
