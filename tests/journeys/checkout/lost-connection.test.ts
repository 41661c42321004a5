import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cut, lost } from '#tests/journeys/fixtures/network-cut.ts'
import { aShopper, cartLink, fillCheckout, placeOrder, putInCart, received } from '#tests/journeys/fixtures/shopper.ts'
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

// What the page would load while it is offline is a part less.
const aCustomer = () => aShopper(browser, shop, { expectedErrors: [...lost, /dynamically imported module/] })
const offline = (page: Page) => page.getByText('You are offline.')

async function withMug(page: Page, path: string): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

async function readyToOrder(page: Page): Promise<void> {
  await withMug(page, '/checkout/')
  await fillCheckout(page)
  await page.getByRole('radio', { name: 'Cash on delivery' }).check()
}

describe('a phone without connection', () => {
  it('F21 at S10 P1 that lost it while the order was answered goes on to the confirmation once it is back', async () => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await readyToOrder(page)
    await page.route('**/?wc-ajax=checkout', async (route) => {
      const response = await route.fetch()
      await page.context().setOffline(true)
      await route.fulfill({ response })
    })
    await placeOrder(page).click()
    await offline(page).waitFor()
    await page.context().setOffline(false)
    const order = await received(page)
    await page.getByText(`Order number: ${order}`).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F21 at S10 P1 finds the order whose answer was lost beside the empty cart, for an hour', async () => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await readyToOrder(page)
    await cut(page, /wc-ajax=checkout/, 'after')
    await placeOrder(page).click()
    await page.getByRole('alert').first().waitFor()
    await page.reload()
    await page.waitForURL('**/cart/')
    await page.getByText(/^Thank you for your order \d+/).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'View your order' }).click()
    const order = await received(page)
    await shop.db.sql`update orders set created_at = created_at - interval '61 minutes' where id = ${order}`
    await page.goto('/cart/')
    await page.getByText('Your cart is currently empty.').waitFor()
    expect(await page.getByText('Thank you for your order').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('SHIP-01 F21 at S4 that chose other shipping meanwhile shows its total once it is back', async () => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await withMug(page, '/cart/')
    await page.context().setOffline(true)
    await page.getByRole('radio', { name: /Express/ }).check()
    await offline(page).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('row', { name: /^Total \$27\.87/ }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('MINI-03 F21 at S2 gives a line of the mini cart back that could not be removed', async () => {
    await using visitor = await aCustomer()
    const { page } = visitor
    await withMug(page, '/shop/')
    await cartLink(page, 1).click()
    const remove = page
      .getByRole('dialog', { name: 'Cart' })
      .getByRole('button', { name: 'Remove Plain mug from cart' })
    // What opens the cart is loaded first.
    await remove.waitFor()
    await page.context().setOffline(true)
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('remove_from_cart'))
    await remove.click()
    await failed
    // Until it is given back: what comes before that is answered to by the network that has come back.
    await page.locator('.mini_cart_item:not([aria-busy])').waitFor()
    await offline(page).waitFor()
    await page.context().setOffline(false)
    await remove.click()
    await cartLink(page, 0).waitFor()
    expect(visitor.errors).toEqual([])
  })
})
