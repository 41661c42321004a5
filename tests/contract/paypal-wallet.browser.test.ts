import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { desktop, phone } from '../support/browser.ts'
import { startButtonShop } from './fixtures/button-shop.ts'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProviderPage } from './fixtures/provider-setup.ts'

const { provider, shop, visit } = aProviderPage(startButtonShop)

const happened = (page: Page) => page.evaluate(() => (window as unknown as { happened: string[] }).happened)
const eventually = (page: Page, entry: string) => expect.poll(() => happened(page), { timeout: 8_000 }).toContain(entry)

async function walletButton(page: Page) {
  await eventually(page, 'rendered')
  return page.frameLocator('iframe.component-frame').getByRole('button', { name: 'PayPal' })
}

async function openWallet(page: Page): Promise<Page> {
  const button = await walletButton(page)
  const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()])
  return popup
}

/** The steps and element ids that also work in the real sandbox. */
async function logIn(wallet: Page | Frame, email = 'buyer@emulator.test'): Promise<void> {
  await wallet.locator('input#email[name=login_email]').fill(email)
  await wallet.locator('#btnNext').click()
  await wallet.locator('input#password[name=login_password]').fill('secret')
  await wallet.locator('#btnLogin').click()
}

describe('the button', () => {
  it('stands in a titled frame of its own origin and tells the page when it is there', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const button = await walletButton(visitor.page)
    expect(await button.getAttribute('data-funding-source')).toBe('paypal')
    const frame = visitor.page.locator('#place .paypal-buttons iframe.component-frame')
    expect(await frame.getAttribute('title')).toBe('PayPal')
    expect(await frame.getAttribute('name')).toMatch(/^__zoid__paypal_buttons__/)
    expect(await happened(visitor.page)).toEqual(['init', 'rendered'])
    expect(visitor.errors).toEqual([])
  })

  it('takes a buyer through log-in and payment, and closes the window when the shop has answered', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const wallet = await openWallet(visitor.page)
    await logIn(wallet)
    await wallet.locator('#payment-submit-btn').waitFor()
    expect(await wallet.evaluate(() => window.name)).toMatch(/^__zoid__paypal_checkout__/)
    expect(await wallet.locator('#payment-submit-btn').innerText()).toBe('Pay $33.50')
    await Promise.all([wallet.waitForEvent('close'), wallet.locator('#payment-submit-btn').click()])
    await eventually(visitor.page, 'captured COMPLETED')
    expect(await happened(visitor.page)).toEqual([
      'init',
      'rendered',
      'click paypal',
      'create',
      'approve 17 13',
      'captured COMPLETED',
    ])
    expect((await provider.ledger()).captures).toMatchObject([{ status: 'COMPLETED', amount: { value: '33.50' } }])
    expect(visitor.errors).toEqual([])
  })

  it('reports a cancellation with the order when the buyer leaves by the link', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const wallet = await openWallet(visitor.page)
    await Promise.all([wallet.waitForEvent('close'), wallet.locator('#cancelLink').click()])
    await eventually(visitor.page, 'cancel with order')
  })

  it('reports a cancellation when the window is closed, and takes the next click', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const wallet = await openWallet(visitor.page)
    await wallet.locator('#email').waitFor()
    await wallet.close()
    await eventually(visitor.page, 'cancel with order')
    const again = await openWallet(visitor.page)
    await again.locator('#email').waitFor()
    expect((await happened(visitor.page)).filter((entry) => entry === 'create')).toHaveLength(2)
  })

  it('reports a cancellation when the window is closed while the order is being made', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?slow`)
    const wallet = await openWallet(visitor.page)
    await wallet.close()
    await eventually(visitor.page, 'cancel with order')
  })

  it('hands the very error of createOrder to onError, once, and closes the window', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?refuse`)
    const wallet = await openWallet(visitor.page)
    if (!wallet.isClosed()) await wallet.waitForEvent('close')
    await eventually(visitor.page, 'error the same object')
    expect((await happened(visitor.page)).filter((entry) => entry.startsWith('error'))).toHaveLength(1)
  })

  it('makes no order when onClick says no', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?veto`)
    const wallet = await openWallet(visitor.page)
    if (!wallet.isClosed()) await wallet.waitForEvent('close')
    expect(await happened(visitor.page)).toEqual(['init', 'rendered', 'click paypal'])
    expect((await provider.ledger()).orders).toEqual([])
  })

  it('while disabled only tells onClick, and works again when enabled', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?disabled`)
    const button = await walletButton(visitor.page)
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await button.click({ force: true })
    await eventually(visitor.page, 'click paypal')
    expect(visitor.page.context().pages()).toHaveLength(1)
    await visitor.page.evaluate(() =>
      (window as unknown as { buttonActions: { enable(): Promise<void> } }).buttonActions.enable(),
    )
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
    await openWallet(visitor.page)
  })

  it('refuses an order in another currency than the script was loaded for', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?script=${encodeURIComponent('client-id=sb&currency=EUR')}&currency=USD`)
    await openWallet(visitor.page)
    await expect
      .poll(async () => (await happened(visitor.page)).at(-1), { timeout: 8_000 })
      .toMatch(
        /^error Expected currency from order api call to be EUR, got USD\. Please ensure you are passing currency=USD/,
      )
    await expect.poll(() => visitor.page.context().pages().length).toBe(1)
  })

  it('makes one order and opens one window however often it is clicked', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?slow`)
    const button = await walletButton(visitor.page)
    await button.dblclick()
    await expect.poll(async () => (await provider.ledger()).orders.length, { timeout: 8_000 }).toBe(1)
    expect(visitor.page.context().pages()).toHaveLength(2)
    expect((await happened(visitor.page)).filter((entry) => entry === 'create')).toHaveLength(1)
  })

  it('starts the approval of the same order again after a decline', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const wallet = await openWallet(visitor.page)
    await logIn(wallet, 'declined@emulator.test')
    await wallet.locator('#payment-submit-btn').click()
    await wallet.getByRole('alert').waitFor()
    await Promise.all([wallet.waitForEvent('close'), wallet.locator('#payment-submit-btn').click()])
    await eventually(visitor.page, 'captured COMPLETED')
    expect(await happened(visitor.page)).toContain('captured INSTRUMENT_DECLINED')
    expect((await provider.ledger()).orders).toMatchObject([{ status: 'COMPLETED', declines: 1 }])
  })

  it('shows the wallet in a layer when the browser lets no window open', async () => {
    await using visitor = await visit()
    await visitor.page.addInitScript(() => {
      window.open = () => null
    })
    await visitor.page.goto(shop.url)
    await (await walletButton(visitor.page)).click()
    const layer = visitor.page.locator('iframe.paypal-checkout-sandbox-iframe')
    await layer.waitFor()
    const frame = await (await layer.elementHandle())?.contentFrame()
    if (!frame) throw new Error('the layer has no frame')
    await logIn(frame)
    await frame.locator('#payment-submit-btn').click()
    await eventually(visitor.page, 'captured COMPLETED')
    await expect.poll(() => layer.count()).toBe(0)
  })
})

