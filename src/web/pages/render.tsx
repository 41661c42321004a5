import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IslandRenderProvider } from '../islands/island-render.tsx'
import { type ShopContextValue, ShopProvider } from '../parts/shop-context.tsx'
import { Document, type FrameFacts } from './document.tsx'
import { linksIn } from './links-in.ts'

/**
 * A whole page as one string. Outside its islands a page is never hydrated, so it is rendered without the comments
 * that React leaves between texts; an island's own root has them.
 */
export function renderDocument(shop: ShopContextValue, frame: FrameFacts, element: ReactElement): string {
  return `<!doctype html>${markup(shop, <Document frame={frame}>{element}</Document>, '')}`
}

/**
 * A part of a page as one string: a fragment, the answer of a call, a field of a wire object. `scope` begins the ids of
 * its islands, so that they differ from those of the page that it is put into.
 */
export function renderPart(shop: ShopContextValue, element: ReactElement, scope = 'part'): string {
  return markup(shop, element, scope)
}

function markup(shop: ShopContextValue, element: ReactElement, scope: string): string {
  const html = renderToStaticMarkup(
    <ShopProvider value={shop}>
      <IslandRenderProvider scope={scope}>{element}</IslandRenderProvider>
    </ShopProvider>,
  )
  return linksIn(html, shop)
}
