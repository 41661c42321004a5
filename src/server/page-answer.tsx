import type { ReactElement } from 'react'
import type { PaymentSettings } from '#contract/payment-settings.ts'
import { walletPages } from '#contract/payment-words.ts'
import type { FrameFacts } from '#web/pages/document.tsx'
import { renderDocument } from '#web/pages/render.tsx'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'
import type { Application } from './application.ts'
import { acceptedEncoding, type CachedPage, compress, encodedBody, makePage } from './page-cache.ts'
import { type OwnSettings, type ScriptPage, scriptSettings, walletOn } from './script-settings.ts'
import { pageHeaders } from './security-headers.ts'
import { noticesCookie, type Visit } from './visit.ts'

/** What a page handler gives: the facts of the head, and the page itself. */
export type PageContent = {
  status?: number
  kind: FrameFacts['kind']
  script: ScriptPage
  title: string
  description?: string
  canonical?: string
  bodyClasses?: readonly string[]
  robots?: string
  productIds?: readonly number[]
  payment?: Partial<Pick<PaymentSettings, 'cart' | 'product'>>
  element: ReactElement
}

/**
 * A page that belongs to nobody: from the cache, or made and kept. While there may be something to tell this visitor the
 * page is made for this visitor alone, and not kept.
 * @param key address and whatever else the page depends on
 */
export async function publicPage(
  visit: Visit,
  key: string,
  make: () => Promise<PageContent | Response>,
): Promise<Response> {
  const { app } = visit
  // Also when none is left: the answer then takes the cookie back, and nobody else may be given that.
  if (visit.cookie(noticesCookie) !== undefined) {
    const content = await make()
    // Taken last: a page that could not be made leaves the notices for the next one.
    return content instanceof Response ? content : privateAnswer(visit, content, await visit.takeNotices(), null)
  }
  const kept = app.pageCache.get(key)
  if (kept) return answerPage(visit.request, kept)
  const { generation } = app.pageCache
  const content = await make()
  if (content instanceof Response) return content
  const html = renderDocument(await app.shop(), await frameOf(app, content, [], null), content.element)
  const page = makePage(
    content.status ?? 200,
    {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': 'public, max-age=0, s-maxage=60, stale-while-revalidate=600',
      Vary: 'Accept-Encoding',
      ...pageHeaders(policyOf(app, content.script), app.provider, app.secure, ''),
    },
    html,
    visit.now.getTime(),
  )
  // Compressed before it is kept, so that the cache counts what it holds.
  const answer = await answerPage(visit.request, page)
  if (page.status === 200) app.pageCache.put(key, page, generation)
  return answer
}

/** A page of one visitor: never kept by anybody. Prints the notices that wait for this visitor. */
export async function privatePage(
  visit: Visit,
  content: PageContent,
  nonces: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const notices = await visit.takeNotices()
  return privateAnswer(visit, content, notices, { nonces, cspNonce: visit.app.tools.chance.hex(16) })
}

async function privateAnswer(
  visit: Visit,
  content: PageContent,
  notices: FrameFacts['notices'],
  own: OwnSettings | null,
): Promise<Response> {
  const { app } = visit
  const html = renderDocument(await app.shop(), await frameOf(app, content, notices, own), content.element)
  const encoding = acceptedEncoding(visit.request.headers.get('accept-encoding'))
  const body = await compress(Buffer.from(html), encoding === 'br' ? 'gzip' : encoding)
  return new Response(new Uint8Array(body), {
    status: content.status ?? 200,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': 'private, no-store',
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': 'gzip' }),
      Vary: 'Accept-Encoding, Cookie',
      ...pageHeaders(policyOf(app, content.script), app.provider, app.secure, own?.cspNonce ?? ''),
    },
  })
}

function policyOf(app: Application, page: ScriptPage): 'wallet' | 'plain' {
  return walletPages.some((name) => name === page) && walletOn(app, page) ? 'wallet' : 'plain'
}

async function frameOf(
  app: Application,
  content: PageContent,
  notices: FrameFacts['notices'],
  own: OwnSettings | null,
): Promise<FrameFacts> {
  const shop: ShopContextValue = await app.shop()
  return {
    kind: content.kind,
    title: content.title,
    description: content.description ?? '',
    canonical: content.canonical ? app.tools.publicUrl + content.canonical : '',
    bodyClasses: content.bodyClasses ?? [],
    ...(content.robots ? { robots: content.robots } : {}),
    notices,
    settings: scriptSettings(app, content.script, shop.t, own, content.payment),
    assets: app.assets,
    ...(content.productIds ? { productIds: content.productIds } : {}),
  }
}

/** A finished page in the encoding that this browser takes, or "not modified". */
export async function answerPage(request: Request, page: CachedPage): Promise<Response> {
  if (request.headers.get('if-none-match') === page.etag) {
    return new Response(null, { status: 304, headers: page.headers })
  }
  const encoding = acceptedEncoding(request.headers.get('accept-encoding'))
  const body = await encodedBody(page, encoding)
  return new Response(new Uint8Array(body), {
    status: page.status,
    headers: { ...page.headers, ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }) },
  })
}
