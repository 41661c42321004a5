import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper, fillCheckout, grace, placeOrder, putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { violations } from '#tests/support/browser/axe.ts'
import { aBrowser, desktop, phone, type Visitor, type VisitorOptions } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { hereIAm } from './fixtures/browsing.ts'

/** Reads until it is so; pages take their time on a busy machine. */
const eventually = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 15_000 })

const script = readFileSync(join(import.meta.dirname, 'fixtures/fake-fastlane.js'), 'utf8')
const cards = { enabled: true }
/** No wallet buttons: the script is here for cards alone. */
const sections: string[] = []

let browser: Browser
let detecting: TestShop
let asking: TestShop
let loading: TestShop
beforeAll(async () => {
  const fastlane = { enabled: true }
  ;[browser, detecting, asking, loading] = await Promise.all([
    aBrowser(),
    aShop({ settings: { paypal: { sections, cards, fastlane } } }),
    aShop({
      settings: {
        paypal: {
          sections,
          cards,
          fastlane: { ...fastlane, flow: 'express_button', paymentFormat: '{name}: {brand} {last4} ({expiry})' },
        },
      },
    }),
    aShop({ settings: { paypal: { sections, cards, fastlane: { ...fastlane, pageload: true, signUp: false } } } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await Promise.all([detecting, asking, loading].map((shop) => shop.close()))
})

type Options = VisitorOptions & { fake?: string; filled?: boolean }

/** A guest at the checkout of one mug, in front of a provider that knows those whose address begins with "member". */
async function atCheckout(shop: TestShop, { fake, filled, ...options }: Options = {}): Promise<Visitor> {
  const visitor = await aShopper(browser, shop, options)
  const { page } = visitor
  await page.route('**/sdk/js?*', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  if (fake) await page.addInitScript((fake) => sessionStorage.setItem('fake', fake), fake)
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await hereIAm(page)
  await page.locator('.wc-ppcp-fastlane[data-ready]').waitFor({ state: 'attached' })
  if (filled) await fillCheckout(page, { ...grace, email: '' })
  return visitor
}

const email = (page: Page) => page.locator('#billing_email')
const inDialog = (page: Page, dialog: string, button: string) =>
  page.getByRole('dialog', { name: dialog }).getByRole('button', { name: button })
const phase = (page: Page) => eventually(() => page.locator('.wc-ppcp-fastlane').getAttribute('data-phase'))
const card = (page: Page) => page.getByRole('group', { name: 'Your chosen card' })
const calls = (page: Page, name: string): Promise<unknown[][]> =>
  page.evaluate((name) => Reflect.get(window, 'fake').calls.filter(([said]: string[]) => said === name), name)
const signUpLink = (page: Page) => page.getByRole('button', { name: 'Save a card for next time' })
const alertText = async (page: Page) => (await page.getByRole('alert').filter({ hasText: /./ }).textContent())?.trim()
const values = (page: Page, ...keys: string[]) =>
  page.evaluate(
    (keys) =>
      keys.map((key) => {
        const found = document.querySelector(`[name="${key}"]`)
        return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found.value : undefined
      }),
    keys,
  )

async function beRecognised(page: Page, address = 'member@example.test'): Promise<void> {
  await email(page).fill(address)
  await inDialog(page, 'One-time code', 'Right').click()
  await phase(page).toBe('recognised')
}

/** Has the shop take note of what is typed, as every question about totals does. */
async function noted(page: Page): Promise<void> {
  const answered = page.waitForResponse(
    (response) =>
      response.url().includes('update_order_review') && /example\.test/.test(response.request().postData() ?? ''),
  )
  await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('update_checkout', { detail: { args: [] } })))
  await answered
}

describe('an address that is looked up as it is typed', () => {
  it('FAST-01 the watermark stands under the e-mail field, and the script has what it asks for', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await page.getByText('Fastlane by the provider').waitFor()
    const mark = await page.locator('#fastlane-watermark').boundingBox()
    const box = await email(page).boundingBox()
    expect(mark?.y).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0))
    expect((mark?.y ?? 0) - (box?.y ?? 0)).toBeLessThan(100)
    const { components, token } = await page.evaluate(() => Reflect.get(window, 'fake'))
    expect(components).toContain('fastlane')
    expect(token).toMatch(/^\S{20,}/)
    const [[, options] = []] = await calls(page, 'Fastlane')
    expect(options).toMatchObject({ shippingAddressOptions: { allowedLocations: expect.arrayContaining(['US']) } })
    expect(await calls(page, 'setLocale')).toEqual([['setLocale', 'en_us']])
    expect(visitor.errors).toEqual([])
  })

  it('FAST-02 only valid addresses are looked up, once the typing has paused', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await email(page).pressSequentially('nobody@example.test', { delay: 20 })
    await phase(page).toBe('stranger')
    await email(page).fill('nobody@')
    await email(page).blur()
    await email(page).fill('somebody@example.test')
    await eventually(() => calls(page, 'lookup')).toEqual([
      ['lookup', 'nobody@example.test'],
      ['lookup', 'somebody@example.test'],
    ])
  })

  it('FAST-03 FAST-04 the proven profile fills the form, and the card is the way to pay', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await beRecognised(page)
    expect(await calls(page, 'authenticate')).toEqual([['authenticate', 'context of member@example.test']])
    await card(page).waitFor()
    const keys = ['first_name', 'last_name', 'address_1', 'address_2', 'city', 'state', 'postcode', 'country', 'phone']
    await eventually(() => values(page, ...keys.map((key) => `billing_${key}`))).toEqual([
      ...['Ann', 'Bee', '1 Main St', 'Suite 2', 'San Jose', 'CA', '95131', 'US', '4085551234'],
    ])
    expect(await page.locator('#ship-to-different-address-checkbox').isChecked()).toBe(false)
    expect(await page.locator('#payment_method_ppcp_card').isChecked()).toBe(true)
    expect(await card(page).textContent()).toContain('Visa ending in 1111')
    const icon = card(page).locator('img')
    expect(await icon.getAttribute('src')).toMatch(/visa/)
    await eventually(() => icon.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
    expect(await page.locator('.wc-ppcp-card-fields').isVisible()).toBe(false)
    expect(await values(page, 'ppcp_card_payment_token', 'ppcp_card_fastlane')).toEqual(['single-1', '1'])
    // Standard shipping to California, and its tax: the totals are for the new address.
    await page.getByRole('row', { name: /Sales tax/ }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('FAST-04 goods that go elsewhere than the bill have an address of their own', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await beRecognised(page, 'member-away@example.test')
    await card(page).waitFor()
    await eventually(() => page.locator('#ship-to-different-address-checkbox').isChecked()).toBe(true)
    await eventually(() =>
      values(page, 'billing_city', 'shipping_city', 'shipping_state', 'shipping_first_name'),
    ).toEqual([...['San Jose', 'Austin', 'TX', 'Ann']])
  })

  it('FAST-04 given back, the card makes room for another, and what was typed stands there again', async () => {
    await using visitor = await atCheckout(detecting, { filled: true })
    const { page } = visitor
    await beRecognised(page, 'member-away@example.test')
    await card(page).waitFor()
    await eventually(() => values(page, 'billing_first_name', 'billing_city')).toEqual(['Ann', 'San Jose'])
    await card(page).getByRole('button', { name: 'Enter another card' }).click()
    await eventually(() => card(page).count()).toBe(0)
    await eventually(() => values(page, 'billing_first_name', 'billing_city', 'billing_state')).toEqual([
      ...['Grace', 'Oakland', 'CA'],
    ])
    expect(await page.locator('#ship-to-different-address-checkbox').isChecked()).toBe(false)
    expect(await values(page, 'ppcp_card_payment_token', 'ppcp_card_fastlane')).toEqual(['', ''])
    expect(await page.locator('.wc-ppcp-card-fields').isVisible()).toBe(true)
    await email(page).fill('member-away@example.test')
    await phase(page).toBe('cancelled')
    expect(await calls(page, 'lookup')).toHaveLength(1)
  })

  it('FAST-04 a customer without a card has the address filled in, and enters a card', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await beRecognised(page, 'member-nocard@example.test')
    await eventually(() => values(page, 'billing_city')).toEqual(['San Jose'])
    expect(await card(page).count()).toBe(0)
    expect(await values(page, 'ppcp_card_payment_token', 'ppcp_card_fastlane')).toEqual(['', ''])
  })

  it('FAST-01 FAST-04 window and card have no fault that a machine can find', async () => {
    await using visitor = await atCheckout(detecting, { filled: true, size: phone })
    const { page } = visitor
    await email(page).fill('nobody@example.test')
    await signUpLink(page).click()
    await page.locator('.wc-ppcp-popup__container.active').getByLabel('New card number').waitFor()
    // Half faded in, colours are half there.
    await page
      .locator('.wc-ppcp-popup__container')
      .evaluate((it) => Promise.all(it.getAnimations().map((one) => one.finished)))
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await eventually(() => page.locator('.wc-ppcp-popup__container').count()).toBe(0)
    await beRecognised(page)
    await card(page).waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('FAST-05 who does not want it is not asked again, and sees no link', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await email(page).fill('member@example.test')
    await inDialog(page, 'One-time code', 'Not now').click()
    await phase(page).toBe('cancelled')
    expect(await signUpLink(page).isVisible()).toBe(false)
    await email(page).fill('nobody@example.test')
    await phase(page).toBe('stranger')
    await email(page).fill('member@example.test')
    await phase(page).toBe('cancelled')
    expect(await calls(page, 'lookup')).toHaveLength(2)
    expect(visitor.errors).toEqual([])
  })

  it('FAST-01 FAST-06 a stranger sees the link; it opens the window, whose card then pays', async () => {
    await using visitor = await atCheckout(detecting, { filled: true })
    const { page } = visitor
    expect(await signUpLink(page).isVisible()).toBe(false)
    await email(page).fill('nobody@example.test')
    await signUpLink(page).click()
    const modal = page.getByRole('dialog', { name: 'Pay faster next time' })
    await modal.getByLabel('New card number').waitFor()
    expect(await calls(page, 'payment')).toMatchObject([
      ['payment', { shippingAddress: { address: { addressLine1: '1 Pine Road', adminArea2: 'Oakland' } } }],
    ])
    await modal.getByRole('button', { name: 'Use this card' }).click()
    await eventually(() => modal.getByRole('alert').textContent()).toMatch(/valid card number/)
    await modal.getByLabel('New card number').fill('378282246310005')
    await modal.getByRole('button', { name: 'Use this card' }).click()
    await card(page).waitFor()
    expect(await card(page).textContent()).toContain('American Express ending in 0005')
    expect(await values(page, 'billing_first_name', 'billing_city', 'ppcp_card_fastlane')).toEqual([
      ...['Grace', 'Oakland', '1'],
    ])
    await eventually(() => modal.count()).toBe(0)
    expect(await signUpLink(page).isVisible()).toBe(false)
    expect(visitor.errors).toEqual([])
  })

  it('FAST-07 card and delivery address are chosen anew in the provider’s own lists', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await beRecognised(page)
    await card(page).getByRole('button', { name: 'Change card' }).click()
    await inDialog(page, 'Your cards', 'Keep').click()
    expect(await card(page).textContent()).toContain('Visa ending in 1111')
    await card(page).getByRole('button', { name: 'Change card' }).click()
    await inDialog(page, 'Your cards', 'Mastercard 4444').click()
    await eventually(() => card(page).textContent()).toContain('Mastercard ending in 4444')
    expect(await values(page, 'ppcp_card_payment_token')).toEqual(['single-2'])
    await card(page).getByRole('button', { name: 'Change shipping address' }).click()
    await inDialog(page, 'Your addresses', 'Austin').click()
    await eventually(() => values(page, 'shipping_city', 'shipping_state')).toEqual(['Austin', 'TX'])
    expect(await values(page, 'billing_city')).toEqual(['San Jose'])
  })

  it('FAST-08 leads to the button that places the order, 200 px below the top', async () => {
    await using visitor = await atCheckout(detecting, { size: phone, reducedMotion: 'no-preference' })
    const { page } = visitor
    await beRecognised(page)
    await card(page).waitFor()
    // As far as the page goes: the button stands near its end.
    const away = () =>
      page.evaluate(() => {
        const top = document.querySelector('#place_order')?.getBoundingClientRect().top ?? 0
        const atEnd = Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight
        return atEnd ? 0 : Math.abs(top - 200)
      })
    await eventually(away).toBeLessThan(3)
    expect(await placeOrder(page).evaluate((it) => it.getBoundingClientRect().top)).toBeLessThan(phone.height)
    expect(await card(page).evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('FAST-03 another address shows nobody else’s card, and the first brings its own back', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await beRecognised(page)
    await card(page).waitFor()
    await email(page).fill('nobody@example.test')
    await eventually(() => card(page).count()).toBe(0)
    expect(await values(page, 'ppcp_card_payment_token', 'ppcp_card_fastlane')).toEqual(['', ''])
    await email(page).fill('member@example.test')
    await card(page).waitFor()
    expect(await values(page, 'ppcp_card_payment_token')).toEqual(['single-1'])
    expect(await calls(page, 'authenticate')).toHaveLength(1)
  })

  it('FAST-10 what fails is said on the form, and may be tried again', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await email(page).fill('broken@example.test')
    await eventually(() => alertText(page)).toMatch(/cannot be reached at the moment/)
    expect(await page.locator('form.checkout [role=alert]').count()).toBeGreaterThan(0)
    await email(page).fill('member@example.test')
    await inDialog(page, 'One-time code', 'Wrong').click()
    await eventually(() => alertText(page)).toMatch(/could not confirm your identity/)
    await phase(page).toBe('idle')
    // Focus that leaves the field raises `change`, and the browser may raise it this late.
    await email(page).evaluate((field) => {
      field.dispatchEvent(new Event('change', { bubbles: true }))
      return new Promise((resolve) => setTimeout(resolve, 500))
    })
    expect(await calls(page, 'lookup')).toHaveLength(2)
    expect(visitor.errors).toEqual([])
  })

  it('FAST-10 a failure to begin is only logged, and the checkout is as without', async () => {
    for (const fake of ['unable', 'no watermark']) {
      await using visitor = await aShopper(browser, detecting)
      const { page } = visitor
      const warned: string[] = []
      page.on('console', (message) => message.type() === 'warning' && warned.push(message.text()))
      await page.route('**/sdk/js?*', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
      await page.addInitScript((fake) => sessionStorage.setItem('fake', fake), fake)
      await putInCart(page, detecting, 'Plain mug')
      await page.goto('/checkout/')
      await hereIAm(page)
      await eventually(() => warned.join()).toMatch(fake === 'unable' ? /could not be started/ : /watermark/)
      expect(await page.locator('form.checkout [role=alert]').count()).toBe(0)
      expect(await page.locator('.wc-ppcp-fastlane').count()).toBe(fake === 'unable' ? 0 : 1)
      expect(visitor.errors).toEqual([])
    }
  })

  it('FAST-10 a card that was refused is shown as of no use, and the form can be used on', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await beRecognised(page)
    await card(page).waitFor()
    const refuse = (code?: string) =>
      page.route('**/?wc-ajax=checkout', (route) =>
        route.fulfill({
          json: { result: 'failure', messages: '<ul class="woocommerce-error"><li>No.</li></ul>', code },
        }),
      )
    await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
    await refuse()
    await placeOrder(page).click()
    await page.getByText('No.').waitFor()
    expect(await values(page, 'ppcp_card_payment_token')).toEqual(['single-1'])
    await page.unroute('**/?wc-ajax=checkout')
    await refuse('DECLINED')
    await placeOrder(page).click()
    await card(page).getByText('This card cannot be used again here.').waitFor()
    expect(await values(page, 'ppcp_card_payment_token', 'ppcp_card_fastlane')).toEqual(['', ''])
    expect(await page.locator('.wc-ppcp-card-fields').isVisible()).toBe(true)
    await card(page).getByRole('button', { name: 'Change card' }).click()
    await inDialog(page, 'Your cards', 'Mastercard 4444').click()
    await eventually(() => values(page, 'ppcp_card_payment_token', 'ppcp_card_fastlane')).toEqual(['single-2', '1'])
    expect(await card(page).getByText('This card cannot be used again here.').count()).toBe(0)
  })

  it('FAST-09 an address that is there when the page loads is not looked up by itself', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await email(page).fill('nobody@example.test')
    await phase(page).toBe('stranger')
    await noted(page)
    await page.reload()
    await hereIAm(page)
    await page.locator('.wc-ppcp-fastlane[data-ready]').waitFor({ state: 'attached' })
    expect(await email(page).inputValue()).toBe('nobody@example.test')
    await email(page).fill('somebody@example.test')
    await phase(page).toBe('stranger')
    expect(await calls(page, 'lookup')).toEqual([['lookup', 'somebody@example.test']])
  })

  it('FAST-11 where the card is kept and nothing is due, its token is exchanged with the extra fastlane first', async () => {
    await using visitor = await atCheckout(detecting)
    const { page } = visitor
    await beRecognised(page)
    await card(page).waitFor()
    await page.getByRole('checkbox', { name: /I have read and agree/ }).check()
    await page.evaluate(() => {
      Reflect.get(window, 'wcPPCPSettings').ppcp_card_data.needsSetupToken = true
    })
    const kept: unknown[] = []
    await page.route('**/vault/payment-tokens', (route) => {
      kept.push(route.request().postDataJSON())
      return route.fulfill({ json: { id: 'kept-1', payment_source: { card: { brand: 'VISA' } } } })
    })
    const placed = page.waitForRequest((request) => request.url().endsWith('wc-ajax=checkout'))
    await placeOrder(page).click()
    const sent = new URLSearchParams((await placed).postData() ?? '')
    expect(kept).toEqual([{ setup_token: 'single-1', payment_method: 'ppcp_card', fastlane: true }])
    expect(sent.get('ppcp_card_payment_token')).toBe('kept-1')
    expect(sent.get('ppcp_card_fastlane')).toBe('')
  })
})

