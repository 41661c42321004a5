import { json } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { localServer } from '#tests/support/http/local-server.ts'
import { phone } from '../support/browser.ts'
import { startButtonShop } from './fixtures/button-shop.ts'
import {
  type Actions,
  ALL_FUNDINGS,
  aShippedOrder,
  buttonOf,
  type Data,
  eventually,
  happened,
  logIn,
  type PlainWindow,
  pay,
  press,
} from './fixtures/plain-page.ts'
import { aProviderPage } from './fixtures/provider-setup.ts'

const { provider, shop, visit } = aProviderPage(startButtonShop)

declare const window: PlainWindow & Window

const plain = (script: string, more = '') => `${shop.url}/?plain&script=${encodeURIComponent(script)}${more}`

describe('shipping, asked of the page', () => {
  /** Draws a button whose callbacks are noted; `mode` says what they do. */
  async function drawShippingButton(page: Page, mode: string): Promise<void> {
    await page.evaluate(
      ([body, how]) => {
        const patched = (data: Data, value: string, shipping: string, selected: string) =>
          window.call('PATCH', `/v2/checkout/orders/${data.orderID}`, [
            {
              op: 'replace',
              path: "/purchase_units/@reference_id=='default'",
              value: {
                amount: {
                  currency_code: 'USD',
                  value,
                  breakdown: {
                    item_total: { currency_code: 'USD', value: '20.00' },
                    shipping: { currency_code: 'USD', value: shipping },
                  },
                },
                shipping: {
                  options: [
                    ['ground', 'Ground', '6.50'],
                    ['air', 'Air', '15.00'],
                  ].map(([id, label, price]) => ({
                    id,
                    label,
                    type: 'SHIPPING',
                    selected: id === selected,
                    amount: { currency_code: 'USD', value: price },
                  })),
                },
              },
            },
          ])
        const old = {
          onShippingChange: async (data: Data, actions: Actions) => {
            window.note('shipping', data)
            const { country_code } = data.shipping_address as { country_code: string }
            if (country_code !== 'US') return actions.reject?.()
            return actions.order.patch?.([
              {
                op: 'replace',
                path: "/purchase_units/@reference_id=='default'/amount",
                value: {
                  currency_code: 'USD',
                  value: '25.50',
                  breakdown: {
                    item_total: { currency_code: 'USD', value: '20.00' },
                    shipping: { currency_code: 'USD', value: '5.00' },
                    tax_total: { currency_code: 'USD', value: '0.50' },
                  },
                },
              },
            ])
          },
        }
        const current = {
          onShippingAddressChange: async (data: Data, actions: Actions) => {
            window.note('address', data)
            if (how === 'slow') {
              await new Promise((go) => Object.assign(window, { answerNow: go }))
              return window.note('answered')
            }
            if (how === 'throws') throw new Error('no price for this place')
            const { countryCode, postalCode } = data.shippingAddress as { countryCode: string; postalCode: string }
            const { errors } = data as { errors: { COUNTRY_ERROR: string } }
            if (countryCode !== 'US') return actions.reject?.(errors.COUNTRY_ERROR)
            return postalCode === '94111' ? patched(data, '26.50', '6.50', 'ground') : undefined
          },
          onShippingOptionsChange: async (data: Data, actions: Actions) => {
            window.note('option', data)
            if (how === 'no-air') return actions.reject?.((data.errors as Record<string, string>).METHOD_UNAVAILABLE)
            if (how !== 'builds') return patched(data, '35.00', '15.00', 'air')
            const operations = await actions.buildOrderPatchPayload?.({
              itemTotal: '20.00',
              discount: '1.00',
              shippingOption: data.selectedShippingOption,
            })
            return window.note('payload', operations)
          },
        }
        return window.paypal
          .Buttons({
            createOrder: async () => (await window.call('POST', '/v2/checkout/orders', body)).id,
            ...(how === 'none' ? {} : how === 'old' ? old : current),
            onApprove: async (data: Data) => {
              const order = await window.call('GET', `/v2/checkout/orders/${data.orderID}`)
              const [unit] = order.purchase_units as { amount: Data; shipping: { address: Data } }[]
              window.note('approve', `${unit?.amount.value} to ${unit?.shipping.address.postal_code}`)
            },
            onCancel: () => window.note('cancel'),
            onError: (error: Error) => window.note('error', error.message),
          })
          .render('#place')
      },
      [aShippedOrder(), mode] as const,
    )
  }

  async function reviewed(page: Page, mode: string, email = 'multi-address@emulator.test'): Promise<Page> {
    await page.goto(plain('client-id=sb'))
    await drawShippingButton(page, mode)
    const wallet = await press(page)
    await logIn(wallet, email)
    await wallet.locator('#payment-submit-btn').waitFor()
    return wallet
  }
  const told = async (page: Page, what: string, which = 0) => {
    await expect
      .poll(async () => (await happened(page)).filter((entry) => entry.startsWith(`${what} `)).length)
      .toBeGreaterThan(which)
    const entry = (await happened(page)).filter((one) => one.startsWith(`${what} `))[which] ?? ''
    return JSON.parse(entry.slice(what.length + 1)) as Data
  }
  const total = (wallet: Page) => wallet.locator('#payment-submit-btn').innerText()

  it('it hears the default address at log-in, with nothing of name and street', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'current')
    const data = await told(visitor.page, 'address')
    expect(data).toEqual({
      orderID: expect.stringMatching(/^[A-Z0-9]{17}$/),
      amount: { currencyCode: 'USD', value: '25.00' },
      shippingAddress: { city: 'San Jose', state: 'CA', countryCode: 'US', postalCode: '95131' },
      errors: expect.objectContaining({ ADDRESS_ERROR: expect.any(String), ZIP_ERROR: expect.any(String) }),
    })
    expect(await total(wallet)).toBe('Pay $25.00')
    await expect.poll(() => wallet.locator('#progress').innerText()).toBe('')
    await pay(wallet)
    await eventually(visitor.page, 'approve 25.00 to 95131')
    expect((await happened(visitor.page)).filter((entry) => entry.startsWith('address'))).toHaveLength(1)
    expect(visitor.errors).toEqual([])
  })

  it('another address, then another way: the wallet reads the order anew each time', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'current')
    await told(visitor.page, 'address')
    await wallet.getByText('400 Market Street').click()
    await expect.poll(() => total(wallet)).toBe('Pay $26.50')
    await wallet.locator('#shippingMethodsDropdown').focus()
    await wallet.locator('#shippingMethodsDropdown').selectOption('air')
    expect(await told(visitor.page, 'option')).toEqual({
      orderID: expect.any(String),
      selectedShippingOption: {
        id: 'air',
        label: 'Air',
        type: 'SHIPPING',
        selected: true,
        amount: { currencyCode: 'USD', value: '15.00' },
      },
      errors: { METHOD_UNAVAILABLE: expect.any(String), STORE_UNAVAILABLE: expect.any(String) },
    })
    await expect.poll(() => total(wallet)).toBe('Pay $35.00')
    expect(await wallet.locator('#shippingMethodsDropdown').inputValue()).toBe('air')
    // Whoever steers by keyboard is where they were.
    expect(await wallet.evaluate(() => document.activeElement?.id)).toBe('shippingMethodsDropdown')
    await pay(wallet)
    await eventually(visitor.page, 'approve 35.00 to 94111')
  })

  it('a refusal is shown in the shop’s words, and nothing can be paid until it is gone', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'current', 'abroad@emulator.test')
    expect(await wallet.getByRole('alert').innerText()).toBe("Your order can't be shipped to this country.")
    expect(await wallet.locator('#payment-submit-btn').isDisabled()).toBe(true)
    await Promise.all([wallet.waitForEvent('close'), wallet.locator('#cancelLink').click()])
    await eventually(visitor.page, 'cancel')
  })

  it('a refused way of shipping leaves the way before', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'no-air')
    await told(visitor.page, 'address')
    await wallet.locator('#shippingMethodsDropdown').selectOption('air')
    await wallet.getByRole('alert').waitFor()
    expect(await wallet.locator('#shippingMethodsDropdown').inputValue()).toBe('ground')
    await pay(wallet)
    await eventually(visitor.page, 'approve 25.00 to 95131')
  })

  it('the payload for a patch is built from what the page knows', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'builds')
    await told(visitor.page, 'address')
    await wallet.locator('#shippingMethodsDropdown').selectOption('air')
    // 20.00 + 12.00 − 1.00
    expect(await told(visitor.page, 'payload')).toMatchObject([
      {
        op: 'replace',
        path: "/purchase_units/@reference_id=='default'/amount",
        value: { value: '31.00', breakdown: { shipping: { value: '12.00' }, discount: { value: '1.00' } } },
      },
    ])
  })

  it('a page without callbacks leaves it to the wallet', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'none')
    await wallet.locator('#shippingMethodsDropdown').selectOption('air')
    await expect.poll(() => total(wallet)).toBe('Pay $32.00')
    await pay(wallet)
    await eventually(visitor.page, 'approve 32.00 to 95131')
  })

  it('it is never asked for Venmo', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain(ALL_FUNDINGS))
    await drawShippingButton(visitor.page, 'current')
    const wallet = await press(visitor.page, 'venmo')
    await logIn(wallet, 'multi-address@emulator.test')
    await wallet.locator('#shippingMethodsDropdown').selectOption('air')
    await expect.poll(() => total(wallet)).toBe('Pay $32.00')
    await pay(wallet)
    await eventually(visitor.page, 'approve 32.00 to 95131')
    expect(await happened(visitor.page)).toHaveLength(1)
  })

  it('the older callback hears both at once, and may refuse', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'old')
    expect(await told(visitor.page, 'shipping')).toMatchObject({
      orderID: expect.any(String),
      paymentToken: expect.any(String),
      shipping_address: { city: 'San Jose', state: 'CA', country_code: 'US', postal_code: '95131' },
      selected_shipping_option: { id: 'ground', label: 'Ground', type: 'SHIPPING', amount: { value: '5.00' } },
      forceRestAPI: true,
    })
    await expect.poll(() => total(wallet)).toBe('Pay $25.50')
    await wallet.getByRole('button', { name: 'Log out' }).click()
    await logIn(wallet, 'abroad@emulator.test')
    await wallet.getByRole('alert').waitFor()
    expect(await wallet.locator('#payment-submit-btn').isDisabled()).toBe(true)
  })

  it('a buyer may pay before the page has answered', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'slow')
    await told(visitor.page, 'address')
    await wallet.getByText('400 Market Street').click()
    await told(visitor.page, 'address', 1)
    expect(await wallet.locator('#progress').innerText()).toBe('Asking the shop …')
    await pay(wallet)
    await eventually(visitor.page, 'approve 25.00 to 94111')
    expect(await happened(visitor.page)).not.toContain('answered')
  })

  it('a fault of the callback is reported once, and counts as a refusal', async () => {
    await using visitor = await visit()
    const wallet = await reviewed(visitor.page, 'throws')
    await wallet.getByRole('alert').waitFor()
    expect((await happened(visitor.page)).filter((entry) => entry.startsWith('error'))).toEqual([
      'error no price for this place',
    ])
    expect(wallet.isClosed()).toBe(false)
  })

  it('is asked from the layer as well, where no window opens', async () => {
    await using visitor = await visit()
    await visitor.page.addInitScript(() => {
      window.open = () => null
    })
    await visitor.page.goto(plain('client-id=sb'))
    await drawShippingButton(visitor.page, 'current')
    await buttonOf(visitor.page, 'paypal').click()
    const layer = visitor.page.frameLocator('iframe.paypal-checkout-sandbox-iframe')
    await logIn(layer, 'multi-address@emulator.test')
    await told(visitor.page, 'address')
    await layer.getByText('400 Market Street').click()
    await expect.poll(() => layer.locator('#payment-submit-btn').innerText()).toBe('Pay $26.50')
    await layer.locator('#payment-submit-btn').click()
    await eventually(visitor.page, 'approve 26.50 to 94111')
  })
})

