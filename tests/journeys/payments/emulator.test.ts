import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { createPayPal } from '#paypal/client.ts'
import { walletOrderBody } from '#paypal/wallet-order-body.ts'
import { aBrowser, aVisitor, type Visitor } from '#tests/support/browser.ts'
import { type Emulator, startEmulator } from '../../../emulator/start-emulator.ts'
import { type Bundle, bundle } from '../browser/fixtures/bundle.ts'
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
  serveWith(shop)
  visitor = await aVisitor(browser)
  page = visitor.page
  const settings = paymentSettingsFor({ sdkUrl: `${emulator.url}/sdk/js` })
  shop.page(pageWith(settings, checkoutMarkup(), assets.entry))
  await page.goto(`${shop.url}/page/`)
})
afterEach(async () => {
  await visitor[Symbol.asyncDispose]()
  await shop.close()
})

/** The payment routes, answered with the real client: as much of the shop as a payment needs. */
function serveWith(shop: WalletShop): void {
  const quiet = () => {}
  const paypal = createPayPal({
    environment: {
      clock: { now: () => new Date(), sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}) },
      chance: { hex: () => 'ab', alphanumeric: () => 'ab', uuid: () => 'ab', fraction: () => 0.1 },
      network: { fetch: (url, init) => fetch(url, init) },
      log: { info: quiet, warn: quiet, error: quiet },
    },
    config: { apiBase: emulator.url, clientId: 'sb', clientSecret: 'emulator-secret', webhookId: 'WH-1' },
  })
  const usd = (minor: number) => money(minor, 'USD')
  const body = walletOrderBody(
    {
      orderId: '1001',
      invoiceId: 'SHOP-1001-1',
      description: 'Order 1001',
      total: usd(2500),
      lines: [{ name: 'Bowl', sku: 'B1', quantity: 1, subtotal: usd(2500), virtual: false }],
      shipping: usd(0),
      tax: usd(0),
      discount: usd(0),
      fees: usd(0),
      shipTo: null,
    },
    {
      brandName: 'Shop',
      shippingPreference: 'NO_SHIPPING',
      userAction: 'PAY_NOW',
      returnUrl: `${shop.url}/checkout/wallet-return/`,
      cancelUrl: `${shop.url}/checkout/wallet-cancel/`,
    },
  )
  shop.on('cart/order', async () => {
    const order = await paypal.createOrder(body, { requestId: 'create-1' })
    return order.ok ? { json: order.value.id } : { status: 400, json: { code: order.kind, message: 'no order' } }
  })
  let captures = 0
  shop.on('cart/checkout', async ({ body: fields }) => {
    captures += 1
    const answer = await paypal.captureOrder(String(fields.ppcp_paypal_order_id), { requestId: `capture-${captures}` })
    if (answer.ok) return { json: { result: 'success', redirect: '/checkout/order-received/1001/' } }
    const code = answer.kind === 'refused' ? answer.issue : answer.kind
    const messages = '<ul class="woocommerce-error" role="alert"><li>Your bank said no.</li></ul>'
    return { json: { result: 'failure', code, messages } }
  })
}

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

  it('F22 closed by hand, the button takes the next click and nothing is said', async () => {
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
    expect(page.context().pages()).toHaveLength(1)
  })
})

/** The provider may show the approval again in the same window or in a new one. */
async function reopened(wallet: Page): Promise<Page> {
  const popup = page.waitForEvent('popup').catch(() => wallet)
  const sameWindow = wallet.waitForURL(/checkoutnow/, { waitUntil: 'commit' }).then(() => wallet)
  return Promise.race([popup, sameWindow.catch(() => popup)])
}
