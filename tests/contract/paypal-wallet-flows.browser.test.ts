import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { desktop, phone } from '../support/browser.ts'
import { startButtonShop } from './fixtures/button-shop.ts'
import { anOrder } from './fixtures/emulator-client.ts'
import {
  type Actions,
  ALL_FUNDINGS,
  aShippedOrder,
  type Data,
  drawPayButton,
  eventually,
  happened,
  logIn,
  type PlainWindow,
  pay,
  press,
  typeCard,
} from './fixtures/plain-page.ts'
import { aProviderPage } from './fixtures/provider-setup.ts'

const { provider, shop, visit } = aProviderPage(startButtonShop)

declare const window: PlainWindow & Window

const plain = (script: string, more = '') => `${shop.url}/?plain&script=${encodeURIComponent(script)}${more}`

const onlyOrder = async () => {
  const [order] = (await provider.ledger()).orders
  return (await provider.call('GET', `/v2/checkout/orders/${order?.id}`)).body
}

describe('the fundings', () => {
  it('stand in one stack, each named and with its source', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain(ALL_FUNDINGS))
    await drawPayButton(visitor.page, anOrder())
    const buttons = visitor.page.frameLocator('iframe.component-frame').getByRole('button')
    const seen = await buttons.evaluateAll((all) =>
      all.map((one) => `${one.getAttribute('data-funding-source')} ${one.ariaLabel}`),
    )
    expect(seen).toEqual(['paypal PayPal', 'venmo Venmo', 'paylater Pay Later', 'card Debit or Credit Card'])
    // Nothing of the last button is cut off.
    const frame = visitor.page.locator('iframe.component-frame')
    const last = await buttons.last().boundingBox()
    const whole = await frame.boundingBox()
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((whole?.y ?? 0) + (whole?.height ?? 0))
    expect(visitor.errors).toEqual([])
  })

  it.each([
    [ALL_FUNDINGS, {}, 'paypal venmo paylater card'],
    ['client-id=sb&currency=EUR&enable-funding=venmo,paylater&buyer-country=DE', {}, 'paypal paylater card'],
    ['client-id=sb&currency=USD&enable-funding=venmo,paylater&buyer-country=JP', {}, 'paypal card'],
    ['client-id=sb&currency=USD&enable-funding=venmo,paylater&vault=true', {}, 'paypal venmo card'],
    ['client-id=sb&currency=USD', {}, 'paypal card'],
    ['client-id=sb&currency=USD&disable-funding=card', {}, 'paypal'],
    [ALL_FUNDINGS, { createVaultSetupToken: true }, 'paypal'],
    [ALL_FUNDINGS, { createBillingAgreement: true }, 'paypal card'],
  ])('of %s with %j are %s', async (script, callbacks, expected) => {
    await using visitor = await visit()
    await visitor.page.goto(plain(script))
    const eligible = await visitor.page.evaluate(
      (given) =>
        ['paypal', 'venmo', 'paylater', 'card'].filter((fundingSource) =>
          window.paypal
            .Buttons({ fundingSource, ...Object.fromEntries(Object.keys(given).map((key) => [key, () => ''])) })
            .isEligible(),
        ),
      callbacks,
    )
    expect(eligible.join(' ')).toBe(expected)
  })

  it('leave the card out of a stack beside card fields, not out of its own button', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb&components=buttons,card-fields'))
    await drawPayButton(visitor.page, anOrder())
    const frame = visitor.page.frameLocator('iframe.component-frame')
    await frame.getByRole('button').first().waitFor()
    expect(await frame.getByRole('button').count()).toBe(1)
    expect(await visitor.page.evaluate(() => window.paypal.isFundingEligible('card'))).toBe(true)
  })

  it.each([
    ['paypal', 'paypal', 'PayPal balance'],
    ['paylater', 'paypal', 'Pay Later'],
    ['venmo', 'venmo', 'Venmo balance'],
  ])('%s is paid, and the order says %s', async (source, shown, instrument) => {
    await using visitor = await visit()
    await visitor.page.goto(plain(ALL_FUNDINGS))
    await drawPayButton(visitor.page, anOrder(), source)
    const wallet = await press(visitor.page, source)
    await logIn(wallet)
    expect(await wallet.locator('.choice:has([name=instrument]:checked)').innerText()).toContain(instrument)
    await pay(wallet)
    await eventually(visitor.page, 'captured COMPLETED')
    expect(await happened(visitor.page)).toEqual([
      `click ${source}`,
      `create ${source}`,
      `approve ${source}`,
      'captured COMPLETED',
    ])
    const order = await onlyOrder()
    expect(Object.keys(order.payment_source as object)).toEqual([shown])
    expect(visitor.errors).toEqual([])
  })

  it('a guest pays by card in the window, after a mistake that is told at its field', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain(ALL_FUNDINGS))
    await drawPayButton(visitor.page, anOrder(), 'card')
    const wallet = await press(visitor.page, 'card')
    await typeCard(wallet, { number: '4111 1111 1111 1112' })
    await wallet.locator('#guestSubmit').click()
    const problem = wallet.getByRole('alert')
    expect(await problem.innerText()).toBe('Check the number of the card.')
    expect(await wallet.locator('[name=number]').getAttribute('aria-describedby')).toBe(
      await problem.getAttribute('id'),
    )
    // What was right stays; the card's secrets are typed anew.
    expect(await wallet.locator('[name=street]').inputValue()).toBe('1 Main Street')
    expect(await wallet.locator('[name=cvv]').inputValue()).toBe('')
    await typeCard(wallet)
    await wallet.locator('#guestSubmit').click()
    expect(await wallet.locator('.choice:has([name=instrument])').innerText()).toBe('VISA ··1111')
    await pay(wallet)
    await eventually(visitor.page, 'captured COMPLETED')
    expect(await onlyOrder()).toMatchObject({
      payment_source: { card: { last_digits: '1111', brand: 'VISA' } },
      purchase_units: [{ shipping: { address: { address_line_1: '1 Main Street' } } }],
    })
  })
})

