import type { Kysely } from 'kysely'
import type { NewRow, Row, Schema } from './schema.ts'

/** Puts down who has looked at personal data, and whose. */
export async function noteAccess(db: Kysely<Schema>, access: NewRow<'access_log'>): Promise<void> {
  await db.insertInto('access_log').values(access).execute()
}

/** Who has looked at somebody's data, the last first. @param subject `customer:<id>` or `order:<id>` */
export function findAccess(db: Kysely<Schema>, subject: string, limit: number): Promise<Row<'access_log'>[]> {
  return db
    .selectFrom('access_log')
    .selectAll()
    .where('subject', '=', subject)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
