import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { hitParameter } from '#contract/statistics/statistics.ts'
import { splitPath } from '#contract/translation/languages.ts'
import { addressesIn } from '#shop/translation/localized-paths.ts'
import { adminAjaxCall, restCalls, wcAjaxCall } from '../../calls/shared/call-routes.ts'
import type { Call } from '../../calls/shared/define-call.ts'
import { type PageLoad, pageRoutes } from '../../pages/shared/page-routes.ts'
import { plainRestPath } from '../../rest/rest-path.ts'
import type { Application } from '../startup/application.ts'

/** The load class of a request, from its address alone: neither body nor session has been read. */
export type RequestLoad = {
  readonly load: PageLoad
  /** True if the request begins a checkout, which could wait. */
  readonly begins: boolean
  /** Format of the response. */
  readonly speaks: 'page' | 'json' | 'text'
  /** Null: the shop's own language. */
  readonly language: string | null
  /** True if the client sends a session with such a request. */
  readonly ofSession: boolean
}

type Routed = Pick<RequestLoad, 'load' | 'begins' | 'speaks' | 'ofSession'>

const page = (load: PageLoad, begins = false): Routed => ({ load, begins, speaks: 'page', ofSession: false })
const byCall = ({ load, output, identity }: Pick<Call, 'load' | 'output' | 'identity'>): Routed => ({
  load,
  begins: false,
  speaks: output === 'json' ? 'json' : 'text',
  ofSession: identity === 'own-session',
})

/** Unknown paths are answered by the "not found" page. */
const unknown = page('anonymous-page')
/**
 * The action may be in the body, which is not read before admission; the shop's own scripts request translations there.
 */
const unnamedAction: Routed = { load: 'translation', begins: false, speaks: 'text', ofSession: false }

const routes = new SmartRouter<Routed>({ routers: [new RegExpRouter(), new TrieRouter()] })
for (const path of ['/healthz', '/readyz', '/media/:file', '/assets/:file']) routes.add('ALL', path, page('never'))
for (const [path, calls] of restCalls)
  for (const call of calls) {
    for (const method of [call.method, ...(call.alsoMethods ?? [])]) routes.add(method, path, byCall(call))
    routes.add('ALL', path, byCall(call))
  }
for (const { method, path, load, identity } of pageRoutes) {
  const begins = method === 'GET' && path === '/checkout/'
  routes.add(method, path, { ...page(load, begins), ofSession: identity === 'own-session' })
}

/** @param address path and query, as in the request line */
export async function loadOf(app: Application, method: string, address: string): Promise<RequestLoad> {
  const at = address.indexOf('?')
  const asked = at < 0 ? address : address.slice(0, at)
  const named = at < 0 ? null : byParameter(asked, address.slice(at))
  const { language, path: meant } = await inOwnWords(app, asked)
  if (named) return { ...named, language }
  const path = plainRestPath(meant, at < 0 ? '' : address.slice(at)) ?? meant
  const verb = method === 'HEAD' ? 'GET' : method
  if (path === '/wp-admin/admin-ajax.php') return { ...unnamedAction, language }
  return { ...(routes.match(verb, path)[0][0]?.[0] ?? unknown), language }
}

/** Calls by name come before pages, at any address. */
function byParameter(path: string, query: string): Routed | null {
  if (path === '/wp-admin/admin-ajax.php') {
    const action = new URLSearchParams(query).get('action')
    return action === null ? null : ofCall(adminAjaxCall(action))
  }
  if (query.includes('wc-ajax=')) {
    const name = new URLSearchParams(query).get('wc-ajax')
    if (name !== null) return ofCall(wcAjaxCall(name))
  }
  if (!query.includes(hitParameter)) return null
  return { load: 'statistics', begins: false, speaks: 'json', ofSession: false }
}

const ofCall = (call: Call | undefined): Routed => (call ? byCall(call) : unknown)

async function inOwnWords(app: Application, asked: string): Promise<{ language: string | null; path: string }> {
  const languages = app.languages()
  if (languages.length === 1) return { language: null, path: asked }
  const { language, path } = splitPath(languages, asked)
  if (!language) return { language: null, path: asked }
  // If its localized paths cannot be loaded, the language itself is still known.
  const addresses = await addressesIn(app.inLanguage(language.tag).tools).catch(() => null)
  return { language: language.tag, path: addresses?.known(path) ?? path }
}
