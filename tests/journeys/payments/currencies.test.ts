import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import {
  addFromListing,
  agree,
  aShopper,
  fillCheckout,
  logIn,
  placeOrder,
  providersBooks,
  received,
} from '../fixtures/shopper.ts'
import { hereIAm } from './fixtures/browsing.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      settings: {
        currencies: [
          { code: 'EUR', rate: '0.9', rounding: { type: 'up', step: '1', subtract: '0.01' } },
          { code: 'JPY', rate: '165' },
          { code: 'GBP', rate: '0.8', checkout: false },
        ],
        exchange: { checkoutInShown: true },
        paypal: { sections: ['express', 'checkout', 'cart', 'product'], shippingCallback: 'browser' },
      },
    }),
  ])
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

const choose = (page: Page, currency: string) => page.goto(`/shop/?currency=${currency}`)

async function withMug(page: Page, currency: string, path: string): Promise<void> {
  await choose(page, currency)
  await addFromListing(page, 'Plain mug')
  await page.goto(path)
  await hereIAm(page)
}

const walletButton = (page: Page, place: string) =>
  page.locator(place).frameLocator('[data-funding=paypal] iframe').getByRole('button')

async function opened(page: Page, place: string): Promise<Page> {
  // Where its buttons are seen they are loaded.
  await page.locator(place).locator('[data-funding=paypal]').scrollIntoViewIfNeeded()
  await walletButton(page, place).waitFor()
  const [wallet] = await Promise.all([page.waitForEvent('popup'), walletButton(page, place).click()])
  return wallet
}

const shown = (wallet: Page) => wallet.locator('main').innerText()
const total = async (page: Page) => (await page.locator('.order-total td').innerText()).replace(/\s+/g, ' ')

async function lastOrder() {
  const [order] = await shop.db.sql<{ currency: string; total: number; payment_state: string }[]>`
    select currency, total, payment_state from orders order by id desc limit 1`
  return order
}
/** What the provider has taken, by its own books and ours. */
const captured = async () => {
  const { captures } = await providersBooks(shop)
  const rows = await shop.db.sql<
    { currency: string }[]
  >`select currency from captures order by captured_at desc limit 1`
  return `${captures.at(-1)?.amount.value} ${rows[0]?.currency}`
}

describe('buying in another currency', () => {
  it('CUR-07 BTN-01 the wallet on the cart asks for what the cart shows, in its currency', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await withMug(page, 'EUR', '/cart/')
    // 11 euros less a cent for the mug, 7.25 % of California on it, and 6.21 to send it.
    expect(await total(page)).toContain('€18.00')
    const wallet = await opened(page, '.wc-ppcp-cart-payments__container')
    await logIn(wallet, 'buyer@emulator.test')
    await expect.poll(() => shown(wallet), { timeout: 15_000 }).toContain('18.00')
    await agree(wallet).click()
    const id = await received(page)
    expect(await page.getByRole('main').innerText()).toContain('€18.00')
    const [order] = await shop.db.sql`select currency, total, base_total from orders where id = ${id}`
    expect(order).toEqual({ currency: 'EUR', total: 1800, base_total: 2000 })
    expect(await captured()).toBe('18.00 EUR')
    expect(visitor.errors).toEqual([])
  })

  it('CUR-07 is told before paying where the shop’s own is charged, on a phone as well', async () => {
    await using visitor = await aShopper(browser, shop, { ...phone, colorScheme: 'dark' })
    const { page } = visitor
    await withMug(page, 'GBP', '/cart/')
    await page.getByText('Prices in GBP are approximate. You pay in USD: $19.77.').waitFor()
    const switcher = page.locator('.currency-switcher').first()
    await switcher.getByText('GBP').first().waitFor()
    const guide = (await total(page)).trim().split(/\s/)[0] ?? ''
    expect(guide).toMatch(/^£\d/)
    expect(await violations(page)).toEqual([])

    await page.goto('/checkout/')
    await fillCheckout(page)
    // The review is worked out anew for the address, and says both again.
    await expect.poll(() => total(page)).toContain('$19.77')
    await expect.poll(() => total(page)).toContain(`(~ approximately ${guide})`)
    await page.getByText('You pay in USD. Amounts in GBP are approximate.').waitFor()
    // The choice stays what it is, and the page as it was filled in.
    expect(await switcher.locator('[value=GBP]').getAttribute('class')).toContain('selected')
    expect(
      await page
        .getByRole('textbox', { name: /^First name/ })
        .first()
        .inputValue(),
    ).toBe('Grace')
    expect(await violations(page)).toEqual([])
    const width = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await width()).toBeLessThanOrEqual(0)

    await page.locator('#payment_method_cod').check()
    await expect.poll(() => placeOrder(page).isEnabled()).toBe(true)
    await placeOrder(page).click()
    await received(page)
    expect(await lastOrder()).toMatchObject({ currency: 'USD', total: 1977 })
    expect(visitor.errors).toEqual([])
  })

  it('CUR-07 another tab has chosen another one: nothing is charged, and the new total is shown first', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/Failed to load resource/, /./] })
    const { page } = visitor
    await withMug(page, 'EUR', '/cart/')
    await walletButton(page, '.wc-ppcp-cart-payments__container').waitFor()
    const before = await shop.db.sql`select from wallet_orders`
    const tab = await page.context().newPage()
    await choose(tab, 'JPY')
    await tab.close()

    await walletButton(page, '.wc-ppcp-cart-payments__container').click()
    await page.getByRole('alert').filter({ hasText: 'The total is now ¥3,263.' }).waitFor()
    await expect.poll(() => total(page)).toContain('¥3,263')
    expect(await shop.db.sql`select from wallet_orders`).toHaveLength(before.length)

    await hereIAm(page)
    const wallet = await opened(page, '.wc-ppcp-cart-payments__container')
    await logIn(wallet, 'buyer@emulator.test')
    await expect.poll(() => shown(wallet), { timeout: 15_000 }).toContain('¥3,263')
    await agree(wallet).click()
    await received(page)
    expect(await lastOrder()).toEqual({ currency: 'JPY', total: 3263, payment_state: 'paid' })
    expect(await captured()).toBe('3263 JPY')
  })
})
