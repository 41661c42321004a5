import { renderToStaticMarkup } from 'react-dom/server'
import { ProductCard, type ProductCardProps } from '../parts/product-card.tsx'
import { type ShopContextValue, ShopProvider } from '../parts/shop-context.tsx'
import { linksIn } from './links-in.ts'

/** Of each of the maps below; a card takes some three kilobytes. */
const mostRemembered = 1_000

/** After each change of words, settings or catalogue the context is another one, and has another number. */
export function numberOf(shop: ShopContextValue): number {
  const number = numbers.get(shop) ?? ++lastNumber
  numbers.set(shop, number)
  return number
}

const numbers = new WeakMap<ShopContextValue, number>()
let lastNumber = 0

/** When the first is full it becomes the second, and what nobody has asked for since leaves. */
let recent = new Map<string, string>()
let former = new Map<string, string>()

/** The same markup by the facts themselves, which mostly are the same objects on all pages: what they say need not be read then. */
let byFacts = new WeakMap<ProductCardProps['product'], Map<string, string>>()
let held = 0

/**
 * Markup of cards, with their links in the language of the page, rendered once for all pages that show them: three quarters of a
 * listing are cards. They are known by all that is in them, so that there is nothing to forget: a card that has changed is
 * another card.
 */
export function rememberedCards(shop: ShopContextValue): (card: ProductCardProps) => string {
  const number = numberOf(shop)
  return (card) => {
    const place = `${number} ${card.columns} ${card.column} ${card.priority}`
    const known = byFacts.get(card.product)?.get(place)
    if (known !== undefined) return known
    const markup = byContent(shop, number, card)
    if (held >= mostRemembered) {
      byFacts = new WeakMap()
      held = 0
    }
    held += 1
    const ofProduct = byFacts.get(card.product) ?? new Map<string, string>()
    byFacts.set(card.product, ofProduct.set(place, markup))
    return markup
  }
}

function byContent(shop: ShopContextValue, number: number, card: ProductCardProps): string {
  const key = `${number} ${JSON.stringify(card)}`
  const known = recent.get(key)
  if (known !== undefined) return known
  const markup = former.get(key) ?? rendered(shop, card)
  if (recent.size >= mostRemembered) {
    former = recent
    recent = new Map()
  }
  recent.set(key, markup)
  return markup
}

function rendered(shop: ShopContextValue, card: ProductCardProps): string {
  const markup = renderToStaticMarkup(
    <ShopProvider value={shop}>
      <ProductCard {...card} />
    </ShopProvider>,
  )
  // In one piece: React leaves it as a chain of a hundred pieces, which takes several times the memory.
  return Buffer.from(linksIn(markup, shop)).toString()
}
