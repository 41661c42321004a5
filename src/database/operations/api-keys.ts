import { type Kysely, sql } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
export type ApiKeyRow = Row<'api_keys'>

export async function insertApiKey(db: Db, key: NewRow<'api_keys'>): Promise<number> {
  return (await db.insertInto('api_keys').values(key).returning('id').executeTakeFirstOrThrow()).id
}

export function listApiKeys(db: Db): Promise<ApiKeyRow[]> {
  return db.selectFrom('api_keys').selectAll().orderBy('id').execute()
}

export function findApiKey(db: Db, digest: string): Promise<ApiKeyRow | undefined> {
  return db.selectFrom('api_keys').selectAll().where('key_digest', '=', digest).executeTakeFirst()
}

/** @returns the deleted key; undefined if it did not exist */
export function deleteApiKey(db: Db, id: number): Promise<ApiKeyRow | undefined> {
  return db.deleteFrom('api_keys').where('id', '=', id).returningAll().executeTakeFirst()
}

/** Records the use of a key, rounded to the hour: frequent requests cause one write. */
export async function recordApiKeyUse(db: Db, { id, last_used_at: last }: ApiKeyRow, now: Date): Promise<void> {
  const hour = new Date(now)
  hour.setUTCMinutes(0, 0, 0)
  if (last && last >= hour) return
  await db.updateTable('api_keys').set({ last_used_at: hour }).where('id', '=', id).execute()
}

/**
 * Records the nonce of a signed request, and deletes the key's nonces of requests that are too old to be accepted.
 * @returns false if it was used before
 */
export async function consumeApiNonce(
  db: Db,
  { keyId, nonce, now, expiresAt }: { keyId: number; nonce: string; now: Date; expiresAt: Date },
): Promise<boolean> {
  await db.deleteFrom('api_nonces').where('key_id', '=', keyId).where('expires_at', '<', now).execute()
  const { rows } =
    await sql`insert into api_nonces (key_id, nonce, expires_at) values (${keyId}, ${nonce}, ${expiresAt})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}
