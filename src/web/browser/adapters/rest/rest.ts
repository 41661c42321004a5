import { restHeaders } from '#contract/shared/rest.ts'
import { fetchAll } from './fetch-all.ts'
import { mediaUpload } from './media-upload.ts'
import { methodOverride } from './method-override.ts'
import { type Nonce, nonceHeader } from './nonce.ts'
import { type PreparedAnswers, preloadMiddleware } from './preloading.ts'
import { namespaceEndpoint, rootUrl, userLocale } from './request-url.ts'
import { isStaleNonce, type RestWords, restWords } from './rest-error.ts'
import {
  type Fetch,
  isResponse,
  type RestMiddleware,
  type RestNext,
  type RestRequest,
  refusalIn,
  sendRequest,
} from './rest-request.ts'

export type RestOptions = {
  /** The base of all paths: `/wp-json/`, or `/?rest_route=/` without pretty URLs. */
  readonly root: string
  /** The page's nonce; '' or missing: it is fetched when the first call is refused without it. */
  readonly nonce?: string
  /** The endpoint that returns a fresh nonce as plain text; without it a stale nonce is an ordinary error. */
  readonly nonceEndpoint?: string
  /** Responses that were printed with the page. */
  readonly prepared?: PreparedAnswers
  /** The client's own messages in the page's language. */
  readonly words?: Partial<RestWords>
  readonly fetch?: Fetch
}

/** One call. */
export type RestCall = {
  /** @throws Response for a failure; else as below */
  (request: RestRequest & { readonly parse: false }): Promise<Response>
  /**
   * Returns the parsed body of a success, null without content. The caller validates it.
   * @throws RestError for every refusal and failure; the caller's reason for an abort
   */
  (request: RestRequest): Promise<unknown>
}

export type Rest = RestCall & {
  /** Wraps every later call: the last added middleware is outermost. */
  use(middleware: RestMiddleware): void
}

/**
 * Creates a client of a REST interface. The layers of a call, from the outside: the page's middleware, media upload,
 * printed responses, nonce, root; then user locale, namespace and endpoint, method override, fetch-all, and the
 * request. A call that is refused for its nonce is sent again with a fresh one.
 */
export function createRest(options: RestOptions): Rest {
  const { root, nonceEndpoint, prepared, fetch: send = (url, init) => fetch(url, init) } = options
  const words = { ...restWords, ...options.words }
  const nonce: Nonce = { value: options.nonce ?? '' }
  const home = globalThis.location?.href ?? 'http://localhost/'
  const { origin } = new URL(root, home)
  const isOwn = (address: string) => URL.canParse(address, home) && new URL(address, home).origin === origin

  /** A response may contain a newer nonce: the session may have started with it. */
  const sendOwn: Fetch = async (url, init) => {
    const response = await send(url, init)
    const newer = isOwn(url) ? response.headers.get(restHeaders.nonce) : null
    if (newer && response.ok) nonce.value = newer
    return response
  }

  const builtIn: readonly RestMiddleware[] = [userLocale, namespaceEndpoint, methodOverride, fetchAll(words)]
  // In the order of registration: the last one is outermost.
  const added: RestMiddleware[] = [
    rootUrl(root),
    nonceHeader(nonce, isOwn),
    ...(prepared ? [preloadMiddleware(prepared)] : []),
    mediaUpload(words),
  ]

  function run(request: RestRequest): Promise<unknown> {
    let next: RestNext = (last) => sendRequest(sendOwn, last, words)
    for (const middleware of [...builtIn].reverse().concat(added)) {
      const inner = next
      next = async (given) => middleware(given, inner)
    }
    return next(request)
  }

  let refreshing: Promise<boolean> | undefined
  /** Shared by all calls that were refused at the same time. @returns whether the nonce has changed */
  function refreshed(endpoint: string): Promise<boolean> {
    refreshing ??= freshNonce(endpoint).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  async function freshNonce(endpoint: string): Promise<boolean> {
    const response = await send(endpoint, { credentials: 'include', cache: 'no-store' }).catch(() => undefined)
    const text = response?.ok ? (await response.text().catch(() => '')).trim() : ''
    if (!/^[\w-]{2,64}$/.test(text)) return false
    nonce.value = text
    return true
  }

  async function call(request: RestRequest): Promise<unknown> {
    try {
      return await run(request)
    } catch (error) {
      const refusal = isResponse(error) && error.status === 403 ? await refusalIn(error.clone(), words) : error
      if (nonceEndpoint === undefined || !isStaleNonce(refusal)) throw error
      if (!(await refreshed(nonceEndpoint))) throw error
      return run(request)
    }
  }
  // Proof of the cast: `parse: false` makes `sendRequest` return the response itself.
  return Object.assign(call as RestCall, { use: (middleware: RestMiddleware) => void added.push(middleware) })
}