const setupBody = {
  payment_source: {
    paypal: {
      usage_type: 'MERCHANT',
      customer_type: 'CONSUMER',
      experience_context: {
        brand_name: 'Hats',
        shipping_preference: 'NO_SHIPPING',
        vault_instruction: 'ON_PAYER_APPROVAL',
        return_url: 'https://shop.example/kept?a=1',
        cancel_url: 'https://shop.example/not-kept',
      },
    },
  },
}

describe('a guest whose card is declined', () => {
  it('types in another one, for the same order', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.goto(plain('client-id=sb'))
    await page.evaluate(
      (order) =>
        window.paypal
          .Buttons({
            fundingSource: 'card',
            createOrder: async () => (await window.call('POST', '/v2/checkout/orders', order)).id,
            onApprove: async (data: Data, actions: Actions) => {
              const captured = await window.call('POST', `/v2/checkout/orders/${data.orderID}/capture`, {})
              window.note('captured', captured.status ?? captured.name)
              return captured.status ? undefined : actions.restart?.()
            },
          })
          .render('#place'),
      anOrder(),
    )
    const wallet = await press(page, 'card')
    // Its ending is one that the bank refuses.
    await typeCard(wallet, { number: '4000 0000 0000 0002' })
    await wallet.locator('#guestSubmit').click()
    await wallet.locator('#payment-submit-btn').click()
    await wallet.getByText('Your card was declined. Use another one.').waitFor()
    await typeCard(wallet)
    await wallet.locator('#guestSubmit').click()
    await pay(wallet)
    await eventually(page, 'captured COMPLETED')
    expect((await provider.ledger()).orders).toHaveLength(1)
  })
})

