import { schemeColours } from '#contract/theme/scheme-colours.ts'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import { renderDocument, renderPublicDocument } from '#web/pages/shared/render.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { pageTags } from '../../cache/cache-tags.ts'
import { type CachedPage, encodedBody, encodingOf, isKnown, makePage } from '../../cache/page-cache.ts'
import { sharingHeaders } from '../../cache/shared-cache-headers.ts'
import { assetsOf } from '../../http/assets.ts'
import { compress, compressText, quickEncoding } from '../../http/compression.ts'
import { pageHeaders } from '../../http/security/security-headers.ts'
import { noticesCookie, type Visit } from '../../http/visit.ts'
import type { Application } from '../../operations/startup/application.ts'
import { walletPage } from '../../payments/payment-script.ts'
import { pageMeasure } from '../../statistics/measurement-script.ts'
import { countPage, isStaffVisit, pageFacts, statisticsScript } from '../../statistics/page-views.ts'
import { preloadedFonts } from '../../theme/theme-stylesheet.ts'
import { sheetsFor } from '../../theme/width-stylesheets.ts'
import { alternateLinks, pageAddresses } from '../../translation/alternate-links.ts'
import { frameBeforeOpening, shopAccess } from '../content/shop-visibility.tsx'
import type { PageContent } from './page-content.ts'
import type { OwnSettings, ScriptPage } from './script-page.ts'
import { scriptSettings } from './script-settings.ts'
import { speculationHeader } from './speculation-rules.ts'

/**
 * Answers with a page that is the same for all visitors: from the cache, or rendered and cached. A visitor with queued
 * notices gets a page of their own, which is not cached.
 * @param key address and everything else that the page depends on; null: the page must not be shared
 */
export async function publicPage(
  visit: Visit,
  key: string | null,
  make: () => Promise<PageContent | Response>,
): Promise<Response> {
  const { app } = visit
  // Also without notices left: the response then deletes the cookie, and must not be shared.
  if (key === null || visit.cookie(noticesCookie) !== undefined || app.tools.settings.comingSoon) {
    const content = await make()
    // Taken last: if rendering fails, the notices stay for the next page.
    return content instanceof Response ? content : privateAnswer(visit, content, await visit.takeNotices(), null)
  }
  // In the form of the request: cached pages are found before the address is parsed.
  const address = visit.path(key)
  const page = app.pageCache.get(address) ?? (await staleOrMade(visit, key, address, make))
  if (page instanceof Response) return page
  if (page.facts) countPage(visit, page.facts)
  return answerPage(visit.request, page)
}

/** Serves a stale page at once, and rebuilds it in the background. */
async function staleOrMade(
  visit: Visit,
  key: string,
  address: string,
  make: () => Promise<PageContent | Response>,
): Promise<CachedPage | Response> {
  const { pageCache, tools } = visit.app
  const stale = pageCache.stale(address)
  const made = pageCache.buildOnce(address, () => makeAndKeep(visit, key, address, make))
  if (!stale) return made
  made.catch((error: unknown) => tools.log.warn({ error: String(error) }, 'stale page could not be rebuilt'))
  return stale
}

async function makeAndKeep(
  visit: Visit,
  key: string,
  address: string,
  make: () => Promise<PageContent | Response>,
): Promise<CachedPage | Response> {
  const { app } = visit
  const { pageCache } = app
  const { generation } = pageCache
  const content = await make()
  if (content instanceof Response) return content
  // Addresses have many forms and may contain unknown parts: the first visitor's form must not affect others.
  const nobody = visit.asAnonymous(key)
  const html = renderPublicDocument(await app.shop(), await frameOf(nobody, content, [], null), content.element)
  const tags = content.tags && [
    ...new Set([
      ...content.tags,
      ...(content.productIds ?? []).map(pageTags.product),
      pageTags.language(app.language.tag),
    ]),
  ]
  // A page built during a change may lack it, and a CDN may be purged before it receives the page.
  const isLasting = pageCache.generation === generation && !content.isPassing
  const offers = visit.request.headers.get('accept-encoding')
  const made = makePage(
    content.status ?? 200,
    {
      'Content-Type': 'text/html; charset=UTF-8',
      ...sharingHeaders(app, isLasting ? (tags ?? []) : []),
      'Content-Language': app.language.tag,
      Vary: 'Accept-Encoding',
      ...pageHeaders(policyOf(app, content.script), app.provider, app.secure, '', content.leadsAway),
      ...speculationHeader,
      ...linkHeader(content),
    },
    html,
    visit.now.getTime(),
    offers,
  )
  const page = { ...made, facts: pageFacts(nobody, content), ...(tags ? { tags } : {}) }
  // Before it is stored, so that its size is counted right; and before waiting requests get it.
  await encodedBody(page, encodingOf(page, offers))
  if (page.status === 200 && !content.isPassing) pageCache.put(address, page, generation)
  return page
}

/** Answers with a private page, never cached. Prints the notices queued for this visitor. */
export async function privatePage(
  visit: Visit,
  content: PageContent,
  nonces: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const notices = [...(await visit.takeNotices()), ...(content.notices ?? [])]
  const loggedIn = (await visit.customerId()) !== null ? ['logged-in'] : []
  const bodyClasses = [...(content.bodyClasses ?? []), ...loggedIn]
  return privateAnswer(visit, { ...content, bodyClasses }, notices, {
    nonces,
    cspNonce: visit.app.tools.chance.hex(16),
  })
}

