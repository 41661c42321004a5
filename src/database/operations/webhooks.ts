import { type Kysely, sql } from 'kysely'
import { changeChannel } from '../engine/change-counts.ts'
import type { Database } from '../engine/connect.ts'
import type { NewRow, Row, RowChange, Schema } from '../engine/schema/schema.ts'
import { setActiveTopics } from './announce-change.ts'

export type WebhookRow = Row<'webhooks'>
export type DeliveryRow = Row<'webhook_deliveries'>
type Db = Kysely<Schema>

/** Announced change of the webhooks; see `change-counts.ts`. */
export const webhooksChange = 'webhooks'

/** Notifies all processes on commit that a webhook was created, changed or deleted. */
export async function webhooksChanged(tx: Db): Promise<void> {
  await sql`select pg_notify(${changeChannel}, ${webhooksChange})`.execute(tx)
}

/** Reads which topics have an active webhook, for `announceChange`. If that fails, each change asks the database. */
export async function followActiveTopics({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  try {
    const active = await kysely.selectFrom('webhooks').select('topic').where('status', '=', 'active').execute()
    setActiveTopics(kysely, new Set(active.map(({ topic }) => topic)))
  } catch (error) {
    setActiveTopics(kysely, null)
    throw error
  }
}

export type WebhookFilter = {
  readonly status: WebhookRow['status'] | null
  readonly search: string
  readonly after: Date | null
  readonly before: Date | null
  readonly modifiedAfter: Date | null
  readonly modifiedBefore: Date | null
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  readonly orderBy: 'created' | 'id' | 'name'
  readonly descending: boolean
}

export async function listWebhooks(
  db: Db,
  filter: WebhookFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; webhooks: WebhookRow[] }> {
  const { status, search, after, before, modifiedAfter, modifiedBefore, include, exclude } = filter
  const found = db
    .selectFrom('webhooks')
    .where(({ and, eb }) =>
      and([
        ...(status ? [eb('status', '=', status)] : []),
        ...(search ? [eb(sql<number>`position(lower(${search}) in lower(name))`, '>', 0)] : []),
        ...(after ? [eb('created_at', '>', after)] : []),
        ...(before ? [eb('created_at', '<', before)] : []),
        ...(modifiedAfter ? [eb('updated_at', '>', modifiedAfter)] : []),
        ...(modifiedBefore ? [eb('updated_at', '<', modifiedBefore)] : []),
        ...(include.length > 0 ? [eb('id', 'in', include)] : []),
        ...(exclude.length > 0 ? [eb('id', 'not in', exclude)] : []),
      ]),
    )
  const column = { created: 'created_at', id: 'id', name: 'name' } as const
  const direction = filter.descending ? 'desc' : 'asc'
  const [{ count }, webhooks] = await Promise.all([
    found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    found
      .selectAll()
      .orderBy(column[filter.orderBy], direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { total: Number(count), webhooks }
}

export function findWebhook(db: Db, id: number): Promise<WebhookRow | undefined> {
  return db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Reserves the id of a new webhook, which its encrypted secret contains. */
export async function nextWebhookId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`.execute(db)
  return rows[0]?.id ?? 0
}

export function insertWebhook(tx: Db, webhook: NewRow<'webhooks'>): Promise<WebhookRow> {
  return tx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow()
}

/** @returns the changed webhook; undefined if it does not exist */
export function updateWebhook(tx: Db, id: number, change: RowChange<'webhooks'>): Promise<WebhookRow | undefined> {
  return tx.updateTable('webhooks').set(change).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Deletes a webhook with its log. @returns the deleted row */
export function deleteWebhook(tx: Db, id: number): Promise<WebhookRow | undefined> {
  return tx.deleteFrom('webhooks').where('id', '=', id).returningAll().executeTakeFirst()
}

/** Counts a failed attempt. @returns the number of consecutive failures */
export async function countWebhookFailure(tx: Db, id: number): Promise<number> {
  const row = await tx
    .updateTable('webhooks')
    .set({ failure_count: sql`failure_count + 1` })
    .where('id', '=', id)
    .returning('failure_count')
    .executeTakeFirst()
  return row?.failure_count ?? 0
}

export async function resetWebhookFailures(tx: Db, id: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ failure_count: 0 })
    .where('id', '=', id)
    .where('failure_count', '>', 0)
    .execute()
}

export function insertDelivery(db: Db, delivery: NewRow<'webhook_deliveries'>): Promise<DeliveryRow> {
  return db.insertInto('webhook_deliveries').values(delivery).returningAll().executeTakeFirstOrThrow()
}

/** Returns the delivery of a job, and writes it the first time: the job may run again after a crash. */
export async function deliveryOfJob(
  db: Db,
  delivery: NewRow<'webhook_deliveries'> & { job_id: string },
): Promise<DeliveryRow> {
  const made = await db
    .insertInto('webhook_deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  return (
    made ??
    db.selectFrom('webhook_deliveries').selectAll().where('job_id', '=', delivery.job_id).executeTakeFirstOrThrow()
  )
}

export function findDelivery(db: Db, id: number): Promise<DeliveryRow | undefined> {
  return db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateDelivery(tx: Db, id: number, change: RowChange<'webhook_deliveries'>): Promise<void> {
  await tx.updateTable('webhook_deliveries').set(change).where('id', '=', id).execute()
}

/** Returns the deliveries of a webhook, newest first, and their number. */
export async function listDeliveries(
  db: Db,
  webhookId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; deliveries: DeliveryRow[] }> {
  const own = db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId)
  const [{ count }, deliveries] = await Promise.all([
    own.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    own.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  ])
  return { total: Number(count), deliveries }
}

/** Deletes completed deliveries before a moment; at most `limit` rows, to keep the transaction short. */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('created_at', '<', before)
    .where('state', '<>', 'pending')
    .orderBy('created_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('webhook_deliveries').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