describe('the script', () => {
  it('is replaced by a second one, which destroys what the first has drawn', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    await walletButton(visitor.page)
    await visitor.page.evaluate((url) => {
      const script = document.createElement('script')
      script.src = `${url}/sdk/js?client-id=sb&currency=EUR`
      document.head.append(script)
    }, provider.url)
    await eventually(visitor.page, 'destroy')
    expect(await visitor.page.locator('.paypal-buttons').count()).toBe(0)
    expect(await visitor.page.locator('script[src*="currency=USD"]').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('exports only what was asked for and is built, under the name it was given', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const names = await visitor.page.evaluate(
      (url) =>
        new Promise<string[]>((resolve) => {
          const script = document.createElement('script')
          script.src = `${url}/sdk/js?client-id=sb&components=funding-eligibility,messages`
          script.dataset.namespace = 'other'
          script.onload = () => resolve(Object.keys((window as unknown as { other: object }).other))
          document.head.append(script)
        }),
      provider.url,
    )
    expect(names.sort()).toEqual([
      'FUNDING',
      'Messages',
      'getFundingSources',
      'isFundingEligible',
      'rememberFunding',
      'version',
    ])
    expect(await visitor.page.locator('.paypal-buttons').count()).toBe(1)
  })

  it('is what the official loader finds when it is sent here', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?bare`)
    await visitor.page.addScriptTag({ url: '/paypal-js.js' })
    const loaded = await visitor.page.evaluate(async (url) => {
      type Loader = (
        options: object,
      ) => Promise<{ version: string; Buttons(): { render(place: string): Promise<void> } }>
      const { paypalLoadScript } = window as unknown as { paypalLoadScript: Loader }
      const options = { clientId: 'sb', currency: 'EUR', sdkBaseUrl: `${url}/sdk/js`, dataPageType: 'checkout' }
      const paypal = await paypalLoadScript(options)
      await paypal.Buttons().render('#place')
      const again = await paypalLoadScript(options)
      return [paypal.version, again === paypal]
    }, provider.url)
    expect(loaded).toEqual([expect.stringMatching(/^5\.0\.\d+-emulator$/), true])
    expect(await visitor.page.locator('#place .paypal-buttons iframe').count()).toBe(1)
  })

  it('throws at a wrong style with the real text', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const messages = await visitor.page.evaluate(() => {
      const { paypal } = window as unknown as { paypal: { Buttons(options: object): unknown } }
      return [{ height: '40' }, { height: 60 }, { color: 'pink' }, { tagline: true, layout: 'vertical' }].map(
        (style) => {
          try {
            paypal.Buttons({ style })
            return 'no error'
          } catch (error) {
            return error instanceof Error ? error.message : String(error)
          }
        },
      )
    })
    expect(messages).toEqual([
      'Expected style.height to be a number, got: 40',
      'Expected style.height to be between 25px and 55px - got 60px',
      'Unexpected style.color for paypal button: pink, expected gold, blue, silver, black, white',
      'style.tagline is not allowed for vertical layout',
    ])
  })

  it('draws marks into the page, for one source or for all, and refuses what is not eligible', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${shop.url}/?bare`)
    await visitor.page.addScriptTag({ url: `${provider.url}/sdk/js?client-id=sb&components=buttons,marks` })
    const said = await visitor.page.evaluate(async () => {
      type Mark = { isEligible(): boolean; render(place: string | HTMLElement): Promise<void> }
      const { paypal } = window as unknown as { paypal: { Marks(options?: object): Mark } }
      const place = document.createElement('div')
      place.id = 'marks'
      document.body.append(place)
      await paypal.Marks({ fundingSource: 'paypal' }).render('#marks')
      const one = place.querySelectorAll('[role=img]').length
      await paypal.Marks().render(place)
      const labels = [...place.querySelectorAll('[role=img]')].map((mark) => mark.getAttribute('aria-label'))
      const venmo = paypal.Marks({ fundingSource: 'venmo' })
      const refused = await venmo.render('#marks').catch((error: Error) => error.message)
      const nowhere = await paypal
        .Marks()
        .render('#nowhere')
        .catch((error: Error) => error.message)
      return { one, labels, eligible: venmo.isEligible(), refused, nowhere: typeof nowhere }
    })
    expect(said).toEqual({
      one: 1,
      labels: ['PayPal', 'PayPal', 'Debit or credit card'],
      eligible: false,
      refused: 'venmo not eligible',
      nowhere: 'string',
    })
    expect(await visitor.page.locator('#marks [role=img]').first().boundingBox()).toMatchObject({ height: 20 })
  })

  it('says that another funding source is not eligible', async () => {
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    const said = await visitor.page.evaluate(async () => {
      type Button = { isEligible(): boolean; render(place: string): Promise<void> }
      const { paypal } = window as unknown as { paypal: { Buttons(options: object): Button } }
      const venmo = paypal.Buttons({ fundingSource: 'venmo' })
      return [venmo.isEligible(), await venmo.render('#place').catch((error: Error) => error.message)]
    })
    expect(said).toEqual([false, 'venmo is not eligible'])
  })
})

