import { customerBy, setRole } from '#shop/customers/manage-customers.ts'
import type { TestShop } from '#tests/support/shop.ts'
import { aCustomer, type Customer } from './customer.ts'

export type Staff = Customer & { readonly id: number }

/** Somebody who works in the shop and has just logged in. */
export async function staffMember(
  shop: TestShop,
  email: string,
  role: 'translator' | 'shop_manager' | 'administrator',
): Promise<Staff> {
  await aCustomer(shop, email).register()
  const { tools } = shop.shop.application
  const { id } = (await customerBy(tools, email)) ?? { id: 0 }
  // A new role ends every login.
  await setRole(tools, id, role)
  const member = aCustomer(shop, email)
  await member.logIn()
  return Object.assign(member, { id })
}
