import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { createAddresses } from '#shop/translation/localized-paths.ts'
import { aCart } from '#tests/support/cart/cart-page-fixtures.ts'
import { aHome, aListing, someCards } from '#tests/support/catalog/listing-page-fixtures.ts'
import { aProduct, aVariableProduct } from '#tests/support/catalog/product-page-fixtures.ts'
import { aCheckout, anOrder } from '#tests/support/checkout/checkout-page-fixtures.ts'
import { aFrame, aShop } from '#tests/support/shared/page-fixtures.ts'
import { textOfPieces } from '#tests/support/shared/public-markup-fixtures.ts'
import { descendants, parseMarkup, select, textOf, theOne } from '#tests/support/shared/rendered-markup.ts'
import { CartPage } from '../cart/cart-page.tsx'
import { HomePage } from '../catalog/home-page.tsx'
import { ListingPage } from '../catalog/listing-page.tsx'
import { ProductPage } from '../catalog/product-page.tsx'
import { CheckoutPage } from '../checkout/checkout-page.tsx'
import { ContentPage } from '../content/content-page.tsx'
import { OrderReceivedPage } from '../orders/order-received-page.tsx'
import { ErrorPage } from './error-page.tsx'
import { jsonForScript, settingsPieces } from './json-for-script.ts'
import { linksIn } from './localize-links.ts'
import { renderDocument } from './render.tsx'

const PAGES: Record<string, ReactElement> = {
  home: <HomePage facts={aHome()} />,
  listing: <ListingPage facts={aListing()} />,
  'a simple product': <ProductPage facts={aProduct()} />,
  'a variable product': <ProductPage facts={aVariableProduct()} />,
  'a group': <ProductPage facts={aProduct({ type: 'grouped', grouped: someCards(3) })} />,
  cart: <CartPage cart={aCart()} nonces={{}} />,
  checkout: <CheckoutPage facts={aCheckout()} nonces={{}} />,
  'order received': <OrderReceivedPage facts={{ kind: 'received', order: anOrder(), instructions: null }} />,
  content: <ContentPage title="Terms" html="<p>Fair ones.</p>" />,
  error: <ErrorPage status={500} message="It broke." requestId="r-1" />,
}
const document = (element: ReactElement = <p>Hello</p>, frame = {}) => renderDocument(aShop(), aFrame(frame), element)

describe.each(Object.entries(PAGES))('every page: %s', (_, element) => {
  const root = parseMarkup(document(element))

  it('needs no inline style and no inline script', () => {
    for (const node of descendants(root)) {
      expect(node.attributes).not.toHaveProperty('style')
      expect(Object.keys(node.attributes).filter((name) => /^on/.test(name))).toEqual([])
      if (node.name === 'script' && !('src' in node.attributes)) {
        expect(['application/json', 'application/ld+json', 'text/template']).toContain(node.attributes.type)
      }
    }
  })

  it('has one first heading, no id twice, and a label for every field', () => {
    expect(select(root, 'h1')).toHaveLength(1)
    const ids = descendants(root).flatMap(({ attributes }) => attributes.id ?? [])
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
    for (const node of descendants(root)) {
      if (!['input', 'select', 'textarea'].includes(node.name) || node.attributes.type === 'hidden') continue
      const { id = '' } = node.attributes
      const labelled = 'aria-label' in node.attributes || select(root, `label[for=${id}]`).length > 0
      expect(labelled || select(root, `label #${id}`).length > 0, `${node.name} ${id}`).toBe(true)
    }
  })

  it('gives every picture its size and a text', () => {
    for (const { attributes } of select(root, 'img')) {
      expect(attributes).toMatchObject({
        width: expect.any(String),
        height: expect.any(String),
        alt: expect.any(String),
      })
    }
  })
})

