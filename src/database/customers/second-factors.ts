import type { Kysely, Transaction } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>

export function findSecondFactor(db: Db, customerId: number): Promise<Row<'second_factors'> | undefined> {
  return db.selectFrom('second_factors').selectAll().where('customer_id', '=', customerId).executeTakeFirst()
}

/** Begins or restarts the setup of a factor. @returns false if a confirmed one exists */
export async function writeUnconfirmedFactor(db: Db, factor: NewRow<'second_factors'>): Promise<boolean> {
  const { secret, created_at } = factor
  const row = await db
    .insertInto('second_factors')
    .values(factor)
    .onConflict((conflict) =>
      conflict
        .column('customer_id')
        .doUpdateSet({ secret, created_at })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Marks the code of a 30-second step as used. @returns false if it, or a later one, was used: of two concurrent
 * attempts one succeeds
 */
export async function consumeStep(db: Db, customerId: number, step: number): Promise<boolean> {
  const row = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('customer_id', '=', customerId)
    .where('last_step', '<', step)
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function confirmFactor(tx: Tx, customerId: number, at: Date): Promise<void> {
  await tx.updateTable('second_factors').set({ confirmed_at: at }).where('customer_id', '=', customerId).execute()
}

/** @returns whether there was a factor, confirmed or not */
export async function deleteSecondFactor(db: Db, customerId: number): Promise<boolean> {
  const row = await db
    .deleteFrom('second_factors')
    .where('customer_id', '=', customerId)
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(tx: Tx, customerId: number, digests: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('customer_id', '=', customerId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ customer_id: customerId, digest })))
    .execute()
}

/** @returns false if the code does not exist or was used: of two concurrent attempts one succeeds */
export async function consumeRecoveryCode(db: Db, customerId: number, digest: string, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('customer_id', '=', customerId)
    .where('digest', '=', digest)
    .where('used_at', 'is', null)
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the unused recovery codes. */
export async function countRecoveryCodes(db: Db, customerId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('customer_id', '=', customerId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

/** Returns all staff with the time of their second factor's confirmation; null: none. */
export function findStaff(
  db: Db,
): Promise<(Pick<Row<'customers'>, 'id' | 'email' | 'role'> & { confirmed_at: Date | null })[]> {
  return db
    .selectFrom('customers')
    .leftJoin('second_factors', 'second_factors.customer_id', 'customers.id')
    .select(['customers.id', 'customers.email', 'customers.role', 'second_factors.confirmed_at'])
    .where('customers.role', '<>', 'customer')
    .orderBy('customers.id')
    .execute()
}
