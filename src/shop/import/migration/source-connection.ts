import type { Environment } from '#contract/shared/environment.ts'
import { retryAfterMs } from '#paypal/retry-after.ts'
import { oauthSignature } from '../../shared/oauth-signature.ts'
import { type SourceLocation, sourceAddress } from './source-address.ts'
import { SourceError } from './source-error.ts'

export type SourceKey = { readonly consumerKey: string; readonly consumerSecret: string }

export type SourceQuery = Readonly<Record<string, string | number>>

/** An answer of the other shop. `total` and `pages` are null where its headers are missing. */
export type SourceAnswer = { readonly body: unknown; readonly total: number | null; readonly pages: number | null }

/** A connection to the REST interface of another shop. It sends GET requests only. */
export type SourceConnection = {
  readonly location: SourceLocation
  /**
   * Reads a path below `wc/v3/`.
   * @returns null if the shop has no such route
   * @throws SourceError
   */
  read(path: string, query?: SourceQuery): Promise<SourceAnswer | null>
  /** Reads the public index of the shop's REST interface; null if it cannot be read. */
  readIndex(): Promise<unknown>
}

export type ConnectionOptions = {
  readonly address: string
  readonly key: SourceKey
  /** Allows plain http to a host other than this machine. */
  readonly insecureHttp: boolean
  /** Sends the key in the query over https, for servers that drop the header `Authorization`. */
  readonly keyInQuery?: boolean
  /** Called before each repetition. */
  readonly onRetry?: (problem: string, waitMs: number) => void
}

const timeoutMs = 60_000
const mostBytes = 64 * 1024 ** 2
const attempts = 7
const longestWaitMs = 120_000
const mostRedirects = 3

type Tools = Pick<Environment, 'network' | 'clock' | 'chance'>

/** @throws SourceError for an address that cannot be used */
export function connectToSource(tools: Tools, options: ConnectionOptions): SourceConnection {
  const location = sourceAddress(options.address, options.insecureHttp)
  const api = (path: string) => new URL(`${location.root}/wp-json/wc/v3/${path}`)
  return {
    location,
    async read(path, query = {}) {
      const url = api(path)
      for (const [name, value] of Object.entries(query)) url.searchParams.append(name, String(value))
      const { status, body, headers } = await readRepeatedly(tools, options, location, url)
      if (status === 404) return null
      if (status !== 200) throw new SourceError(refusalText(url, status, body), { status })
      return { body, total: figure(headers.get('x-wp-total')), pages: figure(headers.get('x-wp-totalpages')) }
    },
    async readIndex() {
      const answer = await readRepeatedly(tools, options, location, new URL(`${location.root}/wp-json/`), false)
      return answer.status === 200 ? answer.body : null
    },
  }
}

type Read = { readonly status: number; readonly body: unknown; readonly headers: Headers }

/** Repeats a request after 429, a server error, a broken connection or an answer that is no JSON. */
async function readRepeatedly(
  tools: Tools,
  options: ConnectionOptions,
  location: SourceLocation,
  url: URL,
  signed = true,
): Promise<Read> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await readOnce(tools, options, location, url, signed).catch((error: unknown) => {
      if (error instanceof SourceError && !error.retryable) throw error
      return { problem: error instanceof Error ? problemText(error) : String(error), waitMs: undefined }
    })
    if (!('problem' in result)) return result
    if (attempt === attempts) throw new SourceError(`${place(url)}: ${result.problem}, ${attempts} times in a row`)
    const backOffMs = 1000 * 2 ** (attempt - 1) * (0.75 + tools.chance.fraction() / 2)
    const waitMs = Math.min(result.waitMs ?? backOffMs, longestWaitMs)
    options.onRetry?.(result.problem, waitMs)
    await tools.clock.sleep(waitMs)
  }
}

