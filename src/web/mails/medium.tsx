import { createContext, type ReactElement, useContext } from 'react'
import { renderPart } from '../pages/shared/render.tsx'
import type { ShopContextValue } from '../parts/shared/shop-context.tsx'

// A message is one tree of components. Each component of `mail-parts.tsx` renders markup or plain lines, depending on
// the medium.

const Medium = createContext<'html' | 'text'>('html')

export const useMedium = () => useContext(Medium)

export function renderMailHtml(shop: ShopContextValue, message: ReactElement): string {
  return `<!doctype html>${renderPart(shop, message)}`
}

/** Renders the same message as plain text. */
export function renderMailText(shop: ShopContextValue, message: ReactElement): string {
  const escaped = renderPart(shop, <Medium.Provider value="text">{message}</Medium.Provider>)
  // Only the signature separator ends with a space.
  const lines = withoutEscapes(escaped).split('\n')
  const trimmed = lines.map((line) => (line === '-- ' ? line : line.trimEnd())).join('\n')
  return `${trimmed.replace(/\n{3,}/g, '\n\n').trim()}\n`
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** Undoes React's escaping in a single pass: typed `&amp;lt;` stays unchanged. */
function withoutEscapes(markup: string): string {
  return markup.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => characters[entity] ?? entity)
}
