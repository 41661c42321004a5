import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Home, homes, openToTheWorld } from '#tests/journeys/fixtures/countries.ts'
import {
  addByLink,
  aShopper,
  openWallet,
  payByRedirect,
  payInWallet,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
  scriptsAreThere,
  select,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aCustomer, goodPassword } from '#tests/support/customers/customer.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
  await openToTheWorld(shop)
  await reconfigured(shop)
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** Six journeys in a row meet every pairing of the two. */
const sizes = [phone, desktop] as const
const buyers = ['a guest', 'a new customer', 'a returning customer'] as const
type Buyer = (typeof buyers)[number]

const journeysFrom = (start: number) =>
  homes.map((home, place) => {
    const size = sizes[(start + place) % sizes.length] ?? phone
    const buyer = buyers[(start + place) % buyers.length] ?? 'a guest'
    return { home, size, buyer, device: size === phone ? 'phone' : 'desktop' }
  })

/** An address of one's own for every try. */
let visitors = 0
const newEmail = ({ country }: Home): string => `${country.toLowerCase()}-${++visitors}@example.test`

const checkout = (page: Page): Locator => page.getByRole('form', { name: 'Checkout' })
const box = (page: Page, label: string): Locator =>
  checkout(page)
    .getByRole('textbox', { name: new RegExp(`^${label}`) })
    .first()

/** The labels of the billing address as they are read, from top to bottom. */
async function labelsOf(page: Page): Promise<string[]> {
  const texts = await page.locator('.woocommerce-billing-fields .form-row:visible label').allInnerTexts()
  return texts.map((text) => text.replace(/\s+/g, ' ').trim())
}

/** Opens the list that stands for a select and searches: by keyboard on a desktop, by finger on a phone. */
async function choose(page: Page, label: string, text: string, size: typeof phone | typeof desktop): Promise<void> {
  const name = new RegExp(`^${label}`)
  // The plain select gives way to its list a moment after the page is there.
  const list = checkout(page).getByRole('combobox', { name }).and(page.locator(':not(select)')).first()
  if (size === desktop) {
    await list.focus()
    await page.keyboard.press('Enter')
  } else await list.tap()
  await page.keyboard.type(text)
  const option = page.getByRole('listbox').getByRole('option', { name: text, exact: true })
  await option.waitFor()
  if (size === desktop) await page.keyboard.press('Enter')
  else await option.tap()
  await expect.poll(() => list.innerText()).toBe(text)
}

async function stateFits(page: Page, { state }: Home): Promise<void> {
  const name = new RegExp(`^${state.label}`)
  if (state.listed === null) {
    expect(await select(checkout(page), name).count()).toBe(0)
    expect(await box(page, state.label).isVisible()).toBe(true)
    return
  }
  const [first, ...options] = await select(checkout(page), name).locator('option').allTextContents()
  expect([first, options.length]).toEqual(['Select an option…', state.listed])
  expect(options).toContain(state.given)
}

/** All but country and state. */
async function fillBoxes(page: Page, home: Home, email: string, postcode = home.postcode.typed): Promise<void> {
  await box(page, 'First name').fill(home.first)
  await box(page, 'Last name').fill(home.last)
  await box(page, 'Street address').fill(home.street)
  await box(page, 'Town / City').fill(home.city)
  if (home.state.listed === null) await box(page, home.state.label).fill(home.state.given)
  await box(page, 'Phone').fill(home.phone)
  await box(page, 'Email address').fill(email)
  await box(page, home.postcode.label).fill(postcode)
}

/** The form above the checkout is closed where scripts can open it. */
async function logInAbove(page: Page, email: string, scripts: boolean): Promise<void> {
  if (scripts) {
    await scriptsAreThere(page)
    await page.getByRole('button', { name: 'Click here to log in' }).click()
  }
  await page.getByLabel('Username or email address').fill(email)
  await page.getByRole('textbox', { name: /^Password/ }).fill(goodPassword)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL('**/checkout/')
  await page.getByLabel('Username or email address').waitFor({ state: 'detached' })
  expect(await page.getByRole('checkbox', { name: 'Create an account?' }).count()).toBe(0)
}

async function openAccountWithIt(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Create an account?' }).check()
  await page.getByLabel('Create account password').fill(goodPassword)
}

const acceptTerms = (page: Page): Promise<void> => page.getByRole('checkbox', { name: /I have read and agree/ }).check()

const money = (minor: number): string => `$${(minor / 100).toFixed(2)}`

/** Waits until the review shows what the address costs. */
async function totalsShow(page: Page, { tax, shipping, total }: Home): Promise<void> {
  const row = (label: string, amount: number) =>
    checkout(page)
      .getByRole('row')
      .filter({ hasText: label })
      .filter({ hasText: money(amount) })
      .waitFor()
  await row('Total', total)
  await row(tax.name, tax.amount)
  await row('Shipping', shipping)
}

async function lastShownTotal(page: Page): Promise<string> {
  return checkout(page)
    .getByRole('row', { name: /^Total / })
    .getByRole('cell')
    .innerText()
}

