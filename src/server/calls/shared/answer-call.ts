import { z } from 'zod'
import { overridableMethods, restHeaders } from '#contract/shared/rest.ts'
import { BadBody } from '../../http/request/body-limits.ts'
import { parseForm } from '../../http/request/request-body.ts'
import { allowListedOrigin, isAllowedOrigin } from '../../http/security/listed-origins.ts'
import { recordDenial } from '../../http/security/log-denied-access.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { isClosedFor } from '../../pages/content/shop-visibility.tsx'
import { adoptCartToken } from '../../rest/store/shared/cart-token.ts'
import { type Call, namespaceOf } from './define-call.ts'
import { runOncePerKey } from './idempotency.ts'
import { refuse } from './refuse-call.ts'

/**
 * Runs a call by its declaration: forgery check, schema, answer, headers.
 * @param at the call, or several calls of one address that differ by method
 */
export async function answerCall(
  visit: Visit,
  at: Call | readonly [Call, ...Call[]],
  extra: Record<string, unknown> = {},
): Promise<Response> {
  const calls = 'name' in at ? ([at] as const) : at
  const method = meantMethod(visit.request, calls[0].door)
  const meant = calls.find((one) => methodsOf(one).includes(method))
  const call = meant ?? calls[0]
  if (call.origins === 'listed') adoptCartToken(visit)
  const response = meant ? await checked(visit, meant, method, extra) : noSuchMethod(calls, method)
  const { headers } = response
  headers.set('X-Robots-Tag', 'noindex')
  headers.set('X-Content-Type-Options', 'nosniff')
  // The call may have opened the session that the caller's next nonce is bound to.
  if ('header' in call.forgery) headers.set('X-WP-Nonce', await visit.nonce('wp_rest'))
  if (call.cache === 'private-no-store') {
    headers.set('Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private')
    headers.set('Expires', 'Wed, 11 Jan 1984 05:00:00 GMT')
  }
  if (call.origins === 'listed') allowListedOrigin(visit, headers, calls.flatMap(methodsOf))
  return response
}

const methodsOf = ({ method, alsoMethods = [] }: Call): readonly string[] => [method, ...alsoMethods]

function noSuchMethod(calls: readonly [Call, ...Call[]], method: string): Response {
  const [first] = calls
  const { door, name } = first
  const methods = calls.flatMap(methodsOf)
  const headers = { Allow: methods.join(', ') }
  // Preflight of the platform's clients. It discloses nothing.
  if (method === 'OPTIONS' && door === 'rest')
    return Response.json({ namespace: namespaceOf(first), methods }, { headers })
  return refuse({ door }, 405, 'method_not_allowed', `${name} takes ${headers.Allow} requests`, headers)
}

/**
 * Returns the method of a request. A POST to a REST route may override it with PUT, PATCH or DELETE, for clients that
 * cannot send these; never with a method that has fewer checks.
 */
function meantMethod({ method, headers }: Request, door: Call['door']): string {
  if (method === 'HEAD') return 'GET'
  const named = method === 'POST' && door === 'rest' ? headers.get(restHeaders.methodOverride) : null
  if (named === null) return method
  const upper = named.toUpperCase()
  return upper === method || overridableMethods.has(upper) ? upper : 'none that there is'
}

async function checked(visit: Visit, call: Call, method: string, extra: Record<string, unknown>): Promise<Response> {
  // The provider is not a browser: the call itself checks its signature over the raw bytes, or its token.
  const signed = call.identity === 'provider-signature' || call.identity === 'provider-token'
  if (method !== 'GET' && !signed && !mayWrite(visit, call)) {
    return refuse(call, 403, 'foreign_origin', 'This request did not come from the shop.')
  }
  if (await isClosedFor(visit, call.name)) return refuse(call, 403, 'shop_closed', 'The shop is not open yet.')
  let fields: Record<string, unknown> = {}
  if (!signed) {
    try {
      const query = parseForm(visit.url.searchParams)
      const isForm = method !== 'GET' && call.body !== 'own'
      fields = { ...query, ...(isForm ? await visit.fields() : {}), ...extra }
    } catch (error) {
      if (error instanceof BadBody) return refuse(call, error.status, 'invalid_body', sentence(error.message))
      throw error
    }
    const forgery = await forged(visit, call, fields)
    if (forgery) return forgery
  }
  const input = call.input.safeParse(fields)
  if (!input.success) {
    visit.refuse('input', call.name)
    const params = z.flattenError(input.error).fieldErrors
    return refuse(call, call.door === 'rest' ? 400 : 422, 'rest_invalid_param', describe(input.error), {}, params)
  }
  const answer = await runOncePerKey(visit, call, fields, () => call.answer(visit, input.data))
  if (staffsCalls.has(call.identity) && (answer.status === 401 || answer.status === 403)) {
    visit.refuse('role', call.name)
    if (answer.status === 403) await recordDenial(visit, `call:${call.name}`)
  }
  return answer
}

/** Checks the origin of a write. A token in a header proves that no foreign page uses a visitor's cookies. */
function mayWrite(visit: Visit, { origins, name }: Call): boolean {
  return (origins === 'listed' && (visit.isByToken || isAllowedOrigin(visit))) || isFromShop(visit, name)
}

const staffsCalls: ReadonlySet<Call['identity']> = new Set(['translator', 'shop-manager', 'consumer-key'])

async function forged(visit: Visit, call: Call, fields: Record<string, unknown>): Promise<Response | null> {
  const { forgery } = call
  if ('none' in forgery || 'checkedByCall' in forgery) return null
  if ('header' in forgery) {
    if (await visit.isNonce(visit.request.headers.get('x-wp-nonce'), 'wp_rest')) return null
    return refuse(call, 403, 'rest_cookie_invalid_nonce', 'Cookie check failed')
  }
  if (await visit.isNonce(fields[forgery.field], forgery.nonce)) return null
  return new Response('-1', { status: 403, headers: { 'Content-Type': 'text/html; charset=UTF-8' } })
}

/** Returns the first faults of an input, each with its field's name. */
function describe(error: z.ZodError): string {
  const faults = error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
  return `Invalid parameter(s): ${faults.join('; ')}`
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
