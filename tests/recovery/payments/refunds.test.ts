import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventSubject, webhookEvent } from '#contract/paypal/webhook-event.ts'
import { findRefunds } from '#database/payments/refunds.ts'
import { createPayPal } from '#paypal/client.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { resumeAttempts } from '#shop/operations/run-maintenance.ts'
import { type RefundRequest, refundOrder } from '#shop/payments/refund/refund-order.ts'
import { handleWebhook } from '#shop/payments/webhooks/handle-webhook.ts'
import type { Checkpoint, Tools } from '#shop/shared/tools.ts'
import { invariants, orderOf, outcomes, until } from '#tests/support/payments/bookkeeping.ts'
import { aShop, freePort, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
})
afterAll(() => shop.close())
beforeEach(() => shop.emulate('/webhooks/hold', { on: true }))

let count = 0
/** An order of two mugs, paid through the provider. */
async function paidOrder(sku = 'MUG', quantity = 2) {
  const shopper = new Shopper(shop, `refunded-${++count}`)
  const { orderId, walletOrderId } = await shopper.startToPay(sku, quantity)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  const order = await orderOf(shop, orderId)
  expect(order.payment_state).toBe('paid')
  return order
}

/** What the provider has given back of an order's money, as its own books say. */
async function givenBack(captureId: string | null): Promise<number[]> {
  const { refunds } = (await shop.emulate('/ledger')) as {
    refunds: { capture_id: string; amount: { value: string } }[]
  }
  return refunds
    .filter(({ capture_id }) => capture_id === captureId)
    .map(({ amount }) => Math.round(Number(amount.value) * 100))
}

const stockOf = async (sku: string) => {
  const [row] = await shop.db.sql<{ n: number }[]>`select stock_quantity as n from products where sku = ${sku}`
  return row?.n ?? 0
}
const refundsOf = (orderId: number) => findRefunds(shop.db.kysely, orderId)
const full = (key: string): RefundRequest => ({ key, ask: { kind: 'full' }, restock: true })

/** The same shop, with a provider that has not failed before, or that is somewhere else. */
const withProvider = (apiBase?: string): Tools => {
  if (!shop.paypal) throw new Error('the shop has no wallet')
  const environment = systemEnvironment(systemLog('silent'))
  const paypal = createPayPal({ environment, config: apiBase ? { ...shop.paypal, apiBase } : shop.paypal })
  return { ...tools, paypal }
}

async function inProcess(orderId: number, wish: RefundRequest, crashAt: Checkpoint): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../fixtures/merchant-process.ts')], {
    env: {
      PATH: process.env.PATH,
      WISH: JSON.stringify({ databaseUrl: shop.databaseUrl, paypal: shop.paypal, orderId, wish, crashAt }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await event(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

/** One refund of everything, whoever looks: the shop, the provider, the shelf, the order. */
async function theOneRefund(orderId: number, stockBefore: number): Promise<void> {
  const order = await orderOf(shop, orderId)
  expect(order).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
  expect(await givenBack(order.transaction_id)).toEqual([order.total])
  expect((await refundsOf(orderId)).map(({ state, amount }) => [state, amount])).toEqual([['done', order.total]])
  expect(await stockOf('MUG')).toBe(stockBefore + 2)
  expect(await invariants(shop)).toEqual([])
}

describe('killed while money is given back', () => {
  const points: [string, Checkpoint, number][] = [
    ['F1 at S16: nothing was begun, and the same wish does it', 'S16 before commit', 0],
    ['F3 at S16: the refund is made by whoever comes next', 'S16 attempt written', 0],
    ['F4 at S16: the refund that was made is adopted', 'S16 called', 1],
    ['F2 at S16: the same wish gives what is done', 'S16 recorded', 1],
  ]
  it.each(points)('%s (%s), by the wish repeated', async (_title, point, made) => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await inProcess(order.id, full('wish'), point)
    expect(await givenBack(order.transaction_id)).toHaveLength(made)
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject({ ok: true, state: 'done' })
    await theOneRefund(order.id, stock)
  })

  it.each(points.slice(1))('%s (%s), although nobody asks again', async (_title, point) => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await inProcess(order.id, full('wish'), point)
    // The database may take a moment to notice that the process is gone.
    await until('the minute job has ended it', async () => {
      await resumeAttempts(tools)
      return (await orderOf(shop, order.id)).status === 'refunded'
    })
    await theOneRefund(order.id, stock)
  })

  it('F14 at S16: the notification comes first, and the repeat finds it done', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await inProcess(order.id, full('wish'), 'S16 called')
    await shop.emulate('/webhooks/flush', {})
    await until('the notification is acted on', async () => (await orderOf(shop, order.id)).status === 'refunded')
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject({ ok: true, state: 'done' })
    await theOneRefund(order.id, stock)
  })
})

