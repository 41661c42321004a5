/** From the least to the most that one may do. Whoever may do more may do what comes before. */
export const roles = ['customer', 'translator', 'shop_manager', 'administrator'] as const

export type Role = (typeof roles)[number]

export function mayActAs(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
