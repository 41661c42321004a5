import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aShopper, fillCheckout, placeOrder, putInCart, received } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function toCheckout(page: Page): Promise<void> {
  await putInCart(page, shop, 'MUG', 'BOWL')
  await page.goto(urls.checkout())
  await page.getByRole('radio', { name: 'Cash on delivery' }).check()
}

const total = (page: Page) => page.locator('.order-total')
const box = async (part: Locator) =>
  (await part.boundingBox()) ?? Promise.reject(new Error(`${part} is not on the page`))
const wideBy = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

it('CHK-01 on a wide screen the total is in sight where the order is placed', async () => {
  await using visitor = await aShopper(browser, shop, { size: desktop })
  const { page } = visitor
  await toCheckout(page)
  await placeOrder(page).scrollIntoViewIfNeeded()
  const [place, sum] = await Promise.all([box(placeOrder(page)), box(total(page))])
  expect(sum.y).toBeGreaterThanOrEqual(0)
  expect(sum.y + sum.height).toBeLessThanOrEqual(desktop.height)
  // Beside it, not under it.
  expect(sum.x).toBeGreaterThanOrEqual(place.x + place.width)
  expect(visitor.errors).toEqual([])
})

it('CHK-01 on a phone the way to pay follows the total, and nothing is wider than the screen', async () => {
  await using visitor = await aShopper(browser, shop, { size: phone })
  const { page } = visitor
  await toCheckout(page)
  const [sum, methods] = await Promise.all([box(total(page)), box(page.locator('.wc_payment_methods'))])
  expect(methods.y).toBeGreaterThanOrEqual(sum.y + sum.height)
  expect(await wideBy(page)).toBe(0)
  await page.goto(urls.cart())
  expect(await wideBy(page)).toBe(0)
  expect(visitor.errors).toEqual([])
})

it('CHK-15 an order is printed black on white: whose it is, what and how much, and nothing to press', async () => {
  await using visitor = await aShopper(browser, shop, { size: desktop })
  const { page } = visitor
  await toCheckout(page)
  await fillCheckout(page)
  await placeOrder(page).click()
  await received(page)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const paper = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.documentElement)
    const pressed = [...document.querySelectorAll<HTMLElement>('button, .button, nav, input, [role="dialog"]')]
    return {
      colours: [backgroundColor, color],
      pressed: pressed
        .filter((part) => part.checkVisibility({ visibilityProperty: true }))
        .map((part) => part.outerHTML),
    }
  })
  expect(paper).toEqual({ colours: ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'], pressed: [] })
  await page.getByRole('banner').getByText('Test shop').waitFor()
  const parts = ['.woocommerce-order-overview', '.woocommerce-customer-details', '.woocommerce-order-details']
  const tops = await Promise.all(parts.map(async (part) => (await box(page.locator(part))).y))
  expect(tops).toEqual([...tops].sort((a, b) => a - b))
  expect(visitor.errors).toEqual([])
})
