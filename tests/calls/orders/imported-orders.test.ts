import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeysCommand } from '#cli/customers/api-keys.ts'
import { mailCommand } from '#cli/mail/mail.ts'
import { webhooksCommand } from '#cli/operations/webhooks.ts'
import { ordersCommand } from '#cli/orders/orders.ts'
import { salesByDay } from '#database/statistics/sales-figures.ts'
import { eraseGuest } from '#shop/customers/erase-customer.ts'
import { exportGuest } from '#shop/customers/export-customer.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { addOrderNote } from '#shop/orders/add-order-note.ts'
import { cancelOrder } from '#shop/orders/cancel-order.ts'
import { importOrders } from '#shop/orders/import-orders.ts'
import { editManualOrder } from '#shop/orders/manual/edit-manual-order.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { deleteOrder, trashOrder } from '#shop/orders/trash-order.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { textRows } from '#tests/support/import/text-rows.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop({ settings: { privacy: { keepOrderData: false } } })
  tools = shop.shop.application.tools
  for (const topic of ['order.created', 'order.updated'])
    await runCommandWith({ ...tools }, webhooksCommand, shop.db, 'create', topic, 'http://127.0.0.1:9/hook')
})
afterAll(() => shop.close())

const statuses = ['pending', 'failed', 'on-hold', 'processing', 'completed', 'cancelled', 'refunded', 'wc-shipped']
const columns =
  'order_number,order_date,paid_date,status,order_currency,order_total,tax_total,shipping_total,payment_method,payment_method_title,transaction_id,billing_first_name,billing_last_name,billing_email,billing_country,line_items,shipping_method'
const rowOf = (number: string, status: string, email: string) =>
  `${number},2021-03-0${(Number(number) % 8) + 1} 10:00:00,2021-03-09 10:05:00,${status},EUR,41.90,6.69,5.00,bacs,Bank transfer,TX-${number},Ida,Vale,${email},DE,"name:Mug|sku:MUG|quantity:2|total:30.21",DHL`

const options = { existing: 'skip', skipFaulty: false, dryRun: false } as const
const imported = (email: string, first: number, change: object = {}) =>
  importOrders(
    tools,
    textRows([columns, ...statuses.map((status, place) => rowOf(String(first + place), status, email))].join('\n')),
    { ...options, ...change },
  )
const historyOf = (email: string) =>
  shop.db.kysely
    .selectFrom('orders')
    .selectAll()
    .where('imported_from', 'is not', null)
    .where(sql<boolean>`billing ->> 'email' = ${email}`)
    .orderBy('id')
    .execute()

/** Everything that work on an order would write, and the rows of the orders themselves. */
const traces = async () => {
  const counts = await Promise.all(
    (
      [
        'ledger',
        'sent_mail',
        'payment_attempts',
        'wallet_orders',
        'captures',
        'stock_reservations',
        'stock_movements',
        'coupon_uses',
        'download_permissions',
        'sales_news',
      ] as const
    ).map(async (table) => {
      const { count } = await shop.db.kysely
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [table, Number(count)]
    }),
  )
  const { rows: stock } = await sql`select id, stock_quantity, total_sales from products order by id`.execute(
    shop.db.kysely,
  )
  // Deliveries of the pings are attempted again and again.
  const { rows: jobs } = await sql`select count(*)::int as n from graphile_worker._private_jobs
    where coalesce(key, '') not like 'webhook-delivery:%'`.execute(shop.db.kysely)
  const orders = await shop.db.kysely
    .selectFrom('orders')
    .selectAll()
    .where('imported_from', 'is not', null)
    .orderBy('id')
    .execute()
  return { counts, stock, jobs, orders }
}

