import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShopper, putInCart } from '#tests/journeys/fixtures/shopper.ts'
import { settled } from '#tests/support/browser/page-time.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let browser: Browser
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([aShop({ wallet: false }), aBrowser()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const eventually = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 8000 })
const field = (page: Page, name = 'Plain mug') => page.getByRole('spinbutton', { name: `${name} quantity` })
const more = (page: Page, name = 'Plain mug') => page.getByRole('button', { name: `Increase quantity of ${name}` })
const less = (page: Page, name = 'Plain mug') => page.getByRole('button', { name: `Decrease quantity of ${name}` })

/** A theme's own limits, which it writes into the field. */
const limit = (page: Page, limits: Readonly<Record<string, string>>) =>
  field(page).evaluate((input, limits) => {
    for (const [name, value] of Object.entries(limits)) input.setAttribute(name, value)
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, limits)

describe('the quantity of a product', () => {
  it('QTY-02 QTY-03 goes up to what is in stock and down to one, by mouse and keyboard, and is what gets added', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    expect(await less(page).isDisabled()).toBe(true)
    await more(page).click()
    await more(page).focus()
    await page.keyboard.press('Enter')
    expect(await field(page).inputValue()).toBe('3')
    await less(page).click()
    expect(await field(page).inputValue()).toBe('2')
    await field(page).fill('49')
    await more(page).click()
    expect(await field(page).inputValue()).toBe('50')
    expect(await more(page).isDisabled()).toBe(true)
    await field(page).fill('2')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '2 × “Plain mug” have been added' }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('QTY-01 is raised to its least on load', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    // A theme that sells mugs by threes, and whose page still says one.
    await page.route('**/product/plain-mug/', async (route) => {
      const answer = await route.fetch()
      const text = await answer.text()
      await route.fulfill({ response: answer, body: text.replace('min="1"', 'min="3"') })
    })
    await page.goto('/product/plain-mug/')
    await eventually(() => field(page).inputValue()).toBe('3')
  })

  it('QTY-02 QTY-04 an empty field counts as none, and a step of any as one', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await limit(page, { step: 'any' })
    await field(page).fill('')
    await more(page).click()
    expect(await field(page).inputValue()).toBe('1')
    await limit(page, { step: '4', max: '10' })
    await more(page).click()
    await more(page).click()
    await more(page).click()
    expect(await field(page).inputValue()).toBe('10')
  })

  it('QTY-06 parts of a piece stay exact', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await limit(page, { step: '0.1', min: '0' })
    await field(page).fill('0.2')
    await more(page).click()
    expect(await field(page).inputValue()).toBe('0.3')
    for (const _ of [1, 2, 3]) await less(page).click()
    expect(await field(page).inputValue()).toBe('0')
  })

  it('QTY-02 QTY-03 the products of a group count each by itself, from none', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/tea-set/')
    await more(page, 'Soup bowl').click()
    expect(await field(page, 'Soup bowl').inputValue()).toBe('1')
    expect(await field(page).inputValue()).toBe('0')
    await less(page, 'Soup bowl').click()
    expect(await field(page, 'Soup bowl').inputValue()).toBe('0')
    expect(await less(page, 'Soup bowl').isDisabled()).toBe(true)
  })
})

describe('the quantity of a line of the cart', () => {
  it('QTY-01 QTY-03 QTY-05 may go to none, and Enter updates the cart', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'MUG')
    await page.goto('/cart/')
    await field(page).fill('4')
    await field(page).press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Cart updated.' }).waitFor()
    await eventually(() => page.locator('.product-subtotal').last().textContent()).toContain('48.00')
    await field(page).fill('1')
    await less(page).click()
    expect(await field(page).inputValue()).toBe('0')
    expect(await less(page).isDisabled()).toBe(true)
    await field(page).press('Enter')
    await page.getByText('Your cart is currently empty.').waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('QTY-05 Enter on a number that the shop does not have sends nothing', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'MUG')
    await page.goto('/cart/')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/cart/')) sent.push(request.url())
    })
    await field(page).fill('51')
    await field(page).press('Enter')
    await settled(page)
    expect(sent).toEqual([])
    expect(await field(page).evaluate((input) => input.matches(':invalid'))).toBe(true)
  })
})
