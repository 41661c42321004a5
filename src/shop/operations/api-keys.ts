import { createHmac } from 'node:crypto'
import { recordAccess } from '#database/customers/access-log.ts'
import type { ApiPermission } from '#database/engine/schema/api-keys.ts'
import { type ApiKeyRow, deleteApiKey, findApiKey, insertApiKey } from '#database/operations/api-keys.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'

/** Credentials of a program. Shown once: the shop cannot display them again. */
export type ApiKeyPair = { readonly id: number; readonly consumerKey: string; readonly consumerSecret: string }

const keyPattern = /^ck_[0-9a-f]{40}$/
const secretPattern = /^cs_[0-9a-f]{40}$/

export const isConsumerKey = (text: string) => keyPattern.test(text)
export const isConsumerSecret = (text: string) => secretPattern.test(text)

/**
 * Creates a key of REST v3.
 * @param permission `read` by default
 * @param who the creator, for the access log
 */
export async function makeApiKey(
  { db, chance, clock }: Pick<Tools, 'db' | 'chance' | 'clock'>,
  { description, permission = 'read', who }: { description: string; permission?: ApiPermission; who: string },
): Promise<ApiKeyPair> {
  const consumerKey = `ck_${chance.hex(20)}`
  const salt = chance.hex(32)
  const at = clock.now()
  const id = await insertApiKey(db.kysely, {
    description,
    permission,
    key_digest: sha256(consumerKey),
    key_end: consumerKey.slice(-7),
    salt,
    made_by: who,
    created_at: at,
    last_used_at: null,
  })
  await recordAccess(db.kysely, { at, who, action: 'api-keys create', subject: `api-key:${id}` })
  return { id, consumerKey, consumerSecret: secretOf(consumerKey, salt) }
}

/** Revokes a key at once. @returns whether it existed */
export async function revokeApiKey(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  { id, who }: { id: number; who: string },
): Promise<boolean> {
  const gone = await deleteApiKey(db.kysely, id)
  if (!gone) return false
  await recordAccess(db.kysely, { at: clock.now(), who, action: 'api-keys revoke', subject: `api-key:${id}` })
  return true
}

/**
 * Returns the key named by a request, and its secret. An unknown key returns a secret as well, so that both kinds of
 * failure take the same time.
 */
export async function findKey(
  { db }: Pick<Tools, 'db'>,
  consumerKey: string,
): Promise<{ key: ApiKeyRow | null; secret: string }> {
  const key = (isConsumerKey(consumerKey) && (await findApiKey(db.kysely, sha256(consumerKey)))) || null
  return { key, secret: secretOf(consumerKey, key?.salt ?? '') }
}

/**
 * Derives the secret of a key. Signed requests need the plain secret, so a digest would not suffice. It is derived from
 * the key, which is not in the database, and the salt, which is only there: one of them alone is useless.
 */
function secretOf(consumerKey: string, salt: string): string {
  return `cs_${createHmac('sha256', consumerKey).update(`consumer secret|${salt}`).digest('hex').slice(0, 40)}`
}
