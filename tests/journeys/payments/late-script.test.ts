import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addFromListing,
  aShopper,
  fillCheckout,
  placeOrder,
  putInCart,
  scriptsAreThere,
  walletButton,
} from '#tests/journeys/fixtures/shopper.ts'
import { settled } from '#tests/support/browser/page-time.ts'
import { noteShifts, shiftsOf } from '#tests/support/browser/web-vitals.ts'
import { aBrowser, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { cardMethod } from './fixtures/card.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { paypal: { cards: { enabled: true } } } })])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const expectedErrors = [/Failed to load resource/, /the payment script did not load/, /could not be drawn/]
const scripts = /\/sdk\/js/
const slow = 'The card fields are taking longer than usual…'
const unavailable = 'Card payments are not available at the moment.'
/** Said after twelve seconds. */
const timeout = 16_000

async function toCheckout(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await fillCheckout(page)
}

/** The provider's script is loaded for somebody who moves and sees the place of its button. */
async function lookAtWallet(page: Page): Promise<void> {
  await page.mouse.move(20, 20)
  await page.locator('.wc-ppcp-wallet__place').scrollIntoViewIfNeeded()
}

const inCard = (page: Page) => page.locator('.wc-ppcp-card-fields')
const tryAgain = (page: Page, place: string) => page.locator(place).getByRole('button', { name: 'Try again' })
const orders = () => shop.db.sql`select id from orders`

/** Where everything of a script is there and nothing of it ever appears. */
const halfScript = `{
  const part = () => ({ render: () => new Promise(() => {}), close: async () => {}, isEligible: () => true })
  window.paypal = {
    version: '5.0.1',
    Buttons: part,
    CardFields: () => ({ ...part(), NumberField: part, ExpiryField: part, CVVField: part, NameField: part }),
  }
}`

describe('a payment script that hangs', () => {
  it('F33 P6 is told to whoever wants to pay by card, who presses in vain, tries again and gets the fields', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors })
    const { page } = visitor
    const held: Route[] = []
    let hangs = true
    await page.route(scripts, (route) => (hangs ? void held.push(route) : route.continue()))
    await toCheckout(page)
    await cardMethod(page).check()
    await inCard(page).getByText(slow).waitFor({ timeout: 6000 })
    // The words are of no use for who has to wait for the press to end.
    await placeOrder(page).click()
    await page.getByRole('alert').filter({ hasText: unavailable }).waitFor({ timeout })
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await inCard(page).innerText()).toContain(`${unavailable} Please choose another payment method.`)
    expect(await page.locator('#ppcp-card-number').isVisible()).toBe(false)
    expect(await page.locator('#billing_first_name').inputValue()).toBe('Grace')
    expect(await orders()).toEqual([])
    // The next press is answered at once, and a refresh of the totals says nothing anew.
    await page.evaluate(() => {
      const said = document.querySelector('.card-fields__message')
      if (said) new MutationObserver(() => (document.body.dataset.saidAgain = '')).observe(said, { childList: true })
    })
    await page.getByRole('radio', { name: /^Express/ }).check()
    await page.locator('.woocommerce-checkout-payment:not([aria-busy])').waitFor()
    await placeOrder(page).click()
    await page.getByRole('alert').filter({ hasText: unavailable }).waitFor({ timeout: 2000 })
    expect(await page.locator('body').getAttribute('data-said-again')).toBeNull()

    hangs = false
    await tryAgain(page, '.wc-ppcp-card-fields').click()
    await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
    expect(await inCard(page).getByText(unavailable).count()).toBe(0)
    // What was given up and comes at last changes nothing.
    const marked = 'window.paypal = { version: "5.0.1", late: true }'
    for (const route of held) await route.fulfill({ contentType: 'text/javascript', body: marked }).catch(() => {})
    await settled(page)
    expect(await page.evaluate(() => 'late' in (Reflect.get(window, 'paypal') as object))).toBe(false)
    expect(await page.locator('#ppcp-card-number iframe').count()).toBe(1)
    expect(visitor.errors).toEqual([])
  })

  it('F33 P6 and comes after all, puts the fields and the buttons in place of the words', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors })
    const { page } = visitor
    const held: Route[] = []
    let hangs = true
    await page.route(scripts, (route) => (hangs ? void held.push(route) : route.continue()))
    await toCheckout(page)
    await lookAtWallet(page)
    await page.getByText('The PayPal button could not be loaded.').first().waitFor({ timeout })
    await cardMethod(page).check()
    await inCard(page).getByText(unavailable).waitFor({ timeout })
    hangs = false
    for (const route of held) await route.continue()
    await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await walletButton(page).waitFor()
    expect(await page.getByText('could not be loaded').count()).toBe(0)
    expect(visitor.errors).toEqual([])
  })
})

