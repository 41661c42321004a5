import { type Kysely, sql, type Transaction } from 'kysely'
import type { Clock } from '#contract/shared/environment.ts'
import { advisoryLockPairs } from '../engine/advisory-locks.ts'
import type { Database } from '../engine/connect.ts'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>
export type AttemptRow = Row<'payment_attempts'>
export type CaptureRow = Row<'captures'>
export type AuthorizationRow = Row<'authorizations'>

/**
 * Assigns an instance number to this process, and holds a lock on it with a dedicated connection. When the process
 * dies, the lock is released, and its open attempts count as orphaned. A lost connection (after a database restart)
 * loses the lock, which is taken again on the next one. Numbers are unique, so no other process takes it meanwhile; and
 * a process that takes over an attempt just then reads its state at the provider first, with the same request id.
 */
export async function registerInstance(
  db: Database,
  clock: Clock,
): Promise<{ instance: number; release(): Promise<void> }> {
  let connection = await db.session.reserve()
  const [row] = await connection<{ id: number }[]>`select nextval('instances')::int as id`
  if (!row) throw new Error('sequence "instances" returned no number')
  let released = false
  const hold = async () => {
    await connection.unsafe(`select pg_advisory_lock(${advisoryLockPairs.instances}, ${row.id})`)
    void connection.loss.then(takeAgain)
  }
  const takeAgain = async (): Promise<void> => {
    while (!released) {
      try {
        connection = await db.session.reserve()
        // Released while it waited for another connection.
        if (released) return connection.release()
        return await hold()
      } catch (error) {
        connection.release()
        // A closed pool needs no lock; any other error is temporary.
        if (error instanceof Error && 'code' in error && error.code === 'CONNECTION_ENDED') return
        await clock.sleep(200)
      }
    }
  }
  await hold()
  return {
    instance: row.id,
    release: async () => {
      released = true
      // On a lost connection the lock is gone, and the statement is rejected.
      await (async () => connection`select pg_advisory_unlock(${advisoryLockPairs.instances}, ${row.id})`)().catch(
        () => {},
      )
      connection.release()
    },
  }
}

/** Checks that no other process uses this database now. */
export async function isOnlyInstance({ sql: query }: Database, instance: number): Promise<boolean> {
  const others =
    await query`select 1 from pg_locks where locktype = 'advisory' and classid = ${advisoryLockPairs.instances}::int::oid
    and database = (select oid from pg_database where datname = current_database())
    and objid <> ${instance}::oid and granted limit 1`
  return others.length === 0
}

/** Checks whether the process of an attempt is alive. */
export async function isInstanceAlive(tx: Tx, instance: number): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLockPairs.instances}, ${instance}) as free`.execute(tx)
  return rows[0]?.free === false
}

export function findAttempts(db: Db, orderId: number): Promise<AttemptRow[]> {
  return db.selectFrom('payment_attempts').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
}

/** Returns an open call of an order that may have captured or authorized money. */
export function findUnsettledCapture(db: Db, orderId: number): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('payment_attempts')
    .select('id')
    .where('order_id', '=', orderId)
    .where('step', 'in', ['capture', 'authorise', 'pay'])
    .where('state', 'in', ['open', 'unknown'])
    .executeTakeFirst()
}

/**
 * Checks that an attempt still belongs to its claimant. After a longer pause than any call may take, another process
 * may have taken it over, and its result must not be overwritten. Requires the lock of the order's row.
 */
export async function ownsAttempt(tx: Tx, claimed: AttemptRow): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_attempts')
    .select(['instance', 'opened_at'])
    .where('id', '=', claimed.id)
    .executeTakeFirst()
  return row?.instance === claimed.instance && row.opened_at.getTime() === claimed.opened_at.getTime()
}

/** Inserts an attempt before its call is made. Requires the lock of the order's row. */
export async function openAttempt(tx: Tx, row: NewRow<'payment_attempts'>): Promise<AttemptRow> {
  return tx.insertInto('payment_attempts').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Takes over an orphaned attempt. Requires the lock of the order's row. */
export async function takeOverAttempt(tx: Tx, id: number, instance: number, at: Date): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({ state: 'open', instance, opened_at: at })
    .where('id', '=', id)
    .execute()
}

export async function closeAttempt(
  db: Db,
  id: number,
  close: {
    state: 'succeeded' | 'refused' | 'unknown'
    result: Record<string, unknown>
    at: Date
    walletOrderId?: string
  },
): Promise<void> {
  await db
    .updateTable('payment_attempts')
    .set({
      state: close.state,
      result: close.result,
      closed_at: close.at,
      ...(close.walletOrderId ? { wallet_order_id: close.walletOrderId } : {}),
    })
    .where('id', '=', id)
    .execute()
}

/** Merges data for the resumption of an attempt. Requires the lock of the order's row. */
export async function updateAttemptResult(tx: Tx, id: number, note: Record<string, unknown>): Promise<true> {
  await tx.updateTable('payment_attempts').set({ result: note }).where('id', '=', id).execute()
  return true
}

/** Records the wallet order that an attempt opened. Requires the lock of the order's row. */
export async function setAttemptWallet(tx: Tx, id: number, walletOrderId: string): Promise<void> {
  await tx.updateTable('payment_attempts').set({ wallet_order_id: walletOrderId }).where('id', '=', id).execute()
}

/** Returns open attempts of dead processes, or older than any call may take. */
export async function findOrphanedAttempts(db: Db, olderThan: Date, limit: number): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select a.* from payment_attempts a
    where a.state in ('open', 'unknown')
      and (a.opened_at < ${olderThan} or not exists (
        select from pg_locks l where l.locktype = 'advisory' and l.classid = ${advisoryLockPairs.instances}::int::oid
          and l.database = (select oid from pg_database where datname = current_database()) and l.objid = a.instance::oid and l.granted))
    order by a.opened_at limit ${limit}`.execute(db)
  return rows
}

