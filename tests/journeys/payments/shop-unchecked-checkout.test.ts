import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  agree,
  aShopper,
  fillCheckout,
  logIn,
  placeOrder,
  providersBooks,
  putInCart,
  received,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { hereIAm, openBy } from './fixtures/browsing.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { paypal: { sections: ['checkout'], validateFirst: false } } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function toCheckout(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await page.locator('#payment_method_ppcp').check()
  await hereIAm(page)
}

const acceptTerms = (page: Page) => page.getByRole('checkbox', { name: /I have read and agree/ }).check()
const field = (page: Page, id: string) => page.locator(`#${id}`).inputValue()

describe('a checkout that opens the wallet before its form is filled', () => {
  it('FLOW-13 FLOW-04 FLOW-05 the wallet fills the form, the shopper looks at the new total and places the order', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await toCheckout(page)
    await acceptTerms(page)
    const wallet = await openBy(page, 'paypal')
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).click()
    await page.getByText('Your payment is ready.').waitFor()
    await expect.poll(() => field(page, 'billing_email')).toBe('buyer@emulator.test')
    expect(await field(page, 'billing_address_1')).toBe('12 Garden Street')
    // What the wallet does not tell is asked for.
    await page.locator('#billing_phone').fill('408 555 0100')
    await expect.poll(() => page.locator('tr.order-total').innerText(), { timeout: 15_000 }).toContain('19.77')
    await placeOrder(page).click()
    const order = await received(page)
    const { captures } = await providersBooks(shop, order)
    expect(captures.map(({ amount }) => amount.value)).toEqual(['19.77'])
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-13 FLOW-02 a form that holds is paid at once, to the place that it names', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await toCheckout(page)
    await fillCheckout(page)
    const wallet = await openBy(page, 'paypal')
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).click()
    const order = await received(page)
    const [row] = await shop.db.sql`select shipping->>'city' as city from orders where id = ${order}`
    expect(row).toEqual({ city: 'Oakland' })
    expect(visitor.errors).toEqual([])
  })
})
