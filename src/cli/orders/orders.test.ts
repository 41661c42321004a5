import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewRow } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { addOrderNote, insertOrder, replaceOrderItems } from '#database/orders/orders.ts'
import { emptyAddress } from '#shop/customers/sessions/session-state.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { ordersCommand } from './orders.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
  await anOrder({ id: 1001, status: 'cancelled' })
  await anOrder({ id: 1002 })
  await aPaidOrder(1003)
})
afterAll(() => db.close())

const placed = new Date('2026-05-10T12:00:00Z')
const ida = {
  ...emptyAddress,
  first_name: 'Ida',
  last_name: 'Vale',
  address_1: '1 Quay Street',
  city: 'Oakland',
  state: 'CA',
  postcode: '94607',
  country: 'US',
  email: 'ida@example.test',
}

async function anOrder(change: Partial<NewRow<'orders'>> & { id: number }): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    await insertOrder(tx, {
      key: `wc_order_${change.id}`,
      status: 'pending',
      session_id: 's',
      intention: String(change.id),
      cart_hash: '',
      currency: 'USD',
      prices_include_tax: false,
      total: 4108,
      billing: ida,
      shipping: ida,
      payment_method: 'cod',
      payment_method_title: 'Cash on delivery',
      created_at: placed,
      updated_at: placed,
      paid_at: null,
      ...change,
    })
  })
}

/** Two mugs at 18, 10 % off by a coupon, 6.90 to ship, 1.78 tax: 41.08. */
async function aPaidOrder(id: number): Promise<void> {
  await anOrder({
    id,
    status: 'processing',
    payment_state: 'paid',
    payment_method: 'ppcp',
    payment_method_title: 'PayPal',
    transaction_id: 'CAP1',
    paid_at: placed,
    customer_note: 'Ring\u001B[31m twice\u202E',
    attribution: {
      source_type: 'referral',
      // As a stranger may have written it into an older release's database.
      utm_source: '<b>blog\u001B[31m\u202E',
      utm_medium: 'referral',
      session_count: '2',
      device_type: 'Tablet',
      first: { source_type: 'utm', utm_source: 'news', utm_campaign: 'spring' },
    },
  })
  const money = { amount: 4108, currency: 'USD' }
  await db.kysely.transaction().execute(async (tx) => {
    const facts = { choices: [{ label: 'Colour', value: 'Sand' }], attributes: {}, stockOwner: null }
    await replaceOrderItems(
      tx,
      id,
      [
        {
          type: 'line_item',
          name: 'Mug',
          sku: 'MUG',
          quantity: 2,
          subtotal: 3600,
          total: 3240,
          facts,
          product_id: null,
          variation_id: null,
        },
        { type: 'shipping', name: 'Standard', total: 690, product_id: null, variation_id: null },
        ...[
          { total: 150, facts: { code: 'US-CA-SALES TAX-1', ratePpm: 60_000 } },
          { total: 28, facts: { code: 'US-CA-SALES TAX-1', ratePpm: 12_500 } },
        ].map((tax) => ({ type: 'tax' as const, name: 'Sales tax', product_id: null, variation_id: null, ...tax })),
        { type: 'coupon', name: 'spring', total: 360, product_id: null, variation_id: null },
      ],
      true,
    )
    await tx
      .insertInto('wallet_orders')
      .values({
        ...money,
        id: 'W1',
        order_id: id,
        revision: 1,
        session_id: 's',
        environment: 'sandbox',
        state: 'COMPLETED',
        created_at: placed,
      })
      .execute()
    const attempt = {
      ...money,
      order_id: id,
      wallet_order_id: 'W1',
      body_hash: '',
      instance: 1,
      opened_at: placed,
      closed_at: placed,
    }
    await tx
      .insertInto('payment_attempts')
      .values([
        { ...attempt, step: 'create', revision: 1, request_id: 'r1', state: 'succeeded' },
        { ...attempt, step: 'capture', revision: 1, request_id: 'r2', state: 'succeeded', result: { capture: 'CAP1' } },
      ])
      .execute()
    await tx
      .insertInto('captures')
      .values({
        ...money,
        id: 'CAP1',
        order_id: id,
        wallet_order_id: 'W1',
        status: 'COMPLETED',
        environment: 'sandbox',
        fee: 149,
        captured_at: placed,
      })
      .execute()
    const events = [
      { kind: 'placed', data: { total: 4108 } },
      { kind: 'paid', data: { status: 'processing' } },
    ]
    await appendToLedger(tx, id, placed, events, sha256)
    await addOrderNote(tx, id, 'Paid by PayPal (capture CAP1).', placed)
  })
}

const orders = (...args: string[]) => runCommand(ordersCommand, db, ...args)

