import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBrowser, aVisitor } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
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

it('T29 after logging out the tab holds nothing of the customer, and the browser’s own choices are as they were', async () => {
  await using visitor = await aVisitor(browser, { baseURL: shop.url })
  const { page } = visitor
  const stored = () =>
    page.evaluate(() =>
      [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage).map((entry) => entry.join(': '))),
    )
  await page
    .context()
    .addCookies(['wp_consent_marketing', 'sbjs_current'].map((name) => ({ name, value: 'allow', url: shop.url })))
  await page.goto('/my-account/')
  await page.evaluate(() => localStorage.setItem('of-the-browser', 'stays'))
  await page.locator('#reg_email').fill('leaving@example.test')
  await page.locator('#reg_password').fill(goodPassword)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: /^Hello, / }).waitFor()

  await page.goto('/product/plain-mug/')
  await page.getByRole('button', { name: 'Add to cart' }).first().click()
  await expect.poll(async () => (await stored()).join('\n')).toContain('Plain mug')
  await page.goto('/my-account/edit-address/billing/')
  await page.locator('#billing_postcode').fill('94607-1234')
  // A country without postcodes: what was typed is kept for the way back.
  await page.locator('#billing_country').evaluate((list: HTMLSelectElement) => {
    list.value = 'AE'
    list.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect.poll(async () => (await stored()).join('\n')).toContain('94607-1234')

  await page.goto('/my-account/')
  await page.getByRole('link', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await expect.poll(async () => (await stored()).join('\n')).not.toMatch(/94607|Plain mug|leaving/)
  expect(await stored()).toContain('of-the-browser: stays')
  const kept = (await page.context().cookies()).map(({ name }) => name)
  expect(kept).toEqual(expect.arrayContaining(['wp_consent_marketing', 'sbjs_current']))

  // Back shows nothing that was theirs.
  await page.goBack()
  await page.locator('#customer_login').waitFor()
  expect(await page.getByText('leaving').count()).toBe(0)
  expect(visitor.errors).toEqual([])
})
