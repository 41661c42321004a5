import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import {
  aShopper,
  fillCheckout,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
} from '../fixtures/shopper.ts'
import { bank, cardInput, chooseCard, faultOf, typeCard } from './fixtures/card.ts'

let shop: TestShop
let browser: Browser
const logged: string[] = []
beforeAll(async () => {
  const cards = {
    enabled: true,
    placeholders: { number: 'The long number' },
    styles: { input: { 'letter-spacing': '3px' } },
  }
  const write = (...said: unknown[]) => logged.push(JSON.stringify(said))
  const log = { info: write, warn: write, error: write }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { paypal: { cards } }, environment: { log } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

async function toCheckout(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await fillCheckout(page)
}

/** The provider's script hears of an order that the shop refused half a second after the second press. */
function holdRefusals(): void {
  let presses = 0
  // By the page's own timer: the press waits by one too, however slow the machine is.
  const released = new Promise<void>((resolve) =>
    document.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('#place_order') && ++presses === 2) setTimeout(resolve, 500)
    }),
  )
  // Proof of the casts: what the provider's script is known to have.
  type Options = { createOrder: () => Promise<string> }
  type Sdk = { CardFields(options: Options): unknown }
  let sdk: Sdk | undefined
  Object.defineProperty(window, 'paypal', {
    configurable: true,
    get: () => sdk,
    set(loaded: Sdk) {
      sdk = loaded
      const { CardFields } = loaded
      loaded.CardFields = (options) =>
        CardFields({
          ...options,
          createOrder: () =>
            options.createOrder().catch(async (error) => {
              await released
              throw error
            }),
        })
    },
  })
}

/** Lets the provider's script never report the end of a submission whose order the shop refused. */
function loseRefusals(): void {
  // Proof of the casts: what the provider's script is known to have.
  type Fields = { submit(details: unknown): Promise<void> }
  type Sdk = { CardFields(options: unknown): Fields }
  let sdk: Sdk | undefined
  Object.defineProperty(window, 'paypal', {
    configurable: true,
    get: () => sdk,
    set(loaded: Sdk) {
      sdk = loaded
      const { CardFields } = loaded
      loaded.CardFields = (options) => {
        const fields = CardFields(options)
        return { ...fields, submit: (details) => fields.submit(details).catch(() => new Promise(() => {})) }
      }
    },
  })
}

const container = (page: Page, id: string) => page.locator(`#ppcp-card-${id}`)
const classesOf = async (page: Page, id: string) =>
  (await container(page, id).evaluate((place) => [...place.classList]))
    .filter((name) => name.startsWith('card-field--'))
    .map((name) => name.slice('card-field--'.length))
const payments = async () => (await providersBooks(shop)).captures.length

