import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { type FakeProvider, fakeProvider } from '#tests/journeys/payments/fixtures/fake-provider.ts'
import {
  addMethodMarkup,
  checkoutMarkup,
  expressMarkup,
  miniCartTemplate,
  pageWith,
  paymentSettingsFor,
  type WalletShop,
  walletMarkup,
  walletShop,
} from '#tests/journeys/payments/fixtures/wallet-shop.tsx'
import { passTime } from '#tests/support/browser/page-time.ts'
import { aBrowser, aVisitor, type Visitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { expectEqualMarkup } from '#tests/support/browser-modules/component.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'

const expectedErrors = [
  /Failed to load resource/,
  /the payment script did not load/,
  /the island wallet-buttons stopped/,
  /blocked by CORS policy/,
]

let browser: Browser
let assets: Bundle
beforeAll(async () => {
  ;[browser, assets] = await Promise.all([aBrowser(), bundle('src/web/browser/main.ts')])
})
afterAll(() => browser.close())

let provider: FakeProvider
let shop: WalletShop
let visitor: Visitor
beforeEach(async () => {
  provider = await fakeProvider()
  shop = await walletShop(assets, provider)
  visitor = await aVisitor(browser, { expectedErrors })
})
afterEach(async () => {
  await visitor[Symbol.asyncDispose]()
  await shop.close()
  await provider.close()
})

const simpleForm = `<form class="cart" method="post"><input class="qty" name="quantity" value="2">
  <button type="submit" name="add-to-cart" value="41" class="single_add_to_cart_button">Add to cart</button></form>`
const product = `<div class="product">${simpleForm}${walletMarkup('product', { card: ['product'] })}</div>`

/** Opens a page. Its wallets wait for somebody to be there. */
async function open(body: string, change: (settings: PaymentSettings) => void = () => {}): Promise<void> {
  const settings = paymentSettingsFor(provider)
  change(settings)
  shop.page(pageWith(settings, body, assets.entry))
  await visitor.page.goto(`${shop.url}/page/`)
}

const beThere = async () => {
  await visitor.page.mouse.move(40, 40)
  await visitor.page.mouse.move(60, 60)
}
const withCards = (settings: PaymentSettings) =>
  Object.assign(settings.ppcp_data, { funding: ['paypal', 'card'], credit_card_sections: ['product'] })
const slot = (funding: string) => visitor.page.locator(`[data-funding=${funding}]`)
const button = (name: string) => visitor.page.getByRole('button', { name, exact: true })
const message = () => visitor.page.getByRole('status').textContent()

describe('the wallet’s buttons', () => {
  it.each([
    ['product', product],
    ['cart', walletMarkup('cart')],
    ['checkout', checkoutMarkup()],
    ['express area', `${expressMarkup()}${checkoutMarkup({ method: 'cod' })}`],
    ['form that saves a payment method', addMethodMarkup()],
  ])('of a %s are the same from server and browser', async (_, body) => {
    await open(body, ({ generalData }) => {
      generalData.clientId = ''
    })
    await expectEqualMarkup(visitor, 'wallet-buttons')
  })

  it('BTN-02 of the mini cart wake from the template that the browser inserts', async () => {
    const buttons = '<p class="woocommerce-mini-cart__buttons"><a href="/cart/">Cart</a></p>'
    provider.silent = true
    await open(`${buttons}${miniCartTemplate()}`, ({ ppcp_data: method }) => {
      method.paypal_sections = ['minicart']
    })
    await beThere()
    // The provider's script is asked for by a component that runs.
    await eventually(() => provider.loads.length).toBe(1)
    const [inserted, printed] = await visitor.page.evaluate(() => {
      const template = document.querySelector('template')
      return [document, template?.content].map((root) => {
        const island = root?.querySelector('vitrine-island')?.cloneNode(true)
        if (!(island instanceof HTMLElement)) return undefined
        // The provider is at work in it.
        for (const slot of island.querySelectorAll('[data-funding]')) slot.replaceChildren()
        return island.innerHTML
      })
    })
    expect(inserted).toContain('data-funding')
    expect(inserted).toBe(printed)
    expect(visitor.errors).toEqual([])
  })
})

describe('the places of the wallet’s buttons', () => {
  it('BTN-01 stay free while the provider is at work', async () => {
    provider.silent = true
    await open(product, withCards)
    await beThere()
    await eventually(() => provider.loads.length).toBe(1)
    const held = await Promise.all(['paypal', 'card'].map((funding) => slot(funding).getAttribute('hidden')))
    expect(held).toEqual([null, null])
    expect(visitor.errors).toEqual([])
  })

  it('keep the provider’s own nodes when the server sends other props', async () => {
    await open(checkoutMarkup())
    await beThere()
    const frame = slot('paypal').locator('> div')
    await frame.evaluate((node) => node.setAttribute('data-mark', 'first'))
    const island = visitor.page.locator('vitrine-island[name=wallet-buttons]')
    await island.evaluate((element) => {
      const props = JSON.parse(element.getAttribute('props') ?? '')
      props.fundings = [...props.fundings, 'card']
      element.setAttribute('props', JSON.stringify(props))
    })
    await slot('card').waitFor({ state: 'attached' })
    expect(await frame.getAttribute('data-mark')).toBe('first')
    expect(await button('PayPal').isVisible()).toBe(true)
    expect(visitor.errors).toEqual([])
  })

  it('BTN-09 take buttons again after they have left the page for a while', async () => {
    await open(checkoutMarkup())
    await beThere()
    await button('PayPal').waitFor()
    await visitor.page.evaluate(async () => {
      const place = document.querySelector('.wc-ppcp-wallet__place')
      const home = place?.parentElement
      // As the shop's style has it: nobody sees an empty element without a box.
      const island = place?.querySelector<HTMLElement>('vitrine-island')
      if (island) island.style.display = 'contents'
      place?.remove()
      await new Promise((resolve) => setTimeout(resolve, 50))
      if (place) home?.append(place)
    })
    await button('PayPal').waitFor()
    expect(await slot('paypal').locator('> div').count()).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})

describe('in place of the wallet’s buttons', () => {
  it('F33 P6 stand a message and two ways on, of which the first keeps the focus while it fails', async () => {
    provider.down = true
    await open(product)
    await beThere()
    await eventually(message).toBe('The PayPal button could not be loaded.')
    expect(await slot('paypal').isVisible()).toBe(false)
    expect(await button('Continue to PayPal').isVisible()).toBe(true)
    await button('Try again').press('Enter')
    await eventually(() => provider.loads.length).toBe(2)
    await eventually(() => button('Try again').evaluate((one) => one.matches(':focus'))).toBe(true)
    provider.down = false
    await button('Try again').click()
    await button('PayPal').waitFor()
    expect(await message()).toBe('')
    expect(await button('Continue to PayPal').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('F33 P6 stands a message after three seconds, the way round beside it, and the other after twelve', async () => {
    await visitor.page.clock.install()
    provider.silent = true
    await open(product)
    await beThere()
    await eventually(() => provider.loads.length).toBe(1)
    await passTime(visitor.page, 3100)
    await eventually(message).toBe('PayPal is taking longer than usual…')
    expect([await button('Continue to PayPal').count(), await button('Try again').count()]).toEqual([1, 0])
    await passTime(visitor.page, 9000)
    await eventually(message).toBe('The PayPal button could not be loaded.')
    expect([await button('Continue to PayPal').count(), await button('Try again').count()]).toEqual([1, 1])
    expect(visitor.errors).toEqual([])
  })
})

describe('a failure of the wallet’s buttons', () => {
  it('to load leaves the forms of the page as they are', async () => {
    await visitor.page.route(/island-root.*\.js/, (route) => route.abort())
    await open(`${product}${checkoutMarkup()}`)
    await beThere()
    await visitor.page.locator('vitrine-island[failed]').first().waitFor({ state: 'attached' })
    expect(await button('Place order').isVisible()).toBe(true)
    await button('Add to cart').click()
    await eventually(() => shop.bodies('form').length).toBe(1)
    expect(visitor.errors).toEqual([])
  })

  it('in one place brings its markup and the page’s own button back, and leaves the others', async () => {
    await open(`${expressMarkup()}${checkoutMarkup()}`, ({ ppcp_data: method }) => {
      method.paypal_sections = ['checkout', 'express']
    })
    await beThere()
    const place = (container: string) => visitor.page.locator(`.wc-ppcp-${container}`).getByRole('button')
    await place('checkout-container').waitFor()
    await place('express-checkout').waitFor()
    expect(await button('Place order').isVisible()).toBe(false)
    const island = visitor.page.locator('form vitrine-island')
    await island.evaluate((element) => element.setAttribute('props', '{"page":"checkout"}'))
    await button('Place order').waitFor()
    expect(await island.locator('[data-funding]').evaluate((one) => one.childNodes.length)).toBe(0)
    expect(await place('express-checkout').isVisible()).toBe(true)
    expect(visitor.errors).toEqual([])
  })
})
