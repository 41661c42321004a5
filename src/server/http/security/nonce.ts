import { createHmac, timingSafeEqual } from 'node:crypto'

const tickMs = 12 * 60 * 60 * 1000

/**
 * Returns a token bound to an action, a visitor and a 12-hour tick. It is valid for this tick and the next, so 12 to 24
 * hours. Ten lower-case hexadecimal characters, as on the classic wire.
 * @param who the session's id, or '' for a visitor without one
 */
export function nonceFor(secret: string, action: string, who: string, now: Date): string {
  const tick = Math.ceil(now.getTime() / tickMs)
  return who === '' ? nonceOfNobody(secret, action, tick) : nonceAt(secret, action, who, tick)
}

/** Nonces of visitors without a session stay the same for half a day. */
const sharedNonces = new Map<string, { secret: string; tick: number; nonce: string }>()
const mostOfNobody = 100

function nonceOfNobody(secret: string, action: string, tick: number): string {
  const known = sharedNonces.get(action)
  if (known?.tick === tick && known.secret === secret) return known.nonce
  const nonce = nonceAt(secret, action, '', tick)
  if (sharedNonces.size >= mostOfNobody) sharedNonces.clear()
  sharedNonces.set(action, { secret, tick, nonce })
  return nonce
}

export function isNonce(secret: string, candidate: unknown, action: string, who: string, now: Date): boolean {
  if (typeof candidate !== 'string' || !/^[0-9a-f]{10}$/.test(candidate)) return false
  const tick = Math.ceil(now.getTime() / tickMs)
  return [tick, tick - 1].some((at) => sameText(candidate, nonceAt(secret, action, who, at)))
}

function nonceAt(secret: string, action: string, who: string, tick: number): string {
  return createHmac('sha256', secret).update(`${tick}|${action}|${who}`).digest('hex').slice(-12, -2)
}

/** Compares in constant time; an empty text matches nothing. */
export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}
