import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aShopper, placeOrder, putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

/** What no single page owns and nobody asks for by name: sizes, sides and distances. */
let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      settings: { languages: [{ tag: 'ar' }], paypal: { fastlane: { enabled: true }, cards: { enabled: true } } },
    }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const box = async (part: Locator) =>
  (await part.boundingBox()) ?? Promise.reject(new Error(`${part} is not on the page`))
const finger = 44

/** What is lower than a finger of all that matches, with its height. */
const lowerThanAFinger = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll(
      (all, least) =>
        all
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < least)
          .map((one) => `${one.textContent}: ${one.getBoundingClientRect().height}`),
      finger,
    )

/** Until the page has stopped scrolling: both sides of a distance are measured in the same place. */
const stillIn = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let last = Number.NaN, still = 0; still < 5; last = scrollY) {
      await frame()
      still = scrollY === last ? still + 1 : 0
    }
  })

it('THEME-04 on a phone links in lists, filters and what takes them back are as high as a finger', async () => {
  await using visitor = await aShopper(browser, shop, { size: phone })
  const { page } = visitor
  await page.goto(urls.shop({ min_price: 1 }))
  expect(await lowerThanAFinger(page, '.site-footer a, .chosen-filters a')).toEqual([])
  await page.getByRole('button', { name: /^Filters/ }).click()
  const filters = page.locator('.listing-filters')
  await filters.getByRole('button', { name: 'Close filters' }).waitFor()
  expect(await lowerThanAFinger(page, '.listing-filters a, .listing-filters button')).toEqual([])
  expect(visitor.errors).toEqual([])
})

it('THEME-04 the categories in the search are as high as a finger where one buys, too, and stand beside each other', async () => {
  await using visitor = await aShopper(browser, shop, { size: phone })
  const { page } = visitor
  await page.goto(urls.cart())
  await page.locator('[data-toggle-target="#search-drawer"]').locator('visible=true').first().click()
  await page.locator('#search-drawer.pop-animated').waitFor()
  expect(await lowerThanAFinger(page, '#search-drawer li a')).toEqual([])
  const links = page.locator('#search-drawer li a')
  const [first, second] = await Promise.all([box(links.nth(0)), box(links.nth(1))])
  expect(second.y).toBe(first.y)
})

it('PROD-01 on a phone quantity and button share a line', async () => {
  await using visitor = await aShopper(browser, shop, { size: phone })
  const { page } = visitor
  await page.goto('/product/plain-mug/')
  const [quantity, button] = await Promise.all([
    box(page.locator('form.cart .quantity')),
    box(page.locator('.single_add_to_cart_button')),
  ])
  expect(button.x).toBeGreaterThanOrEqual(quantity.x + quantity.width)
})

it('PROD-01 the large pictures are closed at the end of the line, from right to left too', async () => {
  await using visitor = await aShopper(browser, shop, { size: desktop })
  const { page } = visitor
  for (const [prefix, side] of [
    ['', 'right'],
    ['/ar', 'left'],
  ] as const) {
    await page.goto(`${prefix}/product/plain-mug/`)
    await page.locator('.woocommerce-product-gallery__trigger').click()
    // What opens them is loaded at the first press.
    await page.locator('.gallery-view__close').waitFor()
    const { x } = await box(page.locator('.gallery-view__close'))
    expect(x > desktop.width / 2 ? 'right' : 'left', prefix).toBe(side)
  }
})

it('CHK-01 what is wrong with the address stands right below it, not below the provider’s mark', async () => {
  await using visitor = await aShopper(browser, shop, { size: phone })
  const { page } = visitor
  await putInCart(page, shop, 'MUG')
  await page.goto(urls.checkout())
  await page.getByRole('radio', { name: 'Cash on delivery' }).check()
  await placeOrder(page).click()
  const message = page.locator('#billing_email_field .checkout-inline-error-message')
  await message.waitFor()
  await stillIn(page)
  const [field, said] = await Promise.all([box(page.locator('#billing_email')), box(message)])
  expect(await page.locator('#billing_email_field .wc-ppcp-fastlane').count()).toBe(1)
  expect(said.y - field.y - field.height).toBeLessThan(12)
})

it('MSG-02 the total has no empty line below it while the provider has nothing to say', async () => {
  await using visitor = await aShopper(browser, shop, { size: desktop })
  const { page } = visitor
  await putInCart(page, shop, 'MUG')
  await page.goto(urls.cart())
  const table = page.locator('.cart_totals table')
  const before = (await box(table)).height
  await page.locator('.cart_totals .order-total').evaluate((total) => {
    total.insertAdjacentHTML(
      'afterend',
      '<tr class="wc-ppcp-paylater-msg__row"><td colspan="2"><div class="wc-ppcp-paylater-msg__container"></div></td></tr>',
    )
  })
  expect((await box(table)).height).toBe(before)
})