describe('trouble at the provider', () => {
  it('F7 F4 at S16: made, but every answer is lost: it is found by reading', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await shop.emulate('/fault', { route: 'captures.refund', done_then_drop: true, times: 3 })
    expect(await refundOrder(withProvider(), order.id, full('wish'))).toMatchObject({ ok: true })
    await theOneRefund(order.id, stock)
  })

  it('F7 at S16: unknown while the provider cannot be read either; then resumed, once', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await shop.emulate('/fault', { route: 'captures.refund', done_then_drop: true, times: 3 })
    await shop.emulate('/fault', { route: 'orders.get', status: 500, times: 3 })
    expect(await refundOrder(withProvider(), order.id, full('wish'))).toMatchObject({ ok: false, reason: 'checking' })
    expect(await orderOf(shop, order.id)).toMatchObject({ payment_state: 'paid' })
    // While nobody knows, no other refund may begin.
    expect(await refundOrder(tools, order.id, full('another'))).toEqual({ ok: false, reason: 'under-way' })
    await shop.db
      .sql`update payment_attempts set opened_at = opened_at - interval '1 minute' where order_id = ${order.id}`
    await resumeAttempts(withProvider())
    await theOneRefund(order.id, stock)
  })

  it('F8 at S16: a 500 for a refund that was made does not make a second one', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await shop.emulate('/fault', { route: 'captures.refund', done_then_500: true, times: 1 })
    expect(await refundOrder(withProvider(), order.id, full('wish'))).toMatchObject({ ok: true })
    await theOneRefund(order.id, stock)
  })

  const faults: [string, object][] = [
    ['F9 at S16: asks for patience', { status: 429, retry_after: 1 }],
    ['F11 at S16: works, then answers half of its JSON', { malformed: true }],
    ['F11 at S16: works, then answers with a page', { wrong_type: true }],
    ['F11 at S16: works, then answers ten megabytes', { huge: true }],
  ]
  it.each(faults)('%s: given back once', async (_title, fault) => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await shop.emulate('/fault', { route: 'captures.refund', ...fault })
    expect(await refundOrder(withProvider(), order.id, full('wish'))).toMatchObject({ ok: true, state: 'done' })
    await theOneRefund(order.id, stock)
  })

  it('F9 at S16: a pause that is longer than a call may take is told as such, and the wish stays open', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await shop.emulate('/fault', { route: 'captures.refund', status: 429, retry_after: 600 })
    expect(await refundOrder(withProvider(), order.id, full('wish'))).toMatchObject({ ok: false })
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'processing', payment_state: 'paid' })
    expect(await givenBack(order.transaction_id)).toEqual([])
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject({ ok: true, state: 'done' })
    await theOneRefund(order.id, stock)
  })

  it('F10 at S16: an expired token is renewed once and unnoticed', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await shop.emulate('/tokens/expire', {})
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject({ ok: true, state: 'done' })
    const log = (await shop.emulate('/log')) as { path: string; status: number }[]
    const refused = log.findLastIndex(({ status }) => status === 401)
    expect(log.slice(refused + 1).filter(({ path }) => path === '/v1/oauth2/token')).toHaveLength(1)
    await theOneRefund(order.id, stock)
  })

  it('F6 at S16: nobody there: nothing went back, and the same wish may be sent again', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    const gone = withProvider(`http://127.0.0.1:${await freePort()}`)
    expect(await refundOrder(gone, order.id, full('wish'))).toMatchObject({ ok: false, reason: 'unreachable' })
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'processing', payment_state: 'paid' })
    expect(await invariants(shop)).toEqual([])
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject({ ok: true, state: 'done' })
    await theOneRefund(order.id, stock)
  })

  it('F12 at S16: a refusal changes nothing but the notes, and says why', async () => {
    const order = await paidOrder()
    await shop.emulate('/fault', { route: 'captures.refund', issue: 'REFUND_FAILED_INSUFFICIENT_FUNDS', times: 1 })
    const refused = { ok: false, reason: 'refused', issue: 'REFUND_FAILED_INSUFFICIENT_FUNDS' }
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject(refused)
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject(refused)
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'processing', payment_state: 'paid' })
    expect(await givenBack(order.transaction_id)).toEqual([])
    expect(await invariants(shop)).toEqual([])
  })
})

