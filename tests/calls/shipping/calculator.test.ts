import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decoded, submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** Ships to the United States, Germany and the United Kingdom; abroad has one rate of 20.00 and no tax. */
let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { sellTo: ['US', 'DE', 'FR', 'GB'] } })
  await shop.db.sql`insert into shipping_zones (id, name, zone_order, countries) values (2, 'Abroad', 2, '{DE,GB}')`
  await shop.db
    .sql`insert into shipping_methods (zone_id, method, title, position, settings) values (2, 'flat_rate', 'By sea', 0, '{"cost":"20"}')`
  await reconfigured(shop)
})
afterAll(() => shop.close())

async function withMug(): Promise<Shopper> {
  const shopper = new Shopper(shop)
  await shopper.add('MUG')
  return shopper
}
type Place = { country?: string; state?: string; state_printed_for?: string; city?: string; postcode?: string }
const calculate = (shopper: Shopper, place: Place) =>
  submitCart(shopper, {
    calc_shipping: '1',
    ...Object.fromEntries(Object.entries(place).map(([key, value]) => [`calc_shipping_${key}`, value])),
  })

/** What the calculator's fields hold, and whether it is open. */
function calculatorIn(html: string) {
  const form = /<form class="woocommerce-shipping-calculator".*?<\/form>/s.exec(html)?.[0] ?? ''
  const value = (id: string) => {
    const tag = new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(form)?.[0] ?? ''
    return /value="([^"]*)"/.exec(tag)?.[1]
  }
  const option = (id: string) =>
    new RegExp(`<select[^>]*id="${id}".*?</select>`, 's').exec(form)?.[0].match(/<option value="([^"]*)" selected/)?.[1]
  return {
    country: option('calc_shipping_country'),
    state: option('calc_shipping_state') ?? value('calc_shipping_state'),
    city: value('calc_shipping_city'),
    postcode: value('calc_shipping_postcode'),
    open: /aria-expanded="true"/.test(form) && !/<section[^>]*hidden/.test(form),
  }
}