describe('the fields of a card', () => {
  it('CARD-01 CARD-02 CARD-03 CARD-04 CARD-07 follow what is typed, left and lacking, and look as the settings say', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await toCheckout(page)
    await chooseCard(page)
    expect(await page.locator('li.payment_method_ppcp_card').getAttribute('class')).toContain(
      'card-field-container--sm',
    )
    expect(await cardInput(page, 'number').getAttribute('placeholder')).toBe('The long number')
    expect(await cardInput(page, 'number').evaluate((input) => getComputedStyle(input).letterSpacing)).toBe('3px')

    await cardInput(page, 'number').focus()
    await expect.poll(() => classesOf(page, 'number')).toEqual(['focused'])
    await cardInput(page, 'number').pressSequentially('41111')
    expect(await faultOf(page, 'number')).toBe('')
    await page.locator('#ppcp-card-number .card-brand').waitFor()
    await cardInput(page, 'cvv').focus()
    await expect.poll(() => classesOf(page, 'number')).toEqual(['invalid'])
    expect(await faultOf(page, 'number')).toBe('Enter a complete and valid card number')
    await expect.poll(() => cardInput(page, 'number').getAttribute('aria-invalid')).toBe('true')
    // Left empty, nothing is held against it.
    await cardInput(page, 'number').focus()
    await expect.poll(() => classesOf(page, 'cvv')).toEqual([])
    expect(await faultOf(page, 'cvv')).toBe('')

    await cardInput(page, 'number').press('End')
    await cardInput(page, 'number').pressSequentially('11111111111')
    await expect.poll(() => classesOf(page, 'number')).toEqual(['focused', 'valid'])
    await expect.poll(() => faultOf(page, 'number')).toBe('')
    await cardInput(page, 'number').press('Backspace')
    await expect.poll(() => classesOf(page, 'number')).toEqual(['focused'])
    // Left empty after a fault, the fault is gone too.
    await cardInput(page, 'expiry').pressSequentially('13')
    await cardInput(page, 'cvv').focus()
    await expect.poll(() => faultOf(page, 'exp')).not.toBe('')
    await cardInput(page, 'expiry').fill('')
    await cardInput(page, 'cvv').focus()
    await expect.poll(() => faultOf(page, 'exp')).toBe('')
    expect(visitor.errors).toEqual([])
  })

  it('CARD-05 slide their faults open within 350 ms to at most 100 px, and not at all for who wants no motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await using visitor = await aShopper(browser, shop, { reducedMotion })
      const { page } = visitor
      await page.addInitScript(() => {
        const animate = Element.prototype.animate
        Object.assign(window, { slid: [] })
        Element.prototype.animate = function (frames, options) {
          const slid: unknown = Reflect.get(window, 'slid')
          if (this.matches('.card-field-message') && Array.isArray(slid)) slid.push({ frames, options })
          return animate.call(this, frames, options)
        }
      })
      await toCheckout(page)
      await chooseCard(page)
      await cardInput(page, 'cvv').pressSequentially('1')
      await cardInput(page, 'number').focus()
      await expect.poll(() => faultOf(page, 'cvv')).not.toBe('')
      await cardInput(page, 'cvv').pressSequentially('23')
      await expect.poll(() => faultOf(page, 'cvv')).toBe('')
      await expect.poll(() => page.locator('.card-field-message .error-content').count()).toBe(0)
      const slid = await page.evaluate(() => Reflect.get(window, 'slid'))
      const step = (maxHeight: string[]) => ({
        frames: { maxHeight },
        options: expect.objectContaining({ duration: 350 }),
      })
      expect(slid).toEqual(reducedMotion === 'reduce' ? [] : [step(['0px', '100px']), step(['100px', '0px'])])
    }
  })

  it('CARD-04 CARD-06 a card that lacks something goes nowhere, and each lack stands at its field', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await toCheckout(page)
    await chooseCard(page)
    await typeCard(page, { expiry: '0120', cvv: '' })
    const calls: string[] = []
    page.on('request', (request) => request.url().includes('cart/order') && calls.push(request.url()))
    await placeOrder(page).click()
    await expect.poll(() => faultOf(page, 'cvv')).toBe('Enter the security code')
    expect(await faultOf(page, 'exp')).toBe('Enter a valid expiration date')
    expect(await faultOf(page, 'number')).toBe('')
    expect(await page.locator('.card-fields__message').textContent()).toBe('Please complete your card details.')
    await expect.poll(() => cardInput(page, 'expiry').evaluate((input) => input === document.activeElement)).toBe(true)
    expect(calls).toEqual([])
    await placeOrder(page).and(page.locator(':enabled')).waitFor()
    // Said until somebody goes on typing.
    await cardInput(page, 'cvv').pressSequentially('1')
    await expect.poll(() => page.locator('.card-fields__message').textContent()).toBe('')
    expect(visitor.errors).toEqual([])
  })

  it('CARD-02 keep what is typed in them while totals and ways to pay come anew', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await toCheckout(page)
    await chooseCard(page)
    await typeCard(page)
    const totals = page.waitForResponse(/update_order_review/)
    await page.getByRole('radio', { name: /^Express/ }).check()
    await totals
    // The answer stands in the page when its panels are free again.
    await page.locator('.woocommerce-checkout-payment:not([aria-busy])').waitFor()
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    expect(await page.locator('#ppcp-card-number').isVisible()).toBe(false)
    await chooseCard(page)
    expect(await cardInput(page, 'number').inputValue()).toMatch(/^4111/)
    expect(await page.locator('#ppcp-card-number iframe').count()).toBe(1)
    expect(visitor.errors).toEqual([])
  })

  it('CARD-04 say so where the provider’s script does not come, and come when it does', async () => {
    await using visitor = await aShopper(browser, shop, {
      expectedErrors: [/Failed to load resource/, /the payment script did not load/],
    })
    const { page } = visitor
    await page.route(/\/sdk\/js/, (route) => route.abort())
    await toCheckout(page)
    await page.getByRole('radio', { name: /^Credit or debit card/ }).check()
    await page.getByText('Card payments are not available at the moment').waitFor()
    await page.unroute(/\/sdk\/js/)
    await page.locator('.card-fields__retry').click()
    await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
    expect(await page.locator('#ppcp-card-number iframe').count()).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})

