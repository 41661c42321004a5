import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aBrowser, aVisitor, type Visitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { cartOf, hereIAm } from './fixtures/browsing.ts'
import { type FakeProvider, fakeProvider } from './fixtures/fake-provider.ts'
import {
  addMethodMarkup,
  addressCheckout,
  expressMarkup,
  orderId,
  pageWith,
  paymentSettingsFor,
  type WalletShop,
  walletMarkup,
  walletShop,
} from './fixtures/wallet-shop.tsx'

let browser: Browser
let assets: Bundle
beforeAll(async () => {
  ;[browser, assets] = await Promise.all([aBrowser(), bundle('tests/journeys/payments/fixtures/wallet-entry.ts')])
})
afterAll(() => browser.close())

let provider: FakeProvider
let shop: WalletShop
let visitor: Visitor
let page: Page
beforeEach(async () => {
  provider = await fakeProvider()
  shop = await walletShop(assets, provider)
  visitor = await aVisitor(browser, { expectedErrors: [/Failed to load resource/] })
  page = visitor.page
  shop.on('vault/setup-tokens', () => ({ json: { id: '5C991763VB2781612' } }))
  shop.on('vault/payment-tokens', () => ({ json: { id: 'tok-8kk', payment_source: { paypal: wallet } } }))
  shop.on('cart/shipping', () => ({ json: { success: true, order_id: orderId } }))
})
afterEach(async () => {
  await visitor[Symbol.asyncDispose]()
  await shop.close()
  await provider.close()
})

type Opened = {
  body?: string
  page?: PaymentSettings['generalData']['page']
  change?: (settings: PaymentSettings) => void
  walletOrder?: object
}

async function open({ body = addressCheckout(), page: name = 'checkout', change, walletOrder }: Opened = {}) {
  const settings = paymentSettingsFor(provider, { page: name })
  settings.cart = cartOf('25.00', { needsShipping: true })
  settings.ppcp_data.paypal_sections = ['product', 'cart', 'checkout', 'express', 'add_payment_method']
  change?.(settings)
  await page.addInitScript((order) => Object.assign(window, { walletOrder: order }), walletOrder)
  shop.page(pageWith(settings, body, assets.entry))
  await page.goto(`${shop.url}/page/`)
  await hereIAm(page)
}

const payPal = () => page.getByRole('button', { name: 'PayPal', exact: true })
const placeOrder = () => page.getByRole('button', { name: 'Place order' })
const inWallet = (name: string) => page.getByRole('dialog', { name: 'Wallet' }).getByRole('button', { name })
const said = () => page.getByRole('dialog', { name: 'Wallet' }).getByRole('status').textContent()
const phase = () => page.locator('.wc-ppcp-wallet').first().getAttribute('data-phase')
const field = (name: string) => page.locator(`[name="${name}"]`).inputValue()
const ready = () => page.getByText('Your payment is ready.')
const alertText = async () => (await page.getByRole('alert').first().textContent())?.trim()

const elm = { address_line_1: '1 Elm St', admin_area_2: 'Salem', admin_area_1: 'OR', postal_code: '97301' }
const first = {
  address_line_1: '2211 N First Street',
  admin_area_2: 'San Jose',
  admin_area_1: 'CA',
  postal_code: '95131',
}
const wallet = {
  name: { given_name: 'Walt', surname: 'Lett' },
  email_address: 'walt@example.test',
  phone: { phone_number: { national_number: '4085551234' } },
  shipping: { address: { ...elm, country_code: 'US' } },
}
const orderTo = (address: object) => ({
  payer: { ...wallet, shipping: undefined, address: { country_code: 'US' } },
  purchase_units: [{ shipping: { name: { full_name: 'Walt A. Lett' }, address: { ...address, country_code: 'US' } } }],
})

describe('a press on the wallet at the checkout', () => {
  it('§3.2 asks with the controller of the checkout, as the shop’s own button does, and heeds a veto', async () => {
    await open()
    await page.evaluate(() => {
      const told: unknown[] = []
      Object.assign(window, { told })
      const form = document.querySelector('form.checkout')
      for (const name of ['checkout_place_order', 'checkout_place_order_ppcp'])
        form?.addEventListener(name, (event) => {
          const [controller] = (event as CustomEvent).detail.args
          told.push([name, controller?.$checkout_form === form, typeof controller?.submit_error])
          if (name.endsWith('ppcp')) event.preventDefault()
        })
    })
    await payPal().click()
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'told')))
      .toEqual([
        ['checkout_place_order', true, 'function'],
        ['checkout_place_order_ppcp', true, 'function'],
      ])
    expect(shop.calls).toEqual([])
  })
})

