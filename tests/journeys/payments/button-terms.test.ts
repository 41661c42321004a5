import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addFromListing, aShopper } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { buttonOf, hereIAm } from './fixtures/browsing.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { paypal: { sections: ['product', 'cart', 'minicart', 'checkout', 'express'] } } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const sentence = 'By paying you agree to the terms and conditions.'
const note = (page: Page) => page.locator('.wallet-terms:visible', { hasText: sentence })

/** The sentence ends where the buttons begin, and is as wide as they are at most. */
async function standsAboveButton(page: Page): Promise<void> {
  const [words, button] = await Promise.all([note(page).last().boundingBox(), buttonOf(page, 'paypal').boundingBox()])
  if (!words || !button) throw new Error('sentence or button is not shown')
  expect(words.y + words.height).toBeLessThanOrEqual(button.y)
  expect(button.y - (words.y + words.height)).toBeLessThan(80)
}

describe('a button that buys without the checkout form', () => {
  it('MINI-04 MINI-05 has the terms above it in the mini cart, also after the cart has changed, and the order records them', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    await buttonOf(page, 'paypal').waitFor()
    expect(await note(page).count()).toBe(1)
    await standsAboveButton(page)
    expect(await note(page).getByRole('link').getAttribute('href')).toBe('/terms/')
    // Fragments bring the mini cart's markup anew.
    await Promise.all([
      page.waitForResponse(/get_refreshed_fragments/),
      page.evaluate(() => document.body.dispatchEvent(new CustomEvent('wc_fragment_refresh', { bubbles: true }))),
    ])
    await buttonOf(page, 'paypal').waitFor()
    expect(await note(page).count()).toBe(1)
    await Promise.all([page.waitForEvent('popup'), buttonOf(page, 'paypal').click()])
    const shown = await note(page).getAttribute('data-terms-version')
    await expect
      .poll(async () => (await shop.db.sql`select terms ->> 'version' as version from orders`).at(-1)?.version)
      .toBe(shown)
    expect(visitor.errors).toEqual([])
  })

  it('BTN-02 has the terms above it on product, cart and express checkout', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await hereIAm(page)
    await buttonOf(page, 'paypal').waitFor()
    await standsAboveButton(page)
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.waitForLoadState()
    await page.goto('/cart/')
    await hereIAm(page)
    await buttonOf(page, 'paypal').waitFor()
    await standsAboveButton(page)
    await page.goto('/checkout/')
    await hereIAm(page)
    const express = page.locator('.express-checkout')
    await express.locator('.wc-ppcp-wallet__button iframe').first().waitFor()
    const [words, buttons] = await Promise.all([
      express.locator('.wallet-terms').boundingBox(),
      express.locator('.wc-ppcp-wallet__buttons').boundingBox(),
    ])
    if (!words || !buttons) throw new Error('the express checkout lacks its sentence or its buttons')
    expect(words.y + words.height).toBeLessThanOrEqual(buttons.y)
    expect(visitor.errors).toEqual([])
  })
})
