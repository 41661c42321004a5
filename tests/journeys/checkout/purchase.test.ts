import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addFromListing,
  aShopper,
  cartLink,
  cartRow,
  fillCheckout,
  grace,
  openWallet,
  payInWallet,
  placeOrder,
  providersBooks,
  received,
  recordsOf,
  stockOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, desktop, phone } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** The messages written so far that speak of an order: subject lines by receiver. */
async function mailsAbout(order: number): Promise<string[]> {
  const folder = join(shop.dataDir, 'outbox')
  const files = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.eml')).map((file) => readFile(join(folder, file), 'utf8')),
  )
  const receiver = (text: string) => /^To: (.*)$/m.exec(text)?.[1] ?? ''
  return texts
    .filter((text) => text.includes(String(order)))
    .map(receiver)
    .sort()
}

const cardNames = (page: Page) =>
  page.getByRole('main').getByRole('listitem').getByRole('heading', { level: 2 }).allTextContents()

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('a purchase on %s', (_, size) => {
  it('LIST-01 LIST-02 LIST-06 finds products by category, search and order of price', async () => {
    await using visitor = await aShopper(browser, shop, { size })
    const { page } = visitor
    await page.goto('/shop/')
    expect(await cardNames(page)).toContain('Plain mug')
    await page
      .getByRole('main')
      .getByRole('navigation', { name: 'Categories' })
      .getByRole('link', { name: /^Kitchen/ })
      .click()
    await page.waitForURL('**/product-category/kitchen/')
    await page.getByRole('heading', { name: 'Kitchen', level: 1 }).waitFor()
    expect(await cardNames(page)).not.toContain('Linen shirt')

    await page.getByRole('combobox', { name: 'Shop order' }).selectOption({ label: 'Sort by price: high to low' })
    await page.waitForURL('**/product-category/kitchen/?**orderby=price-desc**')
    expect((await cardNames(page))[0]).toBe('Last teapot')

    await page.getByRole('button', { name: 'Search' }).click()
    const search = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')
    await search.fill('mug')
    await search.press('Enter')
    // One result is shown as a list of one, or at once by its own page.
    await page.waitForURL(/\?s=mug|\/product\/plain-mug\//)
    await page.getByRole('heading', { name: 'Plain mug' }).first().waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('ADD-01 ADD-02 ADD-05 ADD-06 ADD-07 ADD-09 PROD-01 PROD-03 MINI-01 MINI-02 fills the cart from listing and product page', async () => {
    await using visitor = await aShopper(browser, shop, { size })
    const { page } = visitor
    await page.goto('/shop/')
    const posted = page.waitForRequest((request) => request.url().includes('wc-ajax=add_to_cart'))
    await page.getByRole('button', { name: 'Add to cart: “Plain mug”' }).click()
    const fields = new URLSearchParams((await posted).postData() ?? '')
    expect(Object.fromEntries(fields)).toMatchObject({
      product_id: String(await shop.idOf('MUG')),
      product_sku: 'MUG',
      quantity: '1',
    })
    await page
      .getByRole('status')
      .filter({ hasText: '“Plain mug” has been added to your cart' })
      .waitFor({ state: 'attached' })
    await page.getByRole('main').getByRole('link', { name: 'View cart' }).waitFor()
    await cartLink(page, 1).waitFor()
    await addFromListing(page, 'Soup bowl')
    await cartLink(page, 2).waitFor()

    await page.getByRole('link', { name: 'Select options for “Linen shirt”' }).click()
    await page.getByRole('heading', { name: 'Linen shirt', level: 1 }).waitFor()
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sea')
    await page.getByRole('combobox', { name: 'Size' }).selectOption('M')
    await page.getByRole('button', { name: 'Increase quantity of Linen shirt' }).click()
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '2 × “Linen shirt' }).waitFor()
    await cartLink(page, 4).waitFor()

    await cartLink(page, 4).click()
    const drawer = page.getByRole('dialog', { name: 'Cart' })
    await drawer.getByText('Subtotal: $115.50').waitFor()
    await drawer.getByRole('button', { name: 'Remove Soup bowl from cart' }).click()
    await drawer.getByText('Subtotal: $100.00').waitFor()
    await cartLink(page, 3).waitFor()
    await drawer.getByRole('link', { name: 'View cart' }).click()
    await page.waitForURL('**/cart/')
    const shirt = cartRow(page, 'Linen shirt')
    await shirt.getByText('Sea', { exact: true }).waitFor()
    await shirt.getByRole('cell', { name: '$88.00' }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('CART-01 CART-02 CART-03 CART-04 CART-07 QTY-05 changes, removes and brings back what is in the cart', async () => {
    await using visitor = await aShopper(browser, shop, { size })
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await addFromListing(page, 'Soup bowl')
    await page.goto('/cart/')
    const update = page.getByRole('button', { name: 'Update cart' })
    await expect.poll(() => update.isDisabled()).toBe(true)
    const mug = cartRow(page, 'Plain mug')
    await mug.getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
    await mug.getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
    expect(await update.isEnabled()).toBe(true)
    await update.click()
    await page.getByRole('alert').filter({ hasText: 'Cart updated.' }).waitFor()
    await mug.getByRole('cell', { name: '$36.00' }).waitFor()

    await mug.getByRole('spinbutton', { name: 'Plain mug quantity' }).fill('2')
    await mug.getByRole('spinbutton', { name: 'Plain mug quantity' }).press('Enter')
    await mug.getByRole('cell', { name: '$24.00' }).waitFor()

    await page.getByRole('button', { name: 'Remove Soup bowl from cart' }).click()
    await page.getByRole('alert').filter({ hasText: '“Soup bowl” removed.' }).waitFor()
    expect(await cartRow(page, 'Soup bowl').count()).toBe(0)
    await page.getByRole('link', { name: 'Undo?' }).click()
    await cartRow(page, 'Soup bowl').waitFor()
    await page.getByRole('row', { name: /^Subtotal \$39\.50/ }).waitFor()
    expect(page.url()).toBe(`${shop.url}/cart/`)

    await page.getByRole('radio', { name: /^Express/ }).check()
    await page.getByRole('row', { name: /^Total \$57\.36/ }).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('SDK-01 FLOW-01 CHK-09 CHK-10 CHK-15 I13 pays by wallet as a guest; order, money, stock and mail are there once', async () => {
    await using visitor = await aShopper(browser, shop, { size })
    const { page } = visitor
    const mugs = (await stockOf(shop, 'MUG')) ?? 0
    await page.goto('/product/plain-mug/')
    await page.getByRole('spinbutton', { name: 'Plain mug quantity' }).fill('2')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.getByRole('alert').getByRole('link', { name: 'View cart' }).click()
    const sdkLoads: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/sdk/js') && page.url().includes('/checkout/')) sdkLoads.push(request.url())
    })
    await page.getByRole('link', { name: 'Proceed to checkout' }).click()
    await fillCheckout(page)
    await page.getByRole('row', { name: /^Total \$32\.64/ }).waitFor()
    const wallet = await openWallet(page)
    const order = await payInWallet(page, wallet)
    expect(sdkLoads, 'once for the checkout, refreshed totals or not').toHaveLength(1)

    await page.getByText(`Order number: ${order}`).waitFor()
    await page.getByText('Total: $32.64').waitFor()
    await page.getByRole('row', { name: /^Plain mug × 2/ }).waitFor()
    await page.getByText(grace.email).first().waitFor()
    await cartLink(page, 0).waitFor()

    const records = await recordsOf(shop, order)
    expect(records.order).toMatchObject({
      status: 'processing',
      payment_state: 'paid',
      total: 3264,
      stock_reduced: true,
    })
    expect(records.items).toMatchObject([
      { type: 'line_item', sku: 'MUG', quantity: 2, total: 2400 },
      { type: 'shipping', total: 690 },
      { type: 'tax', total: 174 },
    ])
    expect(records.attempts).toEqual([
      { step: 'create', revision: 1, state: 'succeeded', amount: 3264 },
      { step: 'capture', revision: 1, state: 'succeeded', amount: 3264 },
    ])
    expect(records.captures).toMatchObject([{ status: 'COMPLETED', amount: 3264 }])
    expect(records.ledger.filter((kind) => kind === 'paid')).toHaveLength(1)
    expect(records.held).toEqual([])
    expect(await stockOf(shop, 'MUG')).toBe(mugs - 2)
    const books = await providersBooks(shop, order)
    expect(books.captures).toMatchObject([{ status: 'COMPLETED', amount: { value: '32.64' } }])
    await expect.poll(() => mailsAbout(order), { timeout: 10_000 }).toEqual([grace.email, 'owner@example.test'])
    expect(visitor.errors).toEqual([])
  })
})

describe('the wallet outside the checkout', () => {
  it('BTN-07 FLOW-05 pays from a product page, with the name and mail address that the wallet gives', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/gift-card/')
    const wallet = await openWallet(page)
    const order = await payInWallet(page, wallet)
    await page.getByText('Total: $25.00').waitFor()
    const { order: row, captures } = await recordsOf(shop, order)
    expect(row).toMatchObject({ payment_state: 'paid', created_via: 'wallet', total: 2500 })
    expect(row?.billing).toMatchObject({ first_name: 'Ada', last_name: 'Example', email: 'buyer@emulator.test' })
    expect(captures).toHaveLength(1)
    expect(visitor.errors).toEqual([])
  })

  it('PROD-04 the wallet on a variable product waits for the choice, and buys what was chosen', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    const shirts = (await stockOf(shop, 'SHIRT-SAND')) ?? 0
    await page.goto('/product/linen-shirt/')
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Sand')
    await page.getByRole('combobox', { name: 'Size' }).selectOption('S')
    const wallet = await openWallet(page)
    const order = await payInWallet(page, wallet)
    const { items, captures } = await recordsOf(shop, order)
    expect(items[0]).toMatchObject({ sku: 'SHIRT-SAND', quantity: 1, total: 4000 })
    expect(captures).toHaveLength(1)
    expect(await stockOf(shop, 'SHIRT-SAND')).toBe(shirts - 1)
    expect(visitor.errors).toEqual([])
  })

  it('CART-01 BTN-02 pays from the cart page', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await page.goto('/cart/')
    const wallet = await openWallet(page)
    const order = await payInWallet(page, wallet)
    const { order: row, captures } = await recordsOf(shop, order)
    expect(row).toMatchObject({ payment_state: 'paid', total: 1977 })
    expect(row?.shipping).toMatchObject({ address_1: '12 Garden Street', city: 'San Jose', state: 'CA' })
    expect(captures).toMatchObject([{ amount: 1977 }])
    expect(visitor.errors).toEqual([])
  })
})

describe('cash on delivery', () => {
  it('CHK-01 CHK-09 places the order without a wallet', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Soup bowl')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    const order = await received(page)
    const { order: row, attempts, held } = await recordsOf(shop, order)
    expect(row).toMatchObject({ status: 'processing', payment_method: 'cod', stock_reduced: true, paid_at: null })
    expect(attempts).toEqual([])
    expect(held).toEqual([])
    expect(visitor.errors).toEqual([])
  })
})

describe('adding that is refused', () => {
  it('ADD-03 an answer with an error sends the browser to the product, which says why', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'One-off print')
    await page.getByRole('button', { name: 'Add to cart: “One-off print”' }).click()
    await page.waitForURL('**/product/one-off-print/')
    await page.getByRole('alert').filter({ hasText: 'You cannot add another' }).waitFor()
    expect(visitor.errors).toEqual([])
  })
})

describe('a shop that leads to the cart', () => {
  it('ADD-04 goes to the cart after adding, from the listing and from the product page', async () => {
    await using leading = await aShop({ wallet: false, settings: { redirectAfterAdd: true } })
    await using visitor = await aShopper(browser, leading)
    const { page } = visitor
    await page.goto('/shop/')
    await page.getByRole('button', { name: 'Add to cart: “Plain mug”' }).click()
    await page.waitForURL('**/cart/')
    await cartRow(page, 'Plain mug').waitFor()
    await page.goto('/product/soup-bowl/')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).click()
    await page.waitForURL('**/cart/')
    await page.getByRole('alert').filter({ hasText: '“Soup bowl” has been added to your cart.' }).waitFor()
    expect(visitor.errors).toEqual([])
  })
})
