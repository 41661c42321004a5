import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { aKeyboard } from '../fixtures/keyboard.ts'
import { aShopper, fillCheckout, placeOrder, putInCart, received, recordsOf } from '../fixtures/shopper.ts'
import { cardMethod } from '../payments/fixtures/card.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const paypal = { cards: { enabled: true } }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { paypal } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function toCheckout(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto(urls.checkout())
}

it('CARD-01 CARD-03 a card is typed and pays by keyboard alone', async () => {
  await using visitor = await aShopper(browser, shop)
  const { page } = visitor
  const { tabTo, type, use, press } = aKeyboard(page)
  const field = (name: string) => page.locator(`iframe[title=paypal_card_${name}_field]`)
  await toCheckout(page)
  await fillCheckout(page)
  // From the wallet, which is chosen at first, down to the card.
  await tabTo(page.getByRole('radio', { name: 'PayPal' }))
  await press('ArrowDown')
  expect(await cardMethod(page).isChecked()).toBe(true)
  await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
  await type(field('number'), '4111111111111111')
  await type(field('expiry'), '1230')
  await type(field('cvv'), '123')
  await use(placeOrder(page))
  const { order } = await recordsOf(shop, await received(page))
  expect(order).toMatchObject({ payment_method: 'ppcp_card', payment_state: 'paid' })
  expect(visitor.errors).toEqual([])
})
