import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper, recordsOf } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { mailsOf } from '#tests/support/currency/currencies.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const settings = { languages: [{ tag: 'ja-JP' }, { tag: 'ar' }], payments: { cod: { enabled: true } } }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false, settings })])
  await shop.db.sql`insert into shipping_zones (id, name, zone_order, countries) values (2, 'Away', 2, '{JP,EG}')`
  await shop.db.sql`insert into shipping_methods (zone_id, method, title, position, settings)
    values (2, 'flat_rate', 'By sea', 0, '{"cost":"20"}')`
  await reconfigured(shop)
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const homes = [
  {
    slug: 'ja',
    country: 'JP',
    state: { name: '東京都', code: 'JP13' },
    typed: { last_name: '青木', first_name: '花', city: '千代田区', address_1: '千代田１－１' },
    numbers: { postcode: '１００－０００１', phone: '０３ー１２３４ー５６７８', email: 'hana＠example.test' },
    kept: { postcode: '100-0001', phone: '03-1234-5678', email: 'hana@example.test' },
    written: '東京都 千代田区',
    greeted: '青木 花様',
  },
  {
    slug: 'ar',
    country: 'EG',
    state: { name: 'القاهرة', code: 'EGC' },
    typed: { last_name: 'حسن', first_name: 'ليلى', city: 'الزمالك', address_1: '٥ شارع البرازيل' },
    numbers: { postcode: '١١٥٦١', phone: '٠١٠١٢٣٤٥٦٧٨', email: 'layla@example.test' },
    kept: { postcode: '11561', phone: '01012345678', email: 'layla@example.test' },
    written: 'القاهرة',
    greeted: 'مرحبًا ليلى،',
  },
] as const

/** Chooses in the list that stands for a select, by what is typed into it. */
async function chooseState(page: Page, name: string): Promise<void> {
  const list = page.locator('#billing_state_field [role=combobox]')
  await list.waitFor()
  await list.focus()
  await page.keyboard.press('Enter')
  // An input method writes into the field of the open list.
  await page.locator('.select2-search__field').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(name)
  await page.getByRole('listbox').getByRole('option', { name, exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => list.innerText()).toBe(name)
}

describe('somebody who writes in the script of home', () => {
  it.each(homes)(
    'ADDR-03 ADDR-08 orders from $country: the name of the state, and numbers, as its keyboard gives them',
    async (home) => {
      await using visitor = await aShopper(browser, shop)
      const { page } = visitor
      await page.goto(`/${home.slug}/product/plain-mug/?add-to-cart=${await shop.idOf('MUG')}`)
      await page.goto(`/${home.slug}/checkout/`)
      await page.locator('body.woocommerce-js').waitFor()
      await page.locator('select#billing_country').selectOption(home.country)
      await chooseState(page, home.state.name)
      for (const [name, value] of Object.entries({ ...home.typed, ...home.numbers })) {
        await page.locator(`#billing_${name}`).fill(value)
      }
      await page.locator('#billing_email').blur()
      await page.locator('#billing_phone_field.woocommerce-validated').waitFor()
      await page.locator('#billing_email_field.woocommerce-validated').waitFor()
      await page.locator('#payment_method_cod').check()
      await page.locator('#terms').check()
      await page.locator('#place_order').click()
      await page.waitForURL('**/order-received/**')
      expect(await page.locator('address').first().innerText()).toContain(home.written)
      const id = Number(/order-received\/(\d+)/.exec(page.url())?.[1])
      const { order } = await recordsOf(shop, id)
      expect(order?.billing).toMatchObject({ ...home.typed, ...home.kept, state: home.state.code })
      await expect.poll(async () => (await mailsOf(shop, id)).join()).toContain(home.greeted)
      expect(visitor.errors).toEqual([])
    },
  )
})
