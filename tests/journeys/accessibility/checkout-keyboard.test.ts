import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aCustomer, goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { aKeyboard, hasFocus } from '../fixtures/keyboard.ts'
import { aShopper, cartLink, placeOrder, received, recordsOf } from '../fixtures/shopper.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
  await shop.db
    .sql`insert into coupons ${shop.db.sql({ code: 'five', type: 'fixed_cart', amount_minor: 500, used: 0, settings: shop.db.sql.json({}) })}`
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const checkout = (page: Page) => page.getByRole('form', { name: 'Checkout' })
const box = (page: Page, name: RegExp) => checkout(page).getByRole('textbox', { name }).first()
const list = (page: Page, name: RegExp) => checkout(page).getByRole('combobox', { name }).first()
const shippingBox = (page: Page, name: RegExp) => page.locator('.shipping_address').getByRole('textbox', { name })
const focus = (wanted: Locator) => expect.poll(() => hasFocus(wanted)).toBe(true)

/** From the listing through the cart to the checkout. */
async function buyMug(page: Page): Promise<void> {
  const { use } = aKeyboard(page)
  await page.goto('/shop/')
  await use(page.getByRole('link', { name: 'Skip to content' }))
  await use(page.getByRole('button', { name: 'Add to cart: “Plain mug”' }), 'Space')
  await cartLink(page, 1).waitFor()
  await use(page.getByRole('main').getByRole('link', { name: 'View cart' }))
  await page.waitForURL('**/cart/')
  await use(page.getByRole('link', { name: 'Proceed to checkout' }))
  await page.waitForURL('**/checkout/')
  // Scripts have taken the page over.
  await page.locator('.select2-selection').first().waitFor()
}

const agreed = (page: Page) => page.getByRole('checkbox', { name: /I have read and agree/ })

/** From PayPal, which is chosen at first, to cash on delivery. */
async function payInCash(page: Page): Promise<void> {
  const { tabTo, press } = aKeyboard(page)
  await tabTo(page.getByRole('radio', { name: 'PayPal' }))
  await press('ArrowUp')
  expect(await page.getByRole('radio', { name: 'Cash on delivery' }).isChecked()).toBe(true)
  await placeOrder(page).waitFor()
}

