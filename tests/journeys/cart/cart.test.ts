import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addFromListing, aShopper, cartLink, cartRow, putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { shipping: { packagesByClass: ['fragile'] } } }),
  ])
  await shop.db.sql`update products set shipping_class = 'fragile' where sku = 'BOWL'`
  await shop.db.sql`insert into shipping_zones (id, name, zone_order, countries) values (2, 'Germany', 2, '{DE}')`
  await shop.db
    .sql`insert into shipping_methods (zone_id, method, title, position, settings) values (2, 'flat_rate', 'By sea', 0, '{"cost":"20"}')`
  await shop.db.sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500)`
  const [mug, teapot] = await Promise.all([shop.idOf('MUG'), shop.idOf('LAST')])
  await shop.db
    .sql`insert into product_links (product_id, kind, position, linked_id) values (${mug}, 'crosssell', 0, ${teapot})`
  await reconfigured(shop)
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const eventually = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 10_000 })
const total = (page: Page) => page.locator('.order-total strong').textContent()
const update = (page: Page) => page.getByRole('button', { name: 'Update cart' })

async function cartOf(page: Page, ...names: string[]): Promise<void> {
  await putInCart(page, shop, ...names)
  await page.goto('/cart/')
  await page.locator('[name=update_cart][disabled]').waitFor()
}

/** What a page asks of the server beside its own files. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (/wc-ajax|wp-json/.test(pathname + search)) calls.push(pathname + search)
  })
  return calls
}

describe('the cart page', () => {
  it('CART-01 CART-02 CART-03 CART-04 CART-08 changes quantities on the spot', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug')
    await cartRow(page, 'Plain mug').getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
    await update(page).dblclick()
    // 24.00, tax 1.74, shipping 6.90.
    await eventually(() => total(page)).toBe('$32.64')
    await page.getByRole('alert').filter({ hasText: 'Cart updated.' }).waitFor()
    expect(posts.filter((path) => path === '/cart/')).toHaveLength(1)
    await cartLink(page, 2).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('CART-06 CART-07 takes the last line out and back, and leads on from an empty cart', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug')
    await page.getByRole('button', { name: 'Remove Plain mug from cart' }).click()
    await page.getByText('Your cart is currently empty.').waitFor()
    expect(await page.getByRole('heading', { name: 'You might like' }).count()).toBe(1)
    await page.getByRole('link', { name: 'Undo?' }).click()
    await cartRow(page, 'Plain mug').waitFor()
    await page.locator('[name=update_cart][disabled]').waitFor()

    await page.getByRole('button', { name: 'Remove Plain mug from cart' }).click()
    await page.getByText('Your cart is currently empty.').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Add to cart: “Plain mug”' }).click()
    await cartRow(page, 'Plain mug').waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('CART-07 leads by the keyboard to the line that was put back, and says that it was', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug', 'Gift card')
    await page.getByRole('button', { name: 'Remove Plain mug from cart' }).press('Enter')
    await cartRow(page, 'Plain mug').waitFor({ state: 'detached' })
    await eventually(() => page.evaluate(() => document.activeElement?.role)).toBe('alert')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Undo?')
    await page.keyboard.press('Enter')
    await cartRow(page, 'Plain mug').waitFor()
    await eventually(() => page.evaluate(() => document.activeElement?.matches('input.qty'))).toBe(true)
    expect(await cartRow(page, 'Plain mug').locator('input.qty:focus').count()).toBe(1)
    await page.getByRole('status').filter({ hasText: '“Plain mug” is in your cart again.' }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('COUP-01 COUP-02 COUP-03 COUP-04 applies and removes coupons, and says at the field what is wrong', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug')
    const field = page.getByLabel('Coupon:')
    await field.fill('nothing')
    await field.press('Enter')
    const error = page.locator('#coupon-error-notice[role=alert]')
    await eventually(() => error.textContent()).toBe('Coupon “nothing” does not exist.')
    await eventually(() => page.locator('.processing').count()).toBe(0)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.getAttribute('aria-describedby')).toBe('coupon-error-notice')
    await field.focus()
    await field.blur()
    await eventually(() => error.count()).toBe(0)
    expect(await field.getAttribute('aria-invalid')).toBeNull()

    await field.fill('five')
    await page.getByRole('button', { name: 'Apply coupon' }).click()
    await eventually(() => total(page)).toBe('$14.41')
    expect(await page.locator('.woocommerce-notices-wrapper').textContent()).toBe('Coupon code applied successfully.')
    await eventually(() => page.locator('.processing').count()).toBe(0)
    await page.getByRole('button', { name: 'Remove five coupon' }).press('Space')
    await eventually(() => total(page)).toBe('$19.77')
    expect(visitor.errors).toEqual([])
  })

  it('COUP-04 an error that goes does not move what is being pressed away', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    await cartOf(page, 'Plain mug')
    await page.getByLabel('Coupon:').fill('nothing')
    await page.getByLabel('Coupon:').press('Enter')
    const error = page.locator('#coupon-error-notice')
    await error.waitFor()
    await eventually(() => page.locator('.processing').count()).toBe(0)
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('coupon_code')
    await page.getByRole('button', { name: 'Calculate shipping' }).click()
    await page.getByLabel('City').waitFor()
    await eventually(() => error.count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('SHIP-01 SHIP-04 takes a method for each parcel, and keeps the focus on it', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug', 'Soup bowl')
    // 27.50, tax 0.87 + 1.12, two parcels of 6.90.
    expect(await total(page)).toBe('$43.29')
    const second = page.getByRole('row').filter({ hasText: 'Shipping 2' })
    await second.getByRole('radio', { name: /Express/ }).check()
    await eventually(() => total(page)).toBe('$51.39')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('shipping_method_1_flat_rate2')
    await page.reload()
    expect(await second.getByRole('radio', { name: /Express/ }).isChecked()).toBe(true)
    expect(
      await page
        .getByRole('row')
        .filter({ hasText: 'Plain mug × 1' })
        .getByRole('radio', { name: /Standard/ })
        .isChecked(),
    ).toBe(true)
    expect(visitor.errors).toEqual([])
  })

  it('SHIP-03 ADDR-02 ADDR-03 ADDR-04 ADDR-10 the calculator follows the country and loses nothing', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug')
    const state = page.locator('#calc_shipping_state')
    expect(await page.locator('#calc_shipping_city').isVisible()).toBe(false)
    const toggle = page.getByRole('button', { name: 'Calculate shipping' })
    await toggle.press('Space')
    await eventually(() => toggle.getAttribute('aria-expanded')).toBe('true')
    const country = page.locator('#calc_shipping_country')
    expect(await state.inputValue()).toBe('CA')
    await page.evaluate(() => {
      const heard: string[] = []
      Object.assign(window, { heard })
      for (const name of ['country_to_state_changed', 'country_to_state_changing'])
        document.body.addEventListener(name, (event) => heard.push(`${name} ${(event as CustomEvent).detail.args[0]}`))
    })
    await country.selectOption('FR')
    await eventually(() => state.getAttribute('type')).toBe('hidden')
    expect(await state.isVisible()).toBe(false)
    await country.selectOption('ZW')
    expect(await state.evaluate((it) => [it.tagName, it.getAttribute('type'), it.className])).toEqual([
      'INPUT',
      'text',
      'input-text',
    ])
    await state.fill('Harare')
    await country.selectOption('US')
    expect(await state.evaluate((it) => [it.matches('select.state_select'), (it as HTMLSelectElement).value])).toEqual([
      true,
      'CA',
    ])
    await country.selectOption('ZW')
    expect(await state.inputValue()).toBe('Harare')
    expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual(
      ['FR', 'ZW', 'US', 'ZW'].flatMap((code) => [
        `country_to_state_changed ${code}`,
        `country_to_state_changing ${code}`,
      ]),
    )

    await country.selectOption('US')
    await page.locator('#calc_shipping_city').fill('San José')
    await page.locator('#calc_shipping_postcode').fill('12')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'Please enter a valid postcode / ZIP.' }).waitFor()
    expect([
      await page.locator('#calc_shipping_city').inputValue(),
      await page.locator('#calc_shipping_postcode').inputValue(),
    ]).toEqual(['San José', '12'])

    await country.selectOption('DE')
    await page.locator('#calc_shipping_postcode').fill('53111')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await eventually(() => total(page)).toBe('$32.00')
    await page.getByText('Shipping costs updated.').waitFor()
    expect(await page.locator('#calc_shipping_city').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Change address' }).click()
    expect([await country.inputValue(), await state.locator('option').count()]).toEqual(['DE', 17])
    expect(visitor.errors).toEqual([])
  })

  it('CART-01 a cross-sell goes into the cart beside it, and out of the offer', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug')
    const offer = page.locator('.cross-sells')
    await offer.getByRole('button', { name: 'Add to cart: “Last teapot”' }).click()
    await cartRow(page, 'Last teapot').waitFor()
    await eventually(() => offer.count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('CART-04 NOTE-02 tells what changed, once, where it is read', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Soup bowl')
    await shop.db.sql`update products set sale_price = 1400 where sku = 'BOWL'`
    await cartRow(page, 'Soup bowl').getByRole('spinbutton').fill('2')
    await update(page).click()
    await page
      .getByRole('status')
      .filter({ hasText: 'The price of “Soup bowl” has changed from $15.50 to $14.00.' })
      .waitFor()
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('woocommerce-message')
    await page.reload()
    expect(await page.getByText('has changed from').count()).toBe(0)
    await shop.db.sql`update products set sale_price = 1550 where sku = 'BOWL'`
    expect(visitor.errors).toEqual([])
  })

  it('CART-11 CART-12 the payment settings follow the cart', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartOf(page, 'Plain mug')
    const known = () => page.evaluate(() => Reflect.get(window, 'wcPPCPSettings').cart)
    expect(await known()).toMatchObject({ total: '19.77', needsShipping: true, isEmpty: false })
    await cartRow(page, 'Plain mug').getByRole('spinbutton').fill('2')
    await update(page).click()
    await eventually(async () => (await known()).total).toBe('32.64')
    expect(visitor.errors).toEqual([])
  })
})

describe('the cart on every page', () => {
  it('MINI-01 a page view with an empty cart asks for nothing', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const calls = callsOf(page)
    for (const path of ['/', '/shop/', '/product/plain-mug/', '/cart/']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
    }
    expect(calls).toEqual([])
  })

  it('MINI-01 ADD-10 is asked for once and then kept, but where the payment module needs it fresh', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    const calls = callsOf(page)
    await page.goto('/shop/?orderby=price')
    await cartLink(page, 1).waitFor()
    expect(calls).toEqual([])
    const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('wc_fragments_')))
    expect(await kept()).toHaveLength(1)
    await page.goto('/product/plain-mug/')
    await eventually(() => calls).toEqual(['/?wc-ajax=get_refreshed_fragments'])
    await cartLink(page, 1).waitFor()
  })

  it('CART-11 two tabs agree, whatever is done in which', async () => {
    await using visitor = await aShopper(browser, shop)
    const one = visitor.page
    await one.goto('/shop/')
    await addFromListing(one, 'Plain mug')
    const two = await one.context().newPage()
    await two.goto('/cart/')
    await two.locator('[name=update_cart][disabled]').waitFor()

    await addFromListing(one, 'Gift card')
    await cartRow(two, 'Gift card').waitFor()
    await cartLink(two, 2).waitFor()

    await cartRow(two, 'Plain mug').getByRole('spinbutton').fill('3')
    await update(two).click()
    await cartLink(one, 4).waitFor()

    // What is being typed here is not lost to what is done there.
    await cartRow(two, 'Plain mug').getByRole('spinbutton').fill('5')
    await one.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    await one.getByRole('button', { name: 'Remove Gift card from cart' }).click()
    await eventually(() => cartRow(two, 'Gift card').count()).toBe(0)
    expect(await cartRow(two, 'Plain mug').getByRole('spinbutton').inputValue()).toBe('5')
    expect(await update(two).isEnabled()).toBe(true)
    expect(visitor.errors).toEqual([])
  })

  it('MINI-01 a page that the browser kept shows the cart as it is now', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.locator('.widget_shopping_cart_content .mini_cart_item').waitFor({ state: 'attached' })
    await cartLink(page, 1).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('MINI-02 OVL-02 a line is removed from the drawer on a phone, by touch and by keyboard', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    await page.goto('/shop/')
    for (const name of ['Plain mug', 'Gift card']) await addFromListing(page, name)
    await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    const drawer = page.getByRole('dialog', { name: 'Cart' })
    await drawer.getByRole('button', { name: 'Remove Plain mug from cart' }).press('Space')
    await eventually(() => drawer.locator('.mini_cart_item').count()).toBe(1)
    await eventually(() =>
      drawer
        .getByRole('button', { name: 'Remove Gift card from cart' })
        .evaluate((it) => it === document.activeElement),
    ).toBe(true)
    await drawer.getByRole('button', { name: 'Remove Gift card from cart' }).press('Enter')
    await drawer.getByText('No products in the cart.').waitFor()
    await cartLink(page, 0).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('MINI-02 who presses before the drawer has taken the focus goes on at the next line', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    await page.addInitScript((activeAfterMs) => {
      const { setTimeout: real } = window
      Reflect.set(window, 'setTimeout', (task: () => void, ms = 0) => real(task, ms === activeAfterMs ? 100 : ms))
    }, 10)
    await page.route('**/*remove_from_cart*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.goto('/shop/')
    for (const name of ['Plain mug', 'Gift card']) await addFromListing(page, name)
    await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    await page.getByRole('button', { name: 'Remove Plain mug from cart' }).press('Space')
    const left = page.getByRole('button', { name: 'Remove Gift card from cart' })
    await eventually(() => left.evaluate((it) => it === document.activeElement)).toBe(true)
  })
})

describe('without scripts', () => {
  it('CART-13 SHIP-01 SHIP-03 SHIP-04 the whole cart works by forms and links', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    for (const name of ['Plain mug', 'Soup bowl']) {
      await page.goto('/shop/')
      await page.getByRole('main').getByLabel(`Add to cart: “${name}”`).click()
      await page
        .getByRole('alert')
        .filter({ hasText: `“${name}” has been added to your cart.` })
        .waitFor()
    }
    await page.goto('/cart/')
    await page.getByLabel('Coupon:').fill('five')
    await page.getByRole('button', { name: 'Apply coupon' }).click()
    await page.getByRole('alert').filter({ hasText: 'Coupon code applied successfully.' }).waitFor()
    await page.getByLabel('Remove five coupon').click()
    await page.getByRole('alert').filter({ hasText: 'Coupon has been removed.' }).waitFor()

    const second = page.getByRole('row').filter({ hasText: 'Shipping 2' })
    await second.getByRole('radio', { name: /Express/ }).check()
    await second.getByRole('button', { name: 'Update shipping' }).click()
    expect(await total(page)).toBe('$51.39')
    expect(await second.getByRole('radio', { name: /Express/ }).isChecked()).toBe(true)

    await page.locator('#calc_shipping_country').selectOption('DE')
    await page.getByLabel('City').fill('Bonn')
    await page.getByLabel('Postcode / ZIP').fill('5')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'Please enter a valid postcode / ZIP.' }).waitFor()
    expect(await page.getByLabel('City').inputValue()).toBe('Bonn')
    await page.getByLabel('Postcode / ZIP').fill('53111')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByText('Shipping costs updated.').waitFor()
    expect(await total(page)).toBe('$67.50')
    expect(visitor.errors).toEqual([])
  })
})
