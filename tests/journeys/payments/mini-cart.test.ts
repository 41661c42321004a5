import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aWorld, browse, buttonOf, cartOf, fire, hereIAm, scriptLoads, type World } from './fixtures/browsing.ts'
import { miniCartTemplate } from './fixtures/wallet-shop.tsx'

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world.close())

const content = (inner: string) => `<div class="widget_shopping_cart_content">${inner}</div>`
const filled = (total: string) =>
  content(`<ul class="woocommerce-mini-cart"><li class="woocommerce-mini-cart-item">A bowl</li></ul>
  <p class="woocommerce-mini-cart__total total">Subtotal: ${total}</p>
  <p class="woocommerce-mini-cart__buttons buttons"><a href="/cart/" class="button">View cart</a><a href="/checkout/" class="button checkout">Checkout</a></p>`)
/** As the shop's own is: paragraphs, which a paragraph of buttons can become. */
const empty = content(`<p class="woocommerce-mini-cart__empty-message">No products in the cart.</p>
  <p><a class="button" href="/shop/">Go to the shop</a></p>`)
const body = (inner = filled('$25.00')) =>
  `<button type="button" data-toggle-target="#mini-cart" aria-controls="mini-cart" aria-expanded="false">Cart</button>
   <div id="mini-cart" class="drawer" role="dialog" hidden><div class="widget_shopping_cart">${inner}${miniCartTemplate()}</div></div>`

const wanted = (settings: PaymentSettings) => {
  settings.ppcp_data.paypal_sections = ['minicart']
  settings.payLaterMessage.minicart = { ...settings.payLaterMessage.minicart, enabled: true }
}

const showCart = (page: Page) => page.locator('[data-toggle-target]').click()
const place = (page: Page) => page.locator('#wc-ppcp-minicart-ppcp')
/** What the shop answers to an added product. */
const added = (page: Page, markup: string) =>
  fire(page, 'added_to_cart', 'body', { 'div.widget_shopping_cart_content': markup }, 'hash')
const frames = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll('#mini-cart iframe')].map((frame) => frame.getAttribute('name')))

