import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewRow } from '#database/engine/schema/schema.ts'
import { insertOrder, replaceOrderItems } from '#database/orders/orders.ts'
import { emptyAddress } from '#shop/customers/sessions/session-state.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand, runCommandWith } from '#tests/support/process/command.ts'
import { ordersCommand } from './orders.ts'

let db: TestDatabase
beforeEach(async () => {
  db = await aDatabase()
  await db.sql`insert into products (id, type, sku, name, slug, regular_price, manage_stock, stock_quantity)
    values (1, 'simple', 'MUG', 'Mug', 'mug', 1800, 'yes', 5), (2, 'simple', 'JAR', 'Jar', 'jar', 700, 'no', null)`
})
afterEach(() => db.close())

/** Two mugs at 18 and a jar at 7, 10 % tax on them, 5.00 to ship: 52.30. */
async function anOrder(id: number, change: Partial<NewRow<'orders'>> = {}): Promise<void> {
  const at = new Date('2026-05-10T12:00:00Z')
  const line = { type: 'line_item', facts: { choices: [], attributes: {}, stockOwner: null } } as const
  await db.kysely.transaction().execute(async (tx) => {
    await insertOrder(tx, {
      id,
      key: `wc_order_${id}`,
      status: 'pending',
      session_id: 's',
      intention: String(id),
      cart_hash: '',
      currency: 'USD',
      prices_include_tax: false,
      total: 5230,
      billing: { ...emptyAddress, email: 'ida@example.test' },
      shipping: emptyAddress,
      payment_method: 'bacs',
      payment_method_title: 'Bank transfer',
      created_at: at,
      updated_at: at,
      paid_at: null,
      ...change,
    })
    const mugs = { name: 'Mug', sku: 'MUG', product_id: 1, quantity: 2, subtotal: 3600, total: 3600, total_tax: 360 }
    const jar = { name: 'Jar', sku: 'JAR', product_id: 2, quantity: 1, subtotal: 700, total: 700, total_tax: 70 }
    const items = [
      { ...line, ...mugs, facts: { ...line.facts, stockOwner: 1 } },
      { ...line, ...jar },
      { type: 'shipping', name: 'Standard', product_id: null, total: 500 } as const,
    ]
    await replaceOrderItems(
      tx,
      id,
      items.map((item) => ({ variation_id: null, ...item })),
      true,
    )
  })
}

const orders = (...args: string[]) => runCommand(ordersCommand, db, ...args)
const stored = async (id: number) => (await db.sql`select * from orders where id = ${id}`)[0]
const mugs = async () => (await db.sql`select stock_quantity from products where id = 1`)[0]?.stock_quantity
const mails = async () => (await db.sql`select kind from sent_mail order by kind`).map(({ kind }) => kind)
const refunded = async () =>
  (await db.sql`select amount, state from refunds order by id`).map(({ amount, state }) => `${state} ${amount}`)

describe('npm run shop -- orders move', () => {
  it('moves an order with what follows: stock, money, notes, messages', async () => {
    await anOrder(1001)
    const { code, out } = await orders('move', '1001', 'processing', '--note', 'The transfer is here.')
    expect([code, out]).toEqual([0, 'Order 1001 is now processing, paid.'])
    expect(await mugs()).toBe(3)
    expect((await orders('1001')).out).toMatch(/The transfer is here\.$/m)
    expect(await mails()).toContain('customer_processing_order')
  })

  it('moves several, and says which did not go', async () => {
    await anOrder(1001)
    await anOrder(1002, { status: 'refunded', payment_state: 'refunded' })
    await anOrder(1003)
    const { code, out, err } = await orders('move', '1001,#1002', '1003', 'on-hold')
    expect([code, out.split('\n').length]).toEqual([1, 2])
    expect(err).toBe('Error: order 1002: its status refunded cannot change to on-hold. See: orders show 1002')
    expect([(await stored(1001))?.status, (await stored(1003))?.status]).toEqual(['on-hold', 'on-hold'])
  })

  it('cancels, with the pieces back on the shelf or not', async () => {
    await anOrder(1001)
    await anOrder(1002)
    await orders('move', '1001', '1002', 'on-hold')
    expect(await mugs()).toBe(1)
    await orders('cancel', '1001', '--yes')
    expect(await mugs()).toBe(3)
    await orders('cancel', '--yes', '1002', '--no-restock', '--note', 'Broken on the way.')
    expect([await mugs(), (await stored(1002))?.status]).toEqual([3, 'cancelled'])
  })

  it('says of an order whose money is under way that it stays', async () => {
    await anOrder(1001, { payment_state: 'authorising' })
    expect(await orders('cancel', '1001', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/payment is in progress/),
    })
    expect((await stored(1001))?.status).toBe('pending')
  })
})

