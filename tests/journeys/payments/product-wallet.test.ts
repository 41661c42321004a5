import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { aWorld, browse, buttonOf, cartOf, fire, type World } from './fixtures/browsing.ts'
import { walletMarkup } from './fixtures/wallet-shop.tsx'

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world.close())

const product = { id: 50, needsShipping: false, total: '40.00', price: '40.00', currency: 'USD' }
const everywhere = ['product', 'cart', 'checkout', 'minicart']
const all = { paypal: everywhere, paylater: everywhere, card: everywhere, venmo: everywhere }

const allFundings = (settings: PaymentSettings) => {
  const { ppcp_data: method } = settings
  method.funding = ['paypal', 'paylater', 'card', 'venmo']
  method.paylater_sections = method.credit_card_sections = method.venmo_sections = everywhere
  method.buttons_order = ['venmo', 'paypal', 'paylater', 'card']
  method.buttons = { ...method.buttons, card: { ...method.buttons.card, color: 'black', height: '40px' } }
  settings.queryParams['enable-funding'] = 'paylater,venmo'
  settings.product = product
}

/** The buttons that can be seen, from top to bottom. */
const shownButtons = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-funding]:has(iframe)')]
      .filter((slot) => slot.checkVisibility())
      .map(({ dataset }) => dataset.funding),
  )
const lookOf = async (page: Page, funding: string) =>
  Object.fromEntries(
    new URL((await page.locator(`[data-funding=${funding}] iframe`).getAttribute('src')) ?? '').searchParams,
  )

const simple = `<div class="product"><form class="cart"><span class="quantity"><input class="qty" name="quantity" value="1"></span>
  <button type="submit" name="add-to-cart" value="50" class="single_add_to_cart_button">Add to cart</button></form>`
const cart = (wallet: string) =>
  `<form class="woocommerce-cart-form"></form><div class="cart_totals"><a href="/checkout/" class="checkout-button">Proceed to checkout</a>${wallet}</div>`

describe('the buttons by funding', () => {
  it('BTN-01 BTN-03 stand in the wanted order, each in its own style', async () => {
    await using browsing = await browse(world, {
      page: 'product',
      body: `${simple}${walletMarkup('product', all)}</div>`,
      change(settings) {
        allFundings(settings)
        settings.ppcp_data.buttons.card = { ...settings.ppcp_data.buttons.card, tagline: true }
      },
    })
    const { page } = browsing
    for (const funding of ['paypal', 'paylater', 'card', 'venmo']) await buttonOf(page, funding).waitFor()
    expect(await shownButtons(page)).toEqual(['venmo', 'paypal', 'paylater', 'card'])
    expect(await lookOf(page, 'card')).toMatchObject({ height: '40', layout: 'vertical', color: 'black' })
    // Neither colour nor label were given: these are the provider's own.
    expect(await lookOf(page, 'venmo')).toMatchObject({ color: 'blue', label: 'paypal' })
    expect(await lookOf(page, 'paylater')).toMatchObject({ color: 'gold', layout: 'vertical', height: '48' })
    expect(await buttonOf(page, 'card').getAttribute('aria-label')).toBe('Debit or Credit Card')
    expect(browsing.visitor.errors).toEqual([])
  })

  it('BTN-03 a card button without a tagline lies', async () => {
    await using browsing = await browse(world, {
      page: 'product',
      body: `${simple}${walletMarkup('product', all)}</div>`,
      change: allFundings,
    })
    await buttonOf(browsing.page, 'card').waitFor()
    expect(await lookOf(browsing.page, 'card')).toMatchObject({ layout: 'horizontal', tagline: 'false' })
  })

  it('BTN-01 leave no gap where the provider refuses one', async () => {
    await using browsing = await browse(world, {
      page: 'product',
      body: `${simple}${walletMarkup('product', all)}</div>`,
      change: allFundings,
      eligibility: { paylater: false, card: false },
    })
    const { page } = browsing
    await buttonOf(page, 'venmo').waitFor()
    await expect.poll(() => shownButtons(page)).toEqual(['venmo', 'paypal'])
    await expect.poll(() => page.locator('[data-funding=card]').isHidden()).toBe(true)
  })

  it('BTN-04 BTN-10 have no Venmo for a cart that is shipped, until nothing of it is shipped any more', async () => {
    await using browsing = await browse(world, {
      page: 'cart',
      body: cart(walletMarkup('cart', all)),
      change(settings) {
        allFundings(settings)
        settings.cart = cartOf('25.00', { needsShipping: true })
      },
    })
    const { page, shop } = browsing
    await buttonOf(page, 'paypal').waitFor()
    await expect.poll(() => page.locator('[data-funding=venmo]').isHidden()).toBe(true)
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('25.00'), nonce: 'n' } }))
    await fire(page, 'updated_wc_div')
    await buttonOf(page, 'venmo').waitFor()
    expect(await page.locator('[data-funding=paypal] iframe').count()).toBe(1)
  })

  it('BTN-04 have no instalments where means are saved for later', async () => {
    await using browsing = await browse(world, {
      page: 'cart',
      body: cart(walletMarkup('cart', all)),
      change(settings) {
        allFundings(settings)
        settings.cart = cartOf('25.00')
        settings.queryParams.vault = 'true'
      },
    })
    await buttonOf(browsing.page, 'paypal').waitFor()
    await expect.poll(() => browsing.page.locator('[data-funding=paylater]').isHidden()).toBe(true)
  })
})

