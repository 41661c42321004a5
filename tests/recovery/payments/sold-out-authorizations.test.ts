import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { productsCommand } from '#cli/catalog/products.ts'
import { settingsCommand } from '#cli/operations/settings.ts'
import { ordersCommand } from '#cli/orders/orders.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { captureAuthorizedPayment } from '#shop/payments/operation/capture-authorization.ts'
import { mailTo } from '#tests/support/customers/customer.ts'
import { capturesFor, invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import { allMethodSettings } from '#tests/support/payments/saved-methods.ts'
import { runCommand, runCommandWith } from '#tests/support/process/command.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: { ...allMethodSettings, paypal: { ...allMethodSettings.paypal, intent: 'authorize' } },
  })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.emulate('/faults/clear', {})
  await shop.emulate('/webhooks/hold', { on: true })
  // What earlier tests have left on the way to the wallet would be held for half an hour.
  await shop.db.sql`delete from stock_reservations`
  await setting('soldOutAfterPayment', '"refund"')
})

const tools = () => shop.shop.application.tools

async function setting(name: string, value: string): Promise<void> {
  await runCommand(settingsCommand, shop.db, name, value)
  await reconfigured(shop)
}

async function count(pieces: number): Promise<void> {
  const { code, err } = await runCommand(productsCommand, shop.db, 'stock', 'LAST', '--count', String(pieces))
  if (code !== 0) throw new Error(err)
}

let shoppers = 0
/** Pays while somebody at the desk counts the pieces away. @returns where the shopper was sent, and the order's number */
async function heldTooLate() {
  await count(1)
  const shopper = new Shopper(shop, `held-late-${++shoppers}`)
  const { orderId, walletOrderId } = await shopper.startToPay('LAST')
  await shopper.approve(walletOrderId)
  await shop.emulate('/fault', { route: 'orders.authorize', delay: 2_500 })
  const paying = shopper.returnFromWallet(walletOrderId)
  await until('the hold is under way', async () => (await orderOf(shop, orderId)).payment_state === 'authorising')
  await count(0)
  return { shopper, orderId, place: await paying }
}

/** What the provider holds for an order, by its own books. */
async function holds(orderId: number): Promise<{ id: string; status: string }[]> {
  const { authorizations } = (await shop.emulate('/ledger')) as {
    authorizations: { id: string; custom_id: string; status: string }[]
  }
  return authorizations.filter(({ custom_id: of }) => of === String(orderId))
}

async function nothingIsHeld(orderId: number): Promise<void> {
  const order = await until('the money is let go', async () => {
    const row = await orderOf(shop, orderId)
    return row.payment_state === 'failed' && row
  })
  expect(order).toMatchObject({ status: 'cancelled', attention: null, stock_reduced: false })
  expect(await holds(orderId)).toMatchObject([{ status: 'VOIDED' }])
  expect(await capturesFor(shop, orderId)).toEqual([])
  expect(await invariants(shop)).toEqual([])
}

/** An order that the merchant has to see to, and whose money is held. */
async function heldForAPerson(): Promise<number> {
  await count(3)
  const shopper = new Shopper(shop, `held-strange-${++shoppers}`)
  const { orderId, walletOrderId } = await shopper.startToPay('LAST')
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  await shop.db
    .sql`update orders set payment_state = 'attention', attention = 'something does not fit' where id = ${orderId}`
  return orderId
}

