import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IslandRenderProvider } from '../../islands/island-render.tsx'
import { type PlaceholderParts, PlaceholderPartsContext, placeholderTag } from '../../parts/shared/placeholders.tsx'
import { type ShopContextValue, ShopProvider } from '../../parts/shared/shop-context.tsx'
import { PageInLanguages } from '../../parts/translation/language-switcher.tsx'
import { PageAddressesProvider } from '../../parts/translation/page-addresses.tsx'
import { cachedCards } from './cached-cards.tsx'
import { cachedPart } from './cached-parts.tsx'
import { Document, type FrameFacts } from './document.tsx'
import { settingsPieces } from './json-for-script.ts'
import { linksIn } from './localize-links.ts'
import type { MarkupPieces } from './markup-bytes.ts'

/**
 * Renders a whole page as a string. Outside its islands a page is never hydrated, so it is rendered without React's
 * comments between texts; an island's own root has them.
 */
export function renderDocument(shop: ShopContextValue, frame: FrameFacts, element: ReactElement): string {
  const html = written(shop, <Document frame={frame}>{element}</Document>, '')
  return `<!doctype html>${linksIn(html, shop, bodyOf(html))}`
}

/**
 * Renders a cacheable page: parts shared with other pages, as cards and the frame, are not rendered, searched for links
 * or encoded again.
 */
export function renderPublicDocument(shop: ShopContextValue, frame: FrameFacts, element: ReactElement): MarkupPieces {
  const remembered = cachedCards(shop)
  const ready: MarkupPieces[] = []
  const standsFor = (markup: MarkupPieces) => String(ready.push(markup) - 1)
  let languages: string | undefined
  const inLanguages = () => {
    languages ??= written(
      shop,
      <PageAddressesProvider value={frame.addresses ?? []}>
        <PageInLanguages />
      </PageAddressesProvider>,
      '',
    )
    return languages
  }
  const standIns: PlaceholderParts = {
    cards: (cards) => standsFor(cards.map(remembered)),
    settings: (settings) => standsFor(settingsPieces(settings)),
    part(name, part) {
      const pieces = cachedPart(shop, name, part)
      return standsFor(pieces.flatMap((piece, place) => (place === 0 ? [piece] : [inLanguages(), piece])))
    },
  }
  const page = (
    <PlaceholderPartsContext value={standIns}>
      <Document frame={frame}>{element}</Document>
    </PlaceholderPartsContext>
  )
  return ['<!doctype html>', ...withStandIns(written(shop, page, ''), ready, shop)]
}

const opens = `<${placeholderTag}>`
const closes = `</${placeholderTag}>`

/** Start of the links to localize: the head localizes its own. */
const bodyOf = (html: string) => html.indexOf('<body')

/** In a single pass with the links around them: each further pass copies the page. */
function withStandIns(html: string, ready: readonly MarkupPieces[], shop: ShopContextValue): MarkupPieces {
  const page: (string | Uint8Array)[] = []
  const body = bodyOf(html)
  const led = (from: number, to?: number) => linksIn(html.slice(from, to), shop, Math.max(0, body - from))
  let done = 0
  for (let at = html.indexOf(opens); at >= 0; at = html.indexOf(opens, at + 1)) {
    const end = html.indexOf(closes, at)
    const place = html.slice(at + opens.length, end)
    const markup = ready[Number(place)]
    if (markup === undefined || !/^\d+$/.test(place)) continue
    page.push(led(done, at), ...markup)
    done = end + closes.length
  }
  page.push(led(done))
  return page
}

/**
 * Renders a part of a page as a string: a fragment, the response of a call, a field of a wire object. `scope` begins
 * the ids of its islands, so that they differ from those of the page that receives it.
 */
export function renderPart(shop: ShopContextValue, element: ReactElement, scope = 'part'): string {
  return linksIn(written(shop, element, scope), shop)
}

/** Renders markup before its links are localized. */
function written(shop: ShopContextValue, element: ReactElement, scope: string): string {
  return renderToStaticMarkup(
    <ShopProvider value={shop}>
      <IslandRenderProvider scope={scope}>{element}</IslandRenderProvider>
    </ShopProvider>,
  )
}
