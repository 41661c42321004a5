import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cut, lost, moments } from '#tests/journeys/fixtures/network-cut.ts'
import {
  addFromListing,
  agree,
  aShopper,
  fillCheckout,
  logIn,
  payInWallet,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { hereIAm } from './fixtures/browsing.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  const paypal = { sections: ['express', 'checkout', 'cart'], shippingCallback: 'browser' }
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ settings: { paypal } })])
})
beforeEach(async () => {
  await shop.emulate('/faults/clear', {})
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

const onCart = '.wc-ppcp-cart-payments__container'
const inForm = '.wc-ppcp-checkout-container'
const buttonIn = (page: Page, place: string) =>
  page.locator(place).frameLocator('[data-funding=paypal] iframe').getByRole('button')

async function opened(page: Page, place: string): Promise<Page> {
  await hereIAm(page)
  // Where its buttons are seen they are loaded.
  await page.locator(place).locator('[data-funding=paypal]').scrollIntoViewIfNeeded()
  await buttonIn(page, place).waitFor()
  const [wallet] = await Promise.all([page.waitForEvent('popup'), buttonIn(page, place).click()])
  return wallet
}

async function withProduct(page: Page, path: string, name = 'Plain mug'): Promise<void> {
  await putInCart(page, shop, name)
  await page.goto(path)
}

async function atCheckout(page: Page, name?: string): Promise<void> {
  await withProduct(page, '/checkout/', name)
  await fillCheckout(page)
  await page.locator('#payment_method_ppcp').check()
}

/**
 * What the cart costs to the address that was known before may be the same: the shop's answer is what counts, and not the one to
 * what the window asks as it opens.
 */
async function sendToMarketStreet(page: Page, wallet: Page): Promise<void> {
  const answered = page.waitForResponse(
    (answer) => /cart\/shipping/.test(answer.url()) && answer.request().postData()?.includes('94111') === true,
  )
  await wallet.getByText('400 Market Street').click()
  await (await answered).finished()
}

/** The wallet's window, where the buyer sends the parcel to San Francisco: 12.00, 7.25 % on it, 6.90 to send it. */
async function shippedInWallet(page: Page): Promise<Page> {
  const wallet = await opened(page, onCart)
  await logIn(wallet, 'multi-address@emulator.test')
  await sendToMarketStreet(page, wallet)
  await shows(wallet, '19.77')
  return wallet
}

const shows = (wallet: Page, amount: string) =>
  expect.poll(() => wallet.locator('main').innerText(), { timeout: 15_000 }).toContain(amount)

/** Chooses, and waits for the shop's answer, unless the network lets none through. */
async function chooseExpress(page: Page, wallet: Page): Promise<void> {
  const answered = page.waitForResponse(/cart\/shipping/)
  await pickExpress(wallet)
  await (await answered).finished()
}

async function pickExpress(wallet: Page): Promise<void> {
  const ways = wallet.locator('#shippingMethodsDropdown')
  await ways.selectOption({ label: (await ways.locator('option', { hasText: 'Express' }).textContent()) ?? '' })
}

const idle = (page: Page) =>
  expect.poll(() => page.locator('.wc-ppcp-wallet:not([data-phase=idle])').count(), { timeout: 10_000 }).toBe(0)

async function expectOneCapture(order: number, total: number): Promise<void> {
  const records = await recordsOf(shop, order)
  expect(records.order).toMatchObject({ payment_state: 'paid', total })
  expect(records.captures).toMatchObject([{ amount: total }])
  const [{ count } = { count: 0 }] = await shop.db.sql<{ count: number }[]>`
    select count(*)::int as count from orders
    where session_id = ${records.order?.session_id} and payment_state = 'paid'`
  expect(count).toBe(1)
  const { captures } = await providersBooks(shop, order)
  expect(captures.filter(({ status }) => status === 'COMPLETED')).toHaveLength(1)
}

describe('another way of shipping, chosen in the wallet', () => {
  it.each(moments)(
    'F21 at S8 P5 %s the shop is asked for its price: what the wallet shows last is charged',
    async (moment) => {
      await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
      const { page } = visitor
      await withProduct(page, '/cart/')
      const wallet = await shippedInWallet(page)
      await cut(page, /cart\/shipping/, moment)
      await pickExpress(wallet)
      await wallet.getByRole('alert').waitFor()
      await chooseExpress(page, wallet)
      await shows(wallet, '27.87')
      await agree(wallet).click()
      await expectOneCapture(await received(page), 2787)
      expect(visitor.errors).toEqual([])
    },
  )

  it('F20 at S8 P5 the shop is loaded again behind the window: another press pays what it shows', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    await withProduct(page, '/cart/')
    const wallet = await shippedInWallet(page)
    await page.reload()
    await wallet.close()
    // It knows the buyer, and where the parcel goes.
    const again = await opened(page, onCart)
    await agree(again).waitFor()
    await chooseExpress(page, again)
    await shows(again, '27.87')
    await agree(again).click()
    await expectOneCapture(await received(page), 2787)
    expect(visitor.errors).toEqual([])
  })

  it('F19 at S8 P5 another tab has put more into the cart: the wallet shows it before it is paid', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await withProduct(page, '/cart/')
    const wallet = await shippedInWallet(page)
    const other = await page.context().newPage()
    await other.goto('/shop/')
    await addFromListing(other, 'Soup bowl')
    await wallet.bringToFront()
    await chooseExpress(page, wallet)
    // 12.00 and 15.50 with tax of 0.87 and 1.12, and 15.00 to send them.
    await shows(wallet, '44.49')
    await agree(wallet).click()
    await expectOneCapture(await received(page), 4449)
    expect(visitor.errors).toEqual([])
  })
})

