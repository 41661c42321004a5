import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doctorCommand } from '#cli/operations/doctor.ts'
import { eraseOrders } from '#database/customers/personal-data.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { PayPal } from '#paypal/client.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { checkInvariants } from './check-invariants.ts'

let shop: TestShop
let orderId: number
beforeAll(async () => {
  shop = await aShop()
  const shopper = new Shopper(shop)
  const started = await shopper.startToPay('MUG', 2)
  await shopper.approve(started.walletOrderId)
  await shopper.returnFromWallet(started.walletOrderId)
  orderId = started.orderId
})
afterAll(() => shop.close())

const undone = new Error('undone')

/** Returns the findings after a change, which is rolled back at once. */
async function foundAfter(
  change: readonly { execute(tx: Transaction<Schema>): Promise<unknown> }[],
  paypal: PayPal | null = null,
) {
  let found: Awaited<ReturnType<typeof checkInvariants>> = []
  const work = async (tx: Transaction<Schema>) => {
    // The ledger forbids changes even to us; the test bypasses its trigger.
    await sql`alter table ledger disable trigger ledger_append_only`.execute(tx)
    await sql`drop index captures_once`.execute(tx)
    for (const statement of change) await statement.execute(tx)
    const { clock } = shop.shop.application.tools
    found = await checkInvariants({ db: { ...shop.db, kysely: tx }, clock, paypal })
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

const long = sql`now() - interval '1 hour'`
const order = (change: string) => sql`update orders set ${sql.raw(change)} where id = (select min(id) from orders)`
const anotherCapture = sql`insert into captures (id, order_id, wallet_order_id, status, amount, currency, environment, captured_at)
  select 'SECOND', order_id, wallet_order_id, status, amount, currency, environment, captured_at from captures`
const attempt = (
  state: string,
) => sql`insert into payment_attempts (order_id, step, revision, request_id, amount, currency,
    body_hash, state, instance, opened_at) select id, 'capture', 9, 'x', total, currency, '', ${state}, 1, ${long} from orders`

describe('the doctor', () => {
  it('finds nothing where a purchase went well, by the books of the provider too', async () => {
    const { clock, paypal } = shop.shop.application.tools
    expect(await checkInvariants({ db: shop.db, clock, paypal })).toEqual([])
  })

  const wounds: [string, ReturnType<typeof sql>[]][] = [
    ['I1', [anotherCapture]],
    ['I1', [sql`update captures set amount = amount + 1`]],
    ['I2', [order(`payment_state = 'pending', status = 'pending'`)]],
    ['I3', [sql`delete from captures`]],
    ['I3', [sql`update captures set currency = 'EUR'`]],
    ['I3', [sql`update captures set environment = 'live'`]],
    ['I4', [sql`update products set stock_quantity = stock_quantity - 1 where sku = 'MUG'`]],
    ['I4', [sql`delete from stock_movements where kind = 'sold'`]],
    ['I4', [order('stock_reduced = false')]],
    [
      'I4',
      [
        sql`insert into stock_reservations (order_id, product_id, quantity, expires_at)
          select o.id, p.id, 1, now() + interval '1 hour' from orders o, products p where p.sku = 'MUG'`,
      ],
    ],
    [
      'I4',
      [
        order(`status = 'pending'`),
        sql`insert into stock_reservations (order_id, product_id, quantity, expires_at)
          select o.id, p.id, 2, now() + interval '1 hour' from orders o, products p where p.sku = 'LAST'`,
      ],
    ],
    [
      'I5',
      [
        sql`insert into coupons (code, type, amount_minor, used) values ('gift', 'fixed_cart', 1, 0)`,
        sql`insert into coupon_uses (order_id, coupon_id, used_by) select o.id, c.id, '' from orders o, coupons c`,
      ],
    ],
    [
      'I5',
      [
        sql`insert into coupons (code, type, amount_minor, used, settings)
          values ('once', 'fixed_cart', 1, 2, '{"usageLimitPerUser":1}')`,
        sql`insert into orders select (jsonb_populate_record(o, '{"id":990,"key":"other","intention":"other"}')).* from orders o limit 1`,
        sql`insert into coupon_uses (order_id, coupon_id, used_by)
          select o.id, c.id, 'ann@example.test' from orders o, coupons c where c.code = 'once'`,
      ],
    ],
    ['I6', [order('total = total + 1')]],
    ['I6', [sql`update order_items set total = total + 1 where type = 'line_item'`]],
    ['I6', [sql`update wallet_orders set amount = amount + 1`]],
    ['I7', [sql`update ledger set data = data || '{"amount": 1}' where kind = 'wallet-order'`]],
    ['I8', [attempt('succeeded')]],
    [
      'I9',
      [
        sql`insert into webhook_events (id, type, body, received_at, processed_at, outcome)
          values ('e', 'PAYMENT.CAPTURE.COMPLETED', '{"resource":{"id":"UNKNOWN"}}', now(), now(), 'paid')`,
      ],
    ],
    ['I11', [sql`update ledger set data = '{"capture":"OTHER"}' where kind = 'capture-recorded'`]],
    ['I11', [sql`delete from ledger where seq = 2`]],
    ['I11', [sql`delete from ledger`]],
    ['I11', [order(`transaction_id = 'OTHER'`)]],
    ['I12', [order(`payment_state = 'authorising'`)]],
    ['I12', [attempt('unknown'), sql`update orders set updated_at = ${long}`]],
    [
      'I12',
      [
        sql`insert into webhook_events (id, type, body, received_at) values ('x', 'x', '{}', now() - interval '4 days')`,
      ],
    ],
    ['I13', [sql`delete from sent_mail`, sql`update orders set paid_at = ${long}`]],
    ['I13', [sql`insert into sent_mail select 'other', order_id, kind, recipient, sent_at from sent_mail limit 1`]],
  ]
  it.each(wounds.map(([invariant, change], index) => ({ invariant, change, index })))(
    '$invariant is seen when it is broken ($index)',
    async ({ invariant, change }) => {
      await shopIsQuiet()
      expect((await foundAfter(change)).map((found) => found.invariant)).toContain(invariant)
    },
  )

  it('finds nothing where the order of a purchase that went well was erased, and with it what the provider had told', async () => {
    await shopIsQuiet()
    const told = sql`insert into webhook_events (id, type, body, received_at, processed_at, outcome)
      select 'e', 'PAYMENT.CAPTURE.COMPLETED', json_build_object('resource', json_build_object('id', id,
        'supplementary_data', wallet_order_id)), now(), now(), 'paid' from captures`
    const { paypal } = shop.shop.application.tools
    expect(await foundAfter([told, { execute: (tx) => eraseOrders(tx, [orderId], new Date()) }], paypal)).toEqual([])
  })

  it('I2 is seen when the provider has money that the shop does not know of', async () => {
    const { paypal } = shop.shop.application.tools
    const forget = [
      sql`delete from captures`,
      sql`delete from ledger where kind = 'capture-recorded'`,
      order(`payment_state = 'pending', status = 'pending'`),
    ]
    expect(await foundAfter(forget, paypal)).toContainEqual(
      expect.objectContaining({ invariant: 'I2', orderId, what: expect.stringContaining('the shop lacks') }),
    )
  })

  it('I3 is seen when the provider shows another amount, or no such capture', async () => {
    const { paypal } = shop.shop.application.tools
    expect(await foundAfter([sql`update captures set amount = 1`], paypal)).toContainEqual(
      expect.objectContaining({ invariant: 'I3', what: expect.stringContaining("the provider's amount") }),
    )
    expect(await foundAfter([sql`update captures set id = 'OTHER'`], paypal)).toContainEqual(
      expect.objectContaining({ invariant: 'I3', what: expect.stringContaining('does not show') }),
    )
  })

  it('I1 is seen when the shop counts a refund that the provider does not show', async () => {
    const { paypal } = shop.shop.application.tools
    const made = sql`insert into refunds (order_id, key, body_hash, state, made_by, by_provider, capture_id, provider_id,
      amount, currency, created_at) select order_id, 'k', '', 'done', 'shop', true, id, 'NOWHERE', 1, currency, now() from captures`
    expect(await foundAfter([made], paypal)).toContainEqual(
      expect.objectContaining({ invariant: 'I1', what: 'the provider does not show the refund NOWHERE' }),
    )
  })

  it('looks at no more payments than it is told to, and says how many it could not read', async () => {
    const { clock, paypal } = shop.shop.application.tools
    let asked = 0
    const counting = {
      getCapture: () => Promise.reject(new Error('not asked for')),
      getOrder(id: string) {
        asked += 1
        if (!paypal) throw new Error('there is no provider')
        return asked > 1
          ? paypal.getOrder(id)
          : Promise.resolve({ ok: false, kind: 'unreachable', reason: '' } as const)
      },
    }
    let unread = 0
    const facts = { db: shop.db, clock, paypal: counting, unread: (count: number) => (unread = count) }
    await checkInvariants({ ...facts, newest: 0 })
    expect([asked, unread]).toEqual([0, 0])
    await checkInvariants({ ...facts, newest: 'all' })
    expect([asked, unread]).toEqual([1, 1])
  })

  it('says on the command line that everything agrees, or names what does not and fails', async () => {
    expect(await runCommand(doctorCommand, shop.db)).toMatchObject({ code: 0 })
    await shop.db.sql`update products set stock_quantity = stock_quantity - 1 where sku = 'BOWL'`
    const told = await runCommand(doctorCommand, shop.db)
    await shop.db.sql`update products set stock_quantity = stock_quantity + 1 where sku = 'BOWL'`
    expect(told).toMatchObject({ code: 1 })
    expect(JSON.stringify(told)).toContain('I4')
  })
})

/** Waits until emails are sent: they write to tables that a test is about to change. */
async function shopIsQuiet(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const [row] = await shop.db.sql`select count(*)::int as sent from sent_mail where sent_at is not null`
    if (row?.sent >= 2) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
