import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, partitioned } from '#tests/support/database/database.ts'
import { distribution, uniqueElsewhere } from './distribution.ts'

type Table = { table: string; columns: string[]; unique: string[][]; to: string[] }

let tables: Table[]
let close: () => Promise<void>
beforeAll(async () => {
  const db = await aDatabase()
  close = db.close
  tables = await db.sql<Table[]>`
    select c.relname as table,
      array(select a.attname from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      coalesce((select json_agg((select json_agg(pg_get_indexdef(i.indexrelid, k, true) order by k)
          from generate_series(1, i.indnkeyatts) k))
        from pg_index i where i.indrelid = c.oid and i.indisunique), '[]') as unique,
      array(select f.relname from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f') as to
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`
})
afterAll(() => close?.())

const placeOf = (table: string) => distribution[table]
const keyOf = (table: string) => {
  const place = placeOf(table)
  return typeof place === 'object' ? place.by : null
}

describe.skipIf(partitioned)('where rows would live on several servers', () => {
  it('is said of every table that there is, by a column that it has', () => {
    expect(Object.keys(distribution).sort()).toEqual(tables.map(({ table }) => table))
    const without = tables.filter(({ table, columns }) => {
      const key = keyOf(table)
      return key !== null && !columns.includes(key)
    })
    expect(without.map(({ table }) => table)).toEqual([])
  })

  it('lets nothing be unique that a server could not see, but for what is so anyway', () => {
    const unseen = tables.flatMap(({ table, unique }) => {
      const key = keyOf(table)
      return key === null
        ? []
        : unique.filter((columns) => !columns.includes(key)).map((columns) => `${table} (${columns.join(', ')})`)
    })
    expect([...new Set(unseen)].sort()).toEqual(Object.keys(uniqueElsewhere).sort())
  })

  it('keeps a row with the rows that it cannot be without', () => {
    const apart = tables.flatMap(({ table, to }) => {
      const place = placeOf(table)
      if (typeof place !== 'object') return []
      return to
        .filter((other) => {
          const there = placeOf(other)
          return typeof there === 'object' && there.with !== place.with
        })
        .map((other) => `${table} → ${other}`)
    })
    expect(apart).toEqual([])
  })
})
