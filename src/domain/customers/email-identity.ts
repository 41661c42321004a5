import { withoutInvisible } from '../translation/visible-text.ts'

const plainLocalPart = /^[\p{L}\d!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\d!#$%&'*+/=?^_`{|}~-]+)*$/u

/**
 * Returns an email address as it is stored: in plain characters, without invisible ones and without a final dot. A
 * quoted local part loses its quotes where it needs none. RFC 5321 calls both spellings the same mailbox.
 */
export function cleanEmail(text: string): string {
  const plain = withoutInvisible(text.normalize('NFKC')).trim()
  const at = plain.lastIndexOf('@')
  if (at < 1) return plain
  return `${unquoted(plain.slice(0, at))}@${plain.slice(at + 1).replace(/([^.\s])\s*\.$/, '$1')}`
}

/**
 * Returns the identity of an email address, by which customers are found. It ignores case: no mail service
 * distinguishes `Ada` from `ada`.
 */
export function emailIdentity(text: string): string {
  return cleanEmail(text).toLowerCase()
}

/** Returns the identity of a pattern such as `*@club.example`, for comparisons with email identities. */
export function emailPattern(pattern: string): string {
  return pattern.includes('*')
    ? withoutInvisible(pattern.normalize('NFKC')).trim().toLowerCase()
    : emailIdentity(pattern)
}

function unquoted(local: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"$/su.exec(local)?.[1]
  if (inner === undefined) return local
  const content = inner.replace(/\\(.)/gsu, '$1')
  return plainLocalPart.test(content) ? content : `"${content.replace(/["\\]/g, '\\$&')}"`
}
