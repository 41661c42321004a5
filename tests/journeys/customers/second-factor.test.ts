import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, aVisitor, phone } from '#tests/support/browser.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { codeOf } from '#tests/support/customers/second-factor.ts'
import { staffMember } from '#tests/support/customers/staff.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
let offsetMs = 0
const email = 'manager@example.test'
beforeAll(async () => {
  const clock = {
    // Stands in the middle of a half minute, so that no code grows old on a slow machine.
    now: () => new Date(1_900_000_005_000 + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  const settings = { staff: { secondFactor: 'required' } }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false, settings, environment: { clock } })])
  await staffMember(shop, email, 'shop_manager')
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const code = (secret: string) => codeOf(secret, shop.shop.application.tools.clock.now())

async function logIn(page: Page): Promise<void> {
  await page.goto('/statistics/')
  await page.locator('#username').fill(email)
  await page.locator('#password').fill(goodPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Second factor', level: 1 }).waitFor()
}

it.each([
  ['dark', true],
  ['light', false],
] as const)(
  'T14 a manager sets a second factor up and logs in by it, in the %s, with scripts: %s, by keyboard',
  async (colorScheme, javaScriptEnabled) => {
    const options = { baseURL: shop.url, size: phone, colorScheme, javaScriptEnabled }
    await shop.db.sql`delete from second_factors`
    let secret = ''
    {
      await using visitor = await aVisitor(browser, options)
      const { page } = visitor
      await logIn(page)
      await page.getByLabel('Current password').fill(goodPassword)
      await page.keyboard.press('Enter')
      secret = (await page.locator('.account-secret').innerText()).replaceAll(/\s/g, '')
      expect(await page.getByRole('link', { name: 'Or open this link' }).getAttribute('href')).toContain(secret)
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])

      await page.getByLabel('Code').fill('000000')
      await page.keyboard.press('Enter')
      // The field says what is wrong with it.
      const field = page.locator('#factor_code[aria-invalid="true"]')
      await field.waitFor()
      const described = (await field.getAttribute('aria-describedby'))?.split(' ')[0]
      expect(await page.locator(`[id="${described}"]`).innerText()).toBe('Check the code, or wait for the next one')
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])

      await page.getByLabel('Code').fill(code(secret))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
      expect(await page.locator('.account-codes li').count()).toBe(10)
      const widthOf = () => document.documentElement.scrollWidth
      if (javaScriptEnabled) expect(await page.evaluate(widthOf)).toBe(phone.width)
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      await page.getByRole('link', { name: 'I have saved them' }).click()
      await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor()
    }
    offsetMs += 120_000
    await using visitor = await aVisitor(browser, options)
    const { page } = visitor
    await logIn(page)
    if (javaScriptEnabled) expect(await violations(page)).toEqual([])
    await page.getByLabel('Code').fill(code(secret))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor()
    await page.goto('/my-account/second-factor/')
    if (javaScriptEnabled) expect(await violations(page)).toEqual([])
    expect(visitor.errors).toEqual([])
  },
)
