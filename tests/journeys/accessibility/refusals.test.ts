import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { addByLink, aShopper, fillCheckout, placeOrder, putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const errors = (page: Page) => page.getByRole('main').getByRole('alert')
const focused = (page: Page) => page.locator(':focus')

/** What a reader learns first: the title, and what the page begins with. */
async function expectRefused(page: Page, title: string, text: string | RegExp): Promise<void> {
  await errors(page).filter({ hasText: text }).waitFor()
  expect(await page.title()).toBe(`Error: ${title} – Test shop`)
  expect(await focused(page).evaluate((it) => it.role)).toBe('alert')
}

/** Follows a message to its field, as somebody does who has heard it. */
async function expectLeadsTo(page: Page, text: string | RegExp, id: string): Promise<void> {
  await errors(page).getByRole('link', { name: text }).press('Enter')
  expect(await focused(page).getAttribute('id')).toBe(id)
}

describe('with scripts off, what was refused', () => {
  const aVisitor = () => aShopper(browser, shop, { javaScriptEnabled: false })

  it('F34 CHK-09 is what the checkout begins with, and leads to each field', async () => {
    await using visitor = await aVisitor()
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    // What was done is read first as well, and is no error.
    expect(await page.title()).toBe('Shop – Test shop')
    expect(await focused(page).textContent()).toContain('has been added to your cart')
    await page.goto(urls.checkout())
    expect(await page.title()).toBe('Checkout – Test shop')
    await fillCheckout(page)
    await page.getByRole('textbox', { name: 'Last name' }).fill('')
    await page.getByRole('checkbox', { name: /I have read and agree/ }).uncheck()
    await placeOrder(page).click()
    await expectRefused(page, 'Checkout', 'Last name')
    await expectLeadsTo(page, 'Billing Last name is a required field.', 'billing_last_name')
    await expectLeadsTo(page, /accept the terms/, 'terms')
    // Whoever has enlarged the page reads it where the field is.
    const row = page.locator('#billing_last_name_field')
    expect(await row.innerText()).toContain('Enter your last name')
    await page.reload()
    expect(await row.innerText()).not.toContain('Enter')
    expect(visitor.errors).toEqual([])
  })

  it.each([phone, desktop])('F34 leads to a field that is seen with its label, at $width pixels', async (size) => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false, size })
    const { page } = visitor
    await putInCart(page, shop, 'MUG')
    await page.goto(urls.checkout())
    await placeOrder(page).click()
    await expectLeadsTo(page, /City is a required/, 'billing_city')
    const isSeen = await page.locator('label[for=billing_city]').evaluate((label) => {
      const { left, top, height } = label.getBoundingClientRect()
      return [top + 1, top + height - 1].every((y) => document.elementFromPoint(left + 2, y) === label)
    })
    expect(isSeen).toBe(true)
    expect(visitor.errors).toEqual([])
  })

  it('F34 is what the forms of the account begin with, and a link in a message stays one', async () => {
    await using visitor = await aVisitor()
    const { page } = visitor
    await page.goto(urls.account())
    await page.getByRole('button', { name: 'Log in' }).click()
    await expectRefused(page, 'My account', 'Username is required.')
    await expectLeadsTo(page, 'Username is required.', 'username')
    await page.getByRole('textbox', { name: 'Username' }).fill('nobody')
    await page.getByRole('textbox', { name: 'Password' }).first().fill('not the one')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expectLeadsTo(page, /is incorrect\. Please try again\.$/, 'password')
    await errors(page).getByRole('link', { name: 'Lost your password?', exact: true }).click()
    expect(await page.title()).toBe('Lost password – Test shop')
    await page.getByRole('button', { name: 'Reset password' }).click()
    await expectRefused(page, 'Lost password', 'Enter a username')
    expect(visitor.errors).toEqual([])
  })

  it('F34 is said of an address by the title of its own page, and at its fields', async () => {
    await using visitor = await aVisitor()
    const { page } = visitor
    await page.goto(urls.account())
    await page.locator('#reg_email').fill('ida@example.test')
    await page.locator('#reg_password').fill('four words in a row')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    await page.goto(urls.editAddress('billing'))
    expect(await page.title()).toBe('Billing address – Test shop')
    await page.getByRole('button', { name: 'Save address' }).click()
    await expectRefused(page, 'Billing address', 'First name')
    await expectLeadsTo(page, /City is a required/, 'billing_city')
    expect(await page.locator('#billing_city_field').innerText()).toContain('Enter your town or city')
    expect(visitor.errors).toEqual([])
  })

  it('F34 COUP-04 is said at the field of a coupon, on the cart and at the checkout', async () => {
    await using visitor = await aVisitor()
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    const code = page.getByRole('textbox', { name: 'Coupon:' })
    for (const [address, title] of [
      [urls.cart(), 'Cart'],
      [urls.checkout(), 'Checkout'],
    ] as const) {
      await page.goto(address)
      expect(await code.getAttribute('aria-invalid')).toBe(null)
      await code.fill('none')
      await page.getByRole('button', { name: 'Apply coupon' }).click()
      await expectRefused(page, title, 'Coupon “none” does not exist.')
      await expectLeadsTo(page, 'Coupon “none” does not exist.', 'coupon_code')
      expect(await code.getAttribute('aria-invalid')).toBe('true')
      const id = (await code.getAttribute('aria-describedby')) ?? ''
      expect(await page.locator(`#${id}`).innerText()).toBe('Coupon “none” does not exist.')
    }
    expect(visitor.errors).toEqual([])
  })

  it('F34 PROD-03 leads to the choices of a product that are missing, and keeps those that were made', async () => {
    await using visitor = await aVisitor()
    const { page } = visitor
    await page.goto('/product/linen-shirt/')
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sea')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await expectRefused(page, 'Linen shirt', 'Please choose the options')
    await expectLeadsTo(page, 'Size is a required field', 'size')
    const size = page.getByRole('combobox', { name: 'Size' })
    expect(await size.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('combobox', { name: 'Colour' }).inputValue()).toBe('sea')
    await size.selectOption('M')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await errors(page).filter({ hasText: 'has been added to your cart.' }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F34 RECV-04 is what a stranger to an order is told first', async () => {
    await using visitor = await aVisitor()
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    await page.goto(urls.checkout())
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    await page.waitForURL(/order-received/)
    await shop.db.sql`update orders set session_id = 'another', created_at = created_at - interval '11 minutes'`
    const address = page.url()
    await page.context().clearCookies()
    await page.goto(address)
    await page.locator('main #email').fill('other@example.test')
    await page.getByRole('button', { name: 'Verify' }).click()
    await expectRefused(page, 'Order received', 'not the email address')
    await expectLeadsTo(page, /not the email address/, 'email')
    expect(visitor.errors).toEqual([])
  })
})

it('CHK-09 a message that leads elsewhere as well does so beside the link to its field, also with scripts', async () => {
  await using visitor = await aShopper(browser, shop)
  const { page } = visitor
  await shop.db.sql`insert into customers (email, username, created_at, updated_at)
    values ('grace@example.test', 'grace', now(), now())`
  await putInCart(page, shop, 'MUG')
  await page.goto(urls.checkout())
  await fillCheckout(page)
  await page.getByRole('checkbox', { name: 'Create an account?' }).check()
  await page.getByLabel('Create account password').fill('four words in a row')
  await placeOrder(page).click()
  await errors(page).filter({ hasText: 'already registered' }).waitFor()
  expect(await errors(page).locator('a a').count()).toBe(0)
  await expectLeadsTo(page, 'An account is already registered with this email address.', 'billing_email')
  await errors(page).getByRole('link', { name: 'Please log in.', exact: true }).press('Enter')
  await page.getByRole('textbox', { name: 'Username' }).waitFor()
  expect(visitor.errors).toEqual([])
})
