import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addByLink,
  agree,
  aShopper,
  cartRow,
  fillCheckout,
  logIn,
  payByRedirect,
  placeOrder,
  providersBooks,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    // Without scripts nobody but the provider itself can ask what another address costs.
    aShop({
      settings: { paypal: { shippingCallback: 'server', sections: ['product', 'cart', 'checkout', 'express'] } },
    }),
  ])
  await shop.db.sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500)`
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const withoutScripts = () => aShopper(browser, shop, { javaScriptEnabled: false })

describe('with scripts off', () => {
  it('F34 at S1, S2, S4 to S7 and S9 to S14 CART-13 LIST-02 LIST-06 PROD-01 PROD-03 CHK-09 CHK-15 a whole purchase works by links, forms and redirect', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('link', { name: 'Kitchen' }).first().click()
    await page.getByRole('combobox', { name: 'Shop order' }).selectOption({ label: 'Sort by price: low to high' })
    await page.getByRole('button', { name: 'Sort' }).click()
    await page.waitForURL('**orderby=price**')
    await page.getByRole('main').getByLabel('Add to cart: “Plain mug”').click()
    await page.getByRole('alert').filter({ hasText: '“Plain mug” has been added to your cart.' }).waitFor()
    expect(page.url()).toContain('orderby=price')

    await page.getByRole('searchbox', { name: 'Search for:' }).fill('shirt')
    await page.getByRole('button', { name: 'Search' }).click()
    await page
      .getByRole('link', { name: /Linen shirt/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'Please choose the options' }).waitFor()
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sea')
    await page.getByRole('combobox', { name: 'Size' }).selectOption('M')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'has been added to your cart.' }).waitFor()

    await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    await cartRow(page, 'Plain mug').getByRole('spinbutton').fill('3')
    await page.getByRole('button', { name: 'Update cart' }).click()
    await page.getByRole('alert').filter({ hasText: 'Cart updated.' }).waitFor()
    await cartRow(page, 'Plain mug').getByRole('cell', { name: '$36.00' }).waitFor()
    await page.getByLabel(/^Remove Linen shirt/).click()
    await page.getByRole('link', { name: 'Undo?' }).click()
    await cartRow(page, 'Linen shirt').waitFor()
    await page.getByLabel(/^Remove Linen shirt/).click()
    await page.getByRole('alert').filter({ hasText: 'removed.' }).waitFor()

    await page.getByRole('link', { name: 'Proceed to checkout' }).click()
    await placeOrder(page).click()
    await page.getByRole('alert').filter({ hasText: 'First name' }).waitFor()
    await fillCheckout(page)
    await placeOrder(page).click()
    const order = await payByRedirect(page)
    const { order: row, items, captures } = await recordsOf(shop, order)
    expect(row).toMatchObject({ status: 'processing', payment_state: 'paid', total: 4551 })
    expect(items[0]).toMatchObject({ sku: 'MUG', quantity: 3 })
    expect(captures).toMatchObject([{ status: 'COMPLETED', amount: 4551 }])
    expect((await providersBooks(shop, order)).captures).toHaveLength(1)
    await page.reload()
    await page.getByText(`Order number: ${order}`).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F34 at S3 S6 and S11 a coupon is refused, applied, removed and paid with', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    await page.goto('/cart/')
    const apply = async (code: string) => {
      await page.getByLabel('Coupon:').fill(code)
      await page.getByRole('button', { name: 'Apply coupon' }).click()
    }
    await apply('none')
    await page
      .getByText(/does not exist|not valid/)
      .first()
      .waitFor()
    await apply('five')
    // 7.00 with its tax of 0.51, and 6.90 to send it.
    await page.getByRole('row', { name: /^Total \$14\.41/ }).waitFor()
    await page.getByLabel('Remove five coupon').click()
    await page.getByRole('row', { name: /^Total \$19\.77/ }).waitFor()
    await apply('five')
    await page.getByRole('row', { name: /^Total \$14\.41/ }).waitFor()
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    const order = await payByRedirect(page)
    expect((await recordsOf(shop, order)).captures).toMatchObject([{ amount: 1441 }])
    expect(visitor.errors).toEqual([])
  })

  it('F34 at S7 S8 S9 and S11 P5 another way of shipping, chosen at the provider, is charged as it is shown', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    await page.goto('/cart/')
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await page.waitForURL(/checkoutnow/)
    await logIn(page, 'multi-address@emulator.test')
    const ways = page.locator('#shippingMethodsDropdown')
    const update = page.getByRole('button', { name: 'Update the total' })
    await update.click()
    await ways.selectOption({ label: (await ways.locator('option', { hasText: 'Express' }).textContent()) ?? '' })
    await update.click()
    await page.getByRole('cell', { name: '$15.00' }).waitFor()
    const shown = await page.locator('tr.sum').innerText()
    await agree(page).click()
    const { order, captures } = await recordsOf(shop, await received(page))
    expect(shown).toContain((order?.total / 100).toFixed(2))
    expect(captures).toMatchObject([{ amount: order?.total }])
    expect(visitor.errors).toEqual([])
  })

  it('F34 the cart page leads to the wallet and back', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    await page.getByRole('link', { name: 'View cart' }).click()
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    const order = await payByRedirect(page)
    expect((await recordsOf(shop, order)).captures).toMatchObject([{ amount: 1977 }])
    expect(visitor.errors).toEqual([])
  })

  it('F34 a product page leads to the wallet and back, with the chosen variation', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await page.goto('/product/linen-shirt/')
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sea')
    await page.getByRole('combobox', { name: 'Size' }).selectOption('M')
    await page.getByRole('spinbutton').fill('2')
    await page.getByRole('button', { name: 'Buy with PayPal' }).click()
    const order = await payByRedirect(page)
    const { items, captures } = await recordsOf(shop, order)
    expect(items[0]).toMatchObject({ sku: 'SHIRT-SEA-M', quantity: 2, total: 8800 })
    expect(captures).toHaveLength(1)
    expect(visitor.errors).toEqual([])
  })

  it('F34 F22 a wallet that is cancelled leads back, and the cart is still there', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await addByLink(page, 'Soup bowl')
    await page.goto('/cart/')
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await page.getByRole('link', { name: /^Cancel and return/ }).click()
    await page.getByText('The payment was canceled. Nothing was charged.').waitFor()
    await cartRow(page, 'Soup bowl').waitFor()
    await page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await payByRedirect(page)
    expect(visitor.errors).toEqual([])
  })

  it('F34 F12 a decline leads back to the checkout, and the same order is paid after it', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await placeOrder(page).click()
    await page.waitForURL(/checkoutnow/)
    const walletOrder = new URL(page.url()).searchParams.get('token')
    await logIn(page, 'declined@emulator.test')
    await agree(page).click()
    await page.waitForURL('**/checkout/**')
    await page.getByRole('alert').filter({ hasText: 'declined' }).waitFor()
    // What was typed is still there; only the consent is given anew, if at all.
    expect(
      await page
        .getByRole('textbox', { name: /^First name/ })
        .first()
        .inputValue(),
    ).toBe('Grace')
    await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
    await placeOrder(page).click()
    await page.waitForURL(/checkoutnow/)
    // Another approval is asked for: the first one charges nothing any more.
    expect(new URL(page.url()).searchParams.get('token')).not.toBe(walletOrder)
    if (await page.getByRole('textbox', { name: 'Email' }).isVisible()) await logIn(page, 'declined@emulator.test')
    await agree(page).click()
    const order = await received(page)
    const books = await providersBooks(shop, order)
    expect(books.captures.filter(({ status }) => status === 'COMPLETED')).toHaveLength(1)
    expect((await recordsOf(shop, order)).order).toMatchObject({ payment_state: 'paid' })
    expect(visitor.errors).toEqual([])
  })

  it('F34 CHK-09 whoever is refused reads at each field what was wrong there', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await addByLink(page, 'Soup bowl')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.getByRole('textbox', { name: 'First name' }).fill('')
    await page.getByRole('checkbox', { name: 'Create an account?' }).check()
    await page.getByRole('checkbox', { name: /I have read and agree/ }).uncheck()
    await placeOrder(page).click()
    await page.getByRole('alert').filter({ hasText: 'First name' }).waitFor()
    const described = async (id: string) => {
      const field = page.locator(`#${id}[aria-invalid=true]`)
      const ids = (await field.getAttribute('aria-describedby', { timeout: 2000 })) ?? ''
      return page.locator(`#${ids.split(' ')[0]}`).textContent()
    }
    const list = await page.getByRole('alert').filter({ hasText: 'First name' }).innerText()
    expect(list).toContain('Billing First name is a required field.')
    expect(await described('billing_first_name')).toBe('Enter your first name')
    expect(await described('account_password')).toBe('Enter a password')
    expect(await described('terms')).toBe('Accept the terms and conditions')
    expect(await page.locator('[aria-invalid=true]').count()).toBe(3)
    await page.reload()
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('F34 CHK-09 cash on delivery needs neither script nor wallet', async () => {
    await using visitor = await withoutScripts()
    const { page } = visitor
    await addByLink(page, 'Soup bowl')
    await page.goto('/checkout/')
    // Nor is there a heading over buttons that no script draws.
    expect(await page.locator('.express-checkout').count()).toBe(1)
    expect(await page.getByRole('region', { name: 'Express checkout' }).count()).toBe(0)
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    const order = await received(page)
    expect((await recordsOf(shop, order)).order).toMatchObject({ status: 'processing', payment_method: 'cod' })
    expect(visitor.errors).toEqual([])
  })
})