describe('keeping a way to pay', () => {
  async function drawKeepButton(page: Page): Promise<void> {
    await page.evaluate(
      (body) =>
        window.paypal
          .Buttons({
            onClick: () => window.note('click'),
            createOrder: () => window.note('an order, of all things'),
            createVaultSetupToken: async () => (await window.call('POST', '/v3/vault/setup-tokens', body)).id,
            onApprove: async (data: Data) => {
              window.note('approve', Object.keys(data).sort().join())
              const source = { token: { id: data.vaultSetupToken, type: 'SETUP_TOKEN' } }
              const kept = await window.call('POST', '/v3/vault/payment-tokens', { payment_source: source })
              window.note('kept', kept.payment_source)
            },
            onCancel: (data: Data) => window.note('cancel', Object.keys(data).join()),
            onError: (error: Error) => window.note('error', error.message),
          })
          .render('#place'),
      setupBody,
    )
  }

  it('a setup token is agreed to, and becomes a payment token', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb'))
    await drawKeepButton(visitor.page)
    const wallet = await press(visitor.page)
    await logIn(wallet)
    await wallet.getByRole('heading', { name: 'Save PayPal for Hats' }).waitFor()
    expect(new URL(wallet.url()).pathname).toBe('/agreements/approve')
    await pay(wallet)
    await eventually(visitor.page, /^kept .*buyer@emulator\.test/)
    expect((await happened(visitor.page)).slice(0, 2)).toEqual([
      'click',
      'approve payerID,paymentSource,vaultSetupToken',
    ])
    expect((await provider.ledger()).orders).toEqual([])
    expect(visitor.errors).toEqual([])
  })

  it('leaving by the link or by closing the window cancels', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb'))
    await drawKeepButton(visitor.page)
    const wallet = await press(visitor.page)
    await Promise.all([wallet.waitForEvent('close'), wallet.locator('#cancelLink').click()])
    await eventually(visitor.page, 'cancel vaultSetupToken')
    const again = await press(visitor.page)
    await again.locator('#email').waitFor()
    await again.close()
    await expect
      .poll(async () => (await happened(visitor.page)).filter((entry) => entry.startsWith('cancel')).length)
      .toBe(2)
  })

  it('without scripts the page leads back with the token, agreed or cancelled', async () => {
    await using visitor = await visit({ javaScriptEnabled: false, size: phone })
    const { page } = visitor
    const { body } = await provider.call('POST', '/v3/vault/setup-tokens', setupBody, { 'paypal-request-id': 'k-1' })
    await page.route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'shop' }))
    const approve = (body.links as { rel: string; href: string }[]).find(({ rel }) => rel === 'approve')?.href ?? ''
    await page.goto(approve)
    // Asked for is enough: nobody answers there.
    const leads = (address: string) => page.waitForRequest(address)
    await Promise.all([
      leads(`https://shop.example/not-kept?approval_session_id=${body.id}`),
      page.locator('#cancelLink').click(),
    ])
    await page.goto(approve)
    await logIn(page)
    await Promise.all([
      leads(`https://shop.example/kept?a=1&approval_token_id=${body.id}&approval_session_id=${body.id}`),
      page.locator('#payment-submit-btn').click(),
    ])
  })

  const agreementBody = {
    description: 'Hats',
    payer: { payment_method: 'PAYPAL' },
    plan: {
      type: 'MERCHANT_INITIATED_BILLING',
      merchant_preferences: { return_url: 'https://shop.example/r', cancel_url: 'https://shop.example/c' },
    },
  }
  async function drawAgreementButton(page: Page): Promise<void> {
    await page.evaluate(
      (body) =>
        window.paypal
          .Buttons({
            createBillingAgreement: async () =>
              (await window.call('POST', '/v1/billing-agreements/agreement-tokens', body)).token_id,
            onApprove: async (data: Data) => {
              const made = await window.call('POST', '/v1/billing-agreements/agreements', {
                token_id: data.billingToken,
              })
              window.note('agreed', made.state)
            },
            onError: (error: Error) => window.note('error', error.message),
          })
          .render('#place'),
      agreementBody,
    )
  }

  it('an agreement of the older kind is agreed to', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb&vault=true&intent=tokenize'))
    await drawAgreementButton(visitor.page)
    const wallet = await press(visitor.page)
    await logIn(wallet)
    await pay(wallet)
    await eventually(visitor.page, 'agreed ACTIVE')
  })

  it('an agreement needs the script to be loaded for it', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb'))
    await drawAgreementButton(visitor.page)
    await press(visitor.page)
    await eventually(visitor.page, 'error Must pass vault=true to sdk to use createBillingAgreement')
    await expect.poll(() => visitor.page.context().pages().length).toBe(1)
  })

  it('a payer who is known to the shop is greeted, and need not log in', async () => {
    const setup = await provider.call('POST', '/v3/vault/setup-tokens', setupBody, { 'paypal-request-id': 'k-2' })
    await using first = await visit({ javaScriptEnabled: false })
    await first.page.route('https://shop.example/**', (route) => route.fulfill({ body: 'shop' }))
    await first.page.goto(`${provider.url}/agreements/approve?approval_session_id=${setup.body.id}`)
    await logIn(first.page)
    await Promise.all([
      first.page.waitForRequest('https://shop.example/**'),
      first.page.locator('#payment-submit-btn').click(),
    ])
    const { customer } = (await provider.call('GET', `/v3/vault/setup-tokens/${setup.body.id}`)).body as {
      customer: { id: string }
    }
    const answer = await fetch(`${provider.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('sb:emulator-secret')}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        response_type: 'id_token',
        target_customer_id: customer.id,
      }),
    })
    const { id_token } = (await answer.json()) as { id_token: string }

    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb', `&idToken=${id_token}`))
    await drawPayButton(visitor.page, anOrder())
    const wallet = await press(visitor.page)
    await wallet.getByRole('heading', { name: 'Hi, Ada' }).waitFor()
    await pay(wallet)
    await eventually(visitor.page, 'captured COMPLETED')
    expect(visitor.errors).toEqual([])
  })
})

describe('what crosses', () => {
  it('a script that is loaded anew closes the window that is open, and says why', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb'))
    await drawPayButton(visitor.page, anOrder())
    const wallet = await press(visitor.page)
    await wallet.locator('#email').waitFor()
    const closed = wallet.waitForEvent('close')
    await visitor.page.evaluate((url) => {
      const script = document.createElement('script')
      script.src = `${url}/sdk/js?client-id=sb&currency=EUR`
      document.head.append(script)
    }, provider.url)
    await closed
    await eventually(visitor.page, /^error New SDK instance loaded, existing instance destroyed \(paypal /)
    expect((await happened(visitor.page)).filter((entry) => entry.startsWith('error'))).toHaveLength(1)
  })

  it('what an app left in the address is told once, to a page that waits for it', async () => {
    await using visitor = await visit()
    await visitor.page.goto(`${plain('client-id=sb')}#onApprove&token=5O190127TN364715T&PayerID=QYR5Z8XDVJNXQ`)
    const told = await visitor.page.evaluate(async () => {
      const seen: unknown[] = []
      const options = { onApprove: (data: Data) => void seen.push(data.orderID, data.payerID) }
      const waits = window.paypal.Buttons({ ...options, appSwitchWhenAvailable: true })
      seen.push(window.paypal.Buttons(options).hasReturned(), waits.hasReturned())
      await waits.resume()
      await waits.resume()
      return [...seen, waits.hasReturned()]
    })
    expect(told).toEqual([false, true, '5O190127TN364715T', 'QYR5Z8XDVJNXQ', false])
  })

  it('what updateProps changes holds from the next click on', async () => {
    await using visitor = await visit()
    await visitor.page.goto(plain('client-id=sb'))
    await visitor.page.evaluate(async () => {
      const buttons = window.paypal.Buttons({ onClick: (_: Data, actions: Actions) => actions.reject?.() })
      await buttons.render('#place')
      await buttons.updateProps({
        onClick: (_: Data, actions: Actions) => {
          window.note('the later one')
          return actions.reject?.()
        },
      })
    })
    const wallet = await press(visitor.page)
    if (!wallet.isClosed()) await wallet.waitForEvent('close')
    expect(await happened(visitor.page)).toEqual(['the later one'])
  })

  it('a page that is left from onCancel closes the window first', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.goto(plain('client-id=sb'))
    await page.evaluate(
      (order) =>
        window.paypal
          .Buttons({
            createOrder: async () => (await window.call('POST', '/v2/checkout/orders', order)).id,
            onCancel: (_: Data, actions: Actions) => actions.redirect?.(`${location.origin}/cancel`),
          })
          .render('#place'),
      anOrder(),
    )
    const wallet = await press(page)
    await Promise.all([wallet.waitForEvent('close'), wallet.locator('#cancelLink').click()])
    await page.waitForURL(`${shop.url}/cancel`)
  })

  it.each([
    ['data-page-type', 'shelf', "Invalid page type, 'shelf'"],
    ['data-amount', '12.5', 'Invalid amount: 12.5'],
  ])('a script with %s %s throws', async (name, value, message) => {
    await using visitor = await visit({ expectedErrors: [/Invalid/] })
    await visitor.page.goto(`${shop.url}/?bare`)
    const thrown = visitor.page.waitForEvent('pageerror')
    await visitor.page.evaluate(
      ([attribute, given, url]) => {
        const script = document.createElement('script')
        script.setAttribute(attribute, given)
        script.src = `${url}/sdk/js?client-id=sb`
        document.head.append(script)
      },
      [name, value, provider.url] as const,
    )
    expect((await thrown).message).toBe(message)
  })
})

