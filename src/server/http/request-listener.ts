import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { encodingOf, isKnown, type PageCache } from '../cache/page-cache.ts'
import { currencyCookie } from '../currency/currency-choice.ts'
import type { LoadGate } from '../operations/load/load-gate.ts'
import { countPage, observeRequest, type RequestKind } from '../operations/metrics/request-metrics.ts'
import type { App } from './app.ts'
import { baseHeaders } from './security/security-headers.ts'
import { noticesCookie } from './visit.ts'

/**
 * Returns the request listener of Node's server. A cached page is sent as bytes at once, without web `Request` and
 * `Response` objects: that covers most requests, and avoids most of the cost.
 */
export function createListener(
  app: App,
  pageCache: PageCache,
  /** Returns true if pages for anonymous visitors depend on the address alone. */
  sameForAll: () => boolean = () => true,
  /** Load shedding; absent: every request is admitted. */
  gate?: LoadGate,
): RequestListener {
  // Replaces the platform's `Response` by one whose text is sent directly, without a stream.
  const rest = getRequestListener((request, env) => {
    const { incoming } = env as { incoming?: IncomingMessage }
    // The client chooses the host, and `127.0x0.1` looks like one: a request without a valid URL is rejected.
    if (!URL.canParse(request.url)) {
      return new Response('This address cannot be read.', { status: 400, headers: baseHeaders(false) })
    }
    const answer = () => app(request, { ip: incoming?.socket?.remoteAddress ?? '' })
    return gate && incoming ? gate.through(incoming, answer) : answer()
  })
  return (request, response) => {
    const kind = observeRequest(request, response)
    if (namesHostTwice(request)) return refuse(response)
    // HTTP/1.0 does not require a host, and load balancers use it for health checks. No response depends on the host.
    if (request.httpVersion === '1.0') request.headers.host ??= 'localhost'
    if (!sameForAll() || !answerFromCache(pageCache, request, response, kind)) void rest(request, response)
  }
}

/** RFC 9112, section 3.2: two proxies might each trust another one of two hosts. */
function namesHostTwice({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Closes the connection too: the rest of its data cannot be attributed to a request. */
function refuse(response: ServerResponse): void {
  const said = 'A request names one host.'
  response.writeHead(400, {
    ...baseHeaders(false),
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': said.length,
    'Cache-Control': 'no-store',
    Connection: 'close',
  })
  response.end(said)
}

/** Checks whether cookies may make this visitor's page differ from the cached one. */
function hasPersonalCookies(cookie: string | undefined): boolean {
  return cookie !== undefined && (cookie.includes(noticesCookie) || cookie.includes(`${currencyCookie}=`))
}

function answerFromCache(
  pageCache: PageCache,
  request: IncomingMessage,
  response: ServerResponse,
  kind: RequestKind,
): boolean {
  const { method, url, headers } = request
  if (method !== 'GET' || url === undefined || hasPersonalCookies(headers.cookie)) return false
  const page = pageCache.get(url)
  if (kind === 'page') countPage(page ? 'hit' : 'miss')
  if (!page) return false
  if (isKnown(page, headers['if-none-match'])) {
    response.writeHead(304, page.headers)
    response.end()
    return true
  }
  const encoding = encodingOf(page, headers['accept-encoding'] as string | undefined)
  const body = page.encoded.get(encoding)
  // Not compressed yet: the slower path compresses it.
  if (!body) return false
  response.writeHead(page.status, {
    ...page.headers,
    'Content-Length': body.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  })
  response.end(body)
  return true
}
