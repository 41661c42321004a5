/** What a session remembers of one package. */
export type StoredChoice = {
  readonly chosen: string
  /** The rate ids that were offered when it was chosen. */
  readonly offered: readonly string[]
}

/**
 * The rate that applies to a package: the visitor's own while the same rates are on offer, else the default. New rates
 * never turn a collection into a delivery, and a free-shipping coupon makes the first free rate the default.
 */
export function chosenRate(
  rateIds: readonly string[],
  remembered: StoredChoice | null,
  freeShippingCoupon: boolean,
): string | null {
  const available = remembered !== null && rateIds.includes(remembered.chosen)
  if (available && (sameIds(rateIds, remembered.offered) || remembered.chosen.startsWith('local_pickup:')))
    return remembered.chosen
  const free = freeShippingCoupon ? rateIds.find((id) => id.startsWith('free_shipping:')) : undefined
  return free ?? rateIds[0] ?? null
}

function sameIds(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index])
}