describe('npm run shop -- orders capture and release', () => {
  it('says once why a move is refused: what the log says of it is not for whoever asked', async () => {
    await anOrder(1001, { status: 'completed' })
    const warned: string[] = []
    const log = { info: () => {}, warn: (_: object, message: string) => warned.push(message), error: () => {} }
    const { code, err } = await runCommandWith({ log }, ordersCommand, db, 'move', '1001', 'failed')
    expect([code, warned]).toEqual([1, []])
    expect(err).toMatch(/^Error: order 1001: /)
  })

  it('move nothing where nothing is held, or without a provider to ask', async () => {
    await anOrder(1001)
    for (const command of ['capture', 'release']) {
      expect(await orders(command, '1001')).toMatchObject({
        code: 1,
        err: 'Error: order 1001: it has no authorized payment at PayPal. See: orders show 1001',
      })
    }
    await anOrder(1002, { status: 'on-hold', payment_state: 'authorised' })
    await db.sql`insert into wallet_orders (id, order_id, revision, session_id, environment, amount, currency, state,
        created_at, intent) values ('W1', 1002, 1, 's', 'sandbox', 5230, 'USD', 'COMPLETED', now(), 'AUTHORIZE')`
    await db.sql`insert into authorizations (id, order_id, wallet_order_id, status, amount, currency, environment,
        authorized_at, expires_at) values ('A1', 1002, 'W1', 'CREATED', 5230, 'USD', 'sandbox', now(), now() + interval '29 days')`
    const { code, err } = await orders('capture', '1002')
    expect([code, err]).toEqual([
      1,
      'Error: order 1002: PayPal could not be reached, and the authorization is unchanged. Run the command again. (PayPal is not configured)',
    ])
    expect(await orders('move', '1002', 'completed')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/refused to capture or void its authorization/),
    })
    expect(await stored(1002)).toMatchObject({ status: 'on-hold', payment_state: 'authorised' })
    expect((await orders('1002')).out).toMatch(/Held at the provider\n +A1 +CREATED +52\.30 USD/)
  })
})