describe('a reservation that is over', () => {
  const expire = (order: number) =>
    shop.db.sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${order}`
  const newest = async () => {
    const [row] = await shop.db.sql<{ id: number }[]>`select max(id)::int as id from orders`
    return row?.id ?? 0
  }
  /** One teapot, which nobody holds. */
  const oneTeapot = async () => {
    await shop.db.sql`delete from stock_reservations where product_id = (select id from products where sku = 'LAST')`
    await shop.db.sql`update products set stock_quantity = 1, stock_status = 'instock' where sku = 'LAST'`
  }

  it('F28 at S7 to S9 P1 while the buyer approves: what is still there is held again, and paid once', async () => {
    await oneTeapot()
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await withProduct(page, '/cart/', 'Last teapot')
    const wallet = await opened(page, onCart)
    await logIn(wallet, 'multi-address@emulator.test')
    await expire(await newest())
    await sendToMarketStreet(page, wallet)
    // 60.00 with tax of 4.35, and 6.90 to send it.
    await shows(wallet, '71.25')
    await expire(await newest())
    await agree(wallet).click()
    await expectOneCapture(await received(page), 7125)
    expect(visitor.errors).toEqual([])
  })

  it('F28 at S7, S9 and S10 P4 and somebody else has bought it: the buyer is told, and nothing is charged', async () => {
    await oneTeapot()
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await atCheckout(page, 'Last teapot')
    const wallet = await opened(page, inForm)
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).waitFor()
    const order = await newest()
    await expire(order)

    await using rival = await aShopper(browser, shop)
    await withProduct(rival.page, '/checkout/', 'Last teapot')
    await fillCheckout(rival.page)
    await rival.page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(rival.page).click()
    await received(rival.page)

    await agree(wallet).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /teapot|sold out|stock/i })
      .first()
      .waitFor()
    expect((await providersBooks(shop, order)).captures).toEqual([])
    expect((await recordsOf(shop, order)).order?.payment_state).not.toBe('paid')
    expect(visitor.errors).toEqual([])
  })
})

describe('a window that is closed', () => {
  it('F22 at S7 P1 while the order is opened, and after: one order, held, and taken up by the next press', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await atCheckout(page)
    await shop.emulate('/fault', { route: 'orders.create', delay: 1500 })
    const asked = page.waitForRequest(/cart\/order/)
    const early = await opened(page, inForm)
    await asked
    await early.close()
    await idle(page)
    const late = await opened(page, inForm)
    await late.getByRole('textbox', { name: 'Email' }).waitFor()
    const id = new URL(late.url()).searchParams.get('token')
    await late.close()
    await idle(page)
    expect(await page.getByRole('alert').count()).toBe(0)
    const again = await opened(page, inForm)
    await again.getByRole('textbox', { name: 'Email' }).waitFor()
    expect(new URL(again.url()).searchParams.get('token')).toBe(id)
    const [held] = await shop.db.sql`select order_id, quantity from stock_reservations r
      join wallet_orders w using (order_id) where w.id = ${id} and r.expires_at > now()`
    expect(held).toMatchObject({ quantity: 1 })
    const order = await payInWallet(page, again)
    expect(held?.order_id).toBe(order)
    await expectOneCapture(order, 1977)
    expect(visitor.errors).toEqual([])
  })
})

describe('a payment script that fails a whole shop', () => {
  const own = [/Failed to load resource/]

  it.each([
    ['is not found', { route: 'sdk.script', status: 404, times: 9 }],
    ['fails', { route: 'sdk.script', status: 503, times: 9 }],
    ['is slow', { route: 'sdk.script', delay: 6000, times: 9 }],
  ])(
    'F33 at S5 to S7 P6 that %s is said once in the console, and whoever pays on delivery orders',
    async (why, fault) => {
      await using visitor = await aShopper(browser, shop, { expectedErrors: own })
      const { page } = visitor
      const lines: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' && !own[0]?.test(message.text())) lines.push(message.text())
      })
      await shop.emulate('/fault', fault)
      await withProduct(page, '/checkout/')
      await fillCheckout(page)
      await page.locator('#payment_method_ppcp').check()
      await hereIAm(page)
      await page
        .getByText(why === 'is slow' ? 'taking longer than usual' : 'could not be loaded')
        .first()
        .waitFor()
      await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      await placeOrder(page).click()
      const { order } = await recordsOf(shop, await received(page))
      expect(order).toMatchObject({ payment_method: 'cod', status: 'processing', total: 1977 })
      const line = 'the payment script did not load: The payment script did not load.'
      expect(lines).toEqual(why === 'is slow' ? [] : [line])
    },
  )
})
