import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build, type Rollup } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agree, logIn } from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser, aVisitor, phone } from '#tests/support/browser.ts'
import { type LocalServer, localServer } from '#tests/support/http/local-server.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

// `examples/headless` as its README has it: built by itself, served from an origin of its own, with the shop elsewhere.

const root = join(import.meta.dirname, '../../../examples/headless')
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const files = new Map<string, string | Uint8Array>()
let storefront: LocalServer
let shop: TestShop
let browser: Browser

beforeAll(async () => {
  storefront = await localServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1)
    const file = files.get(name)
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': types[extname(name)] ?? 'text/plain' })
    response.end(file)
  })
  shop = await aShop({ settings: { storeApi: { origins: [storefront.url] } } })
  const output = await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    define: { 'import.meta.env.VITE_SHOP': JSON.stringify(shop.url), 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: { write: false },
  })
  // Proof of the cast: without watch mode and with one output, Vite answers with that output.
  for (const file of (output as Rollup.RollupOutput).output) {
    files.set(file.fileName, file.type === 'chunk' ? file.code : file.source)
  }
  browser = await aBrowser()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await storefront?.close()
})

const grace = {
  'First name': 'Grace',
  'Last name': 'Hopper',
  Street: '1 Main Street',
  City: 'San Jose',
  State: 'CA',
  Postcode: '95131',
  Phone: '4085550100',
}

async function toCheckout(page: Page, email: string): Promise<void> {
  await page.goto(storefront.url)
  await page.getByRole('button', { name: 'Plain mug' }).click()
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByLabel('Plain mug').fill('2')
  await page.getByText('Cart (2)').waitFor()
  await page.getByRole('button', { name: 'To the checkout' }).click()
  for (const [label, value] of Object.entries({ Email: email, ...grace }))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Calculate shipping' }).click()
  // The answer of the shop checks it.
  await page.getByLabel(/^Express/).click()
  await expect.poll(() => page.getByLabel(/^Express/).isChecked()).toBe(true)
}

const ordersOf = (email: string) =>
  shop.db.sql`select payment_method, payment_state, total from orders where billing->>'email' = ${email} order by id`

describe('a storefront of its own', () => {
  it('lists, fills a cart, and buys with cash on delivery, without a cookie', async () => {
    await using visitor = await aVisitor(browser, { size: phone })
    const { page, errors } = visitor
    await toCheckout(page, 'cash@example.test')
    await page.getByLabel('Payment').selectOption('cod')
    await page.getByRole('button', { name: /^Pay / }).click()
    await page.getByRole('heading', { name: /Thank you\. Order \d+ is processing\./ }).waitFor()
    await page.getByText('Cart (0)').waitFor()
    expect(await ordersOf('cash@example.test')).toMatchObject([{ payment_method: 'cod' }])
    expect(await page.context().cookies(shop.url)).toEqual([])
    expect(errors).toEqual([])
  })

  it('pays by wallet: approved in the window of the provider, captured by the second request', async () => {
    await using visitor = await aVisitor(browser)
    const { page, errors } = visitor
    await toCheckout(page, 'wallet@example.test')
    await page.getByLabel('Payment').selectOption('ppcp')
    const [wallet] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: /^Pay / }).click(),
    ])
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).click()
    await page.getByRole('heading', { name: /Thank you\. Order \d+ is processing\./ }).waitFor()
    const [order, ...others] = await ordersOf('wallet@example.test')
    expect([order, others]).toMatchObject([{ payment_method: 'ppcp', payment_state: 'paid' }, []])
    const [captured] = await shop.db.sql`select count(*)::int as n, sum(amount)::int as amount from captures`
    expect(captured).toEqual({ n: 1, amount: order?.total })
    expect(errors).toEqual([])
  })

  it('is told why it may not, on an origin that the shop does not list', async () => {
    await using visitor = await aVisitor(browser, { expectedErrors: [/CORS|Failed to load|ERR_FAILED/] })
    const { page } = visitor
    await page.goto(storefront.url.replace('127.0.0.1', 'localhost'))
    await page.getByText('Failed to fetch').waitFor()
  })
})
