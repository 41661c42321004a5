import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import {
  addFromListing,
  aShopper,
  cartLink,
  fillCheckout,
  openWallet,
  payInWallet,
  placeOrder,
  received,
} from './fixtures/shopper.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Everything that axe finds wrong, as one line each. The provider's own frame is not ours to judge. */
async function violations(page: Page): Promise<string[]> {
  // Through the debugger's own door: the page's policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run({ exclude: [['.wc-ppcp-wallet__button']] }, { resultTypes: ['violations'] })`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  )
}

describe.each([
  ['a desktop in light colours', desktop, 'light'],
  ['a phone in dark colours', phone, 'dark'],
] as const)('on %s', (_, size, colorScheme) => {
  it('axe finds nothing on any page, and the console stays empty', async () => {
    await using visitor = await aShopper(browser, shop, { size })
    const { page } = visitor
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const found: Record<string, string[]> = {}
    const judge = async (name: string) => {
      found[name] = await violations(page)
    }
    for (const [name, path] of [
      ['home', '/'],
      ['listing', '/shop/'],
      ['category', '/product-category/kitchen/'],
      ['search', '/?s=bowl&post_type=product'],
      ['search without results', '/?s=nothing&post_type=product'],
      ['product', '/product/plain-mug/'],
      ['variable product', '/product/linen-shirt/'],
      ['grouped product', '/product/tea-set/'],
      ['external product', '/product/a-book-elsewhere/'],
      ['sold-out product', '/product/sold-out-vase/'],
      ['empty cart', '/cart/'],
      ['terms', '/terms/'],
    ] as const) {
      await page.goto(path)
      await judge(name)
    }
    await page.goto('/product/linen-shirt/')
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sea')
    await page.getByRole('combobox', { name: 'Size' }).selectOption('M')
    await page.getByRole('alert').filter({ hasText: '$44.00' }).waitFor()
    await judge('chosen variation')
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await cartLink(page, 1).click()
    await page.getByRole('dialog', { name: 'Cart' }).getByText('Subtotal').waitFor()
    await judge('mini cart')
    await page.goto('/cart/')
    await page.getByRole('button', { name: 'Calculate shipping' }).click()
    await judge('cart')
    await page.goto('/checkout/')
    await judge('checkout')
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    await page.getByRole('alert').filter({ hasText: 'First name' }).waitFor()
    await judge('checkout with errors')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await payInWallet(page, await openWallet(page))
    await judge('order received')
    expect(Object.fromEntries(Object.entries(found).filter(([, wrong]) => wrong.length > 0))).toEqual({})
    expect(visitor.errors).toEqual([])
  })
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
    expect(bodies.join('\n')).not.toMatch(/\b\d{4}([ -]?\d{4}){3}\b|password|secret/i)
    expect(visitor.errors).toEqual([])
  })
})
