import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#server/operations/startup/environment.ts'
import { aDatabase, partitioned, type TestDatabase } from '#tests/support/database/database.ts'
import { partitionsOf } from './partition-table.ts'
import { addPartitions, partition } from './partitions.ts'

const now = new Date('2026-11-05T12:00:00Z')
const clock = { ...systemClock, now: () => now }
let db: TestDatabase
beforeEach(async () => {
  db = await aDatabase()
})
afterEach(() => db.close())

/** Inserts an order like the shop does, with the given id or the next one. @returns the id */
async function anOrder(key: string, id: number | null = null): Promise<number> {
  const row = {
    ...(id !== null && { id }),
    ...{ key, status: 'processing', session_id: key, intention: 'i', cart_hash: '', currency: 'USD' },
    ...{ prices_include_tax: false, total: 100, billing: '{}', shipping: '{}', payment_method: 'cod' },
    ...{
      payment_method_title: '',
      created_at: now,
      updated_at: now,
      base_currency: 'USD',
      base_total: 100,
      exchange_rate: '1',
    },
  }
  const [order] = await db.sql<{ id: number }[]>`insert into orders ${db.sql(row)} returning id`
  const number = order?.id ?? 0
  await db.sql`insert into order_items (order_id, position, type, name) values (${number}, 0, 'line_item', 'Mug')`
  await db.sql`insert into order_notes (order_id, at, note) values (${number}, now(), 'Paid.')`
  await db.sql`insert into ledger (order_id, seq, at, kind, data, previous, hash)
    values (${number}, 1, now(), 'placed', '{}', '', ${key})`
  return number
}

const whereIs = async (table: string, column: string, id: number) =>
  (
    await db.sql<
      { at: string }[]
    >`select tableoid::regclass::text as at from ${db.sql(table)} where ${db.sql(column)} = ${id}`
  ).map(({ at }) => at)

const bounds = async (table: string) => (await partitionsOf(db.sql, table)).map(({ from, to }) => [from, to])

/** Returns the columns, keys and references of a table, without their names. */
async function shapeOf(table: string) {
  const columns = await db.sql`
    select attname, format_type(atttypid, atttypmod), attnotnull, attidentity, pg_get_expr(adbin, adrelid) as usual
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ${table}::regclass and attnum > 0 order by attname`
  const constraints = await db.sql`select conname, pg_get_constraintdef(oid) as is from pg_constraint
    where conrelid = ${table}::regclass and contype <> 'n' and conparentid = 0 order by conname`
  const indexes = await db.sql`select indexname, replace(indexdef, ' ONLY ', ' ') as is from pg_indexes
    where tablename = ${table} order by indexname`
  const triggers = await db.sql`select pg_get_triggerdef(oid) as is from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal`
  return { columns, constraints, indexes, triggers }
}

const tables = ['orders', 'order_items', 'order_notes', 'ledger', 'stat_count']

