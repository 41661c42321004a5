import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { desktop, phone } from '../support/browser.ts'
import { startCardShop } from './fixtures/card-shop.ts'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProviderPage } from './fixtures/provider-setup.ts'

const { provider, shop, visit } = aProviderPage(startCardShop)

type Token = {
  id: string
  paymentSource: { card: { brand: string; lastDigits: string; expiry: string; name?: string; billingAddress?: object } }
}
/** The parts of the script's object that these tests use. */
type Fastlane = {
  setLocale(locale: string): void
  identity: {
    lookupCustomerByEmail(email: string): Promise<{ customerContextId?: string }>
    triggerAuthenticationFlow(
      id: string,
    ): Promise<{ authenticationState: string; profileData: Record<string, unknown> }>
  }
  profile: { showShippingAddressSelector(): Promise<unknown>; showCardSelector(): Promise<unknown> }
  FastlaneWatermarkComponent(options: object): Promise<{ render(place: string): Promise<void> }>
  FastlaneCardComponent(options: object): Promise<{
    render(place: string): Promise<void>
    getPaymentToken(given: object): Promise<Token>
  }>
  FastlanePaymentComponent(options: object): Promise<{
    render(place: string): Promise<void>
    getPaymentToken(): Promise<Token>
    setShippingAddress(address: object): Promise<void>
  }>
}
type FastlaneWindow = {
  paypal: { Fastlane(options?: object): Promise<Fastlane> }
  fl: Fastlane
  payment: Awaited<ReturnType<Fastlane['FastlanePaymentComponent']>>
}

const LONG_ENOUGH = { timeout: 10_000 }
const SCRIPT = 'client-id=sb&currency=USD&components=buttons,card-fields,fastlane'

async function clientToken(domain = '127.0.0.1'): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    response_type: 'client_token',
    intent: 'sdk_init',
  })
  form.append('domains[]', domain)
  const answer = await fetch(`${provider.url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sb:emulator-secret')}` },
    body: form,
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return access_token
}

async function openPage(page: Page, token: string | undefined, more = ''): Promise<void> {
  const attributes = token === undefined ? '' : `data-sdk-client-token="${token}"`
  const query = new URLSearchParams({ bare: '', script: SCRIPT, attributes })
  await page.goto(`${shop.url}/?${query}${more}`)
}

/** A page with accelerated checkout at `window.fl`. */
async function start(page: Page, options: object = {}, more = ''): Promise<void> {
  await openPage(page, await clientToken(), more)
  await page.evaluate(async (given) => {
    const shopWindow = window as unknown as FastlaneWindow
    shopWindow.fl = await shopWindow.paypal.Fastlane(given)
  }, options)
}

const begin = (page: Page, options: object = {}) =>
  page.evaluate(
    (given) =>
      (window as unknown as FastlaneWindow).paypal.Fastlane(given).then(
        () => 'there',
        (error: Error) => error.message,
      ),
    options,
  )

/** Looks the address up and starts the dialog; the promise settles when it has ended. */
function authenticate(page: Page, email: string) {
  return page.evaluate(async (address) => {
    const { fl } = window as unknown as FastlaneWindow
    const { customerContextId } = await fl.identity.lookupCustomerByEmail(address)
    return fl.identity.triggerAuthenticationFlow(customerContextId ?? '')
  }, email)
}

const dialog = (page: Page) => page.frameLocator('[role=dialog] iframe')
const payment = (page: Page) => page.frameLocator('#payment iframe')

async function member(page: Page, email = 'member@emulator.test') {
  const done = authenticate(page, email)
  await dialog(page).locator('input[name=code]').pressSequentially('123456')
  return done
}

