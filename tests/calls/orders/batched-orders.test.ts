import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSession } from '#shop/customers/sessions/visit-session.ts'
import { aLoggedInCustomer } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
/** What the shop's own pool was asked since the last press. */
let statements: string[] = []
let transactions = 0
let people = 0

beforeAll(async () => {
  shop = await aShop({
    wallet: false,
    checkpoint: (point) => {
      if (point === 'S13 at once before commit') transactions += 1
    },
    settings: { payments: { cod: { enabled: true } }, outOfStockAmount: 2 },
  })
  shop.shop.application.tools.db.sql.options.onstatement = (statement) => statements.push(statement)
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.db.sql`update products set stock_quantity = 500, stock_status = 'instock' where manage_stock = 'yes'`
})

async function atCheckout(sku: string, quantity = 1): Promise<Shopper> {
  const shopper = new Shopper(shop, `person-${++people}`)
  await shopper.add(sku, quantity)
  await shopper.openCheckout()
  return shopper
}

async function pressed(shopper: Shopper) {
  statements = []
  transactions = 0
  return shopper.placeOrder('cod')
}

/** Resolves once a statement waits for somebody else's lock. */
const somebodyWaits = () =>
  expect
    .poll(
      () => shop.db.sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    .not.toHaveLength(0)
const orderOf = async ({ email }: Shopper) =>
  await shop.db.sql<{ id: number; total: number; skus: string[] }[]>`
    select o.id, o.total, array_agg(i.sku order by i.position) filter (where i.type = 'line_item') as skus
    from orders o join order_items i on i.order_id = o.id where o.billing ->> 'email' = ${email} group by o.id`

describe('an order of a visitor', () => {
  it('does not read its product in whole again after each sale', async () => {
    const wholeReadings: number[] = []
    for (let presses = 0; presses < 4; presses += 1) {
      await pressed(await atCheckout('MUG'))
      wholeReadings.push(statements.filter((one) => one.includes('saleFrom')).length)
    }
    // The catalogue itself may change once while the shop starts.
    expect(wholeReadings.filter((count) => count === 0).length).toBeGreaterThanOrEqual(3)
  })

  it('F19 never has a price that another process has changed', async () => {
    const shopper = await atCheckout('BOWL')
    const [before] = await shop.db.sql`select regular_price, sale_price from products where sku = 'BOWL'`
    await shop.db.sql`update products set regular_price = 9900, sale_price = null where sku = 'BOWL'`
    await pressed(shopper)
    await shop.db.sql`update products set ${shop.db.sql(before ?? {})} where sku = 'BOWL'`
    const [line] = await shop.db.sql`
      select i.subtotal from order_items i join orders o on o.id = i.order_id
      where o.billing ->> 'email' = ${shopper.email} and i.type = 'line_item'`
    expect(line?.subtotal).toBe(9900)
  })

  it('F19 holds what another process has put into the cart', async () => {
    const shopper = await atCheckout('MUG')
    const { tools, sessionCookie } = shop.shop.application
    const { id } = await openSession(tools, shopper.cookie(sessionCookie))
    const bowl = await shop.idOf('BOWL')
    await shop.db.sql`
      update sessions set version = version + 1, state = jsonb_set(state, '{lines}', state -> 'lines' ||
        jsonb_set(jsonb_set(state -> 'lines' -> 0, '{productId}', to_jsonb(${bowl}::int)), '{key}', '"bowl"'))
      where id = ${id}`
    expect((await pressed(shopper)).result).toBe('success')
    expect((await orderOf(shopper)).map(({ skus }) => skus)).toEqual([['MUG', 'BOWL']])
  })

  it.each([
    ['that is no longer sold', 'MUG', `status = 'draft'`],
    ['of which another process has sold all but those that are not sold', 'MUG', 'stock_quantity = 2'],
    ['of which nobody counts the pieces and somebody says there are none', 'CARD', `stock_status = 'outofstock'`],
  ])('is refused for a product %s', async (_what, sku, change) => {
    const shopper = await atCheckout(sku)
    const [before] = await shop.db.sql`select status, stock_status, stock_quantity from products where sku = ${sku}`
    await shop.db.sql.unsafe(`update products set ${change} where sku = '${sku}'`)
    expect((await pressed(shopper)).result).toBe('failure')
    await shop.db.sql`update products set ${shop.db.sql(before ?? {})} where sku = ${sku}`
    expect(await orderOf(shopper)).toEqual([])
  })

  it.each([
    ['that can only be ordered first now', 'MUG', `backorders = 'notify', stock_quantity = 0`, {}],
    ['with an approval of a wallet in its form', 'MUG', 'name = name', { ppcp_paypal_order_id: '5O190127TN364715T' }],
  ])('is placed step by step for a product %s', async (_what, sku, change, fields) => {
    const shopper = await atCheckout(sku)
    await shop.db.sql.unsafe(`update products set ${change} where sku = '${sku}'`)
    const answer = await shopper.post('/?wc-ajax=checkout', { ...shopper.form('cod'), ...fields })
    expect(((await answer.json()) as { result: string }).result).toBe('success')
    await shop.db.sql`update products set backorders = 'no', stock_quantity = 500 where sku = ${sku}`
    expect(await orderOf(shopper)).toHaveLength(1)
  })

  it('keeps a note that is cut in the middle of a sign', async () => {
    const shopper = await atCheckout('MUG')
    const form = { ...shopper.form('cod'), order_comments: `${'x'.repeat(1999)}🦊` }
    const answer = await shopper.post('/?wc-ajax=checkout', form)
    expect(await answer.json()).toMatchObject({ result: 'success' })
    const [order] = await shop.db.sql`select customer_note from orders where billing ->> 'email' = ${shopper.email}`
    expect(order?.customer_note).toBe(`${'x'.repeat(1999)}\ufffd`)
  })

  it('is refused with a nonce that is not its own', async () => {
    const shopper = await atCheckout('MUG')
    const stranger = await atCheckout('MUG')
    const answer = await shopper.post('/?wc-ajax=checkout', stranger.form('cod'))
    expect(await answer.json()).toMatchObject({ result: 'failure' })
    expect(await orderOf(shopper)).toEqual([])
  })
})

describe('orders that are pressed at once', () => {
  const many = async (skus: readonly string[]) => {
    const shoppers: Shopper[] = []
    for (const sku of skus) shoppers.push(await atCheckout(sku))
    transactions = 0
    return { shoppers, answers: await Promise.all(shoppers.map((one) => one.placeOrder('cod'))) }
  }

  it('P4 share transactions, and each is its own visitor’s', async () => {
    const written: number[] = []
    // On a busy machine presses may come so far apart that none waits for another.
    while (written.length < 5 && !written.some((count) => count < 16)) {
      await shop.db.sql`update products set stock_quantity = 500 where sku in ('MUG', 'BOWL')`
      const { shoppers, answers } = await many([...Array(8).fill('MUG'), ...Array(8).fill('BOWL')])
      written.push(transactions)
      expect(answers.map(({ result }) => result)).toEqual(Array(16).fill('success'))
      for (const [nr, shopper] of shoppers.entries()) {
        expect(await orderOf(shopper)).toMatchObject([{ id: answers[nr]?.order_id, skus: [nr < 8 ? 'MUG' : 'BOWL'] }])
        expect(await shopper.pieces()).toBe(0)
      }
      const left = await shop.db.sql`select stock_quantity from products where sku in ('MUG', 'BOWL')`
      expect(left.map(({ stock_quantity: pieces }) => pieces)).toEqual([492, 492])
    }
    expect(Math.min(...written)).toBeLessThan(16)
    const broken = await shop.db.sql`
      select order_id from ledger group by order_id having count(*) <> 2 or min(kind) <> 'accepted' or max(kind) <> 'placed'`
    expect(broken).toEqual([])
  })

  it('P4 fail for nobody of another: the last pieces are sold, and not one more', async () => {
    await shop.db.sql`update products set stock_quantity = 7 where sku = 'MUG'`
    const { shoppers, answers } = await many([...Array(8).fill('MUG'), ...Array(4).fill('BOWL')])
    // At two it is sold out.
    expect(answers.slice(0, 8).filter(({ result }) => result === 'success')).toHaveLength(5)
    expect(answers.slice(8).map(({ result }) => result)).toEqual(Array(4).fill('success'))
    for (const [nr, shopper] of shoppers.entries()) {
      expect(await orderOf(shopper)).toHaveLength(answers[nr]?.result === 'success' ? 1 : 0)
    }
    const [mug] = await shop.db.sql`select stock_quantity, stock_status from products where sku = 'MUG'`
    expect(mug).toEqual({ stock_quantity: 2, stock_status: 'outofstock' })
    const told = await shop.db.sql`select 1 from sent_mail where kind in ('no_stock', 'low_stock')`
    expect(told.length).toBeGreaterThan(0)
  })

  it('wait for nobody whose product is locked for long, nor for whoever comes with him', async () => {
    const [locked, free] = [await atCheckout('MUG'), await atCheckout('BOWL')]
    const both: Shopper[] = []
    for (let nr = 0; nr < 12; nr += 1) both.push(await atCheckout(nr % 3 === 0 ? 'MUG' : 'BOWL'))
    const waits = await shop.db.sql.begin(async (sql) => {
      await sql`select 1 from products where sku = 'MUG' for update`
      const first = locked.placeOrder('cod')
      await somebodyWaits()
      expect((await free.placeOrder('cod')).result).toBe('success')
      const began = performance.now()
      const all = both.map((one) => one.placeOrder('cod'))
      const served = await Promise.all(all.filter((_, nr) => nr % 3 !== 0))
      expect(served.map(({ result }) => result)).toEqual(Array(8).fill('success'))
      // Whoever waits for a lock gives up after five seconds.
      expect(performance.now() - began).toBeLessThan(3_000)
      return { all: [first, ...all] }
    })
    expect((await Promise.all(waits.all)).map(({ result }) => result)).toEqual(Array(13).fill('success'))
  })

  it('P4 leave out who is in the way of himself alone', async () => {
    const shoppers: Shopper[] = []
    for (let nr = 0; nr < 12; nr += 1) shoppers.push(await atCheckout('MUG'))
    const { tools, sessionCookie } = shop.shop.application
    for (const stale of [2, 5, 8]) {
      const { id } = await openSession(tools, shoppers[stale]?.cookie(sessionCookie))
      await shop.db.sql`update sessions set version = version + 1 where id = ${id}`
    }
    statements = []
    transactions = 0
    const answers = await Promise.all(shoppers.map((one) => one.placeOrder('cod')))
    expect(answers.map(({ result }) => result)).toEqual(Array(12).fill('success'))
    // Nothing was written that was then taken back.
    expect(statements.filter((one) => one.includes('insert into "orders"')).length).toBeLessThanOrEqual(transactions)
    for (const shopper of shoppers) expect(await orderOf(shopper)).toHaveLength(1)
  })
})

describe('an order of a customer, whose products are read', () => {
  it('F19 never has a price that changes while it waits for its product', async () => {
    const shopper = await aLoggedInCustomer(shop as never, 'waits')
    await shopper.add('BOWL')
    await shopper.openCheckout()
    const [before] = await shop.db.sql`select regular_price, sale_price from products where sku = 'BOWL'`
    const { pressing } = await shop.db.sql.begin(async (sql) => {
      await sql`update products set regular_price = 7700, sale_price = null where sku = 'BOWL'`
      const pressing = shopper.placeOrder('cod')
      await somebodyWaits()
      return { pressing }
    })
    const answer = await pressing
    await shop.db.sql`update products set ${shop.db.sql(before ?? {})} where sku = 'BOWL'`
    const [line] = await shop.db.sql`
      select subtotal from order_items where order_id = ${answer.order_id ?? 0} and type = 'line_item'`
    expect(line?.subtotal).toBe(7700)
  })
})
