import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { addressFault } from './address-check.ts'
import { answerCall } from './answer-call.ts'
import type { Application } from './application.ts'
import { BadBody } from './body-limits.ts'
import { errorPage } from './pages/error.tsx'
import { pageRoutes } from './pages/routes.ts'
import { restCalls, wcAjaxCall } from './routes.ts'
import { baseHeaders } from './security-headers.ts'
import { mediaAnswer, publicFile } from './static-files.ts'
import { Visit } from './visit.ts'

/** What is known of a request besides itself. */
export type RequestFacts = { readonly ip: string }

export type App = (request: Request, facts: RequestFacts) => Promise<Response>

/** The shop as one function from requests to answers: no port, no globals. */
export function createApp(app: Application): App {
  const routes = shopRoutes(app)
  return async (request, { ip }) => {
    const visit = new Visit(app, request, { requestId: app.tools.chance.hex(8), ip })
    const fault = addressFault(visit.url)
    if (fault) return finished(visit, unreadable(fault))
    const response = await Promise.resolve(routes.fetch(request, { visit })).catch((error: unknown) =>
      failed(visit, error),
    )
    return finished(visit, response)
  }
}

function shopRoutes(app: Application) {
  const routes = new Hono<{ Bindings: { visit: Visit } }>({ strict: true })

  // A call by name comes before pages: the parameter works on every address.
  routes.use(async ({ env: { visit } }, next) => {
    const endpoint = visit.url.searchParams.get('wc-ajax')
    if (endpoint === null) return next()
    const call = wcAjaxCall(endpoint)
    return call ? answerCall(visit, call) : unknownEndpoint(200, '')
  })
  routes.all('/wp-admin/admin-ajax.php', async ({ env: { visit }, req }) => {
    const posted = req.method === 'POST' ? (await visit.fields()).action : undefined
    const action = visit.url.searchParams.get('action') ?? (typeof posted === 'string' ? posted : '')
    const call = action.startsWith('woocommerce_') ? wcAjaxCall(action.slice('woocommerce_'.length)) : undefined
    return call ? answerCall(visit, call) : unknownEndpoint(400, '0')
  })
  for (const { path, call } of restCalls) {
    routes.all(path, ({ env: { visit }, req }) => answerCall(visit, call, req.param()))
  }
  routes.all('/wp-json/*', () =>
    Response.json(
      {
        code: 'rest_no_route',
        message: 'No route was found matching the URL and request method.',
        data: { status: 404 },
      },
      { status: 404 },
    ),
  )
  routes.get('/media/:file', ({ env: { visit }, req }) => mediaAnswer(app, visit.request, req.param('file')))
  routes.get('/assets/:file', ({ env: { visit }, req }) =>
    publicFile(app, visit.request, `assets/${req.param('file')}`),
  )
  routes.get('/healthz', () => new Response('ok', { headers: { 'Cache-Control': 'no-store' } }))
  for (const { method, path, answer } of pageRoutes) {
    routes.on(method === 'GET' ? ['GET', 'HEAD'] : [method], path, ({ env: { visit }, req }) =>
      answer(visit, req.param()),
    )
  }
  routes.notFound(({ env: { visit } }) => errorPage(visit, 404))
  // Hono's own handler would write to the console; everything unexpected is one line of our log instead.
  routes.onError((error, { env: { visit } }) => failed(visit, error))
  return routes
}

async function failed(visit: Visit, error: unknown): Promise<Response> {
  if (error instanceof BadBody) {
    return new Response(error.message, {
      status: error.status,
      headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
    })
  }
  if (error instanceof HTTPException) return error.getResponse()
  const busy = isDatabaseTrouble(error)
  visit.app.tools.log.error(
    {
      requestId: visit.requestId,
      method: visit.request.method,
      path: visit.url.pathname,
      error: String(error),
      stack: error instanceof Error ? error.stack : undefined,
    },
    busy ? 'the database did not answer' : 'a request failed',
  )
  return errorPage(visit, busy ? 503 : 500)
}

/** Refused or lost connections, no room, read-only, shutting down: it may work again in a moment. */
function isDatabaseTrouble(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(08|53|57P|25006|CONNECTION_|CONNECT_TIMEOUT|ECONN)/.test(code)
}

/** What every answer carries, and the cookies that this visit has collected. */
async function finished(visit: Visit, response: Response): Promise<Response> {
  const headers = new Headers(response.headers)
  headers.set('X-Request-Id', visit.requestId)
  for (const [name, value] of Object.entries(baseHeaders(visit.app.secure))) {
    if (!headers.has(name)) headers.set(name, value)
  }
  for (const cookie of await visit.cookies()) headers.append('Set-Cookie', cookie)
  const body = visit.request.method === 'HEAD' ? null : response.body
  return new Response(body, { status: response.status, headers })
}

function unreadable(status: 400 | 414): Response {
  return new Response(status === 414 ? 'This address is too long.' : 'This address cannot be read.', {
    status,
    headers: { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}

function unknownEndpoint(status: number, body: string): Response {
  return new Response(body, {
    status,
    headers: { 'Content-Type': 'text/html; charset=UTF-8', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
  })
}
