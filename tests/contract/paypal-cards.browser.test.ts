import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { desktop, phone } from '../support/browser.ts'
import { startCardShop } from './fixtures/card-shop.ts'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProviderPage } from './fixtures/provider-setup.ts'

const { provider, shop, visit } = aProviderPage(startCardShop)

type ShopWindow = {
  happened: string[]
  lastState: State
  approved: Record<string, string>
  orderId: string
  submit(): Promise<void>
  card: { getState(): Promise<State>; submit(): Promise<void> }
  fields: Record<string, Record<string, (...given: unknown[]) => Promise<void>>>
}
type State = {
  cards: { type: string; niceType: string; code: { name: string; size: number } }[]
  emittedBy?: string
  isFormValid: boolean
  errors: string[]
  fields: Record<string, { isFocused: boolean; isEmpty: boolean; isValid: boolean; isPotentiallyValid: boolean }>
}

const LONG_ENOUGH = { timeout: 10_000 }
const happened = (page: Page) => page.evaluate(() => (window as unknown as ShopWindow).happened)
const eventually = (page: Page, entry: string) => expect.poll(() => happened(page), LONG_ENOUGH).toContain(entry)
const state = (page: Page) => page.evaluate(() => (window as unknown as ShopWindow).card.getState())
const inField = (page: Page, field: string) =>
  page.frameLocator(`iframe[title=paypal_card_${field}_field]`).locator('input')

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`${shop.url}/?${query}`)
  await eventually(page, 'rendered')
}

async function type(page: Page, number = '4111111111111111', expiry = '1230', cvv = '123'): Promise<void> {
  await inField(page, 'number').pressSequentially(number)
  await inField(page, 'expiry').pressSequentially(expiry)
  await inField(page, 'cvv').pressSequentially(cvv)
}

const lastOf = (page: Page) => expect.poll(async () => (await happened(page)).at(-1), LONG_ENOUGH)

