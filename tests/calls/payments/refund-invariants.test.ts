import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { PayPal } from '#paypal/client.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
  const shopper = new Shopper(shop)
  const { orderId, walletOrderId } = await shopper.startToPay('MUG', 2)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  const line = await shop.db.kysely
    .selectFrom('order_items')
    .select('id')
    .where('order_id', '=', orderId)
    .where('type', '=', 'line_item')
    .executeTakeFirstOrThrow()
  const ask = { kind: 'lines', lines: [{ itemId: line.id, quantity: 1 }] } as const
  expect(await refundOrder(tools, orderId, { key: 'piece', ask, restock: true })).toMatchObject({ ok: true })
})
afterAll(() => shop.close())

const undone = new Error('undone')

/** What is found after a change, which is taken back at once. */
async function foundAfter(change: ReturnType<typeof sql> | null, paypal: PayPal | null = null): Promise<string[]> {
  let found: string[] = []
  const work = async (tx: Transaction<Schema>) => {
    // The ledger forbids changes even to us; here somebody has found a way.
    await sql`alter table ledger disable trigger ledger_append_only`.execute(tx)
    await change?.execute(tx)
    const broken = await checkInvariants({ db: { ...shop.db, kysely: tx }, clock: tools.clock, paypal })
    found = broken.map(({ invariant, what }) => `${invariant} ${what}`)
    throw undone
  }
  await shop.db.kysely
    .transaction()
    .execute(work)
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return found
}

const another = (columns: string) => sql`insert into refunds (order_id, key, body_hash, state, made_by, by_provider,
    capture_id, amount, currency, created_at)
  select order_id, 'other', '', ${sql.raw(columns)}, now() - interval '1 hour' from refunds`

describe('the doctor, of refunds', () => {
  it('finds nothing where a refund went well, by the books of the provider too', async () => {
    expect(await foundAfter(null, tools.paypal)).toEqual([])
  })

  it.each([
    ['I1 refunds exceed the paid', another(`'done', 'shop', false, null, 99999, currency`)],
    ['I1 refunds by the provider exceed', another(`'pending', 'shop', true, capture_id, 99999, currency`)],
    ['I1 payment state does not match', sql`update orders set payment_state = 'paid'`],
    ['I1 payment state does not match', sql`update orders set payment_state = 'refunded'`],
    ['I1 counts a capture that', sql`update captures set status = 'REVERSED'`],
    [
      'I1 duplicate payment',
      sql`insert into captures (id, order_id, wallet_order_id, status, amount, currency, environment, captured_at, stray)
        select 'SECOND', order_id, wallet_order_id, 'COMPLETED', amount, currency, environment, now(), true from captures`,
    ],
    ['I4 stock movements differ', sql`update refund_items set restocked = 0`],
    ['I4 stock movements differ', sql`delete from stock_movements where kind = 'returned'`],
    ['I4 more items of a line', sql`update refund_items set quantity = 3`],
    ['I6 line items of a refund', sql`update refund_items set total = total + 1`],
    ['I11 ledger and refunds differ', sql`delete from ledger where kind = 'refund'`],
    ['I11 ledger and refunds differ', sql`update refunds set amount = amount - 1`],
    ['I11 ledger does not explain', sql`update orders set status = 'completed'`],
    ['I12 pending refund without an open attempt', another(`'open', 'shop', true, capture_id, 1, currency`)],
    [
      'I12 payment attempt open',
      sql`with old as (update orders set updated_at = now() - interval '1 hour')
        update payment_attempts set state = 'unknown', opened_at = now() - interval '1 hour' where step = 'refund'`,
    ],
  ])('%s is seen when it is broken', async (what, change) => {
    expect(await foundAfter(change)).toContainEqual(expect.stringContaining(what))
  })

  it('I1 is seen when the provider has given back what the shop does not know of, or otherwise', async () => {
    const forget = sql`with gone as (delete from refund_items) update refunds set provider_id = 'OTHER'`
    expect(await foundAfter(forget, tools.paypal)).toContainEqual(expect.stringContaining('that the shop lacks'))
    const other = sql`update refunds set amount = amount + 1`
    expect(await foundAfter(other, tools.paypal)).toContainEqual(expect.stringContaining('is another one'))
  })
})
