import { type Money, money } from '#domain/money/money.ts'
import type { CartFacts, CartLineFacts } from '#shop/cart-facts.ts'
import type {
  AttributeFacts,
  CategoryFacts,
  HomeFacts,
  ImageFacts,
  ListingFacts,
  ProductCardFacts,
  ProductFacts,
  VariationFacts,
} from '#shop/catalog-facts.ts'
import type { CheckoutFacts, FieldFacts, OrderFacts } from '#shop/checkout-facts.ts'
import type { ShopContextValue } from '../parts/shop-context.tsx'
import type { FrameFacts } from './document.tsx'

/** Makers of facts for tests and previews of the pages. Each takes only what the case is about. */

export const usd = (minor: number): Money => money(minor, 'USD')

export function aShop(over: Partial<ShopContextValue> = {}): ShopContextValue {
  return {
    name: 'Fjord & Fern',
    tagline: 'Quiet things for the house, made by few hands.',
    language: 'en-US',
    dir: 'ltr',
    currency: 'USD',
    priceFormat: { position: 'left', decimals: 2, decimalSeparator: '.', thousandSeparator: ',' },
    taxDisplayShop: 'excl',
    taxDisplayCart: 'excl',
    pricesIncludeTax: false,
    stockFormat: 'low',
    lowStockAmount: 2,
    couponsEnabled: true,
    ajaxAdd: true,
    redirectAfterAdd: false,
    wallet: { enabled: true, sections: ['product', 'cart', 'checkout'], buttonPlacement: 'place_order' },
    menu: someCategories(),
    shippingCountries: [
      { value: 'CA', label: 'Canada' },
      { value: 'DE', label: 'Germany' },
      { value: 'US', label: 'United States' },
    ],
    states: {
      US: [
        { value: 'CA', label: 'California' },
        { value: 'OR', label: 'Oregon' },
      ],
      DE: [],
    },
    t: (original, ...values) => {
      let next = 0
      return original.replace(/%(?:(\d+)\$)?s/g, (_, place) => String(values[place ? Number(place) - 1 : next++] ?? ''))
    },
    ...over,
  }
}

export function aFrame(over: Partial<FrameFacts> = {}): FrameFacts {
  return {
    kind: 'listing',
    title: 'Shop',
    description: 'All of it.',
    canonical: 'https://shop.example.test/shop/',
    bodyClasses: [],
    notices: [],
    settings: {},
    assets: { css: ['/assets/main.css'], script: '/assets/main.js', preload: [] },
    ...over,
  }
}

const TINTS = ['#d8d3cb', '#c9d2cf', '#d5cfd3', '#cdd3dc', '#dcd6c8', '#c8cfc4']

export function anImage(over: Partial<ImageFacts> = {}): ImageFacts {
  return {
    hash: 'a1b2c3d4e5f60718',
    width: 1152,
    height: 1440,
    alt: '',
    placeholder: '#d8d3cb',
    widths: [160, 320, 640, 960, 1152],
    ...over,
  }
}

export function aCategory(over: Partial<CategoryFacts> = {}): CategoryFacts {
  return {
    id: 1,
    parentId: null,
    name: 'Ceramics',
    slug: 'ceramics',
    url: '/product-category/ceramics/',
    description: '',
    productCount: 9,
    image: null,
    ...over,
  }
}

export function someCategories(): CategoryFacts[] {
  return ['Ceramics', 'Glass', 'Textiles', 'Lighting', 'Kitchen', 'Paper', 'Plants & pots', 'Workshops'].map(
    (name, place) => {
      const slug = name.toLowerCase().replace(/[^a-z]+/g, '-')
      const tint = TINTS[place % TINTS.length] ?? '#d8d3cb'
      return aCategory({
        id: place + 1,
        name,
        slug,
        url: `/product-category/${slug}/`,
        productCount: 4 + place,
        image: anImage({ hash: `category${place}`, placeholder: tint }),
      })
    },
  )
}

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
    ...over,
    products,
  }
}

export function aHome(over: Partial<HomeFacts> = {}): HomeFacts {
  return {
    categories: someCategories(),
    featured: someCards(4),
    newest: someCards(8).slice(4),
    onSale: [],
    ...over,
  }
}

export function aProduct(over: Partial<ProductFacts> = {}): ProductFacts {
  return {
    ...aCard(),
    description:
      '<p>Blown in one breath and left to slump a little, so that no two stand alike.</p><p>It pours without a drip.</p>',
    shortDescription: '<p>A carafe of sea-green glass, mouth-blown, for water, wine or three stems of sorrel.</p>',
    images: [
      anImage({ hash: 'carafe1', alt: 'Tidal carafe on a sill' }),
      anImage({ hash: 'carafe2', placeholder: '#c9d2cf' }),
      anImage({ hash: 'carafe3', placeholder: '#d5cfd3' }),
    ],
    stockQuantity: 2,
    backorders: 'no',
    maxQuantity: 2,
    lowStockAmount: 2,
    attributes: [
      {
        slug: 'pa_material',
        label: 'Material',
        visible: true,
        forVariations: false,
        options: [{ value: 'glass', label: 'Glass' }],
        defaultOption: '',
      },
    ],
    variations: [],
    variationsInline: true,
    grouped: [],
    upsells: [],
    related: someCards(4),
    weightGrams: 820,
    dimensionsMm: { length: 110, width: 110, height: 260 },
    ancestors: [{ name: 'Glass', slug: 'glass', url: '/product-category/glass/' }],
    ...over,
  }
}

