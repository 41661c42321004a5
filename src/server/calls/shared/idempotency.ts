import { createHmac } from 'node:crypto'
import { claimKey, keepAnswer, releaseKey } from '#database/operations/idempotency-keys.ts'
import { canonicalJson } from '#shop/shared/digest.ts'
import type { Visit } from '../../http/visit.ts'
import type { Call } from './define-call.ts'
import { refuse } from './refuse-call.ts'

const keptForMs = 24 * 60 * 60 * 1000
/** No request runs longer; an open one has died. */
const longestRequestMs = 30_000

/**
 * Runs a call once per visitor and `Idempotency-Key`. A repeat with the same body gets the stored answer, with another
 * body a refusal, and during the first run a request to wait. Answers of 500 and above are not stored, because a retry
 * may succeed; it finds the rows that the first run has written.
 */
export async function runOncePerKey(
  visit: Visit,
  call: Call,
  fields: Readonly<Record<string, unknown>>,
  run: () => Promise<Response>,
): Promise<Response> {
  const key = visit.request.headers.get('idempotency-key')
  if (key === null || call.method !== 'POST' || call.idempotency === 'safe') return run()
  if (key === '' || key.length > 255) {
    return refuse(call, 400, 'idempotency_key_invalid', 'An Idempotency-Key has 1 to 255 characters.')
  }
  const session = await visit.session()
  // A visitor without a session has no state that a repeat could duplicate.
  if (session.version === 0) return run()

  const { db } = visit.app.tools
  const { now } = visit
  const scope = `${session.id}:${call.name}`
  const claim = await claimKey(db, {
    scope,
    key,
    bodyHash: keyed(visit.app.secret, canonicalJson(fields)),
    now,
    expiresAt: new Date(now.getTime() + keptForMs),
    abandonedBefore: new Date(now.getTime() - longestRequestMs),
  })
  if (claim.kind === 'conflict') {
    return refuse(call, 422, 'idempotency_conflict', 'This Idempotency-Key was used with another request.')
  }
  if (claim.kind === 'running') {
    return refuse(call, 409, 'idempotency_in_flight', 'The first request with this key is still running.', {
      'Retry-After': '1',
    })
  }
  if (claim.kind === 'done') {
    const { status, headers, body } = claim.answer
    return new Response(body, { status, headers: { ...headers, 'Idempotent-Replayed': 'true' } })
  }
  try {
    const response = await run()
    if (response.status >= 500) {
      await releaseKey(db, scope, key)
      return response
    }
    const body = await response.clone().text()
    const headers = { 'Content-Type': response.headers.get('content-type') ?? 'text/plain; charset=UTF-8' }
    await keepAnswer(db, scope, key, { status: response.status, headers, body })
    return response
  } catch (error) {
    await releaseKey(db, scope, key)
    throw error
  }
}

/**
 * Computes a keyed digest of a body, which may contain a password beside data of the order: with a plain digest, a
 * reader of the tables could try passwords without their slow hash.
 */
const keyed = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')
