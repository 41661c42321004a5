import { type Kysely, sql } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

/** Records an access to personal data. */
export async function recordAccess(db: Kysely<Schema>, access: NewRow<'access_log'>): Promise<void> {
  await db.insertInto('access_log').values(access).execute()
}

/** Returns the accesses to a person's data, newest first. @param subject `customer:<id>` or `order:<id>` */
export function findAccess(db: Kysely<Schema>, subject: string, limit: number): Promise<Row<'access_log'>[]> {
  return db
    .selectFrom('access_log')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns denied accesses, newest first, with the email address of existing accounts. */
export async function findDenied(
  db: Kysely<Schema>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; tries: (Row<'access_log'> & { email: string | null })[] }> {
  const denied = db.selectFrom('access_log').where('action', '=', 'denied')
  const [{ count }, tries] = await Promise.all([
    denied.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    denied
      .leftJoin('customers', (join) => join.on(sql`'customer:' || customers.id`, '=', sql.ref('access_log.who')))
      .selectAll('access_log')
      .select('customers.email')
      .orderBy('access_log.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { count, tries }
}

/** Deletes entries before a moment; at most `limit` rows, to keep the transaction short. @returns the number of rows */
export async function deleteOldAccess(db: Kysely<Schema>, before: Date, limit: number): Promise<number> {
  const old = db.selectFrom('access_log').select('id').where('at', '<', before).orderBy('at').limit(limit)
  const { numDeletedRows } = await db.deleteFrom('access_log').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
