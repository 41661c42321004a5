import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Tools } from '../../shared/tools.ts'

const algorithm = 'aes-256-gcm'

/**
 * A text that must be read again, as the database keeps it: whoever has the database alone cannot read it.
 * @param secret the shop's
 * @param about what it is of; opened only as that, so that nobody's can stand in another's place
 */
export function sealText({ chance }: Pick<Tools, 'chance'>, secret: string, about: string, text: string): string {
  const nonce = Buffer.from(chance.hex(12), 'hex')
  const cipher = createCipheriv(algorithm, keyFor(secret), nonce).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [nonce, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.')
}

/** @returns null when it was sealed with another secret, is of something else, or was changed */
export function openText(secret: string, about: string, sealed: string): string | null {
  const [nonce, text, tag] = sealed.split('.').map((part) => Buffer.from(part, 'base64url'))
  if (nonce?.length !== 12 || !text || tag?.length !== 16) return null
  const decipher = createDecipheriv(algorithm, keyFor(secret), nonce).setAAD(Buffer.from(about)).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    // The only way in which the cipher says that the tag does not fit.
    return null
  }
}

const keyFor = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'vitrine sealed text', 32))
