import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper, fillCheckout, payByRedirect, putInCart, scriptsAreThere } from '#tests/journeys/fixtures/shopper.ts'
import { settled } from '#tests/support/browser/page-time.ts'
import { aBrowser } from '#tests/support/browser.ts'
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

const lost = [/Failed to load resource/, /the payment script did not load/]

async function checkoutWithMug(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await scriptsAreThere(page)
  await fillCheckout(page)
  await page.getByRole('row', { name: /^Total \$19\.77/ }).waitFor()
}

/** What a browser tells a page that it takes out of its memory. */
const takenFromMemory = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

describe('a checkout that is come back to', () => {
  it('F20 P1 from the wallet, out of the browser’s memory, can be used again and goes on with the same order', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    await page.route(/\/sdk\/js/, (route) => route.abort('blockedbyclient'))
    await checkoutWithMug(page)
    await page.getByRole('radio', { name: 'PayPal' }).check()
    // The page stays where it is, as it would be found again.
    await page.route(/checkoutnow/, (route) => route.fulfill({ status: 204 }))
    const left = page.waitForRequest(/checkoutnow/)
    await page.locator('#place_order').click()
    const first = new URL((await left).url()).searchParams.get('token')
    const form = page.getByRole('form', { name: 'Checkout' })
    await settled(page)
    expect(await form.getAttribute('aria-busy')).toBe('true')

    await page.unroute(/checkoutnow/)
    const asked = page.waitForRequest(/update_order_review/)
    await takenFromMemory(page)
    await asked
    await expect.poll(() => form.getAttribute('aria-busy')).toBeNull()
    expect(await page.locator('#billing_first_name').inputValue()).toBe('Grace')
    await page.locator('#place_order').click()
    await page.waitForURL(/checkoutnow/)
    expect(new URL(page.url()).searchParams.get('token')).toBe(first)
    await payByRedirect(page)
    expect(visitor.errors).toEqual([])
  })
})