describe('npm run shop -- orders refund', () => {
  beforeEach(async () => {
    await anOrder(1001)
    await orders('move', '1001', 'processing')
  })

  it('gives back lines with their tax, pieces on the shelf again', async () => {
    const { code, out } = await orders('refund', '1001', '--lines', 'MUG:1,shipping', '--restock', '--yes')
    // One mug 18.00 with 1.80 tax, and the parcel 5.00.
    expect([code, out]).toEqual([0, 'Refunded 24.80 USD of order 1001, which is now partly-refunded.'])
    expect([await mugs(), await refunded()]).toEqual([4, ['done 2480']])
    expect((await orders('refund', '1001', '--lines', 'mug', '--yes')).out).toContain('19.80 USD')
    expect((await orders('refund', '1001', '--lines', 'MUG:1', '--yes')).err).toContain('a line has fewer pieces left')
    expect((await orders('1001')).out).toMatch(/^Refunds\n .*done +24\.80 USD {2}by hand {2}restocked$/m)
  })

  it('gives back amounts and then the rest, never more', async () => {
    await orders('refund', '1001', '--amount', '12.30', '--yes')
    // The same wish again is a new one: the one before has ended.
    await orders('refund', '1001', '--amount', '12.30', '--yes')
    expect((await orders('refund', '1001', '--amount', '27.71', '--yes')).err).toContain('more than the rest')
    const last = await orders('refund', '1001', '--yes', '--json')
    expect(JSON.parse(last.out)).toMatchObject({ amount: '27.70', state: 'done', status: 'refunded' })
    expect(await refunded()).toEqual(['done 1230', 'done 1230', 'done 2770'])
    expect((await orders('refund', '1001', '--yes')).err).toContain('it is refunded in full already')
  })

  it('asks before it cancels, and requires --yes without a terminal', async () => {
    const silent = await orders('cancel', '1001', '1002')
    expect(silent).toMatchObject({ code: 1, err: 'Error: confirm with --yes: cancel 2 orders: 1001, 1002.' })
    const no = await runCommandWith({ ask: async () => false }, ordersCommand, db, 'cancel', '1001')
    expect(no).toMatchObject({ code: 1, out: '', err: 'Nothing was changed.' })
    expect((await stored(1001))?.status).not.toBe('cancelled')
  })

  it('asks before money goes back, and does nothing without an answer', async () => {
    const silent = await orders('refund', '1001')
    expect(silent).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Error: confirm with --yes: refund the rest of 52\.30 USD for order 1001\.$/),
    })
    const no = await runCommandWith({ ask: async () => false }, ordersCommand, db, 'refund', '1001')
    expect(no).toMatchObject({ code: 1, err: 'Nothing was changed.' })
    expect(await refunded()).toEqual([])
    const yes = await runCommandWith({ ask: async () => true }, ordersCommand, db, 'refund', '1001')
    expect([yes.code, await refunded()]).toEqual([0, ['done 5230']])
  })

  it.each([
    ['cancel', '1001', '--json'],
    ['cancel', '1001', '--no-restock'],
    ['refund', '1001', '--json'],
    ['refund', '1001', '--by-hand'],
    ['refund', '1001', '--amount', '5', '--restock'],
  ])('no other option stands for --yes: %s %s %s', async (...args) => {
    const before = await stored(1001)
    expect(await orders(...args)).toMatchObject({ code: 1, err: expect.stringMatching(/^Error: confirm with --yes: /) })
    expect([await stored(1001), await refunded()]).toEqual([before, []])
  })

  it('two terminals that give the same command give the money back once', async () => {
    let waiting = 0
    const { promise: bothAsked, resolve } = Promise.withResolvers<void>()
    // Both have read the order when either is told to go on: two that follow each other are two refunds.
    const ask = async () => {
      waiting += 1
      if (waiting === 2) resolve()
      await bothAsked
      return true
    }
    const atOnce = () => runCommandWith({ ask }, ordersCommand, db, 'refund', '1001', '--amount', '10')
    const results = await Promise.all([atOnce(), atOnce()])
    expect(results.map(({ code }) => code)).toEqual([0, 0])
    expect(await refunded()).toEqual(['done 1000'])
  })

  it('does not say by hand what the provider has to do', async () => {
    await anOrder(1002, { status: 'processing', payment_state: 'paid', payment_method: 'ppcp' })
    const money = { amount: 5230, currency: 'USD', environment: 'sandbox' }
    await db.sql`insert into wallet_orders ${db.sql({ ...money, id: 'W', order_id: 1002, revision: 1, session_id: 's', state: 'COMPLETED', created_at: new Date() })}`
    await db.sql`insert into captures ${db.sql({ ...money, id: 'C', order_id: 1002, wallet_order_id: 'W', status: 'COMPLETED', captured_at: new Date() })}`
    expect((await orders('refund', '1002', '--yes')).err).toContain('PayPal is not connected')
    expect((await orders('refund', '1002', '--by-hand', '--yes')).out).toContain('Refunded 52.30 USD of order 1002')
  })

  it.each([
    [['refund', '1001', '--amount', '5', '--lines', 'MUG'], 2, /cannot be combined/],
    [['refund', '1001', '--amount', '0'], 2, /must be more than 0/],
    [['refund', '1001', '--amount', '1.234'], 2, /has more than 2 decimals/],
    [['refund', '1001', '--lines', 'CUP:1'], 2, /has no line "CUP"\. Choose from: MUG, JAR, shipping\./],
    [['refund', '1001', '--lines', 'MUG,MUG:1'], 2, /is given twice/],
    [['refund', '1001', '--lines', 'MUG:3', '--yes'], 1, /a line has fewer pieces left\. See: orders show 1001$/],
    [['refund', '4711', '--yes'], 1, /^Error: order 4711 does not exist/],
    [['refund', 'MUG'], 2, /is not an order number/],
    [['move', '1001', 'done'], 2, /^Error: unknown status "done"/],
    [['move', '1001', 'complete'], 2, /Did you mean "completed"/],
    [['move', '1001', 'refunded'], 1, /orders refund/],
    [['move', '4711', 'completed'], 1, /^Error: order 4711: it does not exist/],
    [['move', '1001'], 2, /^Error: "orders move" needs <status>\. Example: /],
    [['note', '1001', '  '], 1, /^Error: the note is empty/],
    [['note', '4711', 'x'], 1, /^Error: order 4711 does not exist/],
    [['pay-link', '1001'], 1, /needs no payment/],
  ])('%j ends with %i and says why', async (args, code, words) => {
    expect(await orders(...args)).toMatchObject({ code, err: expect.stringMatching(words), out: '' })
    expect(await refunded()).toEqual([])
  })
})

describe('npm run shop -- orders note, pay-link', () => {
  it('keeps a note for the merchant, and mails one to the customer', async () => {
    await anOrder(1001)
    await orders('note', '1001', 'Called about the colour.')
    expect(await mails()).toEqual([])
    await orders('note', '1001', 'It leaves tomorrow.', '--to-customer')
    expect(await mails()).toEqual(['customer_note'])
    expect((await orders('1001')).out).toMatch(/ {2,}Called about[^\n]*\n.*to customer {2}It leaves tomorrow\.$/m)
  })

  it('gives the link by which an order is paid, and mails it', async () => {
    await anOrder(1001)
    expect((await orders('pay-link', '1001')).out).toBe(
      'http://shop.test/checkout/order-pay/1001/?pay_for_order=true&key=wc_order_1001',
    )
    await orders('pay-link', '1001', '--send')
    expect(await mails()).toEqual(['customer_invoice'])
  })
})
