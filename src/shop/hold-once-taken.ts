import type { Transaction } from 'kysely'
import type { Capture } from '#contract/paypal/capture.ts'
import { type AuthorizationRow, findAuthorizations, setAuthorizationStatus } from '#database/payments.ts'
import type { Schema } from '#database/schema.ts'
import { fromAmount } from '#paypal/amounts.ts'

/** How a hold stands once this was taken out of it. The rest of a part stays with the provider until its time is over. */
export function holdOnceTaken(
  { amount }: Pick<AuthorizationRow, 'amount'>,
  capture: Capture,
): 'CAPTURED' | 'PARTIALLY_CAPTURED' {
  const all = capture.final_capture === true || (fromAmount(capture.amount)?.minor ?? 0) >= amount
  return all ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
}

/** Writes down that what was held under a wallet order was taken by whomever. The order's row must be locked. */
export async function noteHoldTaken(
  tx: Transaction<Schema>,
  wallet: { id: string; order_id: number },
  capture: Capture,
): Promise<void> {
  const held = (await findAuthorizations(tx, wallet.order_id)).find(({ wallet_order_id: of }) => of === wallet.id)
  if (held) await setAuthorizationStatus(tx, held.id, holdOnceTaken(held, capture))
}
