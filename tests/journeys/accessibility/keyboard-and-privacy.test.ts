import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import {
  addFromListing,
  aShopper,
  cartLink,
  fillCheckout,
  openWallet,
  payInWallet,
  received,
} from '../fixtures/shopper.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** Presses Tab until the named control has the focus. */
async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name }).first()
  await wanted.waitFor()
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab never reaches ${role} ${name}`)
}

describe('with the keyboard alone', () => {
  it('ADD-01 fills the cart, opens and closes it, and places an order', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await tabTo(page, 'link', 'Skip to content')
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', 'Add to cart: “Plain mug”')
    await page.keyboard.press('Space')
    await cartLink(page, 1).waitFor()

    await page.goto('/product/linen-shirt/')
    await tabTo(page, 'combobox', 'Colour')
    await page.keyboard.type('Sea')
    await tabTo(page, 'combobox', 'Size')
    await page.keyboard.type('M')
    await tabTo(page, 'button', /^Add to cart$/)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'has been added to your cart.' }).waitFor()

    await page.goto('/shop/')
    await tabTo(page, 'link', /^Cart/)
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Cart' })
    await drawer.getByText('Subtotal').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    expect(await cartLink(page, 2).evaluate((link) => link === document.activeElement)).toBe(true)

    await page.goto('/checkout/')
    const type = async (name: RegExp, text: string) => {
      await tabTo(page, 'textbox', name)
      await page.keyboard.type(text)
    }
    await type(/^First name/, 'Grace')
    await type(/^Last name/, 'Hill')
    await type(/^Street address/, '1 Pine Road')
    await type(/^Town/, 'Oakland')
    await tabTo(page, 'combobox', /^State/)
    await page.keyboard.type('California')
    await type(/^ZIP/, '94601')
    await type(/^Phone/, '510 555 0100')
    await type(/^Email/, 'grace@example.test')
    await tabTo(page, 'radio', /^PayPal/)
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'Cash on delivery' }).isChecked()).toBe(true)
    await tabTo(page, 'checkbox', /I have read and agree/)
    await page.keyboard.press('Space')
    await tabTo(page, 'button', 'Place order')
    await page.keyboard.press('Enter')
    await received(page)
    expect(visitor.errors).toEqual([])
  })
})

describe('what leaves the page', () => {
  it('P12 P14 scripts come from the shop and the provider alone, and no request carries card data', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const provider = new URL(shop.emulator?.url ?? '').origin
    const origins = new Set<string>()
    const bodies: string[] = []
    page.context().on('request', (request) => {
      origins.add(new URL(request.url()).origin)
      if (request.url().startsWith(shop.url)) bodies.push(request.postData() ?? '')
    })
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    expect([...origins]).toEqual([shop.url])
    await page.goto('/checkout/')
    await fillCheckout(page)
    await payInWallet(page, await openWallet(page))
    expect([...origins].sort()).toEqual([shop.url, provider].sort())
    expect(await page.locator('input[autocomplete^="cc-"], input[name*="card"]').count()).toBe(0)
    // The checkout's own field for a new account is sent empty.
    const posted = bodies.join('\n').replace(/account_password(%3D|=|":"")(?![^&%"\n,}])/gi, '')
    expect(posted).not.toMatch(/\b\d{4}([ -]?\d{4}){3}\b|password|secret/i)
    expect(visitor.errors).toEqual([])
  })
})