describe('the checkout by keyboard alone', () => {
  it('CHK-01 CHK-10 a new customer is led to what was wrong, and opens an account with the order', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const { tab, tabTo, use, type, pick, press } = aKeyboard(page)
    const email = 'keys@example.test'
    await buyMug(page)

    await use(page.getByRole('button', { name: 'Enter your code' }))
    await focus(page.getByPlaceholder('Coupon code'))
    await page.keyboard.type('five')
    await press('Enter')
    await page.locator('.cart-discount').waitFor()
    const toggle = page.getByRole('button', { name: 'Enter your code' })
    await focus(toggle)
    await use(page.getByLabel('Remove five coupon'))
    await page.locator('.cart-discount').waitFor({ state: 'detached' })
    await focus(toggle)
    expect(await tabTo(page.getByRole('radio', { name: 'Standard' }))).toEqual([
      'First name',
      'Last name',
      'Company name (optional)',
      'Country / Region',
      'Street address',
      'Apartment, suite, unit, etc. (optional)',
      'Town / City',
      'State',
      'ZIP Code',
      'Phone',
      'Email address',
      'Create an account?',
      'Ship to a different address?',
      'Order notes (optional)',
      'Standard: $6.90',
    ])

    await pick(list(page, /^Country/), 'Cana')
    await focus(list(page, /^Country/))
    await list(page, /^Province/).waitFor()
    await payInCash(page)
    await use(placeOrder(page))
    // Refused: the summary has the focus, and each of its lines leads to a field.
    const summary = page.locator('.woocommerce-NoticeGroup-checkout .woocommerce-error')
    await focus(summary)
    const line = (name: RegExp) => summary.getByRole('link', { name })
    await use(line(/Province/))
    await focus(list(page, /^Province/))
    await press('Enter')
    await press('Escape')
    await focus(list(page, /^Province/))
    await use(line(/terms/))
    await focus(agreed(page))
    await use(line(/First name/))
    await focus(box(page, /^First name/))

    await page.keyboard.type('Kim')
    await type(box(page, /^Last name/), 'Vale')
    await type(box(page, /^Street address/), '1 Quay Street')
    await type(box(page, /^Town|^City/), 'Toronto')
    await pick(list(page, /^Province/), 'onta')
    await type(box(page, /^Postal code/), 'M5V 2T6')
    await type(box(page, /^Phone/), '416 555 0100')
    await type(box(page, /^Email/), email)
    await use(page.getByRole('checkbox', { name: 'Create an account?' }), 'Space')
    const password = page.getByLabel('Create account password')
    await type(password, goodPassword)
    expect(await tab()).toBe('Show password')
    await press('Space')
    expect(await password.getAttribute('type')).toBe('text')
    await focus(password)
    await use(page.getByRole('checkbox', { name: 'Ship to a different address?' }), 'Space')
    await type(shippingBox(page, /^First name/), 'Lee')
    await type(shippingBox(page, /^Last name/), 'Hill')
    await type(shippingBox(page, /^Street address/), '2 Pine Road')
    await type(shippingBox(page, /^Town|^City/), 'Buffalo')
    await pick(page.locator('.shipping_address').getByRole('combobox', { name: /^State/ }), 'new y')
    await type(shippingBox(page, /^ZIP/), '14201')
    await type(page.getByRole('textbox', { name: /^Order notes/ }), 'Ring twice')
    await use(agreed(page), 'Space')
    await use(placeOrder(page))
    const id = await received(page)
    const { order: placed } = await recordsOf(shop, id)
    expect(placed).toMatchObject({
      billing: { country: 'CA', state: 'ON', email },
      shipping: { country: 'US', state: 'NY', first_name: 'Lee' },
      payment_method: 'cod',
      customer_id: expect.anything(),
    })
    expect(visitor.errors).toEqual([])
  })

  it('CHK-01 CHK-10 CHK-13 a customer who comes back logs in on the page, orders, and pays what was left unpaid', async () => {
    const customer = aCustomer(shop, 'back@example.test')
    await customer.page('/my-account/')
    await customer.register()
    await shop.db
      .sql`update customers set billing = ${shop.db.sql.json({ first_name: 'Ida', last_name: 'Vale', address_1: '1 Quay Street', city: 'Oakland', state: 'CA', postcode: '94607', country: 'US', phone: '510 555 0100', email: 'back@example.test' })}
      where email = 'back@example.test'`
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const { tabTo, use, type, press } = aKeyboard(page)
    await buyMug(page)
    await use(page.getByRole('button', { name: 'Click here to log in' }))
    await focus(page.getByLabel('Username or email address'))
    await page.keyboard.type('back@example.test')
    await type(page.locator('#password'), goodPassword)
    await press('Enter')
    await page.getByText('Returning customer?').waitFor({ state: 'detached' })
    await page.waitForURL('**/checkout/')
    await page.locator('.select2-selection').first().waitFor()
    expect(await box(page, /^Street address/).inputValue()).toBe('1 Quay Street')
    await payInCash(page)
    await use(agreed(page), 'Space')
    await use(placeOrder(page))
    const id = await received(page)
    expect((await recordsOf(shop, id)).order).toMatchObject({
      billing: { email: 'back@example.test' },
      payment_method: 'cod',
    })

    // The same order again, as one that was left unpaid: paid from its own page.
    const [row] = await shop.db.sql<{ key: string }[]>`
      update orders set status = 'failed', payment_state = 'failed', stock_reduced = false where id = ${id} returning key`
    await page.goto(urls.orderPay(id, row?.key ?? ''))
    await use(page.getByRole('link', { name: 'Skip to content' }))
    await tabTo(page.getByRole('radio', { name: 'Cash on delivery' }))
    await use(page.getByRole('button', { name: 'Pay for order' }))
    await focus(page.getByRole('alert').filter({ hasText: 'terms and conditions' }))
    await use(agreed(page), 'Space')
    await use(page.getByRole('button', { name: 'Pay for order' }))
    expect(await received(page)).toBe(id)
    expect((await recordsOf(shop, id)).order).toMatchObject({ status: 'processing', payment_method: 'cod' })
    expect(visitor.errors).toEqual([])
  })
})