describe('what is found to be sold out when the money was held', () => {
  it('P4 F25 at S11: the hold is let go by itself, once, and the shopper is told', async () => {
    // Not at once, so that the page of an order that waits for it can be read.
    await shop.emulate('/fault', { route: 'authorizations.void', status: 503, times: 4 })
    const { shopper, orderId, place } = await heldTooLate()
    expect(place).toContain(`/order-received/${orderId}/`)
    expect(await shopper.page(place)).toContain('you will get your money back')
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'cancelled', payment_state: 'attention' })
    await shop.emulate('/faults/clear', {})
    await nothingIsHeld(orderId)
    await mailTo(shop, shopper.email, /was canceled/i)
    expect(await shopper.page(place)).toContain('There is nothing to pay.')
  }, 90_000)

  it('P4 F25 at S11: what the provider will not let go stays in sight, until the merchant has let it go there', async () => {
    await shop.emulate('/fault', { route: 'authorizations.void', issue: 'CANNOT_BE_VOIDED' })
    const { shopper, orderId } = await heldTooLate()
    await until('the provider has refused', async () => {
      const attempts = await shop.db
        .sql`select state from payment_attempts where order_id = ${orderId} and step = 'void'`
      return attempts[0]?.state === 'refused'
    })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'cancelled', payment_state: 'attention' })
    const [hold] = await holds(orderId)
    await shop.emulate(`/authorizations/${hold?.id}/void`, {})
    await shop.emulate('/webhooks/flush', {})
    await nothingIsHeld(orderId)
    await mailTo(shop, shopper.email, /was canceled/i)
  })

  it('P4 F25 at S11: by the setting for back-orders it stays held, and may be taken without the pieces', async () => {
    await setting('soldOutAfterPayment', '"back-order"')
    const { orderId, place } = await heldTooLate()
    expect(place).toContain(`/order-received/${orderId}/`)
    expect(await orderOf(shop, orderId)).toMatchObject({
      status: 'on-hold',
      payment_state: 'authorised',
      stock_reduced: false,
    })
    await mailTo(shop, 'owner@example.test', /backorder|back-order/i)
    expect(await invariants(shop)).toEqual([])
    expect(await captureAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: true, state: 'paid' })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'processing', payment_state: 'paid' })
    expect(await invariants(shop)).toEqual([])
    await count(2)
    expect((await transitionOrder(tools(), orderId, { to: 'completed' })).ok).toBe(true)
    expect((await orderOf(shop, orderId)).stock_reduced).toBe(true)
    expect(await invariants(shop)).toEqual([])
  })
})

describe('money that is held for an order which a person has to see to', () => {
  it.each(['release', 'cancel'])('I2: "orders %s" lets it go', async (word) => {
    const orderId = await heldForAPerson()
    const { paypal, paymentEnvironment } = tools()
    const context = { paypal, paymentEnvironment, ask: async () => true }
    const { err } = await runCommandWith(context, ordersCommand, shop.db, word, String(orderId))
    expect(err).toBe('')
    await nothingIsHeld(orderId)
  })

  it('I2: making the order fail lets it go, and keeps the pieces away if so wished', async () => {
    const orderId = await heldForAPerson()
    const end = { to: 'failed', restock: false, note: 'Broken in the store.' } as const
    expect(await transitionOrder(tools(), orderId, end)).toMatchObject({ ok: true })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'failed', payment_state: 'failed', attention: null })
    expect(await holds(orderId)).toMatchObject([{ status: 'VOIDED' }])
    const [row] = await shop.db.sql`select stock_quantity from products where sku = 'LAST'`
    expect(row?.stock_quantity).toBe(2)
    expect(await invariants(shop)).toEqual([])
  })

  it('I2: an order that was cancelled before keeps its place, and cancelling it once more lets the money go', async () => {
    const orderId = await heldForAPerson()
    const { paypal: _, ...without } = tools()
    // As a shop that knew nothing of held money of such orders left it.
    await shop.db.sql`update orders set payment_state = 'failed' where id = ${orderId}`
    expect(await transitionOrder({ ...without, paypal: null }, orderId, { to: 'cancelled' })).toMatchObject({
      ok: true,
    })
    await shop.db.sql`update orders set payment_state = 'attention' where id = ${orderId}`
    expect(await transitionOrder(tools(), orderId, { to: 'failed' })).toEqual({ ok: false, reason: 'not-allowed' })
    expect(await holds(orderId)).toMatchObject([{ status: 'CREATED' }])
    expect(await transitionOrder(tools(), orderId, { to: 'cancelled' })).toMatchObject({ ok: true })
    await nothingIsHeld(orderId)
  })

  it('I3: it is not taken, and the desk reads why', async () => {
    const orderId = await heldForAPerson()
    expect(await captureAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: false, reason: 'attention' })
    expect(await holds(orderId)).toMatchObject([{ status: 'CREATED' }])
  })
})
