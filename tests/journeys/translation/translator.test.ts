import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { editorNonces, editorUrl } from '#contract/translation/editor.ts'
import { translateAction } from '#contract/translation/translate.ts'
import { agree, aShopper, bringWallet, logIn, openWallet, scriptsAreThere } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ wallet: true, settings: { languages: [{ tag: 'de-DE' }] } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** What pages ask the translator's doors for, as long as they are looked at. */
function translationsAsked(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request: Request) => {
    const fields = new URLSearchParams(request.postData() ?? '')
    if (fields.get('action') === translateAction)
      asked.push(`${new URL(page.url()).pathname}: ${fields.get('originals')}`)
  })
  return asked
}

/** Puts a foreign text into the page and waits until it is German: whatever else was to be asked for is asked for by then. */
async function foreign(page: Page, into = 'main'): Promise<void> {
  await page.evaluate((into) => {
    const text = document.createElement('p')
    text.className = 'foreign'
    text.textContent = 'Add to cart'
    document.querySelector(into)?.append(text)
  }, into)
  await expect.poll(() => page.locator('.foreign').last().textContent()).toBe('In den Warenkorb')
}
const only = (path: string) => [`${path}: ["Add to cart"]`]

describe('a shop in another language', () => {
  it('TRN-01 TRN-11 asks for nothing that is its own, while somebody shops and foreign texts are translated around', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page, errors } = visitor
    const asked = translationsAsked(page)

    await page.goto('/de/shop/')
    await page.locator('.add_to_cart_button').first().click()
    await page.locator('.add_to_cart_button.added').waitFor()
    const drawer = page.locator('#mini-cart')
    await page.locator('.site-header [data-toggle-target="#mini-cart"]').first().click()
    await drawer.locator('.mini_cart_item').waitFor()
    const held = await page.evaluate(() => document.activeElement?.outerHTML)
    await foreign(page, '#mini-cart .widget_shopping_cart_content')
    expect(await drawer.locator('.mini_cart_item').isVisible()).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.outerHTML)).toBe(held)
    await page.keyboard.press('Escape')
    await drawer.locator('.mini_cart_item').waitFor({ state: 'hidden' })
    await page.locator('select.orderby').first().selectOption('price-desc')
    await page.waitForURL('**orderby=price-desc**')
    await page.locator('input[type=search]').first().focus()
    await page.keyboard.type('mug')
    await page.locator('a[href*="plain-mug"]').first().waitFor()
    await foreign(page)
    expect(asked.splice(0)).toEqual(only('/de/shop/'))

    await page.goto('/de/product/linen-shirt/')
    await foreign(page, 'form.variations_form')
    for (const select of await page.locator('.variations select').all()) await select.selectOption({ index: 1 })
    await page.locator('.single_variation .price').waitFor()
    await page.locator('form.variations_form .quantity input').fill('2')
    await foreign(page, '.woocommerce-product-gallery')
    await page.locator('.single_add_to_cart_button').click()
    await expect.poll(async () => (await page.locator('.cart-count').first().textContent())?.trim()).toMatch(/3/)
    // Where the page is led on the translator begins anew; what it has once asked it does not ask again.
    expect(asked.splice(0)).toEqual(only('/de/product/linen-shirt/'))

    await page.goto('/de/cart/')
    await foreign(page, 'form.woocommerce-cart-form')
    await page.locator('.woocommerce-cart-form .quantity input').first().fill('2')
    await page.locator('[name=update_cart]').click()
    await page.locator('[name=update_cart][disabled]').waitFor()
    await page.locator('#coupon_code').fill('nobody knows it')
    await page.locator('[name=apply_coupon]').click()
    await page.locator('.coupon-error-notice, .woocommerce-error').first().waitFor()
    expect(await page.locator('#coupon_code').inputValue()).toBe('nobody knows it')
    expect(asked.splice(0)).toEqual(only('/de/cart/'))

    await page.goto('/de/checkout/')
    await scriptsAreThere(page)
    const email = page.locator('#billing_email')
    await email.fill('ida@example.test')
    await foreign(page, 'form.checkout')
    await page.locator('#billing_state').selectOption({ index: 3 })
    await page.locator('#place_order').click()
    await page.locator('.woocommerce-NoticeGroup-checkout').waitFor()
    expect(await email.inputValue()).toBe('ida@example.test')
    await foreign(page)
    expect(asked.splice(0)).toEqual(only('/de/checkout/'))

    await page.goto('/de/cart/')
    await bringWallet(page)
    await foreign(page, '.cart_totals')
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).click()
    await page.waitForURL('**/de/checkout/order-received/**')
    expect(asked.splice(0)).toEqual(only('/de/cart/'))
    expect(errors).toEqual([])
  })

  it('TRN-09 marks for a translator what other scripts have put in, and nobody has met before', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page, errors } = visitor
    const translator = aCustomer(shop, 'translator@example.test')
    await translator.register()
    await shop.db.sql`update customers set role = 'translator' where email = 'translator@example.test'`
    await translator.logIn()
    await page.context().addCookies([...translator.cookies].map(([name, value]) => ({ name, value, url: shop.url })))
    await page.goto(editorUrl('/de/shop/', translator.nonce(editorNonces.frame)))
    await page.evaluate(() => {
      const text = document.createElement('p')
      text.className = 'foreign'
      text.textContent = 'Five stars, would buy again'
      document.querySelector('main')?.append(text)
    })
    const marked = page.locator('.foreign translate-press')
    await marked.waitFor()
    const id = await marked.getAttribute('data-trp-translate-id')
    const [row] = await shop.db.sql`select original, area, markup from translation_originals where id = ${Number(id)}`
    expect(row).toEqual({ original: 'Five stars, would buy again', area: 'content', markup: false })
    expect(errors).toEqual([])
  })
})
