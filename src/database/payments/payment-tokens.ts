import type { Kysely, Transaction } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

export type PaymentTokenRow = Row<'payment_tokens'>
type Db = Kysely<Schema>
type Tx = Transaction<Schema>

/** Returns a customer's saved payment methods, the default first. Sandbox and live methods are separate. */
export function findPaymentTokens(
  db: Db,
  customerId: number,
  environment: PaymentTokenRow['environment'],
): Promise<PaymentTokenRow[]> {
  return db
    .selectFrom('payment_tokens')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('environment', '=', environment)
    .orderBy('is_default', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Saves a payment method; the same token again updates its details.
 * @returns null if another customer has the token
 */
export async function savePaymentToken(db: Db, row: NewRow<'payment_tokens'>): Promise<PaymentTokenRow | null> {
  const { kind, brand = '', last4 = '', expires = '', account = '' } = row
  const kept = await db
    .insertInto('payment_tokens')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['method', 'environment', 'token'])
        .doUpdateSet({ kind, brand, last4, expires, account })
        .whereRef('payment_tokens.customer_id', '=', 'excluded.customer_id'),
    )
    .returningAll()
    .executeTakeFirst()
  return kept ?? null
}

/** Locks one of a customer's own payment methods; others are not found. */
export function lockPaymentToken(tx: Tx, id: number, customerId: number): Promise<PaymentTokenRow | undefined> {
  return tx
    .selectFrom('payment_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirst()
}

/** Makes a payment method the customer's only default. */
export async function setDefaultToken(tx: Tx, { id, customer_id }: PaymentTokenRow): Promise<void> {
  await tx
    .updateTable('payment_tokens')
    .set({ is_default: false })
    .where('customer_id', '=', customer_id)
    .where('is_default', '=', true)
    .execute()
  await tx.updateTable('payment_tokens').set({ is_default: true }).where('id', '=', id).execute()
}

export async function deletePaymentToken(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('payment_tokens').where('id', '=', id).execute()
}
