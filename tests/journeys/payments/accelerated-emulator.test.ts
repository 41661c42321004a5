import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBrowser, type Visitor, type VisitorOptions } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { aShopper, fillCheckout, grace, placeOrder, putInCart } from '../fixtures/shopper.ts'
import { hereIAm } from './fixtures/browsing.ts'

/** Reads until it is so; pages take their time on a busy machine. */
const eventually = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 15_000 })

const on = { enabled: true }
let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({ settings: { paypal: { sections: ['checkout'], cards: on, fastlane: on } } }),
  ])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})
beforeEach(() => shop.emulate('/reset', {}))

async function atCheckout(options: VisitorOptions = {}): Promise<Visitor> {
  const visitor = await aShopper(browser, shop, options)
  const { page } = visitor
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await hereIAm(page)
  await page.frameLocator('#fastlane-watermark iframe').getByText('Fastlane').first().waitFor()
  return visitor
}

const email = (page: Page) => page.locator('#billing_email')
const card = (page: Page) => page.getByRole('group', { name: 'Your chosen card' })
/** The provider's dialog, in a frame of its own over the page. */
const dialog = (page: Page) => page.frameLocator('[role=dialog] iframe')
const agree = (page: Page) => page.getByRole('checkbox', { name: /I have read and agree/ }).check()

async function prove(page: Page, address = 'member@emulator.test'): Promise<void> {
  await email(page).fill(address)
  await dialog(page).getByLabel('Code').pressSequentially('123456')
  await card(page).waitFor()
}

type Ledger = { captures: { status: string; amount: { value: string } }[] }
async function captured(): Promise<string[]> {
  const { captures } = (await shop.emulate('/ledger')) as Ledger
  return captures.filter(({ status }) => status === 'COMPLETED').map(({ amount }) => amount.value)
}

describe('accelerated checkout with the provider', () => {
  it('FAST-03 FAST-04 a guest whom the provider knows types an address and a code, and has bought', async () => {
    await using visitor = await atCheckout()
    const { page } = visitor
    await prove(page)
    expect(await card(page).textContent()).toContain('Visa ending in 1111')
    expect(await page.locator('#billing_first_name').inputValue()).toBe('Mia')
    expect(await page.locator('#billing_address_1').inputValue()).toBe('48 Orchard Lane')
    await agree(page)
    await placeOrder(page).click()
    await page.waitForURL(/order-received/)
    // 12.00, 6.90 for standard shipping, and 7.25 % of the mug.
    expect(await captured()).toEqual(['19.77'])
    expect(visitor.errors).toEqual([])
  })

  it('FAST-07 FAST-10 a declined card is of no use any more; another one is chosen, and pays once', async () => {
    await using visitor = await atCheckout()
    const { page } = visitor
    await prove(page)
    const change = async (ending: string) => {
      await card(page).getByRole('button', { name: 'Change card' }).click()
      await dialog(page)
        .getByRole('radio', { name: new RegExp(`·· ${ending}`) })
        .check()
      await dialog(page).getByRole('button', { name: 'Use this' }).click()
      await eventually(() => card(page).textContent()).toContain(`ending in ${ending}`)
    }
    await change('0002')
    await agree(page)
    await placeOrder(page).click()
    await card(page).getByText('This card cannot be used again here.').waitFor()
    expect(await page.getByRole('alert').filter({ hasText: 'declined' }).count()).toBeGreaterThan(0)
    expect(await captured()).toEqual([])
    await change('4444')
    await placeOrder(page).click()
    await page.waitForURL(/order-received/)
    expect(await captured()).toEqual(['19.77'])
  })

  it('FAST-06 a stranger enters a card once, in the provider’s form in our window, and it pays', async () => {
    await using visitor = await atCheckout()
    const { page } = visitor
    await fillCheckout(page, { ...grace, email: 'somebody@emulator.test' })
    await page.getByRole('button', { name: 'Save a card for next time' }).click()
    const form = page.frameLocator('.wc-ppcp-popup__payment iframe')
    await form.getByLabel('Card number').waitFor()
    await page.getByRole('button', { name: 'Use this card' }).click()
    await page.getByText('Enter a complete and valid card number').waitFor()
    await form.getByLabel('Card number').pressSequentially('4111111111111111')
    await form.getByLabel('Expiration').pressSequentially('0131')
    await form.getByLabel('Security code').pressSequentially('123')
    await page.getByRole('button', { name: 'Use this card' }).click()
    await card(page).waitFor()
    await placeOrder(page).click()
    await page.waitForURL(/order-received/)
    expect(await captured()).toEqual(['19.77'])
  })

  it('FAST-05 FAST-10 the dialog that is left, and the code that is never right', async () => {
    await using visitor = await atCheckout()
    const { page } = visitor
    const phase = eventually(() => page.locator('.wc-ppcp-fastlane').getAttribute('data-phase'))
    await email(page).fill('otp-cancel@emulator.test')
    await phase.toBe('cancelled')
    await email(page).fill('otp-fail@emulator.test')
    const code = dialog(page).getByLabel('Code')
    const tries = dialog(page).getByText(/Tries left/)
    await code.pressSequentially('123456')
    await tries.waitFor()
    // Gone at any moment: nothing here waits for it to come back.
    const left = () => tries.textContent({ timeout: 500 }).catch(() => null)
    while (await code.isVisible()) {
      const before = await left()
      await code.pressSequentially('123456', { timeout: 2000 }).catch(() => {})
      await eventually(async () => !(await code.isVisible()) || (await left()) !== before).toBe(true)
    }
    await page.getByText('We could not confirm your identity.').waitFor()
  })
})
