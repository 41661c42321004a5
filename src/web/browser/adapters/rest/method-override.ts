import { overridableMethods, restHeaders } from '#contract/shared/rest.ts'
import { type RestMiddleware, withoutHeader } from './rest-request.ts'

/** PUT, PATCH and DELETE go as POST: there are servers and networks in between that let no others through. */
export const methodOverride: RestMiddleware = (request, next) => {
  const method = (request.method ?? 'GET').toUpperCase()
  if (!overridableMethods.has(method)) return next(request)
  // A form says by its type where its parts end; nothing else can say it.
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
