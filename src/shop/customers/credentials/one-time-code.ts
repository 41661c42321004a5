import { createHmac } from 'node:crypto'

/** How long a code is shown: half a minute, as every program that makes codes has it (RFC 6238). */
const stepMs = 30_000
const digits = 6
/** A code counts half a minute early and late: clocks differ, and people type. */
const drift = 1

/** The half minute of a moment, counted from 1970. */
export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / stepMs)
}

/** The code of one half minute: six digits of an HMAC with SHA-1 (RFC 4226, RFC 6238). */
export function oneTimeCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const from = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(from) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * The half minute that a typed code belongs to; null: it is none. All are compared, whichever fits, so that time tells nothing.
 * @param after the one whose code was taken last: it and those before are used up
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

/** Base32 without padding (RFC 4648): how secrets are typed and codes for an emergency written down. */
export function base32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => letters.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('')
}

/** What a program that makes codes reads from a link: the shop's name, whose account it is, and the secret. */
export function enrolmentLink(shop: string, account: string, secret: string): string {
  // A colon parts the two.
  const [issuer, name] = [shop, account].map((text) => encodeURIComponent(text.replaceAll(':', ' ')))
  return `otpauth://totp/${issuer}:${name}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`
}
