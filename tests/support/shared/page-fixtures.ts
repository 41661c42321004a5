import { headerSettings } from '#contract/theme/header-settings.ts'
import { translationSettings } from '#contract/translation/language-settings.ts'
import { type Money, money } from '#domain/money/money.ts'
import { fillIn } from '#domain/translation/message.ts'
import type { CategoryFacts, ImageFacts } from '#shop/catalog/catalog-facts.ts'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'

/** Makers of facts for tests and previews of the pages. Each takes only what the case is about. */

export const usd = (minor: number): Money => money(minor, 'USD')

export function aShop(over: Partial<ShopContextValue> = {}): ShopContextValue {
  return {
    name: 'Fjord & Fern',
    tagline: 'Quiet things for the house, made by few hands.',
    language: 'en-US',
    dir: 'ltr',
    timeZone: 'UTC',
    languages: [{ tag: 'en-US', slug: '', name: 'English', dir: 'ltr', published: true }],
    switcher: { ...translationSettings.parse({}).switcher, offers: {} },
    path: (path) => path,
    currency: 'USD',
    priceFormat: { position: 'left', decimals: 2, decimalSeparator: '.', thousandSeparator: ',' },
    taxDisplayShop: 'excl',
    taxDisplayCart: 'excl',
    pricesIncludeTax: false,
    priceSuffix: '',
    stockFormat: 'low',
    lowStockAmount: 2,
    couponsEnabled: true,
    ajaxAdd: true,
    redirectAfterAdd: false,
    hasPrivacyPolicy: true,
    wallet: {
      enabled: true,
      sections: { paypal: ['product', 'cart', 'checkout'], paylater: [], card: [], venmo: [] },
      buttonsOrder: [],
      buttonPlacement: 'place_order',
    },
    menu: someCategories(),
    menus: {
      main: [
        { text: 'All products', url: '/shop/', children: [] },
        ...someCategories().map(({ name, url }) => ({ text: name, url, children: [] })),
      ],
      footer: [{ title: 'Help', items: [{ text: 'My account', url: '/my-account/', children: [] }] }],
    },
    header: headerSettings.parse({}),
    logo: null,
    icon: null,
    themeSheet: null,
    storeNotice: null,
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
    t: (original, ...values) => fillIn(original, values),
    n: (count, one, many, ...values) => fillIn(count === 1 ? one : many, [count, ...values]),
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

export const TINTS = ['#d8d3cb', '#c9d2cf', '#d5cfd3', '#cdd3dc', '#dcd6c8', '#c8cfc4']

export function anImage(over: Partial<ImageFacts> = {}): ImageFacts {
  return {
    hash: 'a1b2c3d4e5f60718',
    width: 1152,
    height: 1440,
    alt: '',
    placeholder: '#d8d3cb',
    widths: [160, 320, 640, 960, 1152],
    avif: true,
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