/** Returns the past and present authorizations of an order, newest first. */
export function findAuthorizations(db: Db, orderId: number): Promise<AuthorizationRow[]> {
  return db
    .selectFrom('authorizations')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('authorized_at', 'desc')
    .execute()
}

export function findAuthorization(db: Db, id: string): Promise<AuthorizationRow | undefined> {
  return db.selectFrom('authorizations').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertAuthorization(tx: Tx, row: NewRow<'authorizations'>): Promise<void> {
  await tx
    .insertInto('authorizations')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ status: row.status }))
    .execute()
}

export async function setAuthorizationStatus(tx: Tx, id: string, status: string): Promise<void> {
  await tx.updateTable('authorizations').set({ status }).where('id', '=', id).execute()
}

/** Extends the validity of an authorization. */
export async function setAuthorizationExpiry(db: Db, id: string, expires: Date): Promise<void> {
  await db.updateTable('authorizations').set({ expires_at: expires }).where('id', '=', id).execute()
}

/** Identical to the predicate of the partial indexes: a generic plan with parameters could not use them. */
const held = sql<boolean>`authorizations.status in ('CREATED', 'PENDING', 'PARTIALLY_CAPTURED')`
const undecided = sql<boolean>`captures.status = 'PENDING'`

/** Returns authorizations that have expired by this clock, but are still open. */
export function findExpiredAuthorizations(db: Db, now: Date, limit: number): Promise<AuthorizationRow[]> {
  return db.selectFrom('authorizations').selectAll().where(held).where('expires_at', '<', now).limit(limit).execute()
}

export function findCaptures(db: Db, orderId: number): Promise<CaptureRow[]> {
  return db.selectFrom('captures').selectAll().where('order_id', '=', orderId).execute()
}

/** Returns undecided captures of orders in manual review, each with the time of its last check. */
export function findPendingCaptures(db: Db, limit: number): Promise<(CaptureRow & { checked_at: Date | null })[]> {
  return db
    .selectFrom('captures')
    .innerJoin('orders', 'orders.id', 'captures.order_id')
    .innerJoin('wallet_orders', 'wallet_orders.id', 'captures.wallet_order_id')
    .selectAll('captures')
    .select('wallet_orders.checked_at')
    .where(undecided)
    .where('orders.payment_state', '=', 'attention')
    .orderBy('wallet_orders.checked_at')
    .limit(limit)
    .execute()
}

export async function insertCapture(tx: Tx, row: NewRow<'captures'>): Promise<void> {
  await tx
    .insertInto('captures')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ status: row.status }))
    .execute()
}

export async function setCaptureStatus(tx: Tx, id: string, status: string): Promise<void> {
  await tx.updateTable('captures').set({ status }).where('id', '=', id).execute()
}

export function findCapture(db: Db, id: string): Promise<CaptureRow | undefined> {
  return db.selectFrom('captures').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Stores a webhook event once. @returns false if it was stored before */
export async function storeWebhookEvent(db: Db, row: NewRow<'webhook_events'>): Promise<boolean> {
  const result = await db
    .insertInto('webhook_events')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function closeWebhookEvent(db: Db, id: string, outcome: string, at: Date): Promise<void> {
  await db.updateTable('webhook_events').set({ processed_at: at, outcome }).where('id', '=', id).execute()
}

/** Returns webhook events for manual review, newest first: they match nothing in the shop. */
export function findUnmatchedWebhookEvents(
  db: Db,
  since: Date,
  limit: number,
): Promise<{ id: string; type: string; received_at: Date; outcome: string | null }[]> {
  return db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'received_at', 'outcome'])
    .where('received_at', '>=', since)
    .where('outcome', 'like', 'attention: %')
    .orderBy('received_at', 'desc')
    .limit(limit)
    .execute()
}

export function findPendingWebhookEvents(
  db: Db,
  before: Date,
  { limit, chance }: { limit: number; chance: number },
): Promise<{ id: string; type: string; body: string; received_at: Date }[]> {
  return (
    db
      .selectFrom('webhook_events')
      .select(['id', 'type', 'body', 'received_at'])
      .where('processed_at', 'is', null)
      .where('received_at', '<', before)
      // Ordered differently for each `chance` in [0, 1): events of orders that never arrive must not block the others.
      .orderBy(sql`hashtextextended(id, ${Math.floor(chance * 2 ** 32)}::bigint)`)
      .limit(limit)
      .execute()
  )
}
