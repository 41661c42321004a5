import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stateOf } from '#shop/customers/sessions/session-state.ts'
import type { Checkpoint } from '#shop/shared/checkpoints.ts'
import { aLoggedInCustomer } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
const passed: Checkpoint[] = []
let failing = false
beforeAll(async () => {
  const checkpoint = (point: Checkpoint) => {
    if (/^S(5|10|13)/.test(point)) passed.push(point)
    if (failing && point === 'S13 at once before commit') throw new Error('the disk is full')
  }
  shop = await aShop({
    wallet: false,
    checkpoint,
    settings: { payments: { cod: { enabled: true }, bacs: { enabled: true } } },
  })
  await shop.db.sql`insert into coupons (code, type, amount_minor, amount_ppm, settings)
    values ('five', 'fixed_cart', 500, null, '{}'), ('all', 'percent', null, 1000000, '{}')`
})
afterAll(() => shop?.close())

type Way = 'at once' | 'step by step'
type Row = Record<string, unknown>

let people = 0

/** What an order left behind, without what is another's with every order. */
async function traces(id: number, shopper: Shopper) {
  const { sql } = shop.db
  const without = (row: Row | undefined, ...names: string[]) =>
    Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !names.includes(name)))
  const [order] = await sql<Row[]>`select * from orders where id = ${id}`
  const [session] = await sql<{ state: Row; version: number }[]>`
    select coalesce(c.state, s.state) as state from sessions s left join customers c on c.id = s.customer_id
    where s.id = ${String(order?.session_id)} or c.id = ${(order?.customer_id as number | null) ?? 0} limit 1`
  const emails = (row: Row) => JSON.parse(JSON.stringify(row).replaceAll(shopper.email, 'somebody'))
  const known = [
    'id',
    'key',
    'session_id',
    'intention',
    'cart_hash',
    'customer_id',
    'created_at',
    'updated_at',
    'paid_at',
    'customer_user_agent',
    // It holds the time; the version of the terms stands in the ledger's entry as well.
    'terms',
  ]
  return emails({
    order: { ...without(order, ...known), paid: order?.paid_at !== null, belongs: order?.customer_id !== null },
    items: (await sql<Row[]>`select * from order_items where order_id = ${id} order by position`).map((row) =>
      without(row, 'id', 'order_id'),
    ),
    ledger: (await sql<Row[]>`select seq, kind, data from ledger where order_id = ${id} order by seq`).map((row) => ({
      ...row,
      data: without(row.data as Row, 'cart'),
    })),
    notes: await sql`select note, for_customer from order_notes where order_id = ${id} order by id`,
    mails: await sql`select kind from sent_mail where order_id = ${id} order by kind`,
    moves: await sql`select product_id, change, kind from stock_movements where order_id = ${id} order by id`,
    held: await sql`select * from stock_reservations where order_id = ${id}`,
    coupons: await sql`select coupon_id, used_by from coupon_uses where order_id = ${id}`,
    cart: without(stateOf(session?.state ?? {}) as unknown as Row, 'ownOrders', 'generation'),
    isOwn: (session?.state.ownOrders as number[] | undefined)?.includes(id),
  })
}

/** Orders, as most do or as who left another order behind. */
async function ordered(shopper: Shopper, way: Way, method = 'cod') {
  await shopper.openCheckout()
  if (way === 'step by step') await remembersAnOrder(shopper)
  const answer = await shopper.placeOrder(method)
  if (!answer.order_id) throw new Error(answer.messages)
  const id = answer.order_id
  await expect
    .poll(() => shop.db.sql`select 1 from sent_mail where order_id = ${id} and sent_at is null and skipped is null`)
    .toHaveLength(0)
  return { id, traces: await traces(id, shopper) }
}

