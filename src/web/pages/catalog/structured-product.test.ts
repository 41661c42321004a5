import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { someCards } from '#tests/support/catalog/listing-page-fixtures.ts'
import { anAttribute, aProduct, aVariableProduct, aVariation } from '#tests/support/catalog/product-page-fixtures.ts'
import { faultsOf } from '#tests/support/content/rich-results.ts'
import { usd } from '#tests/support/shared/page-fixtures.ts'
import { availability, gtinOf, type ProductContext, productThing } from './structured-product.ts'

const context: ProductContext = {
  origin: 'https://shop.example',
  condition: 'new',
  description: 'A carafe.',
  imageUrl: ({ hash }) => `https://shop.example/media/${hash}-960.webp`,
  shipping: () => [],
}
const thingOf = (product: Parameters<typeof productThing>[0], over: Partial<ProductContext> = {}) => {
  const thing = productThing(product, { ...context, ...over })
  if (thing) expect(faultsOf(thing)).toEqual([])
  return JSON.parse(JSON.stringify(thing))
}

describe('a product as search engines list it', () => {
  it('asks the sale price while there is a sale, and says until when', () => {
    const price = { kind: 'sale', regular: usd(4900), price: usd(3950) } as const
    const { offers } = thingOf(aProduct({ price, saleEnds: '2026-11-30' }))
    expect(offers).toMatchObject({ price: '39.50', priceCurrency: 'USD', priceValidUntil: '2026-11-30' })
    expect(thingOf(aProduct()).offers).not.toHaveProperty('priceValidUntil')
  })

  it('tells beside a sale price the one before it, and no other price', () => {
    const price = { kind: 'sale', regular: usd(4900), price: usd(3950) } as const
    expect(thingOf(aProduct({ price })).offers.priceSpecification).toEqual({
      '@type': 'UnitPriceSpecification',
      priceType: 'https://schema.org/StrikethroughPrice',
      price: '49.00',
      priceCurrency: 'USD',
    })
    expect(thingOf(aProduct()).offers).not.toHaveProperty('priceSpecification')
  })

  it('writes amounts as their currency has them', () => {
    const yen = { kind: 'single', price: money(4900, 'JPY') } as const
    expect(thingOf(aProduct({ price: yen })).offers).toMatchObject({ price: '4900', priceCurrency: 'JPY' })
  })

  it('is not listed without a price', () => {
    expect(thingOf(aProduct({ price: { kind: 'none' } }))).toBeNull()
  })

  it('has a rating only where somebody has rated it', () => {
    expect(thingOf(aProduct({ averageRating: 4.25, ratingCount: 8 })).aggregateRating).toMatchObject({
      ratingValue: 4.25,
      ratingCount: 8,
    })
    expect(thingOf(aProduct({ averageRating: 0, ratingCount: 0 }))).not.toHaveProperty('aggregateRating')
  })

  it('has brand and maker’s number where the merchant gives them as attributes', () => {
    const of = (slug: string, label: string) =>
      anAttribute({ slug, forVariations: false, options: [{ value: 'x', label }] })
    const thing = thingOf(
      aProduct({ attributes: [of('pa_brand', 'Fjord'), of('mpn', 'F-12'), of('pa_material', 'Glass')] }),
    )
    expect(thing).toMatchObject({ brand: { '@type': 'Brand', name: 'Fjord' }, mpn: 'F-12', material: 'Glass' })
  })

  it('says what sending it costs, unless nothing is sent', () => {
    const shipping = () => [{ country: 'US', cost: usd(690) }]
    expect(thingOf(aProduct(), { shipping }).offers.shippingDetails).toHaveLength(1)
    expect(thingOf(aProduct({ virtual: true }), { shipping }).offers).not.toHaveProperty('shippingDetails')
  })

  it('is as new as the merchant says', () => {
    expect(thingOf(aProduct(), { condition: 'used' }).offers.itemCondition).toBe('https://schema.org/UsedCondition')
  })

  it('of a set tells from what to what it costs', () => {
    const price = { kind: 'range', from: usd(1200), to: usd(4800) } as const
    const { offers } = thingOf(aProduct({ type: 'grouped', price, grouped: someCards(3) }))
    expect(offers).toMatchObject({ '@type': 'AggregateOffer', lowPrice: '12.00', highPrice: '48.00', offerCount: 3 })
  })
})

