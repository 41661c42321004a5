import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { lost } from './instruments/reflow.ts'

let shop: TestShop
beforeAll(async () => {
  const exchange = { switcher: { header: true } }
  const settings = { languages: [{ tag: 'de' }], currencies: [{ code: 'EUR', rate: '0.9' }], exchange }
  shop = await aShop({ settings })
})
afterAll(() => shop.close())

const pages = [
  urls.home(),
  urls.shop(),
  urls.product('linen-shirt'),
  urls.cart(),
  urls.checkout(),
  urls.account(),
  urls.page('terms'),
]

it.each([
  [32, { width: 360, height: 740 }],
  [24, { width: 360, height: 740 }],
  [32, { width: 768, height: 900 }],
])(
  'nothing is lost where the browser is set to letters of %d px instead of 16, in a window of %o',
  async (px, size) => {
    await using browser = await aBrowser([`--blink-settings=defaultFontSize=${px}`])
    const found: Record<string, string[]> = {}
    for (const language of ['', '/de']) {
      await using visitor = await aShopper(browser, shop)
      const { page } = visitor
      await page.setViewportSize(size)
      await page.goto(`${language}${urls.shop({ 'add-to-cart': await shop.idOf('MUG') })}`)
      for (const path of pages) {
        await page.goto(language + path)
        const faults = await lost(page)
        const cart = page.locator('.site-header .cart-contents')
        // All of it is in the window, and nothing lies over it.
        await cart.click({ trial: true, timeout: 3000 }).catch(() => faults.push('the cart is out of reach'))
        if (faults.length > 0) found[language + path] = faults
      }
    }
    expect(found).toEqual({})
  },
  60_000,
)
