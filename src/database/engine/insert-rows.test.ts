import { expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { transaction } from './connect.ts'
import { insertRows } from './insert-rows.ts'

const clock = { now: () => new Date(), sleep: async () => {} }
const chance = { fraction: () => 0, hex: () => '', alphanumeric: () => '', uuid: () => '' }
const at = new Date('2026-11-25T10:11:12.345Z')

/** Values with different syntax in JSON, SQL and JavaScript. */
const awkward = [
  { kind: 'quotes \' " \\ and \n lines', data: { text: '“Ünïcödé” 🦊 \u2028', list: [1, null, true, { deep: [] }] } },
  { kind: '', data: {} },
  { kind: 'null', data: { number: 9_007_199_254_740_991, fraction: 0.1 } },
].map((row, nr) => ({ order_id: 1, seq: nr + 1, at, previous: 'p', hash: 'h', ...row }))

it('gives back what was put in, in its order, by one statement whatever the number of rows', async () => {
  await using db = await aDatabase({ max: 1 })
  await db.sql`alter table ledger drop constraint ledger_order_id_fkey`
  await transaction({ db, clock, chance }, async (tx) => {
    await insertRows(tx, 'ledger', awkward)
    await insertRows(tx, 'ledger', [{ ...awkward[0], seq: 9 } as (typeof awkward)[0]])
    await insertRows(tx, 'ledger', [])
  })
  const rows = await db.sql`select order_id, seq, at, previous, hash, kind, data from ledger order by seq`
  expect(rows.slice(0, 3)).toEqual(awkward)
  expect(rows).toHaveLength(4)
  const prepared = await db.sql`select 1 from pg_prepared_statements where statement ilike '%insert into "ledger"%'
    and statement not like '%pg_prepared%'`
  expect(prepared).toHaveLength(1)
})

it('leaves columns that no row names to their defaults, and writes null where a row says so', async () => {
  await using db = await aDatabase({ max: 1 })
  await transaction({ db, clock, chance }, (tx) =>
    insertRows(tx, 'products', [
      { type: 'simple', name: 'Mug', slug: 'mug', regular_price: 900, sale_price: null },
      { type: 'simple', name: 'Cup', slug: 'cup', regular_price: null, sale_price: null },
    ] as never),
  )
  const rows = await db.sql`select name, regular_price, sale_price, status, meta from products order by id`
  expect(rows).toEqual([
    { name: 'Mug', regular_price: 900, sale_price: null, status: 'publish', meta: {} },
    { name: 'Cup', regular_price: null, sale_price: null, status: 'publish', meta: {} },
  ])
})

it('refuses rows of different shapes, which would lose what only some have', async () => {
  await using db = await aDatabase({ max: 1 })
  const rows = [
    { type: 'simple', name: 'Mug', slug: 'mug' },
    { type: 'simple', name: 'Cup', slug: 'cup', regular_price: 100 },
  ]
  const inserting = transaction({ db, clock, chance }, (tx) => insertRows(tx, 'products', rows as never))
  await expect(inserting).rejects.toThrow('have different columns')
  expect(await db.sql`select 1 from products`).toHaveLength(0)
})

it('writes half a character as one that cannot be read, as the driver does with a value by itself', async () => {
  await using db = await aDatabase({ max: 1 })
  await transaction({ db, clock, chance }, (tx) =>
    insertRows(tx, 'products', [{ type: 'simple', name: 'Fox \ud83d', slug: 'fox \\ud83d' }] as never),
  )
  const [row] = await db.sql`select name, slug, ${'Fox \ud83d'}::text as alone from products`
  expect(row).toEqual({ name: 'Fox \ufffd', slug: 'fox \\ud83d', alone: 'Fox \ufffd' })
})
