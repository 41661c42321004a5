import type { Kysely } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>

export type TermsVersionRow = Row<'terms_versions'>

/** Stores a version of the terms; an existing one stays unchanged. */
export async function keepTermsVersion(db: Db, version: NewRow<'terms_versions'>): Promise<void> {
  await db
    .insertInto('terms_versions')
    .values(version)
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute()
}

export function findTermsVersion(db: Db, version: string): Promise<TermsVersionRow | undefined> {
  return db.selectFrom('terms_versions').selectAll().where('version', '=', version).executeTakeFirst()
}

/** Returns the stored ones of these versions, in no particular order. */
export function findTermsVersions(db: Db, versions: readonly string[]): Promise<TermsVersionRow[]> {
  if (versions.length === 0) return Promise.resolve([])
  return db
    .selectFrom('terms_versions')
    .selectAll()
    .where('version', 'in', [...versions])
    .execute()
}