describe('an order of somebody who reads another language', () => {
  const number = 1901
  beforeAll(() =>
    anOrder({
      id: number,
      language: 'de-DE',
      payment_method_title: 'Nachnahme',
      status: 'cancelled',
      payment_state: 'failed',
    }),
  )
  afterAll(() => db.sql`delete from orders where id = ${number}`)

  it('is paid by what the merchant calls the way to pay, and was given up, which is no failure', async () => {
    const { out } = await orders('show', String(number))
    expect(out).toMatch(/^Status +cancelled, unpaid$/m)
    expect(out).toMatch(/^Payment +unpaid, Cash on delivery$/m)
    expect(out).not.toMatch(/Nachnahme|failed/)
    const listed = await orders('list', '--method', 'Cash on delivery')
    expect(listed.out).toContain(String(number))
    expect(listed.out).not.toMatch(/Nachnahme|failed/)
    const [json] = JSON.parse((await orders('list', '--json', '--search', '1901')).out) as object[]
    expect(json ?? {}).toMatchObject({ methodTitle: 'Cash on delivery', payment: 'failed' })
  })
})

describe('npm run shop -- orders', () => {
  it('lists orders, newest first, with what a merchant looks for', async () => {
    const { code, out } = await orders()
    expect(code).toBe(0)
    const [head, ...lines] = out.split('\n')
    expect(head).toMatch(/^Order +Placed \(UTC\) +Status +Payment +Paid by +Total +Customer +Origin$/)
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['1003', '2026-05-10 12:00', 'processing', 'paid', 'PayPal', '41.08 USD', 'Ida Vale', 'Referral: <b>blog [31m'],
      ['1002', '2026-05-10 12:00', 'pending', 'none', 'Cash on delivery', '41.08 USD', 'Ida Vale', 'Unknown'],
      ['1001', '2026-05-10 12:00', 'cancelled', 'unpaid', 'Cash on delivery', '41.08 USD', 'Ida Vale', 'Unknown'],
    ])
  })

  it('takes the list apart by status and number', async () => {
    expect((await orders('--status', 'pending')).out).toMatch(/^1002 /m)
    expect((await orders('--status', 'pending')).out).not.toMatch(/^100[13] /m)
    const first = await orders('--limit', '2')
    expect(first.err).toBe('1 to 2 of 3. Next page: --page 2')
    expect((await orders('--limit', '2', '--page', '2')).out).toMatch(/^1001 /m)
    expect((await orders('--status', 'refunded')).err).toBe('No order has the status refunded.')
  })

  it('finds orders by day, customer, method, money and text', async () => {
    const numbers = async (...args: string[]) =>
      JSON.parse((await orders('list', '--json', ...args)).out).map(({ id }: { id: number }) => id)
    expect(await numbers('--status', 'pending,cancelled')).toEqual([1002, 1001])
    expect(await numbers('--from', '2026-05-10', '--to', '2026-05-10')).toEqual([1003, 1002, 1001])
    expect(await numbers('--from', '2026-05-11')).toEqual([])
    expect(await numbers('--to', '2026-05-09')).toEqual([])
    expect(await numbers('--customer', 'IDA@example.test')).toEqual([1003, 1002, 1001])
    expect(await numbers('--customer', '7')).toEqual([])
    expect(await numbers('--method', 'paypal')).toEqual([1003])
    expect(await numbers('--payment', 'paid')).toEqual([1003])
    expect(await numbers('mug')).toEqual([1003])
    expect(await numbers('CAP1')).toEqual([1003])
    expect(await numbers('quay st')).toEqual([1003, 1002, 1001])
    expect(await numbers('1%1')).toEqual([])
  })

  it('writes lines for a spreadsheet', async () => {
    const { out } = await orders('list', '--csv', '--status', 'processing')
    expect(out).toBe(
      'Order,Placed (UTC),Status,Payment,Paid by,Total,Currency,Own total,Customer,E-mail,Origin\n' +
        '1003,2026-05-10 12:00,processing,paid,PayPal,41.08,USD,41.08,Ida Vale,ida@example.test,Referral: <b>blog [31m',
    )
  })

  it('gives programs nothing that opens an order’s pages from a list', async () => {
    expect((await orders('--json')).out).not.toMatch(/wc_order_|session_id|"key"/)
  })

  it('P15 every look at an order is put down with who looked', async () => {
    await db.sql`truncate access_log`
    await orders('--status', 'pending')
    await orders('1003')
    await orders('show', '4711')
    await orders('pay-link', '1002')
    const rows = await db.sql`select who, action, subject from access_log order by id`
    expect(rows.map((row) => Object.values(row).join(' | '))).toEqual([
      'tester | orders list | list status=pending',
      'tester | orders show | order:1003',
      'tester | orders pay-link | order:1002',
    ])
  })

  it('shows one order with lines, totals that add up, payments, ledger and notes', async () => {
    const { code, out } = await orders('1003')
    expect(code).toBe(0)
    for (const line of [
      /^Payment +paid, PayPal$/m,
      /^ {2}MUG {2}Mug – Sand {2}× 2 {2}32\.40 USD$/m,
      /^ {2}Lines +36\.00 USD$/m,
      /^ {2}Coupon spring +-3\.60 USD$/m,
      /^ {2}Standard +6\.90 USD$/m,
      /^ {2}Sales tax 6 % +1\.50 USD$/m,
      /^ {2}Sales tax 1\.25 % +0\.28 USD$/m,
      /^ {2}Total +41\.08 USD$/m,
      /^ {2}Oakland, CA 94607$/m,
      /^ {2}ida@example\.test$/m,
      /^Shipping\n {2}the same$/m,
      /^ {2}W1 {2}COMPLETED {2}41\.08 USD {2}sandbox/m,
      /capture {2}succeeded {2}41\.08 USD {2}W1 {2}r2 {2}\{"capture":"CAP1"\}$/m,
      /^ {2}CAP1 {2}COMPLETED {2}41\.08 USD {2}fee 1\.49 USD/m,
      /^Ledger\n {2}1 {2}2026-05-10 12:00 {2}placed {2}total=4108\n {2}2 .*paid {4}status=processing$/m,
      /Paid by PayPal \(capture CAP1\)\.$/m,
      /^Origin +Referral: <b>blog \[31m$/m,
    ]) {
      expect(out).toMatch(line)
    }
  })

  it('ATTR-08 shows where an order came from, at the first visit as well', async () => {
    const { out } = await orders('1003')
    const [, part = ''] = /^Where it came from\n((?: {2}.*\n?)+)/m.exec(out) ?? []
    expect(
      part
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().split(/ {2,}/)),
    ).toEqual([
      ['source', '<b>blog [31m'],
      ['medium', 'referral'],
      ['visits', '2'],
      ['device', 'Tablet'],
      ['first visit', 'Source: News'],
      ['first source', 'news'],
      ['first campaign', 'spring'],
    ])
    expect((await orders('1001')).out).not.toContain('Where it came from')
    const [newest] = JSON.parse((await orders('--json')).out)
    expect(newest).toMatchObject({
      origin: 'Referral: <b>blog [31m',
      attribution: { source_type: 'referral', device_type: 'Tablet', first: { utm_campaign: 'spring' } },
    })
  })

  it('T17 lets nothing that a stranger typed steer the terminal', async () => {
    const { out } = await orders('1003')
    expect(out).toMatch(/^Customer says +Ring \[31m twice$/m)
    expect(out).not.toMatch(/[^\P{Cc}\n]/u)
  })

  it('I11 says where a ledger was changed afterwards', async () => {
    await db.sql`alter table ledger disable trigger ledger_append_only`
    try {
      await db.sql`update ledger set data = '{"total":1}' where order_id = 1003 and seq = 1`
      expect((await orders('1003')).out).toContain('Ledger (BROKEN at entry 1')
      await db.sql`update ledger set data = '{"total":4108}' where order_id = 1003 and seq = 1`
      expect((await orders('1003')).out).toMatch(/^Ledger$/m)
    } finally {
      await db.sql`alter table ledger enable trigger ledger_append_only`
    }
  })

  it('speaks JSON to programs', async () => {
    const list = JSON.parse((await orders('--json')).out)
    expect(list.map(({ id }: { id: number }) => id)).toEqual([1003, 1002, 1001])
    const record = JSON.parse((await orders('1003', '--json')).out)
    expect(record).toMatchObject({
      order: { id: 1003, total: 4108 },
      captures: [{ id: 'CAP1', amount: 4108 }],
      attempts: [{ step: 'create' }, { step: 'capture' }],
      brokenLedgerEntry: null,
      notes: [{ note: 'Paid by PayPal (capture CAP1).' }],
    })
  })

  it.each([
    [['1x'], 2, /^Error: "1x" is not an order number/],
    [['1001', '1002'], 2, /^Error: unexpected argument "1002"/],
    [['shw', '1001'], 2, /Did you mean "orders show"/],
    [['--status', 'paid'], 2, /^Error: unknown status "paid"\. Choose one of: .*processing/],
    [['--limit', '-1'], 2, /--limit/],
    [['--limit', '0.5'], 2, /^Error: --limit "0\.5" is not a whole number/],
    [['--page', 'x'], 2, /--page/],
    [['--from', 'May'], 2, /^Error: --from "May" must be a date/],
    [['--payment', 'piad'], 2, /^Error: unknown payment state "piad"\. Choose one of: .*\nDid you mean "paid"/],
    [['--colour'], 2, /colour/],
    [['4711'], 1, /^Error: order 4711 does not exist\. List orders: orders list/],
  ])('%j ends with %i and says why', async (args, code, words) => {
    expect(await orders(...args)).toMatchObject({ code, err: expect.stringMatching(words), out: '' })
  })
})
