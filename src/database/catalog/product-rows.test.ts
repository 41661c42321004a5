import { describe, expect, it } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import type { Database } from '../engine/connect.ts'
import { catalogChanged } from './catalog-version.ts'
import { cardsByIds } from './product-rows.ts'

describe('the cards of a listing', () => {
  it('are read in whole once, and again after each change of what they show, whoever made it', async () => {
    await using db = await twoCups()
    const { sql } = db
    const cards = async () => (await cardsByIds(sql, [2, 1])).cards
    expect(await cards()).toMatchObject([{ name: 'Green cup' }, { name: 'Blue cup', minPrice: 900, image: null }])
    expect(await cards()).toEqual(await cards())
    expect(await wholeReadings(db)).toBe(1)

    await sql`update products set min_price = 1000 where id = 1`
    expect(await cards()).toMatchObject([{ id: 2 }, { id: 1, minPrice: 1000 }])
    await sql`update products set stock_status = 'outofstock' where id = 2`
    expect(await cards()).toMatchObject([{ id: 2, stock: 'outofstock' }, { id: 1 }])
    expect(await wholeReadings(db)).toBe(3)

    await sql`
      with made as (insert into images (source, hash, width, height, widths, alt) values ('cup.jpg', 'abc', 10, 10, '{10}', 'A cup') returning id)
      insert into product_images (product_id, image_id, position) select 1, id, 0 from made`
    await catalogChanged(db.kysely, [1])
    expect(await cards()).toMatchObject([
      { id: 2, image: null },
      { id: 1, image: { hash: 'abc', alt: 'A cup' } },
    ])
    expect(await wholeReadings(db)).toBe(4)

    await sql`update products set status = 'draft' where id = 2`
    expect(await cards()).toMatchObject([{ id: 1 }])
    await sql`delete from products where id = 1`
    expect(await cards()).toEqual([])
    expect(await wholeReadings(db)).toBe(4)
    await sql`update products set status = 'publish' where id = 2`
    expect(await cards()).toMatchObject([{ id: 2, stock: 'outofstock' }])
  })

  it('come with the version of the catalogue that they are of', async () => {
    await using db = await twoCups()
    const version = async () => (await cardsByIds(db.sql, [1])).version
    const before = await version()
    await catalogChanged(db.kysely, [2])
    expect([await version(), await version()]).toEqual([before + 1, before + 1])
  })

  it('are never of before they were asked for, however many ask at the same time', async () => {
    await using db = await twoCups()
    const price = async (ids: readonly number[]) =>
      (await cardsByIds(db.sql, ids)).cards.map(({ minPrice }) => minPrice)
    await price([1, 2])
    for (let minor = 1000; minor < 1040; minor += 1) {
      // Reads in progress during the price change may return either price.
      const early = [price([1]), price([2]), price([1, 2])]
      await db.sql`update products set min_price = ${minor} where id = 1`
      expect(await Promise.all([price([1]), price([2]), price([2, 1])])).toEqual([[minor], [700], [700, minor]])
      await Promise.all(early)
    }
  })

  it('are asked for again by those who wait when the one before them fails', async () => {
    await using db = await twoCups()
    await cardsByIds(db.sql, [1, 2])
    await db.sql`alter table products rename to put_away`
    const failing = cardsByIds(db.sql, [1])
    const waiting = cardsByIds(db.sql, [2])
    const both = await Promise.allSettled([failing, waiting])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await db.sql`alter table put_away rename to products`
    expect((await cardsByIds(db.sql, [2])).cards).toMatchObject([{ name: 'Green cup' }])
  })

  it('are remembered for two thousand products: who came first leaves first', async () => {
    await using db = await aDatabase({ max: 1 })
    await db.sql`insert into products (id, type, name, slug) select nr, 'simple', 'P' || nr, 'p' || nr
      from generate_series(1, 2001) nr`
    const all = Array.from({ length: 2001 }, (_, index) => index + 1)
    expect((await cardsByIds(db.sql, all)).cards).toHaveLength(2001)
    await cardsByIds(db.sql, [2, 2001])
    expect(await wholeReadings(db)).toBe(1)
    expect((await cardsByIds(db.sql, [1])).cards).toMatchObject([{ name: 'P1' }])
    expect(await wholeReadings(db)).toBe(2)
  })
})

async function twoCups(): Promise<Database & AsyncDisposable> {
  const db = await aDatabase({ max: 1 })
  await db.sql`insert into products (id, type, name, slug, min_price, max_price) values
    (1, 'simple', 'Blue cup', 'blue-cup', 900, 900), (2, 'simple', 'Green cup', 'green-cup', 700, 700)`
  return db
}

async function wholeReadings({ sql }: Database): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(generic_plans + custom_plans), 0)::int as count from pg_prepared_statements
    where statement like '%''buttonText''%' and statement not like '%pg_prepared_statements%'`
  return row?.count ?? 0
}