describe('after approval at the checkout', () => {
  it('FLOW-02 an order that goes where the form says is handed over at once', async () => {
    await open({ walletOrder: orderTo(elm) })
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    expect(shop.calls.map(({ route }) => route)).toEqual(['cart/order', 'cart/checkout'])
    expect(shop.bodies('cart/checkout')[0]).toMatchObject({
      billing_first_name: 'Ann',
      billing_email: 'ann@example.test',
    })
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-05 the payer fills what is empty and nothing else; an address that holds without phone and mail stays', async () => {
    await open({ body: addressCheckout({ first_name: '', phone: ' ', email: '' }), walletOrder: orderTo(elm) })
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    expect(shop.bodies('cart/checkout')[0]).toMatchObject({
      billing_first_name: 'Walt',
      billing_last_name: 'Lee',
      billing_email: 'walt@example.test',
      billing_phone: '4085551234',
      billing_address_1: '1 Elm St',
    })
  })

  it('FLOW-02 FLOW-05 what changes the totals is worked out before the order is handed over', async () => {
    // The street is missing, so the whole address comes from the wallet; it is the same town.
    await open({ body: addressCheckout({ address_1: '' }), walletOrder: orderTo(elm) })
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    const routes = shop.calls.map(({ route }) => route)
    expect(routes.slice(-1)).toEqual(['cart/checkout'])
    expect(routes).toContain('update_order_review')
    expect(shop.bodies('cart/checkout')[0]).toMatchObject({ billing_address_1: '1 Elm St' })
  })

  it('FLOW-04 CHK-04 an order that goes elsewhere is looked over first, with the wallet’s address in the form', async () => {
    await open({ walletOrder: orderTo(first) })
    await payPal().click()
    await inWallet('Pay').click()
    await ready().waitFor()
    expect(await field('shipping_city')).toBe('San Jose')
    expect(await field('shipping_last_name')).toBe('Lett')
    expect(await field('shipping_first_name')).toBe('Walt A.')
    expect(await field('billing_city')).toBe('Salem')
    expect(await page.getByLabel('Elsewhere').isChecked()).toBe(true)
    expect(await field('ppcp_paypal_order_id')).toBe(orderId)
    await expect.poll(() => placeOrder().isVisible()).toBe(true)
    expect(await payPal().isVisible()).toBe(false)
    expect(shop.bodies('cart/checkout')).toEqual([])
    await expect.poll(() => shop.bodies('update_order_review').length).toBeGreaterThan(0)
    await placeOrder().click()
    await expect.poll(() => shop.bodies('checkout').at(-1)).toMatchObject({ ppcp_paypal_order_id: orderId })
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-04 CHK-06 taken back, the wallet stands there again and the form has forgotten the approval', async () => {
    await open({ walletOrder: orderTo(first) })
    await payPal().click()
    await inWallet('Pay').click()
    await page.getByRole('button', { name: 'Cancel this payment' }).click()
    await expect.poll(() => payPal().isVisible()).toBe(true)
    expect(await placeOrder().isVisible()).toBe(false)
    expect(await field('ppcp_paypal_order_id')).toBe('')
    expect(await ready().count()).toBe(0)
    await payPal().click()
    await inWallet('Pay').waitFor()
    expect(shop.bodies('cart/order').at(-1)).toMatchObject({ ppcp_paypal_order_id: orderId })
  })

  it('CHK-08 an order that is refused while it was ready brings the wallet back', async () => {
    shop.on('checkout', () => ({
      json: { result: 'failure', messages: '<ul class="woocommerce-error"><li>No.</li></ul>' },
    }))
    await open({ walletOrder: orderTo(first) })
    await payPal().click()
    await inWallet('Pay').click()
    await ready().waitFor()
    await placeOrder().click()
    await expect.poll(() => payPal().isVisible()).toBe(true)
    expect(await ready().count()).toBe(0)
    expect(await field('ppcp_paypal_order_id')).toBe('')
  })

  it('FLOW-04 another way to pay can be chosen while the payment is ready, and the message goes with the wallet', async () => {
    await open({ walletOrder: orderTo(first) })
    await payPal().click()
    await inWallet('Pay').click()
    await ready().waitFor()
    await page.getByLabel('cod', { exact: true }).check()
    await expect.poll(() => ready().isVisible()).toBe(false)
    expect(await placeOrder().isVisible()).toBe(true)
    await page.getByLabel('ppcp', { exact: true }).check()
    await expect.poll(() => ready().isVisible()).toBe(true)
    expect(await payPal().isVisible()).toBe(false)
  })

  it('FLOW-06 no address of the wallet is used where the merchant does not want it', async () => {
    await open({
      body: addressCheckout({ city: '', email: '' }),
      walletOrder: orderTo(first),
      change: ({ ppcp_data: method }) => {
        method.paypalAddressDisabled = true
      },
    })
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    expect(shop.bodies('cart/checkout')[0]).toMatchObject({ billing_city: '', billing_email: 'walt@example.test' })
  })

  it('FLOW-04 nothing is looked over where nothing is shipped', async () => {
    await open({
      walletOrder: orderTo(first),
      change: (settings) => {
        settings.cart = cartOf('25.00')
      },
    })
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
  })

  it('FLOW-05 a wallet that says nothing of its owner changes nothing', async () => {
    await open()
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
  })

  it('CHK-12 the wish to keep the wallet travels with the order', async () => {
    await open({ walletOrder: orderTo(elm) })
    await page.getByLabel('Keep it').check()
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    expect(shop.bodies('cart/order')[0]).toMatchObject({ ppcp_save_payment: '1', ppcp_funding: 'paypal' })
    expect(shop.bodies('cart/checkout')[0]).toMatchObject({ ppcp_save_payment: '1' })
  })

  it('FLOW-09 the token of an agreement in the form says who pays', async () => {
    const { shipping, phone: _, ...payer } = wallet
    shop.on('billing-agreement/token/BA-4DN38', () => ({ json: { id: 'BA-4DN38', payer, shipping } }))
    const empty = { first_name: '', email: '', address_1: '', city: '', postcode: '', state: '', country: '' }
    await open({ body: addressCheckout(empty, { billingToken: 'BA-4DN38' }) })
    await expect.poll(() => field('billing_email')).toBe('walt@example.test')
    await expect.poll(() => field('billing_state')).toBe('OR')
    expect(await field('billing_last_name')).toBe('Lee')
    expect(shop.calls.filter(({ route }) => route.startsWith('billing-agreement'))).toHaveLength(1)
  })
})