const addressesOn = async (page: Page): Promise<string[][]> =>
  (await page.getByRole('main').locator('address').allInnerTexts()).map((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  )

type Bought = { order: number; shown: string; home: Home; email: string; buyer: Buyer; method: 'cod' | 'ppcp' }

/** The confirmation, the books and the account all tell the same. */
async function isAllAsBought(page: Page, { order, shown, home, email, buyer, method }: Bought): Promise<void> {
  expect(shown).toBe(money(home.total))
  await page.getByText(`Total: ${shown}`).waitFor()
  expect(await addressesOn(page)).toEqual([[...home.written, home.phone, email], home.written])

  const records = await recordsOf(shop, order)
  const address = {
    first_name: home.first,
    last_name: home.last,
    country: home.country,
    address_1: home.street,
    city: home.city,
    state: home.state.kept,
    postcode: home.postcode.kept,
  }
  expect(records.order).toMatchObject({
    status: 'processing',
    payment_method: method,
    total: home.total,
    total_tax: home.tax.amount,
    shipping_total: home.shipping,
    billing: { ...address, phone: home.phone, email },
    shipping: address,
  })
  const charged = method === 'ppcp' ? [{ status: 'COMPLETED', amount: home.total }] : []
  expect(records.captures).toMatchObject(charged)
  const provider = (await providersBooks(shop, order)).captures.map(({ amount }) => `$${amount.value}`)
  expect(provider).toEqual(method === 'ppcp' ? [shown] : [])

  if (buyer === 'a guest') {
    expect(records.order?.customer_id).toBeNull()
    return
  }
  const [customer] = await shop.db.sql`select id, billing from customers where email = ${email}`
  expect(records.order?.customer_id).toBe(customer?.id)
  expect(customer?.billing).toMatchObject(address)
  await page.goto('/my-account/orders/')
  await page
    .getByRole('row')
    .filter({ hasText: String(order) })
    .filter({ hasText: shown })
    .waitFor()
  await page.goto('/my-account/edit-address/')
  expect((await addressesOn(page))[0]?.slice(0, home.written.length)).toEqual(home.written)
}

describe('a purchase from home, with scripts', () => {
  it.each(journeysFrom(0))(
    'CHK-10 ADDR-01 SEL-01 $home.shows $home.name: $buyer on a $device',
    async ({ home, size, buyer }) => {
      const email = newEmail(home)
      if (buyer === 'a returning customer') await aCustomer(shop, email).register()
      await using visitor = await aShopper(browser, shop, { size })
      const { page } = visitor
      await putInCart(page, shop, 'Plain mug')
      await page.goto('/checkout/')
      if (buyer === 'a returning customer') await logInAbove(page, email, true)

      if (home.country !== 'US') await choose(page, 'Country / Region', home.name, size)
      await expect.poll(() => labelsOf(page)).toEqual(home.labels)
      await stateFits(page, home)
      if (home.state.listed !== null) await choose(page, home.state.label, home.state.given, size)
      const { refused } = home.postcode
      await fillBoxes(page, home, email, refused?.typed)
      await page.keyboard.press('Tab')
      await totalsShow(page, home)
      if (buyer === 'a new customer') await openAccountWithIt(page)
      await acceptTerms(page)
      const byWallet = home.country === 'JP'
      if (!byWallet) await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      if (refused) {
        await placeOrder(page).click()
        await page.getByRole('alert').filter({ hasText: refused.said }).waitFor()
        expect(await box(page, home.postcode.label).getAttribute('aria-invalid')).toBe('true')
        await box(page, home.postcode.label).fill(home.postcode.typed)
      }
      await totalsShow(page, home)
      const shown = await lastShownTotal(page)
      if (!byWallet) await placeOrder(page).click()
      const order = byWallet ? await payInWallet(page, await openWallet(page)) : await received(page)
      await isAllAsBought(page, { order, shown, home, email, buyer, method: byWallet ? 'ppcp' : 'cod' })
      expect(visitor.errors).toEqual([])
    },
  )
})

describe('a purchase from home, with scripts off', () => {
  it.each(journeysFrom(1))(
    'F34 CHK-10 ADDR-01 SEL-03 $home.shows $home.name: $buyer on a $device',
    async ({ home, size, buyer }) => {
      const email = newEmail(home)
      if (buyer === 'a returning customer') await aCustomer(shop, email).register()
      await using visitor = await aShopper(browser, shop, { size, javaScriptEnabled: false })
      const { page } = visitor
      const update = () => page.getByRole('button', { name: 'Update totals' }).click()
      await addByLink(page, 'Plain mug')
      await page.goto('/checkout/')
      if (buyer === 'a returning customer') await logInAbove(page, email, false)

      const form = checkout(page)
      await box(page, 'First name').fill(home.first)
      await select(form, /^Country/).selectOption({ label: home.name })
      await update()
      await form.getByRole('row', { name: /^Total/ }).waitFor()
      expect(await labelsOf(page)).toEqual(home.labels)
      expect(await box(page, 'First name').inputValue()).toBe(home.first)
      await stateFits(page, home)
      if (home.state.listed !== null)
        await select(form, new RegExp(`^${home.state.label}`)).selectOption({ label: home.state.given })
      const { refused } = home.postcode
      await fillBoxes(page, home, email, refused?.typed)
      await update()
      await totalsShow(page, home)
      const byWallet = home.country === 'BR'
      if (!byWallet) await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      if (refused) {
        await acceptTerms(page)
        await placeOrder(page).click()
        await page.getByRole('alert').filter({ hasText: refused.said }).waitFor()
        await box(page, home.postcode.label).fill(home.postcode.typed)
      }
      if (buyer === 'a new customer') await openAccountWithIt(page)
      await acceptTerms(page)
      const shown = await lastShownTotal(page)
      await placeOrder(page).click()
      const order = byWallet ? await payByRedirect(page) : await received(page)
      await isAllAsBought(page, { order, shown, home, email, buyer, method: byWallet ? 'ppcp' : 'cod' })
      expect(visitor.errors).toEqual([])
    },
  )
})
