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
 * What Node's server calls. A page that is finished goes out as bytes at once, without a request or response object of
 * the web's kind: that is most of what a shop answers, and most of what those objects cost.
 */
export function createListener(
  app: App,
  pageCache: PageCache,
  /** Whether what a stranger sees depends on nothing but the address. */
  sameForAll: () => boolean = () => true,
  /** Who is let in while there is too much to do; left out: everybody. */
  gate?: LoadGate,
): RequestListener {
  // Puts a Response of its own in the place of the platform's: one whose text goes out as it is, without becoming a stream.
  const rest = getRequestListener((request, env) => {
    const { incoming } = env as { incoming?: IncomingMessage }
    // The host is the sender's word, and `127.0x0.1` looks like one: there is no address that such a request asks for.
    if (!URL.canParse(request.url)) {
      return new Response('This address cannot be read.', { status: 400, headers: baseHeaders(false) })
    }
    const answer = () => app(request, { ip: incoming?.socket?.remoteAddress ?? '' })
    return gate && incoming ? gate.through(incoming, answer) : answer()
  })
  return (request, response) => {
    const kind = observeRequest(request, response)
    if (namesHostTwice(request)) return refuse(response)
    // Need not name one, and balancers ask by it whether the shop lives. No answer depends on the name.
    if (request.httpVersion === '1.0') request.headers.host ??= 'localhost'
    if (!sameForAll() || !answerFromCache(pageCache, request, response, kind)) void rest(request, response)
  }
}

/** RFC 9112, section 3.2: servers that stand in a row might each believe another one of two hosts. */
function namesHostTwice({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Ends the connection too: what else comes over it was meant for nobody knows whom. */
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

/** Whether the cookies may say that this visitor sees something else than a stranger. */
function isOfOne(cookie: string | undefined): boolean {
  return cookie !== undefined && (cookie.includes(noticesCookie) || cookie.includes(`${currencyCookie}=`))
}

function answerFromCache(
  pageCache: PageCache,
  request: IncomingMessage,
  response: ServerResponse,
  kind: RequestKind,
): boolean {
  const { method, url, headers } = request
  if (method !== 'GET' || url === undefined || isOfOne(headers.cookie)) return false
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
  // Compressed when first asked for, by the longer way.
  if (!body) return false
  response.writeHead(page.status, {
    ...page.headers,
    'Content-Length': body.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  })
  response.end(body)
  return true
}