describe.skipIf(partitioned)('tables partitioned by time', () => {
  it('keep their rows, columns, references and triggers, and every key that can hold for all partitions', async () => {
    const old = await anOrder('wc_order_old')
    const before = new Map(await Promise.all(tables.map(async (table) => [table, await shapeOf(table)] as const)))
    const references = () => db.sql`select conrelid::regclass::text as from, conname from pg_constraint
      where contype = 'f' and conparentid = 0 and confrelid = any(${tables}::regclass[]) order by 1, 2`
    const were = (await references()).map(({ from, conname }) => `${from} ${conname}`)

    expect(await partition({ db, clock }, 1000)).toEqual(['refund_items_item_id_fkey'])
    expect(await partition({ db, clock }, 1000)).toBeNull()

    const within = new Set<string>()
    for (const table of tables) {
      const [was, is] = [before.get(table), await shapeOf(table)]
      expect(is.columns, table).toEqual(was?.columns)
      expect(is.triggers, table).toEqual(was?.triggers)
      const lost = (kind: 'constraints' | 'indexes') =>
        (was?.[kind] ?? []).filter((one) => !is[kind].some((other) => other.is === one.is))
      for (const one of [...lost('constraints'), ...lost('indexes')]) within.add(one.conname ?? one.indexname)
    }
    // Each holds within a partition; distribution.ts explains why that suffices.
    expect([...within].sort()).toEqual(
      ['order_items_pkey', 'order_notes_pkey', 'orders_key_key', 'orders_session_id_intention_key'].sort(),
    )
    const left = were.filter((name) => !name.includes('refund_items_item_id_fkey'))
    expect((await references()).map(({ from, conname }) => `${from} ${conname}`)).toEqual(left)
    expect(await whereIs('orders', 'id', old)).toEqual(['orders_first'])
    expect(await bounds('orders')).toEqual([
      [null, '2000'],
      ['2000', '3000'],
      [null, null],
    ])
    expect(await bounds('stat_count')).toEqual([
      [null, '2027-01-01'],
      ['2027-01-01', '2028-01-01'],
      [null, null],
    ])
  })

  it('number on where they stood, and keep an order with what belongs to it', async () => {
    const old = await anOrder('wc_order_old')
    await partition({ db, clock }, 1000)
    expect(await anOrder('wc_order_next')).toBe(old + 1)
    const later = await anOrder('wc_order_later', 2500)
    for (const [table, column] of [['orders', 'id'], ...tables.slice(1, 4).map((name) => [name, 'order_id'])] as [
      string,
      string,
    ][])
      expect(await whereIs(table, column, later)).toEqual([`${table}_from_2000`])
    const items = await db.sql`select id from order_items order by id`
    expect(new Set(items.map(({ id }) => id)).size).toBe(3)
  })

  it('refuse within a partition what they refused before, and a changed ledger whatever it is called', async () => {
    await anOrder('wc_order_old')
    await partition({ db, clock }, 1000)
    await expect(anOrder('wc_order_old')).rejects.toThrow(/orders_key_key/)
    await anOrder('wc_order_later', 2500)
    await expect(anOrder('wc_order_later', 2501)).rejects.toThrow(/duplicate key/)
    await expect(db.sql`insert into ledger (order_id, seq, at, kind, data, previous, hash)
      values (9999, 1, now(), 'placed', '{}', '', '')`).rejects.toThrow(/ledger_order_id_fkey/)
    for (const table of ['ledger', 'ledger_first', 'ledger_from_2000', 'ledger_rest'])
      await expect(db.sql`delete from ${db.sql(table)}`, table).rejects.toThrow('append-only')
  })

  it('get their next partitions before these are reached, and none twice', async () => {
    expect(await addPartitions(db, now)).toBe(0)
    await anOrder('wc_order_old')
    await partition({ db, clock }, 1000)
    expect(await addPartitions(db, now)).toBe(0)
    await anOrder('wc_order_later', 2000)
    const both = await Promise.all([addPartitions(db, now), addPartitions(db, now)])
    expect(both.sort()).toEqual([0, 1])
    for (const table of tables.slice(0, 4)) expect((await bounds(table)).at(-2), table).toEqual(['3000', '4000'])
    // The last evening of a year, when the next one has begun in the east.
    expect(await addPartitions(db, new Date('2026-12-31T12:00:00Z'))).toBe(1)
    expect((await bounds('stat_count')).at(-2)).toEqual(['2028-01-01', '2029-01-01'])
  })

  it('take an order that no partition was made for, and go on after it', async () => {
    await anOrder('wc_order_old')
    await partition({ db, clock }, 1000)
    const stray = await anOrder('wc_order_stray', 3456)
    expect(await whereIs('orders', 'id', stray)).toEqual(['orders_rest'])
    expect(await addPartitions(db, now)).toBe(2)
    expect(await bounds('orders')).toEqual([
      [null, '2000'],
      ['2000', '3000'],
      ['3457', '4000'],
      ['4000', '5000'],
      [null, null],
    ])
    expect(await whereIs('orders', 'id', stray)).toEqual(['orders_rest'])
    expect(await whereIs('ledger', 'order_id', await anOrder('wc_order_after', 3457))).toEqual(['ledger_from_3457'])
  })
})
