import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { addFromListing, aShopper, cartLink, placeOrder } from '../fixtures/shopper.ts'
import { heard, listenTo } from './instruments/listener.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false })])
  await shop.db
    .sql`insert into coupons ${shop.db.sql({ code: 'five', type: 'fixed_cart', amount_minor: 500, used: 0, settings: shop.db.sql.json({}) })}`
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

it('whatever a visitor does is said once, and nothing else is', async () => {
  await using visitor = await aShopper(browser, shop)
  const { page } = visitor
  await listenTo(page)

  await page.goto(urls.shop())
  await heard(page)
  await addFromListing(page, 'Plain mug')
  expect(await heard(page), 'added to the cart').toEqual(['“Plain mug” has been added to your cart'])
  await addFromListing(page, 'Soup bowl')
  await heard(page)
  await cartLink(page, 2).click()
  const drawer = page.getByRole('dialog', { name: 'Cart' })
  await drawer.getByText('Subtotal').waitFor()
  expect(await heard(page), 'the mini cart opened').toEqual([])
  await drawer.getByRole('button', { name: /^Remove Soup bowl/ }).click()
  await drawer.getByRole('button', { name: /^Remove Soup bowl/ }).waitFor({ state: 'detached' })
  expect(await heard(page), 'removed from the mini cart').toEqual(['“Soup bowl” has been removed from your cart'])

  await page.goto(urls.shop())
  await heard(page)
  await page.getByRole('combobox', { name: /order/i }).selectOption('price')
  await page.waitForURL(/orderby=price/)
  expect(await heard(page), 'sorted').toEqual([expect.stringMatching(/results/)])

  await page.goto('/product/plain-mug/')
  await heard(page)
  await page.getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
  expect(await heard(page), 'one more').toEqual(['2'])

  await page.goto(urls.cart())
  await heard(page)
  await page.getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
  expect(await heard(page), 'one more in the cart').toEqual(['2'])
  await page.getByRole('button', { name: 'Update cart' }).click()
  await page.getByRole('alert').filter({ hasText: 'Cart updated' }).waitFor()
  expect(await heard(page), 'cart updated').toEqual(['Cart updated.'])
  await page.getByPlaceholder('Coupon code').fill('nope')
  await page.getByRole('button', { name: 'Apply coupon' }).click()
  await page.locator('.coupon-error-notice').waitFor()
  expect(await heard(page), 'coupon refused').toEqual([expect.stringContaining('nope')])
  await page.getByPlaceholder('Coupon code').fill('five')
  await page.getByRole('button', { name: 'Apply coupon' }).click()
  await page.locator('.cart-discount').waitFor()
  expect(await heard(page), 'coupon applied').toEqual([expect.stringMatching(/coupon/i)])

  await page.getByRole('radio', { name: /^Express/ }).check()
  expect(await heard(page), 'another shipping method').toEqual([expect.stringMatching(/^Total \$[\d.]+$/)])

  await page.goto(urls.checkout())
  await page.locator('.select2-selection').first().waitFor()
  await heard(page)
  await page.locator('#billing_email').fill('nobody@')
  await page.locator('#billing_email').blur()
  expect(await heard(page), 'field left').toEqual([])
  await page.getByRole('radio', { name: /^(?!Express).*\$/ }).check()
  expect(await heard(page), 'another shipping method').toEqual([expect.stringMatching(/^Total \$[\d.]+$/)])
  await placeOrder(page).click()
  await page.getByRole('alert').filter({ hasText: 'First name' }).waitFor()
  expect(await heard(page), 'checkout refused').toEqual([expect.stringContaining('First name')])
  expect(visitor.errors).toEqual([])
})