describe('shipping chosen in the wallet’s window', () => {
  const cartPage = {
    page: 'cart' as const,
    body: `<div class="cart_totals">${walletMarkup('cart')}</div>`,
  }

  it('FLOW-07 BTN-10 an address and an option are put to the shop, which works them out', async () => {
    await open(cartPage)
    await payPal().click()
    await inWallet('Move').click()
    await expect.poll(said).toBe('accepted')
    await inWallet('Ship').click()
    await expect.poll(() => shop.bodies('cart/shipping').length).toBe(2)
    const asked = { payment_method: 'ppcp', context: 'cart', order_id: orderId }
    expect(shop.bodies('cart/shipping')).toEqual([
      { ...asked, address: { city: 'San Jose', state: 'CA', postcode: '95131', country: 'US' } },
      { ...asked, shipping_method: '0:flat_rate:3' },
    ])
    expect(await phase()).toBe('approving')
  })

  it('FLOW-07 an answer with a code rejects the change with the shop’s words, one without an answer with the wallet’s', async () => {
    await open(cartPage)
    await payPal().click()
    shop.on('cart/shipping', () => ({
      status: 400,
      json: { code: 'shipping_error', message: 'We do not ship there.' },
    }))
    await inWallet('Move').click()
    await expect.poll(said).toBe('refused: We do not ship there.')
    shop.on('cart/shipping', () => ({ hangUp: true }))
    await inWallet('Ship').click()
    await expect.poll(said).toBe('refused: Not so.')
    // Whatever was refused, the purchase goes on.
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
  })

  it.each([
    ['the checkout, whose form has the address', { page: 'checkout' as const }],
    [
      'a shop that the provider asks itself',
      {
        ...cartPage,
        change: (settings: PaymentSettings) => {
          settings.ppcp_data.shippingCallback = false
        },
      },
    ],
    [
      'a cart that is not shipped',
      {
        ...cartPage,
        change: (settings: PaymentSettings) => {
          settings.cart = cartOf('25.00')
        },
      },
    ],
    [
      'a cart that costs nothing',
      {
        ...cartPage,
        change: (settings: PaymentSettings) => {
          settings.cart = cartOf('0.00', { needsShipping: true })
        },
      },
    ],
  ])('BTN-10 the page is not asked on %s', async (_, opened) => {
    await open(opened)
    await payPal().click()
    await inWallet('Move').click()
    await expect.poll(said).toBe('accepted')
    expect(shop.bodies('cart/shipping')).toEqual([])
  })
})

