import { describe, expect, it } from 'vitest'
import { wireVariation } from '#contract/catalog/variation.ts'
import { someCards } from '#tests/support/catalog/listing-page-fixtures.ts'
import { anAttribute, aProduct, aVariableProduct, aVariation } from '#tests/support/catalog/product-page-fixtures.ts'
import { aShop, usd } from '#tests/support/shared/page-fixtures.ts'
import { select, textOf, theOne } from '#tests/support/shared/rendered-markup.ts'
import { variationObject } from '../../parts/catalog/variation-object.tsx'
import { renderPart } from '../shared/render.tsx'
import { ProductPage } from './product-page.tsx'

const shop = aShop()
const page = (over = {}) => renderPart(shop, <ProductPage facts={aProduct(over)} />)
const variablePage = (over = {}) => renderPart(shop, <ProductPage facts={aVariableProduct(over)} />)

describe('the product page', () => {
  it('PROD-01 shows gallery, price, stock, description, quantity and a form that a browser can send by itself', () => {
    const html = page()
    expect(select(html, 'div#product-41.product .woocommerce-product-gallery__image > a img')).toHaveLength(3)
    expect(textOf(theOne(html, 'div.summary > p.price'))).toBe('$64.00')
    expect(textOf(theOne(html, 'p.stock.in-stock'))).toBe('Only 2 left in stock')
    expect(textOf(theOne(html, '#tab-description'))).toContain('Blown in one breath')
    const form = theOne(html, 'form.cart[method=post]')
    expect(form.attributes.action).toBe('/product/tidal-carafe/')
    expect(theOne(form, 'div.quantity > input.qty').attributes).toMatchObject({
      name: 'quantity',
      value: '1',
      min: '1',
      max: '2',
      step: '1',
      type: 'number',
    })
    const button = theOne(form, 'button.single_add_to_cart_button.button.alt')
    expect(button.attributes).toMatchObject({ type: 'submit', name: 'add-to-cart', value: '41' })
  })

  it('PROD-01 tells gallery scripts where the large picture is', () => {
    expect(theOne(page(), 'img.wp-post-image').attributes).toMatchObject({
      'data-large_image': '/media/carafe1-1152.webp',
      'data-large_image_width': '1152',
      'data-large_image_height': '1440',
      'data-src': '/media/carafe1-1152.webp',
      alt: 'Tidal carafe on a sill',
      fetchpriority: 'high',
    })
  })

  it('PROD-01 names one category as one, and several as several', () => {
    const terms = (count: number) =>
      ['Glass', 'Kitchen'].slice(0, count).map((name) => ({ name, slug: name, url: `/${name}/`, count: 1 }))
    const said = (count: number) => {
      const html = page({ categories: terms(count), tags: terms(count) })
      return [textOf(theOne(html, '.posted_in')), textOf(theOne(html, '.tagged_as'))]
    }
    expect(said(1)).toEqual(['Category: Glass', 'Tag: Glass'])
    expect(said(2)).toEqual(['Categories: Glass, Kitchen', 'Tags: Glass, Kitchen'])
  })

  it('PROD-01 offers no form for what is sold out', () => {
    const html = page({ stock: 'outofstock' })
    expect(textOf(theOne(html, 'p.stock.out-of-stock'))).toBe('Out of stock')
    expect(select(html, 'form.cart')).toHaveLength(0)
  })

  it.each([
    ['unmanaged', { stockQuantity: null }, undefined],
    ['plenty', { stockQuantity: 40 }, 'In stock'],
    [
      'low, backorders announced',
      { stockQuantity: 1, backorders: 'notify' },
      'Only 1 left in stock (can be backordered)',
    ],
    ['none left, backorders announced', { stockQuantity: 0, backorders: 'notify' }, 'Available on backorder'],
    ['none left, backorders silent', { stockQuantity: 0, backorders: 'yes' }, undefined],
    ['on backorder, unmanaged', { stockQuantity: null, stock: 'onbackorder' }, 'Available on backorder'],
  ])('says of stock that is %s', (_, over, text) => {
    expect(select(page(over), 'p.stock').map(textOf)).toEqual(text === undefined ? [] : [text])
  })

  it('sends one piece without asking where only one is sold', () => {
    expect(theOne(page({ soldIndividually: true }), 'input.qty').attributes).toMatchObject({
      type: 'hidden',
      value: '1',
      max: '1',
    })
  })

  it('lists a group with a quantity for each of its products', () => {
    const html = page({ type: 'grouped', grouped: someCards(2) })
    expect(select(html, 'form.grouped_form tr.woocommerce-grouped-product-list-item')).toHaveLength(2)
    expect(select(html, 'td.woocommerce-grouped-product-list-item__label[role=rowheader]')).toHaveLength(2)
    expect(theOne(html, 'input.qty').attributes).toMatchObject({ name: 'quantity[100]', value: '0', min: '0' })
    expect(select(html, '.group_table a.product_type_variable')).toHaveLength(1)
    expect(theOne(html, 'input[name=add-to-cart]').attributes.value).toBe('41')
  })

  it('leads to another shop by a form that keeps the address’s own query', () => {
    const form = theOne(page({ type: 'external', externalUrl: 'https://maker.example/buy?id=7&ref=us' }), 'form.cart')
    expect(form.attributes).toMatchObject({ method: 'get', action: 'https://maker.example/buy' })
    expect(select(form, 'input').map(({ attributes }) => `${attributes.name}=${attributes.value}`)).toEqual([
      'id=7',
      'ref=us',
    ])
  })

  it('shows weight, dimensions and visible attributes as additional information', () => {
    const rows = select(page(), 'table.shop_attributes tr')
    expect(rows.map((row) => row.attributes.class?.split('--')[1])).toEqual([
      'weight',
      'dimensions',
      'attribute_pa_material',
    ])
    expect(rows.map(textOf)).toEqual(['Weight0.82 kg', 'Dimensions11 × 11 × 26 cm', 'MaterialGlass'])
  })

  it('makes tabs whose first panel shows', () => {
    const html = page()
    expect(select(html, 'ul.tabs.wc-tabs[role=tablist] > li > a[role=tab]').map(textOf)).toEqual([
      'Description',
      'Additional information',
    ])
    expect(select(html, 'li.description_tab#tab-title-description')).toHaveLength(1)
    expect(select(html, 'div.wc-tab').map(({ attributes }) => ['hidden' in attributes, attributes.id])).toEqual([
      [false, 'tab-description'],
      [true, 'tab-additional_information'],
    ])
  })
})

