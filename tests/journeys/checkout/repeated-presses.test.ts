import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addFromListing,
  agree,
  aShopper,
  bringWallet,
  cartLink,
  cartRow,
  fillCheckout,
  logIn,
  openWallet,
  payInWallet,
  placeOrder,
  providersBooks,
  putInCart,
  received,
  recordsOf,
  scriptsAreThere,
  walletButton,
} from '#tests/journeys/fixtures/shopper.ts'
import { aBrowser } from '#tests/support/browser.ts'
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

/** The visitor's orders, whatever became of them. */
async function ordersOf(page: Page): Promise<{ id: number; status: string; payment_state: string }[]> {
  const sid = (await page.context().cookies()).find(({ name }) => name === 'sid')
  const { sql } = shop.db
  return sql`select id, status, payment_state from orders
    where session_id = encode(sha256(convert_to(${sid?.value ?? ''}, 'UTF8')), 'hex') order by id`
}

const calls = (page: Page, part: string) => {
  const seen: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(part)) seen.push(request.url())
  })
  return seen
}

const completed = ({ captures }: { captures: { status: string }[] }) =>
  captures.filter(({ status }) => status === 'COMPLETED').length

describe('pressing twice', () => {
  it('F18 at S1 ADD-08 adds once per button of a list, and in the order of the presses', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/shop/')
    const sent = calls(page, 'wc-ajax=add_to_cart')
    await page.getByRole('button', { name: 'Add to cart: “Plain mug”' }).dblclick()
    await page.getByRole('button', { name: 'Add to cart: “Soup bowl”' }).dblclick()
    await cartLink(page, 2).waitFor()
    await page.reload()
    await cartLink(page, 2).waitFor()
    expect(sent).toHaveLength(2)
    expect(visitor.errors).toEqual([])
  })

  it('F18 at S1 adds once on a product page', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await page.goto('/product/plain-mug/')
    await page.getByRole('button', { name: 'Add to cart', exact: true }).dblclick()
    await page.getByRole('alert').filter({ hasText: 'has been added to your cart.' }).waitFor()
    await cartLink(page, 1).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F18 at S2 CART-08 updates the cart and removes a line once', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug', 'Soup bowl')
    await page.goto('/cart/')
    await cartRow(page, 'Plain mug').getByRole('button', { name: 'Increase quantity of Plain mug' }).click()
    const posted = calls(page, '/cart/')
    await page.getByRole('button', { name: 'Update cart' }).dblclick()
    await cartRow(page, 'Plain mug').getByRole('cell', { name: '$24.00' }).waitFor()
    // The form and the page that it is redirected to; the payment code reads the cart by an address of its own.
    expect(posted.filter((url) => !url.includes('/cart/refresh')).length).toBeLessThanOrEqual(2)
    await page.getByRole('button', { name: 'Remove Soup bowl from cart' }).dblclick()
    await page.getByRole('alert').filter({ hasText: '“Soup bowl” removed.' }).waitFor()
    await cartRow(page, 'Plain mug').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(visitor.errors).toEqual([])
  })

  it('F18 at S10 P1 places one order for cash on delivery', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await placeOrder(page).dblclick()
    const order = await received(page)
    expect(await ordersOf(page)).toEqual([{ id: order, status: 'processing', payment_state: 'none' }])
    expect((await recordsOf(shop, order)).held).toEqual([])
    expect(visitor.errors).toEqual([])
  })

  it('F18 at S5 P1 without scripts too: two posts of the checkout at once make one order', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    // As two browsers' worth of the same form, sent in the same moment.
    const answers = await page.evaluate(async () => {
      const form = document.querySelector<HTMLFormElement>('form.checkout')
      if (!form) return []
      const body = () => {
        const fields = new FormData(form)
        fields.set('woocommerce_checkout_place_order', '1')
        return fields
      }
      const both = await Promise.all([1, 2].map(() => fetch('/checkout/', { method: 'POST', body: body() })))
      return both.map(({ url }) => url)
    })
    expect(answers).toHaveLength(2)
    for (const url of answers) expect(url).toMatch(/order-received/)
    const orders = await ordersOf(page)
    expect(orders).toMatchObject([{ status: 'processing' }])
    expect((await recordsOf(shop, orders[0]?.id ?? 0)).held).toEqual([])
    expect(visitor.errors).toEqual([])
  })

  it('F18 at S5 S6 S10 P1 opens one wallet order and takes the money once', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await bringWallet(page)
    const [wallet] = await Promise.all([page.waitForEvent('popup'), walletButton(page).dblclick()])
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).dblclick()
    const order = await received(page)
    expect(await ordersOf(page)).toEqual([{ id: order, status: 'processing', payment_state: 'paid' }])
    const books = await providersBooks(shop, order)
    expect([books.orders.length, completed(books)]).toEqual([1, 1])
    expect(visitor.errors).toEqual([])
  })
})

