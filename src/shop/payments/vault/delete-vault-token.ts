import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { PaymentTokenRow } from '#database/payments/payment-tokens.ts'
import { sha256 } from '../../shared/digest.ts'
import { enqueue, type Jobs } from '../../shared/jobs.ts'
import type { Tools } from '../../shared/tools.ts'

/** Enqueues the deletion of a vault token at PayPal, in the transaction that deletes the payment method. */
export async function enqueueTokenDeletion(
  tx: Transaction<Schema>,
  { environment, token }: Pick<PaymentTokenRow, 'environment' | 'token'>,
): Promise<void> {
  const key = `forget-method-${sha256(`${environment}|${token}`).slice(0, 32)}`
  await enqueue(tx, 'forget-method', { environment, token }, { key })
}

/** Enqueues the deletion of all vault tokens of a customer. */
export async function enqueueAllTokenDeletions(tx: Transaction<Schema>, customerId: number): Promise<void> {
  const rows = await tx
    .selectFrom('payment_tokens')
    .select(['environment', 'token'])
    .where('customer_id', '=', customerId)
    .execute()
  for (const row of rows) await enqueueTokenDeletion(tx, row)
}

/**
 * Deletes a saved payment method at PayPal. A missing one counts as deleted; one saved again in the meantime stays,
 * since PayPal returns the same token for the same wallet.
 * @throws when the job must be retried
 */
export async function deleteVaultToken(tools: Tools, { environment, token }: Jobs['forget-method']): Promise<void> {
  // The connected credentials cannot reach the other environment.
  if (environment !== tools.paymentEnvironment || !tools.paypal) return
  if (await isKept(tools.db.kysely, environment, token)) return
  const deleted = await tools.paypal.deletePaymentToken(token)
  if (deleted.ok || (deleted.kind === 'refused' && deleted.status === 404)) return
  throw new Error(`vault token not deleted: ${deleted.kind === 'refused' ? deleted.issue : deleted.reason}`)
}

async function isKept(db: Kysely<Schema>, environment: PaymentTokenRow['environment'], token: string) {
  const row = await db
    .selectFrom('payment_tokens')
    .select('id')
    .where('environment', '=', environment)
    .where('token', '=', token)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
