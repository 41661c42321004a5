import type { CustomerRow } from '#database/customers/customers.ts'
import type { OrdersOf } from '#database/customers/personal-data.ts'
import type { Tools } from '../shared/tools.ts'

/**
 * The orders that are an account's when its data are given out or erased. What was placed as a guest with its address belongs to
 * it where that address is confirmed: such orders come to an account only when it is, and later ones never.
 * @param vouched the one who asks has made sure whose the address is
 */
export function ordersOfOwner(
  { accounts }: Pick<Tools['settings'], 'accounts'>,
  { id, email, email_verified_at }: Pick<CustomerRow, 'id' | 'email' | 'email_verified_at'>,
  vouched: boolean,
): OrdersOf {
  const known = vouched || (accounts.linkPastOrders && email_verified_at !== null)
  return { customerId: id, guest: known ? email : null }
}