describe('the wallet in the mini cart', () => {
  it('MINI-04 BTN-02 is a placeholder among its buttons, and pays', async () => {
    await using browsing = await browse(world, { page: 'shop', body: body(), change: wanted, items: 1, clock: true })
    const { page, shop } = browsing
    await place(page).waitFor({ state: 'attached' })
    expect(await page.locator('.woocommerce-mini-cart__buttons > a:last-child').getAttribute('id')).toBe(
      'wc-ppcp-minicart-ppcp',
    )
    expect(await place(page).evaluate((one) => [one.localName, one.getAttribute('href')])).toEqual(['a', null])
    // Nobody has looked into the cart: nothing of the provider is loaded.
    await passTime(page, 5000)
    expect(await scriptLoads(world.emulator)).toBe(0)
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('25.00'), nonce: 'n' } }))
    await showCart(page)
    await buttonOf(page, 'paypal').waitFor()
    const [wallet] = await Promise.all([page.waitForEvent('popup'), buttonOf(page, 'paypal').click()])
    await wallet.locator('input#email[name=login_email]').fill('buyer@emulator.test')
    await wallet.locator('#btnNext').click()
    await wallet.locator('input#password[name=login_password]').fill('secret')
    await wallet.locator('#btnLogin').click()
    await wallet.locator('#payment-submit-btn').click()
    await page.waitForURL('**/checkout/order-received/1001/')
    expect(shop.bodies('cart/order')).toEqual([
      { payment_method: 'ppcp', context: 'minicart', ppcp_funding: 'paypal', seen_currency: 'USD' },
    ])
    expect(shop.bodies('cart/checkout')).toMatchObject([{ context: 'minicart' }])
    expect(browsing.visitor.errors).toEqual([])
  })

  it('MINI-05 MSG-01 MSG-04 keeps button and message while the fragments come anew, and tells of the new total', async () => {
    await using browsing = await browse(world, { page: 'shop', body: body(), change: wanted, items: 1 })
    const { page, shop } = browsing
    let total = '100.00'
    shop.on('cart/refresh', () => ({ json: { cart: cartOf(total), nonce: 'n' } }))
    await showCart(page)
    await buttonOf(page, 'paypal').waitFor()
    const told = () => page.frameLocator('#wc-ppcp-paylater-msg-minicart iframe').getByRole('button').textContent()
    await expect.poll(told).toContain('$25.00')
    expect(await page.locator('.woocommerce-mini-cart__total + #wc-ppcp-paylater-msg-minicart').count()).toBe(1)
    const before = await frames(page)
    await page.evaluate(() => {
      Object.assign(window, { first: document.querySelector('[data-funding] iframe'), messages: 0 })
      // A frame that is drawn anew, or moved, says so by loading.
      for (const frame of document.querySelectorAll('[data-funding] iframe')) {
        frame.addEventListener('load', () => Object.assign(window, { messages: Reflect.get(window, 'messages') + 1 }))
      }
    })

    total = '120.00'
    await added(page, filled('$120.00'))
    await expect.poll(told).toContain('$30.00')
    expect(await page.locator('.woocommerce-mini-cart__total').textContent()).toContain('$120.00')
    expect(await frames(page)).toEqual(before)
    const same = () =>
      page.evaluate(() => Reflect.get(window, 'first') === document.querySelector('[data-funding] iframe'))
    expect(await same()).toBe(true)
    expect(await page.evaluate(() => Reflect.get(window, 'messages'))).toBe(0)
    expect(await scriptLoads(world.emulator)).toBe(1)
    expect(browsing.visitor.errors).toEqual([])
  })

  it('MINI-04 stands under the layer that the provider opens where windows are not allowed', async () => {
    await using browsing = await browse(world, { page: 'shop', body: body(), change: wanted, items: 1 })
    const { page } = browsing
    await page.context().addInitScript(() => {
      window.open = () => null
    })
    await page.reload()
    await hereIAm(page)
    await showCart(page)
    await buttonOf(page, 'paypal').click()
    await page.locator('.paypal-checkout-sandbox').waitFor()
    const onTop = () =>
      page.evaluate(() => {
        const { left, top, width } = document.querySelector('#mini-cart')?.getBoundingClientRect() ?? new DOMRect()
        return document.elementFromPoint(left + width / 2, top + 20)?.className
      })
    expect(await onTop()).toBe('paypal-checkout-sandbox-iframe')
    // The layer takes a press, which nothing below it would let through if it were modal.
    const layer = page.frameLocator('.paypal-checkout-sandbox-iframe')
    await layer.getByRole('textbox', { name: 'Email' }).fill('buyer@emulator.test')
  })

  it('MINI-05 SDK-02 draws anew what the cart asks for otherwise', async () => {
    await using browsing = await browse(world, { page: 'shop', body: body(), change: wanted, items: 1 })
    const { page, shop } = browsing
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('100.00'), nonce: 'n' } }))
    await showCart(page)
    await buttonOf(page, 'paypal').waitFor()
    const queryParams = { currency: 'EUR', intent: 'capture', components: 'buttons,messages' }
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('90.00', { currency: 'EUR' }), queryParams, nonce: 'n' } }))
    await added(page, filled('€90.00'))
    const currencies = () => page.evaluate(() => document.querySelector('script[src*="/sdk/js"]')?.getAttribute('src'))
    await expect.poll(currencies).toContain('currency=EUR')
    await buttonOf(page, 'paypal').waitFor()
    const told = () => page.frameLocator('#wc-ppcp-paylater-msg-minicart iframe').getByRole('button').textContent()
    await expect.poll(told).toContain('€22.50')
    expect(await page.locator('[data-funding=paypal] iframe').count()).toBe(1)
  })

  it('MINI-04 MINI-05 comes with the first product, and goes with the last', async () => {
    await using browsing = await browse(world, { page: 'shop', body: body(empty), change: wanted })
    const { page } = browsing
    expect(await place(page).count()).toBe(0)
    await added(page, filled('$25.00'))
    await place(page).waitFor({ state: 'attached' })
    await added(page, empty)
    await expect.poll(() => place(page).count()).toBe(0)
    await added(page, filled('$25.00'))
    await place(page).waitFor({ state: 'attached' })
    expect(browsing.visitor.errors).toEqual([])
  })

  it('MINI-05 MSG-04 leaves nothing to press or to reach in a cart that was emptied, and comes back below the total', async () => {
    await using browsing = await browse(world, { page: 'shop', body: body(), change: wanted, items: 1 })
    const { page, shop } = browsing
    let cart = cartOf('100.00')
    shop.on('cart/refresh', () => ({ json: { cart, nonce: 'n' } }))
    await showCart(page)
    await buttonOf(page, 'paypal').waitFor()
    const told = () => page.frameLocator('#wc-ppcp-paylater-msg-minicart iframe').getByRole('button').textContent()
    await expect.poll(told).toContain('$25.00')

    cart = cartOf('0.00', { isEmpty: true })
    await added(page, empty)
    await expect.poll(() => page.locator('#mini-cart iframe').count()).toBe(0)

    cart = cartOf('120.00')
    await added(page, filled('$120.00'))
    await buttonOf(page, 'paypal').waitFor()
    await expect.poll(told).toContain('$30.00')
    expect(await page.locator('.woocommerce-mini-cart__total + #wc-ppcp-paylater-msg-minicart').count()).toBe(1)
    expect(browsing.visitor.errors).toEqual([])
  })

  it('MINI-04 is tried ten times, half a second apart, while a cart with items has no buttons yet', async () => {
    await using browsing = await browse(world, {
      page: 'shop',
      body: body(content('')),
      change: wanted,
      items: 1,
      clock: true,
    })
    const { page } = browsing
    await passTime(page, 700)
    await page.evaluate(() => {
      const buttons = document.createElement('p')
      buttons.className = 'woocommerce-mini-cart__buttons'
      document.querySelector('.widget_shopping_cart_content')?.append(buttons)
    })
    await place(page).waitFor({ state: 'attached', timeout: 2000 })
    await page.evaluate(() => document.querySelector('.woocommerce-mini-cart__buttons')?.remove())
    await hereIAm(page)
    expect(await place(page).count()).toBe(0)
  })

  it('SDK-09 nothing of it is loaded without a client id', async () => {
    await using browsing = await browse(world, {
      page: 'shop',
      body: body(),
      items: 1,
      clock: true,
      change(settings) {
        wanted(settings)
        settings.generalData.clientId = ''
      },
    })
    await showCart(browsing.page)
    await passTime(browsing.page, 5000)
    expect(await place(browsing.page).count()).toBe(0)
    expect(browsing.shop.calls).toEqual([])
    expect(await scriptLoads(world.emulator)).toBe(0)
  })
})