describe('express checkout', () => {
  const body = (more = {}) =>
    addressCheckout({ email: '' }, { terms: true, method: 'cod', above: expressMarkup(), ...more })
  const express = () => page.locator('#wc-ppcp-express-button').getByRole('button', { name: 'PayPal', exact: true })

  it('BTN-02 BTN-09 a press accepts the terms, chooses the wallet and nothing that is kept, and pays', async () => {
    const kept = `<label><input type="radio" name="wc-ppcp-payment-token" value="7" checked> Kept</label>
      <label><input type="radio" name="wc-ppcp-payment-token" value="new"> Another</label>`
    await open({ body: body({ inside: kept }) })
    await express().click()
    await inWallet('Move').click()
    expect(await page.getByLabel('I agree').isChecked()).toBe(true)
    expect(await page.getByLabel('ppcp', { exact: true }).isChecked()).toBe(true)
    expect(await page.getByLabel('Another').isChecked()).toBe(true)
    await expect.poll(() => shop.bodies('cart/shipping').length).toBe(1)
    expect(shop.bodies('cart/order')[0]).toMatchObject({ context: 'express', terms: 'on', billing_city: 'Salem' })
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    expect(shop.bodies('cart/checkout')[0]).toMatchObject({ context: 'express', ppcp_paypal_order_id: orderId })
  })

  it('F18 of all the buttons on a page one pays at a time, and each gives way when the other has ended', async () => {
    await open({ body: body({ method: 'ppcp' }) })
    await page.getByLabel('I agree').check()
    const place = page.locator('.wc-ppcp-checkout-container')
    const other = place.getByRole('button', { name: 'PayPal', exact: true })
    // The tick counts a quarter of a second later.
    await expect.poll(() => place.locator('[data-enabled]').getAttribute('data-enabled')).toBe('true')
    await express().click()
    await inWallet('Cancel').waitFor()
    await other.click()
    await expect.poll(() => shop.bodies('cart/order').length).toBe(1)
    await inWallet('Cancel').click()
    await expect.poll(phase).toBe('idle')
    await other.click()
    await inWallet('Cancel').waitFor()
    expect(shop.bodies('cart/order').map(({ context }) => context)).toEqual(['express', 'checkout'])
  })

  it('BTN-09 stands in the place that the page’s author has made, and there again when that comes anew', async () => {
    await open({
      body: body({ above: `<div class="mine"></div>${expressMarkup()}` }),
      change: ({ ppcp_data: method }) => {
        method.expressElement = '.mine'
      },
    })
    const mine = page.locator('.mine').getByRole('button', { name: 'PayPal', exact: true })
    await mine.waitFor()
    expect(await page.getByRole('heading', { name: 'Express checkout' }).isVisible()).toBe(false)
    await page.evaluate(() => {
      const next = document.createElement('div')
      next.className = 'mine'
      document.querySelector('.mine')?.replaceWith(next)
    })
    await mine.waitFor()
  })

  it('BTN-09 a place that is no selector is told once, and the button stands where the server has put it', async () => {
    const told: string[] = []
    page.on('console', (message) => message.type() === 'error' && told.push(message.text()))
    await open({
      body: body(),
      change: ({ ppcp_data: method }) => {
        method.expressElement = '..'
      },
    })
    await express().waitFor()
    expect(told).toEqual(['the express button’s place is no selector: ..'.replace('’', "'")])
  })

  it('BTN-09 a button whose place was emptied by another script is made again; an equal cart leaves it alone', async () => {
    await page.clock.install()
    shop.on('cart/refresh', () => ({
      json: {
        cart: cartOf('25.00', { needsShipping: true }),
        queryParams: paymentSettingsFor(provider).queryParams,
        nonce: 'n',
      },
    }))
    await open({ body: body() })
    await express().waitFor()
    const mark = () => express().evaluate((button) => button.getAttribute('data-mark'))
    await express().evaluate((button) => button.setAttribute('data-mark', 'first'))
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('wc_fragments_refreshed', { bubbles: true })))
    await expect.poll(() => shop.bodies('cart/refresh').length).toBeGreaterThan(0)
    // Longer than the rhythm at which places are looked at.
    await passTime(page, 2500)
    expect(await mark()).toBe('first')
    await page.evaluate(() =>
      document.querySelector('#wc-ppcp-express-button [data-funding=paypal] > div')?.replaceChildren(),
    )
    await expect.poll(mark, { timeout: 10_000 }).toBeNull()
    expect(provider.loads).toHaveLength(1)
  })

  it('FLOW-10 other parameters for the script load it anew and draw the buttons again', async () => {
    await open({ body: body() })
    await express().waitFor()
    const queryParams = { ...paymentSettingsFor(provider).queryParams, currency: 'EUR' }
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('25.00', { currency: 'EUR' }), queryParams, nonce: 'n' } }))
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('wc_fragments_refreshed', { bubbles: true })))
    await expect.poll(() => provider.loads.map((load) => load.get('currency'))).toEqual(['USD', 'EUR'])
    await express().click()
    await inWallet('Pay').waitFor()
  })
})