describe('many at once', () => {
  it('F18 at S16: one wish sent ten times in parallel is one refund', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    const results = await Promise.all(Array.from({ length: 10 }, () => refundOrder(tools, order.id, full('wish'))))
    expect(results.filter(({ ok }) => ok)).toHaveLength(10)
    await theOneRefund(order.id, stock)
  })

  it('F38 at S16 two wishes at once for all of it: one refund, and the other learns why not', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    const results = await Promise.all(['one', 'two'].map((key) => refundOrder(tools, order.id, full(key))))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(results.find(({ ok }) => !ok)).toMatchObject({ reason: expect.stringMatching(/^(under-way|nothing-left)$/) })
    await theOneRefund(order.id, stock)
  })

  it('F38 at S16 I1 fifty wishes for a tenth each give back no more than was taken', async () => {
    const order = await paidOrder()
    const tenth = Math.floor(order.total / 10)
    let done = 0
    for (let round = 0; round < 10; round += 1) {
      const wishes = [0, 1, 2, 3, 4].map((place) =>
        refundOrder(tools, order.id, { key: `${round}-${place}`, ask: { kind: 'amount', minor: tenth } }),
      )
      done += (await Promise.all(wishes)).filter(({ ok }) => ok).length
    }
    const given = await givenBack(order.transaction_id)
    expect(given).toHaveLength(done)
    expect(given.reduce((sum, minor) => sum + minor, 0)).toBeLessThanOrEqual(order.total)
    expect(await invariants(shop)).toEqual([])
  })
})

