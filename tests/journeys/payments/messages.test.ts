import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageLocation, PaymentSettings } from '#contract/payments/page-settings.ts'
import { passTime } from '#tests/support/browser/page-time.ts'
import { scriptsAreThere } from '../fixtures/shopper.ts'
import { aWorld, browse, cartOf, fire, scriptLoads, type World } from './fixtures/browsing.ts'

let world: World
beforeAll(async () => {
  world = await aWorld()
})
afterAll(() => world.close())

const turnOn =
  (location: MessageLocation, more: (settings: PaymentSettings) => void = () => {}) =>
  (settings: PaymentSettings) => {
    settings.payLaterMessage[location] = { ...settings.payLaterMessage[location], enabled: true } as never
    more(settings)
  }

const message = (page: Page, name: string) => page.locator(`#wc-ppcp-paylater-msg-${name}`)
const said = (page: Page, name: string) =>
  page.frameLocator(`#wc-ppcp-paylater-msg-${name} iframe`).getByRole('button').textContent()
const isShown = (page: Page, name: string) => message(page, name).evaluate((one) => one.classList.contains('is-shown'))

const cartPage = `<form class="woocommerce-cart-form"></form><div class="cart_totals"><table><tbody><tr class="order-total"><th>Total</th><td>$100.00</td></tr></tbody></table>
  <div class="wc-proceed-to-checkout"><a href="/checkout/" class="checkout-button button">Proceed</a></div></div>`
const cartOn = (total = '100.00') =>
  turnOn('cart', (settings) => {
    settings.cart = cartOf(total)
  })

