import { urls } from '#contract/shared/urls.ts'
import {
  editorNonces,
  editorParameter,
  editorUrl,
  type FrameFacts,
  frameElementId,
} from '#contract/translation/editor.ts'
import { findShown } from '#database/translation/editor-texts.ts'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { normalise } from '#domain/translation/normalise.ts'
import { jsonForScript } from '#web/pages/shared/json-for-script.ts'
import { noPages } from '../cache/page-cache.ts'
import { makePrivate } from '../cache/shared-cache-headers.ts'
import type { Visit, VisitFacts } from '../http/visit.ts'
import type { Application } from '../operations/startup/application.ts'
import { makeShopContext } from '../pages/shared/shop-context.ts'
import { candidatesIn, type Mark, withMarks } from './editor-marks.ts'
import { emptyRecord, recordingTranslator, type TranslationRecord } from './editor-record.ts'

/**
 * The shop in the editor's frame: the same pages, with marked texts. Only translators get it, by an address with a key
 * of the session; it is never cached, and nothing can be bought in it.
 */
export type EditorMode = {
  /** The visit of the page itself, in a shop that records its translations. */
  readonly visit: Visit
  /** @param ask answers within the recording shop */
  answer(ask: (visit: Visit) => Promise<Response>): Promise<Response>
}

/** Calls allowed in the editor: they fill or show a cart, and sell nothing. */
const harmless =
  /^(?:get_refreshed_fragments|add_to_cart|remove_from_cart|get_cart_totals|apply_coupon|remove_coupon|update_shipping_method|update_order_review|get_variation)$/

/** @returns null for requests outside of the editor's frame */
export async function editorMode(visit: Visit, facts: VisitFacts): Promise<EditorMode | null> {
  const asked = askedWith(visit)
  if (!asked) return null
  const { role } = await visit.session()
  if (role === null || !mayActAs(role, 'translator')) return null
  if (!(await visit.isNonce(asked.key, editorNonces.frame))) return null
  const record = emptyRecord()
  const url = new URL(visit.url)
  for (const name of [editorParameter.parameter, editorParameter.key]) url.searchParams.delete(name)
  const request = new Request(url, visit.request)
  // The page is read and changed before it is sent.
  for (const name of ['accept-encoding', 'if-none-match']) request.headers.delete(name)
  const inside = visit.of(viewOf(visit.app, record), request, facts)
  return {
    visit: inside,
    async answer(ask) {
      if (sells(inside)) return new Response('Nothing is sold in the editor.', { status: 403 })
      return marked(inside, await ask(inside), record, asked.key)
    },
  }
}

/** Checks for a request that does more than fill or show a cart. */
function sells({ request: { method }, url }: Visit): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const call = url.searchParams.get('wc-ajax')
  return call === null || !harmless.test(call)
}

/** Returns the key of the page itself, or of the page that sent a call. */
function askedWith({ url, request }: Visit): { key: string } | null {
  if (url.search.includes(editorParameter.parameter)) return keyIn(url)
  const referer = request.headers.get('referer')
  if (!referer?.includes(editorParameter.parameter) || !URL.canParse(referer)) return null
  const isPage = request.method === 'GET' && !url.searchParams.has('wc-ajax')
  return isPage || url.pathname.startsWith(urls.adminAjax) ? null : keyIn(new URL(referer))
}

function keyIn({ searchParams }: URL): { key: string } | null {
  return searchParams.get(editorParameter.parameter) === editorParameter.value
    ? { key: searchParams.get(editorParameter.key) ?? '' }
    : null
}

function viewOf(app: Application, record: TranslationRecord): Application {
  const { tools, language } = app
  let shop: ReturnType<Application['shop']> | null = null
  const view: Application = {
    ...app,
    language,
    tools: { ...tools, paypal: null, translator: async () => recordingTranslator(await tools.translator(), record) },
    provider: null,
    // Marked pages must not be cached for others.
    pageCache: noPages,
    shop() {
      shop ??= makeShopContext(view)
      return shop
    },
  }
  return view
}