describe('shipping, asked of the shop’s server', () => {
  type Asked = { id: string; shipping_address?: { postal_code?: string }; shipping_option?: { id: string } }

  /** A shop's server: 94111 costs 6.50, air 15.00, and nothing goes to Greenland. */
  async function aCallback() {
    const asked: Asked[] = []
    const server = await localServer(async (request, response) => {
      const question = (await json(request)) as Asked & { shipping_address?: { country_code?: string } }
      asked.push(question)
      const usd = (value: string) => ({ currency_code: 'USD', value })
      const refused = question.shipping_address?.country_code === 'GL'
      const air = question.shipping_option?.id === 'air'
      const [shipping, value] = air ? ['15.00', '35.00'] : ['6.50', '26.50']
      const option = (id: string, label: string, price: string, selected: boolean) => ({
        id,
        label,
        type: 'SHIPPING',
        selected,
        amount: usd(price),
      })
      const accepted = {
        id: question.id,
        purchase_units: [
          {
            reference_id: 'default',
            amount: { ...usd(value), breakdown: { item_total: usd('20.00'), shipping: usd(shipping) } },
            shipping_options: [option('ground', 'Ground', '6.50', !air), option('air', 'Air', '15.00', air)],
          },
        ],
      }
      response
        .writeHead(refused ? 422 : 200, { 'content-type': 'application/json' })
        .end(
          JSON.stringify(refused ? { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'COUNTRY_ERROR' }] } : accepted),
        )
    })
    return { url: `${server.url}/shipping`, asked, [Symbol.asyncDispose]: server.close }
  }

  const asking = (url: string) => ({
    order_update_callback_config: { callback_url: url, callback_events: ['SHIPPING_ADDRESS', 'SHIPPING_OPTIONS'] },
  })

  it('it is asked at log-in and at every change, in a page without any script', async () => {
    await using callback = await aCallback()
    await using visitor = await visit({ javaScriptEnabled: false, size: phone })
    const { page } = visitor
    await page.route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'shop' }))
    const { body } = await provider.call('POST', '/v2/checkout/orders', aShippedOrder(asking(callback.url)))
    await page.goto(`${provider.url}/checkoutnow?token=${body.id}`)
    await logIn(page, 'multi-address@emulator.test')
    expect(await page.locator('#payment-submit-btn').innerText()).toBe('Pay $26.50')
    await page.locator('#shippingMethodsDropdown').selectOption('air')
    await page.getByRole('button', { name: 'Update the total' }).click()
    expect(await page.locator('#payment-submit-btn').innerText()).toBe('Pay $35.00')
    await page.getByText('400 Market Street').click()
    // Asked for is enough: nobody answers there.
    await Promise.all([page.waitForRequest(/shop\.example\/paid/), page.locator('#payment-submit-btn').click()])
    expect(callback.asked.map((one) => [one.shipping_address?.postal_code, one.shipping_option?.id])).toEqual([
      ['95131', undefined],
      ['95131', 'air'],
      ['94111', undefined],
      ['94111', 'air'],
    ])
    expect(callback.asked.every(({ id }) => id === body.id)).toBe(true)
  })

  it('its refusal stands on the page, which takes no payment', async () => {
    await using callback = await aCallback()
    await using visitor = await visit({ javaScriptEnabled: false })
    const { body } = await provider.call('POST', '/v2/checkout/orders', aShippedOrder(asking(callback.url)))
    await visitor.page.goto(`${provider.url}/checkoutnow?token=${body.id}`)
    await logIn(visitor.page, 'abroad@emulator.test')
    expect(await visitor.page.getByRole('alert').innerText()).toBe("Your order can't be shipped to this country.")
    expect(await visitor.page.locator('#payment-submit-btn').isDisabled()).toBe(true)
  })

  it('with a script the change needs no further press', async () => {
    await using callback = await aCallback()
    await using visitor = await visit()
    const { body } = await provider.call('POST', '/v2/checkout/orders', aShippedOrder(asking(callback.url)))
    await visitor.page.goto(`${provider.url}/checkoutnow?token=${body.id}`)
    await logIn(visitor.page, 'multi-address@emulator.test')
    await visitor.page.locator('#shippingMethodsDropdown').selectOption('air')
    await expect.poll(() => visitor.page.locator('#payment-submit-btn').innerText()).toBe('Pay $35.00')
    expect(visitor.errors).toEqual([])
  })
})
