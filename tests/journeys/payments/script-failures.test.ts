import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { aBrowser, aVisitor, type Visitor } from '#tests/support/browser.ts'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'
import { hereIAm } from './fixtures/browsing.ts'
import { type FakeProvider, fakeProvider } from './fixtures/fake-provider.ts'
import {
  checkoutMarkup,
  orderId,
  pageWith,
  paymentSettingsFor,
  type WalletShop,
  walletShop,
} from './fixtures/wallet-shop.tsx'

let browser: Browser
let assets: Bundle
beforeAll(async () => {
  ;[browser, assets] = await Promise.all([aBrowser(), bundle('tests/journeys/payments/fixtures/wallet-entry.ts')])
})
afterAll(() => browser.close())

let provider: FakeProvider
let shop: WalletShop
let visitor: Visitor
let page: Page
/** What the page has written to the console as an error, the browser's own lines aside. */
let lines: string[]
beforeEach(async () => {
  provider = await fakeProvider()
  shop = await walletShop(assets, provider)
  visitor = await aVisitor(browser, { expectedErrors: [/./] })
  page = visitor.page
  lines = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|CORS policy/.test(message.text()))
      lines.push(message.text())
  })
})
afterEach(async () => {
  await visitor[Symbol.asyncDispose]()
  await shop.close()
  await provider.close()
})

async function open(change: (settings: PaymentSettings) => void = () => {}, body = checkoutMarkup()): Promise<void> {
  const settings = paymentSettingsFor(provider)
  change(settings)
  shop.page(pageWith(settings, body, assets.entry))
  await page.goto(`${shop.url}/page/`)
  await hereIAm(page)
}

const payPal = () => page.getByRole('button', { name: 'PayPal', exact: true })
const placeOrder = () => page.getByRole('button', { name: 'Place order' })
const inWallet = (name: string) => page.getByRole('dialog', { name: 'Wallet' }).getByRole('button', { name })
const phase = () => page.locator('.wc-ppcp-wallet').getAttribute('data-phase')

/** The order can be placed by the page's own button, with the wallet by redirect or with another method. */
async function otherwise(): Promise<void> {
  expect(await placeOrder().isVisible()).toBe(true)
  await page.getByLabel('cod', { exact: true }).check()
  await placeOrder().click()
  await expect.poll(() => shop.bodies('checkout').length).toBe(1)
  expect(shop.bodies('checkout')[0]).toMatchObject({ payment_method: 'cod' })
}

describe('a payment script that does not come as it should', () => {
  it.each([
    ['is not found', { down: true }],
    ['throws', { script: 'throw new Error("broken on purpose")' }],
    ['leaves nothing behind', { script: 'void 0' }],
    ['has no buttons in it', { script: 'window.paypal = { version: "5.0.1" }' }],
  ])('F33 at S5 to S7 that %s leaves every other way to pay, and says so once', async (_, spoilt) => {
    Object.assign(provider, spoilt)
    await open()
    await page.getByText('The PayPal button could not be loaded.').waitFor()
    expect(lines).toHaveLength(1)
    expect(await page.getByRole('alert').count()).toBe(0)
    await otherwise()
  })

  it('F33 at S5 to S7 that is blocked leaves every other way to pay, and says so once', async () => {
    await page.route(`${provider.origin}/**`, (route) => route.abort('blockedbyclient'))
    await open()
    await page.getByText('could not be loaded').waitFor()
    expect(lines).toEqual(['the payment script did not load: The payment script did not load.'])
    await otherwise()
  })

  it('F33 at S5 to S7 that does not answer is said to be slow, and holds nobody up', async () => {
    provider.silent = true
    await open()
    await page.getByText('PayPal is taking longer than usual…').waitFor()
    expect(lines).toEqual([])
    await otherwise()
  })

  it('F33 at S5 SDK-04 that knows no such language comes without it, in silence', async () => {
    await open(({ queryParams }) => Object.assign(queryParams, { locale: 'fr' }))
    await payPal().waitFor()
    expect(lines).toEqual([])
  })

  it('F33 at S5 SDK-05 that does not know the shop says so to the shopper, once', async () => {
    await open(({ generalData }) => Object.assign(generalData, { clientId: 'nobody' }))
    await expect.poll(() => page.getByRole('alert').count()).toBe(1)
    expect(await page.getByRole('alert').textContent()).toContain('The shop is not connected to PayPal.')
    expect(lines).toHaveLength(1)
    await otherwise()
  })

  it('F33 at S7 that another script has loaded before gives way, and the wallet pays', async () => {
    await page.addInitScript((url) => {
      addEventListener('DOMContentLoaded', () => {
        const other = document.createElement('script')
        other.src = `${url}?client-id=sb&currency=USD`
        document.head.append(other)
      })
    }, provider.sdkUrl)
    await open()
    await payPal().waitFor()
    expect(provider.loads).toHaveLength(2)
    expect(await payPal().count()).toBe(1)
    await payPal().click()
    await inWallet('Pay').click()
    await page.waitForURL('**/order-received/1001/?key=k')
  })
})

