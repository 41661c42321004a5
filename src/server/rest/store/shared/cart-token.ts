import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { storeHeaders } from '#contract/cart/store-headers.ts'
import { sameText } from '../../../http/security/nonce.ts'
import type { Visit } from '../../../http/visit.ts'

/** Lifetime of a token; every answer has a new one. */
const lifeSeconds = 48 * 60 * 60
const issuer = 'store-api'

/** The only accepted header: no other algorithm can be requested. */
const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')

const claims = z.object({
  /** Digest of the device's session, as in `VisitSession.device`. */
  user_id: z.string().regex(/^[0-9a-f]{64}$/),
  /** Unix time in seconds. */
  exp: z.number(),
  iss: z.literal(issuer),
})

/**
 * Returns the signed token that replaces cookie and nonce in the Store API: a JSON Web Token (RFC 7519). It gives access
 * to the cart, and to no page of the account.
 */
export function cartTokenFor(secret: string, device: string, now: Date): string {
  const exp = Math.floor(now.getTime() / 1000) + lifeSeconds
  const payload = Buffer.from(JSON.stringify({ user_id: device, exp, iss: issuer })).toString('base64url')
  return `${header}.${payload}.${signatureOf(secret, payload)}`
}

/** Returns the device of a valid token, or null. */
export function deviceOfCartToken(secret: string, token: string, now: Date): string | null {
  if (token.length > 1000) return null
  const [first, payload = '', signature = '', ...rest] = token.split('.')
  if (first !== header || rest.length > 0 || !sameText(signature, signatureOf(secret, payload))) return null
  const read = claimsOf(payload)
  return read && read.exp > now.getTime() / 1000 ? read.user_id : null
}

/** Returns the device that a token claims, without proof: for priorities only, never for access. */
export function claimedDevice(token: string): string | null {
  return token.length > 1000 ? null : (claimsOf(token.split('.')[1] ?? '')?.user_id ?? null)
}

function claimsOf(payload: string): z.output<typeof claims> | null {
  try {
    return claims.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).data ?? null
  } catch {
    // Not JSON: another program's token.
    return null
  }
}

/** Uses the session of the request's Cart-Token. An invalid token counts as none. */
export function adoptCartToken(visit: Visit): void {
  const token = visit.request.headers.get(storeHeaders.cartToken)
  const device = token === null ? null : deviceOfCartToken(visit.app.secret, token, visit.now)
  if (device !== null) visit.adoptDevice(device)
}

const keys = new Map<string, Buffer>()

/** A key of its own: a signature for another purpose is never a token. */
function keyOf(secret: string): Buffer {
  const known = keys.get(secret)
  if (known) return known
  if (keys.size >= 10) keys.clear()
  const key = createHmac('sha256', secret).update('key of cart tokens').digest()
  keys.set(secret, key)
  return key
}

function signatureOf(secret: string, payload: string): string {
  return createHmac('sha256', keyOf(secret)).update(`${header}.${payload}`).digest('base64url')
}
