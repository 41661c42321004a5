import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IslandRenderProvider } from '../islands/island-render.tsx'
import { CardStandInContext, type ProductCardProps } from '../parts/product-card.tsx'
import { type ShopContextValue, ShopProvider } from '../parts/shop-context.tsx'
import { Document, type FrameFacts } from './document.tsx'
import { linksIn } from './links-in.ts'
import { rememberedCards } from './remembered-cards.tsx'

/**
 * A whole page as one string. Outside its islands a page is never hydrated, so it is rendered without the comments
 * that React leaves between texts; an island's own root has them.
 */
export function renderDocument(shop: ShopContextValue, frame: FrameFacts, element: ReactElement): string {
  return `<!doctype html>${markup(shop, <Document frame={frame}>{element}</Document>, '')}`
}

/**
 * A page that belongs to nobody: cards that it shares with other pages are not rendered again, nor looked through for links.
 * What stands for them until then nobody else can write: in all that is not the merchant's own markup a `<` is escaped.
 */
export function renderPublicDocument(shop: ShopContextValue, frame: FrameFacts, element: ReactElement): string {
  const remembered = rememberedCards(shop)
  const lists: string[] = []
  const standInFor = (cards: readonly ProductCardProps[]) =>
    `${standInBegins}${lists.push(cards.map(remembered).join('')) - 1}-->`
  const within = <CardStandInContext value={standInFor}>{element}</CardStandInContext>
  const html = written(shop, <Document frame={frame}>{within}</Document>, '')
  let page = '<!doctype html>'
  let done = 0
  // In one go with the links around them: each further pass over the page copies it.
  for (let at = html.indexOf(standInBegins); at >= 0; at = html.indexOf(standInBegins, at + 1)) {
    const end = html.indexOf('-->', at)
    const place = html.slice(at + standInBegins.length, end)
    const list = lists[Number(place)]
    if (list === undefined || !/^\d+$/.test(place)) continue
    page += linksIn(html.slice(done, at), shop) + list
    done = end + '-->'.length
  }
  return page + linksIn(html.slice(done), shop)
}

const standInBegins = '<!--cards '

/**
 * A part of a page as one string: a fragment, the answer of a call, a field of a wire object. `scope` begins the ids of
 * its islands, so that they differ from those of the page that it is put into.
 */
export function renderPart(shop: ShopContextValue, element: ReactElement, scope = 'part'): string {
  return markup(shop, element, scope)
}

function markup(shop: ShopContextValue, element: ReactElement, scope: string): string {
  return linksIn(written(shop, element, scope), shop)
}

/** Before its links are led to the language of the page. */
function written(shop: ShopContextValue, element: ReactElement, scope: string): string {
  return renderToStaticMarkup(
    <ShopProvider value={shop}>
      <IslandRenderProvider scope={scope}>{element}</IslandRenderProvider>
    </ShopProvider>,
  )
}