describe('paypal.Fastlane', () => {
  it('needs a client token that is the provider’s own and for the page’s domain', async () => {
    await using visitor = await visit({ expectedErrors: [/40[13]/] })
    const { page } = visitor
    await openPage(page, undefined)
    expect(await begin(page)).toMatch(/data-sdk-client-token is missing/)
    await openPage(page, 'A21AAmadeup')
    expect(await begin(page)).toBe('Invalid SDK client token')
    await openPage(page, await clientToken('example.com'))
    expect(await begin(page)).toBe('The SDK client token is not for the domain 127.0.0.1')
    await openPage(page, await clientToken())
    expect(await begin(page)).toBe('there')
  })

  it('gives the same promise however often it is called', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const same = await page.evaluate(() => {
      const { paypal } = window as unknown as FastlaneWindow
      return paypal.Fastlane() === paypal.Fastlane({ styles: {} })
    })
    expect(same).toBe(true)
    expect(await page.locator('iframe').count()).toBe(1)
    expect(visitor.errors).toEqual([])
  })

  it('knows nobody, offers nothing to choose, for a merchant without it', async () => {
    await provider.control('/eligibility', { fastlane: false })
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const answers = await page.evaluate(async () => {
      const { fl } = window as unknown as FastlaneWindow
      const looked = await fl.identity.lookupCustomerByEmail('member@emulator.test')
      const address = await fl.profile.showShippingAddressSelector()
      const card = await fl.profile.showCardSelector()
      return { looked, address: address === undefined, card: card === undefined }
    })
    expect(answers).toEqual({ looked: { customerContextId: '' }, address: true, card: true })
  })
})

