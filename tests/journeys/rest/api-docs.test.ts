import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser, aVisitor, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  browser = await aBrowser()
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

/** The brightness of what lies behind the text, 0 to 255. */
const brightness = (page: Page) =>
  page.locator('openapi-explorer [part=section-main-content]').evaluate((text) => {
    let at: Element | null = text
    while (at) {
      const [red = 0, green = 0, blue = 0, alpha = 1] = [
        ...getComputedStyle(at).backgroundColor.matchAll(/[\d.]+/g),
      ].map(Number)
      if (alpha > 0) return (red + green + blue) / 3
      const root: Node = at.getRootNode()
      at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
    }
    return 255
  })

describe('the page of the API description', () => {
  it.each([
    ['light', desktop],
    ['dark', desktop],
    ['light', phone],
    ['dark', phone],
  ] as const)('shows the calls, %s, without network and within its policy (%o)', async (colorScheme, size) => {
    await using visitor = await aVisitor(browser, { colorScheme, size })
    const { page, errors } = visitor
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${shop.url}/wp-json/docs`)
    await page.getByText('List images').first().waitFor({ state: 'attached' })
    await page.locator('[part=label-overview-title]', { hasText: 'Test shop' }).waitFor()
    expect(asked.filter((url) => new URL(url).origin !== shop.url)).toEqual([])
    expect(asked.some((url) => url.endsWith('/wp-json/openapi.json'))).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    if (colorScheme === 'dark') expect(await brightness(page)).toBeLessThan(80)
    else expect(await brightness(page)).toBeGreaterThan(200)
    expect(errors).toEqual([])
  })

  it('leads to the description without scripts', async () => {
    await using visitor = await aVisitor(browser, { javaScriptEnabled: false })
    await visitor.page.goto(`${shop.url}/wp-json/docs`)
    const link = visitor.page.getByRole('link', { name: 'OpenAPI 3.1' })
    expect(await link.getAttribute('href')).toBe('/wp-json/openapi.json')
  })
})
