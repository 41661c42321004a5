import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { createAddresses } from './localized-paths.ts'
import type { SlugKind } from './translator.ts'

const words: Readonly<Partial<Record<SlugKind, Readonly<Record<string, string>>>>> = {
  base: {
    product: 'produkt',
    'product-category': 'kategorie',
    'product-tag': 'thema',
    shop: 'laden',
    cart: 'warenkorb',
    checkout: 'kasse',
    'my-account': 'konto',
    page: 'seite',
    orders: 'bestellungen',
  },
  product: {
    'tidal-vase': 'gezeitenvase',
    hostile: '../x',
    slash: 'a/b',
    percent: '100%',
    empty: '',
    mug: 'Becher & Maß',
  },
  category: { kitchen: 'küche', cups: 'tassen', page: 'blatt' },
  tag: { clay: 'ton' },
  page: { about: 'über-uns', cart: 'karren' },
}

/** Like the translation memory: both directions from the same rows. */
function speaking(said: typeof words) {
  const back = new Map(
    Object.entries(said).flatMap(([kind, all]) =>
      Object.entries(all).map(([own, to]) => [`${kind}/${to}`, own] as const),
    ),
  )
  return {
    slug: (kind: SlugKind, own: string) =>
      (Object.hasOwn(said[kind] ?? {}, own) ? said[kind]?.[own] : undefined) ?? own,
    slugFrom: (kind: SlugKind, to: string) => back.get(`${kind}/${to}`),
  }
}

const { lead, known } = createAddresses('de', new Set(['de', 'fr']), speaking(words))

describe('a path in a language', () => {
  it.each([
    [urls.home(), '/de/'],
    [urls.product('tidal-vase'), '/de/produkt/gezeitenvase/'],
    [urls.product('tidal-vase', { attribute_pa_color: 'sea' }), '/de/produkt/gezeitenvase/?attribute_pa_color=sea'],
    [`${urls.product('tidal-vase')}#reviews`, '/de/produkt/gezeitenvase/#reviews'],
    [urls.product('mug'), '/de/produkt/Becher%20%26%20Ma%C3%9F/'],
    [urls.product('unknown'), '/de/produkt/unknown/'],
    [urls.product('über'), '/de/produkt/%C3%BCber/'],
    [urls.product('%c3%bcber'), '/de/produkt/%c3%bcber/'],
    [urls.category('kitchen/cups'), '/de/kategorie/k%C3%BCche/tassen/'],
    ['/product-category/kitchen/page/2/', '/de/kategorie/k%C3%BCche/seite/2/'],
    [urls.category('page'), '/de/kategorie/blatt/'],
    [urls.tag('clay'), '/de/thema/ton/'],
    [urls.shopPage(3, { orderby: 'date' }), '/de/laden/seite/3/?orderby=date'],
    [urls.search('vase'), '/de/?s=vase&post_type=product'],
    [urls.page('about'), '/de/%C3%BCber-uns/'],
    [urls.cart(), '/de/warenkorb/'],
    [urls.orders(2), '/de/konto/bestellungen/2/'],
    [urls.orderReceived(7, 'k'), '/de/kasse/order-received/7/?key=k'],
    [urls.wcAjaxTemplate, '/de/?wc-ajax=%%endpoint%%'],
    [urls.paypalRest('%s'), '/de/wp-json/wc-ppcp/v1/%s'],
    [urls.adminAjax, '/de/wp-admin/admin-ajax.php'],
    [urls.download('about'), '/de/download/about/'],
    [urls.feed(), '/de/feed/'],
    [urls.manifest(), '/de/site.webmanifest'],
    [urls.addressData('abc'), '/de/address-data/abc.json'],
  ])('%s is %s', (path, there) => {
    expect(lead(path)).toBe(there)
  })

  it.each([
    '/de/produkt/gezeitenvase/',
    '/fr/product/tidal-vase/',
    '//elsewhere.example/',
    'https://elsewhere.example/cart/',
    '#top',
    '?add-to-cart=1',
    'mailto:a@b.example',
    '',
    urls.sitemap(),
    '/robots.txt',
    '/assets/main.js',
    urls.media('ab', 160, 'webp'),
    urls.themeSheet('ab'),
    urls.cardIcon('visa'),
  ])('%s has no other', (path) => {
    expect(lead(path)).toBe(path)
  })

  it.each(['hostile', 'slash', 'percent', 'empty'])(
    'a translation that is no part of an address (%s) is not used',
    (slug) => {
      expect(lead(urls.product(slug))).toBe(`/de/produkt/${slug}/`)
    },
  )

  it('leads back to what the shop itself knows', () => {
    for (const path of ['/product/tidal-vase/', '/product-category/kitchen/page/2/', '/cart/', '/about/', '/']) {
      expect(known(lead(path).slice(3))).toBe(path)
    }
    expect(known('/product/tidal-vase/')).toBe('/product/tidal-vase/')
    expect(known('/produkt/%E0%A4%A/')).toBe('/product/%E0%A4%A/')
  })

  it('comes back from every translation, and is never led twice', () => {
    const slug = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
    const said = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), {
      selector: (text) => text.normalize(),
      minLength: 6,
      maxLength: 6,
    })
    fc.assert(
      fc.property(fc.uniqueArray(slug, { minLength: 6, maxLength: 6 }), said, (own, to) => {
        // Not the own slug of another entry: the translation memory refuses those.
        fc.pre(!to.some((one) => own.includes(one)))
        const all = Object.fromEntries(own.map((one, index) => [one, to[index] ?? one]))
        const { lead, known } = createAddresses(
          'de',
          new Set(['de']),
          speaking({ product: all, category: all, tag: all }),
        )
        for (const path of [
          `/product/${own[0]}/`,
          `/product-category/${own[1]}/${own[2]}/`,
          `/product-tag/${own[3]}/`,
        ]) {
          const there = lead(path)
          expect(new URL(there, 'http://shop.test').pathname).toBe(there)
          expect(known(there.slice(3))).toBe(path)
          expect(lead(there)).toBe(there)
        }
      }),
    )
  })

  it('remembers a bounded number of paths, and answers the same beyond it', () => {
    for (let place = 0; place < 6000; place += 1) lead(`/product/one-${place}/`)
    expect(lead(urls.product('tidal-vase'))).toBe('/de/produkt/gezeitenvase/')
  })
})
