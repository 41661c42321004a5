/** Stored choice of one package. */
export type StoredChoice = {
  readonly chosen: string
  /** Rate ids offered at the time of the choice. */
  readonly offered: readonly string[]
}

/**
 * Returns the rate that applies to a package: the visitor's choice while the same rates are offered, else the default.
 * New rates never turn a pickup into a delivery, and a free-shipping coupon makes the first free rate the default.
 */
export function chosenRate(
  rateIds: readonly string[],
  stored: StoredChoice | null,
  freeShippingCoupon: boolean,
): string | null {
  const available = stored !== null && rateIds.includes(stored.chosen)
  if (available && (sameIds(rateIds, stored.offered) || stored.chosen.startsWith('local_pickup:'))) return stored.chosen
  const free = freeShippingCoupon ? rateIds.find((id) => id.startsWith('free_shipping:')) : undefined
  return free ?? rateIds[0] ?? null
}

function sameIds(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index])
}
