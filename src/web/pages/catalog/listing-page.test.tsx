import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FacetFacts } from '#shop/catalog/catalog-facts.ts'
import { aCard, aFacet, aListing, someCards, someFacets } from '#tests/support/catalog/listing-page-fixtures.ts'
import { aCategory, aFrame, aShop, someCategories, usd } from '#tests/support/shared/page-fixtures.ts'
import { type Node, select, textOf, theOne } from '#tests/support/shared/rendered-markup.ts'
import { renderDocument, renderPart } from '../shared/render.tsx'
import { ListingPage } from './listing-page.tsx'

const listing = (over = {}) => renderPart(aShop(), <ListingPage facts={aListing(over)} />)
const card = (over = {}) => listing({ products: [aCard(over)], total: 1, pageCount: 1 })

const search = { kind: 'search', path: '/?s=cup&post_type=product&filter_colour=moss' } as const

describe('what narrows a listing', () => {
  const links = (html: string | Node) => select(html, 'ul.facet__options a')
  const hiddenFields = (form: Node) =>
    select(form, 'input[type=hidden]').map(({ attributes }) => [attributes.name, attributes.value])

  it('stands beside the list as groups of plain links with counts', () => {
    const facets = [aFacet('Colour', ['Sand', 'Moss']), aFacet('Material', ['Oak'])]
    const html = listing({ facets })
    expect(select(html, 'details.facet[open] > summary > h2').map(textOf)).toEqual(['Colour', 'Material'])
    expect(links(html).map((link) => [link.attributes.href, textOf(link), link.attributes.rel])).toEqual([
      ['/shop/?filter_colour=sand', 'Sand 3', undefined],
      ['/shop/?filter_colour=moss', 'Moss 4', undefined],
      ['/shop/?filter_material=oak', 'Oak 3', undefined],
    ])
    expect(select(listing(), 'section.listing-filters')).toHaveLength(0)
  })

  it('opens as a drawer without a script, from a button that says how much is chosen', () => {
    const html = listing({ facets: someFacets(), chosen: [{ label: 'Moss', url: '/shop/' }], clearUrl: '/shop/' })
    const { id } = theOne(html, 'section.listing-filters[popover=auto]').attributes
    const button = theOne(html, 'button.filter-button')
    expect(button.attributes.popovertarget).toBe(id)
    expect(textOf(button)).toBe('Filters 1')
    expect(
      select(html, 'section.listing-filters button[popovertargetaction=hide]').map(
        ({ attributes }) => attributes.popovertarget,
      ),
    ).toEqual([id, id])
  })

  it('leads search engines to one choice and no further', () => {
    const html = listing({
      facets: [aFacet('Colour', ['Sand'])],
      chosen: [{ label: 'Oak', url: '/shop/' }],
      clearUrl: '/shop/',
    })
    expect(links(html)[0]?.attributes.rel).toBe('nofollow')
  })

  it('takes a choice back by its own link, by its chip, and all at once', () => {
    const html = listing({
      facets: [aFacet('Colour', ['Moss'], { selected: true, url: '/shop/?filter_size=m' })],
      chosen: [
        { label: 'Moss', url: '/shop/?filter_size=m' },
        { label: 'M', url: '/shop/?filter_colour=moss' },
      ],
      clearUrl: '/shop/',
    })
    expect(links(html)[0]?.attributes).toMatchObject({ 'aria-current': 'true', href: '/shop/?filter_size=m' })
    expect(
      select(html, 'ul.chosen-filters a').map(({ attributes }) => [
        attributes.href,
        attributes['aria-label'],
        attributes.rel,
      ]),
    ).toEqual([
      ['/shop/?filter_size=m', 'Remove filter: Moss', 'nofollow'],
      ['/shop/?filter_colour=moss', 'Remove filter: M', 'nofollow'],
      ['/shop/', undefined, 'nofollow'],
    ])
  })

  it('names the bounds that prices were given', () => {
    const chip = (from: number | null, to: number | null) => {
      const price = { from: from === null ? null : usd(from), to: to === null ? null : usd(to) }
      const html = listing({ chosen: [{ label: 'Price', url: '/shop/', price }], clearUrl: '/shop/' })
      return select(html, 'ul.chosen-filters a')[0]?.attributes['aria-label']
    }
    expect(chip(2000, 10000)).toBe('Remove filter: Price: $20.00 – $100.00')
    expect(chip(2000, null)).toBe('Remove filter: Price: $20.00 –')
    expect(chip(null, 10000)).toBe('Remove filter: Price: – $100.00')
  })

  it('offers nothing that would find nothing, unless it is chosen', () => {
    const none = aFacet('Colour', ['Moss'], { count: 0 })
    expect(select(listing({ facets: [none] }), 'section.listing-filters')).toHaveLength(0)
    const chosen = aFacet('Colour', ['Moss'], { count: 0, selected: true })
    expect(links(listing({ facets: [chosen] })).map(textOf)).toEqual(['Moss 0'])
  })

  it('folds what a long list has after the eighth, and opens the fold when something in it is chosen', () => {
    const names = Array.from({ length: 12 }, (_, place) => `Maker ${String.fromCharCode(65 + place)}`)
    const facet = aFacet('Maker', names)
    const fold = theOne(listing({ facets: [facet] }), 'details.facet__more')
    expect([textOf(theOne(fold, 'summary')), links(fold).length, fold.attributes.open]).toEqual([
      '4 more',
      4,
      undefined,
    ])
    const chosen = aFacet('Maker', names, { selected: true })
    expect(theOne(listing({ facets: [chosen] }), 'details.facet__more').attributes).toHaveProperty('open')
    expect(select(listing({ facets: [aFacet('Maker', names.slice(0, 9))] }), 'details.facet__more')).toHaveLength(0)
  })

  it('shows colours as dots', () => {
    const html = listing({ facets: someFacets() })
    expect(select(html, 'svg.swatch-dot').map(({ attributes }) => attributes.color)).toEqual([
      '#d9c7a3',
      '#6b7a4b',
      '#1d2733',
      '#f4f1ea',
    ])
  })

  it('asks for a price range by a form that keeps everything else but the page', () => {
    const price: FacetFacts = {
      kind: 'price',
      name: 'price',
      label: 'Price',
      lowest: usd(1250),
      highest: usd(24001),
      from: usd(1999),
      to: null,
    }
    const query = { orderby: 'date', filter_colour: 'moss', min_price: '19.99', paged: '3' }
    const form = theOne(listing({ ...search, query, facets: [price] }), 'form.facet__price[method=get]')
    expect(form.attributes.action).toBe('/')
    expect(hiddenFields(form)).toEqual([
      ['s', 'cup'],
      ['post_type', 'product'],
      ['filter_colour', 'moss'],
      ['orderby', 'date'],
    ])
    const [lowest, highest] = select(form, 'input[type=number]')
    expect(lowest?.attributes).toMatchObject({ name: 'min_price', placeholder: '12', value: '19.99' })
    expect(highest?.attributes).toMatchObject({ name: 'max_price', placeholder: '241' })
    expect(highest?.attributes.value).toBeUndefined()
  })

  it('counts whole units of a currency without minor ones', () => {
    const yen = (minor: number) => ({ minor, currency: 'JPY' })
    const price: FacetFacts = {
      kind: 'price',
      name: 'price',
      label: 'Price',
      lowest: yen(800),
      highest: yen(12000),
      from: null,
      to: yen(5000),
    }
    const [lowest, highest] = select(listing({ facets: [price] }), 'input[type=number]')
    expect([lowest?.attributes.placeholder, highest?.attributes.placeholder, highest?.attributes.value]).toEqual([
      '800',
      '12000',
      '5000',
    ])
  })

  it('LIST-02 stays when the order changes, within a search too', () => {
    const query = { filter_colour: 'moss', min_price: '10' }
    const form = theOne(listing({ ...search, query }), 'form.woocommerce-ordering')
    expect(hiddenFields(form)).toEqual([
      ['paged', '1'],
      ['s', 'cup'],
      ['post_type', 'product'],
      ['filter_colour', 'moss'],
      ['min_price', '10'],
    ])
  })

  it('LIST-06 stays on every page of the list', () => {
    const html = listing({ query: { filter_colour: 'moss', max_price: '50' } })
    expect(theOne(html, 'a.next').attributes.href).toBe('/shop/page/2/?filter_colour=moss&max_price=50')
  })

  it('leaves a way out where nothing is left', () => {
    const html = listing({
      products: [],
      total: 0,
      facets: someFacets(),
      chosen: [{ label: 'Moss', url: '/shop/' }],
      clearUrl: '/shop/',
    })
    expect(theOne(html, 'div.nothing-found a.button').attributes.href).toBe('/shop/')
    expect(select(html, 'button.filter-button')).toHaveLength(1)
  })
})

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
    expect(textOf(theOne(nothing, 'h1'))).toBe('Results for “<zither>”')
    expect(select(nothing, 'div.nothing-found nav.category-links a')).toHaveLength(8)
  })

  it('LIST-06 shows the level below a category as tiles when each of them has a picture', () => {
    const categories = someCategories().slice(0, 3)
    const pictured = listing({ kind: 'category', categories })
    expect(
      select(pictured, 'ul.category-tiles > li.product-category > a').map(({ attributes }) => attributes.href),
    ).toEqual(['/product-category/ceramics/', '/product-category/glass/', '/product-category/textiles/'])
    const bare = listing({ kind: 'category', categories: [...categories, aCategory({ id: 9 })] })
    expect([select(bare, 'ul.category-tiles'), select(bare, 'nav.category-links a')].map((it) => it.length)).toEqual([
      0, 4,
    ])
  })

  it('says which spelling was sought instead of the one typed', () => {
    const html = listing({ kind: 'search', searchTerm: 'hodie', correctedTerm: 'hoodie' })
    expect(textOf(theOne(html, 'p.search-correction[role=status]'))).toBe(
      'Nothing was found for “hodie”, so these are results for “hoodie”.',
    )
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