describe('a payment by card', () => {
  it('CHK-01 CHK-12 P12 is placed with two presses on the button once, and its number never comes to the shop', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(shop.url)) sent.push(`${request.url()} ${request.postData() ?? ''}`)
    })
    await toCheckout(page)
    await chooseCard(page)
    await typeCard(page, { name: 'Grace Hill' })
    await placeOrder(page).dblclick()
    const order = await received(page)
    expect((await providersBooks(shop, order)).captures).toHaveLength(1)
    expect((await recordsOf(shop, order)).order).toMatchObject({ payment_method: 'ppcp_card', payment_state: 'paid' })
    // What is recorded of requests is not nothing.
    expect(sent.some((request) => request.includes('ppcp_card_paypal_order_id='))).toBe(true)
    const number = /4111[ +-]?1111[ +-]?1111[ +-]?1111/
    expect(logged.length).toBeGreaterThan(0)
    expect([...sent, ...logged].filter((line) => number.test(line))).toEqual([])
    const { sql } = shop.db
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const [row] =
        await sql`select count(*)::int as n from ${sql(name)} t where t::text ~ '4111[ -]?1111[ -]?1111[ -]?1111'`
      expect({ name, n: row?.n }).toEqual({ name, n: 0 })
    }
    expect(visitor.errors).toEqual([])
  })

  it('CARD-06 CHK-08 opens no order at the provider while the form lacks something', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/status of 400/] })
    const { page } = visitor
    await toCheckout(page)
    await page
      .getByRole('textbox', { name: /^Town|^City/ })
      .first()
      .fill('')
    await chooseCard(page)
    await typeCard(page)
    const before = (await providersBooks(shop)).orders.length
    await placeOrder(page).click()
    const fault = page.locator('.woocommerce-NoticeGroup-checkout').getByRole('link', { name: /Town|City/ })
    await fault.waitFor()
    expect((await providersBooks(shop)).orders).toHaveLength(before)
    // CHK-08: the form can be put right and sent again, with the card as it was typed.
    await page
      .getByRole('textbox', { name: /^Town|^City/ })
      .first()
      .fill('Oakland')
    await placeOrder(page).click()
    await received(page)
    expect(visitor.errors).toEqual([])
  })

  it('CARD-06 CHK-08 a press waits until the provider’s script has let go of the card that the shop refused before', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/status of 400/] })
    const { page } = visitor
    await page.addInitScript(holdRefusals)
    await toCheckout(page)
    const city = page.getByRole('textbox', { name: /^Town|^City/ }).first()
    await city.fill('')
    await chooseCard(page)
    await typeCard(page)
    await placeOrder(page).click()
    await page
      .locator('.woocommerce-NoticeGroup-checkout')
      .getByRole('link', { name: /Town|City/ })
      .waitFor()
    await city.fill('Oakland')
    await placeOrder(page).click()
    await received(page)
    expect(visitor.errors).toEqual([])
  })

  it('CARD-06 CHK-08 a press goes on after a few seconds when the script never reports that a card was refused', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/status of 400/] })
    const { page } = visitor
    await page.addInitScript(loseRefusals)
    await toCheckout(page)
    const city = page.getByRole('textbox', { name: /^Town|^City/ }).first()
    await city.fill('')
    await chooseCard(page)
    await typeCard(page)
    await placeOrder(page).click()
    await page
      .locator('.woocommerce-NoticeGroup-checkout')
      .getByRole('link', { name: /Town|City/ })
      .waitFor()
    await city.fill('Oakland')
    await placeOrder(page).click()
    await received(page)
    expect(visitor.errors).toEqual([])
  })

  it('CARD-06 CARD-08 CHK-08 waits for the bank, and tells when it was left or said no', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: [/status of 4/] })
    const { page } = visitor
    await toCheckout(page)
    await chooseCard(page)
    await typeCard(page, { number: '4000000000001109' })
    const before = await payments()

    await placeOrder(page).click()
    await bank(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').filter({ hasText: 'The payment was canceled.' }).waitFor()
    expect(await payments()).toBe(before)

    await placeOrder(page).click()
    await bank(page).getByRole('button', { name: 'This is not me' }).click()
    await page
      .locator('.woocommerce-NoticeGroup-checkout')
      .getByText(/another/)
      .waitFor()
    expect(await payments()).toBe(before)
    // CHK-08: what the bank refused is forgotten.
    expect(await page.locator('#ppcp_card_paypal_order_id').inputValue()).toBe('')

    await placeOrder(page).click()
    await bank(page).getByRole('button', { name: 'Confirm' }).click()
    const order = await received(page)
    expect((await providersBooks(shop, order)).captures).toHaveLength(1)
    expect(visitor.errors).toEqual([])
  })
})