describe('the fields', () => {
  it('stand in titled frames of their own origin, with inputs that browsers can fill in', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page, 'named')
    for (const [field, autocomplete, mode] of [
      ['name', 'cc-name', 'text'],
      ['number', 'cc-number', 'numeric'],
      ['expiry', 'cc-exp', 'numeric'],
      ['cvv', 'cc-csc', 'numeric'],
    ] as const) {
      const frame = page.locator(`#${field} iframe`)
      expect(await frame.getAttribute('title')).toBe(`paypal_card_${field}_field`)
      expect(await frame.getAttribute('name')).toContain(`paypal_card_${field}_field`)
      expect(await frame.getAttribute('src')).toContain(provider.url)
      const input = inField(page, field)
      expect(await input.getAttribute('class')).toContain(`card-field-${field}`)
      expect(await input.getAttribute('autocomplete')).toBe(autocomplete)
      expect(await input.getAttribute('inputmode')).toBe(mode)
      expect(await input.getAttribute('aria-label')).not.toBe('')
      // As tall as what is in it: nothing is cut off, nothing is left over.
      await expect
        .poll(async () => {
          const inner = await page.frameLocator(`#${field} iframe`).locator('body').boundingBox()
          const outer = await frame.boundingBox()
          return Math.abs((inner?.height ?? 0) - (outer?.height ?? -99)) <= 1
        })
        .toBe(true)
    }
    expect(await inField(page, 'number').getAttribute('placeholder')).toBe('4111 1111 1111 1111')
    expect(visitor.errors).toEqual([])
  })

  it('group the digits of a brand while they are typed, keep the caret in its place and write expiry dates out', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    const number = inField(page, 'number')
    await number.pressSequentially('378282246310005')
    expect(await number.inputValue()).toBe('3782 822463 10005')
    await number.fill('')
    await number.pressSequentially('411111111111')
    for (let i = 0; i < 7; i++) await number.press('ArrowLeft')
    await number.pressSequentially('22')
    expect(await number.inputValue()).toBe('4111 1122 1111 11')
    expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(9)
    const expiry = inField(page, 'expiry')
    await expiry.pressSequentially('430')
    expect(await expiry.inputValue()).toBe('04 / 30')
    await expiry.fill('')
    await expiry.pressSequentially('12/2031')
    expect(await expiry.inputValue()).toBe('12 / 2031')
  })

  it('tell how they stand, and never what is in them', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    const empty = await state(page)
    expect(empty.cards).toHaveLength(11)
    expect(empty.errors).toEqual(['INVALID_NUMBER', 'INVALID_EXPIRY', 'INVALID_CVV'])
    expect(empty.fields).toEqual({
      cardNumberField: { isFocused: false, isEmpty: true, isValid: false, isPotentiallyValid: true },
      cardExpiryField: { isFocused: false, isEmpty: true, isValid: false, isPotentiallyValid: true },
      cardCvvField: { isFocused: false, isEmpty: true, isValid: false, isPotentiallyValid: true },
    })
    await inField(page, 'number').pressSequentially('4111111111111111')
    await expect
      .poll(() => page.evaluate(() => (window as unknown as ShopWindow).lastState.fields.cardNumberField), LONG_ENOUGH)
      .toEqual({ isFocused: true, isEmpty: false, isValid: true, isPotentiallyValid: true })
    const typed = await page.evaluate(() => (window as unknown as ShopWindow).lastState)
    expect(typed.emittedBy).toBe('number')
    expect(typed.cards).toEqual([{ type: 'visa', niceType: 'Visa', code: { name: 'CVV', size: 3 } }])
    expect(typed.errors).toEqual(['INVALID_EXPIRY', 'INVALID_CVV'])
    expect(typed.isFormValid).toBe(false)
    await inField(page, 'expiry').pressSequentially('1230')
    await inField(page, 'cvv').pressSequentially('123')
    expect(await state(page)).toMatchObject({ isFormValid: true, errors: [] })
    expect(JSON.stringify(await state(page))).not.toContain('4111')
    expect((await state(page)).fields.cardNameField).toBeUndefined()
  })

  it('ask for the four digits of an American Express card, and take no more than three for others', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    await type(page, '378282246310005', '1230', '1234')
    expect(await state(page)).toMatchObject({
      isFormValid: true,
      cards: [{ type: 'american-express', code: { name: 'CID', size: 4 } }],
    })
    await inField(page, 'number').fill('5555555555554444')
    await expect.poll(() => inField(page, 'cvv').inputValue(), LONG_ENOUGH).toBe('123')
    await expect.poll(async () => (await state(page)).cards[0]?.type, LONG_ENOUGH).toBe('mastercard')
  })

  it('mark what cannot become valid at once, and what is unfinished only when it is left', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    const number = inField(page, 'number')
    await number.pressSequentially('4111')
    expect(await number.getAttribute('class')).not.toContain('invalid')
    await inField(page, 'cvv').focus()
    await expect.poll(() => number.getAttribute('class'), LONG_ENOUGH).toContain('invalid')
    expect(await number.getAttribute('aria-invalid')).toBe('true')
    await inField(page, 'expiry').pressSequentially('0120')
    await expect.poll(() => inField(page, 'expiry').getAttribute('class'), LONG_ENOUGH).not.toContain('invalid')
    await inField(page, 'expiry').press('Backspace')
    await inField(page, 'expiry').pressSequentially('1')
    await expect.poll(() => inField(page, 'expiry').getAttribute('class'), LONG_ENOUGH).toContain('invalid')
    await number.fill('4111111111111111')
    await expect.poll(() => number.getAttribute('class'), LONG_ENOUGH).toMatch(/\bvalid/)
  })

  it('tell the page of focus, change, leaving and Enter, a field’s own listener before that of all', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    await inField(page, 'number').focus()
    await inField(page, 'number').press('4')
    await inField(page, 'cvv').focus()
    await inField(page, 'cvv').press('Enter')
    await lastOf(page).toBe('enter cvv')
    expect(await happened(page)).toEqual([
      'rendered',
      'own focus number',
      'change number',
      'blur number',
      'focus cvv',
      'enter cvv',
    ])
  })

  it('take over the styles that are allowed, and warn of the others', async () => {
    await using visitor = await visit()
    const { page } = visitor
    const warned: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
    await open(page)
    const styled = (field: string) =>
      inField(page, field).evaluate((input) => {
        const { color, fontSize, letterSpacing, margin } = getComputedStyle(input)
        return { color, fontSize, letterSpacing, margin }
      })
    expect(await styled('number')).toEqual({
      color: 'rgb(1, 2, 3)',
      fontSize: '18px',
      letterSpacing: '1px',
      margin: '0px',
    })
    expect((await styled('expiry')).color).toBe('rgb(4, 5, 6)')
    expect(warned.some((text) => /not allowed: margin/.test(text))).toBe(true)
  })

  it('obey the page: classes, attributes, messages, clearing, focus, closing', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    const run = (method: string, ...given: string[]) =>
      page.evaluate(
        ([name, ...rest]) =>
          (window as unknown as ShopWindow).fields.number?.[name as string]?.(...rest).then(
            () => 'done',
            (error: Error) => error.message,
          ),
        [method, ...given],
      )
    const input = inField(page, 'number')
    await run('addClass', 'shiny')
    expect(await input.getAttribute('class')).toContain('shiny')
    await run('removeClass', 'shiny')
    expect(await input.getAttribute('class')).not.toContain('shiny')
    await run('setAttribute', 'placeholder', 'Your card')
    expect(await input.getAttribute('placeholder')).toBe('Your card')
    expect(await run('setAttribute', 'onclick', 'x')).toMatch(/^Attribute onclick is not allowed/)
    await run('setMessage', 'This card is not taken')
    expect(await page.frameLocator('#number iframe').getByRole('status').innerText()).toBe('This card is not taken')
    await input.fill('4111')
    await run('clear')
    expect(await input.inputValue()).toBe('')
    await run('focus')
    expect(await input.evaluate((field) => document.activeElement === field)).toBe(true)
    expect(await run('render', '#number')).toMatch(/already rendered/)
    await run('close')
    expect(await page.locator('#number iframe').count()).toBe(0)
    expect(await run('render', '#number')).toBe('done')
    expect(await page.locator('#number iframe').count()).toBe(1)
  })

  it('begin anew, empty and as they were set up, when the page moves them', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    await inField(page, 'number').pressSequentially('4111')
    await page.evaluate(() => document.querySelector('main')?.append(document.querySelector('#number') ?? ''))
    await expect.poll(async () => (await state(page)).fields.cardNumberField?.isEmpty, LONG_ENOUGH).toBe(true)
    await expect
      .poll(() => inField(page, 'number').getAttribute('placeholder'), LONG_ENOUGH)
      .toBe('4111 1111 1111 1111')
    await type(page)
    await page.locator('#pay').click()
    await lastOf(page).toBe('submitted')
  })

  it('go with the script', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    await page.evaluate(() =>
      (window as unknown as { paypal: { __internal_destroy__(): void } }).paypal.__internal_destroy__(),
    )
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it('refuse brands that the script was told to leave out', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page, `script=${encodeURIComponent('client-id=sb&components=card-fields&disable-card=amex')}`)
    await type(page, '378282246310005', '1230', '1234')
    expect((await state(page)).errors).toEqual(['INELIGIBLE_CARD_VENDOR'])
  })

  it('are not there for a merchant who may not take cards', async () => {
    await provider.control('/eligibility', { card: false })
    await using visitor = await visit()
    await visitor.page.goto(shop.url)
    await eventually(visitor.page, 'not eligible')
  })

  it.each([
    ['a telephone', phone, ''],
    ['a desktop', desktop, '&dark'],
  ] as const)('have no faults of accessibility on %s', async (_name, size, query) => {
    await using visitor = await visit({ size })
    const { page } = visitor
    await open(page, `named${query}`)
    for (const field of ['name', 'number', 'expiry', 'cvv']) {
      const frame = await page.locator(`#${field} iframe`).elementHandle()
      const inside = await frame?.contentFrame()
      const faults = await inside?.evaluate(
        `${axe.source}; axe.run({ runOnly: ['wcag2a', 'wcag2aa'] }).then((r) => r.violations.map((v) => v.id))`,
      )
      expect(faults).toEqual([])
    }
  })
})

