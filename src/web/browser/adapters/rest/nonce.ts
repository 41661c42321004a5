import { restHeaders } from '#contract/shared/rest.ts'
import { headerNames, type RestMiddleware, withoutHeader } from './rest-request.ts'

/** The nonce that is good now. */
export type Nonce = { value: string }

/** Every request to the shop proves that it comes from one of its pages; an older nonce on it is replaced. */
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
