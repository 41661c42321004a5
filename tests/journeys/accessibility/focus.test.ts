import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { aShopper } from '../fixtures/shopper.ts'
import { walkByTab } from './instruments/walk-by-tab.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const storeNotice = { enabled: true, text: 'We send parcels on Tuesdays and Fridays.' }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false, settings: { storeNotice } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

describe.each([
  ['from left to right', 'en-US'],
  ['from right to left', 'ar'],
] as const)('read %s', (_, language) => {
  it('the focus goes through every page in the order of reading, and is seen at every stop', async () => {
    if (language === 'ar') {
      await writeSettings(shop.db, { language })
      await reconfigured(shop)
    }
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto(urls.shop({ 'add-to-cart': await shop.idOf('MUG') }))
    const found: Record<string, string[]> = {}
    for (const [name, path] of [
      ['home', urls.home()],
      ['listing', urls.shop()],
      ['product', '/product/linen-shirt/'],
      ['cart', urls.cart()],
      ['checkout', urls.checkout()],
    ] as const) {
      await page.goto(path)
      if (name === 'checkout') await page.locator('.select2-selection').first().waitFor()
      const { stops, faults } = await walkByTab(page)
      expect(stops.length).toBeGreaterThan(10)
      if (faults.length > 0) found[name] = faults
    }
    expect(found).toEqual({})
    expect(visitor.errors).toEqual([])
  })
})
