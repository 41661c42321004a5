import { z } from 'zod'
import { BadBody } from './body-limits.ts'
import type { Call } from './call.ts'
import { oncePerKey } from './idempotency.ts'
import { isSameOrigin } from './origin-check.ts'
import { parseForm } from './request-body.ts'
import { isShutFor } from './shop-door.tsx'
import type { Visit } from './visit.ts'

/** Runs one call by its own declaration: forgery check, schema, answer, headers. */
export async function answerCall(visit: Visit, call: Call, extra: Record<string, unknown> = {}): Promise<Response> {
  const response = await checked(visit, call, extra)
  const { headers } = response
  headers.set('X-Robots-Tag', 'noindex')
  headers.set('X-Content-Type-Options', 'nosniff')
  // A first call may have opened the session that the caller's next nonce must be bound to.
  if ('header' in call.forgery) headers.set('X-WP-Nonce', await visit.nonce('wp_rest'))
  if (call.cache === 'private-no-store') {
    headers.set('Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private')
    headers.set('Expires', 'Wed, 11 Jan 1984 05:00:00 GMT')
  }
  return response
}

async function checked(visit: Visit, call: Call, extra: Record<string, unknown>): Promise<Response> {
  const { request, app } = visit
  if (request.method !== call.method && !(call.method === 'GET' && request.method === 'HEAD')) {
    return refuse(call, 405, 'method_not_allowed', `${call.name} takes ${call.method} requests`, { Allow: call.method })
  }
  // The provider is no browser: its signature over the raw bytes, or its secret, is checked by the call itself.
  const signed = call.identity === 'provider-signature' || call.identity === 'provider-token'
  if (call.method !== 'GET' && !signed && !isSameOrigin(request, app.tools.publicUrl)) {
    return refuse(call, 403, 'foreign_origin', 'This request did not come from the shop.')
  }
  if (await isShutFor(visit, call.name)) return refuse(call, 403, 'shop_closed', 'The shop is not open yet.')
  let fields: Record<string, unknown> = {}
  if (!signed) {
    try {
      const query = parseForm(visit.url.searchParams)
      fields = { ...query, ...(call.method === 'GET' ? {} : await visit.fields()), ...extra }
    } catch (error) {
      if (error instanceof BadBody) return refuse(call, error.status, 'invalid_body', sentence(error.message))
      throw error
    }
    const forgery = await forged(visit, call, fields)
    if (forgery) return forgery
  }
  const input = call.input.safeParse(fields)
  if (!input.success) {
    const params = z.flattenError(input.error).fieldErrors
    return refuse(call, call.door === 'rest' ? 400 : 422, 'rest_invalid_param', describe(input.error), {}, params)
  }
  return oncePerKey(visit, call, fields, () => call.answer(visit, input.data))
}

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

/** An error in the form that the call's door speaks. */
export function refuse(
  call: Pick<Call, 'door'>,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
  params?: object,
): Response {
  if (call.door === 'rest') {
    return Response.json({ code, message, data: { status, ...(params ? { params } : {}) } }, { status, headers })
  }
  return new Response(message, { status, headers: { 'Content-Type': 'text/plain; charset=UTF-8', ...headers } })
}

/** The first faults of an input, each with its field's name. */
function describe(error: z.ZodError): string {
  const faults = error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
  return `Invalid parameter(s): ${faults.join('; ')}`
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
