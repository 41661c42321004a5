import type { CustomerRow } from '#database/customers/customers.ts'
import type { OrdersOf } from '#database/customers/personal-data.ts'
import type { Tools } from '../shared/tools.ts'

/**
 * Finds the orders of an account for export and erasure. Guest orders with its email count where that email is
 * verified: such orders are linked on verification only, and later ones never.
 * @param vouched whether the caller has verified the owner of the email
 */
export function ordersOfOwner(
  { accounts }: Pick<Tools['settings'], 'accounts'>,
  { id, email, email_verified_at }: Pick<CustomerRow, 'id' | 'email' | 'email_verified_at'>,
  vouched: boolean,
): OrdersOf {
  const known = vouched || (accounts.linkPastOrders && email_verified_at !== null)
  return { customerId: id, guest: known ? email : null }
}
