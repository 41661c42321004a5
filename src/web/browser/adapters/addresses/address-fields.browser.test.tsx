import { describe, expect, it } from 'vitest'
import {
  AddressFields,
  addressData,
  addressDataUrl,
  addressSettings,
  printedAddressSettings,
} from '#tests/support/browser-modules/address-page.tsx'
import { pageHtml } from '#tests/support/browser-modules/fixture-shop.ts'
import { aScene, eventually, heard, listenFor } from '#tests/support/browser-modules/scene.ts'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { renderPart } from '../../../pages/shared/render.tsx'

const scene = aScene()

const billing = renderPart(aShop(), <AddressFields kind="billing" />)

const form = (inside: string) =>
  `<form name="checkout" class="checkout woocommerce-checkout" method="post">${inside}</form>`

const country = () => scene.page.locator('#billing_country')
const state = () => scene.page.locator('#billing_state')
const postcode = () => scene.page.locator('#billing_postcode')
const row = (key: string) => scene.page.locator(`#billing_${key}_field`)
/** The label of a row as it is displayed, marks included. */
const label = async (key: string) => (await row(key).locator('label').innerText()).trim().replace(/\s+/g, ' ')
const rows = () =>
  scene.page
    .locator('.woocommerce-billing-fields__field-wrapper > .form-row')
    .evaluateAll((all) => all.filter((it) => !(it as HTMLElement).hidden).map((it) => it.id.slice(8, -6)))

