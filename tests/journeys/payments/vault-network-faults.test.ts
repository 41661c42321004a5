import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cut, lost, moments } from '#tests/journeys/fixtures/network-cut.ts'
import { aShopper, logIn } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { bringButton, buttonOf, hereIAm } from './fixtures/browsing.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { paypal: { sections: ['checkout', 'add_payment_method'], keep: true } } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function toKeeping(page: Page, email: string): Promise<void> {
  await page.goto('/my-account/')
  await page.locator('#reg_email').fill(email)
  await page.locator('#reg_password').fill(goodPassword)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: /^Hello, / }).waitFor()
  await page.goto('/my-account/add-payment-method/')
  await page.locator('#payment_method_ppcp').check()
  await hereIAm(page)
  await bringButton(page, 'paypal')
}

const press = async (page: Page) =>
  (await Promise.all([page.waitForEvent('popup'), buttonOf(page, 'paypal').click()]))[0]

async function agreeIn(wallet: Page): Promise<void> {
  await logIn(wallet, 'buyer@emulator.test')
  await wallet.locator('#payment-submit-btn').click()
}

const isIdle = (page: Page) =>
  expect.poll(() => page.locator('.wc-ppcp-wallet').getAttribute('data-phase'), { timeout: 20_000 }).toBe('idle')

/** The page of what is kept, with one wallet, and nothing charged for it. */
async function keptOnce(page: Page, email: string): Promise<void> {
  await page.waitForURL('**/my-account/payment-methods/')
  const kept = await shop.db.sql`
    select method, kind from payment_tokens join customers on customers.id = customer_id where email = ${email}`
  expect(kept).toEqual([{ method: 'ppcp', kind: 'wallet' }])
  const { captures } = (await shop.emulate('/ledger')) as { captures: unknown[] }
  expect(captures).toEqual([])
}

describe('a network that is cut while a wallet is kept', () => {
  it.each(moments)('M5 F21 at S15 %s keeping is begun: the next press begins it', async (moment) => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    const email = `begin-${moment}@example.test`
    await toKeeping(page, email)
    await cut(page, /wc-ppcp\/v1\/vault\/setup-tokens/, moment)
    const first = await press(page)
    await page
      .getByRole('alert')
      .filter({ hasText: /could not be reached|try again/i })
      .waitFor()
    await expect.poll(() => first.isClosed()).toBe(true)
    await isIdle(page)
    await agreeIn(await press(page))
    await keptOnce(page, email)
    expect(visitor.errors).toEqual([])
  })

  it.each(moments)('M5 F21 at S15 P1 %s what was agreed to is handed over: it is kept once', async (moment) => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    const email = `hand-${moment}@example.test`
    await toKeeping(page, email)
    await cut(page, /wc-ppcp\/v1\/vault\/payment-tokens/, moment)
    await agreeIn(await press(page))
    await keptOnce(page, email)
    expect(visitor.errors).toEqual([])
  })
})
