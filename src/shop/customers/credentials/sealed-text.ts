import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Tools } from '../../shared/tools.ts'

const algorithm = 'aes-256-gcm'

/**
 * Encrypts a text for the database: the database alone does not suffice to read it.
 * @param secret the shop's
 * @param about the text's owner, as authenticated data: a text cannot be moved to another owner
 */
export function sealText({ chance }: Pick<Tools, 'chance'>, secret: string, about: string, text: string): string {
  const nonce = Buffer.from(chance.hex(12), 'hex')
  const cipher = createCipheriv(algorithm, keyFor(secret), nonce).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [nonce, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.')
}

/** @returns null if it was encrypted with another secret, belongs to another owner, or was changed */
export function openText(secret: string, about: string, sealed: string): string | null {
  const [nonce, text, tag] = sealed.split('.').map((part) => Buffer.from(part, 'base64url'))
  if (nonce?.length !== 12 || !text || tag?.length !== 16) return null
  const decipher = createDecipheriv(algorithm, keyFor(secret), nonce).setAAD(Buffer.from(about)).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    // The cipher reports a wrong tag only by this error.
    return null
  }
}

const keyFor = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'vitrine sealed text', 32))
