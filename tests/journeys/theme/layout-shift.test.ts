import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addFromListing, aShopper, bringWallet } from '#tests/journeys/fixtures/shopper.ts'
import { noteShifts, shiftsOf } from '#tests/support/browser/web-vitals.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** Letters that come late may be a hair wider than those that stood in, which moves the rest of their line by a pixel. */
const roundsToNothing = 0.001
const paths = ['/', '/shop/', '/product/linen-shirt/', '/cart/', '/checkout/', '/terms/']

describe('nothing on a page moves by itself', () => {
  it.each([
    ['a telephone', phone],
    ['a desk', desktop],
  ])('on %s: with letters that come late, with something in the cart, with buttons of the wallet', async (_, size) => {
    await using visitor = await aShopper(browser, shop, { size })
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await noteShifts(page)
    // The page is read before its letters are there.
    let letters = Promise.withResolvers<void>()
    await page.route('**/*.woff2', async (route) => {
      await letters.promise
      await route.continue()
    })
    for (const path of paths) {
      letters = Promise.withResolvers()
      await page.goto(path, { waitUntil: 'commit' })
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
      letters.resolve()
      await page.waitForLoadState()
      await page.mouse.move(20, 20)
      await page.waitForFunction(() => document.fonts.status === 'loaded')
      await page.locator('.cart-count', { hasText: '1' }).first().waitFor({ state: 'attached' })
      if (path === '/cart/' || path === '/checkout/') await bringWallet(page)
      await throughThePage(page)
      const shifts = await shiftsOf(page)
      const sum = shifts.reduce((total, { value }) => total + value, 0)
      expect(sum, `${path} at ${size.width}: ${JSON.stringify(shifts)}`).toBeLessThan(roundsToNothing)
    }
    expect(visitor.errors).toEqual([])
  })
})

/** To the end, so that whatever waits to be seen comes, and back. */
async function throughThePage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const step = innerHeight * 0.8
    for (let y = 0; y < document.documentElement.scrollHeight; y += step) {
      scrollTo({ top: y, behavior: 'instant' })
      await frame()
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await frame()
  })
  await page.waitForLoadState('networkidle')
}
