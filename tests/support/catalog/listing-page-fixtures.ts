import type { FacetFacts, FacetOption, ListingFacts, ProductCardFacts } from '#shop/catalog/catalog-facts.ts'
import type { HomeFacts } from '#shop/content/home-facts.ts'
import { anImage, someCategories, TINTS, usd } from '#tests/support/shared/page-fixtures.ts'

/** Makers of what listings and the front page show. */

export function aCard(over: Partial<ProductCardFacts> = {}): ProductCardFacts {
  return {
    id: 41,
    type: 'simple',
    sku: 'H-1',
    name: 'Tidal carafe',
    url: '/product/tidal-carafe/',
    image: anImage(),
    price: { kind: 'single', price: usd(6400) },
    onSale: false,
    featured: false,
    stock: 'instock',
    purchasable: true,
    virtual: false,
    downloadable: false,
    soldIndividually: false,
    taxable: true,
    hasDefaultAttributes: false,
    categories: [{ name: 'Glass', slug: 'glass', url: '/product-category/glass/' }],
    tags: [],
    averageRating: 0,
    ratingCount: 0,
    externalUrl: '',
    buttonText: '',
    ...over,
  }
}

const NAMES = [
  'Tidal carafe',
  'Moss wool throw',
  'Low stoneware bowl',
  'Paper lantern, small',
  'Oak bread board',
  'Smoked tumbler, set of two',
  'Linen tea towel',
  'Winter print, framed',
  'Ribbed planter',
  'Brass candle holder',
  'Field notebook',
  'Evening table lamp',
]

/** `count` different cards, among them every kind that a listing shows. */
export function someCards(count: number): ProductCardFacts[] {
  return Array.from({ length: count }, (_, place) => {
    const name = NAMES[place % NAMES.length] ?? 'Thing'
    const slug = `${name.toLowerCase().replace(/[^a-z]+/g, '-')}-${place}`
    const regular = usd(1800 + ((place * 1700) % 24000))
    return aCard({
      id: 100 + place,
      sku: `FF-${100 + place}`,
      name,
      url: `/product/${slug}/`,
      image: anImage({ hash: `${slug}`.padEnd(16, '0'), placeholder: TINTS[place % TINTS.length] ?? '#d8d3cb' }),
      price:
        place % 5 === 2
          ? { kind: 'sale', regular, price: usd(regular.minor - 600) }
          : place % 5 === 1
            ? { kind: 'range', from: regular, to: usd(regular.minor + 4000) }
            : { kind: 'single', price: regular },
      onSale: place % 5 === 2,
      type: place % 5 === 1 ? 'variable' : 'simple',
      stock: place % 12 === 9 ? 'outofstock' : 'instock',
    })
  })
}

export function aListing(over: Partial<ListingFacts> = {}): ListingFacts {
  const products = over.products ?? someCards(24)
  return {
    kind: 'shop',
    title: 'Shop',
    description: '',
    image: null,
    searchTerm: '',
    path: '/shop/',
    query: {},
    sorting: 'menu_order',
    sortings: ['menu_order', 'popularity', 'date', 'price', 'price-desc'],
    page: 1,
    pageCount: 3,
    perPage: 24,
    total: 61,
    categories: someCategories(),
    ancestors: [],
    facets: [],
    chosen: [],
    clearUrl: null,
    correctedTerm: null,
    isPassing: false,
    ...over,
    products,
  }
}

/** `count` choices of one attribute, none of them made. */
export function aFacet(label: string, values: readonly string[], over: Partial<FacetOption> = {}): FacetFacts {
  const name = `filter_${label.toLowerCase()}`
  const options = values.map((value, place) => {
    const slug = value.toLowerCase().replace(/[^a-z]+/g, '-')
    return {
      value: slug,
      label: value,
      count: 3 + place,
      selected: false,
      url: `/shop/?${name}=${slug}`,
      swatch: null,
      ...over,
    }
  })
  return { kind: 'options', name, label, options }
}

/** What a listing is narrowed by, of every kind. */
export function someFacets(): FacetFacts[] {
  const colours = { Sand: '#d9c7a3', Moss: '#6b7a4b', Ink: '#1d2733', Chalk: '#f4f1ea' }
  const colour = aFacet('Colour', Object.keys(colours))
  return [
    aFacet('Category', [
      'Ceramics',
      'Glass',
      'Textiles',
      'Lighting',
      'Kitchen',
      'Paper',
      'Plants',
      'Workshops',
      'Gifts',
      'Books',
    ]),
    colour.kind === 'options'
      ? {
          ...colour,
          options: colour.options.map((option, place) => ({
            ...option,
            swatch: { kind: 'colour', colour: Object.values(colours)[place] ?? '#888888' },
          })),
        }
      : colour,
    { kind: 'price', name: 'price', label: 'Price', lowest: usd(1250), highest: usd(24000), from: null, to: null },
    aFacet('Availability', ['In stock', 'On back-order']),
  ]
}

/** A front page with one section of every kind. */
export function aHome(): HomeFacts {
  const link = { text: 'Go on', url: '/shop/' }
  return {
    sections: [
      { kind: 'hero', title: 'Made slowly', text: 'Kept long.', image: anImage({ hash: 'hero' }), link: null },
      { kind: 'categories', title: '', categories: someCategories() },
      { kind: 'products', title: '', shelf: 'featured', products: someCards(4), link: null },
      { kind: 'products', title: 'By hand', shelf: null, products: someCards(8).slice(4), link },
      { kind: 'picture', title: 'Two rooms', html: '<p>And a kiln.</p>', image: anImage(), link, side: 'end' },
      { kind: 'text', title: 'Who we are', html: '<p>Five people.</p>' },
      { kind: 'quote', text: 'It holds soup.', by: 'A neighbour' },
      { kind: 'banner', title: 'Come by on Saturday', text: 'There is tea.', link },
    ],
  }
}
