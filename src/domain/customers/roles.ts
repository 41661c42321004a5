/** In ascending order of permissions. A role includes the permissions of all before it. */
export const roles = ['customer', 'translator', 'shop_manager', 'administrator'] as const

export type Role = (typeof roles)[number]

export function mayActAs(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
