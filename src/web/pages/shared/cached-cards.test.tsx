import { describe, expect, it } from 'vitest'
import type { ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import { aListing, someCards } from '#tests/support/catalog/listing-page-fixtures.ts'
import { aFrame, aShop, usd } from '#tests/support/shared/page-fixtures.ts'
import { publicMarkup, textOfPieces } from '#tests/support/shared/public-markup-fixtures.ts'
import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'
import { ListingPage } from '../catalog/listing-page.tsx'
import { cachedCards } from './cached-cards.tsx'
import { renderDocument } from './render.tsx'

const inGerman = aShop({ language: 'de-DE', path: (path) => (path.startsWith('/de/') ? path : `/de${path}`) })

describe('cards that are remembered', () => {
  const page = (products: readonly ProductCardFacts[]) => <ListingPage facts={aListing({ products })} />

  it('give the page that it is without them, letter for letter, in every language', () => {
    const cards = someCards(13)
    for (const shop of [aShop(), inGerman]) {
      // In another order the same cards stand in other columns and above the fold.
      for (const products of [cards, cards.toReversed(), cards, cards.slice(3)]) {
        const plain = renderDocument(shop, aFrame(), page(products))
        expect(publicMarkup(shop, aFrame(), page(products))).toBe(plain)
      }
    }
  })

  it('show a price, a stock and a picture as they are now', () => {
    const shop = aShop()
    const [card] = someCards(1)
    if (!card) throw new Error('there is no card')
    const shown = (over: Partial<ProductCardFacts>) => publicMarkup(shop, aFrame(), page([{ ...card, ...over }]))
    expect(shown({ price: { kind: 'single', price: usd(1234) } })).toContain('12.34')
    const dearer = shown({ price: { kind: 'single', price: usd(5678) } })
    expect(dearer).toContain('56.78')
    expect(dearer).not.toContain('12.34')
    expect(shown({ stock: 'outofstock' })).toContain('badge sold-out')
    expect(shown({ stock: 'instock' })).not.toContain('badge sold-out')
    expect(shown({ image: null })).toContain('picture-none')
  })

  it('are rendered once for a shop as it is, and again for a shop whose words or settings have changed', () => {
    const said: string[] = []
    const aShopThat = (over: Partial<ShopContextValue> = {}) =>
      aShop({ t: (original) => noted(said, original), ...over })
    const cards = someCards(4)
    const shop = aShopThat()
    const rendered = (by: ShopContextValue) => {
      said.length = 0
      for (const [column, product] of cards.entries()) {
        cachedCards(by)({ product, columns: 4, column, priority: 'later' })
      }
      return said.length > 0
    }
    expect([rendered(shop), rendered(shop), rendered(shop)]).toEqual([true, false, false])
    expect(rendered(aShopThat({ ajaxAdd: false }))).toBe(true)
  })

  it('are others at another place of a list, though the product is the same', () => {
    const [product] = someCards(1)
    if (!product) throw new Error('there is no card')
    const remembered = cachedCards(aShop())
    const at = (columns: number, column: number, priority: 'first' | 'later') =>
      textOfPieces([remembered({ product, columns, column, priority })])
    for (let round = 0; round < 2; round += 1) {
      expect(at(4, 0, 'later')).toContain('first')
      expect(at(4, 3, 'later')).toContain('last')
      expect(at(4, 3, 'later')).toContain('loading="lazy"')
      expect(at(4, 3, 'first')).not.toContain('loading="lazy"')
      expect(at(3, 0, 'later')).not.toBe(at(4, 0, 'later'))
    }
  })

  it('are some thousands at most: those that nobody has asked for since leave', () => {
    const said: string[] = []
    const shop = aShop({ t: (original) => noted(said, original) })
    const [product] = someCards(1)
    if (!product) throw new Error('there is no card')
    const ask = (id: number) =>
      cachedCards(shop)({ product: { ...product, id }, columns: 4, column: 0, priority: 'later' })
    const isRendered = (id: number) => {
      said.length = 0
      ask(id)
      return said.length > 0
    }
    ask(-1)
    ask(-2)
    for (let id = 1; id <= 2_500; id += 1) {
      ask(id)
      ask(-2)
    }
    expect([isRendered(-1), isRendered(-2), isRendered(2_500)]).toEqual([true, false, false])
  })

  it('are put in by nobody else: what a visitor writes is text', () => {
    const facts = aListing({ kind: 'search', searchTerm: '<stand-in>0</stand-in>', products: someCards(2) })
    const html = publicMarkup(aShop(), aFrame(), <ListingPage facts={facts} />)
    expect(html.split('<ul class="products')).toHaveLength(2)
    expect(html).toContain('&lt;stand-in&gt;0&lt;/stand-in&gt;')
  })
})

function noted(said: string[], text: string): string {
  said.push(text)
  return text
}
