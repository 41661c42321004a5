import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aShopper,
  fillCheckout,
  grace,
  logIn,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { hereIAm, openBy } from './fixtures/browsing.ts'
import { chooseCard, typeCard } from './fixtures/card.ts'

const on = { enabled: true }
let accounts = 0
/** Another one for each try of a test. */
const aNewAddress = (name: string) => `${name}-${++accounts}@example.test`

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      settings: {
        paypal: {
          sections: ['checkout', 'add_payment_method'],
          keep: true,
          cards: { enabled: true, keep: true },
          fastlane: on,
        },
      },
    }),
  ])
  // The bowl is a trial: nothing to pay today, nothing to send.
  await shop.db.sql`update products set virtual = true, keeps_method = true, regular_price = 0, sale_price = null,
    min_price = 0, max_price = 0, on_sale = false where sku = 'BOWL'`
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function register(page: Page, email: string): Promise<void> {
  await page.goto('/my-account/')
  await page.locator('#reg_email').fill(email)
  await page.locator('#reg_password').fill(goodPassword)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: /^Hello, / }).waitFor()
}

async function toCheckout(page: Page, product: string): Promise<void> {
  await putInCart(page, shop, product)
  await page.goto('/checkout/')
}

/** Presses the wallet's button, logs in and agrees. */
async function agreeInWallet(page: Page): Promise<void> {
  await hereIAm(page)
  const wallet = await openBy(page, 'paypal')
  await logIn(wallet, 'buyer@emulator.test')
  await wallet.locator('#payment-submit-btn').click()
}

const savedMethodsOf = (email: string) => shop.db.sql`
  select method, kind from payment_tokens join customers on customers.id = customer_id where email = ${email}`

/** Accepted without a charge, with a means that can be charged later. */
async function isTrial(order: number, means: object): Promise<void> {
  const records = await recordsOf(shop, order)
  expect(records.order).toMatchObject({ status: 'processing', total: 0 })
  const [kept] = await shop.db.sql`
    select method, kind from payment_tokens join orders on kept_method = payment_tokens.id where orders.id = ${order}`
  expect(kept).toMatchObject(means)
  expect((await providersBooks(shop)).captures.filter(({ custom_id }) => custom_id === String(order))).toEqual([])
}

describe('a wallet that is kept', () => {
  it('CHK-04 CHK-11 FLOW-08 is added on the account’s page and pays an order by its radio, without any window', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const email = aNewAddress('wallet')
    await register(page, email)
    await page.goto('/my-account/add-payment-method/')
    await page.locator('#payment_method_ppcp').check()
    await agreeInWallet(page)
    await page.waitForURL('**/my-account/payment-methods/')
    expect(await savedMethodsOf(email)).toEqual([{ method: 'ppcp', kind: 'wallet' }])

    await toCheckout(page, 'Plain mug')
    await fillCheckout(page, { ...grace, email })
    await page.locator('#payment_method_ppcp').check()
    const kept = page.getByRole('radiogroup', { name: 'Your saved wallets' }).getByRole('radio').first()
    expect(await kept.isChecked()).toBe(true)
    await page.locator('#place_order').click()
    const order = await received(page)
    const { captures } = await providersBooks(shop, order)
    expect(captures.map(({ amount }) => amount.value)).toEqual(['19.77'])
    expect((await recordsOf(shop, order)).order).toMatchObject({ payment_method: 'ppcp', payment_state: 'paid' })
    expect(visitor.errors).toEqual([])
  })
})

describe('a trial that costs nothing today', () => {
  it('FLOW-08 is set up by the wallet’s button, which keeps and charges nothing', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const email = aNewAddress('trial-wallet')
    await register(page, email)
    await toCheckout(page, 'Soup bowl')
    await fillCheckout(page, { ...grace, email })
    await page.locator('#payment_method_ppcp').check()
    await agreeInWallet(page)
    const order = await received(page)
    await isTrial(order, { method: 'ppcp', kind: 'wallet' })
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-08 is set up by the fields of a card', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const email = aNewAddress('trial-card')
    await register(page, email)
    await toCheckout(page, 'Soup bowl')
    await fillCheckout(page, { ...grace, email })
    await chooseCard(page)
    await typeCard(page)
    await placeOrder(page).click()
    const order = await received(page)
    await isTrial(order, { method: 'ppcp_card', kind: 'card' })
    expect(visitor.errors).toEqual([])
  })

  it('FAST-11 a guest who opens an account has the card of accelerated checkout kept, once', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('payment-tokens')) asked.push(request.postData() ?? '')
    })
    await toCheckout(page, 'Soup bowl')
    await hereIAm(page)
    await page.frameLocator('#fastlane-watermark iframe').getByText('Fastlane').first().waitFor()
    await page.locator('#billing_email').fill('member@emulator.test')
    await page.frameLocator('[role=dialog] iframe').getByLabel('Code').pressSequentially('123456')
    await page.getByRole('group', { name: 'Your chosen card' }).waitFor()
    await page.locator('#account_password').fill(goodPassword)
    await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
    await placeOrder(page).click()
    const order = await received(page)
    await isTrial(order, { method: 'ppcp_card', kind: 'card' })
    expect(await savedMethodsOf('member@emulator.test')).toEqual([{ method: 'ppcp_card', kind: 'card' }])
    expect(asked.map((body) => JSON.parse(body))).toEqual([
      { setup_token: expect.any(String), payment_method: 'ppcp_card', fastlane: true },
    ])
    expect(visitor.errors).toEqual([])
  })
})