async function marked(visit: Visit, response: Response, record: TranslationRecord, key: string): Promise<Response> {
  const headers = new Headers(response.headers)
  const leadsTo = headers.get('Location')
  if (leadsTo?.startsWith('/') && !leadsTo.startsWith('//')) headers.set('Location', editorUrl(leadsTo, key))
  makePrivate(headers)
  headers.set('X-Robots-Tag', 'noindex')
  for (const name of ['ETag', 'Speculation-Rules', 'Content-Length']) headers.delete(name)
  const type = headers.get('content-type') ?? ''
  const init = { status: response.status, headers }
  if (type.startsWith('application/json')) {
    const answer: unknown = JSON.parse(await response.text())
    const html = markupIn(answer)
    const mark = await marksFor(visit, html, record)
    return Response.json(
      replaceMarkup(answer, (one) => withMarks(one, mark.of, mark.parts)),
      init,
    )
  }
  if (!type.startsWith('text/html')) return new Response(response.body, init)
  headers.set('X-Frame-Options', 'SAMEORIGIN')
  const policy = headers.get('Content-Security-Policy')
  if (policy) headers.set('Content-Security-Policy', policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"))
  const html = await response.text()
  const { of, parts } = await marksFor(visit, [html], record)
  const { script, css } = visit.app.assets.editor.frame
  const links = `${css.map((href) => `<link rel="stylesheet" href="${href}">`).join('')}<script type="module" src="${script}"></script>`
  const facts = `<script type="application/json" id="${frameElementId}">${jsonForScript(await frameFactsOf(visit, key))}</script>`
  const page = withMarks(html, of, parts)
    .replace('</head>', () => `${links}</head>`)
    // A cart with marks must not be stored for pages outside of the editor.
    .replace('"fragment_name":"', '"fragment_name":"edited_')
    .replace(/<\/body>(?![\s\S]*<\/body>)/, () => `${facts}</body>`)
  return new Response(page, init)
}

async function frameFactsOf(visit: Visit, key: string): Promise<FrameFacts> {
  const { app, url } = visit
  const { t } = await app.shop()
  return {
    language: app.language.tag,
    // Only for reading: scripts in the frame cannot save anything.
    nonce: key,
    ajaxUrl: urls.adminAjax,
    key,
    path: url.pathname + url.search,
    words: {
      edit: t('Translate this text'),
      outside: t('This link leads outside the shop.'),
      notHere: t('Nothing is sent from here. Open the shop itself to use this form.'),
    },
  }
}

type Marks = { of: (shown: string, markup: boolean) => Mark | undefined; parts: readonly string[] }

const groups = { interface: 'Interface', content: 'Shop content', slug: 'Slugs' } as const

/** Returns the marks of these pieces of markup: from the recorded translations, and from the memory. */
async function marksFor(visit: Visit, pieces: readonly string[], { texts, markup }: TranslationRecord): Promise<Marks> {
  const { tools, language } = visit.app
  const shown = pieces.map(candidatesIn)
  const spoken = [...texts, ...markup]
  const unknown = [
    ...shown.flatMap((one) => one.texts.filter((text) => !texts.has(text))),
    ...shown.flatMap((one) => one.markup.filter((text) => !markup.has(text))),
  ]
  const [ids, found] = await Promise.all([
    saveOriginalsForIds(
      tools.db.kysely,
      spoken.map(([, { original }]) => ({ ...original, path: visit.url.pathname })),
      visit.now,
    ),
    findShown(tools.db.kysely, language.tag, [...new Set(unknown)]),
  ])
  const known = { text: new Map<string, Mark>(), markup: new Map<string, Mark>() }
  for (const { id, area, markup: isMarkup, text } of found) {
    const map = isMarkup ? known.markup : known.text
    const at = normalise(text)
    if (!map.has(at)) map.set(at, { id, group: groups[area], markup: isMarkup })
  }
  for (const [index, [text, { original, values, form }]] of spoken.entries()) {
    const id = ids[index]
    const isMarkup = original.markup === true
    if (id)
      (isMarkup ? known.markup : known.text).set(text, {
        id,
        group: groups[original.area],
        values,
        form,
        markup: isMarkup,
      })
  }
  return {
    of: (text, isMarkup) => (isMarkup ? (known.markup.get(text) ?? known.text.get(text)) : known.text.get(text)),
    // Short texts match within others by chance.
    parts: [...texts.keys()].filter((text) => text.length > 2).sort((one, other) => other.length - one.length),
  }
}

/** Returns the texts of a response that are markup. */
function markupIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trimStart().startsWith('<') ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(markupIn) : []
}

function replaceMarkup(value: unknown, change: (html: string) => string): unknown {
  if (typeof value === 'string') return value.trimStart().startsWith('<') ? change(value) : value
  if (Array.isArray(value)) return value.map((one) => replaceMarkup(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaceMarkup(one, change)]))
}
