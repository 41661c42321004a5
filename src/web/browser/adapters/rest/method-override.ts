import { overridableMethods, restHeaders } from '#contract/shared/rest.ts'
import { type RestMiddleware, withoutHeader } from './rest-request.ts'

/** Sends PUT, PATCH and DELETE as POST: some servers and proxies block other methods. */
export const methodOverride: RestMiddleware = (request, next) => {
  const method = (request.method ?? 'GET').toUpperCase()
  if (!overridableMethods.has(method)) return next(request)
  // The boundary of a multipart form is part of its content type, which only the browser can set.
  const isForm = request.data === undefined && request.body !== undefined && typeof request.body !== 'string'
  return next({
    ...request,
    method: 'POST',
    headers: {
      ...(isForm
        ? request.headers
        : { ...withoutHeader(request.headers, 'Content-Type'), 'Content-Type': 'application/json' }),
      [restHeaders.methodOverride]: method,
    },
  })
}