describe('a product with variations', () => {
  it('is a group that says by what they differ, by names that search engines know where there are any', () => {
    const { variesBy, hasVariant, productGroupID } = thingOf(aVariableProduct({ sku: 'T' }))
    expect(variesBy).toEqual(['https://schema.org/color', 'https://schema.org/size'])
    expect(productGroupID).toBe('T')
    expect(hasVariant).toHaveLength(3)
    expect(hasVariant[2]).toMatchObject({ color: 'Smoke', size: 'Large', sku: 'T-SMO', offers: { price: '74.00' } })
    expect(hasVariant[2].offers.availability).toBe('https://schema.org/OutOfStock')
  })

  it('has a variant for each value of what a variation leaves open, with its address and no number that they share', () => {
    const open = thingOf(aVariableProduct()).hasVariant.filter(({ color }: { color: string }) => color === 'Sea green')
    expect(open.map(({ size }: { size: string }) => size)).toEqual(['Small', 'Large'])
    expect(open[0].offers.url).toMatch(/\?attribute_pa_colour=sea-green&attribute_size=Small$/)
    expect(open[0]).not.toHaveProperty('sku')
    expect(open[0].name).toMatch(/ – Sea green, Small$/)
  })

  it('tells of each variation on sale the price before', () => {
    const sale = aVariation({ displayPrice: usd(4900), displayRegularPrice: usd(6200) })
    const regular = aVariation({ attributes: { pa_colour: 'smoke', size: 'Large' } })
    const { hasVariant } = thingOf(aVariableProduct({ variations: [sale, regular] }))
    expect(hasVariant[0].offers).toMatchObject({ price: '49.00', priceSpecification: { price: '62.00' } })
    expect(hasVariant.at(-1).offers).not.toHaveProperty('priceSpecification')
  })

  it('names other differences by the merchant’s words', () => {
    const attributes = [anAttribute({ slug: 'pa_wax', label: 'Wax', options: [{ value: 'soy', label: 'Soy' }] })]
    const thing = thingOf(aVariableProduct({ attributes, variations: [aVariation({ attributes: { pa_wax: 'soy' } })] }))
    expect(thing.variesBy).toEqual(['Wax'])
    expect(thing.hasVariant[0].additionalProperty).toEqual([{ '@type': 'PropertyValue', name: 'Wax', value: 'Soy' }])
  })

  it('gives no number of its product as a variation’s own', () => {
    const variations = [aVariation({ sku: 'T' })]
    expect(thingOf(aVariableProduct({ sku: 'T', variations })).hasVariant[0]).not.toHaveProperty('sku')
  })

  it('tells its range where its page does not list them all', () => {
    const thing = thingOf(aVariableProduct({ variations: [], variationsInline: false }))
    expect(thing).toMatchObject({ '@type': 'Product', offers: { lowPrice: '64.00', highPrice: '82.00' } })
  })
})

describe('what is told of stock', () => {
  it.each([
    ['instock', null, 'InStock'],
    ['instock', 4, 'InStock'],
    ['instock', 0, 'BackOrder'],
    ['onbackorder', null, 'BackOrder'],
    ['outofstock', 0, 'OutOfStock'],
  ] as const)('is for %s with %s counted: %s', (stock, stockQuantity, told) => {
    expect(availability({ stock, stockQuantity })).toBe(`https://schema.org/${told}`)
  })
})

describe('a number that every shop knows the product by', () => {
  it.each(['4006381333931', '400-638133393-1', '96385074', '012345678905', '9783161484100'])('is told: %s', (gtin) => {
    expect(gtinOf(gtin)).toEqual({ gtin: gtin.replaceAll('-', '') })
  })

  it.each(['', '4006381333932', '123', '40063813339310', 'ABC'])('is not told when it cannot be one: %s', (gtin) => {
    expect(gtinOf(gtin)).toEqual({})
  })
})
