import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type ShopContextValue, ShopProvider } from '../parts/shop-context.tsx'
import { LanguagesStandInContext, languagesStandIn, standInTag } from '../parts/stand-in.tsx'
import { linksIn } from './links-in.ts'
import { numberOf } from './remembered-cards.tsx'

/** Markup in pieces, between which the list of languages stands. */
type Part = readonly string[]

/** Of each of the maps below, in characters: a menu of hundreds of entries is marked otherwise on the page of each. */
const mostRemembered = 1_000_000

/** When the first is full it becomes the second, and what nobody has asked for since leaves. */
let recent = new Map<string, Part>()
let former = new Map<string, Part>()
let held = 0

/**
 * Markup of what frames every page, with its links in the language of the page, rendered once for all pages of a shop as it is.
 * @param name with all that the part says beside what is known of the shop
 */
export function rememberedPart(shop: ShopContextValue, name: string, part: ReactNode): Part {
  const key = `${numberOf(shop)} ${name}`
  const known = recent.get(key)
  if (known) return known
  const pieces = former.get(key) ?? rendered(shop, part)
  if (held >= mostRemembered) {
    former = recent
    recent = new Map()
    held = 0
  }
  held += pieces.reduce((sum, piece) => sum + piece.length, 0)
  recent.set(key, pieces)
  return pieces
}

function rendered(shop: ShopContextValue, part: ReactNode): Part {
  const markup = renderToStaticMarkup(
    <ShopProvider value={shop}>
      <LanguagesStandInContext value={true}>{part}</LanguagesStandInContext>
    </ShopProvider>,
  )
  // Copied: React leaves a chain of a hundred pieces, which takes several times the memory.
  return linksIn(markup, shop)
    .split(languagesTag)
    .map((piece) => Buffer.from(piece).toString())
}

const languagesTag = `<${standInTag}>${languagesStandIn}</${standInTag}>`