describe('the width of the buttons', () => {
  const widthOf = (page: Page, selector: string) =>
    page.locator(selector).evaluate((one) => Math.round(one.getBoundingClientRect().width))

  it('PROD-02 BTN-08 follows quantity and button of a product, also when the window changes', async () => {
    await using browsing = await browse(world, {
      page: 'product',
      body: `${simple}${walletMarkup('product')}</div>`,
      change: (settings) => {
        settings.ppcp_data.product.button_width = 'add_to_cart'
      },
    })
    const { page } = browsing
    await buttonOf(page, 'paypal').waitFor()
    const area = () =>
      page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
        return Math.round((box('.single_add_to_cart_button')?.right ?? 0) - (box('.quantity')?.left ?? 0))
      })
    await expect.poll(async () => (await widthOf(page, '.wc-ppcp-wallet__buttons')) - (await area())).toBe(0)
    await page.evaluate(() => {
      for (const one of document.querySelectorAll<HTMLElement>('.single_add_to_cart_button')) one.style.width = '20rem'
    })
    await page.setViewportSize({ width: 900, height: 800 })
    await expect.poll(async () => (await widthOf(page, '.wc-ppcp-wallet__buttons')) - (await area())).toBe(0)
    expect(await area()).toBeGreaterThan(320)
  })

  it('BTN-08 is that of the checkout button on the cart page', async () => {
    await using browsing = await browse(world, { page: 'cart', body: cart(walletMarkup('cart')) })
    const { page } = browsing
    await buttonOf(page, 'paypal').waitFor()
    const link = await widthOf(page, '.checkout-button')
    await expect.poll(() => widthOf(page, '.wc-ppcp-wallet__buttons')).toBe(link)
  })
})

