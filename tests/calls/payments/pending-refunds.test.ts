import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findRefunds } from '#database/payments/refunds.ts'
import { settlePendingRefunds } from '#shop/payments/refund/match-provider-refunds.ts'
import { type RefundRequest, refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { invariants, orderOf } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** One mug for 12.00, 0.87 of tax and 6.90 to send it: 19.77. */
let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.emulate('/faults/clear', {})
  await shop.emulate('/webhooks/hold', { on: true })
})

let count = 0
async function paidOrder() {
  const shopper = new Shopper(shop, `waits-${++count}`)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  const order = await orderOf(shop, orderId)
  expect(order.payment_state).toBe('paid')
  return order
}

const all = (key: string): RefundRequest => ({ key, ask: { kind: 'full' }, restock: true })
const next = (outcome: 'PENDING' | 'FAILED') => shop.emulate('/refunds/next', { outcome })
const settle = (id: string | null | undefined, status: 'COMPLETED' | 'FAILED') =>
  shop.emulate(`/refunds/${id}/settle`, { status })
const ours = async (orderId: number) =>
  (await findRefunds(shop.db.kysely, orderId)).map(({ state, amount }) => [state, amount])

/** What the provider has given back, and means to, by its own books. */
async function theirs(captureId: string | null): Promise<[string, string][]> {
  const { refunds } = (await shop.emulate('/ledger')) as {
    refunds: { capture_id: string; status: string; amount: { value: string } }[]
  }
  return refunds
    .filter(({ capture_id }) => capture_id === captureId)
    .map(({ status, amount }) => [status, amount.value])
}
const stock = async () => {
  const [row] = await shop.db.sql<{ n: number }[]>`select stock_quantity as n from products where sku = 'MUG'`
  return row?.n ?? 0
}

async function sound(orderId: number): Promise<void> {
  await shop.emulate('/webhooks/flush', {})
  expect(await invariants(shop)).toEqual([])
  expect((await orderOf(shop, orderId)).attention).toBeNull()
}

describe('a refund that the provider pays out later', () => {
  it('I1 is waited for: nothing is booked, and nothing more goes back meanwhile', async () => {
    const { id, total, transaction_id: capture } = await paidOrder()
    const pieces = await stock()
    await next('PENDING')
    expect(await refundOrder(tools, id, all('first'))).toMatchObject({ ok: true, state: 'pending' })
    expect(await ours(id)).toEqual([['pending', total]])
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'paid', status: 'processing' })
    expect(await stock()).toBe(pieces)

    // The same press again, and another one.
    expect(await refundOrder(tools, id, all('first'))).toMatchObject({ ok: true, state: 'pending' })
    expect(await refundOrder(tools, id, all('second'))).toMatchObject({ ok: false })
    await settlePendingRefunds(tools)
    expect(await ours(id)).toEqual([['pending', total]])
    expect(await theirs(capture)).toEqual([['PENDING', '19.77']])
    await sound(id)
  })

  it('I1 I4 is booked once when it is paid out, whoever says so first', async () => {
    const { id, total, transaction_id: capture } = await paidOrder()
    const pieces = await stock()
    await next('PENDING')
    const asked = await refundOrder(tools, id, all('only'))
    expect(asked).toMatchObject({ state: 'pending' })
    await settle(asked.ok ? asked.refund.provider_id : null, 'COMPLETED')
    await Promise.all([
      settlePendingRefunds(tools),
      shop.emulate('/webhooks/flush', {}),
      refundOrder(tools, id, all('only')),
    ])
    await settlePendingRefunds(tools)
    expect(await ours(id)).toEqual([['done', total]])
    expect(await theirs(capture)).toEqual([['COMPLETED', '19.77']])
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'refunded', status: 'refunded' })
    expect(await stock()).toBe(pieces + 1)
    expect(await refundOrder(tools, id, all('once more'))).toMatchObject({ ok: false, reason: 'nothing-left' })
    await sound(id)
  })

  it('F17 I1 its notification alone books it too, however often it comes', async () => {
    const { id, total } = await paidOrder()
    await next('PENDING')
    const asked = await refundOrder(tools, id, all('told'))
    await shop.emulate('/webhooks/duplicate', { copies: 3 })
    await settle(asked.ok ? asked.refund.provider_id : null, 'COMPLETED')
    await shop.emulate('/webhooks/flush', {})
    await expect.poll(() => ours(id), { timeout: 15_000 }).toEqual([['done', total]])
    await shop.emulate('/webhooks/duplicate', { copies: 1 })
    await sound(id)
  })

  it('I1 is given up when it fails: the money stays, no piece comes back, and another refund pays once', async () => {
    const { id, total, transaction_id: capture } = await paidOrder()
    const pieces = await stock()
    await next('PENDING')
    const asked = await refundOrder(tools, id, all('fails'))
    await settle(asked.ok ? asked.refund.provider_id : null, 'FAILED')
    // Nobody tells of it: the shop asks.
    await settlePendingRefunds(tools)
    expect(await ours(id)).toEqual([['refused', total]])
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'paid', status: 'processing' })
    expect(await stock()).toBe(pieces)
    expect(await refundOrder(tools, id, all('fails'))).toMatchObject({ ok: false, reason: 'refused', issue: 'FAILED' })

    expect(await refundOrder(tools, id, all('again'))).toMatchObject({ ok: true, state: 'done' })
    expect(await theirs(capture)).toEqual([
      ['FAILED', '19.77'],
      ['COMPLETED', '19.77'],
    ])
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'refunded' })
    await sound(id)
  })

  it('I1 a part that waits leaves the rest, and no more, to be given back', async () => {
    const { id, transaction_id: capture } = await paidOrder()
    await next('PENDING')
    const part: RefundRequest = { key: 'part', ask: { kind: 'amount', minor: 1000 } }
    const asked = await refundOrder(tools, id, part)
    expect(asked).toMatchObject({ ok: true, state: 'pending' })
    const tooMuch: RefundRequest = { key: 'too much', ask: { kind: 'amount', minor: 978 } }
    expect(await refundOrder(tools, id, tooMuch)).toMatchObject({ ok: false, reason: 'above-rest' })
    expect(await refundOrder(tools, id, { key: 'rest', ask: { kind: 'full' } })).toMatchObject({ state: 'done' })
    await settle(asked.ok ? asked.refund.provider_id : null, 'COMPLETED')
    await settlePendingRefunds(tools)
    expect(await theirs(capture)).toEqual([
      ['COMPLETED', '10.00'],
      ['COMPLETED', '9.77'],
    ])
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'refunded', status: 'refunded' })
    await sound(id)
  })
})

describe('a refund that fails at once', () => {
  it('I1 gives nothing back and says so, and the next one pays', async () => {
    const { id, transaction_id: capture } = await paidOrder()
    await next('FAILED')
    expect(await refundOrder(tools, id, all('bad'))).toMatchObject({ ok: false, reason: 'refused', issue: 'FAILED' })
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'paid' })
    expect(await refundOrder(tools, id, all('good'))).toMatchObject({ ok: true, state: 'done' })
    expect(await theirs(capture)).toEqual([
      ['FAILED', '19.77'],
      ['COMPLETED', '19.77'],
    ])
    await sound(id)
  })
})
