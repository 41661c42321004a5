import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { linkGuestOrders } from '#database/customers/personal-data.ts'
import { transaction } from '#database/engine/connect.ts'
import { eraseGuest } from '#shop/customers/erase-customer.ts'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { settlePendingRefunds } from '#shop/payments/refund/match-provider-refunds.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** A program without webhooks, which asks from time to time what has changed. */
let shop: TestShop
let tools: Tools
let key: ApiKeyPair
beforeAll(async () => {
  shop = await aShop({ settings: { privacy: { keepOrderData: false } } })
  tools = shop.shop.application.tools
  key = await makeApiKey(tools, { description: 'An ERP', who: 'tester' })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop.close())

async function paidOrder(name: string): Promise<number> {
  const shopper = new Shopper(shop, name)
  const { orderId, walletOrderId } = await shopper.startToPay('MUG', 1)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  return orderId
}

type Order = { id: number; customer_id: number; refunds: { total: string }[]; billing: { first_name: string } }

async function read<Answer>(route: string): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')}`
  const response = await fetch(shop.url + urls.rest(route), { headers: { authorization } })
  return (await response.json()) as Answer
}

/** What a program reads anew of an order, once this has happened to it; null: it is not told that anything has changed. */
async function toldOf(id: number, happens: () => Promise<unknown>): Promise<Order | null> {
  await shop.db.sql`update orders set updated_at = now() - interval '1 hour' where id = ${id}`
  await happens()
  const since = new Date(Date.now() - 60_000).toISOString()
  const changed = await read<Order[]>(`wc/v3/orders?modified_after=${since}&orderby=modified&per_page=100`)
  return changed.find((order) => order.id === id) ?? null
}

describe('an order that has changed in what programs read', () => {
  it('says so when money is about to go back, and when that came to nothing', async () => {
    const id = await paidOrder('ida')
    let theirs = ''
    const pending = await toldOf(id, async () => {
      await shop.emulate('/refunds/next', { outcome: 'PENDING' })
      const asked = await refundOrder(tools, id, { key: 'some', ask: { kind: 'amount', minor: 500 } })
      if (asked.ok) theirs = asked.refund.provider_id ?? ''
    })
    expect(pending?.refunds).toEqual([expect.objectContaining({ total: '-5.00' })])
    const refused = await toldOf(id, async () => {
      await shop.emulate(`/refunds/${theirs}/settle`, { status: 'FAILED' })
      await settlePendingRefunds(tools)
    })
    expect(refused?.refunds).toEqual([])
  })

  it('says so when it becomes a customer’s, and when what it told of them is erased', async () => {
    const id = await paidOrder('bob')
    await transitionOrder(tools, id, { to: 'completed' })
    const erased = await toldOf(id, () => eraseGuest(tools, 'bob@example.test', 'tester'))
    expect(erased?.billing.first_name).toBe('')

    const other = await paidOrder('eve')
    const eve = aCustomer(shop, 'elsewhere@example.test')
    await eve.register()
    const [customer] = await shop.db.sql<
      { id: number }[]
    >`select id from customers where email = 'elsewhere@example.test'`
    const linked = await toldOf(other, () =>
      transaction(tools, (tx) => linkGuestOrders(tx, customer?.id ?? 0, 'eve@example.test', tools.clock.now())),
    )
    expect(linked?.customer_id).toBe(customer?.id)
  })
})