export function anAttribute(over: Partial<AttributeFacts> = {}): AttributeFacts {
  return {
    slug: 'pa_colour',
    label: 'Colour',
    visible: true,
    forVariations: true,
    options: [
      { value: 'sea-green', label: 'Sea green' },
      { value: 'smoke', label: 'Smoke' },
    ],
    defaultOption: '',
    ...over,
  }
}

export function aVariation(over: Partial<VariationFacts> = {}): VariationFacts {
  return {
    id: 77,
    sku: 'T-SEA',
    attributes: { pa_colour: 'sea-green', size: '' },
    price: { kind: 'single', price: usd(6400) },
    displayPrice: usd(6400),
    displayRegularPrice: usd(6400),
    stock: 'instock',
    stockQuantity: null,
    backorders: 'no',
    purchasable: true,
    soldIndividually: false,
    virtual: false,
    downloadable: false,
    maxQuantity: null,
    description: '',
    weightGrams: null,
    dimensionsMm: null,
    image: null,
    ...over,
  }
}

/** Colour × size: sea green in every size, smoke only large and sold out. */
export function aVariableProduct(over: Partial<ProductFacts> = {}): ProductFacts {
  return aProduct({
    type: 'variable',
    price: { kind: 'range', from: usd(6400), to: usd(8200) },
    stockQuantity: null,
    maxQuantity: null,
    attributes: [
      anAttribute(),
      anAttribute({
        slug: 'size',
        label: 'Size',
        options: [
          { value: 'Small', label: 'Small' },
          { value: 'Large', label: 'Large' },
        ],
      }),
    ],
    variations: [
      aVariation(),
      aVariation({
        id: 78,
        sku: 'T-SMO',
        attributes: { pa_colour: 'smoke', size: 'Large' },
        price: { kind: 'sale', regular: usd(8200), price: usd(7400) },
        displayPrice: usd(7400),
        displayRegularPrice: usd(8200),
        stock: 'outofstock',
        stockQuantity: 0,
        image: anImage({ hash: 'smoke1', placeholder: '#8a8a86' }),
      }),
    ],
    ...over,
  })
}

export function aLine(over: Partial<CartLineFacts> = {}): CartLineFacts {
  return {
    key: 'c4ca4238a0b923820dcc509a6f75849b',
    productId: 41,
    variationId: null,
    sku: 'H-1',
    name: 'Tidal carafe',
    url: '/product/tidal-carafe/',
    image: anImage(),
    quantity: 2,
    maxQuantity: null,
    soldIndividually: false,
    choices: [{ label: 'Colour', value: 'Sea green' }],
    onBackorder: false,
    price: usd(6400),
    subtotal: usd(12800),
    removeUrl: '/cart/?remove_item=c4ca4238a0b923820dcc509a6f75849b&_wpnonce=0123456789',
    ...over,
  }
}

export function aCart(over: Partial<CartFacts> = {}): CartFacts {
  return {
    lines: [
      aLine(),
      aLine({
        key: 'eccbc87e4b5ce2fe28308fd9f2a7baf3',
        productId: 52,
        name: 'Linen tea towel',
        sku: 'L-2',
        url: '/product/linen-tea-towel/',
        image: anImage({ hash: 'towel', placeholder: '#c9d2cf' }),
        quantity: 1,
        choices: [],
        price: usd(1800),
        subtotal: usd(1800),
      }),
    ],
    count: 3,
    needsShipping: true,
    needsPayment: true,
    subtotal: usd(14600),
    totals: {
      subtotal: usd(14600),
      coupons: [
        {
          code: 'welcome10',
          label: 'Coupon: welcome10',
          discount: usd(1460),
          freeShipping: false,
          removeUrl: '/cart/?remove_coupon=welcome10',
        },
      ],
      packages: [
        {
          index: 0,
          name: 'Shipping',
          destination: 'San Francisco, CA 94110',
          rates: [
            { id: 'flat_rate:1', label: 'Standard', cost: usd(690), free: false, chosen: true },
            { id: 'local_pickup:2', label: 'Pick up in the shop', cost: usd(0), free: true, chosen: false },
          ],
          missing: null,
        },
      ],
      fees: [],
      taxes: [{ code: 'US-CA-TAX-1', label: 'Sales tax', amount: usd(953) }],
      includedTaxes: [],
      total: usd(14783),
      estimatedFor: null,
    },
    hash: '3f0c',
    customer: { country: 'US', state: 'CA', city: 'San Francisco', postcode: '94110' },
    calculatedShipping: true,
    ...over,
  }
}

