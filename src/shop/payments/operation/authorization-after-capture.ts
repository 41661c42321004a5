import type { Capture } from '#contract/paypal/capture.ts'
import type { AuthorizationRow } from '#database/payments/payments.ts'
import { fromAmount } from '#paypal/amounts.ts'

/** How a hold stands once this was taken out of it. The rest of a part stays with the provider until its time is over. */
export function authorizationStatusAfterCapture(
  { amount }: Pick<AuthorizationRow, 'amount'>,
  capture: Capture,
): 'CAPTURED' | 'PARTIALLY_CAPTURED' {
  const all = capture.final_capture === true || (fromAmount(capture.amount)?.minor ?? 0) >= amount
  return all ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
}
