import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  agree,
  aShopper,
  cartRow,
  fillCheckout,
  logIn,
  openWallet,
  payInWallet,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
  scriptsAreThere,
  select,
} from '#tests/journeys/fixtures/shopper.ts'
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

async function checkoutWithMug(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await fillCheckout(page)
}

/** No tax is added there; the wallet says California. */
async function estimateForOregon(page: Page): Promise<void> {
  await scriptsAreThere(page)
  await page.getByRole('button', { name: 'Calculate shipping' }).click()
  // Where the shop is, as long as nothing else is known.
  expect(await select(page, 'Country / region').inputValue()).toBe('US')
  await select(page, 'State / County').selectOption({ label: 'Oregon' })
  await page.getByRole('textbox', { name: 'Postcode / ZIP' }).fill('97201')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await page.getByRole('row', { name: /^Total \$18\.90/ }).waitFor()
}

/** The provider may show the approval again in the same window or in a new one. */
async function reopened(page: Page, wallet: Page): Promise<Page> {
  const popup = page.waitForEvent('popup').catch(() => wallet)
  const sameWindow = wallet.waitForURL(/checkoutnow/, { waitUntil: 'commit' }).then(() => wallet)
  return Promise.race([popup, sameWindow.catch(() => popup)])
}

const paid = (books: { captures: { status: string }[] }) =>
  books.captures.filter(({ status }) => status === 'COMPLETED').length

describe('the wallet', () => {
  it('F12 P1 declined, and approved again with other money, pays the same order once', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    const wallet = await openWallet(page)
    await logIn(wallet, 'declined@emulator.test')
    await agree(wallet).waitFor()
    const [again] = await Promise.all([reopened(page, wallet), agree(wallet).click()])
    await page.getByRole('alert').filter({ hasText: 'The payment was declined' }).waitFor()
    if (await again.getByRole('textbox', { name: 'Email' }).isVisible()) await logIn(again, 'buyer@emulator.test')
    await agree(again).click()
    const order = await received(page)
    const records = await recordsOf(shop, order)
    expect(records.order).toMatchObject({ payment_state: 'paid', total: 1977 })
    expect(records.captures).toMatchObject([{ amount: 1977 }])
    expect(records.attempts.filter(({ step }) => step === 'create')).toHaveLength(1)
    const books = await providersBooks(shop, order)
    expect([books.orders.length, paid(books)]).toEqual([1, 1])
    expect(visitor.errors).toEqual([])
  })

  it('F22 at S7 closed by hand leaves the checkout as it was, and the next press pays', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    const wallet = await openWallet(page)
    await wallet.getByRole('textbox', { name: 'Email' }).waitFor()
    await wallet.close()
    await expect.poll(() => page.locator('.wc-ppcp-wallet').getAttribute('data-phase'), { timeout: 8000 }).toBe('idle')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(
      await page
        .getByRole('textbox', { name: /^First name/ })
        .first()
        .inputValue(),
    ).toBe('Grace')
    const order = await payInWallet(page, await openWallet(page))
    expect(paid(await providersBooks(shop, order))).toBe(1)
    expect(visitor.errors).toEqual([])
  })

  it('BTN-05 F22 at S7 cancelled by its link, cash on delivery still takes the order, and the wallet is charged nothing', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    const wallet = await openWallet(page)
    await wallet.getByRole('link', { name: /^Cancel and return/ }).click()
    await expect.poll(() => page.locator('.wc-ppcp-wallet').getAttribute('data-phase'), { timeout: 8000 }).toBe('idle')
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    const order = await received(page)
    const { order: row, captures } = await recordsOf(shop, order)
    expect(row).toMatchObject({ status: 'processing', payment_method: 'cod' })
    expect(captures).toEqual([])
    expect(paid(await providersBooks(shop, order))).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-13 NOTE-07 CHK-09 is not opened for a form with faults, which are told at their fields', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    await page.getByRole('textbox', { name: /^Email/ }).fill('nobody')
    const wallet = await openWallet(page)
    await page.getByRole('alert').filter({ hasText: /mail/i }).first().waitFor()
    await expect.poll(() => wallet.isClosed()).toBe(true)
    expect(await page.getByRole('textbox', { name: /^Email/ }).getAttribute('aria-invalid')).toBe('true')
    expect(visitor.errors.filter((text) => !text.includes('status of 400'))).toEqual([])
  })
})

/** The buyer agrees before the shop's answer to the wallet's address has come. */
async function answerTooLate(page: Page): Promise<void> {
  await page.route(/cart(\/|%2F)shipping/, () => {})
}

describe('an address from the wallet', () => {
  it('F12 P5 where the shop does not ship: the shopper is told, and nothing is charged', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await answerTooLate(page)
    const wallet = await openWallet(page)
    await logIn(wallet, 'abroad@emulator.test')
    const before = paid(await providersBooks(shop))
    await agree(wallet).click()
    await page.waitForURL('**/checkout/**')
    await page.getByText('We do not ship to the address from your wallet').waitFor()
    expect(paid(await providersBooks(shop))).toBe(before)
    expect(visitor.errors).toEqual([])
  })

  it('P5 CHK-06 with another total: shown for review first, then the new total is charged once', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.goto('/cart/')
    await estimateForOregon(page)
    await answerTooLate(page)

    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await wallet.getByText('$18.90').first().waitFor()
    await agree(wallet).click()
    await page.waitForURL('**/checkout/?_ppcp_order_review=**')
    await page.getByText('Your address has changed the total').waitFor()
    await page.getByRole('row', { name: /^Total \$19\.77/ }).waitFor()
    expect(
      await page
        .getByRole('textbox', { name: /^First name/ })
        .first()
        .inputValue(),
    ).toBe('Ada')
    await page.getByRole('textbox', { name: /^Phone/ }).fill('510 555 0100')
    await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
    await placeOrder(page).click()
    const order = await received(page)
    const records = await recordsOf(shop, order)
    expect(records.order).toMatchObject({ payment_state: 'paid', total: 1977 })
    expect(records.captures).toMatchObject([{ amount: 1977 }])
    const books = await providersBooks(shop, order)
    expect(books.captures).toMatchObject([{ status: 'COMPLETED', amount: { value: '19.77' } }])
    expect(visitor.errors).toEqual([])
  })

  it('CHK-06 a payment that waits for review can be taken back', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/cart/')
    await estimateForOregon(page)
    await answerTooLate(page)
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).click()
    await page.getByRole('link', { name: 'Cancel this payment' }).click()
    await page.getByText('The payment was canceled. Nothing was charged.').waitFor()
    await page.goto('/cart/')
    await cartRow(page, 'Plain mug').waitFor()
    expect(visitor.errors).toEqual([])
  })
})