describe('an address that is looked up by a button', () => {
  const ask = (page: Page) => page.getByRole('button', { name: 'Check out faster' })

  it('FAST-02 FAST-09 an empty and a malformed address are said at the field', async () => {
    await using visitor = await atCheckout(asking)
    const { page } = visitor
    await ask(page).click()
    const said = page.locator('#billing_email_description')
    expect(await said.textContent()).toBe('Enter your email address')
    expect(await email(page).evaluate((it) => it === document.activeElement)).toBe(true)
    await email(page).fill('ann@')
    await ask(page).click()
    expect(await said.textContent()).toBe('Enter a valid email address')
    expect(await email(page).getAttribute('aria-describedby')).toBe('billing_email_description')
    expect(await calls(page, 'lookup')).toEqual([])
  })

  it('FAST-06 FAST-09 the button looks up, and asks a stranger to sign up at once', async () => {
    await using visitor = await atCheckout(asking)
    const { page } = visitor
    await email(page).fill('nobody@example.test')
    await ask(page).click()
    const modal = page.getByRole('dialog', { name: 'Pay faster next time' })
    await modal.waitFor()
    await page.keyboard.press('Escape')
    await eventually(() => modal.count()).toBe(0)
    expect(await ask(page).evaluate((it) => it === document.activeElement)).toBe(true)
    expect(visitor.errors).toEqual([])
  })

  it('FAST-09 typing looks nothing up: another address is only no longer the one that was recognised', async () => {
    await using visitor = await atCheckout(asking)
    const { page } = visitor
    await email(page).fill('member@example.test')
    await ask(page).click()
    await inDialog(page, 'One-time code', 'Right').click()
    await phase(page).toBe('recognised')
    await email(page).fill('nobody@example.test')
    await phase(page).toBe('idle')
    expect(await calls(page, 'lookup')).toEqual([['lookup', 'member@example.test']])
  })

  it('FAST-09 the card is named by the merchant’s pattern', async () => {
    await using visitor = await atCheckout(asking, { size: desktop })
    const { page } = visitor
    await email(page).fill('member@example.test')
    await ask(page).click()
    await inDialog(page, 'One-time code', 'Right').click()
    await eventually(() => card(page).textContent()).toContain('Ann Bee: Visa 1111 (01/30)')
  })
})

describe('an address that is looked up when the page loads', () => {
  it('FAST-09 finds the guest who comes back with the address filled in', async () => {
    await using visitor = await atCheckout(loading)
    const { page } = visitor
    await email(page).fill('member@example.test')
    await inDialog(page, 'One-time code', 'Not now').click()
    await phase(page).toBe('cancelled')
    await noted(page)
    await page.reload()
    await hereIAm(page)
    await inDialog(page, 'One-time code', 'Right').click()
    await card(page).waitFor()
    expect(await calls(page, 'lookup')).toEqual([['lookup', 'member@example.test']])
  })
})
