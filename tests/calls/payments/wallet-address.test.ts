import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletMethodId, walletOrderField } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { invariants, orderOf, theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import { createOrder, payApproved, placeWith } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { checkoutTotal, Shopper, startedOf } from '#tests/support/shopper.ts'

/** The form says 1 Main Street, the wallet has 12 Garden Street on file; all of it is in San Jose, and costs the same. */
let shop: TestShop
let unchecked: TestShop
beforeAll(async () => {
  ;[shop, unchecked] = await Promise.all([aShop(), aShop({ settings: { paypal: { validateFirst: false } } })])
})
afterAll(() => Promise.all([shop?.close(), unchecked?.close()]))

const elsewhere = { billing_address_1: '99 Other Road' }
const forGrace = { billing_first_name: 'Grace' }

type Written = { name?: { full_name: string }; address?: { address_line_1: string } }

/** Where the provider's own record of a wallet order says that it goes. */
async function recorded(walletOrderId: string, where = shop): Promise<(string | undefined)[]> {
  const read = await where.shop.application.tools.paypal?.getOrder(walletOrderId)
  if (!read?.ok) throw new Error(`the provider does not show ${walletOrderId}`)
  const { name, address } = (read.value.purchase_units?.[0]?.shipping ?? {}) as Written
  return [name?.full_name, address?.address_line_1]
}

/** Where the shop sends an order. */
async function shipped(orderId: number, where = shop): Promise<string[]> {
  const { first_name, last_name, address_1 } = (await orderOf(where, orderId)).shipping as Record<string, string>
  return [`${first_name} ${last_name}`, String(address_1)]
}

async function paidBy(walletOrderId: string): Promise<string[]> {
  const { captures } = (await shop.emulate('/ledger')) as { captures: { order_id: string; status: string }[] }
  return captures.filter(({ order_id }) => order_id === walletOrderId).map(({ status }) => status)
}

async function orderOfWallet(walletOrderId: string, where = shop): Promise<number> {
  const [row] = await where.db.sql<{ order_id: number }[]>`
    select order_id from wallet_orders where id = ${walletOrderId}`
  return Number(row?.order_id)
}

const toWallet = async (shopper: Shopper, fields: Record<string, string> = {}) =>
  startedOf(await placeWith(shopper, walletMethodId, fields))

describe('the address that the wallet shows', () => {
  it('P5 F19 at S6: one that was opened before the form was filled in is not handed out for the form', async () => {
    const ada = new Shopper(shop, 'ada')
    const { walletOrderId: express } = await ada.startExpress()
    await ada.openCheckout()
    const { orderId, walletOrderId } = await toWallet(ada)
    expect(walletOrderId).not.toBe(express)
    expect(await orderOfWallet(express)).toBe(orderId)
    await ada.approve(walletOrderId)
    expect(await recorded(walletOrderId)).toEqual(['Ada Lovelace', '1 Main Street'])
    expect(await ada.returnFromWallet(walletOrderId)).toContain('/order-received/')
    await theOneOrder(shop, orderId)
    expect(await shipped(orderId)).toEqual(['Ada Lovelace', '1 Main Street'])
  })

  it('P5 F19 at S6: nor the form’s one where the wallet is to be asked for the address', async () => {
    const ben = new Shopper(shop, 'ben')
    const { orderId, walletOrderId: fromForm } = await ben.startToPay()
    const opened = await ben.rest('cart/order', { payment_method: walletMethodId, context: 'cart' })
    const express = (await opened.json()) as string
    expect(express).not.toBe(fromForm)
    await ben.approve(express)
    expect(await ben.returnFromWallet(express)).toContain('/order-received/')
    await theOneOrder(shop, orderId)
    expect([(await shipped(orderId))[1], (await recorded(express))[1]]).toEqual([
      '12 Garden Street',
      '12 Garden Street',
    ])
  })

  it.each([
    ['address', elsewhere, ['Ada Lovelace', '99 Other Road']],
    ['name', forGrace, ['Grace Lovelace', '1 Main Street']],
  ])(
    'P5 F20 at S7: one that was corrected on the form (the %s) is shown anew, and the old one pays no more',
    async (what, fields, place) => {
      const cleo = new Shopper(shop, `cleo-${what}`)
      const first = await cleo.startToPay()
      await cleo.openCheckout()
      const { orderId, walletOrderId } = await toWallet(cleo, fields)
      expect([orderId, walletOrderId === first.walletOrderId]).toEqual([first.orderId, false])
      // The window of the first one is still open somewhere.
      await cleo.approve(first.walletOrderId)
      expect(await cleo.returnFromWallet(first.walletOrderId)).toContain(urls.checkout())
      expect(await paidBy(first.walletOrderId)).toEqual([])

      await cleo.approve(walletOrderId)
      expect(await cleo.returnFromWallet(walletOrderId)).toContain('/order-received/')
      await theOneOrder(shop, orderId)
      expect(await shipped(orderId)).toEqual(place)
      expect(await recorded(walletOrderId)).toEqual(place)
    },
  )

  it('P1 F18 at S6: the same form again gives the same wallet order, also after another one came between', async () => {
    const dora = new Shopper(shop, 'dora')
    await dora.startToPay()
    await dora.openCheckout()
    const corrected = await toWallet(dora, elsewhere)
    expect(await Promise.all([toWallet(dora, elsewhere), toWallet(dora, elsewhere)])).toEqual([corrected, corrected])
    const back = await toWallet(dora)
    expect(back.walletOrderId).not.toBe(corrected.walletOrderId)
    expect(await recorded(back.walletOrderId)).toEqual(['Ada Lovelace', '1 Main Street'])
    expect(await toWallet(dora)).toEqual(back)
  })

  it('P5 F20 at S10: one that is corrected after approval is told to the provider before the money is taken', async () => {
    const eve = new Shopper(shop, 'eve')
    const { orderId, walletOrderId } = await eve.startToPay()
    await eve.approve(walletOrderId)
    const seen = checkoutTotal(await eve.openCheckout())
    const fields = { ...elsewhere, [walletOrderField]: walletOrderId, seen_total: String(seen) }
    expect((await placeWith(eve, walletMethodId, fields)).redirect).toContain('/order-received/')
    await theOneOrder(shop, orderId)
    expect(await shipped(orderId)).toEqual(['Ada Lovelace', '99 Other Road'])
    expect(await recorded(walletOrderId)).toEqual(['Ada Lovelace', '99 Other Road'])
  })

  it('P1 F18 at S10: the same correction sent twice is told and paid once, and both are answered so', async () => {
    const flo = new Shopper(shop, 'flo')
    const { orderId, walletOrderId } = await flo.startToPay()
    await flo.approve(walletOrderId)
    await flo.openCheckout()
    await shop.emulate('/fault', { route: 'orders.patch', delay: 600 })
    const press = () => placeWith(flo, walletMethodId, { ...elsewhere, [walletOrderField]: walletOrderId })
    const late = sleep(300).then(press)
    const answers = await Promise.all([press(), press(), late])
    for (const { redirect, messages } of answers) expect(redirect, messages).toContain('/order-received/')
    await theOneOrder(shop, orderId)
    expect(await recorded(walletOrderId)).toEqual(['Ada Lovelace', '99 Other Road'])
  })

  it('P5 F12 at S10: where the provider does not take it, nothing is taken and the wallet is asked again', async () => {
    const fay = new Shopper(shop, 'fay')
    const { orderId, walletOrderId } = await fay.startToPay()
    await fay.approve(walletOrderId)
    await fay.openCheckout()
    await shop.emulate('/fault', { route: 'orders.patch', issue: 'NOT_PATCHABLE' })
    const fields = { ...elsewhere, [walletOrderField]: walletOrderId }
    expect(await placeWith(fay, walletMethodId, fields)).toMatchObject({ result: 'failure', code: 'AMOUNT_MISMATCH' })
    expect(await paidBy(walletOrderId)).toEqual([])

    const again = await toWallet(fay, elsewhere)
    expect(again.orderId).toBe(orderId)
    expect(again.walletOrderId).not.toBe(walletOrderId)
    await fay.approve(again.walletOrderId)
    expect(await fay.returnFromWallet(again.walletOrderId)).toContain('/order-received/')
    await theOneOrder(shop, orderId)
    expect(await recorded(again.walletOrderId)).toEqual(['Ada Lovelace', '99 Other Road'])
  })

  it('P5 F8 at S6: approved while no other could be opened, the one with the old address takes no money', async () => {
    const gil = new Shopper(shop, 'gil')
    const { orderId, walletOrderId } = await gil.startToPay()
    await gil.openCheckout()
    await shop.emulate('/fault', { route: 'orders.create', status: 503, times: 10 })
    expect((await placeWith(gil, walletMethodId, elsewhere)).result).toBe('failure')
    await shop.emulate('/faults/clear', {})
    await gil.approve(walletOrderId)
    expect(await gil.returnFromWallet(walletOrderId)).toContain(urls.checkout())
    expect(await paidBy(walletOrderId)).toEqual([])

    await gil.openCheckout()
    const again = await toWallet(gil, elsewhere)
    await gil.approve(again.walletOrderId)
    expect(await gil.returnFromWallet(again.walletOrderId)).toContain('/order-received/')
    await theOneOrder(shop, orderId)
    expect(await recorded(again.walletOrderId)).toEqual(await shipped(orderId))
  })

  it('P5 F7 at S6: a call whose answer was lost is not taken for one with the address that was corrected since', async () => {
    const hal = new Shopper(shop, 'hal')
    await hal.add('MUG')
    await hal.openCheckout()
    await shop.emulate('/fault', { route: 'orders.create', done_then_drop: true, times: 4 })
    expect((await placeWith(hal, walletMethodId, {})).result).toBe('failure')
    await shop.emulate('/faults/clear', {})
    const { orderId, walletOrderId } = await toWallet(hal, elsewhere)
    expect(await recorded(walletOrderId)).toEqual(['Ada Lovelace', '99 Other Road'])
    await hal.approve(walletOrderId)
    expect(await hal.returnFromWallet(walletOrderId)).toContain('/order-received/')
    await theOneOrder(shop, orderId)
    expect(await shipped(orderId)).toEqual(['Ada Lovelace', '99 Other Road'])
  })

  it('P5 FLOW-13: a form that came to hold after approval is what the provider records', async () => {
    const ian = new Shopper(unchecked, 'ian')
    await ian.add('MUG')
    await ian.openCheckout()
    const opened = await createOrder(ian, walletMethodId, { billing_phone: '' })
    const id = String(await opened.json())
    await ian.approve(id)
    expect(await recorded(id, unchecked)).toEqual(['Ada Example', '12 Garden Street'])
    const answer = await payApproved(ian, walletMethodId, id)
    expect(answer.redirect, answer.messages).toContain('/order-received/')
    const orderId = await orderOfWallet(id, unchecked)
    await theOneOrder(unchecked, orderId)
    expect(await shipped(orderId, unchecked)).toEqual(['Ada Lovelace', '1 Main Street'])
    expect(await recorded(id, unchecked)).toEqual(['Ada Lovelace', '1 Main Street'])
  })

  it('P5 F19 at S6: an order that is paid on its own page shows its own address, whatever was opened for it before', async () => {
    const joy = new Shopper(shop, 'joy')
    const { orderId } = await joy.startToPay()
    const opened = await joy.rest('cart/order', { payment_method: walletMethodId, context: 'cart' })
    const express = (await opened.json()) as string
    const { key } = await orderOf(shop, orderId)
    const paying = await joy.rest('order/pay', { payment_method: walletMethodId, order_id: orderId, order_key: key })
    const id = (await paying.json()) as string
    expect(id).not.toBe(express)
    await joy.approve(id)
    expect(await recorded(id)).toEqual(['Ada Lovelace', '1 Main Street'])
    expect(await joy.returnFromWallet(id)).toContain('/order-received/')
    await theOneOrder(shop, orderId)
  })

  it('P10 one that does not say what it shows is handed out again, as it was before', async () => {
    const kim = new Shopper(shop, 'kim')
    const started = await kim.startToPay()
    await shop.db.sql`update payment_attempts set result = result - '{window,address,figures}'::text[]
      where order_id = ${started.orderId} and step = 'create'`
    await kim.openCheckout()
    expect(await toWallet(kim)).toEqual(started)
    expect(await invariants(shop)).toEqual([])
  })
})
