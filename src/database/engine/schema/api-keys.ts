import type { Generated, GeneratedAlways } from 'kysely'

/** Neither half of a key can be read from here: of the one there is a digest, the other follows from the first and the salt. */
export type ApiKeysTable = {
  id: GeneratedAlways<number>
  description: string
  permission: Generated<'read'>
  key_digest: string
  /** Its last letters, to tell keys apart. */
  key_end: string
  salt: string
  made_by: string
  created_at: Date
  /** To the hour. */
  last_used_at: Date | null
}

/** What a signed request may be used for once only. */
export type ApiNoncesTable = { key_id: number; nonce: string; expires_at: Date }
