import type { OrderRow } from '#database/orders/orders.ts'
import { limitGuesses, waitBefore } from '../../shared/limit-attempts.ts'
import type { Tools } from '../../shared/tools.ts'

type Payer = Pick<OrderRow, 'session_id' | 'customer_ip'>

const rateLimitSubject = ({ session_id: subject, customer_ip: ip }: Payer) => ({ subject, ip })

/**
 * Returns the fingerprint of a card for rate limits, independent of session and network; kept for ten minutes.
 * The cardholder name is left out: it can be changed freely. Returns null where PayPal shows too little.
 */
export function cardFingerprint(
  card: { brand?: string | undefined; last_digits?: string | undefined; expiry?: string | undefined } | undefined,
): string | null {
  if (!card?.last_digits || !card.expiry) return null
  return [card.brand ?? '', card.last_digits, card.expiry].join(' ')
}

/** Reports whether the failure limit of the session, network or card is reached, and the next payment must wait. */
export async function paymentsPaused(tools: Tools, order: Payer, card: string | null = null): Promise<boolean> {
  if ((await waitBefore(tools, 'pay', rateLimitSubject(order))) > 0) return true
  return card !== null && (await waitBefore(tools, 'pay-by-card', { subject: card, ip: order.customer_ip })) > 0
}

/** Counts a payment that PayPal or a bank refused. */
export async function countFailedPayment(tools: Tools, order: Payer, card: string | null = null): Promise<void> {
  await limitGuesses(tools, 'pay', rateLimitSubject(order))
  if (card !== null) await limitGuesses(tools, 'pay-by-card', { subject: card, ip: order.customer_ip })
}