export function aField(over: Partial<FieldFacts> & Pick<FieldFacts, 'id' | 'label'>): FieldFacts {
  return {
    labelHidden: false,
    placeholder: '',
    type: 'text',
    required: true,
    hidden: false,
    priority: 10,
    rowClasses: ['form-row-wide'],
    validate: [],
    autocomplete: '',
    value: '',
    options: [],
    ...over,
  }
}

const TOKENS: Readonly<Record<string, string>> = {
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  country: 'country',
  address_1: 'address-line1',
  address_2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postcode: 'postal-code',
  phone: 'tel',
  email: 'email',
}

function addressFields(set: 'billing' | 'shipping'): FieldFacts[] {
  const field = (key: string, label: string, over: Partial<FieldFacts>) =>
    aField({ id: `${set}_${key}`, label, autocomplete: `section-${set} ${set} ${TOKENS[key] ?? 'on'}`, ...over })
  return [
    field('first_name', 'First name', { priority: 10, rowClasses: ['form-row-first'] }),
    field('last_name', 'Last name', { priority: 20, rowClasses: ['form-row-last'] }),
    field('company', 'Company name', { priority: 30, required: false }),
    field('country', 'Country / Region', {
      type: 'country',
      priority: 40,
      rowClasses: ['form-row-wide', 'address-field', 'update_totals_on_change'],
      value: 'US',
      options: [
        { value: 'CA', label: 'Canada' },
        { value: 'US', label: 'United States' },
      ],
    }),
    field('address_1', 'Street address', {
      priority: 50,
      rowClasses: ['form-row-wide', 'address-field'],
      placeholder: 'House number and street name',
    }),
    field('address_2', 'Flat, suite, unit, etc.', {
      priority: 60,
      rowClasses: ['form-row-wide', 'address-field'],
      required: false,
      labelHidden: true,
      placeholder: 'Flat, suite, unit, etc. (optional)',
    }),
    field('city', 'Town / City', { priority: 70, rowClasses: ['form-row-wide', 'address-field'] }),
    field('state', 'State', {
      type: 'state',
      priority: 80,
      rowClasses: ['form-row-first', 'address-field'],
      validate: ['state'],
      value: 'CA',
      options: [
        { value: 'CA', label: 'California' },
        { value: 'OR', label: 'Oregon' },
      ],
    }),
    field('postcode', 'ZIP Code', {
      priority: 90,
      rowClasses: ['form-row-last', 'address-field'],
      validate: ['postcode'],
    }),
    ...(set === 'billing'
      ? [
          field('phone', 'Phone', { type: 'tel', priority: 100, validate: ['phone'] }),
          field('email', 'Email address', { type: 'email', priority: 110, validate: ['email'] }),
        ]
      : []),
  ]
}

export function aCheckout(over: Partial<CheckoutFacts> = {}): CheckoutFacts {
  return {
    cart: aCart(),
    billing: addressFields('billing'),
    shipping: addressFields('shipping'),
    order: [
      aField({
        id: 'order_comments',
        label: 'Order notes',
        type: 'textarea',
        required: false,
        placeholder: 'Notes about your order, e.g. for delivery.',
        rowClasses: ['notes'],
      }),
    ],
    shipToDifferent: false,
    methods: [
      {
        id: 'ppcp',
        title: 'PayPal',
        description: 'Pay with your wallet. You confirm in a small window.',
        orderButtonText: 'Pay with PayPal',
        chosen: true,
      },
      {
        id: 'cod',
        title: 'Cash on delivery',
        description: 'Pay when it arrives.',
        orderButtonText: 'Place order',
        chosen: false,
      },
    ],
    terms: true,
    termsAccepted: false,
    intention: '5d3b1a52-3d55-4c1e-9b4a-0f6f3f3f1a11',
    ready: null,
    ...over,
  }
}

export function anOrder(over: Partial<OrderFacts> = {}): OrderFacts {
  return {
    id: 1042,
    number: '1042',
    key: 'wc_order_k3yk3yk3y',
    status: 'processing',
    paymentState: 'captured',
    createdAt: new Date('2031-05-04T10:20:00Z'),
    email: 'ada@example.test',
    currency: 'USD',
    lines: [
      {
        productId: 41,
        name: 'Tidal carafe',
        url: '/product/tidal-carafe/',
        sku: 'H-1',
        quantity: 2,
        choices: [{ label: 'Colour', value: 'Sea green' }],
        subtotal: usd(12800),
        total: usd(12800),
      },
    ],
    totals: [
      { key: 'cart_subtotal', label: 'Subtotal:', value: usd(12800) },
      { key: 'shipping', label: 'Shipping:', value: 'Standard' },
      { key: 'payment_method', label: 'Payment method:', value: 'PayPal' },
      { key: 'order_total', label: 'Total:', value: usd(13490) },
    ],
    total: usd(13490),
    billing: ['Ada Lind', '12 Harbour Street', 'San Francisco, CA 94110'],
    shipping: ['Ada Lind', '12 Harbour Street', 'San Francisco, CA 94110'],
    phone: '+1 415 555 0100',
    customerNote: '',
    paymentMethod: 'ppcp',
    paymentMethodTitle: 'PayPal',
    ...over,
  }
}
