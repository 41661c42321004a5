import type { OrderRow } from '#database/orders/orders.ts'
import { limitGuesses, waitBefore } from '../../shared/limit-attempts.ts'
import type { Tools } from '../../shared/tools.ts'

type Payer = Pick<OrderRow, 'session_id' | 'customer_ip'>

const whoPays = ({ session_id: subject, customer_ip: ip }: Payer) => ({ subject, ip })

/**
 * What the provider tells of a card, good enough to know it again for ten minutes, whichever session and network it is tried from.
 * The name is left out: whoever types it can change it. Null: the provider tells too little.
 */
export function cardFingerprint(
  card: { brand?: string | undefined; last_digits?: string | undefined; expiry?: string | undefined } | undefined,
): string | null {
  if (!card?.last_digits || !card.expiry) return null
  return [card.brand ?? '', card.last_digits, card.expiry].join(' ')
}

/** Whether so many payments have failed lately, for this visitor, from their network or by this card, that the next must wait. */
export async function paymentsPaused(tools: Tools, order: Payer, card: string | null = null): Promise<boolean> {
  if ((await waitBefore(tools, 'pay', whoPays(order))) > 0) return true
  return card !== null && (await waitBefore(tools, 'pay-by-card', { subject: card, ip: order.customer_ip })) > 0
}

/** Counts a payment that the provider or a bank has refused. */
export async function countFailedPayment(tools: Tools, order: Payer, card: string | null = null): Promise<void> {
  await limitGuesses(tools, 'pay', whoPays(order))
  if (card !== null) await limitGuesses(tools, 'pay-by-card', { subject: card, ip: order.customer_ip })
}