describe('the variation form', () => {
  it('PROD-03 waits for a choice: no variation is set and the button says so', () => {
    const form = theOne(variablePage(), 'form.variations_form.cart')
    expect(form.attributes).toMatchObject({ 'data-product_id': '41', method: 'post' })
    expect(theOne(form, 'input.variation_id[name=variation_id]').attributes.value).toBe('0')
    expect(theOne(form, 'div.variations_button').attributes.class).toContain(
      'woocommerce-variation-add-to-cart-disabled',
    )
    expect(theOne(form, 'button.single_add_to_cart_button').attributes.class).toContain(
      'disabled wc-variation-selection-needed',
    )
    // Not disabled: without scripts the server finds the variation.
    expect(theOne(form, 'button.single_add_to_cart_button').attributes).not.toHaveProperty('disabled')
    expect(theOne(form, 'input[name=add-to-cart]').attributes.value).toBe('41')
    expect(theOne(form, 'input[name=product_id]').attributes.value).toBe('41')
  })

  it('PROD-03 has a select for each attribute with every option', () => {
    const form = theOne(variablePage(), 'form.variations_form')
    const selects = select(form, 'table.variations[role=presentation] td.value > select')
    expect(
      selects.map(({ attributes }) => [attributes.id, attributes.name, attributes['data-attribute_name']]),
    ).toEqual([
      ['pa_colour', 'attribute_pa_colour', 'attribute_pa_colour'],
      ['size', 'attribute_size', 'attribute_size'],
    ])
    expect(
      select(form, 'select#size > option').map((option) => [option.attributes.value, option.attributes.class]),
    ).toEqual([
      ['', undefined],
      ['Small', 'attached enabled'],
      ['Large', 'attached enabled'],
    ])
    expect(select(form, 'th.label > label[for=pa_colour]')).toHaveLength(1)
    expect(select(form, 'a.reset_variations')).toHaveLength(1)
  })

  it('carries every variation once, as the wire has it', () => {
    const html = variablePage()
    const list: unknown = JSON.parse(theOne(html, 'form.variations_form').attributes['data-product_variations'] ?? '')
    const variations = wireVariation.array().parse(list)
    expect(variations.map(({ variation_id, attributes }) => [variation_id, attributes])).toEqual([
      [77, { attribute_pa_colour: 'sea-green', attribute_size: '' }],
      [78, { attribute_pa_colour: 'smoke', attribute_size: 'Large' }],
    ])
    expect(html.split('T-SMO')).toHaveLength(2)
  })

  it('asks the server where there are more than thirty', () => {
    const form = theOne(variablePage({ variationsInline: false }), 'form.variations_form')
    expect(form.attributes['data-product_variations']).toBe('false')
  })

  it('shows at once what the default options lead to', () => {
    const product = aVariableProduct({
      attributes: [anAttribute({ defaultOption: 'sea-green' })],
      variations: [
        aVariation({ attributes: { pa_colour: 'sea-green' }, maxQuantity: 3 }),
        aVariation({ id: 80, attributes: { pa_colour: 'smoke' }, displayPrice: usd(100) }),
      ],
    })
    const form = theOne(renderPart(shop, <ProductPage facts={product} />), 'form.variations_form')
    expect(theOne(form, 'input.variation_id').attributes.value).toBe('77')
    expect(textOf(theOne(form, 'div.single_variation .woocommerce-variation-price'))).toBe('$64.00')
    expect(theOne(form, 'button.single_add_to_cart_button').attributes.class).not.toContain('disabled')
    expect(theOne(form, 'input.qty').attributes.max).toBe('3')
  })

  it('says so instead of a form when every variation is sold out', () => {
    const html = variablePage({ variations: [aVariation({ stock: 'outofstock' })] })
    expect(select(html, 'form.variations_form')).toHaveLength(0)
    expect(textOf(theOne(html, 'p.stock.out-of-stock'))).toBe('This product is currently out of stock and unavailable.')
  })

  it('§6.2: gives every variation its measures by name, empty where none are known', () => {
    const product = aVariableProduct()
    const measures = (dimensionsMm: { length: number; width: number; height: number } | null) =>
      variationObject(shop, { ...product, dimensionsMm: null }, aVariation({ dimensionsMm })).dimensions
    expect(measures({ length: 125, width: 80, height: 7 })).toEqual({ length: '12.5', width: '8', height: '0.7' })
    expect(measures(null)).toEqual({ length: '', width: '', height: '' })
  })

  it('gives a variation its price and availability as markup, and numbers for analytics', () => {
    const product = aVariableProduct()
    const smoke = variationObject(shop, product, product.variations[1] ?? aVariation())
    expect(wireVariation.parse(smoke)).toEqual(smoke)
    expect(smoke).toMatchObject({
      display_price: 74,
      display_regular_price: 82,
      availability_html: '<p class="stock out-of-stock">Out of stock</p>',
      is_in_stock: false,
      max_qty: '',
      min_qty: 1,
      is_sold_individually: 'no',
      weight_html: '0.82 kg',
    })
    expect(smoke.price_html).toMatch(/^<span class="price"><del aria-hidden="true">/)
    expect(smoke.image).toMatchObject({
      full_src: '/media/smoke1-1152.webp',
      gallery_thumbnail_src: '/media/smoke1-160.webp',
    })
  })

  it('leaves the price out of variations that all cost the same', () => {
    const product = aVariableProduct({ variations: [aVariation(), aVariation({ id: 79 })] })
    expect(variationObject(shop, product, aVariation()).price_html).toBe('')
  })
})
