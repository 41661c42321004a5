/** A call without a response: no connection, cut off, or too slow. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
}

export type Answer = {
  ok: boolean
  status: number
  text: string
  url: string
  /** The nonce for the next call to a REST route, if the response has one. */
  nonce?: string
}

export type FormValue = string | number | boolean | readonly FormValue[] | { readonly [key: string]: FormValue }
export type FormFields = Readonly<Record<string, FormValue | undefined>>

export type RequestOptions = {
  method?: string
  headers?: Record<string, string>
  body?: string | FormData | URLSearchParams
  /** Default 30 seconds. */
  timeoutMs?: number
  /** Aborts the call; the promise then rejects with an AbortError. */
  signal?: AbortSignal
  /** Continues when the page is left. */
  keepalive?: boolean
}

const defaultTimeoutMs = 30_000

/**
 * Sends a request to this site, marked as a script's.
 * @throws RequestFailed without a complete response; an `AbortError` when the caller aborted.
 */
export async function request(url: string, options: RequestOptions = {}): Promise<Answer> {
  const { timeoutMs = defaultTimeoutMs, signal, headers, ...init } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      headers: { 'X-Requested-With': 'XMLHttpRequest', ...headers },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const { ok, status, url: address } = response
    const nonce = response.headers.get('X-WP-Nonce')
    return { ok, status, text: await response.text(), url: address, ...(nonce ? { nonce } : {}) }
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new RequestFailed(`no answer from ${url}`, { cause })
  }
}

/** Sends a form-encoded POST; see `request` for its errors. */
export function postForm(url: string, fields: FormFields, options: RequestOptions = {}): Promise<Answer> {
  return request(url, { method: 'POST', body: formBody(fields), ...options })
}

/** Encodes form fields; nested values use brackets: `shipping_method[0]=flat_rate:1`. */
export function formBody(fields: FormFields): URLSearchParams {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) append(body, name, value)
  return body
}

function append(body: URLSearchParams, name: string, value: FormValue): void {
  if (typeof value !== 'object') body.append(name, String(value))
  else for (const [key, inner] of Object.entries(value)) append(body, `${name}[${key}]`, inner)
}

/** @returns undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses the checkout's response, even within stray output of other server code. */
export function parseCheckoutAnswer(text: string): Record<string, unknown> | undefined {
  const start = text.indexOf('{"result')
  const answer = parseJson(text) ?? (start < 0 ? undefined : parseJson(text.slice(start, text.lastIndexOf('}') + 1)))
  return isRecord(answer) ? answer : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
