import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { aCard, aFrame, aListing, aShop, someCards, usd } from './fixtures.ts'
import { ListingPage } from './listing-page.tsx'
import { select, textOf, theOne } from './markup.ts'
import { renderDocument, renderPart } from './render.tsx'

const listing = (over = {}) => renderPart(aShop(), <ListingPage facts={aListing(over)} />)
const card = (over = {}) => listing({ products: [aCard(over)], total: 1, pageCount: 1 })

describe('the listing page', () => {
  it('LIST-01 shows each product with picture, name, price and an add-to-cart button', () => {
    const html = listing({ products: someCards(24) })
    const cards = select(html, 'ul.products > li.product')
    expect(cards).toHaveLength(24)
    for (const one of cards) {
      expect(select(one, 'a.woocommerce-LoopProduct-link img.attachment-woocommerce_thumbnail')).toHaveLength(1)
      expect(textOf(theOne(one, 'a > h2.woocommerce-loop-product__title'))).not.toBe('')
      expect(textOf(theOne(one, 'a > span.price'))).toContain('$')
      expect(select(one, 'li > a.button')).toHaveLength(1)
    }
  })

  it('LIST-01 gives a simple product a button that adds it at once and works as a link', () => {
    const button = theOne(card(), 'li > a.button')
    expect(button.attributes).toEqual({
      href: '?add-to-cart=41',
      'data-quantity': '1',
      class: 'button product_type_simple add_to_cart_button ajax_add_to_cart',
      'data-product_id': '41',
      'data-product_sku': 'H-1',
      'aria-label': 'Add to cart: “Tidal carafe”',
      rel: 'nofollow',
      'data-success_message': '“Tidal carafe” has been added to your cart',
      role: 'button',
    })
    expect(textOf(button)).toBe('Add to cart')
  })

  it.each([
    ['variable', { type: 'variable' }, 'button product_type_variable add_to_cart_button', 'Select options'],
    ['grouped', { type: 'grouped' }, 'button product_type_grouped add_to_cart_button', 'View products'],
    ['sold-out', { stock: 'outofstock' }, 'button product_type_simple', 'Read more'],
    ['unpriced', { purchasable: false, price: { kind: 'none' } }, 'button product_type_simple', 'Read more'],
  ])('leads from a %s product to its page', (_, over, classes, text) => {
    const button = theOne(card(over), 'li > a.button')
    expect(button.attributes.class).toBe(classes)
    expect(button.attributes.href).toBe('/product/tidal-carafe/')
    expect(button.attributes.role).toBeUndefined()
    expect(textOf(button)).toBe(text)
  })

  it('leads from an external product to the other shop in its own words', () => {
    const button = theOne(
      card({ type: 'external', externalUrl: 'https://maker.example/1', buttonText: 'Order from the maker' }),
      'li > a.button',
    )
    expect(button.attributes.href).toBe('https://maker.example/1')
    expect(textOf(button)).toBe('Order from the maker')
  })

  it('marks first and last of each row and every state of a product as classes', () => {
    const html = listing({ products: someCards(5) })
    const classes = select(html, 'ul.products > li').map((one) => one.attributes.class)
    expect(classes.map((value) => /\b(first|last)\b/.exec(value ?? '')?.[0])).toEqual([
      'first',
      undefined,
      undefined,
      'last',
      'first',
    ])
    expect(classes[2]).toBe(
      'product type-product post-102 status-publish instock product_cat-glass has-post-thumbnail sale taxable shipping-taxable purchasable product-type-simple',
    )
  })

  it('tells a sale price to the eye and to the ear', () => {
    const price = theOne(card({ price: { kind: 'sale', regular: usd(2490), price: usd(1990) } }), 'span.price')
    expect(select(price, 'del[aria-hidden=true] > span.woocommerce-Price-amount.amount > bdi')).toHaveLength(1)
    expect(textOf(theOne(price, 'ins[aria-hidden=true]'))).toBe('$19.90')
    expect(select(price, 'span.screen-reader-text').map(textOf)).toEqual([
      'Original price was: $24.90.',
      'Current price is: $19.90.',
    ])
    expect(select(price, 'span.woocommerce-Price-currencySymbol[translate=no]')).toHaveLength(2)
  })

  it('tells a range as two amounts and one sentence', () => {
    const price = theOne(card({ price: { kind: 'range', from: usd(1000), to: usd(125000) } }), 'span.price')
    expect(textOf(price)).toBe('$10.00 – $1,250.00Price range: $10.00 through $1,250.00')
  })

  it('writes the currency where the merchant wants it', () => {
    const shop = aShop({
      priceFormat: { position: 'right_space', decimals: 2, decimalSeparator: ',', thousandSeparator: '.' },
    })
    const html = renderPart(
      shop,
      <ListingPage
        facts={aListing({
          products: [aCard({ price: { kind: 'single', price: { minor: 123450, currency: 'EUR' } } })],
        })}
      />,
    )
    expect(textOf(theOne(html, 'span.price'))).toBe('1.234,50 €')
  })

  it('LIST-02 keeps the rest of the query when the order changes, and sends itself without script', () => {
    const html = listing({ path: '/shop/', query: { s: 'vase', orderby: 'price', paged: '3' }, sorting: 'price' })
    const form = theOne(html, 'form.woocommerce-ordering[method=get]')
    expect(form.attributes.action).toBe('/shop/')
    expect(select(form, 'input[type=hidden]').map(({ attributes }) => [attributes.name, attributes.value])).toEqual([
      ['paged', '1'],
      ['s', 'vase'],
    ])
    expect(theOne(form, 'select.orderby[name=orderby] > option[selected]').attributes.value).toBe('price')
    expect(select(form, 'noscript > button[type=submit]')).toHaveLength(1)
  })

  it('counts the results in a live region', () => {
    const count = theOne(listing({ page: 2, sorting: 'date' }), 'p.woocommerce-result-count')
    expect(count.attributes).toMatchObject({ role: 'status', 'aria-relevant': 'all', 'data-is-sorted-by': 'true' })
    expect(textOf(count)).toBe('Showing 25–48 of 61 resultsSorted by latest')
  })

  it.each([
    [1, 'Showing the single result'],
    [7, 'Showing all 7 results'],
  ])('counts %i', (total, text) => {
    expect(textOf(theOne(listing({ total, pageCount: 1 }), 'p.woocommerce-result-count'))).toBe(text)
  })

  it('LIST-06 links the other pages, a search by its query', () => {
    const shopPages = theOne(listing({ page: 2, path: '/shop/?orderby=price' }), 'nav.woocommerce-pagination')
    expect(select(shopPages, 'a.page-numbers').map(({ attributes }) => attributes.href)).toEqual([
      '/shop/?orderby=price',
      '/shop/?orderby=price',
      '/shop/page/3/?orderby=price',
      '/shop/page/3/?orderby=price',
    ])
    expect(textOf(theOne(shopPages, 'span.current[aria-current=page]'))).toBe('2')
    const search = listing({ kind: 'search', path: '/?s=cup&post_type=product' })
    expect(theOne(search, 'a.next').attributes.href).toBe('/?s=cup&post_type=product&paged=2')
  })

  it('LIST-06 offers the categories to go on to, and a new search where nothing was found', () => {
    expect(select(listing(), 'nav.category-links a')).toHaveLength(8)
    const nothing = listing({ kind: 'search', searchTerm: '<zither>', products: [], total: 0, pageCount: 0 })
    expect(textOf(theOne(nothing, 'p.woocommerce-no-products-found'))).toBe(
      'No products were found matching “<zither>”.',
    )
    expect(theOne(nothing, 'input#search-again[name=s]').attributes.value).toBe('<zither>')
  })

  it('fetches the first picture before everything, those on the first screen at once and the rest when they near', () => {
    const images = select(listing(), 'ul.products img')
    expect(images.filter(({ attributes }) => attributes.fetchpriority === 'high')).toHaveLength(1)
    expect(images.filter(({ attributes }) => attributes.loading === 'lazy')).toHaveLength(20)
    expect(images[0]?.attributes).toMatchObject({ width: '1152', height: '1440', fetchpriority: 'high' })
    expect(images[0]?.attributes.srcset).toMatch(/^\/media\/[\w-]+-160\.webp 160w, .*-1152\.webp 1152w$/)
  })

  it('fits 24 cards into 14 KB compressed', () => {
    const html = renderDocument(aShop(), aFrame(), <ListingPage facts={aListing()} />)
    expect(gzipSync(html).length).toBeLessThan(14 * 1024)
  })
})