describe('the message on the cart page', () => {
  it('MSG-01 MSG-02 MSG-06 stands as a row below the total, as wide as there is room, and tells of the total', async () => {
    await using browsing = await browse(world, { page: 'cart', body: cartPage, change: cartOn() })
    const { page } = browsing
    await expect.poll(() => said(page, 'cart')).toContain('4 interest-free payments of $25.00')
    expect(await page.locator('tr.order-total + tr #wc-ppcp-paylater-msg-cart').count()).toBe(1)
    const frame = message(page, 'cart').locator('iframe')
    expect(await frame.evaluate((one) => [one.style.width, one.style.opacity])).toEqual(['100%', '1'])
    // Whatever the provider's script does to its frame meanwhile, a second later it is as it should be.
    await frame.evaluate((one) => Object.assign(one.style, { width: '10px', opacity: '0' }))
    await expect.poll(() => frame.evaluate((one) => [one.style.width, one.style.opacity])).toEqual(['100%', '1'])
    expect(browsing.visitor.errors).toEqual([])
  })

  it('MSG-07 has letters that can be read on a dark page, and changes with it', async () => {
    await using browsing = await browse(world, { page: 'cart', body: cartPage, change: cartOn() })
    const { page } = browsing
    const colour = async () =>
      new URL((await message(page, 'cart').locator('iframe').getAttribute('src')) ?? '').searchParams.get('text.color')
    await expect.poll(() => said(page, 'cart')).toContain('$25.00')
    expect(await colour()).toBe('black')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(colour).toBe('white')
  })

  it('MSG-02 stands above the button where that is wanted', async () => {
    await using browsing = await browse(world, {
      page: 'cart',
      body: cartPage,
      change: turnOn('cart', (settings) => {
        settings.cart = cartOf('100.00')
        settings.payLaterMessage.cartLocation = 'above_button'
      }),
    })
    await expect.poll(() => said(browsing.page, 'cart')).toContain('$25.00')
    expect(await browsing.page.locator('#wc-ppcp-paylater-msg-cart + .checkout-button').count()).toBe(1)
  })

  it('MSG-04 follows the cart, in the same frame, and moves nothing while it does', async () => {
    await using browsing = await browse(world, { page: 'cart', body: cartPage, change: cartOn() })
    const { page, shop } = browsing
    await expect.poll(() => said(page, 'cart')).toContain('$25.00')
    await scriptsAreThere(page)
    await page.evaluate(() => {
      Object.assign(window, { shift: 0 })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          Object.assign(window, { shift: Reflect.get(window, 'shift') + Reflect.get(entry, 'value') })
        }
      }).observe({ type: 'layout-shift' })
    })
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('60.00'), nonce: 'n' } }))
    await fire(page, 'updated_wc_div')
    await expect.poll(() => said(page, 'cart')).toContain('$15.00')
    expect(await message(page, 'cart').locator('iframe').count()).toBe(1)
    expect(await page.evaluate(() => Reflect.get(window, 'shift'))).toBe(0)
  })

  it('MSG-04 is no stop of the keyboard either once there is nothing to tell', async () => {
    await using browsing = await browse(world, { page: 'cart', body: cartPage, change: cartOn() })
    const { page, shop } = browsing
    await expect.poll(() => said(page, 'cart')).toContain('$25.00')
    await scriptsAreThere(page)
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('0.00', { isEmpty: true }), nonce: 'n' } }))
    await fire(page, 'updated_wc_div')
    await expect.poll(() => isShown(page, 'cart')).toBe(false)
    expect(await message(page, 'cart').locator('iframe').isVisible()).toBe(false)
  })

  it('MSG-03 is hidden while means are saved instead of being charged, and is not there when it is off', async () => {
    await using saving = await browse(world, {
      page: 'cart',
      body: cartPage,
      change: turnOn('cart', (settings) => {
        settings.cart = cartOf('100.00')
        settings.queryParams.vault = 'true'
      }),
    })
    await saving.page.locator('#wc-ppcp-paylater-msg-cart').waitFor({ state: 'attached' })
    expect(await isShown(saving.page, 'cart')).toBe(false)
    expect(await message(saving.page, 'cart').locator('iframe').count()).toBe(0)
    await using off = await browse(world, { page: 'cart', body: cartPage, clock: true })
    await passTime(off.page, 5000)
    expect(await message(off.page, 'cart').count()).toBe(0)
    expect(await scriptLoads(world.emulator)).toBe(0)
  })

  it('MSG-08 a script that does not load says nothing to the shopper and takes no room', async () => {
    await using browsing = await browse(world, {
      page: 'cart',
      body: cartPage,
      change: (settings) => {
        cartOn()(settings)
        settings.generalData.clientId = 'emu-unknown-1'
      },
      clock: true,
      expectedErrors: [/payment script did not load|400|Failed to load/],
    })
    const { page } = browsing
    const height = () => page.locator('.cart_totals').evaluate((one) => one.getBoundingClientRect().height)
    const before = await height()
    await expect.poll(() => scriptLoads(world.emulator)).toBeGreaterThan(0)
    await passTime(page, 2000)
    expect(await isShown(page, 'cart')).toBe(false)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await height()).toBe(before)
  })

  it('MSG-08 a message that its frame fails to bring takes no room either', async () => {
    await using browsing = await browse(world, {
      page: 'cart',
      body: cartPage,
      change: cartOn(),
      fault: { route: 'sdk.message', status: 503 },
      clock: true,
      expectedErrors: [/503/],
    })
    const { page } = browsing
    await message(page, 'cart').locator('iframe').waitFor({ state: 'attached' })
    await passTime(page, 2000)
    expect(await isShown(page, 'cart')).toBe(false)
    expect(await message(page, 'cart').evaluate((one) => one.getBoundingClientRect().height)).toBe(0)
    expect(browsing.visitor.errors).toEqual([])
  })
})