describe('the frame of a page', () => {
  it('carries the classes of its kind, which the script completes', () => {
    const html = document(<p />, { kind: 'listing', bodyClasses: ['tax-product_cat', 'term-glass'] })
    expect(theOne(html, 'body').attributes.class).toBe(
      'woocommerce woocommerce-page woocommerce-no-js post-type-archive-product tax-product_cat term-glass',
    )
    expect(theOne(document(<p />, { kind: 'order-received' }), 'body').attributes.class).toContain(
      'woocommerce-checkout woocommerce-order-received',
    )
  })

  it('begins with a link to the content', () => {
    const [first] = select(document(), 'body a')
    expect(first?.attributes.href).toBe('#main')
    expect(select(document(), 'main#main')).toHaveLength(1)
  })

  it('leads everywhere without scripts: menu, search and cart', () => {
    const html = document()
    // The menu is a fragment target of the header's link.
    const { href } = theOne(html, 'header a.menu-toggle').attributes
    expect(select(html, `dialog${href} nav a`)).toHaveLength(9)
    expect(select(html, 'header nav.site-nav a')).toHaveLength(9)
    expect(theOne(html, 'header a.cart-contents').attributes.href).toBe('/cart/')
    const form = theOne(html, 'header form[method=get]')
    expect(form.attributes.action).toBe('/')
    expect(select(form, 'input[name=s]')).toHaveLength(1)
  })

  it('MINI-01 holds the place for a cart that it does not know', () => {
    const widget = theOne(document(), 'div.widget.woocommerce.widget_shopping_cart')
    const content = theOne(widget, 'div.widget_shopping_cart_content')
    expect(textOf(theOne(content, 'p.woocommerce-mini-cart__empty-message'))).toBe('No products in the cart.')
    expect(theOne(content, 'a').attributes.href).toBe('/shop/')
    expect(textOf(theOne(document(), 'a.cart-contents > span.cart-count'))).toBe('')
  })

  it('prints notices by kind: what failed, what was done, what is good to know', () => {
    const html = document(<p />, {
      notices: [
        { kind: 'notice', html: 'Shipping costs updated.' },
        { kind: 'error', html: '<strong>Billing City</strong> is a required field.', field: 'billing_city' },
        { kind: 'success', html: 'Cart updated.' },
        { kind: 'error', html: 'No.' },
      ],
    })
    const wrapper = theOne(html, 'main > div.woocommerce-notices-wrapper')
    expect(
      wrapper.children.map((child) => typeof child !== 'string' && [child.attributes.class, child.attributes.role]),
    ).toEqual([
      ['woocommerce-error', 'alert'],
      ['woocommerce-message', 'alert'],
      ['woocommerce-info', 'status'],
    ])
    expect(select(wrapper, 'ul.woocommerce-error > li').map(({ attributes }) => attributes['data-id'])).toEqual([
      'billing_city',
      undefined,
    ])
  })

  it('escapes settings so that they cannot leave their element', () => {
    const hostile = { wc_x: { text: '</script><script>alert(1)</script><!-- \u2028 \u2029 &' } }
    const json = jsonForScript(hostile)
    expect(json).not.toMatch(/[<>&\u2028\u2029]/)
    expect(JSON.parse(json)).toEqual(hostile)
    expect(document(<p />, { settings: hostile })).toContain(json)
  })

  it('writes settings as JSON does, also those that it has written before', () => {
    const shared = Object.freeze({ text: '</script>', list: [1, null, { a: true }] })
    const settings = { shared, own: { of: 1 }, none: null, left: undefined, "na'me": 'text', again: shared }
    for (let round = 0; round < 2; round += 1)
      expect(textOfPieces(settingsPieces(settings))).toBe(jsonForScript(settings))
    // An object that is not frozen may change between renderings.
    settings.own.of = 2
    expect(textOfPieces(settingsPieces(settings))).toBe(jsonForScript(settings))
  })

  it('escapes every text of the shop', () => {
    const html = renderDocument(aShop({ name: '<b>&"' }), aFrame({ title: '</title><b>' }), <p />)
    expect(html).not.toContain('<b>')
  })

  it('names robots, address and style sheets in the head', () => {
    const html = document(<p />, {
      robots: 'noindex',
      assets: { css: ['/a.css'], script: '/m.js', preload: ['/c.js'] },
    })
    expect(theOne(html, 'meta[name=robots]').attributes.content).toBe('noindex')
    expect(theOne(html, 'link[rel=canonical]').attributes.href).toBe('https://shop.example.test/shop/')
    expect(theOne(html, 'link[rel=stylesheet]').attributes.href).toBe('/a.css')
    expect(theOne(html, 'script[type=module]').attributes.src).toBe('/m.js')
    expect(theOne(html, 'html').attributes).toMatchObject({ lang: 'en-US', dir: 'ltr' })
  })
})

it('leads the links of its head to its language: nothing looks for them afterwards', () => {
  const { lead: path } = createAddresses('de', new Set(['de']), { slug: (_, slug) => slug, slugFrom: () => undefined })
  const about = { kind: 'website', picture: null, jsonLd: [] } as const
  const assets = { ...aFrame().assets, preload: ['/assets/a.js'], fonts: ['/assets/a.woff2'] }
  const html = renderDocument(aShop({ path }), aFrame({ about, assets }), <p>Hello</p>)
  const head = html.slice(0, html.indexOf('<body'))
  expect(head).toContain('href="/de/site.webmanifest"')
  expect(head).toContain('href="/de/feed/"')
  expect(linksIn(head, { path })).toBe(head)
})
