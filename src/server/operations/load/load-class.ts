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

/** What a request counts as, by its address alone: nothing of it was read, and nobody was asked who sends it. */
export type RequestLoad = {
  readonly load: PageLoad
  /** Whether it is by this that somebody begins to check out, who could as well begin later. */
  readonly begins: boolean
  /** What an answer to it is written for. */
  readonly speaks: 'page' | 'json' | 'text'
  /** Null: it is asked in no language but the shop's own. */
  readonly language: string | null
  /** Whether it comes with a session of its own, if it is about anything. */
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

/** What no route knows is answered by a page that says so. */
const unknown = page('anonymous-page')
/** Its action may stand in what was posted, which nobody reads before it is let in; our own scripts ask there for words. */
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

/** @param address path and query, as they stand in the first line of the request */
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

/** A call by name comes before pages, at whatever address. */
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
  // Where even its words cannot be had, it is at least known whose language it is.
  const addresses = await addressesIn(app.inLanguage(language.tag).tools).catch(() => null)
  return { language: language.tag, path: addresses?.known(path) ?? path }
}