describe('the message on the checkout', () => {
  const body = (rows = '<tr class="order-total"><th>Total</th><td>$100.00</td></tr>') =>
    `<form class="checkout"><table class="woocommerce-checkout-review-order-table"><tfoot>${rows}</tfoot></table>
     <button type="submit" id="place_order">Place order</button></form>`
  const on = (location: 'shop_table' | 'above_button') =>
    turnOn('checkout', (settings) => {
      settings.cart = cartOf('200.00')
      settings.payLaterMessage.checkoutLocation = location
    })

  it('MSG-01 MSG-02 MSG-07 stands below the total, or above the button, placed as a payment', async () => {
    await using row = await browse(world, { page: 'checkout', body: body(), change: on('shop_table') })
    await expect.poll(() => said(row.page, 'checkout')).toContain('$50.00')
    expect(await row.page.locator('tr.order-total + tr #wc-ppcp-paylater-msg-checkout').count()).toBe(1)
    const query = new URL((await message(row.page, 'checkout').locator('iframe').getAttribute('src')) ?? '')
      .searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      amount: '200',
      currency: 'USD',
      placement: 'payment',
      layout: 'text',
      'logo.type': 'inline',
      'text.size': '13',
    })
    await using above = await browse(world, { page: 'checkout', body: body(), change: on('above_button') })
    await expect.poll(() => said(above.page, 'checkout')).toContain('$50.00')
    expect(await above.page.locator('#wc-ppcp-paylater-msg-checkout + #place_order').count()).toBe(1)
  })

  it('MSG-05 waits for a table that is not there yet', async () => {
    await using browsing = await browse(world, {
      page: 'checkout',
      body: body(''),
      change: on('shop_table'),
      clock: true,
    })
    const { page } = browsing
    await passTime(page, 700)
    expect(await message(page, 'checkout').count()).toBe(0)
    await page.evaluate(() => {
      const row = document.createElement('tr')
      row.className = 'order-total'
      row.insertCell().textContent = '$200.00'
      document.querySelector('tfoot')?.append(row)
    })
    await expect.poll(() => said(page, 'checkout')).toContain('$50.00')
  })

  it('MSG-04 is told anew after the checkout was updated', async () => {
    await using browsing = await browse(world, { page: 'checkout', body: body(), change: on('shop_table') })
    const { page, shop } = browsing
    await expect.poll(() => said(page, 'checkout')).toContain('$50.00')
    await scriptsAreThere(page)
    shop.on('cart/refresh', () => ({ json: { cart: cartOf('240.00'), nonce: 'n' } }))
    await fire(page, 'updated_checkout')
    await expect.poll(() => said(page, 'checkout')).toContain('$60.00')
  })
})

describe('the messages of a listing', () => {
  const card = (id: number, type: string) =>
    `<li class="product type-product post-${id}"><a class="woocommerce-LoopProduct-link" href="/product/${id}/"><h2>Product ${id}</h2>
     <span class="price">$${id}.00</span></a><a class="button product_type_${type}" href="?add-to-cart=${id}">Add</a></li>`
  const body = `<ul class="products">${card(40, 'simple')}${card(80, 'variable')}${card(90, 'external')}</ul>`
  const on = (msgLocation: 'below_price' | 'below_button') =>
    turnOn('shop', ({ payLaterMessage: { shop } }) => {
      shop.msgLocation = msgLocation
      shop.product_types = ['simple', 'variable']
      shop.products = [
        { id: 40, product_type: 'simple', total: '40.00' },
        { id: 80, product_type: 'variable', total: '80.00' },
        { id: 90, product_type: 'external', total: '90.00' },
      ]
    })

  it('LIST-04 LIST-05 MSG-01 stand below the price, of the types that are named', async () => {
    await using browsing = await browse(world, { page: 'shop', body, change: on('below_price') })
    const { page } = browsing
    await expect.poll(() => said(page, '40')).toContain('$10.00')
    await expect.poll(() => said(page, '80')).toContain('$20.00')
    expect(await message(page, '90').count()).toBe(0)
    expect(
      await page.locator('.post-40 .price').locator('xpath=..').locator('+ #wc-ppcp-paylater-msg-40').count(),
    ).toBe(1)
    expect(await scriptLoads(world.emulator)).toBe(1)
    expect(browsing.visitor.errors).toEqual([])
  })

  it('LIST-04 stand below the button otherwise', async () => {
    await using browsing = await browse(world, { page: 'shop', body, change: on('below_button') })
    await expect.poll(() => said(browsing.page, '40')).toContain('$10.00')
    expect(await browsing.page.locator('.post-40 .button + #wc-ppcp-paylater-msg-40').count()).toBe(1)
  })
})