describe('orders imported from another shop', () => {
  it('are history: nothing that runs by itself touches them, whatever their status and age', async () => {
    const before = await traces()
    expect(await imported('history@example.test', 100)).toMatchObject({
      ok: true,
      created: 8,
      faultCount: 0,
      noteCount: 3,
    })
    const placed = await traces()
    expect({ ...placed, orders: [] }).toEqual({ ...before, orders: [] })
    expect(placed.orders.map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'on-hold',
      'processing',
      'completed',
      'cancelled',
      'refunded',
      'completed',
    ])
    // As old as unpaid orders, lost calls and late payments would have to be.
    for (const days of [0, 1, 40, 4000])
      await maintain({ ...tools, clock: { ...tools.clock, now: () => new Date(Date.now() + days * 86_400_000) } })
    expect(await traces()).toEqual(placed)
    expect(await checkInvariants({ ...tools, paypal: tools.paypal })).toEqual([])
  })

  it('refuse every change: transitions, refunds, cancellation, payment and emails', async () => {
    await imported('still@example.test', 200)
    const [first] = await historyOf('still@example.test')
    const before = await traces()
    for (const { id, status } of await historyOf('still@example.test')) {
      for (const to of ['pending', 'on-hold', 'processing', 'completed', 'cancelled', 'failed', 'refunded'] as const) {
        expect(await transitionOrder(tools, id, { to })).toEqual({ ok: false, reason: 'imported' })
      }
      for (const byHand of [true, false]) {
        const ask = { key: `k${id}${byHand}`, ask: { kind: 'full' }, byHand } as const
        expect(await refundOrder(tools, id, ask)).toEqual({ ok: false, reason: 'imported' })
      }
      expect(['cancelled', 'too-late']).toContain(await cancelOrder(tools, id, () => true))
      expect(await addOrderNote(tools, id, { text: 'Hello', forCustomer: true })).toEqual({
        ok: false,
        reason: 'imported',
      })
      const pay = await fetch(`${shop.url}/checkout/order-pay/${id}/?pay_for_order=true&key=${first?.key ?? ''}`)
      expect(await pay.text(), status).not.toContain('id="place_order"')
    }
    const id = String(first?.id)
    expect((await runCommandWith({ ...tools }, mailCommand, shop.db, 'invoice', id)).err).toContain(
      'imported from another shop',
    )
    expect((await runCommandWith({ ...tools }, ordersCommand, shop.db, 'pay-link', id, '--send')).err).toContain(
      'needs no payment',
    )
    expect((await runCommandWith({ ...tools }, ordersCommand, shop.db, 'move', id, 'completed')).err).toContain(
      'import orders <file> --update',
    )
    expect((await runCommandWith({ ...tools }, ordersCommand, shop.db, 'refund', id, '--yes')).err).toContain(
      'Refund it there',
    )
    expect(await traces()).toEqual(before)
  })

  it('can be trashed, restored and deleted without a trace in the ledger, and not be edited by programs', async () => {
    await imported('trashed@example.test', 1000)
    const rows = async () => (await historyOf('trashed@example.test')).map(({ id, status }) => ({ id, status }))
    const before = await rows()
    const [ledger] = await shop.db.sql<{ n: number }[]>`select count(*)::int as n from ledger`
    for (const { id, status } of before) {
      expect(await editManualOrder(tools, id, { customer_note: 'Changed' })).toEqual({
        ok: false,
        reason: 'not-editable',
      })
      expect(await trashOrder(tools, id)).toMatchObject({ ok: true })
      expect(await transitionOrder(tools, id, { to: 'pending', fromTrash: true })).toEqual({
        ok: false,
        reason: 'imported',
      })
      expect(await transitionOrder(tools, id, { to: status, fromTrash: true })).toMatchObject({ ok: true })
    }
    expect(await rows()).toEqual(before)
    for (const { id } of before) expect(await deleteOrder(tools, id)).toMatchObject({ ok: true })
    expect(await rows()).toEqual([])
    expect(await imported('trashed@example.test', 1000, { existing: 'update' })).toMatchObject({
      created: 0,
      skipped: 8,
    })
    expect(await shop.db.sql`select count(*)::int as n from ledger`).toEqual([ledger])
    expect(await checkInvariants({ ...tools, paypal: tools.paypal })).toEqual([])
  })

  it('the database itself keeps them out of every status and state that work begins with', async () => {
    await imported('kept@example.test', 300)
    const [order] = await historyOf('kept@example.test')
    for (const change of [
      `status = 'pending'`,
      `status = 'failed'`,
      `status = 'checkout-draft'`,
      `payment_state = 'pending'`,
      `payment_state = 'paid'`,
      `payment_state = 'authorised'`,
      'stock_reduced = true',
      'imported_number = null',
      'imported_from = null',
    ])
      await expect(
        sql`update orders set ${sql.raw(change)} where id = ${order?.id ?? 0}`.execute(shop.db.kysely),
      ).rejects.toThrow('orders_imported_are_history')
  })

  it('count in no statistics of sales', async () => {
    const year = { from: new Date('2021-01-01'), to: new Date('2022-01-01'), timeZone: 'UTC', currency: 'EUR' }
    await imported('sales@example.test', 400)
    expect(await salesByDay(shop.db.kysely, year)).toEqual([])
  })

  it('are found by staff and programs, with the number that the customer knows', async () => {
    await imported('found@example.test', 500)
    const order = (await historyOf('found@example.test')).find(({ imported_number: number }) => number === '504')
    const list = await runCommandWith({ ...tools }, ordersCommand, shop.db, 'list', '504', '--json')
    expect(JSON.parse(list.out)).toMatchObject([
      { id: order?.id, number: '504', importedFrom: 'woocommerce', total: '41.90' },
    ])
    const shown = await runCommandWith({ ...tools }, ordersCommand, shop.db, 'show', String(order?.id))
    expect(shown.out).toMatch(/Imported\s+from woocommerce, as number 504/)
    expect(shown.out).toContain('Imported from woocommerce, where its number was 504.')
    const key = await runCommandWith({ ...tools }, apiKeysCommand, shop.db, 'create', 'books', '--json')
    const { consumerKey, consumerSecret } = JSON.parse(key.out)
    const answer = await fetch(`${shop.url}/wp-json/wc/v3/orders/${order?.id}`, {
      headers: { authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}` },
    })
    expect(await answer.json()).toMatchObject({
      number: '504',
      status: 'completed',
      currency: 'EUR',
      total: '41.90',
      total_tax: '6.69',
      date_created_gmt: '2021-03-01T10:00:00',
      needs_payment: false,
      is_editable: false,
      transaction_id: 'TX-504',
    })
  })

  it('belong to the account whose address is verified, sorted by date; and to no other account', async () => {
    const [verified, claimed] = ['owner@example.test', 'claimed@example.test'].map((email) => aCustomer(shop, email))
    await verified?.register()
    await claimed?.register()
    await shop.db.sql`update customers set email_verified_at = now() where email = 'owner@example.test'`
    await verified?.add('MUG')
    await imported('owner@example.test', 600)
    await imported('claimed@example.test', 700)
    const page = (await verified?.page('/my-account/orders/')) ?? ''
    expect([...page.matchAll(/View order number (\d+)/g)].map(([, number]) => number)).toEqual([
      '607',
      '606',
      '605',
      '604',
      '603',
      '602',
      '601',
      '600',
    ])
    expect(page).not.toContain('>Pay<')
    expect(page).not.toContain('>Cancel<')
    const view = /\/my-account\/view-order\/(\d+)\//.exec(page)?.[0] ?? ''
    expect(await verified?.page(view)).toContain('607')
    expect(await claimed?.page('/my-account/orders/')).not.toContain('View order number')
  })

  it('are covered by the export of personal data, and erased whatever their status', async () => {
    await imported('leaves@example.test', 800)
    const file = await exportGuest(tools, 'leaves@example.test')
    expect(JSON.stringify(file)).toContain('"importedNumber":"803"')
    expect(await eraseGuest(tools, 'leaves@example.test', 'tester')).toEqual({ ok: true, erased: 8, waiting: 0 })
    const { rows } = await sql<{ text: string }>`select o::text || coalesce(string_agg(n.note, ''), '') as text
      from orders o left join order_notes n on n.order_id = o.id where imported_number like '80%' group by o.id, o.*`.execute(
      shop.db.kysely,
    )
    expect(rows).toHaveLength(8)
    expect(rows.map(({ text }) => text).join()).not.toMatch(/leaves|Vale|Ida/)
    // An erased order does not come back with its file.
    expect(await imported('leaves@example.test', 800, { existing: 'update' })).toMatchObject({
      created: 0,
      updated: 0,
      skipped: 8,
    })
  })

  it('change only by a newer file, and a repeated import changes nothing', async () => {
    await imported('again@example.test', 900)
    const before = await traces()
    expect(await imported('again@example.test', 900)).toMatchObject({ ok: true, created: 0, skipped: 8 })
    expect(await imported('again@example.test', 900, { existing: 'update' })).toMatchObject({
      updated: 0,
      unchanged: 8,
    })
    expect(await traces()).toEqual(before)
    const newer = `${columns}\n${rowOf('903', 'completed', 'again@example.test').replace('41.90', '50.00')}`
    expect(await importOrders(tools, textRows(newer), { ...options, existing: 'update' })).toMatchObject({ updated: 1 })
    const [order] = (await historyOf('again@example.test')).filter(({ imported_number: number }) => number === '903')
    expect(order).toMatchObject({ status: 'completed', total: 5000 })
    expect(await checkInvariants({ ...tools, paypal: tools.paypal })).toEqual([])
  })
})
