import { describe, expect, it } from 'vitest'
import { fillIn } from '#domain/translation/message.ts'
import { aCart, aLine } from '#tests/support/cart/cart-page-fixtures.ts'
import { aShop, usd } from '#tests/support/shared/page-fixtures.ts'
import { select, textOf, theOne } from '#tests/support/shared/rendered-markup.ts'
import { CartCount, MiniCart } from '../../parts/cart/mini-cart.tsx'
import { renderPart } from '../shared/render.tsx'
import { CartPage } from './cart-page.tsx'

const NONCES = { 'woocommerce-cart': 'aaaaaaaaaa', 'woocommerce-shipping-calculator': 'bbbbbbbbbb' }
const page = (over = {}, shop = {}) => renderPart(aShop(shop), <CartPage cart={aCart(over)} nonces={NONCES} />)
const totals = (over: object, shop = {}) => page({ totals: { ...aCart().totals, ...over } }, shop)

describe('the cart page', () => {
  it('CART-01 has a form of lines with price, quantity and subtotal', () => {
    const form = theOne(page(), 'form.woocommerce-cart-form[method=post]')
    expect(form.attributes.action).toBe('/cart/')
    const rows = select(
      form,
      'table.shop_table.shop_table_responsive.cart.woocommerce-cart-form__contents tr.woocommerce-cart-form__cart-item.cart_item',
    )
    expect(rows).toHaveLength(2)
    const [row] = rows
    if (!row) throw new Error('no row')
    expect(select(row, 'tr > td').map(({ attributes }) => [attributes.class, attributes['data-title']])).toEqual([
      ['product-remove', undefined],
      ['product-thumbnail', undefined],
      ['product-name', 'Product'],
      ['product-price', 'Price'],
      ['product-quantity', 'Quantity'],
      ['product-subtotal', 'Subtotal'],
    ])
    expect(theOne(row, 'td.product-name').attributes.role).toBe('rowheader')
    expect(theOne(row, 'td.product-remove > a.remove').attributes).toMatchObject({
      role: 'button',
      href: '/cart/?remove_item=c4ca4238a0b923820dcc509a6f75849b&_wpnonce=0123456789',
      'aria-label': 'Remove Tidal carafe – Sea green from cart',
      'data-product_id': '41',
      'data-product_sku': 'H-1',
    })
    expect(theOne(row, 'div.quantity > input.input-text.qty.text').attributes).toMatchObject({
      name: 'cart[c4ca4238a0b923820dcc509a6f75849b][qty]',
      value: '2',
      min: '0',
    })
    expect(textOf(theOne(row, 'td.product-subtotal'))).toBe('$128.00')
    expect(textOf(theOne(row, 'dl.variation dt.variation-Colour'))).toBe('Colour:')
  })

  it('TRN-01 sets colons as the language does', () => {
    const t = (original: string, ...values: (string | number)[]) =>
      fillIn(original === '%s:' ? '%s →' : original, values)
    expect(textOf(theOne(page({}, { t }), 'dt.variation-Colour'))).toBe('Colour →')
    expect(select(page({}, { t }), 'ul#shipping_method label').map(textOf)[0]).toMatch(/^Standard → \$/)
  })

  it('CUR-07 says of each of two taxes of one code what it is in the other currency', () => {
    const taxes = (standard: number, reduced: number) => [
      { code: 'DE-VAT-1', label: 'VAT 19 %', amount: usd(standard) },
      { code: 'DE-VAT-1', label: 'VAT 7 %', amount: usd(reduced) },
    ]
    const cart = { totals: { ...aCart().totals, taxes: taxes(1900, 700) } }
    const guide = aCart({ totals: { ...aCart().totals, taxes: taxes(3800, 1400) } })
    const rows = select(page({ ...cart, guide }), 'tr.tax-rate td')
    expect(rows.map(textOf)).toEqual([expect.stringContaining('$38.00'), expect.stringContaining('$14.00')])
  })

  it('CART-01 has coupon field, update button and nonce in the actions row', () => {
    const actions = theOne(page(), 'td.actions[colspan=6]')
    expect(select(actions, 'div.coupon > label[for=coupon_code]')).toHaveLength(1)
    expect(select(actions, 'div.coupon > input#coupon_code.input-text[name=coupon_code]')).toHaveLength(1)
    expect(select(actions, 'div.coupon > button.button[name=apply_coupon]')).toHaveLength(1)
    // Not disabled: without scripts the button updates quantities.
    expect(theOne(actions, 'button.button[name=update_cart]').attributes).not.toHaveProperty('disabled')
    expect(theOne(actions, 'input[name=woocommerce-cart-nonce]').attributes.value).toBe('aaaaaaaaaa')
    expect(theOne(actions, 'input[name=_wp_http_referer]').attributes.value).toBe('/cart/')
  })

  it('CART-01 has the totals in their order and the way to the checkout', () => {
    const block = theOne(page(), 'div.cart-collaterals > div.cart_totals.calculated_shipping')
    expect(select(block, 'table.shop_table > tbody > tr').map(({ attributes }) => attributes.class)).toEqual([
      'cart-subtotal',
      'cart-discount coupon-welcome10',
      'woocommerce-shipping-totals shipping',
      'tax-rate tax-rate-us-ca-tax-1',
      'order-total',
    ])
    expect(textOf(theOne(block, 'tr.order-total > td > strong'))).toBe('$147.83')
    expect(theOne(block, 'a.woocommerce-remove-coupon').attributes).toMatchObject({
      role: 'button',
      'data-coupon': 'welcome10',
      href: '/cart/?remove_coupon=welcome10',
    })
    expect(theOne(block, 'div.wc-proceed-to-checkout > a.checkout-button.button.alt.wc-forward').attributes.href).toBe(
      '/checkout/',
    )
  })

  it('CART-01 offers the rates of each parcel, the only one without asking', () => {
    const rates = select(page(), 'ul#shipping_method.woocommerce-shipping-methods > li > input.shipping_method')
    expect(rates.map(({ attributes }) => [attributes.type, attributes.name, attributes.id, attributes.value])).toEqual([
      ['radio', 'shipping_method[0]', 'shipping_method_0_flat_rate1', 'flat_rate:1'],
      ['radio', 'shipping_method[0]', 'shipping_method_0_local_pickup2', 'local_pickup:2'],
    ])
    expect(rates.map(({ attributes }) => 'checked' in attributes)).toEqual([true, false])
    const [parcel] = aCart().totals.packages
    const single = totals({ packages: [{ ...parcel, rates: parcel?.rates.slice(0, 1) }] })
    expect(theOne(single, 'input.shipping_method').attributes.type).toBe('hidden')
  })

  it('CART-01 has the shipping calculator, closed, as a form of its own', () => {
    const form = theOne(page(), 'form.woocommerce-shipping-calculator[method=post]')
    expect(theOne(form, 'a.shipping-calculator-button').attributes).toMatchObject({
      role: 'button',
      'aria-expanded': 'false',
      'aria-controls': 'shipping-calculator-form',
    })
    expect(theOne(form, 'section#shipping-calculator-form.shipping-calculator-form').attributes).toHaveProperty(
      'hidden',
    )
    for (const field of ['country', 'state', 'city', 'postcode']) {
      expect(select(form, `p#calc_shipping_${field}_field.form-row.form-row-wide`)).toHaveLength(1)
    }
    const country = theOne(form, 'select#calc_shipping_country.country_to_state.country_select')
    expect(country.attributes.rel).toBe('calc_shipping_state')
    expect(select(country, 'option').map(({ attributes }) => attributes.value)).toEqual(['default', 'CA', 'DE', 'US'])
    expect(select(form, 'select#calc_shipping_state.state_select > option[selected]')).toHaveLength(1)
    expect(theOne(form, 'input[name=woocommerce-shipping-calculator-nonce]').attributes.value).toBe('bbbbbbbbbb')
  })

  it.each([
    ['free text', 'CA', 'input#calc_shipping_state.input-text[type=text]'],
    ['nothing', 'DE', 'input#calc_shipping_state.hidden[type=hidden]'],
  ])('asks for the state with %s where the country has no list', (_, country, selector) => {
    expect(select(page({ customer: { country, state: '', city: '', postcode: '' } }), selector)).toHaveLength(1)
  })

  it('sends one piece of what is sold one at a time', () => {
    const html = page({ lines: [aLine({ soldIndividually: true, quantity: 1 })] })
    expect(theOne(html, 'input.qty').attributes).toMatchObject({ type: 'hidden', min: '1', max: '1' })
    expect(select(html, 'button.plus')).toHaveLength(0)
  })

  it('says which figures hold tax when prices are entered the other way', () => {
    const shop = { taxDisplayCart: 'incl', pricesIncludeTax: false }
    const html = totals(
      {
        taxes: [],
        includedTaxes: [{ code: 'US-CA-TAX-1', label: 'Sales tax', amount: usd(953) }],
        estimatedFor: 'Germany',
      },
      shop,
    )
    expect(textOf(theOne(html, 'tr.cart-subtotal small.tax_label'))).toBe('(incl. tax)')
    expect(textOf(theOne(html, 'tr.order-total small.includes_tax'))).toBe(
      '(includes $9.53 Sales tax estimated for Germany)',
    )
  })

  it('stands as an empty-cart message when nothing is in it', () => {
    const html = page({ lines: [] })
    expect(select(html, 'form.woocommerce-cart-form')).toHaveLength(0)
    expect(select(html, 'div.woocommerce > div.wc-empty-cart-message > div.cart-empty.woocommerce-info')).toHaveLength(
      1,
    )
    expect(theOne(html, 'p.return-to-shop > a.button.wc-backward').attributes.href).toBe('/shop/')
  })
})