describe('the message of a product', () => {
  const form = `<form class="cart"><div class="quantity"><input class="qty" name="quantity" value="1"></div>
    <button type="submit" name="add-to-cart" value="41" class="single_add_to_cart_button">Add to cart</button></form>`
  const variable = `<form class="variations_form cart" data-product_variations="false"><input name="quantity" value="2">
    <input type="hidden" name="product_id" value="50"><input type="hidden" name="variation_id" value="0"><div class="single_variation"></div>
    <button type="submit" class="single_add_to_cart_button disabled">Add to cart</button></form>`
  const body = (inner: string) =>
    `<div class="product"><div class="summary"><p class="price">$40.00</p>${inner}</div></div>`
  const on = turnOn('product', (settings) => {
    settings.product = { id: 41, needsShipping: true, total: '40.00', price: '40.00', currency: 'USD' }
  })

  it('PROD-07 MSG-01 MSG-04 stands below the price and follows the quantity', async () => {
    await using browsing = await browse(world, { page: 'product', body: body(form), change: on })
    const { page } = browsing
    await expect.poll(() => said(page, 'product')).toContain('$10.00')
    expect(await page.locator('.price + #wc-ppcp-paylater-msg-product').count()).toBe(1)
    await page.locator('input.qty').fill('3')
    await expect.poll(() => said(page, 'product')).toContain('$30.00')
    await page.locator('input.qty').fill('lots')
    await expect.poll(() => said(page, 'product')).toContain('$10.00')
    expect(browsing.visitor.errors).toEqual([])
  })

  it('PROD-07 MSG-04 follows a variation that is found, and its taking back', async () => {
    await using browsing = await browse(world, { page: 'product', body: body(variable), change: on })
    const { page } = browsing
    await expect.poll(() => said(page, 'product')).toContain('$10.00')
    const choose = (id: number) =>
      page.evaluate((id) => document.querySelector('[name=variation_id]')?.setAttribute('value', String(id)), id)
    await choose(51)
    await fire(page, 'found_variation', 'form', { variation_id: 51, is_in_stock: true, display_price: 52.5 })
    // Two pieces of it.
    await expect.poll(() => said(page, 'product')).toContain('$26.25')
    await choose(0)
    await fire(page, 'reset_data', 'form')
    await expect.poll(() => said(page, 'product')).toContain('$10.00')
  })

  it('PROD-07 MSG-04 MSG-07 tells of the variation that the page came with', async () => {
    const variations = [
      { variation_id: 51, display_price: 110, is_in_stock: true },
      { variation_id: 52, display_price: 52, is_in_stock: true },
    ]
    const chosen = variable
      .replace('data-product_variations="false"', `data-product_variations='${JSON.stringify(variations)}'`)
      .replace('name="variation_id" value="0"', 'name="variation_id" value="51"')
    await using browsing = await browse(world, { page: 'product', body: body(chosen), change: on })
    // Two pieces of it.
    await expect.poll(() => said(browsing.page, 'product')).toContain('$55.00')
    expect(browsing.visitor.errors).toEqual([])
  })

  it('PROD-07 MSG-04 follows a form that came to life after it, and takes the choice in when it is told', async () => {
    await using browsing = await browse(world, { page: 'product', body: body(variable), change: on })
    const { page } = browsing
    await expect.poll(() => said(page, 'product')).toContain('$10.00')
    await page.evaluate(() => {
      const id = document.querySelector<HTMLInputElement>('[name=variation_id]')
      const form = id?.form
      form?.addEventListener('found_variation', (event) => {
        if (id && event instanceof CustomEvent) id.value = String(event.detail.args[0].variation_id)
      })
      form?.addEventListener('reset_data', () => {
        if (id) id.value = '0'
      })
    })
    await fire(page, 'found_variation', 'form', { variation_id: 51, is_in_stock: true, display_price: 52.5 })
    await expect.poll(() => said(page, 'product')).toContain('$26.25')
    await fire(page, 'reset_data', 'form')
    await expect.poll(() => said(page, 'product')).toContain('$10.00')
  })
})
