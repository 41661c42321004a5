import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { chromiumPath } from '#tests/support/browser/chromium.ts'
import { browserFlags } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const settings = { currencies: [{ code: 'EUR', rate: '0.9' }], languages: [{ tag: 'de-DE' }] }
  shop = await aShop({ wallet: false, settings })
  browser = await chromium.launch({
    executablePath: chromiumPath() ?? '',
    headless: true,
    args: [...browserFlags],
    // Pages are kept in memory as visitors' browsers keep them.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const firstPrice = (page: Page) => page.locator('ul.products .woocommerce-Price-amount').first().textContent()
const chooseIn = (page: Page, code: string) =>
  page.evaluate(async (code) => {
    const body = new URLSearchParams({ currency: code })
    await fetch('/currency/', { method: 'POST', body, redirect: 'manual' })
  }, code)
/** Marks the document: another one in its place does not have it. */
const mark = (page: Page) => page.evaluate(() => document.body.setAttribute('data-first', ''))
const isMarked = (page: Page) => page.evaluate(() => document.body.hasAttribute('data-first'))
const show = (page: Page, persisted: boolean) =>
  page.evaluate((persisted) => {
    if (persisted) dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
    else document.dispatchEvent(new Event('visibilitychange'))
  }, persisted)

describe('a page that is seen again and that nobody has touched', () => {
  it('CUR-03 is in the currency that was chosen on the next one, when the visitor goes back', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    expect(await firstPrice(page)).toContain('$')
    await page.goto('/product/plain-mug/')
    await chooseIn(page, 'EUR')
    await page.goBack({ waitUntil: 'commit' })
    await expect.poll(() => firstPrice(page)).toContain('€')
    await chooseIn(page, 'USD')
    await page.goForward({ waitUntil: 'commit' })
    await expect.poll(() => page.locator('.summary .price').first().textContent()).toContain('$')
    expect(visitor.errors).toEqual([])
  })

  it.each([
    ['comes back out of the browser’s memory', true],
    ['comes to the front of its window', false],
  ])('CUR-03 follows what was chosen in another tab when it %s', async (_, persisted) => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await mark(page)
    await show(page, persisted)
    expect(await isMarked(page)).toBe(true)
    const other = await page.context().newPage()
    await other.goto('/product/plain-mug/')
    await chooseIn(other, 'EUR')
    await show(page, persisted)
    await expect.poll(() => firstPrice(page)).toContain('€')
    expect(visitor.errors).toEqual([])
  })

  it.each([
    ['comes back out of the browser’s memory', true],
    ['comes to the front of its window', false],
  ])('ADD-05 shows what was put into the cart meanwhile when it %s', async (_, persisted) => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    expect(await page.locator('.cart-count').first().textContent()).not.toMatch(/[1-9]/)
    // Another device of the same customer, or a tab whose news did not come through.
    await page.context().request.post(`${shop.url}/?wc-ajax=add_to_cart`, {
      form: { product_id: '1', quantity: '1' },
      headers: { origin: shop.url },
    })
    await page.context().request.post(`${shop.url}/?wc-ajax=get_refreshed_fragments`, { headers: { origin: shop.url } })
    await show(page, persisted)
    await expect.poll(() => page.locator('.cart-count').first().textContent()).toMatch(/1/)
    expect(visitor.errors).toEqual([])
  })

  it('CUR-03 has loaded nothing for that before', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    // A tab that has just been opened may still be hidden as its first page loads, and is then returned to.
    await page.goto('/')
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('visible')
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
    })
    const loaded = () => scripts.filter((path) => path.includes('refresh-on-return')).length
    await page.goto('/shop/')
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
    expect(loaded()).toBe(0)
    await show(page, false)
    await expect.poll(loaded).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})
