import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { aShopper, bringWallet, openWallet, payInWallet, recordsOf, walletButton } from '../fixtures/shopper.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const fees = [{ name: 'For the courier', amount: '4', taxable: false, when: { paymentMethod: 'cod' } }]
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { fees } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

it('I7 CHK-13 the wallet’s button on the page of an order shows what it comes to by wallet before it charges that', async () => {
  await using visitor = await aShopper(browser, shop)
  const { page } = visitor
  const shopper = new Shopper(shop, 'eve')
  await shopper.add('MUG')
  await shopper.openCheckout()
  const { order_id: id = 0 } = await shopper.placeOrder('cod')
  const [row] = await shop.db.sql<{ key: string; total: number }[]>`
    update orders set status = 'failed', payment_state = 'failed', stock_reduced = false where id = ${id}
    returning key, total`
  await page.goto(urls.orderPay(id, row?.key ?? ''))
  const fee = page.getByRole('row', { name: /^For the courier/ })
  await fee.waitFor()
  const choose = async () => {
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
  }
  await choose()
  await bringWallet(page)
  await Promise.all([page.waitForEvent('load'), walletButton(page).click()])
  await page.getByRole('alert').filter({ hasText: 'The total has changed' }).waitFor()
  expect(await fee.count()).toBe(0)
  expect(await page.getByRole('radio', { name: 'PayPal' }).isChecked()).toBe(true)

  await choose()
  expect(await payInWallet(page, await openWallet(page))).toBe(id)
  const { order } = await recordsOf(shop, id)
  expect(order).toMatchObject({ payment_state: 'paid', total: (row?.total ?? 0) - 400 })
})