describe('submitting', () => {
  it('confirms the card with the order and tells the page, which captures it', async () => {
    await using visitor = await visit()
    const { page } = visitor
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(shop.url)) sent.push(`${request.url()} ${request.postData() ?? ''}`)
    })
    await open(page)
    await type(page)
    await page.locator('#pay').click()
    await lastOf(page).toBe('submitted')
    const { approved, orderId } = await page.evaluate(() => {
      const { approved, orderId } = window as unknown as ShopWindow
      return { approved, orderId }
    })
    expect(approved).toEqual({ orderID: orderId })
    const { body: order } = await provider.call('GET', `/v2/checkout/orders/${orderId}`)
    expect(order).toMatchObject({
      status: 'APPROVED',
      payment_source: { card: { last_digits: '1111', brand: 'VISA' } },
    })
    const { body: paid } = await provider.call(
      'POST',
      `/v2/checkout/orders/${orderId}/capture`,
      {},
      {
        'paypal-request-id': 'capture-1',
      },
    )
    expect(paid).toMatchObject({ status: 'COMPLETED' })
    expect(sent.join('\n')).not.toMatch(/4111/)
    expect(visitor.errors).toEqual([])
  })

  it('refuses what does not hold with the codes of it, and makes no order', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    await inField(page, 'number').fill('4111111111111112')
    await inField(page, 'expiry').fill('12 / 30')
    await page.locator('#pay').click()
    await lastOf(page).toBe('rejected INVALID_NUMBER, INVALID_CVV')
    await inField(page, 'number').fill('4111111111111111')
    await page.locator('#pay').click()
    await lastOf(page).toBe('rejected INVALID_CVV')
    expect(await happened(page)).not.toContain('create')
  })

  it('hands the very error of createOrder to onError', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page, 'refuse')
    await type(page)
    await page.locator('#pay').click()
    await eventually(page, 'rejected the form is not complete')
    expect(await happened(page)).toContain('error the same object')
  })

  it('makes one order however often it is pressed', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page)
    await type(page)
    await page.locator('#pay').dblclick()
    await lastOf(page).toBe('submitted')
    expect((await happened(page)).filter((entry) => entry === 'create')).toHaveLength(1)
    expect((await happened(page)).filter((entry) => entry === 'approve')).toHaveLength(1)
  })

  it('gives the REST call’s refusal to onError', async () => {
    await provider.control('/fault', { route: 'orders.confirm', issue: 'PAYEE_ACCOUNT_RESTRICTED' })
    await using visitor = await visit({ expectedErrors: [/422/] })
    const { page } = visitor
    await open(page)
    await type(page)
    await page.locator('#pay').click()
    await expect
      .poll(async () => (await happened(page)).join('\n'), LONG_ENOUGH)
      .toMatch(/error Api: .*confirm-payment-source returned status code: 422[\s\S]*PAYEE_ACCOUNT_RESTRICTED/)
  })

  it('saves a card without charging it', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await open(page, 'keep')
    await type(page, '5555555555554444')
    await page.locator('#pay').click()
    await lastOf(page).toBe('submitted')
    const { vaultSetupToken } = await page.evaluate(() => (window as unknown as ShopWindow).approved)
    const { body: kept } = await provider.call('POST', '/v3/vault/payment-tokens', {
      payment_source: { token: { id: vaultSetupToken, type: 'SETUP_TOKEN' } },
    })
    expect(kept).toMatchObject({
      payment_source: { card: { brand: 'MASTERCARD', last_digits: '4444', expiry: '2030-12' } },
    })
  })
})