describe('a payment script that is blocked', () => {
  it('F33 P6 names another way to pay only where there is one', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors })
    const { page } = visitor
    await page.route(scripts, (route) => route.abort('blockedbyclient'))
    await toCheckout(page)
    await cardMethod(page).check()
    await inCard(page).getByText(`${unavailable} Please choose another payment method.`).waitFor()
    // What is asked about the totals brings the others back.
    await scriptsAreThere(page)
    await page.evaluate(() => {
      for (const other of document.querySelectorAll('.wc_payment_method:not(.payment_method_ppcp_card)')) other.remove()
    })
    await tryAgain(page, '.wc-ppcp-card-fields').click()
    await inCard(page).getByText(`${unavailable} Please try again in a few minutes.`).waitFor()
    expect(visitor.errors).toEqual([])
  })
})

describe('the shop’s own script for the fields of a card', () => {
  it('F33 P6 that is blocked is told in its box and at the press, which orders nothing, and comes with the page anew', async () => {
    await using visitor = await aShopper(browser, shop, {
      expectedErrors: [/Failed to load resource/, /the island card-fields stopped/],
    })
    const { page } = visitor
    const before = await orders()
    await page.route(/card-fields.*\.js/, (route) => route.abort('blockedbyclient'))
    await toCheckout(page)
    await cardMethod(page).check()
    await inCard(page).getByText(`${unavailable} Please choose another payment method.`).waitFor()
    expect(await page.locator('#ppcp-card-number').isVisible()).toBe(false)
    await placeOrder(page).click()
    await page.getByRole('alert').filter({ hasText: unavailable }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await page.locator('#billing_first_name').inputValue()).toBe('Grace')
    expect(await orders()).toEqual(before)
    await page.unroute(/card-fields.*\.js/)
    await Promise.all([page.waitForEvent('load'), tryAgain(page, '.wc-ppcp-card-fields').click()])
    await cardMethod(page).check()
    await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
    expect(await page.locator('#billing_first_name').inputValue()).toBe('Grace')
    expect(visitor.errors).toEqual([])
  })
})

describe('the shop’s own script for the fields of a card, where the page’s scripts are later still', () => {
  it('F33 P6 that is blocked is told in its box all the same', async () => {
    await using visitor = await aShopper(browser, shop, {
      expectedErrors: [/Failed to load resource/, /the island card-fields stopped/],
    })
    const { page } = visitor
    const held: Route[] = []
    await page.route(/card-fields.*\.js/, (route) => route.abort('blockedbyclient'))
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await page.route(/page-scripts/, (route) => void held.push(route))
    await page.goto('/checkout/')
    await cardMethod(page).check()
    await page.locator('vitrine-island[failed]').waitFor({ state: 'attached' })
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (const route of held) await route.continue()
    await inCard(page).getByText(`${unavailable} Please choose another payment method.`).waitFor()
    expect(visitor.errors).toEqual([])
  })
})

describe('a payment script whose parts do not appear', () => {
  it('F33 P6 is told for each way to pay, and trying again loads another one for all', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors })
    const { page } = visitor
    let loads = 0
    await page.route(scripts, (route) => {
      loads += 1
      return route.fulfill({
        contentType: 'text/javascript',
        body: halfScript.replaceAll('new Promise(() => {})', 'Promise.reject(new Error("half"))'),
      })
    })
    await toCheckout(page)
    await lookAtWallet(page)
    await page.getByText('The PayPal button could not be loaded.').first().waitFor({ timeout })
    await cardMethod(page).check()
    await inCard(page).getByText(unavailable).waitFor()
    expect(loads).toBe(1)
    await tryAgain(page, '.wc-ppcp-card-fields').press('Enter')
    await expect.poll(() => loads).toBe(2)
    await expect
      .poll(() => tryAgain(page, '.wc-ppcp-card-fields').evaluate((button) => button.matches(':focus')))
      .toBe(true)
    await page.unroute(scripts)
    await tryAgain(page, '.wc-ppcp-card-fields').click()
    await page.locator('.wc-ppcp-card-fields[data-state=ready]').waitFor()
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await walletButton(page).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F33 P6 is told for a button that is never drawn, also beside a product, which hardly moves what follows', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors, size: phone })
    const { page } = visitor
    await noteShifts(page)
    await page.route(scripts, (route) => route.fulfill({ contentType: 'text/javascript', body: halfScript }))
    await page.goto('/product/plain-mug/')
    await page.waitForLoadState()
    await page.locator('.wc-ppcp-wallet__place').scrollIntoViewIfNeeded()
    await page.evaluate(() => scrollBy({ top: 60, behavior: 'instant' }))
    await page.getByText('The PayPal button could not be loaded.').first().waitFor({ timeout })
    expect(await page.getByRole('button', { name: 'Continue to PayPal' }).isVisible()).toBe(true)
    // A line of text more than the room that was kept for the button, once. Above this limit a page counts as restless.
    const moved = (await shiftsOf(page)).reduce((sum, { value }) => sum + value, 0)
    expect(moved).toBeLessThan(0.1)
    expect(visitor.errors).toEqual([])
  })
})
