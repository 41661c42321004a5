import { restHeaders } from '#contract/shared/rest.ts'
import { headerNames, type RestMiddleware, withoutHeader } from './rest-request.ts'

/** The current nonce. */
export type Nonce = { value: string }

/** Adds the nonce to every request to the shop, in place of an older one. */
export function nonceHeader(nonce: Nonce, isOwn: (address: string) => boolean): RestMiddleware {
  return (request, next) => {
    const { headers, url } = request
    if (nonce.value === '' || (url !== undefined && !isOwn(url))) return next(request)
    const names = headerNames(headers, restHeaders.nonce)
    if (names.length === 1 && names.every((name) => headers?.[name] === nonce.value)) return next(request)
    return next({
      ...request,
      headers: { ...withoutHeader(headers, restHeaders.nonce), [restHeaders.nonce]: nonce.value },
    })
  }
}
