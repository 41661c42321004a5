import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aShopper, fillCheckout, placeOrder, putInCart, select } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

it('CHK-09 NOTE-04 the list names each field in the sentence of the contract, and the field tells what to enter', async () => {
  await using visitor = await aShopper(browser, shop)
  const { page } = visitor
  await putInCart(page, shop, 'MUG')
  await page.goto(urls.checkout())
  await fillCheckout(page)
  await page.getByRole('radio', { name: 'Cash on delivery' }).check()
  for (const name of ['First name', 'ZIP Code']) await page.getByRole('textbox', { name }).fill('')
  await page.getByRole('textbox', { name: 'Email address' }).fill('nobody@')
  await placeOrder(page).click()
  const list = page.locator('.woocommerce-NoticeGroup-checkout').getByRole('alert')
  await list.getByText('Billing First name is a required field.').waitFor()
  await list.getByText('Billing ZIP Code is a required field.').waitFor()
  await list.getByText('Billing Email address is not a valid email address.').waitFor()

  const described = async (name: string) => {
    const field = page.getByRole('textbox', { name })
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const [id = ''] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
    return page.locator(`#${id}`).textContent()
  }
  expect(await described('First name')).toBe('Enter your first name')
  expect(await described('ZIP Code')).toBe('Enter your ZIP code')
  expect(await described('Email address')).toBe('Enter a valid email address')

  await page.getByRole('textbox', { name: 'First name' }).fill('Grace')
  expect(await page.locator('#billing_first_name_description').count()).toBe(0)
  await select(page, 'Country / Region').selectOption('GB')
  const postcode = page.getByRole('textbox', { name: 'Postcode' })
  await postcode.fill('x')
  await postcode.fill('')
  await postcode.blur()
  await expect.poll(() => page.locator('#billing_postcode_description').textContent()).toBe('Enter your postcode')
  expect(visitor.errors).toEqual([])
})