describe('the pages', () => {
  it.each([desktop, phone])('are usable by everybody, light and dark, at %j', async (size) => {
    await using visitor = await visit({ size })
    const { page } = visitor
    const order = await provider.call('POST', '/v2/checkout/orders', anOrder())
    const faults = async () => {
      await page.addScriptTag({ content: axe.source }).catch(() => page.evaluate(axe.source))
      const result = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
      return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${provider.url}/checkoutnow?token=${order.body.id}`)
      expect(await faults()).toEqual([])
      await logIn(page)
      await page.locator('#payment-submit-btn').waitFor()
      expect(await faults()).toEqual([])
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.goto(`${provider.url}/__emulator/`)
      expect(await faults()).toEqual([])
      await page.goto(`${provider.url}/sdk/frame`)
      expect((await faults()).filter((fault) => !/^(landmark|region|page-has)/.test(fault))).toEqual([])
    }
  })
})

describe('without scripts', () => {
  const context = () => ({ return_url: `${shop.url}/return?a=1`, cancel_url: `${shop.url}/cancel` })

  it('the pages lead a buyer back with token and payer', async () => {
    await using visitor = await visit({ javaScriptEnabled: false, size: phone })
    const { body } = await provider.call('POST', '/v2/checkout/orders', anOrder({ context: context() }))
    await visitor.page.goto(`${provider.url}/checkoutnow?token=${body.id}`)
    await logIn(visitor.page, 'multi-address@emulator.test')
    await visitor.page.getByText('400 Market Street').click()
    await visitor.page.locator('#payment-submit-btn').click()
    await visitor.page.waitForURL(/\/return/)
    const back = new URL(visitor.page.url())
    expect(Object.fromEntries(back.searchParams)).toEqual({
      a: '1',
      token: body.id,
      PayerID: expect.stringMatching(/^[2-9A-HJ-NP-Z]{13}$/),
    })
    const { body: order } = await provider.call('GET', `/v2/checkout/orders/${body.id}`)
    expect(order).toMatchObject({
      status: 'APPROVED',
      purchase_units: [{ shipping: { address: { address_line_1: '400 Market Street' } } }],
    })
  })

  it('the cancel link leads back with the token', async () => {
    await using visitor = await visit({ javaScriptEnabled: false })
    const { body } = await provider.call('POST', '/v2/checkout/orders', anOrder({ context: context() }))
    await visitor.page.goto(`${provider.url}/checkoutnow?token=${body.id}`)
    await visitor.page.locator('#cancelLink').click()
    await visitor.page.waitForURL(`${shop.url}/cancel?token=${body.id}`)
  })
})