describe('the pages of these flows', () => {
  it.each([desktop, phone])('are usable by everybody, light and dark, at %j', async (size) => {
    await using visitor = await visit({ size })
    const { page } = visitor
    const faults = async () => {
      await page.evaluate(axe.source)
      const result = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
      return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
    const sidewards = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const { body: order } = await provider.call('POST', '/v2/checkout/orders', aShippedOrder())
      await page.goto(`${provider.url}/checkoutnow?token=${order.id}&fundingSource=card`)
      await page.locator('#guestSubmit').click()
      await page.getByRole('alert').waitFor()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
      expect([await faults(), await sidewards()]).toEqual([[], false])
      await page.goto(`${provider.url}/checkoutnow?token=${order.id}&fundingSource=venmo`)
      expect([await faults(), await sidewards()]).toEqual([[], false])
      await logIn(page, 'multi-address@emulator.test')
      await page.locator('#payment-submit-btn').waitFor()
      expect([await faults(), await sidewards()]).toEqual([[], false])
      const request = { 'paypal-request-id': `axe-${size.width}-${colorScheme}` }
      const { body: setup } = await provider.call('POST', '/v3/vault/setup-tokens', setupBody, request)
      await page.goto(`${provider.url}/agreements/approve?approval_session_id=${setup.id}`)
      await logIn(page)
      await page.locator('#payment-submit-btn').waitFor()
      expect([await faults(), await sidewards()]).toEqual([[], false])
    }
  })
})

describe('a foreign client', () => {
  it('the official loader brings a button that pays', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await page.goto(`${shop.url}/?bare`)
    await page.addScriptTag({ url: '/plain.js' })
    await page.addScriptTag({ url: '/paypal-js.js' })
    await page.evaluate(
      async ([url, order]) => {
        type Loader = (options: object) => Promise<PlainWindow['paypal']>
        const { paypalLoadScript } = window as unknown as { paypalLoadScript: Loader }
        const paypal = await paypalLoadScript({ clientId: 'sb', sdkBaseUrl: `${url}/sdk/js`, dataPageType: 'checkout' })
        await paypal
          .Buttons({
            createOrder: async () => (await window.call('POST', '/v2/checkout/orders', order)).id,
            onApprove: async (_: Data, actions: Actions) => {
              const captured = (await actions.order.capture?.()) as Data
              window.note('captured', captured.status)
            },
          })
          .render('#place')
      },
      [provider.url, anOrder()] as const,
    )
    const wallet = await press(page)
    await logIn(wallet)
    await pay(wallet)
    await eventually(page, 'captured COMPLETED')
    expect((await provider.ledger()).captures).toMatchObject([{ status: 'COMPLETED', amount: { value: '33.50' } }])
  })
})
