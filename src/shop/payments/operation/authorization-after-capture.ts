import type { Capture } from '#contract/paypal/capture.ts'
import type { AuthorizationRow } from '#database/payments/payments.ts'
import { fromAmount } from '#paypal/amounts.ts'

/**
 * Returns the status of an authorization after a capture. The rest of a partial capture stays authorized until it
 * expires.
 */
export function authorizationStatusAfterCapture(
  { amount }: Pick<AuthorizationRow, 'amount'>,
  capture: Capture,
): 'CAPTURED' | 'PARTIALLY_CAPTURED' {
  const all = capture.final_capture === true || (fromAmount(capture.amount)?.minor ?? 0) >= amount
  return all ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
}
