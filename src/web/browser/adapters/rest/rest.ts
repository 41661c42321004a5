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
  /** What paths stand below: `/wp-json/`, or `/?rest_route=/` where addresses are not written out. */
  readonly root: string
  /** As the page has it; '' or left out: it is fetched when the first call is refused for want of it. */
  readonly nonce?: string
  /** Gives a fresh nonce as plain text; without it a stale one is an error as any other. */
  readonly nonceEndpoint?: string
  /** Answers that came with the page. */
  readonly prepared?: PreparedAnswers
  /** What the client says by itself, in the page's language. */
  readonly words?: Partial<RestWords>
  readonly fetch?: Fetch
}

/** One call. */
export type RestCall = {
  /** @throws Response when it is no success; else as below */
  (request: RestRequest & { readonly parse: false }): Promise<Response>
  /**
   * The parsed body of a success, null for one without content. What it holds is for the caller to check.
   * @throws RestError for every refusal and failure; what the caller gave up with
   */
  (request: RestRequest): Promise<unknown>
}

export type Rest = RestCall & {
  /** Puts something around every later call: what was added last is outermost. */
  use(middleware: RestMiddleware): void
}

/**
 * A client of one REST interface. Around each call stand, from the outside: what the page added, media upload, prepared
 * answers, nonce, root; then user locale, namespace and endpoint, method override, fetch-all, and the request itself. A call
 * that is refused for its nonce is sent once more with a fresh one.
 */
export function createRest(options: RestOptions): Rest {
  const { root, nonceEndpoint, prepared, fetch: send = (url, init) => fetch(url, init) } = options
  const words = { ...restWords, ...options.words }
  const nonce: Nonce = { value: options.nonce ?? '' }
  const home = globalThis.location?.href ?? 'http://localhost/'
  const { origin } = new URL(root, home)
  const isOwn = (address: string) => URL.canParse(address, home) && new URL(address, home).origin === origin

  /** An answer may carry a newer nonce: the session may have begun with it. */
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
  /** One for all calls that were refused at the same time. @returns whether there is another nonce now */
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
  // Proof of the cast: `parse: false` is what makes `sendRequest` give the response itself.
  return Object.assign(call as RestCall, { use: (middleware: RestMiddleware) => void added.push(middleware) })
}
