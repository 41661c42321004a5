import { restErrorCodes } from '#contract/shared/rest.ts'
import { RestError, type RestWords } from './rest-error.ts'

/** A REST call, addressed by `path` (below the root), by `url`, or by `namespace` and `endpoint`. */
export type RestRequest = {
  readonly path?: string
  readonly url?: string
  readonly namespace?: string
  readonly endpoint?: string
  /** Default GET. */
  readonly method?: string
  /** Sent as JSON. */
  readonly data?: unknown
  /** Sent unchanged, in place of `data`: a form, a file. */
  readonly body?: FormData | URLSearchParams | Blob | string
  readonly headers?: Readonly<Record<string, string>>
  /** Default true. False returns the raw `Response`, also for a refusal. */
  readonly parse?: boolean
  readonly signal?: AbortSignal
  /** Lets the call finish after the page is left. */
  readonly keepalive?: boolean
  readonly cache?: RequestCache
}

export type RestNext = (request: RestRequest) => Promise<unknown>

/** Wraps a call: may change the request or the response, or answer itself. */
export type RestMiddleware = (request: RestRequest, next: RestNext) => Promise<unknown>

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Sends a request and parses the response.
 * @returns the parsed body, null for 204; the `Response` itself with `parse: false`
 * @throws RestError; with `parse: false` the `Response` of a failure; the caller's reason for an abort
 */
export async function sendRequest(send: Fetch, request: RestRequest, words: RestWords): Promise<unknown> {
  const { path, url = path, method = 'GET', data, body, headers, parse = true, signal, keepalive, cache } = request
  if (url === undefined) throw new TypeError('a REST request names neither a path nor a URL')
  const content = data === undefined ? body : JSON.stringify(data)
  // The browser would refuse it with an error that looks like a lost connection.
  if (content !== undefined && /^(get|head)$/i.test(method)) throw new TypeError(`a ${method} request has no body`)
  const init: RequestInit = {
    method,
    credentials: 'include',
    headers: {
      ...unlessGiven(headers, 'Accept', 'application/json, */*;q=0.1'),
      ...(data === undefined ? {} : unlessGiven(headers, 'Content-Type', 'application/json')),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
    ...(signal ? { signal } : {}),
    ...(keepalive === undefined ? {} : { keepalive }),
    ...(cache ? { cache } : {}),
  }
  const response = await send(url, init).catch((cause: unknown) => notAnswered(cause, signal, words))
  if (!parse) {
    if (!response.ok) throw response
    return response
  }
  if (!response.ok) throw await refusalIn(response, words, signal)
  return bodyOf(response, words, signal)
}

/** Returns true for a response of any realm or polyfill: pages and other scripts bring their own classes. */
export function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'headers' in value && 'status' in value && 'text' in value
}

/** @throws RestError `invalid_json`, or `fetch_error` when the connection broke within the body */
export async function bodyOf(response: Response, words: RestWords, signal?: AbortSignal): Promise<unknown> {
  if (response.status === 204) return null
  const text = await response.text().catch((cause: unknown) => notAnswered(cause, signal, words))
  try {
    return JSON.parse(text)
  } catch (cause) {
    const { status } = response
    throw new RestError(restErrorCodes.invalidJson, words.invalidJson, { status }, { cause })
  }
}

/** Returns the error of a refusal. A body in another format counts as an unknown error. */
export async function refusalIn(response: Response, words: RestWords, signal?: AbortSignal): Promise<unknown> {
  const body = await bodyOf(response, words, signal).catch((error: unknown) => {
    if (error instanceof RestError) return error
    throw error
  })
  if (body instanceof RestError) return body
  const told: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {}
  const code = typeof told.code === 'string' && told.code !== '' ? told.code : restErrorCodes.unknown
  const message = typeof told.message === 'string' && told.message !== '' ? told.message : words.unknown
  const error = new RestError(code, message, told.data ?? { status: response.status })
  for (const [name, value] of Object.entries(told)) if (!(name in error)) Object.assign(error, { [name]: value })
  return error
}

/** @throws the caller's reason for an abort, unchanged; else `fetch_error` */
function notAnswered(cause: unknown, signal: AbortSignal | undefined, words: RestWords): never {
  if (signal?.aborted || (cause instanceof Error && cause.name === 'AbortError')) throw cause
  throw new RestError(restErrorCodes.fetch, words.fetch, undefined, { cause })
}

function unlessGiven(headers: RestRequest['headers'], name: string, value: string): Record<string, string> {
  return headerNames(headers, name).length > 0 ? {} : { [name]: value }
}

/** Returns the names of a header as they are written, ignoring case. */
export function headerNames(headers: RestRequest['headers'] = {}, name: string): string[] {
  return Object.keys(headers).filter((key) => key.toLowerCase() === name.toLowerCase())
}

/** Returns the headers without the named one, ignoring case. */
export function withoutHeader(headers: RestRequest['headers'] = {}, name: string): Record<string, string> {
  const gone = headerNames(headers, name)
  return Object.fromEntries(Object.entries(headers).filter(([key]) => !gone.includes(key)))
}