describe.each([
  ['printed', printedAddressSettings, false],
  ['printed, with jQuery', printedAddressSettings, true],
  ['in a file', addressSettings, false],
])('address fields whose rules are %s', (_, settings, jQuery) => {
  const start = async (body = billing) => {
    scene.shop.at(addressDataUrl, () => ({ json: addressData, headers: { 'Cache-Control': 'no-store' } }))
    await scene.open({ body, settings, jQuery })
    await eventually(() => scene.page.locator('.select2-container').count()).toBeGreaterThan(0)
  }

  it('ADDR-02 ADDR-03 ADDR-04 the state is chosen, hidden or typed, as the country has it', async () => {
    await start()
    const kind = () =>
      state().evaluate((it) => {
        const { localName, className, name, dataset } = it as HTMLInputElement
        return [localName, it.getAttribute('type'), className.replace(/ select2.*/, ''), name, dataset.inputClasses]
      })
    expect(await kind()).toEqual(['select', null, 'state_select', 'billing_state', ''])

    await country().selectOption('FR')
    await eventually(kind).toEqual(['input', 'hidden', 'hidden', 'billing_state', ''])
    expect(await row('state').isVisible()).toBe(false)
    expect(await row('state').locator('.select2-container').count()).toBe(0)

    await country().selectOption('ZW')
    await eventually(kind).toEqual(['input', 'text', 'input-text', 'billing_state', ''])
    expect(await row('state').isVisible()).toBe(true)

    await country().selectOption('CA')
    await eventually(kind).toEqual(['select', null, 'state_select', 'billing_state', ''])
    const options = await state()
      .locator('option')
      .evaluateAll((all) => all.map((it) => it.textContent))
    expect(options).toHaveLength(14)
    expect(options.slice(0, 3)).toEqual(['Select an option…', 'Alberta', 'British Columbia'])
    expect(scene.errors).toEqual([])
  })

  it('ADDR-03 ADDR-04: with scripts nothing is sent beside the state, whoever changes its field', async () => {
    await start()
    const sent = () =>
      scene.page.evaluate(() => {
        const form = document.createElement('form')
        form.append(...document.querySelectorAll('.woocommerce-billing-fields'))
        document.body.append(form)
        return [...new FormData(form).keys()].filter((name) => name.includes('state'))
      })
    expect(await sent()).toEqual(['billing_state'])
    await country().selectOption('CA')
    await eventually(() => state().locator('option').count()).toBe(14)
    expect(await sent()).toEqual(['billing_state'])
    expect(scene.errors).toEqual([])
  })

  it('ADDR-01 the text under an empty field names it as its label does, in every country', async () => {
    await start()
    const missing = (key: string) => row(key).getAttribute('data-missing')
    expect([await missing('postcode'), await missing('state')]).toEqual(['Enter your ZIP code', 'Enter your state'])
    await country().selectOption('GB')
    await eventually(() => missing('postcode')).toBe('Enter your postcode')
    expect(await missing('state')).toBe('Enter your county')
    await country().selectOption('IE')
    await eventually(() => missing('postcode')).toBe('Enter your Eircode')
    expect(await missing('first_name')).toBe('Enter your first name')
    expect(scene.errors).toEqual([])
  })

  it('ADDR-01 ADDR-05 labels and marks are those of the country', async () => {
    await start()
    expect([await label('state'), await label('postcode')]).toEqual(['State *', 'ZIP Code *'])

    await country().selectOption('GB')
    await eventually(() => label('state')).toBe('County (optional)')
    expect([await label('postcode'), await label('city'), await label('country')]).toEqual([
      'Postcode *',
      'Town / City *',
      'Country / Region *',
    ])
    expect(await state().getAttribute('aria-required')).toBe(null)
    expect(await row('state').getAttribute('class')).not.toContain('validate-required')

    await country().selectOption('IE')
    await eventually(() => label('postcode')).toBe('Eircode *')
    await eventually(() => label('state')).toBe('County *')
    expect(await state().getAttribute('aria-required')).toBe('true')
    expect(await row('state').getAttribute('class')).toContain('validate-required')
    // The shop's own setting, for every country.
    expect(await label('phone')).toBe('Phone *')
    expect(scene.errors).toEqual([])
  })

  it('ADDR-05 a field that need not be filled in is no longer wrong', async () => {
    await start(form(billing))
    await postcode().focus()
    await postcode().blur()
    await eventually(() => row('postcode').getAttribute('class')).toContain('woocommerce-invalid-required-field')
    await country().selectOption('HK')
    await eventually(() => label('postcode')).toBe('Postcode / ZIP (optional)')
    expect(await row('postcode').getAttribute('class')).not.toContain('woocommerce-invalid')
    expect(await postcode().getAttribute('aria-invalid')).toBe(null)
  })

  it('ADDR-06 rows stand in the order of the country, and the focus stays where it was', async () => {
    await start()
    expect(await rows()).toEqual(
      'first_name last_name company country address_1 address_2 city state postcode phone email'.split(' '),
    )
    await country().selectOption('JP')
    await eventually(rows).toEqual(
      'last_name first_name company country postcode state city address_1 address_2 phone email'.split(' '),
    )
    const classes = (key: string) => row(key).evaluate((it) => [...it.classList].filter((name) => /row-/.test(name)))
    expect([await classes('last_name'), await classes('postcode'), await classes('state')]).toEqual([
      ['form-row-first'],
      ['form-row-first'],
      ['form-row-last'],
    ])
    await country().selectOption('US')
    await eventually(rows).toEqual(
      'first_name last_name company country address_1 address_2 city state postcode phone email'.split(' '),
    )
    expect([await classes('last_name'), await classes('postcode')]).toEqual([['form-row-last'], ['form-row-wide']])

    const field = scene.page.getByRole('combobox', { name: 'Country / Region' })
    await field.focus()
    await country().selectOption('HU')
    await eventually(async () => (await rows())[0]).toBe('last_name')
    expect(await field.evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('ADDR-10 what was typed is there again when the country is', async () => {
    await start()
    await state().selectOption('OR')
    await postcode().fill('97201')
    await country().selectOption('AE')
    await eventually(() => postcode().isVisible()).toBe(false)
    expect([await postcode().inputValue(), await state().inputValue()]).toEqual(['', ''])
    await state().fill('Dubai')
    await country().selectOption('FR')
    await eventually(() => postcode().inputValue()).toBe('97201')
    await country().selectOption('US')
    await eventually(() => state().inputValue()).toBe('OR')
    expect(await postcode().inputValue()).toBe('97201')
    await country().selectOption('AE')
    await eventually(() => state().inputValue()).toBe('Dubai')
    // Another country with a text field keeps the typed text.
    await country().selectOption('ZW')
    await eventually(() => label('state')).toBe('State / County *')
    expect(await state().inputValue()).toBe('Dubai')
    expect(scene.errors).toEqual([])
  })

  it('a code of one country chooses nothing in another that has the same', async () => {
    await start()
    await state().selectOption('CA')
    await country().selectOption('IT')
    await eventually(() => label('state')).toBe('Province *')
    expect(await state().locator('option[value=CA]').textContent()).toBe('Cagliari')
    expect(await state().inputValue()).toBe('')
  })

  it('ADDR-03 a state that was typed by name is chosen once there is a list', async () => {
    await start()
    await country().selectOption('ZW')
    await eventually(() => state().getAttribute('type')).toBe('text')
    await state().fill('Ontario')
    await country().selectOption('CA')
    await eventually(() => state().inputValue()).toBe('ON')
  })

  it('tells of every change of country, and of every new state field', async () => {
    await start()
    await listenFor(scene.page, ['country_to_state_changed', 'country_to_state_changing'])
    await country().selectOption('FR')
    await eventually(() => heard(scene.page)).toEqual([
      ['country_to_state_changed', 'FR', '<div>'],
      ['country_to_state_changing', 'FR', '<div>'],
    ])
    await country().selectOption('NL')
    await eventually(async () => (await heard(scene.page)).slice(2)).toEqual([
      ['country_to_state_changing', 'NL', '<div>'],
    ])
  })
})

it('ADDR-10 what was typed for another country outlives loading the page again, and is gone with the next visit', async () => {
  const { shop, page } = scene
  shop.page('/page/', pageHtml({ body: form(billing), settings: printedAddressSettings }))
  const open = async () => {
    await page.goto(`${shop.url}/page/`)
    await page.waitForSelector('.select2-container')
  }
  await open()
  await state().selectOption('OR')
  await postcode().fill('97201')
  await country().selectOption('AE')
  await state().fill('Dubai')
  await page.reload()
  await page.waitForSelector('.select2-container')
  // The page shows its first country again.
  expect([await country().inputValue(), await state().inputValue()]).toEqual(['US', 'OR'])
  expect(await postcode().inputValue()).toBe('97201')
  await country().selectOption('AE')
  await eventually(() => state().inputValue()).toBe('Dubai')
  await country().selectOption('US')
  await eventually(() => state().inputValue()).toBe('OR')
  await eventually(() => postcode().inputValue()).toBe('97201')
  await open()
  await country().selectOption('AE')
  await country().selectOption('US')
  expect([await state().inputValue(), await postcode().inputValue()]).toEqual(['', ''])
})

it('rules that cannot be loaded leave a form in which everything can be typed, and are asked for again', async () => {
  const { shop } = scene
  let broken = true
  shop.at(addressDataUrl, () => (broken ? { status: 503, body: '' } : { json: addressData }))
  await scene.open({ body: billing, settings: addressSettings })
  await scene.page.waitForSelector('.select2-container')
  expect(shop.seen.filter(({ path }) => path === addressDataUrl)).toHaveLength(0)
  await country().selectOption('CA')
  await eventually(() => state().getAttribute('type')).toBe('text')
  broken = false
  await country().selectOption('AU')
  await eventually(() => state().locator('option').count()).toBe(9)
  expect(await label('city')).toBe('Suburb *')
})

it('the checkout asks for totals once more when the rules came after the change', async () => {
  const { shop, page } = scene
  shop.at(addressDataUrl, async () => {
    await new Promise((done) => setTimeout(done, 400))
    return { json: addressData }
  })
  shop.on('update_order_review', () => ({ json: { result: 'success', fragments: {} } }))
  await scene.open({
    body: form(`${billing}<div id="order_review" class="woocommerce-checkout-review-order"></div>`),
    settings: { ...addressSettings, wc_checkout_params: { wc_ajax_url: '/?wc-ajax=%%endpoint%%', is_checkout: '1' } },
  })
  await page.waitForSelector('.select2-container')
  await state().selectOption('OR')
  await country().selectOption('FR')
  await eventually(() => state().getAttribute('type')).toBe('hidden')
  await eventually(() =>
    shop
      .calls('update_order_review')
      .map(({ body }) => [body.get('country'), body.get('state')].join(' ').trim())
      .at(-1),
  ).toBe('FR')
})

it('billing and shipping each follow their own country', async () => {
  await scene.open({
    body: renderPart(
      aShop(),
      <>
        <AddressFields kind="billing" />
        <AddressFields kind="shipping" country="DE" />
      </>,
    ),
    settings: printedAddressSettings,
  })
  await scene.page.locator('#shipping_country').selectOption('CH')
  await eventually(() => scene.page.locator('#shipping_state_field label').innerText()).toContain('Canton')
  expect(await label('state')).toBe('State *')
  expect(await state().inputValue()).toBe('')
})
