import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([aShop({ wallet: false }), aBrowser()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

it('PROD-01 the way to buy goes along beside what is told at length, and lies over nothing that follows', async () => {
  await using visitor = await aShopper(browser, shop, { size: { width: 1280, height: 900 } })
  const { page } = visitor
  await page.goto('/product/plain-mug/')
  const places = () =>
    page.evaluate(() => {
      const of = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().toJSON()
      return { y: scrollY, buy: of('.summary'), tabs: of('.woocommerce-tabs'), more: of('.related, .upsells') }
    })
  const { buy, tabs, more } = await places()
  expect(tabs.right, 'beside').toBeLessThanOrEqual(buy.left)
  let farthest = buy.top
  for (let scrolled = 0; scrolled < more.bottom; scrolled += 100) {
    await page.evaluate((y) => scrollTo(0, y), scrolled)
    const now = await places()
    expect(now.buy.bottom, `${scrolled} px down`).toBeLessThanOrEqual(now.more.top)
    farthest = Math.max(farthest, now.buy.top + now.y)
  }
  expect(farthest, 'goes along').toBeGreaterThan(buy.top + 20)
})
