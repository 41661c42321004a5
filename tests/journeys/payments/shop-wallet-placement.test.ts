import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addFromListing, aShopper, logIn, providersBooks } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { buttonOf, hereIAm } from './fixtures/browsing.ts'

const on = { enabled: true }
let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      settings: {
        paypal: {
          sections: ['product', 'cart', 'minicart', 'checkout'],
          messages: { cart: on, checkout: on, minicart: on, product: on, shop: on },
        },
      },
    }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

describe('a shop with the wallet wherever a shopper browses', () => {
  it('MINI-04 MINI-05 pays the cart from beside a listing, under the provider’s own window', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const before = (await providersBooks(shop)).orders.length
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    await buttonOf(page, 'paypal').waitFor()
    const [wallet] = await Promise.all([page.waitForEvent('popup'), buttonOf(page, 'paypal').click()])
    await logIn(wallet, 'buyer@emulator.test')
    await wallet.getByRole('button', { name: /^(Pay|Continue)\b/ }).click()
    await page.waitForURL(/order-received|_ppcp_order_review/)
    expect((await providersBooks(shop)).orders).toHaveLength(before + 1)
    expect(visitor.errors).toEqual([])
  })

  it('LIST-04 LIST-05 MSG-01 tells on a listing, also of products that came by narrowing it', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await hereIAm(page)
    const shown = page.locator('.products .wc-ppcp-paylater-msg__container.is-shown')
    await expect.poll(() => shown.count()).toBeGreaterThan(0)
    await page.getByRole('combobox', { name: /order/i }).selectOption('price-desc')
    await page.waitForURL(/orderby=price-desc/)
    await expect.poll(() => shown.count()).toBeGreaterThan(0)
    expect(visitor.errors).toEqual([])
  })

  it('MSG-01 PROD-07 tells on product, cart and checkout', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const told = async (name: string) => {
      await hereIAm(page)
      await page.locator(`#wc-ppcp-paylater-msg-${name}`).scrollIntoViewIfNeeded()
      await page.locator(`#wc-ppcp-paylater-msg-${name}.is-shown`).waitFor()
    }
    await page.goto('/product/plain-mug/')
    await told('product')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.waitForLoadState()
    await page.goto('/cart/')
    await told('cart')
    await page.goto('/checkout/')
    await told('checkout')
    expect(visitor.errors).toEqual([])
  })
})
