import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewRow } from '#database/engine/schema/schema.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { insertOrder } from '#database/orders/orders.ts'
import { salesByDay } from '#database/statistics/sales-figures.ts'
import { visitSource } from '#domain/statistics/visit-source.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { attributionCommand } from './attribution.ts'

const now = new Date('2026-05-12T09:30:00Z')

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
  await writeSettings(db, { name: 'Test shop', currency: 'USD', timeZone: 'America/New_York' })
  const news = {
    source_type: 'utm',
    utm_source: 'news',
    utm_medium: 'email',
    utm_campaign: 'spring',
    device_type: 'Mobile',
  }
  const google = { source_type: 'organic', utm_source: 'google', utm_medium: 'organic', device_type: 'Desktop' }
  const direct = { source_type: 'typein', utm_source: '(direct)', device_type: 'Desktop' }
  await anOrder({ attribution: news })
  await anOrder({ attribution: { ...google, first: news }, total: 5000 })
  // In euros, worth 33.00 dollars, a third of it given back: 22.00 are left.
  const euro = await anOrder({
    attribution: google,
    currency: 'EUR',
    total: 3000,
    base_currency: 'USD',
    base_total: 3300,
  })
  await giveBack(euro, 1000, 'done')
  const partly = await anOrder({ attribution: direct })
  await giveBack(partly, 400, 'pending')
  await giveBack(partly, 500, 'refused')
  await anOrder({ attribution: direct, payment_method: 'cod', paid_at: null })
  await anOrder({ attribution: {} })
  await anOrder({ attribution: news, status: 'cancelled' })
  await anOrder({ attribution: news, status: 'pending', paid_at: null })
  // Of 10 May in universal time, and of 9 May in the shop's.
  await anOrder({ attribution: news, created_at: new Date('2026-05-10T03:00Z'), total: 77 })
})
afterAll(() => db.close())

let last = 0
async function anOrder(change: Partial<NewRow<'orders'>>): Promise<number> {
  last += 1
  const placed = new Date('2026-05-10T12:00Z')
  const order = await db.kysely.transaction().execute((tx) =>
    insertOrder(tx, {
      key: `wc_order_${last}`,
      status: 'processing',
      session_id: 's',
      intention: String(last),
      cart_hash: '',
      currency: 'USD',
      prices_include_tax: false,
      total: 2000,
      billing: {},
      shipping: {},
      payment_method: 'ppcp',
      payment_method_title: 'PayPal',
      created_at: placed,
      updated_at: placed,
      paid_at: placed,
      ...change,
    }),
  )
  return order.id
}

const giveBack = (orderId: number, amount: number, state: 'done' | 'pending' | 'refused') =>
  db.sql`insert into refunds (order_id, key, body_hash, state, made_by, by_provider, amount, currency, created_at)
    select id, ${`${state}${amount}`}, '', ${state}, 'shop', false, ${amount}, currency, ${now} from orders where id = ${orderId}`

const report = (...args: string[]) =>
  runCommandWith({ clock: { now: () => now } as never }, attributionCommand, db, 'report', ...args)
const table = async (...args: string[]) =>
  (await report('--from', '2026-05-10', '--to', '2026-05-10', ...args)).out
    .split('\n')
    .map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))

