import type { CustomerRow } from '#database/customers/customers.ts'
import { findGuestOrders } from '#database/customers/personal-data.ts'
import { eraseGuest } from '#shop/customers/erase-customer.ts'
import { exportGuest } from '#shop/customers/export-customer.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, isMeant } from '../shared/command-group.ts'
import { recordStaffAccess } from '../shared/log-access.ts'

/** What is held about somebody who ordered without an account, by the e-mail address of the orders. @returns null: nothing */
export async function guestExport(email: string, context: CommandContext): Promise<Record<string, unknown> | null> {
  const orders = await findGuestOrders(context.db.kysely, email)
  for (const id of orders) await recordStaffAccess(context, 'customers export', `order:${id}`)
  return orders.length === 0 ? null : exportGuest(context, email)
}

/** Says that orders count as an account's whose address anybody may have typed: it was never confirmed. */
export async function warnOfGuestOrders(
  { email, email_verified_at }: Pick<CustomerRow, 'email' | 'email_verified_at'>,
  { db, say }: CommandContext,
): Promise<void> {
  if (email_verified_at !== null) return
  const { length } = await findGuestOrders(db.kysely, email)
  if (length === 0) return
  say(
    `${email} is not confirmed, and what was ordered with it as a guest (${length}) counts as well: be sure whose address it is.`,
  )
}

/** Takes somebody who ordered without an account out of the orders. @returns the code to end with; null: there are none */
export async function eraseGuestOrders(email: string, given: Given, context: CommandContext): Promise<number | null> {
  const { length } = await findGuestOrders(context.db.kysely, email)
  if (length === 0) return null
  const all = length === 1 ? '1 order' : `${length} orders`
  if (!(await isMeant(given, context, `Take all that says whose they were out of ${all} of ${email}, for good?`)))
    return 1
  const result = await eraseGuest(context, email, context.who)
  if (!result.ok) {
    if (result.reason === 'unknown') return null
    context.say(`${email} has ${all} and no account. The setting privacy.keepOrderData is on: orders keep their data.`)
    return 1
  }
  const { erased, waiting } = result
  if (erased > 0) context.say(`Erased from ${erased === 1 ? '1 order' : `${erased} orders`}.`)
  if (waiting > 0) {
    context.say(
      `${waiting === 1 ? '1 is' : `${waiting} are`} under way, and erased by the running shop once that is over.`,
    )
  }
  return 0
}