/** An order that there never was. It is looked for, and the form taken step by step. */
async function remembersAnOrder(shopper: Shopper): Promise<void> {
  const changed = await shop.db.sql`
    update sessions set state = jsonb_set(state, '{awaitingOrder}', '999999'), version = version + 1
    where customer_id is null and became is null and id = encode(sha256(${shopper.cookie('sid') ?? ''}::bytea), 'hex')`
  const customers = await shop.db.sql`
    update customers c set state = jsonb_set(c.state, '{awaitingOrder}', '999999'), state_version = state_version + 1
    from sessions s where s.customer_id = c.id and s.id = encode(sha256(${shopper.cookie('sid') ?? ''}::bytea), 'hex')`
  expect(changed.count + customers.count).toBe(1)
}

const somebody = () => new Shopper(shop, `person-${++people}`)

const carts: [what: string, fill: () => Promise<Shopper>, method: string][] = [
  ['one thing', async () => filled(somebody(), [['MUG', 1]]), 'cod'],
  [
    'several things and a transfer',
    async () =>
      filled(somebody(), [
        ['MUG', 2],
        ['BOWL', 1],
      ]),
    'bacs',
  ],
  ['a coupon', async () => withCoupon(await filled(somebody(), [['BOWL', 2]]), 'five'), 'cod'],
  [
    'a customer',
    async () => filled(await aLoggedInCustomer(shop as never, `customer-${++people}`), [['BOWL', 1]]),
    'cod',
  ],
]

async function filled(shopper: Shopper, lines: readonly (readonly [string, number])[]): Promise<Shopper> {
  for (const [sku, quantity] of lines) await shopper.add(sku, quantity)
  return shopper
}

async function withCoupon(shopper: Shopper, code: string): Promise<Shopper> {
  const html = await (await shopper.request('/cart/')).text()
  const nonce = /name="woocommerce-cart-nonce" value="([0-9a-f]{10})"/.exec(html)?.[1] ?? ''
  await shopper.post('/cart/', { 'woocommerce-cart-nonce': nonce, apply_coupon: '1', coupon_code: code })
  return shopper
}

