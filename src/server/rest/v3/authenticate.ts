import { type ApiKeyRow, consumeApiNonce, recordApiKeyUse } from '#database/operations/api-keys.ts'
import { consumeRateLimit } from '#database/operations/rate-limits.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { findKey, isConsumerKey, isConsumerSecret } from '#shop/operations/api-keys.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { limitGuesses, networkOf, waitBefore } from '#shop/shared/limit-attempts.ts'
import { oauthHeader, oauthSignature, type SignatureMethod, signatureMethods } from '#shop/shared/oauth-signature.ts'
import { refuse } from '../../calls/shared/refuse-call.ts'
import { sameText } from '../../http/security/nonce.ts'
import type { Visit } from '../../http/visit.ts'

/** The caller, as the access log names it: `api-key:3`, `customer:7`. */
export type Caller = { readonly who: string }

/** `read` for GET requests, `write` for all others. */
export type Right = 'read' | 'write'

/** A signed request is valid for this time before and after its timestamp. */
const signedForMs = 15 * 60_000
/** Rate limit of a program. */
const requests = { tries: 300, perMs: 60_000 }

/**
 * Authenticates a caller: a program by its API key, or staff by login and nonce. Otherwise returns the response to
 * send. Failed attempts are rate limited.
 */
export async function callerOf(visit: Visit, right: Right = 'read'): Promise<Caller | Response> {
  const claim = claimIn(visit)
  if (!claim) return staffCaller(visit, right)
  const { tools } = visit.app
  // By network as well: knowing a consumer key must not suffice to lock out its program.
  const tried = { subject: `${networkOf(visit.ip)} ${claim.consumerKey.slice(0, 100)}`, ip: visit.ip }
  const waitMs = await waitBefore(tools, 'api-key', tried)
  if (waitMs > 0) return tooMany(waitMs)
  const checked = await checkClaim(visit, claim)
  if ('problem' in checked) {
    await limitGuesses(tools, 'api-key', tried)
    const code = checked.problem === 'missing' ? 'authentication_missing_parameter' : 'authentication_error'
    return denied(401, `woocommerce_rest_${code}`, problems[checked.problem])
  }
  const { permission } = checked.key
  if (permission !== 'read_write' && permission !== right) {
    return denied(401, 'woocommerce_rest_authentication_error', `The API key does not have ${right} permission.`)
  }
  const now = tools.clock.now()
  const pauseMs = await consumeRateLimit(tools.db, sha256(`api-reads|${checked.key.id}`), requests, now)
  if (pauseMs > 0) return tooMany(pauseMs)
  await recordApiKeyUse(tools.db.kysely, checked.key, now)
  return { who: `api-key:${checked.key.id}` }
}

const problems = {
  missing: 'A signed request names its key, its method, a timestamp and a nonce.',
  insecure: 'A key and its secret are only taken over https. Sign the request instead (OAuth 1.0a).',
  wrong: 'The consumer key or its secret is not valid.',
  signature: 'The signature does not fit the request.',
  method: 'The request is to be signed with HMAC-SHA1 or HMAC-SHA256.',
  time: 'The timestamp is too far from the time here.',
  replayed: 'The nonce was used before.',
} as const

type Claim =
  | { readonly kind: 'pair'; readonly consumerKey: string; readonly consumerSecret: string }
  | { readonly kind: 'signed'; readonly consumerKey: string; readonly parameters: readonly [string, string][] }

/** Returns the key of a request, from its header or query. */
function claimIn({ request }: Visit): Claim | null {
  const authorization = request.headers.get('authorization') ?? ''
  const query = [...new URL(request.url).searchParams]
  const inHeader = oauthHeader(authorization)
  if (inHeader) return signedClaim([...query, ...inHeader])
  const [consumerKey = '', consumerSecret = ''] = basicPair(authorization)
  // Other basic credentials are for a server in front of the shop.
  if (consumerKey.startsWith('ck_')) return { kind: 'pair', consumerKey, consumerSecret }
  const asked = new Map(query)
  if (asked.has('oauth_consumer_key') || asked.has('oauth_signature')) return signedClaim(query)
  const named = asked.get('consumer_key')
  if (named === undefined) return null
  return { kind: 'pair', consumerKey: named, consumerSecret: asked.get('consumer_secret') ?? '' }
}

const signedClaim = (parameters: [string, string][]): Claim => ({
  kind: 'signed',
  consumerKey: new Map(parameters).get('oauth_consumer_key') ?? '',
  parameters,
})

function basicPair(authorization: string): string[] {
  const encoded = /^Basic\s+([A-Za-z\d+/=_-]{1,400})$/i.exec(authorization)?.[1]
  if (encoded === undefined) return []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const at = text.indexOf(':')
  return at < 0 ? [] : [text.slice(0, at), text.slice(at + 1)]
}

