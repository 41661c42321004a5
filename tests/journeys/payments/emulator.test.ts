import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBrowser, aVisitor, type Visitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { type Emulator, startEmulator } from '../../../emulator/start-emulator.ts'
import { hereIAm } from './fixtures/browsing.ts'
import { payThrough } from './fixtures/pay-through.ts'
import { checkoutMarkup, pageWith, paymentSettingsFor, type WalletShop, walletShop } from './fixtures/wallet-shop.tsx'

let browser: Browser
let assets: Bundle
let emulator: Emulator
beforeAll(async () => {
  ;[browser, assets, emulator] = await Promise.all([
    aBrowser(),
    bundle('tests/journeys/payments/fixtures/wallet-entry.ts'),
    startEmulator(),
  ])
})
afterAll(async () => {
  await browser.close()
  await emulator.close()
})

let shop: WalletShop
let visitor: Visitor
let page: Page
beforeEach(async () => {
  await fetch(`${emulator.url}/__emulator/reset`, { method: 'POST' })
  shop = await walletShop(assets, { origin: emulator.url })
  payThrough(emulator.url, shop)
  visitor = await aVisitor(browser)
  page = visitor.page
  const settings = paymentSettingsFor({ sdkUrl: `${emulator.url}/sdk/js` })
  shop.page(pageWith(settings, checkoutMarkup(), assets.entry))
  await page.goto(`${shop.url}/page/`)
  await hereIAm(page)
})
afterEach(async () => {
  await visitor[Symbol.asyncDispose]()
  await shop.close()
})

type Ledger = { captures: { status: string; amount: { value: string } }[] }
const ledger = async (): Promise<Ledger> => {
  const answer = await fetch(`${emulator.url}/__emulator/ledger`)
  // The emulator's own account of what was paid.
  return (await answer.json()) as Ledger
}

async function openWallet(): Promise<Page> {
  const button = page.frameLocator('.wc-ppcp-wallet__button iframe').getByRole('button', { name: 'PayPal' })
  await button.waitFor()
  const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()])
  return popup
}

/** The steps and element ids that also work in the real sandbox. */
async function logIn(wallet: Page, email: string): Promise<void> {
  await wallet.locator('input#email[name=login_email]').fill(email)
  await wallet.locator('#btnNext').click()
  await wallet.locator('input#password[name=login_password]').fill('secret')
  await wallet.locator('#btnLogin').click()
}

const phase = () => page.locator('.wc-ppcp-wallet').getAttribute('data-phase')

describe('the wallet button with the emulated provider', () => {
  it('FLOW-01 CHK-09 pays: log in, approve, order received, one capture', async () => {
    const wallet = await openWallet()
    await logIn(wallet, 'buyer@emulator.test')
    await wallet.locator('#payment-submit-btn').click()
    await page.waitForURL('**/checkout/order-received/1001/')
    expect((await ledger()).captures).toMatchObject([{ status: 'COMPLETED', amount: { value: '25.00' } }])
    expect(visitor.errors).toEqual([])
  })

  it('F12 declined, the wallet opens again for the same order, and the second approval pays', async () => {
    const wallet = await openWallet()
    await logIn(wallet, 'declined@emulator.test')
    const [again] = await Promise.all([reopened(wallet), wallet.locator('#payment-submit-btn').click()])
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Your bank said no.')
    if (await again.locator('#email').isVisible()) await logIn(again, 'buyer@emulator.test')
    await again.locator('#payment-submit-btn').click()
    await page.waitForURL('**/checkout/order-received/1001/')
    expect((await ledger()).captures.filter(({ status }) => status === 'COMPLETED')).toHaveLength(1)
    expect(shop.bodies('cart/order')).toHaveLength(1)
  })

  it('BTN-05 cancelled by the link, the button takes the next click', async () => {
    const wallet = await openWallet()
    await wallet.locator('#cancelLink').click()
    await expect.poll(phase).toBe('idle')
    const again = await openWallet()
    await again.locator('#email').waitFor()
  })

  it('F22 at S7 closed by hand, the button takes the next click and nothing is said', async () => {
    const wallet = await openWallet()
    await wallet.locator('#email').waitFor()
    await wallet.close()
    await expect.poll(phase, { timeout: 8000 }).toBe('idle')
    expect(await page.getByRole('alert').count()).toBe(0)
    await (await openWallet()).locator('#email').waitFor()
  })

  it('NOTE-07 an order that is refused closes the window and shows why', async () => {
    shop.on('cart/order', () => ({ status: 400, json: { code: 'rest-error', message: 'The cart is empty.' } }))
    await openWallet()
    await expect.poll(async () => (await page.getByRole('alert').textContent())?.trim()).toBe('The cart is empty.')
    await expect.poll(phase).toBe('idle')
    await expect.poll(() => page.context().pages().length).toBe(1)
  })
})

/** The provider may show the approval again in the same window or in a new one. */
async function reopened(wallet: Page): Promise<Page> {
  const popup = page.waitForEvent('popup').catch(() => wallet)
  const sameWindow = wallet.waitForURL(/checkoutnow/, { waitUntil: 'commit' }).then(() => wallet)
  return Promise.race([popup, sameWindow.catch(() => popup)])
}
