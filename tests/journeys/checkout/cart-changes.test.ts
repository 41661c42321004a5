import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addFromListing,
  aShopper,
  cartLink,
  fillCheckout,
  placeOrder,
  putInCart,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
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

const reviewRow = (page: Page, product: string) =>
  page.getByRole('table').getByRole('row').filter({ hasText: product }).first()

/** The checkout with a mug of 12.00, and how often it has asked for totals since. */
async function checkoutWithMug(page: Page): Promise<{ asked(): number }> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await fillCheckout(page)
  await page.getByRole('row', { name: /^Total \$19\.77/ }).waitFor()
  await page.waitForLoadState('networkidle')
  let count = 0
  page.on('request', (request) => {
    if (request.url().includes('update_order_review')) count += 1
  })
  return { asked: () => count }
}

async function anotherMugElsewhere(page: Page): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto('/shop/')
  await addFromListing(other, 'Plain mug')
  return other
}

/** What the browser says of a tab behind another one. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

describe('an open checkout', () => {
  it('F19 P5 shows what another tab has added, once, and takes neither the focus nor what is typed', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const { asked } = await checkoutWithMug(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    const notes = page.getByRole('textbox', { name: /^Order notes/ })
    await notes.pressSequentially('Ring tw')
    await anotherMugElsewhere(page)
    await reviewRow(page, 'Plain mug').filter({ hasText: '× 2' }).waitFor()
    await page.getByRole('row', { name: /^Total \$32\.64/ }).waitFor()
    await cartLink(page, 2).waitFor()
    expect(asked()).toBe(1)
    await page.keyboard.type('ice')
    expect(await notes.inputValue()).toBe('Ring twice')
    expect(await page.getByRole('radio', { name: 'Cash on delivery' }).isChecked()).toBe(true)
    // Nothing but the question of the mini cart.
    await page.evaluate(() => document.body.dispatchEvent(new Event('wc_fragment_refresh')))
    await page.waitForLoadState('networkidle')
    expect(asked()).toBe(1)
    await placeOrder(page).click()
    expect((await recordsOf(shop, await received(page))).order).toMatchObject({ total: 3264 })
    expect(visitor.errors).toEqual([])
  })

  it('F19 P5 shows it as well where the mini cart has come before the scripts of the checkout', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.route(/assets\/checkout-.*\.js/, async (route) => {
      await page.locator('.cart-count', { hasText: '1' }).first().waitFor({ state: 'attached' })
      await settled(page)
      await route.continue()
    })
    await checkoutWithMug(page)
    await anotherMugElsewhere(page)
    await page.getByRole('row', { name: /^Total \$32\.64/ }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F19 P5 behind another tab asks for nothing before it is looked at again', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const { asked } = await checkoutWithMug(page)
    await setHidden(page, true)
    const other = await anotherMugElsewhere(page)
    await other.reload()
    await cartLink(page, 2).waitFor()
    expect(asked()).toBe(0)
    await setHidden(page, false)
    await page.getByRole('row', { name: /^Total \$32\.64/ }).waitFor()
    expect(asked()).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})
