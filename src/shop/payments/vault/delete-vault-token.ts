import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { PaymentTokenRow } from '#database/payments/payment-tokens.ts'
import { sha256 } from '../../shared/digest.ts'
import { enqueue, type Jobs } from '../../shared/jobs.ts'
import type { Tools } from '../../shared/tools.ts'

/** Has the provider forget what a customer takes away, in the transaction that takes it away. */
export async function enqueueTokenDeletion(
  tx: Transaction<Schema>,
  { environment, token }: Pick<PaymentTokenRow, 'environment' | 'token'>,
): Promise<void> {
  const key = `forget-method-${sha256(`${environment}|${token}`).slice(0, 32)}`
  await enqueue(tx, 'forget-method', { environment, token }, { key })
}

/** The same for all that a customer has. */
export async function enqueueAllTokenDeletions(tx: Transaction<Schema>, customerId: number): Promise<void> {
  const rows = await tx
    .selectFrom('payment_tokens')
    .select(['environment', 'token'])
    .where('customer_id', '=', customerId)
    .execute()
  for (const row of rows) await enqueueTokenDeletion(tx, row)
}

/**
 * Deletes a means at the provider. What is gone already counts as deleted; what somebody keeps again meanwhile stays: the
 * provider gives the same token for the same wallet. @throws when it is to be tried again
 */
export async function deleteVaultToken(tools: Tools, { environment, token }: Jobs['forget-method']): Promise<void> {
  // Its provider cannot be reached with the credentials of the other.
  if (environment !== tools.paymentEnvironment || !tools.paypal) return
  if (await isKept(tools.db.kysely, environment, token)) return
  const deleted = await tools.paypal.deletePaymentToken(token)
  if (deleted.ok || (deleted.kind === 'refused' && deleted.status === 404)) return
  throw new Error(`a means was not deleted: ${deleted.kind === 'refused' ? deleted.issue : deleted.reason}`)
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
