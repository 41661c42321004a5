import type { AttributeFacts, ProductFacts, VariationFacts } from '#shop/catalog/catalog-facts.ts'
import { anImage, usd } from '#tests/support/shared/page-fixtures.ts'
import { aCard, someCards } from './listing-page-fixtures.ts'

/** Makers of products as their own page shows them. */

export function aProduct(over: Partial<ProductFacts> = {}): ProductFacts {
  return {
    ...aCard(),
    gtin: '',
    shippingClass: '',
    saleEnds: null,
    ownPrice: usd(6400),
    hidden: false,
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
    linked: [],
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
    gtin: '',
    shippingClass: '',
    saleEnds: null,
    ownPrice: usd(6400),
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