describe('every exit of an attempt', () => {
  const again = async () => {
    await expect.poll(phase).toBe('idle')
    await payPal().click()
    await inWallet('Cancel').waitFor()
    await expect.poll(phase).toBe('approving')
  }

  it('BTN-05 a cancelled one stores its order, tells so, and gives the button back', async () => {
    await open()
    await page.evaluate(() =>
      document.body.addEventListener('wc_ppcp_on_cancel', (event) => {
        if (event instanceof CustomEvent) document.body.dataset.cancelled = String(event.detail.args[0])
      }),
    )
    await payPal().click()
    await inWallet('Cancel').click()
    await again()
    expect(await page.locator('body').getAttribute('data-cancelled')).toBe(orderId)
    expect(shop.bodies('cart/order').map((body) => body.ppcp_paypal_order_id)).toEqual([undefined, orderId])
  })

  it('F22 at S7 a window that was closed says nothing, and gives the button back', async () => {
    await open()
    await payPal().click()
    await inWallet('Close').click()
    await again()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(lines).toEqual([])
  })

  it('BTN-06 an order that is refused shows why, once, and gives the button back', async () => {
    shop.on('cart/order', () => ({ status: 400, json: { code: 'out-of-stock', message: 'code 17' } }))
    await open()
    await payPal().click()
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('That is sold out.')
    expect(await page.getByRole('alert').count()).toBe(1)
    shop.on('cart/order', () => ({ json: orderId }))
    await again()
  })

  it('BTN-06 an order that cannot be one is shown as an error, and gives the button back', async () => {
    await open()
    shop.on('cart/order', () => ({ json: '' }))
    await payPal().click()
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toContain('The shop answered without a wallet order.')
    shop.on('cart/order', () => ({ json: orderId }))
    await again()
  })

  it('a script that is taken away under an open window gives way to another attempt', async () => {
    await open()
    await payPal().click()
    await inWallet('Pay').waitFor()
    await page.evaluate(() => {
      const sdk: unknown = Reflect.get(window, 'paypal')
      const destroy: unknown = typeof sdk === 'object' && sdk ? Reflect.get(sdk, '__internal_destroy__') : undefined
      if (typeof destroy === 'function') destroy()
    })
    await expect.poll(phase).toBe('idle')
    // Found gone at the next look, and made again.
    await payPal().waitFor()
  })
})

describe('a tick in the checkout form', () => {
  it('BTN-11 counts a quarter of a second later, when the ticks that follow it are in', async () => {
    await open(undefined, checkoutMarkup({ terms: true }))
    const enabled = () => payPal().locator('..').getAttribute('data-enabled')
    await expect.poll(enabled).toBe('false')
    const waited = await page.evaluate(async () => {
      const root = document.querySelector('[data-funding-source]')?.parentElement
      const terms = document.querySelector<HTMLInputElement>('#terms')
      if (!root || !terms) throw new Error('no button, or no terms')
      const began = performance.now()
      terms.click()
      await new Promise<void>((resolve) => {
        new MutationObserver(() => root.dataset.enabled === 'true' && resolve()).observe(root, { attributes: true })
      })
      return performance.now() - began
    })
    expect(waited).toBeGreaterThanOrEqual(249)
  })

  it('BTN-11 that is taken back meanwhile changes nothing', async () => {
    await open(undefined, checkoutMarkup({ terms: true }))
    const enabled = () => payPal().locator('..').getAttribute('data-enabled')
    await expect.poll(enabled).toBe('false')
    await page.evaluate(async () => {
      const root = document.querySelector<HTMLElement>('[data-funding-source]')?.parentElement
      const terms = document.querySelector<HTMLInputElement>('#terms')
      if (!root || !terms) throw new Error('no button, or no terms')
      new MutationObserver(() => {
        if (root.dataset.enabled === 'true') document.body.dataset.wasEnabled = 'true'
      }).observe(root, { attributes: true })
      terms.click()
      terms.click()
      await new Promise((resolve) => setTimeout(resolve, 400))
    })
    expect(await page.locator('body').getAttribute('data-was-enabled')).toBeNull()
  })
})
