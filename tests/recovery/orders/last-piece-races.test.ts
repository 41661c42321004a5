import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { withLast } from '#tests/recovery/fixtures/last-piece.ts'
import { times } from '#tests/recovery/fixtures/parallel.ts'
import { express, orderOfWalletOrder } from '#tests/recovery/fixtures/wallet-window.ts'
import { capturesFor, invariants, theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())

describe('the last piece', () => {
  it('P4 F26 at S5: of twenty buyers at once one gets the last teapot, the others are told before they pay', async () => {
    const teapot = await withLast(shop, 1)
    const buyers = await times(20, async (index) => {
      const buyer = new Shopper(shop, `buyer-${index}`)
      await buyer.add('LAST')
      await buyer.openCheckout()
      return buyer
    })
    const answers = await times(20, (index) => buyers[index]?.placeOrder() ?? Promise.reject(new Error('no buyer')))
    const winners = answers.flatMap((answer, index) => (answer.result === 'success' ? [{ answer, index }] : []))
    expect(winners).toHaveLength(1)
    for (const { result, messages } of answers)
      if (result === 'failure') expect(messages).toMatch(/faster|out of stock|left/)
    const held = await shop.db.kysely
      .selectFrom('stock_reservations')
      .selectAll()
      .where('product_id', '=', teapot)
      .execute()
    expect(held).toHaveLength(1)

    const { answer, index } = winners[0] ?? { answer: answers[0], index: 0 }
    const { orderId, walletOrderId } = startedOf(answer ?? { result: 'failure' })
    const winner = buyers[index]
    await winner?.approve(walletOrderId)
    expect(await winner?.returnFromWallet(walletOrderId)).toContain('order-received')
    await theOneOrder(shop, orderId)
    const product = await shop.db.kysely
      .selectFrom('products')
      .select(['stock_quantity', 'stock_status'])
      .where('id', '=', teapot)
      .executeTakeFirstOrThrow()
    expect(product).toEqual({ stock_quantity: 0, stock_status: 'outofstock' })
  })

  it('F28 at S7: what expired while the shopper approved is held again, if it is still there', async () => {
    await withLast(shop, 1)
    const shopper = new Shopper(shop, 'slow')
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    await shop.db
      .sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain('order-received')
    await theOneOrder(shop, orderId)
  })

  /** The last piece, paid from the cart by somebody whose address is known. */
  async function anExpress(name: string) {
    await withLast(shop, 1)
    const shopper = new Shopper(shop, name)
    await shopper.add('LAST')
    await shopper.openCheckout()
    await shopper.post(urls.checkout(), { ...shopper.form('ppcp'), woocommerce_checkout_update_totals: '1' })
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId } = await orderOfWalletOrder(shop, walletOrderId)
    const expire = () =>
      shop.db.sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    const reship = () => shopper.rest('cart/shipping', express(walletOrderId))
    const somebodyElseBuysIt = async () => {
      await expire()
      const quick = new Shopper(shop, `${name}-rival`)
      await quick.add('LAST')
      await quick.openCheckout()
      expect((await quick.placeOrder('cod')).result).toBe('success')
    }
    return { shopper, orderId, walletOrderId, expire, reship, somebodyElseBuysIt }
  }

  it('F28 at S8: what expired before another way of shipping is chosen in the wallet is held again and paid', async () => {
    const { shopper, orderId, walletOrderId, expire, reship } = await anExpress('slow-to-ship')
    await expire()
    expect((await reship()).status).toBe(200)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P4 F28 at S8: what somebody else bought meanwhile cannot be sent elsewhere, and is not paid for', async () => {
    const { shopper, orderId, walletOrderId, somebodyElseBuysIt, reship } = await anExpress('too-slow-to-ship')
    await somebodyElseBuysIt()
    expect((await reship()).status).toBe(404)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).not.toContain('order-received')
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('F28 at S9: what expired before the return is held again and paid', async () => {
    const { shopper, orderId, walletOrderId, expire } = await anExpress('slow-to-return')
    await shopper.approve(walletOrderId)
    await expire()
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P4 F28 at S9: what somebody else bought meanwhile is not paid for, and the cart says so', async () => {
    const { shopper, orderId, walletOrderId, somebodyElseBuysIt } = await anExpress('too-slow-to-return')
    await shopper.approve(walletOrderId)
    await somebodyElseBuysIt()
    expect(await shopper.returnFromWallet(walletOrderId)).not.toContain('order-received')
    expect(await shopper.page(urls.cart())).toMatch(/Nothing was charged|sold|out of stock/)
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('F28 at S10: what expired before the form is sent with the approved payment is held again and paid', async () => {
    await withLast(shop, 1)
    const shopper = new Shopper(shop, 'slow-to-press')
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    await shopper.approve(walletOrderId)
    await shop.db
      .sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    expect((await shopper.placeOrder('ppcp', walletOrderId)).redirect).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P4 F28 at S10: what somebody else bought meanwhile is not paid for, and the form says so', async () => {
    const { shopper, orderId, walletOrderId, somebodyElseBuysIt } = await anExpress('too-slow-to-press')
    await shopper.approve(walletOrderId)
    await somebodyElseBuysIt()
    await shopper.openCheckout()
    const answer = await shopper.placeOrder('ppcp', walletOrderId)
    expect(answer.result).toBe('failure')
    expect(answer.messages).toMatch(/sold|faster|left|stock/)
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('P4 F28 at S11: what somebody else bought meanwhile is not paid for', async () => {
    await withLast(shop, 1)
    const slow = new Shopper(shop, 'slower')
    const { orderId, walletOrderId } = await slow.startToPay('LAST')
    await shop.db
      .sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    const quick = new Shopper(shop, 'quick')
    await quick.add('LAST')
    await quick.openCheckout()
    expect((await quick.placeOrder('cod')).result).toBe('success')

    await slow.approve(walletOrderId)
    expect(await slow.returnFromWallet(walletOrderId)).not.toContain('order-received')
    expect(await slow.page(urls.cart())).toMatch(/Nothing was charged|sold/)
    expect(await capturesFor(shop, orderId)).toEqual([])
  })
})

describe('after all that', () => {
  it('I1 to I13 hold over everything that happened', async () => {
    expect(await invariants(shop)).toEqual([])
  })
})