describe('a means that is kept instead of charged', () => {
  it('FLOW-08 CHK-14 is saved from its own page by its form', async () => {
    await open({ page: 'add_payment_method', body: addMethodMarkup() })
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/page/')
    await expect
      .poll(() => shop.bodies('form'))
      .toEqual([{ payment_method: 'ppcp', ppcp_payment_token: 'tok-8kk', woocommerce_add_payment_method: '1' }])
    expect(shop.bodies('vault/setup-tokens')).toEqual([
      expect.objectContaining({ payment_method: 'ppcp', context: 'add_payment_method' }),
    ])
    expect(shop.bodies('vault/payment-tokens')).toEqual([{ setup_token: '5C991763VB2781612', payment_method: 'ppcp' }])
    expect(shop.bodies('cart/order')).toEqual([])
  })

  const trial = (more: object) => (settings: PaymentSettings) => {
    settings.cart = cartOf('0.00', { needsSetupToken: true, ...more })
    settings.queryParams = { ...settings.queryParams, vault: 'true' }
  }

  it('FLOW-08 where nothing is due, the token travels with the order, whose form its owner fills', async () => {
    await open({ body: addressCheckout({ email: '' }), change: trial({}) })
    await payPal().click()
    await inWallet('Pay').click()
    await expect
      .poll(() => shop.bodies('checkout').at(-1))
      .toMatchObject({
        ppcp_payment_token: 'tok-8kk',
        billing_email: 'walt@example.test',
        payment_method: 'ppcp',
      })
    expect(shop.bodies('vault/setup-tokens')[0]).toMatchObject({ context: 'checkout', billing_city: 'Salem' })
    expect(shop.bodies('cart/order')).toEqual([])
    expect(shop.bodies('cart/checkout')).toEqual([])
  })

  it('FLOW-03 where something is shipped only the message says that all is ready', async () => {
    await open({ change: trial({ needsShipping: true }) })
    await payPal().click()
    await inWallet('Pay').click()
    await ready().waitFor()
    expect(await field('ppcp_payment_token')).toBe('tok-8kk')
    expect(shop.bodies('checkout')).toEqual([])
    await placeOrder().click()
    await expect.poll(() => shop.bodies('checkout').at(-1)).toMatchObject({ ppcp_payment_token: 'tok-8kk' })
  })

  it('FLOW-08 FLOW-14 one that cannot be kept is said so, and the button works again', async () => {
    shop.on('vault/payment-tokens', () => ({
      status: 400,
      json: { code: 'not-approved', message: 'Please try again.' },
    }))
    await open({ page: 'add_payment_method', body: addMethodMarkup() })
    await payPal().click()
    await inWallet('Pay').click()
    await expect.poll(alertText).toBe('Please try again.')
    await expect.poll(phase).toBe('idle')
    expect(await field('ppcp_payment_token')).toBe('')
    await payPal().click()
    await inWallet('Cancel').click()
    await expect.poll(phase).toBe('idle')
  })

  it('FLOW-08 a cart that only keeps has no buttons outside the checkout', async () => {
    await open({
      page: 'cart',
      body: `<div class="cart_totals">${walletMarkup('cart')}</div>`,
      change: trial({ needsShipping: true }),
    })
    await expect.poll(() => page.locator('.wc-ppcp-wallet').isHidden()).toBe(true)
  })
})