describe('recognising a member', () => {
  it('finds members by their address and takes everybody else for a guest', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const lookUp = (email: string) =>
      page.evaluate((given) => (window as unknown as FastlaneWindow).fl.identity.lookupCustomerByEmail(given), email)
    expect((await lookUp('Member@emulator.test')).customerContextId).not.toBe('')
    expect((await lookUp('somebody@example.com')).customerContextId).toBe('')
  })

  it('asks for the code in a dialog and gives name, address and a card that pays once', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const done = authenticate(page, 'member@emulator.test')
    await page.getByRole('dialog', { name: 'Fastlane' }).waitFor()
    const input = dialog(page).getByLabel('Code')
    await expect.poll(() => input.evaluate((field) => document.activeElement === field), LONG_ENOUGH).toBe(true)
    expect(await dialog(page).locator('#sent').innerText()).toContain('··42')
    await page.keyboard.type('123456')
    const { authenticationState, profileData } = await done
    expect(authenticationState).toBe('succeeded')
    expect(profileData).toMatchObject({
      name: { fullName: 'Mia Member', firstName: 'Mia', lastName: 'Member' },
      shippingAddress: {
        companyName: '',
        name: { fullName: 'Mia Member' },
        address: {
          addressLine1: '48 Orchard Lane',
          addressLine2: 'Apt 5',
          adminArea1: 'CA',
          adminArea2: 'San Jose',
          postalCode: '95131',
          countryCode: 'US',
        },
        phoneNumber: { countryCode: '1', nationalNumber: '4085550142' },
      },
      card: {
        paymentSource: {
          card: {
            brand: 'VISA',
            expiry: '2030-01',
            lastDigits: '1111',
            name: 'Mia Member',
            billingAddress: { addressLine1: '48 Orchard Lane', countryCode: 'US' },
          },
        },
      },
    })
    expect(await page.getByRole('dialog').count()).toBe(0)
    const token = (profileData.card as Token).id
    const order = { ...anOrder(), payment_source: { card: { single_use_token: token } } }
    const paid = await provider.call('POST', '/v2/checkout/orders', order, { 'paypal-request-id': 'once' })
    expect(paid.body).toMatchObject({ status: 'COMPLETED' })
    const again = await provider.call('POST', '/v2/checkout/orders', order, { 'paypal-request-id': 'twice' })
    expect(again.status).toBe(422)
    expect(visitor.errors).toEqual([])
  })

  it('leaves out what a member does not have', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const bare = await member(page, 'member-nocard@emulator.test')
    expect(bare.profileData).toHaveProperty('shippingAddress')
    expect(bare.profileData).not.toHaveProperty('card')
    const homeless = await member(page, 'member-noaddress@emulator.test')
    expect(homeless.profileData).toHaveProperty('card')
    expect(homeless.profileData).not.toHaveProperty('shippingAddress')
  })

  it('takes a code that was typed before the dialog knew whom it asks', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const { promise: typed, resolve: tell } = Promise.withResolvers<void>()
    await page.route('**/sdk/fastlane/api/challenge', (route) => typed.then(() => route.continue()))
    const done = authenticate(page, 'member@emulator.test')
    await dialog(page).locator('input[name=code]').pressSequentially('123456')
    tell()
    expect((await done).authenticationState).toBe('succeeded')
  })

  it('lets a wrong code be typed again, and fails after the third', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const done = authenticate(page, 'member@emulator.test')
    const input = dialog(page).locator('input[name=code]')
    await input.pressSequentially('000000')
    await dialog(page).getByText('That code is not right. Tries left: 2').waitFor()
    await input.pressSequentially('654321')
    expect((await done).authenticationState).toBe('succeeded')

    const failing = authenticate(page, 'otp-fail@emulator.test')
    for (const left of [2, 1]) {
      await input.pressSequentially('123456')
      await dialog(page).getByText(`Tries left: ${left}`).waitFor()
    }
    await input.pressSequentially('123456')
    expect(await failing).toEqual({ authenticationState: 'failed', profileData: {} })
  })

  it.each(['the close button', 'Not now', 'Escape'])('is canceled by %s', async (way) => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    const done = authenticate(page, 'member@emulator.test')
    await dialog(page).getByLabel('Code').waitFor()
    if (way === 'Escape') {
      await expect
        .poll(
          () =>
            dialog(page)
              .getByLabel('Code')
              .evaluate((field) => document.activeElement === field),
          LONG_ENOUGH,
        )
        .toBe(true)
      await page.keyboard.press('Escape')
    } else {
      await dialog(page)
        .getByRole('button', { name: way === 'Not now' ? way : 'Close' })
        .click()
    }
    expect(await done).toEqual({ authenticationState: 'canceled', profileData: {} })
  })

  it('tells of those who leave by themselves, and of contexts that nobody knows', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    expect((await authenticate(page, 'otp-cancel@emulator.test')).authenticationState).toBe('canceled')
    const unknown = await page.evaluate(() =>
      (window as unknown as FastlaneWindow).fl.identity.triggerAuthenticationFlow('made-up'),
    )
    expect(unknown).toEqual({ authenticationState: 'unrecognized', profileData: {} })
  })

  it('gives nothing of a member to somebody without the code', async () => {
    const headers = {
      authorization: `Bearer ${await clientToken()}`,
      'content-type': 'application/json',
      'x-page-host': '127.0.0.1',
    }
    const ask = async (call: string, given: object) => {
      const answer = await fetch(`${provider.url}/sdk/fastlane/api/${call}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(given),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const { body } = await ask('lookup', { email: 'member@emulator.test' })
    expect((await ask('profile', body)).status).toBe(403)
    expect((await ask('card', { ...body, index: 0 })).status).toBe(403)
  })
})

describe('the selectors', () => {
  const choose = (page: Page, what: 'showShippingAddressSelector' | 'showCardSelector') =>
    page.evaluate((name) => (window as unknown as FastlaneWindow).fl.profile[name](), what)

  it('let a member take another address, and only one that the shop sends to', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page, { shippingAddressOptions: { allowedLocations: ['US:CA'] } })
    await member(page)
    const done = choose(page, 'showShippingAddressSelector')
    const elsewhere = dialog(page).getByRole('radio', { name: /Canal Street/ })
    await elsewhere.waitFor()
    expect(await elsewhere.isDisabled()).toBe(true)
    expect(
      await dialog(page)
        .getByRole('radio', { name: /Orchard Lane/ })
        .isChecked(),
    ).toBe(true)
    await dialog(page).getByRole('radio', { name: 'Another address' }).check()
    await dialog(page).getByRole('button', { name: 'Use this' }).click()
    await expect.poll(() => dialog(page).getByLabel('Street address').getAttribute('aria-invalid')).toBe('true')
    expect(await dialog(page).locator('em').first().innerText()).toBe('Please check this')
    await dialog(page).getByLabel('First name').fill('Ben')
    await dialog(page).getByLabel('Last name').fill('Bay')
    await dialog(page).getByLabel('Street address').fill('9 Bay Road')
    await dialog(page).getByLabel('City').fill('Oakland')
    await dialog(page).getByLabel('State').fill('CA')
    await dialog(page).getByLabel('ZIP code').fill('94607')
    await dialog(page).getByLabel('Country code').fill('us')
    await dialog(page).getByLabel('Phone').fill('510 555 0101')
    await dialog(page).getByRole('button', { name: 'Use this' }).click()
    expect(await done).toEqual({
      selectionChanged: true,
      selectedAddress: {
        companyName: '',
        name: { firstName: 'Ben', lastName: 'Bay', fullName: 'Ben Bay' },
        address: {
          addressLine1: '9 Bay Road',
          addressLine2: '',
          adminArea1: 'CA',
          adminArea2: 'Oakland',
          postalCode: '94607',
          countryCode: 'US',
        },
        phoneNumber: { countryCode: '1', nationalNumber: '5105550101' },
      },
    })
  })

  it('let a member take another card, or type one', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    await member(page)
    const second = choose(page, 'showCardSelector')
    await dialog(page)
      .getByRole('radio', { name: /MASTERCARD ·· 4444/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Use this' }).click()
    expect(await second).toMatchObject({
      selectionChanged: true,
      selectedCard: { paymentSource: { card: { brand: 'MASTERCARD', lastDigits: '4444', expiry: '2031-11' } } },
    })
    const typed = choose(page, 'showCardSelector')
    await dialog(page).getByRole('radio', { name: 'Another card' }).check()
    await dialog(page).getByLabel('Cardholder name').fill('Ben Bay')
    await dialog(page).getByLabel('Card number').pressSequentially('378282246310005')
    await dialog(page)
      .getByLabel(/Expiration/)
      .pressSequentially('1230')
    await dialog(page).getByLabel('Security code').pressSequentially('1234')
    await dialog(page).getByLabel('ZIP code').fill('94607')
    await dialog(page).getByRole('button', { name: 'Use this' }).click()
    expect(await typed).toMatchObject({
      selectedCard: {
        paymentSource: {
          card: { brand: 'AMEX', lastDigits: '0005', name: 'Ben Bay', billingAddress: { postalCode: '94607' } },
        },
      },
    })
  })

  it('refuse brands that the shop does not take', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page, { cardOptions: { allowedBrands: ['MASTERCARD'] } })
    const { profileData } = await member(page)
    expect(profileData).toMatchObject({ card: { paymentSource: { card: { brand: 'MASTERCARD' } } } })
    choose(page, 'showCardSelector').catch(() => {})
    const visa = dialog(page).getByRole('radio', { name: /VISA ·· 1111/ })
    await visa.waitFor()
    expect(await visa.isDisabled()).toBe(true)
  })

  it('change nothing when they are closed, and are not there before the code', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    expect(
      await page.evaluate(
        async () => (await (window as unknown as FastlaneWindow).fl.profile.showCardSelector()) === undefined,
      ),
    ).toBe(true)
    await member(page)
    const done = choose(page, 'showCardSelector')
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    expect(await done).toMatchObject({
      selectionChanged: false,
      selectedCard: { paymentSource: { card: { lastDigits: '1111' } } },
    })
  })
})

describe('the dialogs of the selectors', () => {
  it.each(['showShippingAddressSelector', 'showCardSelector'] as const)(
    'have no faults of accessibility: %s',
    async (what) => {
      await using visitor = await visit({ size: phone })
      const { page } = visitor
      await start(page)
      await member(page)
      page.evaluate((name) => (window as unknown as FastlaneWindow).fl.profile[name](), what).catch(() => {})
      await dialog(page)
        .getByRole('radio', { name: /Another/ })
        .check()
      await dialog(page).getByRole('button', { name: 'Use this' }).click()
      await dialog(page).locator('[aria-invalid=true]').first().waitFor()
      const inside = await (await page.locator('[role=dialog] iframe').elementHandle())?.contentFrame()
      const faults = await inside?.evaluate(
        `${axe.source}; axe.run({ runOnly: ['wcag2a', 'wcag2aa'] }).then((r) => r.violations.map((v) => v.id + ' ' + v.nodes[0].html))`,
      )
      expect(faults).toEqual([])
    },
  )
})

describe('the components', () => {
  async function drawPayment(page: Page, options: object = {}): Promise<void> {
    await page.evaluate(async (given) => {
      const shopWindow = window as unknown as FastlaneWindow
      shopWindow.payment = await shopWindow.fl.FastlanePaymentComponent(given)
      await shopWindow.payment.render('#payment')
    }, options)
  }
  const tokenOf = (page: Page) =>
    page.evaluate(() =>
      (window as unknown as FastlaneWindow).payment.getPaymentToken().then(
        (token) => ({ token, message: '' }),
        (error: Error) => ({ token: undefined, message: error.message }),
      ),
    )

  it('show a watermark that explains itself when asked', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    await page.evaluate(async () => {
      const { fl } = window as unknown as FastlaneWindow
      await (await fl.FastlaneWatermarkComponent({ includeAdditionalInfo: true })).render('#watermark')
    })
    const frame = page.frameLocator('#watermark iframe')
    expect(await frame.locator('.mark').innerText()).toMatch(/Fastlane\s+by\s+PayPal/)
    const height = async () => (await page.locator('#watermark iframe').boundingBox())?.height ?? 0
    const closed = await height()
    await frame.getByRole('button', { name: 'About Fastlane' }).click()
    await frame.getByText('keeps your address').waitFor()
    await expect.poll(height, LONG_ENOUGH).toBeGreaterThan(closed + 10)
  })

  it('make a token of a guest’s card, with the address of its bill', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    await drawPayment(page, { fields: { cardholderName: { enabled: true, prefill: 'Gus Guest' } } })
    expect((await tokenOf(page)).message).toBe('INVALID_NUMBER, INVALID_EXPIRY, INVALID_CVV')
    expect(await payment(page).getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
    await payment(page).getByLabel('Card number').pressSequentially('4111111111111111')
    await payment(page)
      .getByLabel(/Expiration/)
      .pressSequentially('1230')
    await payment(page).getByLabel('Security code').pressSequentially('123')
    expect((await tokenOf(page)).message).toBe('INVALID_ADDRESS')
    await payment(page).getByLabel('Street address').fill('7 Guest Way')
    await payment(page).getByLabel('City').fill('Reno')
    await payment(page).getByLabel('State').fill('NV')
    await payment(page).getByLabel('ZIP code').fill('89501')
    await payment(page).getByLabel('Country code').fill('US')
    const { token } = await tokenOf(page)
    expect(token?.paymentSource.card).toEqual({
      brand: 'VISA',
      expiry: '2030-12',
      lastDigits: '1111',
      name: 'Gus Guest',
      billingAddress: {
        addressLine1: '7 Guest Way',
        addressLine2: '',
        adminArea1: 'NV',
        adminArea2: 'Reno',
        postalCode: '89501',
        countryCode: 'US',
      },
    })
    await provider.control('/clock', { advance_ms: 3 * 3_600_000 + 1_000 })
    const late = await provider.call(
      'POST',
      '/v2/checkout/orders',
      { ...anOrder(), payment_source: { card: { single_use_token: token?.id } } },
      { 'paypal-request-id': 'late' },
    )
    expect(late.status).toBe(422)
    await provider.control('/clock', { advance_ms: -(3 * 3_600_000 + 1_000) })
  })

  it('bill to the shipping address unless told otherwise', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    await page.evaluate(async () => {
      const shopWindow = window as unknown as FastlaneWindow
      shopWindow.payment = await shopWindow.fl.FastlanePaymentComponent({})
      // Before it is drawn as well as after it.
      await shopWindow.payment.setShippingAddress({ addressLine1: '1 Early St', countryCode: 'US' })
      await shopWindow.payment.render('#payment')
    })
    await payment(page).getByRole('checkbox').waitFor()
    await page.evaluate(() =>
      (window as unknown as FastlaneWindow).payment.setShippingAddress({
        address: {
          addressLine1: '3 Ship St',
          adminArea1: 'TX',
          adminArea2: 'Austin',
          postalCode: '73301',
          countryCode: 'US',
        },
      }),
    )
    const same = payment(page).getByRole('checkbox', { name: 'Same as the shipping address' })
    await same.waitFor()
    expect(await payment(page).getByLabel('Street address').isVisible()).toBe(false)
    await payment(page).getByLabel('Card number').pressSequentially('5555555555554444')
    await payment(page)
      .getByLabel(/Expiration/)
      .pressSequentially('1230')
    await payment(page).getByLabel('Security code').pressSequentially('123')
    expect((await tokenOf(page)).token?.paymentSource.card.billingAddress).toMatchObject({ addressLine1: '3 Ship St' })
    await same.uncheck()
    expect(await payment(page).getByLabel('Street address').isVisible()).toBe(true)
  })

  it('show a member’s card in place of the form, with a way to change it', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    await drawPayment(page)
    await member(page)
    await payment(page).getByText('VISA ·· 1111').waitFor()
    expect(await payment(page).getByLabel('Card number').isVisible()).toBe(false)
    const first = await tokenOf(page)
    await payment(page).getByRole('button', { name: 'Change' }).click()
    await dialog(page)
      .getByRole('radio', { name: /MASTERCARD/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Use this' }).click()
    await payment(page).getByText('MASTERCARD ·· 4444').waitFor()
    const second = await tokenOf(page)
    expect(first.token?.id).not.toBe(second.token?.id)
    expect(second.token?.paymentSource.card.lastDigits).toBe('4444')
  })

  it('take a card alone, with name and address from the page', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    await page.evaluate(async () => {
      const shopWindow = window as unknown as FastlaneWindow & { card: unknown }
      const card = await shopWindow.fl.FastlaneCardComponent({})
      await card.render('#payment')
      shopWindow.card = card
    })
    await payment(page).getByLabel('Card number').pressSequentially('4111111111111111')
    await payment(page)
      .getByLabel(/Expiration/)
      .pressSequentially('1230')
    await payment(page).getByLabel('Security code').pressSequentially('123')
    const token = await page.evaluate(() =>
      (window as unknown as { card: Awaited<ReturnType<Fastlane['FastlaneCardComponent']>> }).card.getPaymentToken({
        name: 'Page Name',
        billingAddress: { postalCode: '10001', countryCode: 'US' },
      }),
    )
    expect(token.paymentSource.card).toMatchObject({ name: 'Page Name', billingAddress: { postalCode: '10001' } })
  })

  it('take their colours from the page, or from what it asks for', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page, { styles: { root: { errorColor: 'rgb(9, 8, 7)' } } }, '&dark')
    await drawPayment(page)
    await tokenOf(page)
    const colour = (selector: string) =>
      payment(page)
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).color)
    // As card-shop.ts colours its dark page.
    expect(await colour('label span')).toBe('rgb(237, 241, 246)')
    expect(await colour('label input')).toBe('rgb(237, 241, 246)')
    expect(await colour('label em')).toBe('rgb(9, 8, 7)')
  })

  it('speak the language that they are told to', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await start(page)
    await page.evaluate(() => (window as unknown as FastlaneWindow).fl.setLocale('es_us'))
    authenticate(page, 'member@emulator.test').catch(() => {})
    await dialog(page).getByRole('heading', { name: 'Confirma que eres tú' }).waitFor()
    expect(await dialog(page).locator('html').getAttribute('lang')).toBe('es')
  })

  it.each([
    ['a telephone', phone, ''],
    ['a desktop in the dark', desktop, '&dark'],
  ] as const)('have no faults of accessibility on %s', async (_name, size, more) => {
    await using visitor = await visit({ size })
    const { page } = visitor
    if (more !== '') await page.emulateMedia({ colorScheme: 'dark' })
    await start(page, {}, more)
    await drawPayment(page, { fields: { cardholderName: { enabled: true } } })
    authenticate(page, 'member@emulator.test').catch(() => {})
    await dialog(page).getByLabel('Code').waitFor()
    for (const selector of ['#payment iframe', '[role=dialog] iframe']) {
      const inside = await (await page.locator(selector).elementHandle())?.contentFrame()
      // The frame in the page is drawn on the page's own dark ground, which cannot be seen from inside.
      const without = more !== '' && selector === '#payment iframe' ? { 'color-contrast': { enabled: false } } : {}
      const wanted = JSON.stringify({ runOnly: ['wcag2a', 'wcag2aa'], rules: without })
      const faults = await inside?.evaluate(
        `${axe.source}; axe.run(${wanted}).then((r) => r.violations.map((v) => v.id + ' ' + v.nodes[0].html))`,
      )
      expect(faults).toEqual([])
    }
  })
})
