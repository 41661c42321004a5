import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decoded } from '#tests/support/cart/cart.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

/** Sells to everybody but Switzerland, and ships to these. */
const shipTo = ['US', 'DE', 'JP', 'HU', 'GB', 'IE', 'BR', 'FR', 'AE', 'IN']
let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { sellTo: { except: ['CH'] }, shipTo } })
  await shop.db.sql`insert into shipping_zones (id, name, zone_order, countries) values (2, 'Abroad', 2, ${shipTo})`
  await shop.db
    .sql`insert into shipping_methods (zone_id, method, title, position, settings) values (2, 'flat_rate', 'By sea', 0, '{"cost":"20"}')`
  await reconfigured(shop)
})
afterAll(() => shop.close())

type Fields = Readonly<Record<string, string>>

async function atCheckout(): Promise<Shopper> {
  const shopper = new Shopper(shop)
  await shopper.add('LATER')
  await shopper.openCheckout()
  return shopper
}

/** Orders with the given fields in place of a good American address. */
async function order(
  fields: Fields,
): Promise<CheckoutAnswer & { status: number; said: string; stored: Stored | undefined }> {
  const shopper = await atCheckout()
  const response = await shopper.post('/?wc-ajax=checkout', { ...shopper.form('cod'), ...fields })
  const text = await response.text()
  // What no form can hold is refused before it is looked at, in a plain word.
  const answer: CheckoutAnswer = response.status < 400 ? JSON.parse(text) : { result: 'failure' }
  const rows = await shop.db.sql<Stored[]>`select billing, shipping from orders where id = ${answer.order_id ?? 0}`
  const said = decoded((answer.messages ?? '').replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
  return { ...answer, status: response.status, said, stored: rows[0] }
}
type Stored = { billing: Record<string, string>; shipping: Record<string, string> }

const place = (country: string, city: string, state: string, postcode: string): Fields => ({
  billing_country: country,
  billing_city: city,
  billing_state: state,
  billing_postcode: postcode,
})

function settingsIn(html: string) {
  return JSON.parse(/id="vitrine-settings">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}')
}

const optionsOf = (html: string, id: string) =>
  [
    ...(new RegExp(`<select[^>]*id="${id}".*?</select>`, 's').exec(html)?.[0] ?? '').matchAll(
      /<option value="([A-Z]{2})"/g,
    ),
  ].map(([, code]) => code)

describe('the countries on offer', () => {
  it('billing lists what is sold to, shipping and the calculator what is shipped to', async () => {
    const shopper = await atCheckout()
    const checkout = await shopper.openCheckout()
    const billing = optionsOf(checkout, 'billing_country')
    expect([billing.length, billing.includes('CH')]).toEqual([248, false])
    // By name: Brazil, France, Germany, Hungary, India, Ireland, Japan, United Arab Emirates, United Kingdom, United States.
    const byName = ['BR', 'FR', 'DE', 'HU', 'IN', 'IE', 'JP', 'AE', 'GB', 'US']
    expect(optionsOf(checkout, 'shipping_country')).toEqual(byName)
    expect(optionsOf(await shopper.page('/cart/'), 'calc_shipping_country')).toEqual(byName)
  })

  it('no way of shipping is priced to a country that is not shipped to, whatever the zones say', async () => {
    await shop.db.sql`update shipping_zones set countries = countries || '{ES}' where id = 2`
    await reconfigured(shop)
    const shopper = await atCheckout()
    const { wc_checkout_params: checkout } = settingsIn(await shopper.openCheckout())
    const offersShipping = async (country: string) => {
      const place = { country, s_country: country, post_data: `billing_country=${country}&payment_method=cod` }
      const security = checkout.update_order_review_nonce
      const answer = await shopper.post('/?wc-ajax=update_order_review', { ...place, security })
      return (await answer.text()).includes('By sea')
    }
    expect([await offersShipping('DE'), await offersShipping('ES')]).toEqual([true, false])
  })

  it('a country that is not sold to, or not shipped to, is refused by name', async () => {
    const swiss = await order(place('CH', 'Bern', '', '3000'))
    expect([swiss.result, swiss.said]).toEqual(['failure', 'We do not sell to Switzerland.'])
    const spain = await order(place('ES', 'Sitges', 'B', '08870'))
    expect([spain.result, spain.said]).toEqual(['failure', 'We do not ship to Spain.'])
    const parcel = { ship_to_different_address: '1', shipping_first_name: 'Bo', shipping_last_name: 'Li' }
    const elsewhere = await order({
      ...{
        ...parcel,
        shipping_address_1: 'Via 1',
        shipping_city: 'Roma',
        shipping_state: 'RM',
        shipping_postcode: '00118',
      },
      shipping_country: 'IT',
    })
    expect([elsewhere.result, elsewhere.said]).toEqual(['failure', 'We do not ship to Italy.'])
    const nowhere = await order({ billing_country: 'ZZ' })
    expect([nowhere.result, nowhere.said.startsWith("'ZZ' is not a valid country code.")]).toEqual(['failure', true])
  })
})

describe('what scripts know of addresses', () => {
  it('ADDR-01 the checkout holds the rules and states of its own country, and names a file with those of all on offer', async () => {
    const shopper = await atCheckout()
    const checkout = await shopper.openCheckout()
    const { wc_address_i18n_params: rules, wc_country_select_params: select } = settingsIn(checkout)
    // Scripts of the ecosystem parse both before they do anything else.
    const [locale, countries] = [JSON.parse(rules.locale), JSON.parse(select.countries)]
    expect([Object.keys(locale).sort(), Object.keys(countries)]).toEqual([['US', 'default'], ['US']])
    expect([locale.US.postcode, countries.US.CA]).toEqual([
      { label: 'ZIP Code', missing: 'Enter your ZIP code' },
      'California',
    ])
    expect(JSON.parse(rules.locale_fields).state).toBe(
      '#billing_state_field, #shipping_state_field, #calc_shipping_state_field',
    )
    const file = await shopper.request(rules.locale_url, { headers: { 'accept-encoding': 'br' } })
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    const data = await file.json()
    expect(data.locale.US.postcode).toEqual({ label: 'ZIP Code', missing: 'Enter your ZIP code' })
    expect(data.locale.default.state).toMatchObject({ label: 'State / County', required: true, priority: 80 })
    expect([data.states.FR, data.states.JP.JP13, data.states.CH, data.states.GB]).toEqual([
      {},
      'Tokyo',
      undefined,
      undefined,
    ])
  })

  it('an older name of the file gives what holds now, and is not kept', async () => {
    const file = await fetch(`${shop.url}/address-data/${'0'.repeat(32)}.json`)
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(Object.keys(await file.json())).toEqual(['locale', 'states'])
    expect((await fetch(`${shop.url}/address-data/..%2f..%2fpackage.json`)).status).toBe(404)
  })

  it('the checkout of a shop that sells everywhere is at most 14 KB compressed', async () => {
    const shopper = await atCheckout()
    const response = await shopper.request('/checkout/')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(gzipSync(bytes).length).toBeLessThanOrEqual(14 * 1024)
  })
})

describe('addresses of orders', () => {
  it('a state may be typed by name, and what a country hides is not kept', async () => {
    const indian = await order({
      ...place('IN', 'Pune', 'maharashtra', '411 001'),
      billing_phone: '\u202a+91 20\u202c',
    })
    expect(indian.stored?.billing).toMatchObject({ state: 'MH', postcode: '411001', phone: '+91 20' })
    const dubai = await order(place('AE', 'Dubai', 'Dubai', '00000'))
    expect(dubai.stored?.billing).toMatchObject({ state: 'Dubai', postcode: '' })
    const french = await order(place('FR', 'Lyon', 'CA', '69001'))
    expect(french.stored?.billing).toMatchObject({ state: '', postcode: '69001' })
  })

  it('§1.11: an Irish postcode that is none is refused with the way to the right one', async () => {
    const link = '<a href="https://finder.eircode.ie/" target="_blank" rel="noopener">Find your Eircode</a>'
    const irish = await order(place('IE', 'Dublin 2', 'D', 'B02 AF30'))
    expect(irish.said).toBe('Billing Eircode is not a valid postcode / ZIP. Find your Eircode')
    expect(irish.messages).toContain(link)
    const american = await order(place('US', 'Oakland', 'CA', 'ABC'))
    expect(american.said).toContain('is not a valid postcode / ZIP.')
    expect(american.messages).not.toContain('eircode')
  })

  it('ADDR-03 ADDR-04: a code of the posted country is its state, whatever list the field was printed with', async () => {
    // The ecosystem's scripts change the field and know nothing of others beside it.
    const listed = { billing_state_of: 'US', billing_state_printed_for: 'US', shipping_state_of: 'US' }
    const canadian = await order({ ...place('BR', 'Santos', 'SP', '11010-000'), ...listed })
    expect([canadian.said, canadian.stored?.billing.state]).toEqual(['', 'SP'])
    const parcel = { ship_to_different_address: '1', shipping_first_name: 'Bo', shipping_last_name: 'Li' }
    const elsewhere = await order({
      ...{ ...parcel, ...listed, shipping_address_1: 'Unter 1', shipping_city: 'Pune', shipping_country: 'IN' },
      ...{ shipping_state: 'MH', shipping_postcode: '411001', shipping_state_printed_for: 'US' },
    })
    expect([elsewhere.said, elsewhere.stored?.shipping.state]).toEqual(['', 'MH'])
    // CA is Cagliari in Italy, and California in the list that the older field beside it named.
    const italian = await order({ ...place('IT', 'Cagliari', 'CA', '09124'), billing_state_of: 'US' })
    expect(italian.said).not.toContain('Province')
  })

  it('ADDR-04: a county that was typed is kept, whatever list the field was printed with', async () => {
    const listed = { billing_state_of: 'US', billing_state_printed_for: 'US' }
    const british = await order({ ...place('GB', 'Dover', 'Kent', 'CT16 1AA'), ...listed })
    expect(british.stored?.billing).toMatchObject({ country: 'GB', state: 'Kent' })
    const unknown = await order({ ...place('BR', 'Santos', 'Kent', '11010-000'), ...listed })
    expect(unknown.said).toContain('Billing State / County is not valid.')
  })

  it('F34 ADDR-03 ADDR-04: a form without scripts brings no state out of the list of the country before', async () => {
    const listed = { billing_state_printed_for: 'US', shipping_state_printed_for: 'US' }
    const british = await order({ ...place('GB', 'London', 'CA', 'SW1A 1AA'), ...listed })
    expect(british.stored?.billing).toMatchObject({ country: 'GB', state: '', postcode: 'SW1A 1AA' })

    const shopper = await atCheckout()
    const html = await shopper.openCheckout()
    const printedFor = (page: string) =>
      [...page.matchAll(/<noscript><input type="hidden" name="(\w+)_printed_for" value="(\w*)"\/><\/noscript>/g)].map(
        ([, field, code]) => `${field} ${code}`,
      )
    expect(printedFor(html)).toEqual(['billing_state US', 'shipping_state US'])
    const elsewhere = {
      ...place('IT', 'Roma', 'CA', '00184'),
      ...listed,
      ship_to_different_address: '1',
      shipping_country: 'BR',
      shipping_state: 'AL',
    }
    await shopper.post('/checkout/', {
      ...shopper.form('cod'),
      ...elsewhere,
      woocommerce_checkout_update_totals: '1',
    })
    const next = await shopper.openCheckout()
    const chosen = (id: string) =>
      /<option value="([^"]*)" selected/.exec(
        new RegExp(`<select[^>]*id="${id}".*?</select>`, 's').exec(next)?.[0] ?? '',
      )
    expect([chosen('billing_state')?.[1], chosen('shipping_state')?.[1]]).toEqual(['', ''])
    expect(printedFor(next)).toEqual(['billing_state IT', 'shipping_state BR'])
    expect((await order(elsewhere)).said).toContain('Billing Province is a required field.')
  })

  it('a state that the country does not have is refused with those it has', async () => {
    const { result, said } = await order(place('BR', 'Santos', 'Bavaria', '11010-000'))
    expect(result).toBe('failure')
    expect(said).toContain('Billing State / County is not valid. Please enter one of the following: Acre, Alagoas,')
    expect(said).toContain('or Tocantins')
  })

  it.each([
    [
      place('JP', 'Chiyoda-ku', 'Tokyo-to', '1000005'),
      ['〒100-0005', 'Tokyo Chiyoda-ku', '1 Main Street', 'Lovelace Ada', 'Japan'],
    ],
    [place('HU', 'Budapest', '', '1052'), ['Lovelace Ada', 'Budapest', '1 Main Street', '1052', 'Hungary']],
    [place('DE', 'Bonn', 'NW', '53111'), ['Ada Lovelace', '1 Main Street', '53111 Bonn', 'Germany']],
    [place('US', 'Boston', 'MA', '02111'), ['Ada Lovelace', '1 Main Street', 'Boston, MA 02111']],
  ])('the confirmation writes it as its country does: %o', async (fields, lines) => {
    const shopper = await atCheckout()
    const answer = await shopper.post('/?wc-ajax=checkout', { ...shopper.form('cod'), ...fields })
    const { redirect = '' } = (await answer.json()) as CheckoutAnswer
    const html = await shopper.page(redirect)
    const address = /<address[^>]*>(.*?)<\/address>/s.exec(html)?.[1] ?? ''
    const shown = decoded(
      address
        .replace(/<br\/?>/g, '\n')
        .replace(/<p.*/s, '')
        .replace(/<[^>]+>/g, ''),
    ).split('\n')
    expect(shown.map((line) => line.trim()).filter(Boolean)).toEqual(lines)
  })

  const hostile = [
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\n\n',
    '<script>alert(1)</script>',
    '‮evil',
    'x'.repeat(5000),
    '__proto__',
    "'; drop table orders;--",
    '%s %1$s',
    '{"a":1}',
  ]
  it.each(hostile)('no text in any field brings the shop down: %j', async (text) => {
    const keys = [
      'first_name',
      'last_name',
      'company',
      'country',
      'address_1',
      'address_2',
      'city',
      'state',
      'postcode',
      'phone',
      'email',
    ]
    for (const key of keys) {
      const { status, result, stored } = await order({ [`billing_${key}`]: text })
      expect([key, status < 500, ['success', 'failure'].includes(result)]).toEqual([key, true, true])
      for (const value of Object.values(stored?.billing ?? {})) expect(value).toMatch(/^\P{Cc}{0,200}$/u)
    }
    const everywhere = await order(Object.fromEntries(keys.map((key) => [`billing_${key}`, text])))
    expect([everywhere.status < 500, everywhere.result]).toEqual([true, 'failure'])
  })
})