describe('the shipping calculator', () => {
  it('SHIP-03 CART-13 prices the way to a place and says so', async () => {
    const shopper = await withMug()
    const cart = await calculate(shopper, { country: 'DE', city: 'Bonn', postcode: ' 53111 ' })
    expect([cart.infos, cart.errors, cart.total]).toEqual([['Shipping costs updated.'], [], '$32.00'])
    expect(cart.html).toContain('Shipping to <strong translate="no">53111 Bonn, Germany</strong>')
    expect(calculatorIn(cart.html)).toEqual({ country: 'DE', state: '', city: 'Bonn', postcode: '53111', open: false })
    expect(cart.html).toContain('class="cart_totals calculated_shipping"')
  })

  it('SHIP-03 names the place that nothing is sent to', async () => {
    const cart = await calculate(await withMug(), { country: 'FR', city: 'Lyon', postcode: '69001' })
    expect(cart.html).toContain('No shipping options were found for <span translate="no">69001 LYON, France</span>.')
    expect(cart.total).toBe('$12.00')
  })

  it.each([
    ['no postcode of the country', { country: 'US', state: 'CA', city: 'San José', postcode: '12' }],
    ['marks and markup', { country: 'DE', city: 'Bonn', postcode: '<b>&"\'' }],
    ['no digit', { country: 'US', city: 'X', postcode: 'ABCDE' }],
    ['other digits', { country: 'US', city: 'X', postcode: '१२३४५' }],
    ['far too much', { country: 'DE', city: 'Bonn', postcode: '9'.repeat(40) }],
  ])('SHIP-03 refuses a postcode of %s, and loses nothing that was typed', async (_, place) => {
    const shopper = await withMug()
    const cart = await calculate(shopper, place)
    expect([cart.errors, cart.infos, cart.total]).toEqual([['Please enter a valid postcode / ZIP.'], [], '$19.77'])
    const kept = calculatorIn(cart.html)
    expect([kept.country, kept.city, kept.open]).toEqual([place.country, place.city, true])
    expect(decoded(kept.postcode ?? '')).toBe(place.postcode)
    expect(cart.html).toMatch(/<input[^>]*id="calc_shipping_postcode"[^>]*aria-invalid="true"/)
    // Looking again shows what holds.
    const again = calculatorIn((await viewCart(shopper)).html)
    expect([again.country, again.open]).toEqual(['US', false])
  })

  it('SHIP-03 refuses countries that are none, and those that the shop does not sell to', async () => {
    const shopper = await withMug()
    expect((await calculate(shopper, { country: 'XX' })).errors).toEqual(["'XX' is not a valid country code."])
    expect((await calculate(shopper, { country: 'JP', city: 'Kobe' })).errors).toEqual(['We do not ship to Japan.'])
    expect((await calculate(shopper, { country: '__proto__' })).errors).toHaveLength(1)
    expect((await viewCart(shopper)).total).toBe('$19.77')
  })

  it('SHIP-03 takes a state that is none of the country for no state', async () => {
    const cart = await calculate(await withMug(), {
      country: 'US',
      state: 'Nowhere',
      postcode: '10001',
      city: 'New York',
    })
    expect([cart.errors, cart.total]).toEqual([[], '$18.90'])
    expect(calculatorIn(cart.html).state).toBe('')
  })

  it('F34 CART-13 ADDR-03: another country keeps no state out of the list of the one before', async () => {
    const shopper = await withMug()
    const { html } = await viewCart(shopper)
    const state_printed_for = /name="calc_shipping_state_printed_for" value="([^"]*)"/.exec(html)?.[1] ?? ''
    expect([state_printed_for, calculatorIn(html).state]).toEqual(['US', 'CA'])
    const cart = await calculate(shopper, { country: 'GB', state: 'CA', state_printed_for })
    expect(cart.html).toContain('Shipping to <strong translate="no">United Kingdom</strong>')
    expect(cart.html).toContain('name="calc_shipping_state_printed_for" value="GB"')
    expect(calculatorIn(cart.html)).toMatchObject({ country: 'GB', state: '' })
    // Where something is refused, the list of the new country has nothing chosen either.
    const refused = await calculate(shopper, { country: 'US', state: 'DE-HE', state_printed_for: 'DE', postcode: 'x' })
    expect(calculatorIn(refused.html)).toMatchObject({ country: 'US', state: '' })
    // What is typed where there is no list is meant, and a client that does not tell is believed.
    expect(
      calculatorIn((await calculate(shopper, { country: 'US', state: 'Oregon', state_printed_for: 'GB' })).html).state,
    ).toBe('OR')
    expect(calculatorIn((await calculate(shopper, { country: 'US', state: 'CA' })).html).state).toBe('CA')
  })

  it('SHIP-03 ADDR-03: a code of the country is its state, whatever list the field was printed with', async () => {
    const shopper = await withMug()
    const us = { country: 'US', city: 'New York', postcode: '10001' }
    const listed = { calc_shipping_state_of: 'DE', calc_shipping_state_printed_for: 'DE' }
    const place = {
      calc_shipping_country: us.country,
      calc_shipping_city: us.city,
      calc_shipping_postcode: us.postcode,
    }
    const { html } = await submitCart(shopper, { calc_shipping: '1', ...place, ...listed, calc_shipping_state: 'NY' })
    expect(calculatorIn(html).state).toBe('NY')
    const british = await calculate(shopper, { country: 'GB', state: 'Kent', state_printed_for: 'US' })
    expect(calculatorIn(british.html)).toMatchObject({ country: 'GB', state: 'Kent' })
  })

  it('SHIP-03 goes back to the shop’s own place when no country is chosen', async () => {
    const shopper = await withMug()
    await calculate(shopper, { country: 'DE', postcode: '53111' })
    const cart = await calculate(shopper, { country: 'default', postcode: '99999999' })
    expect([cart.infos, cart.total]).toEqual([['Shipping costs updated.'], '$19.77'])
  })

  it('SHIP-03 sends the parcel elsewhere, and keeps the billing address of a shopper who has one', async () => {
    const shopper = await withMug()
    await shopper.openCheckout()
    const { 'woocommerce-process-checkout-nonce': nonce = '' } = shopper.form('cod')
    await shopper.post('/checkout/', {
      ...shopper.form('cod'),
      'woocommerce-process-checkout-nonce': nonce,
      woocommerce_checkout_update_totals: '1',
    })
    const cart = await calculate(shopper, { country: 'DE', city: 'Bonn', postcode: '53111' })
    expect(cart.total).toBe('$32.00')
    const checkout = await shopper.openCheckout()
    expect(checkout).toMatch(/<input[^>]*id="billing_city"[^>]*value="San Jose"/)
    expect(checkout).toMatch(/<input[^>]*id="shipping_city"[^>]*value="Bonn"/)
  })

  it('SHIP-03 does nothing without the visitor’s nonce', async () => {
    const shopper = await withMug()
    const cart = await submitCart(shopper, {
      calc_shipping: '1',
      calc_shipping_country: 'DE',
      'woocommerce-shipping-calculator-nonce': '0123456789',
      'woocommerce-cart-nonce': '0123456789',
    })
    expect([cart.infos, cart.total]).toEqual([[], '$19.77'])
  })

  it('SHIP-03 the page carries the states of the countries on offer only', async () => {
    const { html } = await viewCart(await withMug())
    const printed = JSON.parse(/id="vitrine-settings">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}')
    const countries = JSON.parse(printed.wc_country_select_params.countries)
    expect(Object.keys(countries).every((code) => ['US', 'DE', 'FR', 'GB'].includes(code))).toBe(true)
    expect(countries.US.CA).toBe('California')
  })
})
