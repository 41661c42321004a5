import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { OrderRow } from '#database/orders/orders.ts'
import { createPayPal, type PayPal } from '#paypal/client.ts'
import { readAssets } from '#server/http/assets.ts'
import type { PayPalSettings } from '#server/operations/configuration/config.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { type RunningShop, type ShopOptions, startShop } from '#server/operations/startup/start-shop.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import type { TestWorld } from '#tests/support/process/process.ts'
import { clientFolder, freePort, rootFolder, type TestShop } from '#tests/support/shop.ts'
import type { Shopper } from '#tests/support/shopper.ts'

/** The provider's books, which no mistake of the shop can reach. */
export type ProviderLedger = {
  orders: {
    id: string
    status: string
    custom_id: string
    invoice_id: string
    amount: { value: string; currency_code: string }
  }[]
  captures: {
    id: string
    order_id: string
    status: string
    amount: { value: string; currency_code: string }
    custom_id: string
  }[]
}

export async function providerLedger(shop: TestWorld): Promise<ProviderLedger> {
  // The emulator's control interface answers in this shape.
  return (await shop.emulate('/ledger')) as ProviderLedger
}

export async function capturesFor(shop: TestWorld, orderId: number): Promise<ProviderLedger['captures']> {
  return (await providerLedger(shop)).captures.filter(({ custom_id }) => custom_id === String(orderId))
}

export async function orderOf(shop: TestWorld, orderId: number): Promise<OrderRow> {
  return shop.db.kysely.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
}

/** All that somebody has placed, oldest first. */
export async function ordersOf(shop: TestWorld, { email }: { email: string }): Promise<OrderRow[]> {
  return shop.db.kysely
    .selectFrom('orders')
    .selectAll()
    .where(({ eb, ref }) => eb(ref('billing', '->>').key('email'), '=', email))
    .orderBy('id')
    .execute()
}

/** Polls until `probe` gives something; fails with `what` when it never does. */
export async function until<Value>(
  what: string,
  probe: () => Promise<Value | null | undefined | false>,
  patienceMs = 15_000,
): Promise<Value> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const value = await probe()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`never came: ${what}`)
    await sleep(50)
  }
}

export async function invariants(shop: TestWorld): Promise<unknown[]> {
  const environment = systemEnvironment(systemLog('silent'))
  const paypal = shop.paypal && createPayPal({ environment, config: shop.paypal })
  return checkInvariants({ ...environment, db: shop.db, paypal })
}

/**
 * The whole of what "paid once" means, the provider's ledger as a witness of its own: one capture of the order's total,
 * one sale of its pieces, one message of each kind, no attempt and no reservation left, every invariant kept.
 */
export async function theOneOrder(shop: TestWorld, orderId: number): Promise<OrderRow> {
  const order = await until(`order ${orderId} is paid`, async () => {
    const row = await orderOf(shop, orderId)
    return row.payment_state === 'paid' && row
  })
  const captures = await capturesFor(shop, orderId)
  expect(captures, 'captures at the provider').toHaveLength(1)
  expect(captures[0]).toMatchObject({
    status: 'COMPLETED',
    amount: { value: (order.total / 100).toFixed(2), currency_code: order.currency },
  })
  expect(order.transaction_id).toBe(captures[0]?.id)
  await theSale(shop, orderId)
  return order
}

/** What an accepted order leaves behind, however it is paid. */
export async function theSale(shop: TestWorld, orderId: number): Promise<void> {
  const { kysely } = shop.db
  const items = await kysely
    .selectFrom('order_items')
    .select(['product_id', 'quantity'])
    .where('order_id', '=', orderId)
    .where('type', '=', 'line_item')
    .execute()
  const sold = await kysely.selectFrom('stock_movements').selectAll().where('order_id', '=', orderId).execute()
  expect(
    sold.map(({ product_id, change }) => ({ product_id, quantity: -change })),
    'pieces sold',
  ).toEqual(items)
  const left = await kysely
    .selectFrom('payment_attempts')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('state', 'in', ['open', 'unknown'])
    .execute()
  expect(left, 'attempts left open').toEqual([])
  const mails = await until(`the messages of order ${orderId}`, async () => {
    const rows = await kysely.selectFrom('sent_mail').selectAll().where('order_id', '=', orderId).execute()
    return rows.length >= 2 && rows.every(({ sent_at }) => sent_at) && rows
  })
  // What the shop is told about its shelf depends on what else was sold.
  const ofOrder = mails.filter(({ kind }) => !['low_stock', 'no_stock', 'backorder'].includes(kind))
  expect(ofOrder.map(({ kind }) => kind).sort()).toEqual(['customer_processing_order', 'new_order'])
  const outbox = await readdir(join(shop.dataDir, 'outbox'))
  expect(outbox.filter((name) => /_order\b/.test(name) && name.startsWith(`order-${orderId}-`))).toHaveLength(2)
  expect(await invariants(shop), 'broken invariants').toEqual([])
}