describe('the mini cart', () => {
  const mini = (cart: ReturnType<typeof aCart> | null) => renderPart(aShop(), <MiniCart cart={cart} />)

  it('MINI-01 lists the lines with remove buttons, the subtotal and the ways on', () => {
    const content = theOne(mini(aCart()), 'div.widget_shopping_cart_content')
    const list = 'ul.woocommerce-mini-cart.cart_list.product_list_widget > li.woocommerce-mini-cart-item.mini_cart_item'
    expect(select(content, list)).toHaveLength(2)
    const [remove] = select(content, 'a.remove.remove_from_cart_button')
    expect(remove?.attributes).toMatchObject({
      role: 'button',
      'data-cart_item_key': 'c4ca4238a0b923820dcc509a6f75849b',
      'data-product_id': '41',
      'data-product_sku': 'H-1',
      'data-success_message': '“Tidal carafe – Sea green” has been removed from your cart',
    })
    expect(select(content, 'span.quantity').map(textOf)).toEqual(['2 × $64.00', '1 × $18.00'])
    expect(textOf(theOne(content, 'p.woocommerce-mini-cart__total.total'))).toBe('Subtotal: $146.00')
    expect(
      select(content, 'p.woocommerce-mini-cart__buttons.buttons > a.button.wc-forward').map(
        ({ attributes }) => attributes.href,
      ),
    ).toEqual(['/cart/', '/checkout/'])
  })

  it('MINI-01 says so when it is empty, and where nothing is known of the visitor', () => {
    for (const cart of [null, aCart({ lines: [] })]) {
      expect(
        select(mini(cart), 'div.widget_shopping_cart_content > p.woocommerce-mini-cart__empty-message'),
      ).toHaveLength(1)
    }
  })

  it('counts pieces for the eye and the ear, and shows nothing for none', () => {
    const count = (pieces: number | null) =>
      textOf(theOne(renderPart(aShop(), <CartCount count={pieces} />), 'span.cart-count'))
    expect([count(3), count(1), count(0), count(null)]).toEqual(['33 items', '11 item', '', ''])
  })
})