describe('3-D Secure', () => {
  const bank = (page: Page) => page.frameLocator('iframe[title="Card authentication"]')
  /** Ending 1109: the buyer decides at the bank. */
  const ASKS = '4000000000001109'

  async function pay(page: Page, number: string, query = 'verify=SCA_WHEN_REQUIRED'): Promise<void> {
    await open(page, query)
    await type(page, number)
    await page.locator('#pay').click()
  }
  const outcome = (page: Page) =>
    page.evaluate(() => {
      const { approved, orderId } = window as unknown as ShopWindow
      return { approved, orderId }
    })
  async function resultOf(page: Page): Promise<unknown> {
    const { orderId } = await outcome(page)
    const { body } = await provider.call('GET', `/v2/checkout/orders/${orderId}`)
    return (body as { payment_source?: { card?: { authentication_result?: unknown } } }).payment_source?.card
      ?.authentication_result
  }

  it('opens the bank in a dialog, and carries its yes to the page and the order', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await pay(page, ASKS)
    const confirm = bank(page).getByRole('button', { name: 'Confirm' })
    await confirm.waitFor()
    expect(await page.getByRole('dialog', { name: 'Card authentication' }).getAttribute('aria-modal')).toBe('true')
    expect(await bank(page).locator('dl').innerText()).toMatch(/\$33\.50[\s\S]*·· 1109/)
    // By keyboard alone: the dialog has the focus, on the first of its buttons.
    await expect.poll(() => confirm.evaluate((button) => document.activeElement === button), LONG_ENOUGH).toBe(true)
    // Nothing behind it takes the focus away.
    await page.locator('#pay').focus()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME')
    await expect.poll(() => confirm.evaluate((button) => document.activeElement === button), LONG_ENOUGH).toBe(true)
    await page.keyboard.press('Enter')
    await lastOf(page).toBe('submitted')
    const { approved, orderId } = await outcome(page)
    expect(approved).toEqual({ orderID: orderId, liabilityShift: 'POSSIBLE' })
    expect(await resultOf(page)).toEqual({
      liability_shift: 'POSSIBLE',
      three_d_secure: { enrollment_status: 'Y', authentication_status: 'Y' },
    })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('tells of a failed authentication as of any other result: the shop decides', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await pay(page, ASKS)
    await bank(page).getByRole('button', { name: 'This is not me' }).click()
    await lastOf(page).toBe('submitted')
    expect((await outcome(page)).approved).toMatchObject({ liabilityShift: 'NO' })
    expect(await resultOf(page)).toMatchObject({ three_d_secure: { authentication_status: 'N' } })
  })

  it.each(['the cancel button', 'the Escape key'])(
    'reports a cancellation after %s, and lets the card be tried again',
    async (way) => {
      await using visitor = await visit()
      const { page } = visitor
      await pay(page, ASKS)
      const cancel = bank(page).getByRole('button', { name: 'Cancel' })
      await cancel.waitFor()
      if (way === 'the Escape key') {
        await expect
          .poll(
            () =>
              bank(page)
                .locator('button')
                .first()
                .evaluate((button) => document.activeElement === button),
            LONG_ENOUGH,
          )
          .toBe(true)
        await page.keyboard.press('Escape')
      } else await cancel.click()
      await eventually(page, 'cancel')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await expect.poll(() => page.evaluate(() => document.activeElement?.id), LONG_ENOUGH).toBe('pay')
      await page.locator('#pay').click()
      await bank(page).getByRole('button', { name: 'Confirm' }).click()
      await eventually(page, 'approve')
    },
  )

  it.each([
    ['4000000000001125', 'POSSIBLE'],
    ['4000000000001133', 'NO'],
    ['4000000000001158', 'UNKNOWN'],
  ])('lets the bank of %s decide by itself: %s', async (number, liabilityShift) => {
    await using visitor = await visit()
    const { page } = visitor
    await pay(page, number)
    await lastOf(page).toBe('submitted')
    expect((await outcome(page)).approved).toMatchObject({ liabilityShift })
    expect(await resultOf(page)).toMatchObject({ liability_shift: liabilityShift })
  })

  it.each(['light', 'dark'] as const)('has no faults of accessibility when it is %s', async (colorScheme) => {
    await using visitor = await visit({ size: phone })
    const { page } = visitor
    await page.emulateMedia({ colorScheme })
    await pay(page, ASKS)
    await bank(page).getByRole('button', { name: 'Confirm' }).waitFor()
    const inside = await (await page.locator('[role=dialog] iframe').elementHandle())?.contentFrame()
    const faults = await inside?.evaluate(
      `${axe.source}; axe.run({ runOnly: ['wcag2a', 'wcag2aa'] }).then((r) => r.violations.map((v) => v.id + ' ' + v.nodes[0].html))`,
    )
    expect(faults).toEqual([])
  })

  it('shows nothing for a card that takes no part', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await pay(page, '4000000000001190')
    await lastOf(page).toBe('submitted')
    expect((await outcome(page)).approved).toMatchObject({ liabilityShift: 'NO' })
  })

  it('asks nobody where the shop did not want it', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await pay(page, ASKS, '')
    await lastOf(page).toBe('submitted')
    expect((await outcome(page)).approved).not.toHaveProperty('liabilityShift')
  })

  it('stands in the way of a card that is to be kept, too', async () => {
    await using visitor = await visit()
    const { page } = visitor
    await pay(page, ASKS, 'keep&verify=SCA_ALWAYS')
    await bank(page).getByRole('button', { name: 'This is not me' }).click()
    await eventually(page, 'rejected CARD_AUTHENTICATION_FAILED')
    await page.locator('#pay').click()
    await bank(page).getByRole('button', { name: 'Confirm' }).click()
    await eventually(page, 'approve')
    expect((await outcome(page)).approved).toHaveProperty('vaultSetupToken')
  })

  it('sends a buyer without a window back to the shop', async () => {
    const context = { return_url: `${shop.url}/?bare=return`, cancel_url: `${shop.url}/?bare=cancel` }
    const { body } = await provider.call('POST', '/v2/checkout/orders', {
      ...anOrder(),
      payment_source: { card: { attributes: { verification: { method: 'SCA_ALWAYS' } }, experience_context: context } },
    })
    const id = String(body.id)
    const { body: confirmed } = await provider.call('POST', `/v2/checkout/orders/${id}/confirm-payment-source`, {
      payment_source: { card: { number: ASKS, expiry: '2030-12', security_code: '123', name: 'Ann Bee' } },
    })
    const { links } = confirmed as { links: { rel: string; href: string }[] }
    await using visitor = await visit()
    const { page } = visitor
    await page.goto(links.find(({ rel }) => rel === 'payer-action')?.href ?? 'about:blank')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`${shop.url}/?bare=return&token=${id}`)
    const { body: order } = await provider.call('GET', `/v2/checkout/orders/${id}`)
    expect(order).toMatchObject({ status: 'APPROVED' })
    await page.goto(`${provider.url}/threedsecure?token=${id}`)
    expect(await page.getByRole('heading').innerText()).toBe('There is nothing to confirm')
  })
})
