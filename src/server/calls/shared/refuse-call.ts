import type { Call } from './define-call.ts'

/** Returns an error in the format of the call's endpoint. */
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

/** Answers for unknown REST routes. */
export function noRoute(): Response {
  return refuse({ door: 'rest' }, 404, 'rest_no_route', 'No route was found matching the URL and request method.')
}
