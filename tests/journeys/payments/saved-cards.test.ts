import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  aShopper,
  fillCheckout,
  grace,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { cardMethod, chooseCard, typeCard } from './fixtures/card.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { paypal: { keep: true, cards: { enabled: true, keep: true } } } }),
  ])
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

async function toCheckout(page: Page, email: string): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await fillCheckout(page, { ...grace, email })
}

const savedCard = (page: Page) => page.getByRole('radio', { name: /^Visa ending in 1111/ })
const save = (page: Page) => page.getByRole('checkbox', { name: 'Save this card for next time' })

it('CHK-04 CHK-11 a card saved with an order pays the next one by its radio, and another one can be typed', async () => {
  await using visitor = await aShopper(browser, shop)
  const { page } = visitor
  await register(page, 'keeper@example.test')
  await toCheckout(page, 'keeper@example.test')
  await chooseCard(page)
  await typeCard(page)
  await save(page).check()
  await placeOrder(page).click()
  await received(page)

  await toCheckout(page, 'keeper@example.test')
  await cardMethod(page).check()
  await savedCard(page).waitFor()
  expect(await savedCard(page).isChecked()).toBe(true)
  // CHK-04: what is for a new card stays away, the form's own button stands.
  expect(await page.locator('#ppcp-card-number').isVisible()).toBe(false)
  expect(await save(page).isVisible()).toBe(false)
  await page.getByRole('radio', { name: 'Use another card' }).check()
  await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
  expect(await save(page).isVisible()).toBe(true)
  await savedCard(page).check()
  await placeOrder(page).click()
  const order = await received(page)
  expect((await providersBooks(shop, order)).captures).toHaveLength(1)
  expect((await recordsOf(shop, order)).order).toMatchObject({ payment_method: 'ppcp_card', payment_state: 'paid' })
  expect(visitor.errors).toEqual([])
})

it('CHK-11 FLOW-08 FLOW-09 a card is saved on the account’s page, and nothing is charged', async () => {
  await using visitor = await aShopper(browser, shop)
  const { page } = visitor
  await register(page, 'saver@example.test')
  await page.goto('/my-account/add-payment-method/')
  await chooseCard(page)
  await typeCard(page, { number: '5555555555554444' })
  const before = await providersBooks(shop)
  await page.getByRole('button', { name: 'Add payment method' }).click()
  await page.waitForURL(/payment-methods/)
  await page
    .getByText(/Mastercard ending in 4444|4444/)
    .first()
    .waitFor()
  expect(await providersBooks(shop)).toEqual(before)
  expect(visitor.errors).toEqual([])
})

it('CHK-11 without scripts a saved card pays by radio and form', async () => {
  await using visitor = await aShopper(browser, shop)
  await register(visitor.page, 'plain@example.test')
  await visitor.page.goto('/my-account/add-payment-method/')
  await chooseCard(visitor.page)
  await typeCard(visitor.page)
  await visitor.page.getByRole('button', { name: 'Add payment method' }).click()
  await visitor.page.waitForURL(/payment-methods/)

  await using plain = await aShopper(browser, shop, { javaScriptEnabled: false })
  const { page } = plain
  await page.context().addCookies(await visitor.page.context().cookies())
  await page.goto('/shop/')
  await page.getByRole('main').getByRole('list').getByLabel('Add to cart: “Plain mug”').click()
  await page.goto('/checkout/')
  await fillCheckout(page, { ...grace, email: 'plain@example.test' })
  await cardMethod(page).check()
  expect(await savedCard(page).isChecked()).toBe(true)
  await placeOrder(page).click()
  const order = await received(page)
  expect((await providersBooks(shop, order)).captures).toHaveLength(1)
})
