import { createHmac } from 'node:crypto'

/** Duration of a code in authenticator apps (RFC 6238). */
const stepMs = 30_000
const digits = 6
/** Codes of adjacent steps are valid as well: clocks differ, and typing takes time. */
const drift = 1

/** Returns the step of a moment, counted from 1970. */
export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / stepMs)
}

/** Returns the code of a step: six digits of an HMAC-SHA-1 (RFC 4226, RFC 6238). */
export function oneTimeCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const from = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(from) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the step of a typed code; null if invalid. All steps are compared, so that timing discloses nothing.
 * @param after the step of the last used code: it and earlier ones are invalid
 */
export function stepOfCode(secret: Buffer, typed: string, now: Date, after: number): number | null {
  const here = stepAt(now)
  let found: number | null = null
  for (let step = here - drift; step <= here + drift; step += 1) {
    const fits = sameDigits(oneTimeCode(secret, step), typed)
    if (fits && step > after) found = step
  }
  return found
}

function sameDigits(one: string, other: string): boolean {
  let differs = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) differs |= one.charCodeAt(at) ^ (other.charCodeAt(at) || 0)
  return differs === 0
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes in Base32 without padding (RFC 4648), the form of typed secrets and recovery codes. */
export function base32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => letters.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('')
}

/** Returns the `otpauth` link for authenticator apps: with the shop's name, the account and the secret. */
export function enrolmentLink(shop: string, account: string, secret: string): string {
  // A colon separates the two.
  const [issuer, name] = [shop, account].map((text) => encodeURIComponent(text.replaceAll(':', ' ')))
  return `otpauth://totp/${issuer}:${name}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`
}
