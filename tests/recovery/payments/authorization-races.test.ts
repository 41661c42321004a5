import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PayPal } from '#paypal/client.ts'
import { type MerchantTransitionResult, transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { captureAuthorizedPayment } from '#shop/payments/operation/capture-authorization.ts'
import { finishPayment } from '#shop/payments/operation/finish-payment.ts'
import { capturesFor, invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { paypal: { intent: 'authorize' } } })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())

/** How many wait for somebody else's lock. */
async function waiting(): Promise<number> {
  const [row] = await shop.db.sql<{ n: number }[]>`
    select count(*)::int as n from pg_locks where not granted and locktype in ('tuple', 'transactionid')
      and pid in (select pid from pg_stat_activity where datname = current_database())`
  return row?.n ?? 0
}

/** The provider holds the money; its record waits for the order's lock, and behind it so does a move that saw none held yet. */
async function movedWhileHeld(orderId: number, walletOrderId: string, to: 'processing' | 'cancelled' | 'pending') {
  const { tools } = shop.shop.application
  const { paypal } = tools
  if (!paypal) throw new Error('the shop has no provider')
  const locked = Promise.withResolvers<void>()
  const moved = Promise.withResolvers<MerchantTransitionResult>()
  const held: PayPal = {
    ...paypal,
    authorizeOrder: async (...call) => {
      const answer = await paypal.authorizeOrder(...call)
      void shop.db.sql.begin(async (tx) => {
        await tx`select from orders where id = ${orderId} for no key update`
        locked.resolve()
        await until('the record waits', async () => (await waiting()) > 0)
        moved.resolve(transitionOrder(tools, orderId, { to }))
        await until('the move waits', async () => (await waiting()) > 1)
      })
      await locked.promise
      return answer
    },
  }
  expect(await finishPayment({ ...tools, paypal: held }, orderId, walletOrderId)).toMatchObject({ ok: true })
  return moved.promise
}

describe('held money whose renewal is done and not told of', () => {
  it('P2 I2 F7 at S11: is taken under its new number by whoever asks again', async () => {
    const shopper = new Shopper(shop, 'renewed')
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    await shop.db.sql`update authorizations set authorized_at = now() - interval '5 days' where order_id = ${orderId}`

    const { tools } = shop.shop.application
    const { paypal } = tools
    if (!paypal) throw new Error('the shop has no provider')
    /** As the provider does: what was held before is let go for what is held now. */
    const renewed = new Map<string, string>()
    const renewing: PayPal = {
      ...paypal,
      reauthorize: async (id) => {
        const read = await paypal.getAuthorization(id)
        const isFirst = renewed.size === 0
        renewed.set(`${id}N`, id)
        if (isFirst) return { ok: false, kind: 'unknown', reason: 'timeout' }
        return read.ok ? { ...read, value: { ...read.value, id: `${id}N` } } : read
      },
      getAuthorization: async (id) => {
        const read = await paypal.getAuthorization(id)
        return read.ok && renewed.size > 0 ? { ...read, value: { ...read.value, status: 'VOIDED' } } : read
      },
      captureAuthorization: async (id, ...call) => {
        const before = renewed.get(id)
        if (before) return paypal.captureAuthorization(before, ...call)
        return { ok: false, kind: 'refused', status: 422, issue: 'AUTHORIZATION_VOIDED', details: [], debugId: '' }
      },
    }
    const merchant = { ...tools, paypal: renewing }
    expect(await captureAuthorizedPayment(merchant, orderId)).toMatchObject({ ok: false, reason: 'checking' })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'on-hold', payment_state: 'authorised' })
    expect(await captureAuthorizedPayment(merchant, orderId)).toMatchObject({ ok: true, state: 'paid' })
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
  })
})

describe('an order that is moved while the provider puts its money on hold', () => {
  it.each([
    ['processing', { ok: true }, { status: 'processing', payment_state: 'paid' }, 1],
    ['cancelled', { ok: true }, { status: 'cancelled', payment_state: 'failed' }, 0],
    // Unpaid orders are cancelled when their time is over, and the money would stay held.
    ['pending', { ok: false, reason: 'money-under-way' }, { status: 'on-hold', payment_state: 'authorised' }, 0],
  ] as const)(
    'P2 I2 to %s: its money is taken, let go or held as by a later move',
    async (to, result, after, taken) => {
      const shopper = new Shopper(shop, `mover-${to}`)
      const { orderId, walletOrderId } = await shopper.startToPay()
      await shopper.approve(walletOrderId)
      expect(await movedWhileHeld(orderId, walletOrderId, to)).toMatchObject(result)
      expect(await orderOf(shop, orderId)).toMatchObject(after)
      expect(await capturesFor(shop, orderId)).toHaveLength(taken)
      expect(await invariants(shop)).toEqual([])
    },
  )
})