/** Returns the shop context of this visitor's pages, with the chosen currency where another one is charged. */
async function shopOf({ app, shownCurrency }: Visit): Promise<ShopContextValue> {
  const shop = await app.shop()
  return shownCurrency === shop.currency ? shop : { ...shop, chosenCurrency: shownCurrency }
}

async function privateAnswer(
  visit: Visit,
  content: PageContent,
  notices: FrameFacts['notices'],
  own: OwnSettings | null,
): Promise<Response> {
  const { app } = visit
  const access = await shopAccess(visit)
  const staff = await isStaffVisit(visit)
  const frame = {
    ...(await frameOf(visit, content, notices, own, staff)),
    ...(await frameBeforeOpening(visit, access)),
  }
  countPage(visit, pageFacts(visit, content), staff)
  const html = renderDocument(await shopOf(visit), frame, content.element)
  const encoding = quickEncoding(visit.request.headers.get('accept-encoding'))
  const body = compressText([html], encoding) ?? (await compress(Buffer.from(html), encoding))
  return new Response(body, {
    status: content.status ?? 200,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Language': app.language.tag,
      'Cache-Control': 'private, no-store',
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
      Vary: 'Accept-Encoding, Cookie',
      ...pageHeaders(policyOf(app, content.script), app.provider, app.secure, own?.cspNonce ?? '', content.leadsAway),
      ...linkHeader(content),
    },
  })
}

const linkHeader = ({ link }: PageContent) => (link === undefined ? {} : { Link: link })

function policyOf(app: Application, page: ScriptPage): 'wallet' | 'plain' {
  return walletPage(app, page) ? 'wallet' : 'plain'
}

async function frameOf(
  visit: Visit,
  content: PageContent,
  notices: FrameFacts['notices'],
  own: OwnSettings | null,
  staff = false,
): Promise<FrameFacts> {
  const { app, url, request } = visit
  const shop: ShopContextValue = await shopOf(visit)
  const assets = assetsOf(app.assets, content.kind, {
    chooses: shop.languages.length > 1 || (shop.currencies?.length ?? 0) > 1,
    language: shop.language,
  })
  const { publicUrl } = app.tools
  const measure = pageMeasure(app.tools.settings, app.assets)
  const addresses = await pageAddresses(app, content.canonical ?? addressHere(url, request.method))
  const { canonical, pageLanguages } = content
  const statistics = statisticsScript(visit, content, staff)
  return {
    kind: content.kind,
    title: content.title,
    description: content.description ?? '',
    canonical: canonical ? publicUrl + shop.path(canonical) : '',
    ...(canonical ? { ownCanonical: publicUrl + canonical } : {}),
    addresses,
    ...(isForEverybody(content) && app.language.published
      ? {
          alternates: alternateLinks(
            publicUrl,
            pageLanguages ? addresses.filter(({ tag }) => pageLanguages.includes(tag)) : addresses,
          ),
        }
      : {}),
    bodyClasses: content.bodyClasses ?? [],
    ...(content.robots ? { robots: content.robots } : {}),
    notices,
    settings: scriptSettings(app, content.script, shop, own, content.payment),
    assets: {
      ...assets,
      css: sheetsFor([...assets.css, ...(shop.consent ? app.assets.consent : [])], shop.header.breakPoints),
      fonts: preloadedFonts(assets.fonts ?? [], app.tools.settings, app.tools.files),
    },
    frameColours: frameColours(app),
    ...(measure ? { measure } : {}),
    ...(statistics ? { statistics } : {}),
    ...(content.about ? { about: content.about } : {}),
    ...(content.footer ? { footer: content.footer } : {}),
    ...(content.productIds ? { productIds: content.productIds } : {}),
  }
}

const forEverybody: ReadonlySet<FrameFacts['kind']> = new Set(['home', 'listing', 'product', 'content'])

/** Checks whether search engines may index the page. */
function isForEverybody({ kind, canonical, robots = '' }: PageContent): boolean {
  return forEverybody.has(kind) && canonical !== undefined && !robots.includes('noindex')
}

/** Parameters that change something, and must not be repeated in another language. */
const doing =
  /^(?:_wpnonce|add-to-cart|added-to-cart|quantity|remove_item|undo_item|removed_item|remove_coupon|order_again)$/

/** Returns the visitor's address for a page without a canonical one; a form's response is at the form's address. */
function addressHere({ pathname, searchParams }: URL, method: string): string {
  if (method === 'POST') return pathname
  const kept = [...searchParams].filter(([name]) => !doing.test(name) && name !== 'wc-ajax' && name !== 'cancel_order')
  return kept.length > 0 ? `${pathname}?${new URLSearchParams(kept)}` : pathname
}

/** Returns the colours of the browser's frame, which continue the page. */
function frameColours({ tools: { settings } }: Application) {
  const of = (scheme: 'light' | 'dark') => schemeColours(settings.theme, scheme)['--ground']
  return { light: of('light'), dark: of('dark') }
}

/** Answers with a cached page in the client's best encoding, or with "not modified". */
export async function answerPage(request: Request, page: CachedPage): Promise<Response> {
  if (isKnown(page, request.headers.get('if-none-match'))) {
    return new Response(null, { status: 304, headers: page.headers })
  }
  const encoding = encodingOf(page, request.headers.get('accept-encoding'))
  const body = await encodedBody(page, encoding)
  return new Response(body, {
    status: page.status,
    headers: { ...page.headers, ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }) },
  })
}
