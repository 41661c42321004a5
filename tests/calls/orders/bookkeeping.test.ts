import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportCommand } from '#cli/export/export.ts'
import { importOrders } from '#shop/orders/import-orders.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { ossReport } from '#shop/tax/export-oss.ts'
import { textRows } from '#tests/support/import/text-rows.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
})
afterAll(() => shop.close())

type Line = Record<string, string>
const exported = async (...args: string[]): Promise<Line[]> => {
  const { code, out, err } = await runCommandWith({ ...tools }, exportCommand, shop.db, ...args)
  expect([code, err]).toEqual([0, ''])
  return parse(out, { columns: true })
}
const today = new Date().toISOString().slice(0, 10)
const period = ['--from', '2020-01-01', '--to', '2099-12-31']
/** Whole cents of a cell, without the guard of formulas. */
const cents = (cell = '') => Math.round(Number(cell.replace(/^'/, '')) * 100)
const sum = (lines: readonly Line[], column: string) => lines.reduce((all, line) => all + cents(line[column]), 0)

let count = 0
async function paidOrder(sku: string, quantity: number): Promise<number> {
  const shopper = new Shopper(shop, `books-${++count}`)
  const { orderId, walletOrderId } = await shopper.startToPay(sku, quantity)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  return orderId
}

describe('export bookkeeping', () => {
  it('agrees with every order and refund to the cent, by order and by line; history is left out', async () => {
    const [first, second, third] = [await paidOrder('MUG', 2), await paidOrder('MUG', 3), await paidOrder('MUG', 1)]
    await shop.db.sql`update captures set fee = 131 where order_id = ${first}`
    const [line] = await shop.db.sql<{ id: number }[]>`
      select id from order_items where order_id = ${second} and type = 'line_item'`
    const lines = [{ itemId: line?.id ?? 0, quantity: 1 }]
    expect(await refundOrder(tools, second, { key: 'a', ask: { kind: 'lines', lines } })).toMatchObject({ ok: true })
    expect(await refundOrder(tools, third, { key: 'b', ask: { kind: 'amount', minor: 777 } })).toMatchObject({
      ok: true,
    })
    expect(await refundOrder(tools, first, { key: 'c', ask: { kind: 'full' }, byHand: true })).toMatchObject({
      ok: true,
    })
    // Unpaid, and paid on delivery.
    const shopper = new Shopper(shop, 'cod')
    await shopper.add('MUG', 1)
    await shopper.openCheckout()
    const { order_id: cod = 0 } = await shopper.placeOrder('cod')
    expect((await exported('bookkeeping', ...period)).some((row) => row.Order === String(cod))).toBe(false)
    await transitionOrder(tools, cod, { to: 'completed' })
    const history = 'order_number,order_date,status,order_total\n1,2022-02-03,completed,99.99\n'
    const options = { existing: 'skip', skipFaulty: false, dryRun: false } as const
    expect(await importOrders(tools, textRows(history), options)).toMatchObject({ created: 1 })

    const rows = await exported('bookkeeping', ...period)
    const perLine = await exported('bookkeeping', ...period, '--per', 'line')
    const orders = await shop.db.sql<{ id: number; total: number; tax: number; shipping: number; back: number }[]>`
      select id, total, total_tax as tax, shipping_total as shipping,
        (select coalesce(sum(amount), 0)::int from refunds r where r.order_id = o.id and r.state = 'done') as back
      from orders o where paid_at is not null and imported_from is null order by id`
    expect(orders).toHaveLength(4)
    for (const { id, total, tax, shipping, back } of orders) {
      for (const [from, per] of [
        [rows, 'order'],
        [perLine, 'line'],
      ] as const) {
        const own = from.filter((row) => row.Order === String(id))
        const [sales, refunds] = ['sale', 'refund'].map((type) => own.filter((row) => row.Type === type))
        expect(sum(sales ?? [], 'Total'), `${per} ${id}`).toBe(total)
        expect(sum(sales ?? [], 'Tax')).toBe(tax)
        expect(sum(sales ?? [], 'Net')).toBe(total - tax)
        expect(sum(sales ?? [], 'Own total')).toBe(total)
        expect(sum(refunds ?? [], 'Total')).toBe(0 - back)
        for (const row of own) {
          expect(cents(row.Net) + cents(row.Tax)).toBe(cents(row.Total))
          const taxes = Object.keys(row).filter((column) => /^Tax \S+( %)?$/.test(column))
          expect(taxes.reduce((all, column) => all + cents(row[column]), 0)).toBe(cents(row.Tax))
        }
        if (per === 'order') expect(sum(sales ?? [], 'Net shipping')).toBe(shipping)
      }
    }
    expect(rows).toHaveLength(7)
    expect(rows[0]).toMatchObject({
      Type: 'sale',
      Date: today,
      Order: String(first),
      Country: 'US',
      Currency: 'USD',
      'Provider fee': '1.31',
      'Payment method': 'PayPal',
      'Own currency': 'USD',
      'Exchange rate': '1',
    })
    expect(rows[0]?.Reference).toMatch(/^\w{10,}$/)
    expect(perLine.some((row) => row.Item === 'line' && row.SKU === 'MUG' && row.Quantity === '3')).toBe(true)
    expect(await exported('bookkeeping', '--from', '2020-01-01', '--to', '2020-12-31')).toEqual([])
  })

  it('refuses wrong periods and words', async () => {
    const refused = async (...args: string[]) =>
      (await runCommandWith({ ...tools }, exportCommand, shop.db, ...args)).err
    expect(await refused('bookkeeping')).toContain('option --from is missing')
    expect(await refused('oss', '--from', '2026-04-01', '--to', 'June')).toContain('--to "June" must be a date')
    expect(await refused('oss', '--from', '2026-04-02', '--to', '2026-04-01')).toContain('is before --from')
    expect(await refused('bookkeeping', ...period, '--per', 'day')).toContain('unknown word for --per "day"')
  })
})

describe('export oss', () => {
  it('adds taxed sales to other EU countries up by country, kind and rate, and subtracts refunds in their period', async () => {
    await shop.db.sql`delete from refunds`
    const sale = async (
      country: string,
      month: number,
      change: { virtual?: boolean; rate?: number; tax?: number; base?: boolean } = {},
    ) => {
      const { virtual = false, rate = 200_000, tax = 2000, base = false } = change
      const at = new Date(Date.UTC(2030, month, 15))
      const [order] = await shop.db.sql<{ id: number }[]>`insert into orders
        (key, status, payment_state, session_id, intention, cart_hash, currency, prices_include_tax, total, total_tax, cart_tax, billing,
         shipping, payment_method, payment_method_title, created_at, updated_at, paid_at, exchange_rate, base_currency, base_total)
        values (${`wc_order_oss_${count++}`}, 'completed', 'paid', 'oss', ${String(count)}, '', ${base ? 'EUR' : 'USD'}, false, ${10_000 + tax}, ${tax},
          ${tax}, ${shop.db.sql.json({ country } as never)}, ${shop.db.sql.json({ country } as never)}, 'cod', 'Cash', ${at}, ${at}, ${at},
          ${base ? '0.5' : null}, ${base ? 'USD' : null}, ${base ? 2 * (10_000 + tax) : null}) returning id`
      const id = order?.id ?? 0
      await shop.db.sql`insert into order_items (order_id, position, type, name, total, total_tax, facts)
        values (${id}, 0, 'line_item', 'Thing', 10000, ${tax}, ${shop.db.sql.json({ virtual, choices: [] } as never)})`
      if (tax > 0)
        await shop.db.sql`insert into order_items (order_id, position, type, name, total, facts)
          values (${id}, 1, 'tax', 'VAT', ${tax}, ${shop.db.sql.json({ ratePpm: rate, rateId: 1 } as never)})`
      return id
    }
    await sale('FR', 3)
    const back = await sale('FR', 3)
    await sale('FR', 3, { virtual: true })
    await sale('DE', 3, { rate: 190_000, tax: 1900, base: true })
    // At home, without tax, outside of the union, and in another period.
    for (const country of ['US', 'CH', 'GB']) await sale(country, 3)
    await sale('AT', 3, { tax: 0 })
    await sale('FR', 6)
    await shop.db
      .sql`insert into refunds (order_id, key, body_hash, state, made_by, by_provider, amount, currency, created_at, settled_at)
      values (${back}, 'x', '', 'done', 'shop', false, 6000, 'USD', '2030-07-01', '2030-07-20')`

    const quarter = (from: string, to: string) => ossReport(tools, { from: new Date(from), to: new Date(to) })
    expect(await quarter('2030-04-01', '2030-07-01')).toEqual([
      { country: 'DE', kind: 'goods', ratePpm: 190_000, currency: 'USD', net: 20_000, tax: 3800 },
      { country: 'FR', kind: 'goods', ratePpm: 200_000, currency: 'USD', net: 20_000, tax: 4000 },
      { country: 'FR', kind: 'services', ratePpm: 200_000, currency: 'USD', net: 10_000, tax: 2000 },
    ])
    expect(await quarter('2030-07-01', '2030-10-01')).toEqual([
      { country: 'FR', kind: 'goods', ratePpm: 200_000, currency: 'USD', net: 5000, tax: 1000 },
    ])
    expect(await exported('oss', '--from', '2030-04-01', '--to', '2030-06-30')).toMatchObject([
      { Country: 'DE', Kind: 'goods', 'Rate %': '19', Currency: 'USD', Net: '200.00', Tax: '38.00', Total: '238.00' },
      { Country: 'FR', Kind: 'goods', 'Rate %': '20', Net: '200.00', Tax: '40.00' },
      { Country: 'FR', Kind: 'services' },
    ])
  })
})
