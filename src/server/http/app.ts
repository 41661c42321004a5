import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { getPath } from 'hono/utils/url'
import { isNumberText } from '#contract/shared/number-text.ts'
import { hitParameter } from '#contract/statistics/statistics.ts'
import { isDatabaseTrouble } from '#database/engine/connect.ts'
import { SearchUnavailable } from '#shop/catalog/search-catalog.ts'
import { makePrivate } from '../cache/shared-cache-headers.ts'
import { answerCall } from '../calls/shared/answer-call.ts'
import { adminAjaxCall, restCalls, wcAjaxCall } from '../calls/shared/call-routes.ts'
import { noRoute, refuse } from '../calls/shared/refuse-call.ts'
import { statsHitCall } from '../calls/statistics/stats-hit.ts'
import { readyAnswer } from '../operations/metrics/readiness.ts'
import { sourceStack } from '../operations/metrics/source-stack.ts'
import { answersBy, noTracer, type Tracer } from '../operations/metrics/tracer.ts'
import type { Application } from '../operations/startup/application.ts'
import { acceptAddLink } from '../pages/cart/product-form.ts'
import { comingSoonAnswer } from '../pages/content/coming-soon.tsx'
import { errorPage, presentable } from '../pages/shared/error-page.tsx'
import { pageRoutes } from '../pages/shared/page-routes.ts'
import { refusedSpeculation } from '../pages/shared/speculation-rules.ts'
import { editorMode } from '../translation/editor-mode.ts'
import { permanentRedirect, resolveLocale } from '../translation/locale-routing.ts'
import { BadBody } from './request/body-limits.ts'
import { unknownProxy } from './request/undeclared-proxy.ts'
import { addressFault } from './request/validate-url.ts'
import { recordRefusal } from './security/log-refusal.ts'
import { baseHeaders } from './security/security-headers.ts'
import { mediaAnswer, publicFile } from './static-files.ts'
import { Visit, type VisitFacts } from './visit.ts'
import { movedElsewhere } from './well-known-paths.ts'

/** Facts about the request that are not in its headers or URL. */
export type RequestFacts = { readonly ip: string }

export type App = (request: Request, facts: RequestFacts) => Promise<Response>

/** The shop as one function from requests to answers: no port, no globals. */
export function createApp(app: Application, tracer: Pick<Tracer, 'request'> = noTracer): App {
  const routes = shopRoutes(app)
  const answerTo = (visit: Visit) =>
    Promise.resolve(routes.fetch(visit.request, { visit })).catch((error: unknown) => errorResponse(visit, error))
  const lookForProxy = unknownProxy(app)
  return (request, { ip }) => {
    lookForProxy(request, ip)
    const requestId = app.tools.chance.hex(8)
    return tracer.request(request, requestId, () => answer(request, { requestId, ip }))
  }

  async function answer(request: Request, facts: VisitFacts): Promise<Response> {
    const resolved = await resolveLocale(app, request, facts).catch(async (error: unknown) => {
      const visit = new Visit(app, request, facts)
      return { visit, instead: await errorResponse(visit, error) }
    })
    const { visit, instead } = resolved
    const fault = addressFault(visit.url)
    if (fault) return withHeaders(visit, unreadable(visit, fault))
    if (instead instanceof Response) return withHeaders(visit, instead)
    const refused = refusedSpeculation(visit)
    if (refused) return withHeaders(visit, refused)
    if (instead === 'nothing')
      return withHeaders(visit, await notFoundPage(visit).catch((error: unknown) => errorResponse(visit, error)))
    if (instead) return withHeaders(visit, permanentRedirect(request, instead.leadOn))
    const answerOf = async (asked: Visit) => {
      const response = await answerTo(asked)
      return (response.status === 404 ? await movedElsewhere(asked, resolveAsAnonymous(facts)) : null) ?? response
    }
    // If this check fails, the page itself reports the error.
    const editing = await editorMode(visit, facts).catch(() => null)
    if (!editing) return withHeaders(visit, await answerOf(visit))
    return withHeaders(
      editing.visit,
      await editing.answer(answerOf).catch((error: unknown) => errorResponse(visit, error)),
    )
  }

  /** Resolves another address as an anonymous visitor would, without the current visitor's data. */
  function resolveAsAnonymous(facts: VisitFacts) {
    return async (url: URL) => {
      const { visit, instead } = await resolveLocale(app, new Request(url), facts)
      if (instead === 'nothing') return null
      const there = await answerTo(visit)
      await there.body?.cancel()
      if (there.status >= 400) return null
      if (instead instanceof Response) return null
      return instead === null ? url.pathname + url.search : instead.leadOn
    }
  }
}

