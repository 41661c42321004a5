import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addByLink,
  agree,
  aShopper,
  cartRow,
  fillCheckout,
  logIn,
  openWallet,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let browser: Browser
let shop: TestShop
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop()])
  await shop.db.sql`insert into coupons (code, type, amount_minor) values ('five', 'fixed_cart', 500)`
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})

/** A mug of 12.00 with California's 7.25 %, and 6.90 to send it. */
const total = (page: Page, shown: string) => page.getByRole('row', { name: new RegExp(`^Total \\${shown}`) })

async function checkoutWithMug(page: Page): Promise<void> {
  await putInCart(page, shop, 'Plain mug')
  await page.goto('/checkout/')
  await fillCheckout(page)
  await total(page, '$19.77').waitFor()
}

type OrderOf = { id: number; status: string; payment_state: string; payment_method: string }

async function ordersOf(page: Page): Promise<OrderOf[]> {
  const sid = (await page.context().cookies()).find(({ name }) => name === 'sid')
  return shop.db.sql<OrderOf[]>`select id, status, payment_state, payment_method from orders
    where session_id = encode(sha256(convert_to(${sid?.value ?? ''}, 'UTF8')), 'hex') order by id`
}

const paid = ({ captures }: { captures: { status: string }[] }) =>
  captures.filter(({ status }) => status === 'COMPLETED').length

/** A tab that sleeps, or stands in another browser of the same customer: it does not follow what becomes of the cart. */
const hearsNothing = (page: Page) =>
  page.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true }))

describe('two tabs of one visitor', () => {
  const changes: [string, string, number, (tab: Page) => Promise<void>][] = [
    [
      'F19 at S2',
      '$32.64',
      3264,
      async (tab) => {
        await tab.goto('/cart/')
        await cartRow(tab, 'Plain mug').getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
        await tab.getByRole('button', { name: 'Update cart' }).click()
        await tab.getByRole('alert').filter({ hasText: 'Cart updated.' }).waitFor()
      },
    ],
    [
      'F19 at S3',
      '$14.41',
      1441,
      async (tab) => {
        await tab.goto('/cart/')
        await tab.getByLabel('Coupon:').fill('five')
        await tab.getByRole('button', { name: 'Apply coupon' }).click()
        await total(tab, '$14.41').waitFor()
      },
    ],
  ]

  it.each(changes)(
    '%s and S10 P5 a total that another tab has changed is shown before it is charged',
    async (_, shown, minor, change) => {
      await using visitor = await aShopper(browser, shop)
      const { page } = visitor
      await hearsNothing(page)
      await checkoutWithMug(page)
      await page.getByRole('radio', { name: 'Cash on delivery' }).check()
      await change(await page.context().newPage())
      await placeOrder(page).click()
      await page.getByRole('alert').first().waitFor()
      await total(page, shown).waitFor()
      expect((await ordersOf(page)).filter(({ status }) => status === 'processing')).toEqual([])
      await placeOrder(page).click()
      const id = await received(page)
      expect((await recordsOf(shop, id)).order).toMatchObject({ total: minor })
      expect((await ordersOf(page)).filter(({ status }) => status !== 'cancelled')).toMatchObject([{ id }])
      expect(visitor.errors).toEqual([])
    },
  )

  it('F19 at S4 and S10 P5 each tab is charged for the shipping that it shows', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    const other = await page.context().newPage()
    await other.goto('/checkout/')
    await other.getByRole('radio', { name: /Express/ }).check()
    await total(other, '$27.87').waitFor()
    await page.bringToFront()
    await total(page, '$19.77').waitFor()
    await placeOrder(page).click()
    expect((await recordsOf(shop, await received(page))).order).toMatchObject({ total: 1977 })
    expect(visitor.errors).toEqual([])
  })

  it('F19 at S5 to S7, S9 and S10 P1 one waits in the wallet, the other pays on delivery: nothing is charged', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).waitFor()
    const approval = new URL(wallet.url()).searchParams.get('token') ?? ''

    const other = await page.context().newPage()
    await other.goto('/checkout/')
    await fillCheckout(other)
    await other.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(other).click()
    const order = await received(other)

    await wallet.bringToFront()
    await agree(wallet).click()
    await Promise.race([page.waitForURL(/order-received|cart/), page.getByRole('alert').first().waitFor()])
    // And by the way back that a browser without scripts would take.
    await other.goto(`/checkout/wallet-return/?token=${approval}`)
    await other.waitForLoadState()
    const orders = await ordersOf(page)
    expect(orders.filter(({ status }) => status !== 'cancelled')).toMatchObject([
      { id: order, status: 'processing', payment_method: 'cod', payment_state: 'none' },
    ])
    for (const { id } of orders) expect(paid(await providersBooks(shop, id))).toBe(0)
    expect(visitor.errors).toEqual([])
  })

  it('F19 at S11 to S13 P1 while one pays, the other looks and presses: one order, paid once, shown by both', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    const other = await page.context().newPage()
    await other.goto('/checkout/')
    await fillCheckout(other)
    await other.getByRole('radio', { name: 'Cash on delivery' }).check()
    await page.bringToFront()
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await shop.emulate('/fault', { route: 'orders.capture', delay: 1500 })
    const handedOver = page.waitForRequest(/cart\/checkout/)
    await agree(wallet).click()
    await handedOver
    await placeOrder(other).click()
    const [order, shown] = await Promise.all([received(page), received(other)])
    expect(shown).toBe(order)
    expect(await ordersOf(page)).toMatchObject([{ id: order, payment_state: 'paid' }])
    expect(paid(await providersBooks(shop, order))).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})

