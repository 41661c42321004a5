import type { Generated, GeneratedAlways } from 'kysely'

/** Requests that a key is valid for. */
export type ApiPermission = 'read' | 'write' | 'read_write'

/**
 * Neither half of a key can be read here: one is stored as a digest, the other is derived from the first and the salt.
 */
export type ApiKeysTable = {
  id: GeneratedAlways<number>
  description: string
  permission: Generated<ApiPermission>
  key_digest: string
  /** Its last characters, to tell keys apart. */
  key_end: string
  salt: string
  made_by: string
  created_at: Date
  /** Rounded to the hour. */
  last_used_at: Date | null
}

/** Nonces of signed requests, each valid once. */
export type ApiNoncesTable = { key_id: number; nonce: string; expires_at: Date }
