import { describe, expect, it } from 'vitest'
import { aListing, someCards } from '#tests/support/catalog/listing-page-fixtures.ts'
import { aFrame, aShop } from '#tests/support/shared/page-fixtures.ts'
import { publicMarkup } from '#tests/support/shared/public-markup-fixtures.ts'
import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'
import { ListingPage } from '../catalog/listing-page.tsx'
import type { FrameFacts } from './document.tsx'
import { renderDocument } from './render.tsx'

const languages = [
  { tag: 'en-US', slug: '', name: 'English', dir: 'ltr', published: true },
  { tag: 'de-DE', slug: 'de', name: 'Deutsch', dir: 'ltr', published: true },
] as const
const everywhere = { header: true, footer: true, floating: 'bottom-right' as const }

/** A shop with every part of the frame. */
function aFullShop(over: Partial<ShopContextValue> = {}): ShopContextValue {
  const { switcher, header, wallet, menus } = aShop()
  const below = (url: string, children: ShopContextValue['menus']['main'] = []) => ({ url, text: url, children })
  return aShop({
    logo: { url: '/media/logo.svg', darkUrl: '/media/dark.svg', width: 120, height: 40, alt: 'Fjord & Fern' },
    wallet: { ...wallet, sections: { ...wallet.sections, paypal: ['minicart', 'product'] } },
    menus: { ...menus, main: [...menus.main, below('/c/', [below('/c/cups/', [below('/c/cups/small/')])])] },
    languages,
    switcher: { ...switcher, ...everywhere, offers: { 'de-DE': ['Auf Deutsch ansehen', 'Nein, danke'] } },
    header: { ...header, scrollToTop: true },
    currencies: [
      { code: 'USD', name: 'US dollar', symbol: '$' },
      { code: 'EUR', name: 'Euro', symbol: '€' },
    ],
    currencyOptions: { header: true, footer: true, flags: true, names: true, symbols: true, byCountry: false } as never,
    storeNotice: { id: '1', text: 'We are on holiday until May.' },
    consent: { asks: ['statistics'], attribution: null, policyPath: '/privacy-policy/', days: 180 },
    ...over,
  })
}

const inGerman = { language: 'de-DE', path: (path: string) => (path.startsWith('/de/') ? path : `/de${path}`) }
const page = <ListingPage facts={aListing({ products: someCards(3) })} />
const at = (path: string): Partial<FrameFacts> => ({
  canonical: `https://shop.example.test${path}`,
  addresses: languages.map(({ tag, slug }) => ({ tag, path: slug ? `/${slug}${path}?of=${path.length}` : path })),
})

describe('what frames a page and is remembered', () => {
  it('gives the page that it is without, letter for letter, in every language and on every page', () => {
    for (const shop of [aFullShop(), aFullShop(inGerman), aShop()]) {
      const paths = ['/shop/', '/product-category/glass/', '/nowhere/', '/c/cups/small/', '/shop/', '/c/cups/small/']
      const frames = paths.map(at)
      const others: Partial<FrameFacts>[] = [
        { kind: 'product', ...at('/product/vase/') },
        { kind: 'content', canonical: '' },
        { footer: <p>Only for you</p>, ...at('/shop/') },
        { bare: [{ url: '/imprint/', text: 'Imprint' }] as never },
      ]
      for (const over of [...frames, ...others, ...frames]) {
        const frame = aFrame(over)
        expect(publicMarkup(shop, frame, page)).toBe(renderDocument(shop, frame, page))
      }
    }
  })

  it('leads to each page in the other language, wherever the languages stand', () => {
    const shop = aFullShop()
    for (const path of ['/shop/', '/product-category/glass/', '/shop/']) {
      const html = publicMarkup(shop, aFrame(at(path)), page)
      // Header, footer, the menu for small windows, a corner of the window.
      expect(html.split(`href="/de${path}?of=${path.length}" hrefLang="de-DE"`)).toHaveLength(5)
      expect(html).not.toContain('stand-in')
    }
  })

  it('marks the page that is shown in the menus, and nothing on a page that no menu leads to', () => {
    const shop = aFullShop()
    const marked = (path: string) =>
      [...publicMarkup(shop, aFrame(at(path)), page).matchAll(/<a href="([^"]+)" aria-current="page">/g)].map(
        ([, url]) => url,
      )
    for (let round = 0; round < 2; round += 1) {
      expect(marked('/shop/')).toEqual(['/shop/', '/shop/'])
      expect(marked('/product-category/glass/')).toEqual(['/product-category/glass/', '/product-category/glass/'])
      expect(marked('/product/vase/')).toEqual([])
    }
  })

  it('is rendered once for all pages of a shop as it is, and anew when words or settings have changed', () => {
    let said: string[] = []
    const words = (say: (original: string) => string) => ({
      t: (original: string) => {
        said.push(original)
        return say(original)
      },
    })
    const saidOn = (shop: ShopContextValue, path: string) => {
      said = []
      const html = publicMarkup(shop, aFrame(at(path)), <p>Content</p>)
      return { html, frame: said.filter((text) => text !== 'Skip to content') }
    }
    const shop = aFullShop(words((original) => original))
    expect(saidOn(shop, '/product/a/').frame).toContain('Close cart')
    expect(saidOn(shop, '/product/b/').frame).toEqual([])
    const other = saidOn(aFullShop(words((original) => original.toUpperCase())), '/product/b/')
    expect(other.html).toContain('CLOSE CART')
  })

  it('is kept up to so many letters: what nobody has asked for since leaves', () => {
    const long = 'o'.repeat(5_000)
    const entries = Array.from({ length: 20 }, (_, nr) => ({ text: `N${long} ${nr}`, url: `/c/${nr}/`, children: [] }))
    let said = 0
    const shop = aFullShop({
      menus: { main: entries, footer: [] },
      t: (original) => {
        said += 1
        return original
      },
    })
    const isRendered = (path: string) => {
      const before = said
      publicMarkup(shop, aFrame(at(path)), <p />)
      // Outside the frame a page has a single translated text, its skip link.
      return said - before > 1
    }
    for (const { url } of entries) {
      isRendered(url)
      isRendered('/c/1/')
    }
    expect([isRendered('/c/0/'), isRendered('/c/1/'), isRendered('/c/19/')]).toEqual([true, false, false])
    const frame = aFrame(at('/c/0/'))
    expect(publicMarkup(shop, frame, <p />)).toBe(renderDocument(shop, frame, <p />))
  })

  it('is put in by nobody else: what a visitor writes is text', () => {
    const facts = aListing({ kind: 'search', searchTerm: '<stand-in>0</stand-in>', products: [] })
    const text = '<stand-in>0</stand-in>'
    const frame = aFrame({ title: text, description: text, bodyClasses: [text], settings: { term: text } })
    const html = publicMarkup(aFullShop(), frame, <ListingPage facts={facts} />)
    expect(html.split('id="masthead"')).toHaveLength(2)
    // In the page, as its title, as an attribute.
    expect(html.split('&lt;stand-in&gt;0&lt;/stand-in&gt;').length).toBeGreaterThan(3)
    expect(html).toContain(String.raw`\u003cstand-in\u003e0`)
  })
})