describe('Back and reload', () => {
  it('F20 at S5 to S7, S9 and S14 P1 without scripts, on every page of a purchase by redirect', async () => {
    await using visitor = await aShopper(browser, shop, { javaScriptEnabled: false })
    const { page } = visitor
    await addByLink(page, 'Plain mug')
    const toWallet = async () => {
      await page.goto('/checkout/')
      await fillCheckout(page)
      await page.getByRole('radio', { name: /PayPal/ }).check()
      await placeOrder(page).click()
      await page.waitForURL(/checkoutnow/)
      return new URL(page.url()).searchParams.get('token') ?? ''
    }
    const first = await toWallet()
    await page.reload()
    await page.goBack()
    await page.reload()
    expect(await toWallet()).toBe(first)
    const [pending] = await ordersOf(page)
    expect(await ordersOf(page)).toHaveLength(1)

    await logIn(page, 'buyer@emulator.test')
    await agree(page).click()
    const order = await received(page)
    expect(order).toBe(pending?.id)
    const confirmation = page.url()
    for (const again of [1, 2]) {
      await page.goto(`/checkout/wallet-return/?token=${first}&PayerID=X${again}`)
      expect(await received(page)).toBe(order)
    }
    await page.reload()
    await page.goBack()
    await page.goto('/checkout/')
    await page.getByText('Your cart is currently empty.').waitFor()
    await page.goto(confirmation)
    await page.getByText(`Order number: ${order}`).waitFor()
    const books = await providersBooks(shop, order)
    expect([books.orders.length, paid(books)]).toEqual([1, 1])
    expect(await ordersOf(page)).toHaveLength(1)
    expect(visitor.errors).toEqual([])
  })

  it('F20 at S10 to S13 P1 P2 loaded again while the money is being taken, the checkout shows the paid order', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await shop.emulate('/fault', { route: 'orders.capture', delay: 1500 })
    const handedOver = page.waitForRequest(/cart\/checkout/)
    await agree(wallet).click()
    await handedOver
    await page.reload()
    const order = (await ordersOf(page))[0]?.id ?? 0
    await expect.poll(async () => (await ordersOf(page))[0]?.payment_state, { timeout: 15_000 }).toBe('paid')
    await page.reload()
    await page.waitForURL(/\/(cart|order-received)\//)
    expect(await ordersOf(page)).toHaveLength(1)
    expect(paid(await providersBooks(shop, order))).toBe(1)
    expect(visitor.errors).toEqual([])
  })

  it('F20 at S10 P1 Back after an order on delivery leads to an empty cart, and orders nothing again', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await checkoutWithMug(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).click()
    const order = await received(page)
    await page.goBack()
    await page.waitForURL('**/cart/')
    await page.goForward()
    await page.getByText(`Order number: ${order}`).waitFor()
    await page.reload()
    await page.getByText(`Order number: ${order}`).waitFor()
    expect(await ordersOf(page)).toMatchObject([{ id: order, status: 'processing' }])
    expect(visitor.errors).toEqual([])
  })
})
