import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper, grace, logIn, openWallet, recordsOf } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, type Visitor } from '#tests/support/browser.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { foreignMark } from '#web/browser/runtime/translator-guard.ts'
import { withForeignTranslator } from './fixtures/foreign-translator.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
  await shop.db.sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500)`
  await reconfigured(shop)
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const eventually = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 15_000 })
const textOf = (page: Page, selector: string) => eventually(() => page.locator(selector).first().innerText())

/** Somebody whose browser translates every page by itself. */
async function aReaderOfAnother(): Promise<Visitor> {
  const visitor = await aShopper(browser, shop)
  await withForeignTranslator(visitor.page.context(), shop.url)
  return visitor
}

/** How often React met a node elsewhere than it had left it: there is no React on these pages. */
const stepsIn = (page: Page) => page.evaluate((mark) => performance.getEntriesByName(mark).length, foreignMark)

describe('a page that the visitor’s browser translates', () => {
  it('TRN-11 everything is bought in it: list, choice, quantity, coupon, totals and wallet, at the right prices', async () => {
    await using visitor = await aReaderOfAnother()
    const { page } = visitor
    await page.goto('/shop/')
    await page.locator('h1 font').first().waitFor()
    const mug = page.locator(`.add_to_cart_button[data-product_id="${await shop.idOf('MUG')}"]`)
    await mug.click()
    await mug.and(page.locator('.added')).waitFor()
    await textOf(page, '.site-header .cart-count [aria-hidden]').toBe('1')

    await page.goto('/product/linen-shirt/')
    await page.locator('h1 font').first().waitFor()
    const [colour, size] = [page.locator('.variations select').first(), page.locator('.variations select').nth(1)]
    await colour.selectOption('sea')
    await size.selectOption('M')
    await textOf(page, '.single_variation .amount').toBe('$44.00')
    await colour.selectOption('sand')
    await textOf(page, '.single_variation .amount').toBe('$40.00')
    await page.locator('form.cart .plus').click()
    await page.locator('.single_add_to_cart_button').click()
    await textOf(page, '.site-header .cart-count [aria-hidden]').toBe('3')

    await page.goto('/cart/')
    await page.locator('[name=update_cart][disabled]').waitFor()
    await textOf(page, '.cart-subtotal .amount').toBe('$92.00')
    await page.locator('.cart_item .plus').first().click()
    await page.locator('[name=update_cart]').click()
    await textOf(page, '.cart-subtotal .amount').toBe('$104.00')
    await page.locator('#coupon_code').fill('five')
    await page.locator('[name=apply_coupon]').click()
    await textOf(page, '.cart-discount .amount').toBe('-$5.00')
    expect(await page.locator('.cart-discount th').innerText()).toContain('five')

    await page.goto('/checkout/')
    const values = {
      first_name: grace.first,
      last_name: grace.last,
      address_1: grace.street,
      city: grace.city,
      postcode: grace.postcode,
      phone: grace.phone,
      email: grace.email,
    }
    for (const [name, value] of Object.entries(values)) await page.locator(`#billing_${name}`).fill(value)
    await page.locator('select#billing_state').selectOption('CA')
    await page.locator('#terms').check()
    // 104.00 - 5.00, tax on it 7.18, shipping 6.90.
    await textOf(page, '.order-total .amount').toBe('$113.08')
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await wallet.getByRole('button', { name: /^(Pay|Continue)\b/ }).click()
    await page.waitForURL('**/checkout/order-received/**')
    const id = Number(/order-received\/(\d+)/.exec(page.url())?.[1])
    await textOf(page, '.woocommerce-order-overview__order strong').toBe(String(id))
    const { order, items } = await recordsOf(shop, id)
    expect(order).toMatchObject({ payment_state: 'paid', total: 11308 })
    expect(order?.billing).toMatchObject({ first_name: 'Grace', city: 'Oakland', state: 'CA' })
    expect(items[1]).toMatchObject({ sku: 'SHIRT-SAND', name: 'Linen shirt', quantity: 2 })
    expect(await stepsIn(page)).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('TRN-11 leaves prices, numbers, names and codes as they are', async () => {
    await using visitor = await aReaderOfAnother()
    const { page } = visitor
    const touched = async () => {
      await page.locator('main font').first().waitFor()
      return page.evaluate(() => {
        const kept =
          '.amount, .sku, .site-name, .site-footer__name, .cart-count [aria-hidden], address, strong.product-quantity, ' +
          '.woocommerce-order-overview__order strong, .woocommerce-order-overview__email strong, ' +
          '.card-field__frame, .wc-ppcp-wallet__buttons'
        const all = [...document.querySelectorAll(kept)]
        return {
          found: all.length > 0,
          marked: all.filter((one) => one.closest('[translate=no]') === null).map(({ outerHTML }) => outerHTML),
          changed: all.filter((one) => one.querySelector('font')).map(({ outerHTML }) => outerHTML),
        }
      })
    }
    const clean = { found: true, marked: [], changed: [] }
    for (const path of [
      '/shop/',
      '/product/linen-shirt/',
      '/product/plain-mug/?add-to-cart=1',
      '/cart/',
      '/checkout/',
    ]) {
      await page.goto(path)
      expect(await touched(), path).toEqual(clean)
    }
    expect(visitor.errors).toEqual([])
  })
})