describe('npm run shop -- attribution', () => {
  it('ATTR-08 sums orders and what was paid and kept by source, and invents no conversion', async () => {
    const { out, err, code } = await report('--from', '2026-05-10', '--to', '2026-05-10')
    expect(code).toBe(0)
    expect(err.split('\n')).toEqual([
      '6 orders from 2026-05-10 to 2026-05-10, by the last visit, in USD.',
      'Warning: no visits were counted in this period, so no conversion is shown.',
    ])
    expect(out.split('\n').map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))).toEqual([
      ['Source', 'Orders', 'Paid', 'Revenue', 'Average', 'Visits', 'Conversion'],
      ['google', '2', '2', '72.00', '36.00', '–', '–'],
      ['news', '1', '1', '20.00', '20.00', '–', '–'],
      ['Unknown', '1', '1', '20.00', '20.00', '–', '–'],
      ['(direct)', '2', '1', '16.00', '16.00', '–', '–'],
      ['All', '6', '5', '128.00', '25.60', '–', '–'],
    ])
  })

  it('ATTR-08 agrees with the sales of the same days', async () => {
    const period = { from: new Date('2026-05-10T04:00Z'), to: new Date('2026-05-11T04:00Z') }
    const days = await salesByDay(db.kysely, { ...period, timeZone: 'America/New_York', currency: 'USD' })
    expect(days).toEqual([{ day: '2026-05-10', orders: 6, revenue: 12800 }])
  })

  it('ATTR-08 tells the first visit from the last', async () => {
    expect((await table('--touch', 'first')).slice(1)).toEqual([
      ['news', '2', '2', '70.00', '35.00', '–', '–'],
      ['google', '1', '1', '22.00', '22.00', '–', '–'],
      ['Unknown', '1', '1', '20.00', '20.00', '–', '–'],
      ['(direct)', '2', '1', '16.00', '16.00', '–', '–'],
      ['All', '6', '5', '128.00', '25.60', '–', '–'],
    ])
    expect((await report('--touch', 'first', '--days', '7')).err).toContain('Warning: conversion is shown for')
  })

  it.each([
    [
      'medium',
      [
        ['organic', '2', '2', '72.00'],
        ['email', '1', '1', '20.00'],
        ['Unknown', '1', '1', '20.00'],
        ['(none)', '2', '1', '16.00'],
      ],
    ],
    [
      'campaign',
      [
        ['(none)', '4', '3', '88.00'],
        ['spring', '1', '1', '20.00'],
        ['Unknown', '1', '1', '20.00'],
      ],
    ],
    [
      'device',
      [
        ['Desktop', '4', '3', '88.00'],
        ['Mobile', '1', '1', '20.00'],
        ['Unknown', '1', '1', '20.00'],
      ],
    ],
    [
      'origin',
      [
        ['Organic: Google', '2', '2', '72.00'],
        ['Source: News', '1', '1', '20.00'],
        ['Unknown', '1', '1', '20.00'],
        ['Direct', '2', '1', '16.00'],
      ],
    ],
  ])('ATTR-08 takes orders apart by %s', async (by, rows) => {
    const lines = (await table('--by', by)).slice(1, -1).map((cells) => cells.slice(0, 4))
    expect(lines.sort()).toEqual([...rows].sort())
  })

  it('ATTR-08 knows the visits of a campaign whose name is longer than the statistics keep', async () => {
    const campaign = `${'spring-sale-'.repeat(12)}end`
    const placed = new Date('2026-03-10T12:00Z')
    await anOrder({
      attribution: { source_type: 'utm', utm_source: 'news', utm_campaign: campaign },
      created_at: placed,
    })
    const query = `utm_source=news&utm_campaign=${campaign}`
    await db.sql`insert into stat_count (dimension, grain, day, value, visits, visitors)
      values ('campaign', 'day', '2026-03-10', ${visitSource(`/?${query}`, '', 'shop.test').campaign}, 4, 4)`
    const { out } = await report('--from', '2026-03-10', '--to', '2026-03-10', '--by', 'campaign', '--json')
    await db.sql`delete from stat_count`
    expect(JSON.parse(out).lines).toEqual([expect.objectContaining({ value: campaign, orders: 1, visits: 4 })])
  })

  it('ATTR-08 divides by the visits that the statistics have counted, and shows who bought nothing', async () => {
    const counts = [
      ['source', 'google', 40],
      ['source', '(direct)', 10],
      ['source', 'blog.example', 25],
      ['device', 'Desktop', 50],
      ['device', 'Mobile', 25],
    ] as const
    for (const [dimension, value, visits] of counts) {
      await db.sql`insert into stat_count (dimension, grain, day, value, visits, visitors)
        values (${dimension}, 'day', '2026-05-10', ${value}, ${visits}, ${visits})`
    }
    try {
      expect((await table()).map((cells) => [cells[0], cells[1], cells[5], cells[6]])).toEqual([
        ['Source', 'Orders', 'Visits', 'Conversion'],
        ['google', '2', '40', '5.0 %'],
        ['news', '1', '–', '–'],
        ['Unknown', '1', '–', '–'],
        ['(direct)', '2', '10', '20.0 %'],
        ['blog.example', '0', '25', '0.0 %'],
        ['All', '6', '75', '8.0 %'],
      ])
      const { out } = await report('--from', '2026-05-10', '--to', '2026-05-10', '--by', 'device', '--json')
      expect(JSON.parse(out)).toEqual({
        from: '2026-05-10',
        to: '2026-05-10',
        by: 'device',
        touch: 'last',
        currency: 'USD',
        withoutVisits: null,
        lines: [
          { value: 'Desktop', orders: 4, paid: 3, revenue: '88.00', average: '29.33', visits: 50, conversion: 0.08 },
          { value: 'Mobile', orders: 1, paid: 1, revenue: '20.00', average: '20.00', visits: 25, conversion: 0.04 },
          { value: null, orders: 1, paid: 1, revenue: '20.00', average: '20.00', visits: null, conversion: null },
        ],
        all: { orders: 6, paid: 5, revenue: '128.00', average: '25.60', visits: 75, conversion: 0.08 },
      })
    } finally {
      await db.sql`delete from stat_count`
    }
  })

  it('counts days by the calendar of the shop', async () => {
    expect((await report('--from', '2026-05-09', '--to', '2026-05-09')).out).toMatch(/^news +1 +1 +0\.77 /m)
    expect((await report('--days', '1')).err).toContain('0 orders from')
    expect((await report('--days', '3')).err).toContain('from 2026-05-10 to 2026-05-12')
  })

  it('says what it cannot read', async () => {
    for (const [args, words] of [
      [['--by', 'colour'], 'Error: unknown by "colour". Choose one of: source'],
      [['--touch', 'second'], 'Error: unknown touch "second". Choose one of: last, first'],
      [['--days', '0'], 'Error: --days "0" is not a whole number'],
      [['--days', '7', '--from', '2026-05-01'], 'cannot be combined'],
      [['--from', '2026-02-31'], 'Error: --from "2026-02-31" is not a date'],
      [['--from', '2026-05-02', '--to', '2026-05-01'], 'is later than'],
    ] as const) {
      const { code, err } = await report(...args)
      expect([code, err]).toEqual([2, expect.stringContaining(words)])
    }
  })

  it('T17 lets nothing that a stranger sent steer the terminal', async () => {
    const id = await anOrder({ attribution: { source_type: 'utm', utm_source: 'a\u001b[31m\u202eb\nAll  9' } })
    try {
      const { out } = await report('--from', '2026-05-10', '--to', '2026-05-10')
      expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
      expect(out.match(/^All /gm)).toHaveLength(1)
    } finally {
      await db.sql`delete from orders where id = ${id}`
    }
  })
})
