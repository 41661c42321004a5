import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import { advisoryLockPairs } from '../engine/advisory-locks.ts'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

export type SetupTokenRow = Row<'setup_tokens'>
type Db = Kysely<Schema>
type Tx = Transaction<Schema>
type Environment = SetupTokenRow['environment']

/** Serializes the setups of one visitor by one method, until the transaction ends. */
export async function lockSetups(tx: Tx, whose: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLockPairs.paymentSetups}, hashtext(${whose}))`.execute(tx)
}

/** Returns a visitor's open setups by one method on one page, newest first. */
export function findSetupTokens(
  db: Db,
  begun: { sessionId: string; method: string; context: string; environment: Environment; since: Date },
): Promise<SetupTokenRow[]> {
  return db
    .selectFrom('setup_tokens')
    .selectAll()
    .where('session_id', '=', begun.sessionId)
    .where('method', '=', begun.method)
    .where('context', '=', begun.context)
    .where('environment', '=', begun.environment)
    .where('created_at', '>', begun.since)
    .orderBy('created_at', 'desc')
    .limit(50)
    .execute()
}

export function findSetupToken(db: Db, key: 'id' | 'request_id', value: string): Promise<SetupTokenRow | undefined> {
  return db.selectFrom('setup_tokens').selectAll().where(key, '=', value).limit(1).executeTakeFirst()
}

/** A guest owns it by the session; a customer by the account, on every device. */
function isOwn({ sessionId, customerId }: { sessionId: string; customerId: number | null }) {
  return ({ and, eb, or }: ExpressionBuilder<Schema, 'setup_tokens'>) =>
    or([
      and([eb('customer_id', 'is', null), eb('session_id', '=', sessionId)]),
      ...(customerId === null ? [] : [eb('customer_id', '=', customerId)]),
    ])
}

/**
 * Returns a visitor's completed setup by the provider's id of the result. Visitors with the same wallet share that id:
 * each has a row.
 */
export function findSavedSetup(
  db: Db,
  { token, method, environment }: { token: string; method: string; environment: Environment },
  owner: { sessionId: string; customerId: number | null },
): Promise<SetupTokenRow | undefined> {
  return db
    .selectFrom('setup_tokens')
    .selectAll()
    .where('payment_token', '=', token)
    .where('method', '=', method)
    .where('environment', '=', environment)
    .where(isOwn(owner))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns a visitor's open setup by the provider's id: of this session, or of the same account on another device. */
export function findOpenSetup(
  db: Db,
  { id, environment }: { id: string; environment: Environment },
  owner: { sessionId: string; customerId: number | null },
): Promise<SetupTokenRow | undefined> {
  return db
    .selectFrom('setup_tokens')
    .selectAll()
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where(isOwn(owner))
    .executeTakeFirst()
}

export function lockSetupToken(tx: Tx, requestId: string): Promise<SetupTokenRow | undefined> {
  return tx.selectFrom('setup_tokens').selectAll().where('request_id', '=', requestId).forUpdate().executeTakeFirst()
}

export async function insertSetupToken(tx: Tx, row: NewRow<'setup_tokens'>): Promise<void> {
  await tx.insertInto('setup_tokens').values(row).execute()
}

export async function updateSetupToken(
  db: Db,
  requestId: string,
  change: Partial<Pick<SetupTokenRow, 'id' | 'state' | 'instance' | 'payment_token' | 'customer_id'>>,
): Promise<void> {
  await db.updateTable('setup_tokens').set(change).where('request_id', '=', requestId).execute()
}

/** Returns setups that were interrupted while saving, oldest first. */
export function findInterruptedSetups(
  db: Db,
  environment: Environment,
  before: Date,
  limit: number,
): Promise<SetupTokenRow[]> {
  return db
    .selectFrom('setup_tokens')
    .selectAll()
    .where('state', '=', 'keeping')
    .where('environment', '=', environment)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** Deletes setups that never completed: the provider deletes them after three days as well. */
export async function deleteOldSetupTokens(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('setup_tokens').where('created_at', '<', before).where('state', '<>', 'keeping').execute()
}

/**
 * Links a customer to the identity in the provider's vault. The first link is kept, and an identity has one customer.
 */
export async function linkVaultCustomer(db: Db, row: NewRow<'vault_customers'>): Promise<void> {
  await db
    .insertInto('vault_customers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the customer that an id of the provider's vault belongs to. */
export async function vaultCustomerOwner(db: Db, environment: Environment, providerId: string): Promise<number | null> {
  const row = await db
    .selectFrom('vault_customers')
    .select('customer_id')
    .where('environment', '=', environment)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  return row?.customer_id ?? null
}

/** Deletes a token of any customer, after the provider has deleted it. @returns its owner */
export async function deleteOwnedToken(tx: Tx, environment: Environment, token: string): Promise<number | null> {
  const row = await tx
    .deleteFrom('payment_tokens')
    .where('environment', '=', environment)
    .where('token', '=', token)
    .returning('customer_id')
    .executeTakeFirst()
  return row?.customer_id ?? null
}
