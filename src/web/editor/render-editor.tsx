import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type ShopContextValue, ShopProvider } from '../parts/shared/shop-context.tsx'
import { EditorDocument, type EditorDocumentFacts } from './editor-document.tsx'

export function renderEditor(shop: ShopContextValue, frame: EditorDocumentFacts, element: ReactElement): string {
  const html = renderToStaticMarkup(
    <ShopProvider value={shop}>
      <EditorDocument frame={frame}>{element}</EditorDocument>
    </ShopProvider>,
  )
  return `<!doctype html>${html}`
}
