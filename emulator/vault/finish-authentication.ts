import { liveOrder } from '../orders/approve-order.ts'
import { approveWithCard } from '../orders/confirm-source.ts'
import type { World } from '../world/world.ts'
import { type AuthenticationResult, type ChallengeEnd, resultOf } from './authentication.ts'
import type { Card } from './cards.ts'
import { liveSetupToken } from './vault.ts'

/** What the bank's page needs to know of the payment, or of the card that is to be kept, that waits for it. */
export type AwaitedAuthentication = {
  card: Card
  /** Where a buyer goes who has no window to come back to. */
  returnUrl?: string
  cancelUrl?: string
  /** For a payment; a card that is only kept costs nothing. */
  amount?: { currency_code: string; value: string }
  brandName?: string
}

/** The card behind an order's or a setup token's id that waits for its bank; undefined when none does. */
export function awaitedAuthentication(world: World, id: string): AwaitedAuthentication | undefined {
  const order = liveOrder(world, id)
  if (order) {
    const { source, experience } = order
    if (order.status !== 'PAYER_ACTION_REQUIRED' || source.kind !== 'card' || !source.card) return undefined
    const { returnUrl, cancelUrl, brandName } = experience
    const amount = order.units[0]?.amount
    return { card: source.card, ...present({ returnUrl, cancelUrl, brandName, amount }) }
  }
  const token = liveSetupToken(world, id)
  if (token?.status !== 'PAYER_ACTION_REQUIRED' || token.means?.kind !== 'card') return undefined
  const { returnUrl, cancelUrl, brandName } = token
  return { card: token.means.card, ...present({ returnUrl, cancelUrl, brandName }) }
}

/** The bank's page ends: the result stands on the order or setup token, which is approved whatever it says. */
export function finishAuthentication(world: World, id: string, end: ChallengeEnd): AuthenticationResult | undefined {
  const awaited = awaitedAuthentication(world, id)
  const challenge = awaited?.card.challenge
  if (!challenge) return undefined
  const result = resultOf(challenge, end)
  const order = liveOrder(world, id)
  if (order) {
    order.authentication = result
    approveWithCard(world, order)
    return result
  }
  const token = liveSetupToken(world, id)
  if (!token) return undefined
  token.authentication = result
  // A card whose owner the bank does not know is not kept.
  token.status = result.authentication === 'N' || result.authentication === 'R' ? 'CREATED' : 'APPROVED'
  return result
}

/** Without what is undefined. */
function present<Given extends Record<string, unknown>>(
  given: Given,
): { [Key in keyof Given]?: NonNullable<Given[Key]> } {
  // Only entries that are there are left.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Given]?: NonNullable<Given[Key]>
  }
}
