import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aBrowser, aVisitor, type Visitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { type FakeProvider, fakeProvider } from './fixtures/fake-provider.ts'
import {
  checkoutMarkup,
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
  // The provider's refusals, and the calls that a test breaks, are logged by the browser itself.
  visitor = await aVisitor(browser, { expectedErrors: [/Failed to load resource/, /the payment script did not load/] })
  page = visitor.page
})
afterEach(async () => {
  await visitor[Symbol.asyncDispose]()
  await shop.close()
  await provider.close()
})

type Opened = {
  body?: string
  general?: Partial<PaymentSettings['generalData']>
  change?: (settings: PaymentSettings) => void
}

async function open({ body = checkoutMarkup(), general = {}, change }: Opened = {}): Promise<void> {
  const settings = paymentSettingsFor(provider, general)
  change?.(settings)
  shop.page(pageWith(settings, body, assets.entry))
  await page.goto(`${shop.url}/page/`)
  // A product page's wallet waits for somebody to be there.
  await page.mouse.move(40, 40)
  await page.mouse.move(60, 60)
}

const payPal = () => page.getByRole('button', { name: 'PayPal', exact: true })
const placeOrder = () => page.getByRole('button', { name: 'Place order' })
const wallet = () => page.getByRole('dialog', { name: 'Wallet' })
const inWallet = (name: string) => wallet().getByRole('button', { name })
const phase = () => page.locator('.wc-ppcp-wallet').getAttribute('data-phase')
const alertText = async () => (await page.getByRole('alert').textContent())?.trim()
const scripts = () => page.locator('script[src*="/sdk/js"]').count()

const productPage = (form: string) => ({
  body: `<div class="product">${form}${walletMarkup('product')}</div>`,
  general: { page: 'product' as const },
})
const simpleForm = `<form class="cart" method="post"><input class="qty" name="quantity" value="2">
  <button type="submit" name="add-to-cart" value="41" class="single_add_to_cart_button">Add to cart</button></form>`