it('CARD-06 CHK-01 a card pays an order that was placed before, on its own page', async () => {
  await using visitor = await aShopper(browser, shop, { expectedErrors: [/status of 4/] })
  const { page } = visitor
  await toCheckout(page)
  await page.getByRole('radio', { name: 'Cash on delivery' }).check()
  await placeOrder(page).click()
  const order = await received(page)
  const { sql } = shop.db
  await sql`update orders set status = 'pending' where id = ${order}`
  const [row] = await sql<{ key: string }[]>`select key from orders where id = ${order}`
  await page.goto(urls.orderPay(order, row?.key ?? ''))
  await chooseCard(page)
  await typeCard(page)
  const pay = page.getByRole('button', { name: 'Pay for order' })
  // The terms come first, and nothing is sent before.
  await pay.click()
  await page.getByRole('alert').filter({ hasText: 'Please accept the terms' }).waitFor()
  await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
  await pay.click()
  await received(page)
  expect((await providersBooks(shop, order)).captures).toHaveLength(1)
  expect((await recordsOf(shop, order)).order).toMatchObject({ payment_method: 'ppcp_card', payment_state: 'paid' })
  expect(visitor.errors).toEqual([])
})

it('a visitor without scripts is told that a card needs them, and pays otherwise', async () => {
  await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
  const { page } = visitor
  await page.goto('/shop/')
  await page.getByRole('main').getByRole('list').getByLabel('Add to cart: “Plain mug”').click()
  await page.goto('/checkout/')
  await page.getByRole('radio', { name: /^Credit or debit card/ }).check()
  expect(await page.locator('.payment_box noscript').innerText()).toContain('The card fields require JavaScript.')
  expect(await page.locator('#ppcp-card-number').isVisible()).toBe(false)
  await fillCheckout(page)
  await page.getByRole('radio', { name: 'Cash on delivery' }).check()
  await placeOrder(page).click()
  await received(page)
})
