import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type ShopContextValue, ShopProvider } from '../parts/shop-context.tsx'
import { LanguagesStandInContext, languagesStandIn, standInTag } from '../parts/stand-in.tsx'
import { linksIn } from './links-in.ts'

/** Markup in pieces, between which the list of languages stands. */
type Part = readonly string[]

/** Of each shop: its menus may have hundreds of entries, each of which is marked on one page. */
const mostRemembered = 64

/** After each change of words, settings or catalogue the context is another one. */
const remembered = new WeakMap<ShopContextValue, Map<string, Part>>()

/** Markup of what frames every page, with its links in the language of the page, rendered once for all pages. */
export function rememberedPart(shop: ShopContextValue, name: string, part: ReactNode): Part {
  const known = remembered.get(shop) ?? new Map<string, Part>()
  remembered.set(shop, known)
  const there = known.get(name)
  if (there) return there
  const markup = renderToStaticMarkup(
    <ShopProvider value={shop}>
      <LanguagesStandInContext value={true}>{part}</LanguagesStandInContext>
    </ShopProvider>,
  )
  // Copied: React leaves a chain of a hundred pieces, which takes several times the memory.
  const pieces = linksIn(markup, shop)
    .split(languagesTag)
    .map((piece) => Buffer.from(piece).toString())
  if (known.size >= mostRemembered) known.clear()
  known.set(name, pieces)
  return pieces
}

const languagesTag = `<${standInTag}>${languagesStandIn}</${standInTag}>`
