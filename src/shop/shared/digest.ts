import { hash } from 'node:crypto'

/** Returns the SHA-256 in lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** Returns 32 hexadecimal characters, where the public interface expects an md5: line keys and cart hashes. */
export function shortDigest(text: string): string {
  return hash('md5', text)
}

/** Serializes with sorted object keys, so that equal content gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  })
}