function shopRoutes(app: Application) {
  const routes = new Hono<{ Bindings: { visit: Visit } }>({
    strict: true,
    // Routes match the localized path's original. Creating another `Request` per request would be expensive.
    getPath: (request, options) => {
      const path = options?.env?.visit.url.pathname
      return path === undefined || path.includes('%') ? getPath(translatedRequest(request, options?.env?.visit)) : path
    },
  })

  // Calls by name come before pages: the parameter works on every address.
  routes.use(async ({ env: { visit } }, next) => {
    const endpoint = visit.url.searchParams.get('wc-ajax')
    if (endpoint === null) return visit.url.searchParams.has(hitParameter) ? answerCall(visit, statsHitCall) : next()
    const call = wcAjaxCall(endpoint)
    if (call) answersBy(`wc-ajax ${call.name}`)
    return call ? answerCall(visit, call) : unknownEndpoint(200, '')
  })
  routes.all('/wp-admin/admin-ajax.php', async ({ env: { visit }, req }) => {
    const posted = req.method === 'POST' ? (await visit.fields()).action : undefined
    const action = visit.url.searchParams.get('action') ?? (typeof posted === 'string' ? posted : '')
    const call = adminAjaxCall(action)
    if (call) answersBy(`admin-ajax ${call.name}`)
    return call ? answerCall(visit, call) : unknownEndpoint(400, '0')
  })
  for (const [path, calls] of restCalls) {
    routes.all(path, ({ env: { visit }, req }) => {
      answersBy(path)
      const params: Readonly<Record<string, string>> = req.param()
      return hasNonCanonicalId(params) ? noRoute() : answerCall(visit, calls, params)
    })
  }
  routes.all('/wp-json/*', () => noRoute())
  routes.get('/media/:file', ({ env: { visit }, req }) => mediaAnswer(app, visit.request, req.param('file')))
  routes.get('/assets/:file', ({ env: { visit }, req }) =>
    publicFile(app, visit.request, `assets/${req.param('file')}`),
  )
  routes.get('/healthz', () => new Response('ok', { headers: { 'Cache-Control': 'no-store' } }))
  routes.get('/readyz', ({ env: { visit } }) => readyAnswer(visit))
  for (const { method, path, answer } of pageRoutes) {
    routes.on(method === 'GET' ? ['GET', 'HEAD'] : [method], path, ({ env: { visit }, req }) => {
      answersBy(path)
      return comingSoonAnswer(visit).then(async (closed) =>
        presentable(visit, closed ?? (await answer(visit, req.param()))),
      )
    })
  }
  routes.notFound(({ env: { visit } }) => notFoundPage(visit))
  // Hono's own handler would write to the console; an unexpected error is one line of our log instead.
  routes.onError((error, { env: { visit } }) => errorResponse(visit, error))
  return routes
}

/** Checks for an id in a non-canonical form, as `007` or `7.0`: each resource has one address. */
const hasNonCanonicalId = (params: Readonly<Record<string, string>>) =>
  Object.entries(params).some(
    ([name, value]) =>
      /^(?:id|\w+_id)$/.test(name) &&
      !(name === 'zone_id' && value === '0') &&
      !Number.isNaN(Number(value)) &&
      !isNumberText(value),
  )

/** The "not found" page also shows products. */
const notFoundPage = async (visit: Visit) =>
  (await comingSoonAnswer(visit)) ?? (await acceptAddLink(visit)) ?? errorPage(visit, 404)

/** Returns a minimal request with the localized path translated back, for route matching. */
const translatedRequest = (request: Request, visit: Visit | undefined) => (visit ? new Request(visit.url) : request)

async function errorResponse(visit: Visit, error: unknown): Promise<Response> {
  if (error instanceof BadBody) {
    return new Response(error.message, {
      status: error.status,
      headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
    })
  }
  if (error instanceof HTTPException) return error.getResponse()
  const isAway = error instanceof SearchUnavailable
  const cause = isAway ? error.cause : error
  const busy = isDatabaseTrouble(cause)
  const stack = cause instanceof Error ? cause.stack : undefined
  visit.app.tools.log.error(
    {
      requestId: visit.requestId,
      method: visit.request.method,
      path: visit.url.pathname,
      error: String(cause),
      // A failing database is not a bug of the source, and fails many requests at once: its stack is not mapped.
      stack: stack === undefined || busy ? stack : await sourceStack(stack),
    },
    busy ? 'database did not answer' : 'request failed',
  )
  // A repeated search reloads the search index.
  return errorPage(visit, busy || isAway ? 503 : 500)
}

/**
 * Adds the headers of every response and the cookies of this visit. They are set on the response's own headers:
 * wrapping its body in another response would turn a finished text into a stream.
 */
async function withHeaders(visit: Visit, response: Response): Promise<Response> {
  const { headers } = response
  headers.set('X-Request-Id', visit.requestId)
  const leadsTo = headers.get('Location')
  if (leadsTo) headers.set('Location', visit.path(leadsTo))
  await recordRefusal(visit, response.status)
  const cookies = await visit.cookies()
  // Unpublished languages are for translators only, and a cookie must not be served to other visitors.
  if (!visit.app.language.published || cookies.length > 0) makePrivate(headers)
  for (const [name, value] of Object.entries(baseHeaders(visit.app.secure))) {
    if (!headers.has(name)) headers.set(name, value)
  }
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  visit.app.tools.checkpoint('before the answer')
  return visit.request.method === 'HEAD' ? new Response(null, { status: response.status, headers }) : response
}

function unreadable({ url }: Visit, status: 400 | 414): Response {
  const [code, text] =
    status === 414
      ? ['rest_uri_too_long', 'This address is too long.']
      : ['rest_invalid_uri', 'This address cannot be read.']
  const door = url.pathname.startsWith('/wp-json/') ? 'rest' : 'form'
  return refuse({ door }, status, code, text, { 'Cache-Control': 'no-store' })
}

function unknownEndpoint(status: number, body: string): Response {
  return new Response(body, {
    status,
    headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
  })
}
