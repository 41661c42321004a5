import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  addByLink,
  aShopper,
  fillCheckout,
  grace,
  placeOrder,
  putInCart,
  received,
  scriptsAreThere,
} from '#tests/journeys/fixtures/shopper.ts'
import { refuseWrites, takeWrites } from '#tests/recovery/fixtures/write-refusals.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { payments: { cod: { enabled: true } } } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})
afterEach(() => takeWrites(shop.db))

/** As a disk that is full: what a shop does about it is the same for all that keep it from writing. */
const full = '53100'

async function expectStillFilled(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Checkout' })
  await expect
    .poll(() =>
      form
        .getByRole('textbox', { name: /^Email/ })
        .first()
        .inputValue(),
    )
    .toBe(grace.email)
  expect(
    await form
      .getByRole('textbox', { name: /^Street address/ })
      .first()
      .inputValue(),
  ).toBe(grace.street)
  expect(await form.getByRole('checkbox', { name: /I have read and agree/ }).isChecked()).toBe(true)
}

async function ordersPlaced(): Promise<number> {
  return (await shop.db.sql`select 1 from orders`).length
}

describe('a database that takes nothing', () => {
  it('F5 at S10 and S5: the checkout says so, keeps what was typed, and the same press works afterwards', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await scriptsAreThere(page)
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    const before = await ordersPlaced()
    await refuseWrites(shop.db, full)
    await placeOrder(page).click()
    await page.getByRole('alert').filter({ hasText: 'The shop is very busy right now.' }).first().waitFor()
    await expectStillFilled(page)
    expect(await ordersPlaced()).toBe(before)
    await takeWrites(shop.db)
    await placeOrder(page).click()
    await received(page)
    expect(await ordersPlaced()).toBe(before + 1)
  })

  it('F5 at S10 F34: without scripts a page says so, and the way back leads to what was typed', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    const before = await ordersPlaced()
    await refuseWrites(shop.db, full)
    const [answer] = await Promise.all([page.waitForResponse(/checkout/), placeOrder(page).click()])
    expect([answer.status(), answer.headers()['retry-after']]).toEqual([503, '5'])
    expect(await page.getByRole('main').innerText()).toMatch(/\w/)
    await takeWrites(shop.db)
    await page.goBack()
    await expectStillFilled(page)
    await placeOrder(page).click()
    await received(page)
    expect(await ordersPlaced()).toBe(before + 1)
  })
})