describe('the payment script on a page', () => {
  it('SDK-01 SDK-03 SDK-08 is loaded once, from the set address, and tells so', async () => {
    await page.addInitScript(() => {
      Object.assign(window, { told: [] })
      addEventListener('DOMContentLoaded', () =>
        document.body.addEventListener('paypalInstanceCreated', (event) => {
          const told: unknown = Reflect.get(window, 'told')
          if (Array.isArray(told) && event instanceof CustomEvent) told.push(event.detail.args[1].currency)
        }),
      )
    })
    await open()
    await payPal().waitFor()
    expect(provider.loads).toHaveLength(1)
    expect(Object.fromEntries(provider.loads[0] ?? [])).toMatchObject({
      'client-id': 'sb',
      currency: 'USD',
      locale: 'en_US',
    })
    expect(await page.evaluate(() => Reflect.get(window, 'told'))).toEqual(['USD'])
    expect(await page.locator('script[src*="/sdk/js"]').getAttribute('data-page-type')).toBe('checkout')
    expect(visitor.errors).toEqual([])
  })

  it('SDK-02 is replaced for other parameters, after an event with the old instance', async () => {
    await open({ general: { clientId: '' } })
    const seen = await page.evaluate(async (url) => {
      const make: unknown = Reflect.get(window, 'sdkLoader')
      if (typeof make !== 'function') throw new Error('no loader')
      const loader = make(url)
      const cleaned: unknown[] = []
      document.body.addEventListener('paypalInstanceCleanup', (event) => {
        if (event instanceof CustomEvent) cleaned.push(event.detail.args[0].parameters.currency)
      })
      const dollars = await loader.load({ 'client-id': 'sb', currency: 'USD' })
      const same = await loader.load({ currency: 'USD', 'client-id': 'sb' })
      const euros = await loader.load({ 'client-id': 'sb', currency: 'EUR' })
      return {
        cleaned,
        same: same === dollars,
        now: euros === Reflect.get(window, 'paypal'),
        currency: euros.parameters.currency,
      }
    }, provider.sdkUrl)
    expect(seen).toEqual({ cleaned: ['USD'], same: true, now: true, currency: 'EUR' })
    expect(await scripts()).toBe(1)
    expect(provider.loads).toHaveLength(2)
  })

  it('SDK-04 a locale that the provider refuses is left out in one more try', async () => {
    await open({ change: ({ queryParams }) => Object.assign(queryParams, { locale: 'en_001' }) })
    await payPal().waitFor()
    expect(provider.loads.map((load) => load.get('locale'))).toEqual(['en_001', null])
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('SDK-05 SDK-10 an unknown client id shows the configured message, and other ways to pay stay', async () => {
    await open({ general: { clientId: 'nobody' } })
    await expect.poll(alertText).toBe('The shop is not connected to PayPal.')
    expect(await placeOrder().isVisible()).toBe(true)
    await page.getByLabel('cod').check()
    expect(await placeOrder().isVisible()).toBe(true)
  })

  it('SDK-09 nothing of the payment code runs without a client id', async () => {
    await page.clock.install()
    await open({ general: { clientId: '' } })
    await page.waitForFunction(() => document.body.classList.contains('woocommerce-js'))
    // Longer than the button takes to appear where there is one.
    await passTime(page, 5000)
    expect(provider.loads).toHaveLength(0)
    expect(shop.calls).toHaveLength(0)
    expect(await scripts()).toBe(0)
    expect(await placeOrder().isVisible()).toBe(true)
  })

  it('F33 P6 a provider that is down is said to be, and can be tried again', async () => {
    provider.down = true
    await open(productPage(simpleForm))
    await page.getByText('The PayPal button could not be loaded.').waitFor({ timeout: 3000 })
    expect(await page.getByRole('button', { name: 'Continue to PayPal' }).isVisible()).toBe(true)
    provider.down = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await payPal().waitFor()
    expect(await page.getByText('could not be loaded').count()).toBe(0)
  })
})

describe('a provider that does not answer', () => {
  it('F33 P6 is said to be slow after three seconds, and the wallet can be reached by redirect', async () => {
    provider.silent = true
    await open(productPage(simpleForm))
    await page.getByText('PayPal is taking longer than usual…').waitFor({ timeout: 5000 })
    const [post] = await Promise.all([
      page.waitForRequest('**/checkout/wallet-start/'),
      page.getByRole('button', { name: 'Continue to PayPal' }).click(),
    ])
    expect(Object.fromEntries(new URLSearchParams(post.postData() ?? ''))).toEqual({
      quantity: '2',
      'add-to-cart': '41',
      wallet: 'ppcp',
    })
  })
})

describe('paying on the checkout', () => {
  it('FLOW-01 CHK-09 the order is created from the form, and handed over with all its fields after approval', async () => {
    await open()
    await payPal().click()
    await wallet().waitFor()
    expect(await wallet().getAttribute('data-order')).toBe(orderId)
    expect(shop.bodies('cart/order')).toEqual([
      {
        payment_method: 'ppcp',
        context: 'checkout',
        ppcp_funding: 'paypal',
        seen_currency: 'USD',
        billing_email: 'ann@example.test',
        'shipping_method[0]': 'flat_rate:1',
        intention: 'i-1',
      },
    ])
    await inWallet('Pay').click()
    await page.waitForURL('**/checkout/order-received/1001/?key=k')
    expect(shop.bodies('cart/checkout')).toEqual([
      expect.objectContaining({
        payment_method: 'ppcp',
        context: 'checkout',
        ppcp_paypal_order_id: orderId,
        billing_email: 'ann@example.test',
        intention: 'i-1',
      }),
    ])
    expect(shop.calls.map(({ nonce }) => nonce)).toEqual(['printed', 'printed'])
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-12 an answer is stripped of markup, and of a list the first element is used', async () => {
    shop.on('cart/order', () => ({ text: `<br>["<b>${orderId}</b>","OTHER"]` }))
    await open()
    await payPal().click()
    await wallet().waitFor()
    expect(await wallet().getAttribute('data-order')).toBe(orderId)
  })

  it('CHK-09 messages of a checkout that did not succeed are shown, and the button works again', async () => {
    shop.on('cart/checkout', () => ({
      json: {
        result: 'failure',
        messages: '<ul class="woocommerce-error" role="alert"><li>No such postcode.</li></ul>',
      },
    }))
    await open()
    await payPal().click()
    await inWallet('Pay').click()
    await expect.poll(alertText).toBe('No such postcode.')
    expect(await phase()).toBe('idle')
    expect(await page.locator('[name=ppcp_paypal_order_id]').inputValue()).toBe('')
    await payPal().click()
    await wallet().waitFor()
  })

  it('CHK-09 FLOW-14 an error with a code shows its message', async () => {
    shop.on('cart/checkout', () => ({ status: 400, json: { code: 'out-of-stock', message: 'code 17' } }))
    await open()
    await payPal().click()
    await inWallet('Pay').click()
    await expect.poll(alertText).toBe('That is sold out.')
  })

  it('NOTE-07 fields that do not hold are named before any wallet opens', async () => {
    const messages =
      '<ul class="woocommerce-error" role="alert"><li><strong>Billing City</strong> is a required field.</li></ul>'
    shop.on('cart/order', () => ({ status: 400, json: { code: 'validation_errors', data: { status: 400, messages } } }))
    await open()
    await payPal().click()
    await expect.poll(alertText).toBe('Billing City is a required field.')
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await wallet().count()).toBe(0)
    expect(await phase()).toBe('idle')
  })

  it('CHK-04 the wallet stands in for the place-order button while it is the chosen method', async () => {
    await open()
    await payPal().waitFor()
    await expect.poll(() => placeOrder().isVisible()).toBe(false)
    await page.getByLabel('cod').check()
    await expect.poll(() => placeOrder().isVisible()).toBe(true)
    expect(await payPal().isVisible()).toBe(false)
    await page.getByLabel('ppcp').check()
    await expect.poll(() => payPal().isVisible()).toBe(true)
    expect(await placeOrder().isVisible()).toBe(false)
  })

  it('loads nothing of the provider for a visitor who pays otherwise', async () => {
    await open({ body: checkoutMarkup({ method: 'cod' }) })
    await expect.poll(() => page.locator('.wc-ppcp-wallet').isHidden()).toBe(true)
    expect(provider.loads).toHaveLength(0)
  })

  it('CHK-05 NOTE-08 the button is disabled until the terms are ticked, and says so when pressed', async () => {
    await open({ body: checkoutMarkup({ terms: true }) })
    const enabled = () => payPal().locator('..').getAttribute('data-enabled')
    await payPal().click()
    expect(await enabled()).toBe('false')
    await expect.poll(alertText).toBe('Please read and accept the terms.')
    expect(shop.calls).toHaveLength(0)
    await page.getByLabel('I agree').check()
    await expect.poll(enabled).toBe('true')
    await payPal().click()
    await wallet().waitFor()
  })

  it('BTN-05 cancelling gives the button back, and the next attempt names the order of the last', async () => {
    await open()
    await payPal().click()
    await inWallet('Cancel').click()
    await expect.poll(phase).toBe('idle')
    await payPal().click()
    await wallet().waitFor()
    expect(shop.bodies('cart/order').map((body) => body.ppcp_paypal_order_id)).toEqual([undefined, orderId])
  })

  it('F22 NOTE-09 a closed window says nothing and gives the button back', async () => {
    await open()
    await payPal().click()
    await inWallet('Close').click()
    await expect.poll(phase).toBe('idle')
    expect(await page.getByRole('alert').count()).toBe(0)
    await payPal().click()
    await wallet().waitFor()
  })

  it('F18 a double click creates one order', async () => {
    await open()
    await payPal().dblclick()
    await wallet().waitFor()
    expect(shop.bodies('cart/order')).toHaveLength(1)
  })

  it('F12 a declined card reopens the wallet with the same order, and paying then succeeds', async () => {
    let declined = false
    shop.on('cart/checkout', () => {
      if (declined) return { json: { result: 'success', redirect: '/checkout/order-received/1001/' } }
      declined = true
      return {
        json: {
          result: 'failure',
          code: 'INSTRUMENT_DECLINED',
          messages: '<ul class="woocommerce-error" role="alert"><li>Declined.</li></ul>',
        },
      }
    })
    await open()
    await payPal().click()
    await inWallet('Pay').click()
    await expect.poll(alertText).toBe('Declined.')
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/')
    expect(shop.bodies('cart/order')).toHaveLength(1)
    expect(shop.bodies('cart/checkout').map((body) => body.ppcp_paypal_order_id)).toEqual([orderId, orderId])
  })

  it('F21 an approved order is handed over again when the connection is cut', async () => {
    let tries = 0
    shop.on('cart/checkout', () => {
      tries += 1
      return tries < 3 ? { hangUp: true } : { json: { result: 'success', redirect: '/checkout/order-received/1001/' } }
    })
    await open()
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/')
    expect(tries).toBe(3)
  })

  it('F21 P2 an approved order that the shop did not answer is kept, and finished by a press on a button', async () => {
    let down = true
    shop.on('cart/checkout', () =>
      down
        ? { status: 503, json: { code: 'busy', message: 'Busy' } }
        : { json: { result: 'success', redirect: '/checkout/order-received/1001/' } },
    )
    await open()
    await payPal().click()
    await inWallet('Pay').click()
    const again = page.getByRole('button', { name: 'Complete the order' })
    await again.waitFor()
    expect(await page.locator('[name=ppcp_paypal_order_id]').inputValue()).toBe(orderId)
    expect(await placeOrder().isVisible()).toBe(true)
    down = false
    await again.click()
    await page.waitForURL('**/order-received/1001/')
    expect(shop.bodies('cart/order')).toHaveLength(1)
  })
})

describe('paying from cart and product', () => {
  it('pays the cart from the cart page', async () => {
    await open({ body: `<div class="cart_totals">${walletMarkup('cart')}</div>`, general: { page: 'cart' } })
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    expect(shop.bodies('cart/order')).toEqual([
      { payment_method: 'ppcp', context: 'cart', ppcp_funding: 'paypal', seen_currency: 'USD' },
    ])
    expect(shop.bodies('cart/checkout')).toEqual([
      { payment_method: 'ppcp', context: 'cart', ppcp_paypal_order_id: orderId },
    ])
  })

  it('BTN-07 puts the product into the cart first, once for all attempts', async () => {
    await open(productPage(simpleForm))
    await payPal().click()
    await inWallet('Cancel').click()
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
    expect(shop.calls.map(({ route }) => route)).toEqual(['cart/item', 'cart/order', 'cart/checkout'])
    expect(shop.bodies('cart/item')).toEqual([
      {
        payment_method: 'ppcp',
        context: 'product',
        ppcp_funding: 'paypal',
        seen_currency: 'USD',
        product_id: 41,
        variation_id: 0,
        qty: 2,
        variation: {},
      },
    ])
  })

  it('FLOW-15 an item that cannot be added is refused with its message, although the status is 200', async () => {
    shop.on('cart/item', () => ({ json: { code: 'add-to-cart-error', message: 'Only 1 left.' } }))
    await open(productPage(simpleForm))
    await payPal().click()
    await expect.poll(alertText).toBe('Only 1 left.')
    expect(await wallet().count()).toBe(0)
  })

  it('F18 a page without a nonce fetches one first, and a stale one is replaced once', async () => {
    let seen = 0
    shop.on('cart/item', () => {
      seen += 1
      if (seen === 1)
        return { status: 403, json: { code: 'rest_cookie_invalid_nonce', message: 'Cookie check failed' } }
      return { json: { order_id: orderId, cart_item_key: 'k1', cart: {} } }
    })
    let given = 0
    shop.on('cart/refresh', () => {
      given += 1
      return { json: { cart: {}, queryParams: {}, nonce: `fresh-${given}` } }
    })
    const { restNonce: _, ...general } = paymentSettingsFor(provider, { page: 'product' }).generalData
    await open({
      ...productPage(simpleForm),
      change: (settings) => {
        settings.generalData = general
      },
    })
    await payPal().click()
    await wallet().waitFor()
    expect(shop.calls.map(({ route, nonce }) => [route, nonce])).toEqual([
      ['cart/refresh', undefined],
      ['cart/item', 'fresh-1'],
      ['cart/refresh', 'fresh-1'],
      ['cart/item', 'fresh-2'],
    ])
  })

  it('PROD-04 opens no wallet until a variation is found and in stock', async () => {
    await open(
      productPage(`<form class="variations_form cart" method="post"><select name="attribute_size"><option value="">Choose</option><option value="m">M</option></select>
        <div class="single_variation"></div><input name="quantity" value="1"><input type="hidden" name="product_id" value="50"><input type="hidden" name="variation_id" value="0">
        <button type="submit" class="single_add_to_cart_button disabled">Add to cart</button></form>`),
    )
    const enabled = () => payPal().locator('..').getAttribute('data-enabled')
    await payPal().click()
    expect(await enabled()).toBe('false')
    expect(shop.calls).toHaveLength(0)

    await page.getByRole('combobox').selectOption('m')
    const show = (purchasable: boolean) =>
      page.evaluate((purchasable) => {
        const form = document.forms.item(0)
        form?.querySelector('[name=variation_id]')?.setAttribute('value', '51')
        form
          ?.querySelector('.single_variation')
          ?.dispatchEvent(new CustomEvent('show_variation', { bubbles: true, detail: { args: [{}, purchasable] } }))
      }, purchasable)
    await show(false)
    expect(await enabled()).toBe('false')
    await show(true)
    expect(await enabled()).toBe('true')
    await payPal().click()
    await wallet().waitFor()
    expect(shop.bodies('cart/item')).toEqual([
      expect.objectContaining({ product_id: 50, variation_id: 51, variation: { attribute_size: 'm' } }),
    ])
  })
})