describe('told by the provider', () => {
  it('F17 a refund made over there is booked once, however often it is told', async () => {
    const order = await paidOrder()
    const stock = await stockOf('MUG')
    await shop.emulate('/webhooks/duplicate', { copies: 5 })
    await shop.emulate(`/captures/${order.transaction_id}/refund`, {})
    await shop.emulate('/webhooks/flush', { order: 'reversed' })
    await shop.emulate('/webhooks/duplicate', { copies: 1 })
    await until('all are worked off', async () => !(await outcomes(shop)).includes(null))
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
    expect(await refundsOf(order.id)).toMatchObject([{ made_by: 'provider', state: 'done', amount: order.total }])
    // Whether the pieces come back is for the merchant to say.
    expect(await stockOf('MUG')).toBe(stock)
    expect(await refundOrder(tools, order.id, full('late'))).toEqual({ ok: false, reason: 'nothing-left' })
    expect(await invariants(shop)).toEqual([])
  })

  it('I1 F38 at S16: one made over there that nobody tells of is booked when it is in the way of another', async () => {
    const order = await paidOrder()
    await shop.emulate(`/captures/${order.transaction_id}/refund`, { amount: '5.00' })
    const refused = { ok: false, reason: 'refused', issue: 'REFUND_AMOUNT_EXCEEDED' }
    expect(await refundOrder(tools, order.id, full('all'))).toMatchObject(refused)
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'processing', payment_state: 'partly-refunded' })
    expect(await refundOrder(tools, order.id, full('the rest'))).toMatchObject({ ok: true, state: 'done' })
    expect(await givenBack(order.transaction_id)).toEqual([500, order.total - 500])
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
    expect(await invariants(shop)).toEqual([])
  })

  it('F17 notifications of our own refunds, late and in the opposite order, change nothing', async () => {
    const order = await paidOrder()
    for (const key of ['a', 'b']) await refundOrder(tools, order.id, { key, ask: { kind: 'amount', minor: 100 } })
    const before = await orderOf(shop, order.id)
    await shop.emulate('/webhooks/flush', { order: 'reversed' })
    await until('all are worked off', async () => !(await outcomes(shop)).includes(null))
    expect(await orderOf(shop, order.id)).toEqual(before)
    expect(before.payment_state).toBe('partly-refunded')
    expect(await givenBack(order.transaction_id)).toEqual([100, 100])
    expect(await invariants(shop)).toEqual([])
  })

  const dispute = (captureId: string | null, status: string, at: string, outcome?: string) => {
    const raw = {
      id: `WH-${captureId}-${at}`,
      event_type: 'CUSTOMER.DISPUTE.UPDATED',
      create_time: at,
      resource: {
        dispute_id: `PP-D-${captureId}`,
        status,
        update_time: at,
        ...(outcome ? { dispute_outcome: { outcome_code: outcome } } : {}),
        disputed_transactions: [{ seller_transaction_id: captureId }],
      },
    }
    const parsed = webhookEvent.parse(raw)
    const told = { id: raw.id, type: raw.event_type, subject: eventSubject(parsed), receivedAt: tools.clock.now() }
    return handleWebhook(tools, told)
  }

  it('F38 at S16 a disputed order is marked, refused a refund, and as before when the dispute is over', async () => {
    const order = await paidOrder()
    await dispute(order.transaction_id, 'OPEN', '2026-05-01T10:00:00Z')
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'processing', payment_state: 'disputed' })
    expect(await refundOrder(tools, order.id, full('wish'))).toEqual({ ok: false, reason: 'disputed' })
    await dispute(order.transaction_id, 'RESOLVED', '2026-05-03T10:00:00Z', 'RESOLVED_SELLER_FAVOUR')
    // I9: an older one that comes late does not open it again.
    await dispute(order.transaction_id, 'UNDER_REVIEW', '2026-05-02T10:00:00Z')
    expect(await orderOf(shop, order.id)).toMatchObject({ payment_state: 'paid' })
    expect(await invariants(shop)).toEqual([])
  })

  it('a dispute that the customer wins ends with the refund that the provider makes', async () => {
    const order = await paidOrder()
    await dispute(order.transaction_id, 'OPEN', '2026-05-01T10:00:00Z')
    await shop.emulate(`/captures/${order.transaction_id}/refund`, {})
    await shop.emulate('/webhooks/flush', {})
    await until('the refund is booked', async () => (await orderOf(shop, order.id)).payment_state === 'refunded')
    await dispute(order.transaction_id, 'RESOLVED', '2026-05-03T10:00:00Z', 'RESOLVED_BUYER_FAVOUR')
    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
    expect(await invariants(shop)).toEqual([])
  })

  /** The provider took the money back: of that there is no refund in its books. */
  const reversed = (order: { id: number; transaction_id: string | null }) => {
    const raw = {
      id: `WH-REVERSED-${order.id}`,
      event_type: 'PAYMENT.CAPTURE.REVERSED',
      resource: {
        id: 'X',
        links: [{ rel: 'up', href: `https://api.test/v2/payments/captures/${order.transaction_id}` }],
      },
    }
    const subject = eventSubject(webhookEvent.parse(raw))
    return handleWebhook(tools, { id: raw.id, type: raw.event_type, subject, receivedAt: tools.clock.now() })
  }

  it('I2 a reversal without a refund to show for it is shown to a person, who can still settle it', async () => {
    const order = await paidOrder()
    await reversed(order)
    expect(await orderOf(shop, order.id)).toMatchObject({
      status: 'processing',
      payment_state: 'attention',
      attention: expect.stringContaining('took the money back'),
    })
    expect(await refundOrder(tools, order.id, full('wish'))).toMatchObject({ ok: true, state: 'done' })
    expect(await orderOf(shop, order.id)).toMatchObject({ payment_state: 'refunded', attention: null })
    expect(await invariants(shop)).toEqual([])
  })

  it('I9 F17: a reversal is seen whether it is told before or after a refund of a part', async () => {
    const ends: unknown[] = []
    for (const reversalFirst of [true, false]) {
      const order = await paidOrder()
      await shop.emulate(`/captures/${order.transaction_id}/refund`, { amount: '5.00' })
      if (reversalFirst) await reversed(order)
      await shop.emulate('/webhooks/flush', {})
      await until('all are worked off', async () => !(await outcomes(shop)).includes(null))
      if (!reversalFirst) await reversed(order)
      const { status, payment_state, attention } = await orderOf(shop, order.id)
      ends.push([status, payment_state, attention?.replace(order.transaction_id ?? '', 'its')])
      expect((await refundsOf(order.id)).map(({ amount }) => amount)).toEqual([500])
    }
    expect(ends[0]).toEqual(['processing', 'attention', 'the provider took the money back (capture its)'])
    expect(ends[1]).toEqual(ends[0])
    expect(await invariants(shop)).toEqual([])
  })

  it('I9 F17: a reversal that its refund shows is no more than that refund, although another event booked it', async () => {
    const order = await paidOrder()
    const part = { amount: '5.00' }
    await shop.emulate(`/captures/${order.transaction_id}/refund`, part)
    await shop.emulate(`/captures/${order.transaction_id}/refund`, { ...part, reversed: true })
    await shop.emulate('/webhooks/flush', {})
    await until('all are worked off', async () => !(await outcomes(shop)).includes(null))
    expect(await orderOf(shop, order.id)).toMatchObject({ payment_state: 'partly-refunded', attention: null })
    expect((await refundsOf(order.id)).map(({ amount }) => amount)).toEqual([500, 500])
    expect(await invariants(shop)).toEqual([])
  })
})