describe('an order that needs no payment now', () => {
  it.each(carts)('P4 leaves the same behind at once as step by step: %s', async (_what, fill, method) => {
    const [one, other] = [await fill(), await fill()]
    passed.length = 0
    const atOnce = await ordered(one, 'at once', method)
    expect(passed).toEqual(['S13 at once before commit', 'S13 at once after commit'])
    const inSteps = await ordered(other, 'step by step', method)
    expect(passed).toEqual(
      expect.arrayContaining(['S5 after commit', 'S13 acceptance after commit', 'S13 cart after commit']),
    )
    expect(atOnce.traces).toEqual(inSteps.traces)
    expect(atOnce.traces.cart).toMatchObject({ lines: [], awaitingOrder: null })
    expect(atOnce.traces).toMatchObject({ held: [], isOwn: true })
  })

  it('P4 of which nothing is due is paid at once', async () => {
    const shopper = await withCoupon(await filled(somebody(), [['CARD', 1]]), 'all')
    const { traces: left } = await ordered(shopper, 'at once')
    expect(left.order).toMatchObject({ total: 0, payment_state: 'paid', paid: true })
  })

  it('P4 is one order, however often it is pressed at once', async () => {
    const shopper = await filled(somebody(), [['MUG', 1]])
    await shopper.openCheckout()
    const answers = await Promise.all([1, 2, 3, 4].map(() => shopper.placeNamed('cod')))
    expect(new Set(answers.map(({ order_id }) => order_id)).size).toBe(1)
    const [row] = await shop.db.sql`
      select count(*)::int as orders from orders where billing ->> 'email' = ${shopper.email}`
    expect(row).toEqual({ orders: 1 })
  })

  it('P4 is the same order for a press that names none, sent twice by one who is in a hurry', async () => {
    let both = 0
    for (let round = 0; round < 4; round += 1) {
      const shopper = await filled(somebody(), [['MUG', 1]])
      await shopper.openCheckout()
      const answers = await Promise.all([shopper.placeOrder('cod'), shopper.placeOrder('cod')])
      const ids = answers.flatMap(({ order_id }) => order_id ?? [])
      const rows = await shop.db.sql<
        { id: number }[]
      >`select id from orders where billing ->> 'email' = ${shopper.email}`
      // Who comes when the first is done finds an empty cart.
      both += ids.length === 2 ? 1 : 0
      expect(new Set(ids)).toEqual(new Set(rows.map(({ id }) => id)))
      expect(rows).toHaveLength(1)
    }
    expect(both).toBeGreaterThan(0)
  })

  it('keeps the form when the database fails, and orders with the next press', async () => {
    const shopper = await filled(somebody(), [['MUG', 1]])
    await shopper.openCheckout()
    failing = true
    await expect(shopper.placeOrder('cod')).rejects.toThrow('500')
    failing = false
    const [session] = await shop.db.sql`
      select jsonb_array_length(state -> 'lines') as lines from sessions where state -> 'billing' ->> 'email' = ${shopper.email}`
    expect(session).toEqual({ lines: 1 })
    expect((await shopper.placeOrder('cod')).result).toBe('success')
  })

  it('keeps what is put into the cart while it is placed', async () => {
    const shopper = await filled(somebody(), [['MUG', 1]])
    await shopper.openCheckout()
    const [answer] = await Promise.all([shopper.placeOrder('cod'), shopper.add('BOWL')])
    const { cart, items } = await traces(answer.order_id ?? 0, shopper)
    const bought = items.filter(({ type }: Row) => type === 'line_item').map(({ sku }: Row) => sku)
    expect(bought.length + cart.lines.length).toBe(2)
    expect(bought).toContain('MUG')
  })

  it('P4 takes no piece that another order holds', async () => {
    const holder = await filled(somebody(), [['MUG', 1]])
    const { id } = await ordered(holder, 'at once')
    const shopper = await filled(somebody(), [['LAST', 1]])
    await shopper.openCheckout()
    const last = await shop.idOf('LAST')
    // Held by a transaction that ends while the press waits for it: the cart still looked fine.
    const answer = await shop.db.sql
      .begin(async (sql) => {
        await sql`select 1 from products where id = ${last} for no key update`
        await sql`insert into stock_reservations (order_id, product_id, quantity, expires_at)
        select ${id}, id, stock_quantity, now() + interval '1 hour' from products where id = ${last}`
        const pressed = shopper.placeOrder('cod')
        await expect
          .poll(
            () =>
              shop.db
                .sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
          .not.toHaveLength(0)
        return { pressed }
      })
      .then(({ pressed }) => pressed)
    await shop.db.sql`delete from stock_reservations where product_id = ${last}`
    expect(answer.result).toBe('failure')
    expect(await shop.db.sql`select 1 from stock_movements where product_id = ${last} and kind = 'sold'`).toHaveLength(
      0,
    )
    expect((await shopper.placeOrder('cod')).result).toBe('success')
  })

  it('is refused in words when its coupon is used up, with the form kept and nothing taken', async () => {
    const shopper = await withCoupon(await filled(somebody(), [['BOWL', 1]]), 'five')
    await shopper.openCheckout()
    await shop.db.sql`update coupons set usage_limit = used where code = 'five'`
    const answer = await shopper.placeOrder('cod')
    await shop.db.sql`update coupons set usage_limit = null where code = 'five'`
    expect(answer).toMatchObject({ result: 'failure' })
    expect(answer.messages).toMatch(/coupon/i)
    const [row] = await shop.db.sql`
      select (select count(*)::int from orders where billing ->> 'email' = ${shopper.email}) as orders,
        (select count(*)::int from sessions where state -> 'billing' ->> 'email' = ${shopper.email}) as sessions`
    expect(row).toEqual({ orders: 0, sessions: 1 })
  })
})