describe('the buttons of a product in variations', () => {
  const variable = `<div class="product"><form class="variations_form cart"><input name="quantity" value="2">
    <input type="hidden" name="attribute_size" value="m"><input type="hidden" name="product_id" value="50"><input type="hidden" name="variation_id" value="0">
    <div class="single_variation"></div><button type="submit" class="single_add_to_cart_button disabled">Add to cart</button></form>`
  const find = async (page: Page, id: number, inStock: boolean) => {
    const variation = { variation_id: id, is_in_stock: inStock, display_price: 10 }
    await page.evaluate((id) => document.querySelector('[name=variation_id]')?.setAttribute('value', String(id)), id)
    await fire(page, 'found_variation', 'form', variation)
    await fire(page, 'show_variation', '.single_variation', variation, true)
  }
  const disabled = (page: Page) => buttonOf(page, 'paypal').last().getAttribute('aria-disabled')
  const frameName = (page: Page) => page.locator('[data-funding=paypal] iframe').last().getAttribute('name')

  it('PROD-05 PROD-06 BTN-07 a found variation draws them anew, one that is not in stock and a reset disable them', async () => {
    await using browsing = await browse(world, {
      page: 'product',
      body: `${variable}${walletMarkup('product')}</div>`,
    })
    const { page, shop } = browsing
    await buttonOf(page, 'paypal').waitFor()
    await expect.poll(() => disabled(page)).toBe('true')
    const first = await frameName(page)
    const one = () => page.locator('[data-funding=paypal] iframe').count()

    await find(page, 51, true)
    await expect.poll(() => frameName(page)).not.toBe(first)
    await expect.poll(one).toBe(1)
    await expect.poll(() => disabled(page)).toBe('false')

    await fire(page, 'reset_data', 'form')
    await expect.poll(() => disabled(page)).toBe('true')
    await find(page, 52, false)
    await expect.poll(one).toBe(1)
    await expect.poll(() => disabled(page)).toBe('true')

    await find(page, 53, true)
    await expect.poll(one).toBe(1)
    await expect.poll(() => disabled(page)).toBe('false')
    shop.on('cart/item', () => ({ json: { code: 'add-to-cart-error', message: 'Only one left.' } }))
    await buttonOf(page, 'paypal').click()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Only one left.')
    expect(shop.bodies('cart/item')).toEqual([
      {
        payment_method: 'ppcp',
        context: 'product',
        ppcp_funding: 'paypal',
        seen_currency: 'USD',
        product_id: 50,
        variation_id: 53,
        qty: 2,
        variation: { attribute_size: 'm' },
      },
    ])
  })

  it('PROD-05 there is no moment without a button while it is drawn anew', async () => {
    await using browsing = await browse(world, { page: 'product', body: `${variable}${walletMarkup('product')}</div>` })
    const { page } = browsing
    await buttonOf(page, 'paypal').waitFor()
    await page.evaluate(() => {
      Object.assign(window, { fewest: 9 })
      const count = () => {
        const frames = document.querySelectorAll('[data-funding=paypal] iframe').length
        Object.assign(window, { fewest: Math.min(Reflect.get(window, 'fewest'), frames) })
        requestAnimationFrame(count)
      }
      count()
    })
    const first = await frameName(page)
    await find(page, 51, true)
    await expect.poll(() => frameName(page)).not.toBe(first)
    await expect.poll(() => page.locator('[data-funding=paypal] iframe').count()).toBe(1)
    expect(await page.evaluate(() => Reflect.get(window, 'fewest'))).toBe(1)
  })
})

describe('what goes wrong with a button', () => {
  it('BTN-06 the error that is known is shown, not the one that the provider makes of it, and the button works again', async () => {
    await using browsing = await browse(world, {
      page: 'cart',
      body: `<div class="woocommerce-notices-wrapper"></div>${cart(walletMarkup('cart'))}`,
      expectedErrors: [/400/],
    })
    const { page, shop } = browsing
    await buttonOf(page, 'paypal').waitFor()
    shop.on('cart/order', () => ({ status: 400, json: { code: 'out-of-stock', message: 'code 17' } }))
    await buttonOf(page, 'paypal').click()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('That is sold out.')
    await expect.poll(() => page.locator('.wc-ppcp-wallet').getAttribute('data-phase')).toBe('idle')
    await buttonOf(page, 'paypal').click()
    await expect.poll(() => shop.bodies('cart/order').length).toBe(2)
  })
})