type Checked = { readonly key: ApiKeyRow } | { readonly problem: keyof typeof problems }

function checkClaim(visit: Visit, claim: Claim): Promise<Checked> {
  return claim.kind === 'pair' ? checkPair(visit, claim) : checkSigned(visit, claim)
}

async function checkPair(visit: Visit, claim: Claim & { kind: 'pair' }): Promise<Checked> {
  if (!visit.app.secure && !isLoopback(visit.ip)) return { problem: 'insecure' }
  const { key, secret } = await findKey(visit.app.tools, claim.consumerKey)
  const fits = isConsumerSecret(claim.consumerSecret) && sameText(claim.consumerSecret, secret)
  return key && fits ? { key } : { problem: 'wrong' }
}

const isLoopback = (ip: string) => ip === '::1' || /^(?:::ffff:)?127\./.test(ip)

async function checkSigned(visit: Visit, { consumerKey, parameters }: Claim & { kind: 'signed' }): Promise<Checked> {
  const { app, request } = visit
  const given = new Map(parameters)
  const signature = given.get('oauth_signature') ?? ''
  const nonce = given.get('oauth_nonce') ?? ''
  const timestamp = given.get('oauth_timestamp') ?? ''
  const method = given.get('oauth_signature_method') ?? ''
  if ([consumerKey, signature, nonce, timestamp, method].includes('')) return { problem: 'missing' }
  if (!isSignatureMethod(method)) return { problem: 'method' }
  const { key, secret } = await findKey(app.tools, consumerKey)
  if (!isConsumerKey(consumerKey) || !key) return { problem: 'wrong' }
  const signed = parameters.filter(([name]) => name !== 'oauth_signature')
  const { pathname, origin } = new URL(request.url)
  const fits = [new URL(app.tools.publicUrl).origin, origin].some((own) =>
    [signed, withoutRepeats(signed)].some((each) => {
      const what = { method: request.method, url: own + pathname, parameters: each }
      return sameText(signature, oauthSignature(what, secret, method))
    }),
  )
  if (!fits) return { problem: 'signature' }
  const now = app.tools.clock.now()
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : 0
  if (Math.abs(now.getTime() - at) > signedForMs) return { problem: 'time' }
  if (nonce.length > 255) return { problem: 'signature' }
  // After the signature: an invalid signature must not use up a nonce.
  const expiresAt = new Date(at + signedForMs + 1000)
  const isNew = await consumeApiNonce(app.tools.db.kysely, { keyId: key.id, nonce: sha256(nonce), now, expiresAt })
  return isNew ? { key } : { problem: 'replayed' }
}

/** Removes duplicates: the most common client signs each parameter once and sends it twice. */
function withoutRepeats(parameters: readonly [string, string][]): [string, string][] {
  const seen = new Map(parameters.map((pair) => [JSON.stringify(pair), pair]))
  return [...seen.values()]
}

const isSignatureMethod = (name: string): name is SignatureMethod => Object.hasOwn(signatureMethods, name)

/** Authenticates logged-in staff whose page has a nonce: another site cannot call in their name. */
async function staffCaller(visit: Visit, right: Right): Promise<Caller | Response> {
  const customerId = await visit.customerId()
  const nonce = visit.request.headers.get('x-wp-nonce') ?? visit.url.searchParams.get('_wpnonce')
  if (customerId === null || nonce === null) return noRight(visit, right, 401)
  if (!(await visit.isNonce(nonce, 'wp_rest'))) {
    return denied(403, 'rest_cookie_invalid_nonce', 'Cookie check failed')
  }
  const { role } = await visit.session()
  return role !== null && mayActAs(role, 'shop_manager')
    ? { who: `customer:${customerId}` }
    : noRight(visit, right, 403)
}

function noRight({ request }: Visit, right: Right, status: 401 | 403): Response {
  if (right === 'read') return denied(status, 'woocommerce_rest_cannot_view', 'You may not read this.')
  const { pathname } = new URL(request.url)
  const isItem = /\/\d+\/?$/.test(pathname)
  const deed = pathname.endsWith('/batch')
    ? 'batch'
    : request.method === 'DELETE'
      ? 'delete'
      : isItem
        ? 'edit'
        : 'create'
  return denied(status, `woocommerce_rest_cannot_${deed}`, 'You may not change this.')
}

const denied = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  refuse({ door: 'rest' }, status, code, message, headers)

function tooMany(waitMs: number): Response {
  const seconds = String(Math.ceil(waitMs / 1000))
  return denied(429, 'woocommerce_rest_too_many_requests', 'Too many requests. Please wait.', {
    'Retry-After': seconds,
  })
}
