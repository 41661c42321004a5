import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addByLink,
  addFromListing,
  aShopper,
  fillCheckout,
  openWallet,
  payInWallet,
  placeOrder,
  received,
} from '#tests/journeys/fixtures/shopper.ts'
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

const attributionOf = async (id: number): Promise<Record<string, unknown>> => {
  const [row] = await shop.db.sql<{ attribution: Record<string, unknown> }[]>`
    select attribution from orders where id = ${id}`
  return row?.attribution ?? {}
}

const cookieNames = async (page: Page) => (await page.context().cookies()).map(({ name }) => name)
/** The tracker begins when the page has nothing better to do. */
const remembered = (page: Page) => expect.poll(() => cookieNames(page), { timeout: 30_000 }).toContain('sbjs_session')

const newsletter = '/shop/?utm_source=newsletter&utm_medium=email&utm_campaign=spring%20sale'

describe('where an order came from', () => {
  it('ATTR-01 ATTR-08 a form posts what the browser has remembered since the link in a newsletter', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto(newsletter)
    await remembered(page)
    await addFromListing(page, 'Plain mug')
    await page.goto('/checkout/')
    const inputs = page.locator('form.checkout wc-order-attribution-inputs input[type=hidden]')
    await expect.poll(() => inputs.count(), { timeout: 30_000 }).toBe(16)
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    const attribution = await attributionOf(await received(page))
    expect(attribution).toMatchObject({
      source_type: 'utm',
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: 'spring sale',
      session_entry: `${shop.url}${newsletter}`.replace('%20', ' '),
      session_count: '1',
      device_type: 'Desktop',
      first: { source_type: 'utm', utm_source: 'newsletter' },
    })
    expect(Number(attribution.session_pages)).toBeGreaterThanOrEqual(2)
    expect(attribution.session_start_time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(visitor.errors).toEqual([])
  })

  it('ATTR-08 a purchase by the wallet’s own button in the cart keeps it as well', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto(newsletter)
    await remembered(page)
    await addFromListing(page, 'Plain mug')
    await page.goto('/cart/')
    const wallet = await openWallet(page)
    const id = await payInWallet(page, wallet)
    expect(await attributionOf(id)).toMatchObject({
      source_type: 'utm',
      utm_source: 'newsletter',
      utm_campaign: 'spring sale',
    })
    expect(visitor.errors).toEqual([])
  })

  it('ATTR-01 without scripts nothing is remembered, and the order is placed all the same', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await page.goto(newsletter)
    await addByLink(page, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    expect(await attributionOf(await received(page))).toEqual({})
    expect((await cookieNames(page)).filter((name) => name.startsWith('sbjs'))).toEqual([])
  })
})