async function readOnce(
  tools: Tools,
  options: ConnectionOptions,
  location: SourceLocation,
  first: URL,
  signed: boolean,
): Promise<Read | { readonly problem: string; readonly waitMs: number | undefined }> {
  let url = first
  for (let redirects = 0; ; redirects += 1) {
    const request = signed ? authorized(tools, options, location, url) : { url, headers: {} }
    const response = await tools.network.fetch(request.url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', 'user-agent': 'Vitrine migration', ...request.headers },
      // The operator typed the address; a loopback one is a copy of the shop on this machine.
      ...(location.loopback ? {} : { reach: 'internet' as const }),
    })
    const target = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && target) {
      await response.body?.cancel()
      url = redirectTarget(url, target, location, redirects)
      continue
    }
    if (response.status === 429 || response.status >= 500) {
      const waitMs = retryAfterMs(response.headers, tools.clock.now())
      await response.body?.cancel()
      return { problem: `status ${response.status}`, waitMs }
    }
    return { status: response.status, body: await jsonOf(response, url), headers: response.headers }
  }
}

/** Follows a redirect within the same origin only: the key must not reach another server. */
function redirectTarget(from: URL, target: string, location: SourceLocation, redirects: number): URL {
  const url = URL.parse(target, from)
  if (!url || url.origin !== location.origin) {
    const text = url ? `${url.origin}${url.pathname}` : target.slice(0, 200)
    throw new SourceError(
      `the shop redirects to ${text}: redirects to another host are not followed. Use that address.`,
    )
  }
  if (redirects >= mostRedirects) throw new SourceError(`${place(from)}: more than ${mostRedirects} redirects`)
  return url
}

function authorized(
  { clock, chance }: Tools,
  { key, keyInQuery = false }: ConnectionOptions,
  location: SourceLocation,
  plain: URL,
): { readonly url: URL; readonly headers: Record<string, string> } {
  const url = new URL(plain)
  const { consumerKey, consumerSecret } = key
  if (url.protocol === 'https:' && !keyInQuery) {
    const pair = Buffer.from(`${consumerKey}:${consumerSecret}`, 'utf8').toString('base64')
    return { url, headers: { authorization: `Basic ${pair}` } }
  }
  if (url.protocol === 'https:') {
    url.searchParams.set('consumer_key', consumerKey)
    url.searchParams.set('consumer_secret', consumerSecret)
    return { url, headers: {} }
  }
  for (const [name, value] of [
    ['oauth_consumer_key', consumerKey],
    ['oauth_timestamp', String(Math.floor(clock.now().getTime() / 1000))],
    ['oauth_nonce', chance.hex(16)],
    ['oauth_signature_method', 'HMAC-SHA256'],
  ] as const) {
    url.searchParams.set(name, value)
  }
  const parameters = [...url.searchParams]
  const signed = { method: 'GET', url: `${location.origin}${url.pathname}`, parameters }
  url.searchParams.set('oauth_signature', oauthSignature(signed, consumerSecret, 'HMAC-SHA256'))
  return { url, headers: {} }
}

async function jsonOf(response: Response, url: URL): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new SourceError(`${place(url)}: the answer is larger than ${mostBytes / 1024 ** 2} MB`)
    chunks.push(chunk)
  }
  // Some servers put a mark before the text.
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    // A page of a login, a firewall or maintenance is no answer; a broken one may come whole the next time.
    if (response.status === 404) return null
    throw new SourceError('the answer is not JSON', { retryable: true })
  }
}

function refusalText(url: URL, status: number, body: unknown): string {
  const { code = '', message = '' } = isMembers(body) ? body : {}
  const said = [code, message].filter((text) => typeof text === 'string' && text !== '').join(': ')
  if (status === 401 || status === 403) {
    return `the shop refuses the key for ${place(url)} (status ${status}${said && `, ${said.slice(0, 300)}`}). It needs a key with read permission of an administrator.`
  }
  return `${place(url)} answers with status ${status}${said && `: ${said.slice(0, 300)}`}`
}

/** Describes the request without its query, which may hold the key. */
const place = (url: URL) => `${url.host}${url.pathname}`

function problemText(error: Error): string {
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message
}

function figure(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header.trim()) ? Number(header) : null
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
