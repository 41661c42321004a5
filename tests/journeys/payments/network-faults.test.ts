import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cut, lost, type Moment, moments } from '#tests/journeys/fixtures/network-cut.ts'
import {
  agree,
  aShopper,
  fillCheckout,
  logIn,
  openWallet,
  payInWallet,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { theSale } from '#tests/support/payments/bookkeeping.ts'
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

const aCustomer = () => aShopper(browser, shop, { expectedErrors: lost })

async function withMug(page: Page, path: string): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto(path)
  // The page's scripts come after it: what is pressed before they are there is the form's own business.
  await page.waitForLoadState('networkidle')
}

const completed = ({ captures }: { captures: { status: string }[] }) =>
  captures.filter(({ status }) => status === 'COMPLETED').length

/** The one order there is, of a mug of 12.00 with California's 7.25 % and 6.90 to send it: paid once, and known to the provider under one number. */
async function expectOneCapture(order: number): Promise<void> {
  const records = await recordsOf(shop, order)
  expect(records.order).toMatchObject({ payment_state: 'paid', total: 1977 })
  expect(records.captures).toMatchObject([{ amount: 1977 }])
  const [{ count } = { count: 0 }] = await shop.db.sql<{ count: number }[]>`
    select count(*)::int as count from orders where session_id = ${records.order?.session_id} and id <> ${order}`
  expect(count).toBe(0)
  const books = await providersBooks(shop, order)
  expect([books.orders.length, completed(books)]).toEqual([1, 1])
}

/**
 * Cuts the network on the way back from the provider, which is a redirect of what its page has sent.
 * @returns the address of the way back, once the network was cut
 */
async function cutReturn(page: Page, moment: Moment): Promise<{ address: Promise<string> }> {
  const { promise: address, resolve } = Promise.withResolvers<string>()
  await page.route(
    ({ origin }) => origin === shop.emulator?.url,
    async (route) => {
      const answer = await route.fetch({ maxRedirects: 0 })
      const { location = '' } = answer.headers()
      if (!location.includes('wallet-return')) return route.fulfill({ response: answer })
      const returned = moment === 'before' ? undefined : page.request.get(location, { maxRedirects: 0 })
      if (moment === 'after') await returned
      await route.abort('connectionreset')
      await returned
      resolve(location)
    },
  )
  return { address }
}

describe('a network that is cut under the wallet', () => {
  it.each(moments)(
    'M5 F21 at S5 and S6 P1 %s the wallet order is opened: the next press opens the same',
    async (moment) => {
      await using visitor = await aCustomer()
      const { page } = visitor
      await withMug(page, '/checkout/')
      await fillCheckout(page)
      await cut(page, /wc-ppcp\/v1\/cart\/order/, moment)
      const first = await openWallet(page)
      await page
        .getByRole('alert')
        .filter({ hasText: /could not be reached|try again/i })
        .waitFor()
      await expect.poll(() => first.isClosed()).toBe(true)
      await expect.poll(() => page.locator('.wc-ppcp-wallet').getAttribute('data-phase')).toBe('idle')
      await expectOneCapture(await payInWallet(page, await openWallet(page)))
      expect(visitor.errors).toEqual([])
    },
  )

  it.each(moments)(
    'M5 F21 at S7 P1 %s the buyer agrees: agreeing again, or what arrived, pays once',
    async (moment) => {
      await using visitor = await aCustomer()
      const { page } = visitor
      await withMug(page, '/checkout/')
      await fillCheckout(page)
      const wallet = await openWallet(page)
      await logIn(wallet, 'buyer@emulator.test')
      await agree(wallet).waitFor()
      const address = wallet.url()
      await cut(wallet, /./, moment)
      await agree(wallet).click({ noWaitAfter: true })
      await expect.poll(() => wallet.isClosed() || wallet.url() !== address).toBe(true)
      await wallet.close()
      await expect.poll(() => page.locator('.wc-ppcp-wallet').getAttribute('data-phase')).toBe('idle')
      await expectOneCapture(await payInWallet(page, await openWallet(page)))
    },
  )

  it.each(moments)(
    'M5 F21 at S10 to S13 P1 P2 %s the approved order is handed over: it is paid, told and out of the cart once',
    async (moment) => {
      await using visitor = await aCustomer()
      const { page } = visitor
      await withMug(page, '/checkout/')
      await fillCheckout(page)
      const wallet = await openWallet(page)
      await cut(page, /wc-ppcp\/v1\/cart\/checkout/, moment)
      await logIn(wallet, 'buyer@emulator.test')
      await agree(wallet).click()
      const order = await received(page)
      await expectOneCapture(order)
      await theSale(shop, order)
      await page.goto('/cart/')
      await page.getByText('Your cart is currently empty.').waitFor()
      expect(visitor.errors).toEqual([])
    },
  )

  it.each(moments)(
    'M5 F21 at S9 P1 P2 %s the shopper returns by redirect: loading it again shows the paid order',
    async (moment) => {
      await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false, expectedErrors: lost })
      const { page } = visitor
      await page.goto('/shop/')
      await page.getByRole('main').getByLabel('Add to cart: “Plain mug”').click()
      await page.goto('/checkout/')
      await fillCheckout(page)
      await page.getByRole('radio', { name: /PayPal/ }).check()
      await placeOrder(page).click()
      await page.waitForURL(/checkoutnow/)
      await logIn(page, 'buyer@emulator.test')
      const back = await cutReturn(page, moment)
      await agree(page).click({ noWaitAfter: true })
      const address = await back.address
      await expect.poll(() => page.goto(address).then(Boolean, () => false), { timeout: 15_000 }).toBe(true)
      await expectOneCapture(await received(page))
    },
  )

  it.each(moments)(
    'M5 F21 at S14 P2 %s the confirmation is shown: loading it again shows the paid order',
    async (moment) => {
      await using visitor = await aCustomer()
      const { page } = visitor
      await withMug(page, '/checkout/')
      await fillCheckout(page)
      const wallet = await openWallet(page)
      await cut(page, /order-received/, moment)
      const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('order-received'))
      await logIn(wallet, 'buyer@emulator.test')
      await agree(wallet).click()
      const address = (await failed).url()
      // The navigation that was cut may still be ending: then this one is called off, and the shopper tries again.
      const loaded = () =>
        page.goto(address).then(
          () => true,
          () => false,
        )
      await expect.poll(loaded, { timeout: 15_000 }).toBe(true)
      await expectOneCapture(await received(page))
    },
  )
})
