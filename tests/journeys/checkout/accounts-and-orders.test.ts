import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import {
  aShopper,
  openWallet,
  payInWallet,
  placeOrder,
  putInCart,
  received,
  recordsOf,
  scriptsAreThere,
} from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const bacs = { enabled: true, accounts: [{ accountName: 'Fern Ltd', iban: 'DE02120300000000202051' }] }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { payments: { bacs } } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const box = (page: Page, name: RegExp) =>
  page.getByRole('form', { name: 'Checkout' }).getByRole('textbox', { name }).first()

async function fillAddress(page: Page, email: string): Promise<void> {
  for (const [name, value] of [
    [/^First name/, 'Ida'],
    [/^Last name/, 'Vale'],
    [/^Street address/, '1 Quay Street'],
    [/^Town/, 'Oakland'],
    [/^ZIP/, '94607'],
    [/^Phone/, '510 555 0100'],
    [/^Email/, email],
  ] as const) {
    await box(page, name).fill(value)
  }
  await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
}

async function cartFromListing(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await scriptsAreThere(page)
}

describe('accounts at the checkout', () => {
  it('CHK-09 the terms open above the box that agrees to them, are read by keyboard, and close again', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    await cartFromListing(page)
    const link = page.getByRole('link', { name: 'terms and conditions', exact: true })
    const text = page.getByRole('region', { name: 'terms and conditions' })
    expect(await text.count()).toBe(0)
    await link.click()
    await text.waitFor()
    expect(await link.getAttribute('aria-expanded')).toBe('true')
    const { height = 0 } = (await text.boundingBox()) ?? {}
    expect(Math.round(height)).toBeLessThanOrEqual(200)
    await text.focus()
    expect(await text.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await violations(page)).toEqual([])
    await link.click()
    await text.waitFor({ state: 'hidden' })
    expect([await link.getAttribute('aria-expanded'), page.url().endsWith('/checkout/')]).toEqual(['false', true])
  })

  it('CHK-01 CHK-10 an account is opened with an order, and its owner logs in at the next one', async () => {
    await using visitor = await aShopper(browser, shop, { size: phone })
    const { page } = visitor
    const email = `ida-${Date.now()}@example.test`
    await cartFromListing(page)
    await fillAddress(page, email)
    expect(await page.getByLabel('Create account password').isVisible()).toBe(false)
    await page.getByRole('checkbox', { name: 'Create an account?' }).check()
    await page.getByRole('radio', { name: 'Direct bank transfer' }).check()
    await placeOrder(page).click()
    await page.getByRole('link', { name: /Account password/ }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Create account password').fill(goodPassword)
    await placeOrder(page).click()
    const order = await received(page)
    await page.getByText('DE02120300000000202051').waitFor()
    expect(await violations(page)).toEqual([])
    expect((await recordsOf(shop, order)).order).toMatchObject({ status: 'on-hold', payment_method: 'bacs' })

    await page.context().clearCookies()
    await cartFromListing(page)
    await page.getByRole('button', { name: 'Click here to log in' }).click()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Username or email address').fill(email)
    await page.getByRole('textbox', { name: /^Password/ }).fill(goodPassword)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    // The same address, made anew.
    await page.getByText('Returning customer?').waitFor({ state: 'detached' })
    await box(page, /^First name/).waitFor()
    expect(await box(page, /^Street address/).inputValue()).toBe('1 Quay Street')
    expect(await page.getByRole('checkbox', { name: 'Create an account?' }).count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('CHK-10 F34 without scripts the form to log in is open, and an account is opened all the same', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await page.goto('/shop/')
    await page.getByRole('main').getByRole('list').getByLabel('Add to cart: “Plain mug”').click()
    await page.goto('/checkout/')
    expect(await page.getByLabel('Username or email address').isVisible()).toBe(true)
    await fillAddress(page, `may-${Date.now()}@example.test`)
    await page.getByRole('checkbox', { name: 'Create an account?' }).check()
    await page.getByLabel('Create account password').fill(goodPassword)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    const order = await received(page)
    expect((await recordsOf(shop, order)).order?.customer_id).not.toBeNull()
    await page.goto('/my-account/orders/')
    await page.getByText(String(order)).first().waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('CHK-10 what was typed, and the wish for an account, survive a reload', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await cartFromListing(page)
    await page.getByRole('checkbox', { name: 'Create an account?' }).check()
    await box(page, /^First name/).fill('Zoe')
    await page.getByLabel(/^Order notes/).fill('Ring twice')
    const refreshed = page.waitForResponse(/update_order_review/)
    await box(page, /^ZIP/).pressSequentially('94607')
    await box(page, /^Street address/).pressSequentially('1 Pier')
    await box(page, /^Town/).pressSequentially('Oakland')
    await refreshed
    await page.reload()
    expect(await box(page, /^First name/).inputValue()).toBe('Zoe')
    expect(await page.getByLabel(/^Order notes/).inputValue()).toBe('Ring twice')
    expect(await page.getByRole('checkbox', { name: 'Create an account?' }).isChecked()).toBe(true)
  })
})

describe('an order that was placed before', () => {
  /** An order that its shopper left before paying. */
  async function unpaid(page: Page, email: string): Promise<{ id: number; path: string }> {
    await cartFromListing(page)
    await fillAddress(page, email)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    const id = await received(page)
    const [row] = await shop.db.sql<{ key: string }[]>`
      update orders set status = 'failed', payment_state = 'failed', stock_reduced = false where id = ${id} returning key`
    return { id, path: urls.orderPay(id, row?.key ?? '') }
  }

  it('CHK-13 FLOW-11 is paid by wallet from its own page, by keyboard as well, and axe finds nothing', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const { id, path } = await unpaid(page, 'eve@example.test')
    await page.goto(path)
    expect(await violations(page)).toEqual([])
    await page.getByRole('radio', { name: 'Cash on delivery' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await page.getByRole('radio', { name: 'PayPal' }).isChecked()).toBe(true)
    await page.getByRole('checkbox', { name: /I have read and agree/ }).focus()
    await page.keyboard.press('Space')
    const wallet = await openWallet(page)
    expect(await payInWallet(page, wallet)).toBe(id)
    expect((await recordsOf(shop, id)).order).toMatchObject({ status: 'processing', payment_state: 'paid' })
    await page.goto(path)
    await page.getByRole('alert').filter({ hasText: 'it cannot be paid for' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(visitor.errors).toEqual([])
  })

  it('CHK-13 F34 is paid without scripts', async () => {
    await using visitor = await aShopper(browser, shop)
    const { path, id } = await unpaid(visitor.page, 'kim@example.test')
    await using bare = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = bare
    await page.goto(path)
    await page.getByRole('radio', { name: 'Direct bank transfer' }).check()
    await page.getByRole('button', { name: 'Pay for order' }).click()
    await page.getByRole('alert').filter({ hasText: 'terms and conditions' }).waitFor()
    await page.getByRole('radio', { name: 'Direct bank transfer' }).check()
    await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
    await page.getByRole('button', { name: 'Pay for order' }).click()
    expect(await received(page)).toBe(id)
    expect((await recordsOf(shop, id)).order).toMatchObject({ status: 'on-hold', payment_method: 'bacs' })
  })
})