/** A second process of the same shop, in this one: its own number, its own calls to the provider, the same database. */
export async function anotherProcess(
  shop: Pick<TestShop, 'databaseUrl' | 'dataDir' | 'paypal'>,
  options: Partial<Pick<ShopOptions, 'cdnSeconds' | 'purge' | 'environment' | 'build' | 'secret'>> = {},
): Promise<RunningShop> {
  return startShop({
    environment: systemEnvironment(systemLog('silent')),
    databaseUrl: shop.databaseUrl,
    dataDir: shop.dataDir,
    clientFolder,
    rootFolder,
    assets: await readAssets(clientFolder),
    paypal: shop.paypal,
    host: '127.0.0.1',
    port: await freePort(),
    publicBaseUrl: null,
    smtpUrl: null,
    secret: 'a secret for tests that is long enough',
    connections: 6,
    ...options,
  })
}

/** The provider, asked as anybody could who has the shop's credentials. */
export function provider(paypal: PayPalSettings | null): PayPal {
  if (!paypal) throw new Error('the shop has no wallet')
  return createPayPal({ environment: systemEnvironment(systemLog('silent')), config: paypal })
}

/** All notifications received so far are acted on or kept for later; gives what became of them. */
export async function outcomes(shop: TestWorld): Promise<(string | null)[]> {
  const rows = await shop.db.kysely.selectFrom('webhook_events').select('outcome').orderBy('received_at').execute()
  return rows.map(({ outcome }) => outcome)
}

/**
 * Time goes by until nothing is left open: each round, what was begun is a minute older and the minute job runs.
 * @param age makes older what this run has to see old
 */
export async function untilNothingIsOpen(
  shop: TestWorld & Pick<TestShop, 'databaseUrl'>,
  timeoutMs: number,
  age: () => Promise<unknown>,
): Promise<void> {
  const helper = await anotherProcess(shop)
  try {
    await until(
      'nothing is left open',
      async () => {
        await shop.db.sql`
          update payment_attempts set opened_at = opened_at - interval '1 minute' where state in ('open', 'unknown')`
        await age()
        await maintain(helper.application.tools)
        const [row] = await shop.db.sql<{ open: number }[]>`select
          (select count(*) from payment_attempts where step in ('capture', 'pay') and state in ('open', 'unknown'))
          + (select count(*) from orders where payment_state in ('authorising', 'captured', 'review'))
          + (select count(*) from webhook_events where processed_at is null) as open`
        return row?.open === 0
      },
      timeoutMs,
    )
  } finally {
    await helper.stop()
  }
}

/** Approves two wallet orders of one order, of which the newer pays it: the older is as good for taking money by mistake. */
export async function paidByTheNewer(shop: TestWorld, shopper: Shopper): Promise<{ orderId: number; older: string }> {
  const { orderId, walletOrderId: older } = await shopper.startToPay('MUG')
  await shopper.approve(older)
  // Looked up just now: else the job of the minute, which may run any moment, takes the money first.
  await shop.db
    .sql`update wallet_orders set created_at = created_at - interval '5 hours 30 minutes', checked_at = now() where id = ${older}`
  await shopper.openCheckout()
  const next = new URL((await shopper.placeOrder()).redirect ?? '').searchParams.get('token') ?? ''
  await shopper.approve(next)
  await shopper.returnFromWallet(next)
  await until('it is paid', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
  return { orderId, older }
}
