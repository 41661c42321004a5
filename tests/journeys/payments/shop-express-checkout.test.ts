import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addFromListing,
  agree,
  aShopper,
  fillCheckout,
  grace,
  logIn,
  providersBooks,
  putInCart,
  received,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, clientFolder, type TestShop } from '#tests/support/shop.ts'
import { hereIAm, openBy } from './fixtures/browsing.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      settings: {
        paypal: {
          sections: ['express', 'checkout', 'cart', 'add_payment_method'],
          keep: true,
          shippingCallback: 'browser',
        },
      },
    }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function withMug(page: Page, path: string): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto(path)
  await hereIAm(page)
}

const inPlace = (page: Page, place: string) =>
  page.locator(place).frameLocator('[data-funding=paypal] iframe').getByRole('button')

async function opened(page: Page, place: string): Promise<Page> {
  // Where its buttons are seen they are loaded.
  await page.locator(place).locator('[data-funding=paypal]').scrollIntoViewIfNeeded()
  await inPlace(page, place).waitFor()
  const [wallet] = await Promise.all([page.waitForEvent('popup'), inPlace(page, place).click()])
  return wallet
}

const shown = (wallet: Page) => wallet.locator('main').innerText()

describe('a whole shop with express checkout', () => {
  it('BTN-02 BTN-09 BTN-10 FLOW-07 pays from above the form, with address and shipping chosen in the wallet', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await withMug(page, '/checkout/')
    const wallet = await opened(page, '#wc-ppcp-express-button')
    await logIn(wallet, 'multi-address@emulator.test')
    await wallet.getByText('400 Market Street').click()
    // A mug of 12.00, 7.25 % of California on it, and 6.90 to send it.
    await expect.poll(() => shown(wallet), { timeout: 15_000 }).toContain('19.77')
    const ways = wallet.locator('#shippingMethodsDropdown')
    await ways.selectOption({ label: (await ways.locator('option', { hasText: 'Express' }).textContent()) ?? '' })
    await expect.poll(() => shown(wallet), { timeout: 15_000 }).toContain('27.87')
    await agree(wallet).click()
    const id = await received(page)
    const [order] = await shop.db
      .sql`select total, shipping->>'city' as city, billing->>'email' as email from orders where id = ${id}`
    expect(order).toEqual({ total: 2787, city: 'San Francisco', email: 'multi-address@emulator.test' })
    const { captures } = await providersBooks(shop)
    expect(captures.map(({ amount }) => amount.value)).toEqual(['27.87'])
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-07 an address that the shop does not ship to is refused in the wallet, which nothing can be paid with then', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/Failed to load resource/] })
    const { page } = visitor
    await withMug(page, '/cart/')
    const wallet = await opened(page, '.wc-ppcp-cart-payments__container')
    await logIn(wallet, 'abroad@emulator.test')
    await wallet.getByRole('alert').waitFor()
    expect(await wallet.locator('#payment-submit-btn').isDisabled()).toBe(true)
    await Promise.all([wallet.waitForEvent('close'), wallet.locator('#cancelLink').click()])
    await expect.poll(() => page.locator('.wc-ppcp-wallet').getAttribute('data-phase')).toBe('idle')
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-02 FLOW-05 pays from the form, which says where it goes', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await withMug(page, '/checkout/')
    await fillCheckout(page)
    await page.locator('#payment_method_ppcp').check()
    const wallet = await opened(page, '.wc-ppcp-checkout-container')
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).click()
    const id = await received(page)
    const [order] = await shop.db
      .sql`select billing->>'email' as email, shipping->>'city' as city from orders where id = ${id}`
    expect(order).toEqual({ email: grace.email, city: grace.city })
    expect(visitor.errors).toEqual([])
  })

  it('FLOW-08 CHK-14 a customer saves a wallet without a purchase', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/my-account/')
    await page.locator('#reg_email').fill('keeps@example.test')
    await page.locator('#reg_password').fill('several words in a row')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('heading', { name: /^Hello, / }).waitFor()
    await page.goto('/my-account/add-payment-method/')
    await hereIAm(page)
    const wallet = await openBy(page, 'paypal')
    await logIn(wallet, 'buyer@emulator.test')
    await wallet.locator('#payment-submit-btn').click()
    await page.waitForURL('**/my-account/payment-methods/')
    const kept = await shop.db.sql`select method, account from payment_tokens`
    expect(kept).toEqual([{ method: 'ppcp', account: 'buyer@emulator.test' }])
    expect(visitor.errors).toEqual([])
  })
})

describe('a page without payment buttons', () => {
  type Chunk = { file: string; src?: string; imports?: string[] }

  /** Files of the build that hold anything of the payment code. */
  async function paymentFiles(): Promise<string[]> {
    const manifest: unknown = JSON.parse(await readFile(join(clientFolder, '.vite/manifest.json'), 'utf8'))
    const chunks = Object.values(manifest as Record<string, Chunk>)
    return chunks.filter(({ src }) => /(adapters|islands)\/payments\//.test(src ?? '')).map(({ file }) => file)
  }

  it('loads 0 bytes of payment code, from the shop or the provider', async () => {
    await using bare = await aShop({ settings: { paypal: { sections: ['checkout'] } } })
    await using visitor = await aShopper(browser, bare)
    const { page } = visitor
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const payment = await paymentFiles()
    expect(payment.length).toBeGreaterThan(3)
    for (const path of ['/', '/shop/', '/product/plain-mug/', '/product/linen-shirt/']) {
      await page.goto(path)
      await hereIAm(page)
      await page.mouse.wheel(0, 2000)
      await page.waitForLoadState('networkidle')
      expect(await page.content()).not.toMatch(/wcPPCPSettings|wc-ppcp/)
    }
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await page.getByRole('banner').getByRole('link', { name: /^Cart/ }).click()
    await page.waitForLoadState('networkidle')
    expect(asked.filter((url) => url.includes('/assets/')).length).toBeGreaterThan(3)
    expect(asked.filter((url) => payment.some((file) => url.endsWith(file)))).toEqual([])
    expect(asked.filter((url) => !url.startsWith(bare.url))).toEqual([])
    expect(visitor.errors).toEqual([])
  })
})
