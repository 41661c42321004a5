import type { Environment, OutgoingInit } from '#contract/shared/environment.ts'

/** Result of one request. */
export type Exchange =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      /** Parsed JSON; undefined when the response has no body, or `unreadable` has the reason. */
      readonly body: unknown
      readonly unreadable: 'not-json' | 'too-large' | undefined
      readonly debugId: string | undefined
    }
  /** No usable response: the request may have had its effect. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** No connection: the request had no effect. */
  | { readonly kind: 'unreachable'; readonly reason: string }

const answerLimitBytes = 1024 * 1024

/** Failures before a byte of the request was sent. All others may have occurred after it. */
const neverSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  // The guard of `shop/shared/guarded-fetch.ts` refused the connection.
  'ERR_PRIVATE_ADDRESS',
])

/** Sends one request and reads its response within `timeoutMs`, at most 1 MB and JSON only. Follows no redirect. */
export async function exchange(
  { clock, network }: Pick<Environment, 'clock' | 'network'>,
  url: string,
  init: OutgoingInit,
  timeoutMs: number,
): Promise<Exchange> {
  const settled = new AbortController()
  const timeoutController = new AbortController()
  const timeout = clock.sleep(timeoutMs, settled.signal).then((): Exchange => {
    if (!settled.signal.aborted) timeoutController.abort()
    return { kind: 'lost', reason: `no answer within ${timeoutMs} ms` }
  })
  try {
    // Raced as well as aborted: a network that ignores the signal must not delay the shopper either.
    return await Promise.race([
      send(network, url, { ...init, redirect: 'manual', signal: timeoutController.signal }),
      timeout,
    ])
  } finally {
    // With an own reason: without one an unused error with its stack is created.
    settled.abort('settled')
  }
}

async function send(network: Environment['network'], url: string, init: OutgoingInit): Promise<Exchange> {
  try {
    const response = await network.fetch(url, init)
    const answer = {
      kind: 'answer' as const,
      status: response.status,
      headers: response.headers,
      debugId: response.headers.get('paypal-debug-id') ?? undefined,
    }
    const bytes = await readAtMost(response, answerLimitBytes)
    if (!bytes) return { ...answer, body: undefined, unreadable: 'too-large' }
    if (bytes.length === 0) return { ...answer, body: undefined, unreadable: undefined }
    if (!/^application\/([\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) {
      return { ...answer, body: undefined, unreadable: 'not-json' }
    }
    try {
      return { ...answer, body: JSON.parse(bytes.toString('utf8')), unreadable: undefined }
    } catch {
      return { ...answer, body: undefined, unreadable: 'not-json' }
    }
  } catch (error) {
    const code = failureCode(error)
    return neverSentCodes.has(code) ? { kind: 'unreachable', reason: code } : { kind: 'lost', reason: code }
  }
}

/** Reads the whole body; undefined when it is longer than `limit` bytes, and the rest is not read. */
export async function readAtMost(response: Response, limit: number): Promise<Buffer | undefined> {
  if (!response.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** Returns the system's error code of a failed fetch, from its `cause` or the list of tried addresses. */
function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure'
  const cause: unknown = error.cause
  for (const candidate of [cause, ...(cause instanceof AggregateError ? cause.errors : []), error]) {
    if (candidate instanceof Error && 'code' in candidate && typeof candidate.code === 'string') return candidate.code
  }
  return error.name
}
