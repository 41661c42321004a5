import { findRefunds } from '#database/payments/refunds.ts'
import { canonicalJson, sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'

/**
 * Returns the idempotency key of a refund that the merchant asks for: a repeat while its result is unknown, or after
 * PayPal was unreachable, is the same refund; once the first one has ended, it is a new one.
 */
export async function refundKey({ db }: Pick<Tools, 'db'>, orderId: number, wish: object): Promise<string> {
  const refunds = await findRefunds(db.kysely, orderId)
  const over = refunds.filter(({ state, issue }) => state !== 'open' && issue !== 'UNREACHABLE')
  return `desk-${over.length + 1}-${sha256(canonicalJson(wish)).slice(0, 16)}`
}