describe('two tabs', () => {
  it('F19 at S1 and S7 P1 P5 the one that changes the cart wins: the other cannot charge its old total', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).waitFor()

    const other = await page.context().newPage()
    await other.goto('/shop/')
    await addFromListing(other, 'Soup bowl')
    const before = completed(await providersBooks(shop))
    await agree(wallet).click()
    await page.getByRole('alert').filter({ hasText: 'Your cart has changed' }).waitFor()
    expect(completed(await providersBooks(shop))).toBe(before)

    await page.bringToFront()
    const order = await payInWallet(page, await openWallet(page))
    const { order: row, captures } = await recordsOf(shop, order)
    expect(captures).toMatchObject([{ amount: row?.total }])
    expect(Number(row?.total)).toBeGreaterThan(1977)
    expect(visitor.errors).toEqual([])
  })

  it('P1 F19 at S5, S6, S13 and S14 both approve and pay: one order is paid, the other tab shows it', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    const other = await page.context().newPage()
    await other.goto('/checkout/')
    await fillCheckout(other)
    const wallet = await openWallet(page)
    const second = await openWallet(other)
    const order = await payInWallet(page, wallet)
    await second.reload().catch(() => undefined)
    await second.getByRole('heading', { name: 'This order is already paid' }).waitFor()
    await other.goto(`/checkout/`)
    await other.waitForURL('**/cart/')
    await other.getByText('Your cart is currently empty.').waitFor()
    expect((await ordersOf(page)).filter(({ payment_state }) => payment_state === 'paid')).toMatchObject([
      { id: order },
    ])
    expect(completed(await providersBooks(shop, order))).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})

describe('going back and loading again', () => {
  it('F20 at S13 and S14 P1 on the confirmation and on the checkout nothing is ordered or paid again', async () => {
    await using visitor = await aShopper(browser, shop)
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.reload()
    // What was typed and sent for the totals is still there.
    expect(await page.getByRole('textbox', { name: /^Town/ }).first().inputValue()).toBe('Oakland')
    await fillCheckout(page)
    const order = await payInWallet(page, await openWallet(page))
    await page.reload()
    await page.getByText(`Order number: ${order}`).waitFor()
    await page.goBack()
    await page.waitForURL('**/cart/')
    await page.getByText('Your cart is currently empty.').waitFor()
    await page.goForward()
    await page.getByText(`Order number: ${order}`).waitFor()
    expect(await ordersOf(page)).toHaveLength(1)
    expect(completed(await providersBooks(shop, order))).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})

describe('a network that is cut', () => {
  const lost = [/net::ERR_/]

  it('F21 at S1 before the request: the link does it instead, once', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    await page.goto('/shop/')
    await page.route('**/?wc-ajax=add_to_cart', (route) => route.abort())
    await page.getByRole('button', { name: 'Add to cart: “Plain mug”' }).click()
    await page.getByRole('alert').filter({ hasText: '“Plain mug” has been added to your cart.' }).waitFor()
    await cartLink(page, 1).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F21 at S1 after the request: nothing is added a second time', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    await page.goto('/shop/')
    await page.route('**/?wc-ajax=add_to_cart', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Add to cart: “Plain mug”' }).click()
    await page.getByRole('main').getByRole('link', { name: 'View cart' }).waitFor()
    await cartLink(page, 1).waitFor()
    expect(page.url()).toBe(`${shop.url}/shop/`)
    expect(visitor.errors).toEqual([])
  })

  it('MINI-03 F21 at S2 a removal that is cut follows its link', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    await page.goto('/shop/')
    await addFromListing(page, 'Plain mug')
    await page.route('**/?wc-ajax=remove_from_cart', (route) => route.abort())
    await cartLink(page, 1).click()
    await page.getByRole('dialog', { name: 'Cart' }).getByRole('button', { name: 'Remove Plain mug from cart' }).click()
    await page.getByText('“Plain mug” removed.').waitFor()
    await cartLink(page, 0).waitFor()
    expect(visitor.errors).toEqual([])
  })

  it('F21 at S10 P1 an order whose answer is lost is placed once, and pressing again shows it', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.getByRole('radio', { name: 'Cash on delivery' }).check()
    await scriptsAreThere(page)
    await page.route(
      '**/?wc-ajax=checkout',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await placeOrder(page).click()
    await page.getByRole('alert').first().waitFor()
    await placeOrder(page).click()
    const order = await received(page)
    expect(await ordersOf(page)).toEqual([{ id: order, status: 'processing', payment_state: 'none' }])
    expect(visitor.errors).toEqual([])
  })

  it('F21 at S11 P1 P2 a payment whose answer is lost is finished by trying again, charged once', async () => {
    await using visitor = await aShopper(browser, shop, { expectedErrors: lost })
    const { page } = visitor
    await putInCart(page, shop, 'Plain mug')
    await page.goto('/checkout/')
    await fillCheckout(page)
    await page.route(
      '**/wc-ppcp/v1/cart/checkout',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    const wallet = await openWallet(page)
    await logIn(wallet, 'buyer@emulator.test')
    await agree(wallet).click()
    const finish = page.getByRole('button', { name: 'Complete the order' })
    await Promise.race([finish.click(), page.waitForURL('**/order-received/**')])
    const order = await received(page)
    expect(await ordersOf(page)).toEqual([{ id: order, status: 'processing', payment_state: 'paid' }])
    expect(completed(await providersBooks(shop, order))).toBe(1)
    expect(visitor.errors).toEqual([])
  })
})
