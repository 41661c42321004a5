import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cut, lost, moments } from '#tests/journeys/fixtures/network-cut.ts'
import {
  aShopper,
  cartRow,
  fillCheckout,
  placeOrder,
  putInCart,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
  await shop.db.sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500)`
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const aCustomer = () => aShopper(browser, shop, { expectedErrors: lost })

async function withMug(page: Page, path: string): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto(path)
  // The page's scripts come after it: what is pressed before they are there is the form's own business.
  await page.waitForLoadState('networkidle')
}

/** A mug of 12.00 with California's 7.25 %, and 6.90 to send it; the express way costs 15.00. */
const total = (page: Page, shown: string) => page.getByRole('row', { name: new RegExp(`^Total \\${shown}`) })
const settled = (page: Page) => expect.poll(() => page.locator('.processing').count()).toBe(0)

describe('a network that is cut under the cart', () => {
  it.each(moments)('M5 F21 at S1 %s a product is added on its page: once, or not at all', async (moment) => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await page.waitForLoadState('networkidle')
    const lostRequest = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
    await cut(page, /\/product\/plain-mug\/|wc-ajax=add_to_cart/, moment)
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click({ noWaitAfter: true })
    await lostRequest
    // The browser is still on its way to its own page about the error.
    await expect.poll(() => page.goto('/cart/').then(Boolean, () => false), { timeout: 15_000 }).toBe(true)
    const row = cartRow(page, 'Plain mug')
    if (moment === 'before') await page.getByText('Your cart is currently empty.').waitFor()
    else expect(await row.getByRole('spinbutton').inputValue()).toBe('1')
  })

  it.each(moments)('M5 F21 at S2 %s a quantity is changed: the cart has it once and shows it', async (moment) => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await withMug(page, '/cart/')
    const row = cartRow(page, 'Plain mug')
    await row.getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
    await cut(page, /\/cart\/$/, moment)
    await page.getByRole('button', { name: 'Update cart' }).click()
    await row.getByRole('cell', { name: '$24.00' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Cart updated.' }).waitFor()
    await page.goto('/cart/')
    expect(await row.getByRole('spinbutton').inputValue()).toBe('2')
    expect(visitor.errors).toEqual([])
  })

  it.each(moments)(
    'M5 F21 at S3 %s a coupon is applied and removed: it counts once, then not at all',
    async (moment) => {
      await using visitor = await aCustomer()
      const { page } = visitor
      await withMug(page, '/cart/')
      await cut(page, /wc-ajax=apply_coupon/, moment)
      await page.getByLabel('Coupon:').fill('five')
      await page.getByRole('button', { name: 'Apply coupon' }).click()
      // 7.00 with its tax of 0.51, and 6.90 to send it.
      await total(page, '$14.41').waitFor()
      await page.getByRole('row', { name: /^Coupon: five/ }).waitFor()
      // Of two requests at once either may bring the words, so also the one that nobody hears.
      const told = page.getByText(/Coupon code applied successfully|already been applied/).first()
      if (moment !== 'during') await told.waitFor()
      await settled(page)
      await cut(page, /wc-ajax=remove_coupon/, moment)
      await page.getByLabel('Remove five coupon').click()
      await total(page, '$19.77').waitFor()
      await settled(page)
      expect(await page.getByRole('row', { name: /^Coupon: five/ }).count()).toBe(0)
      expect(visitor.errors).toEqual([])
    },
  )

  it.each(moments)('M5 F21 at S4 %s another shipping is chosen for the cart: its total is shown', async (moment) => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await withMug(page, '/cart/')
    await cut(page, /wc-ajax=update_shipping_method/, moment)
    await page.getByRole('radio', { name: /Express/ }).check()
    await total(page, '$27.87').waitFor()
    await page.goto('/cart/')
    await total(page, '$27.87').waitFor()
    expect(visitor.errors).toEqual([])
  })
})

describe('a network that is cut under the checkout', () => {
  it.each(moments)(
    'M5 F21 at S4 P5 %s the checkout works out another shipping: the order costs what is shown',
    async (moment) => {
      await using visitor = await aCustomer()
      const { page } = visitor
      await withMug(page, '/checkout/')
      await fillCheckout(page)
      await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      await total(page, '$19.77').waitFor()
      await cut(page, /wc-ajax=update_order_review/, moment)
      await page.getByRole('radio', { name: /Express/ }).check()
      await total(page, '$27.87').waitFor()
      await placeOrder(page).click()
      const { order } = await recordsOf(shop, await received(page))
      expect(order).toMatchObject({ total: 2787 })
      expect(visitor.errors).toEqual([])
    },
  )

  it.each(moments)('M5 F21 at S10 P1 %s an order is placed: there is one, and the shopper sees it', async (moment) => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await withMug(page, '/checkout/')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await cut(page, /wc-ajax=checkout/, moment)
    await placeOrder(page).click()
    await page.getByRole('alert').first().waitFor()
    expect(
      await page
        .getByRole('textbox', { name: /^First name/ })
        .first()
        .inputValue(),
    ).toBe('Grace')
    await placeOrder(page).click()
    const id = await received(page)
    const { order } = await recordsOf(shop, id)
    const orders = await shop.db.sql`select id from orders where session_id = ${order?.session_id}`
    expect(orders).toMatchObject([{ id }])
    expect(visitor.errors).toEqual([])
  })
})
