import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aClassicShop, type ClassicShop } from '#tests/support/import/classic-shop.ts'
import { aMigrationBench, everything, type MigrationBench, noteTexts } from '#tests/support/import/migration-bench.ts'

let shop: ClassicShop
let bench: MigrationBench
beforeEach(async () => {
  shop = await aClassicShop()
  bench = await aMigrationBench()
})
afterEach(async () => {
  await shop.close()
  await bench.close()
})

describe('a migration', () => {
  it('reports what would come and what will differ without writing', async () => {
    const before = await everything(bench)
    const settings = await bench.rows('settings')
    const { report } = await bench.migrate(shop, { dryRun: true, skipFaulty: false })
    expect(await everything(bench)).toEqual(before)
    expect(await bench.rows('settings')).toEqual(settings)
    expect(await bench.rows('migration_progress')).toEqual([])
    expect(report.counts.get('products')).toMatchObject({ found: 9, added: 8, left: 1 })
    expect(report.counts.get('variations')).toMatchObject({ added: 3 })
    expect(report.counts.get('coupons')).toMatchObject({ found: 7, added: 4, left: 2 })
    expect(noteTexts(report.differences)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('products 105:'),
        expect.stringContaining('payment methods acme_pay: "Acme Pay" (acme_pay) does not exist here'),
        expect.stringContaining('payment methods ppcp-gateway: "PayPal" (ppcp-gateway): connect PayPal here'),
      ]),
    )
    expect(shop.requests.filter(({ path }) => path.startsWith('/wp-content'))).toEqual([])
    expect(await readdir(join(bench.dataDir, 'migration'))).toEqual([])
  })

  it('stops at faulty records with their IDs, or leaves them out', async () => {
    shop.lists.products?.push(
      { ...shop.lists.products[0], id: 111, sku: 'BROKEN', slug: 'broken', regular_price: 'ask us' },
      { id: 'x-1', name: 'no number' },
      { ...shop.lists.products[0], id: 112, sku: 'BEAKER', slug: 'twice' },
    )
    const strict = await bench.migrate(shop, { skipFaulty: false })
    expect(strict.stopped).toBe('faulty-records')
    expect(noteTexts(strict.report.faults)).toEqual(['products x-1: id must be a number'])
    expect(await bench.rows('products')).toEqual([])

    shop.lists.products = shop.lists.products?.filter(({ id }) => id !== 'x-1') ?? []
    const stricter = await bench.migrate(shop, { skipFaulty: false })
    expect(stricter.stopped).toBe('faulty-records')
    expect(noteTexts(stricter.report.faults)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^products 111: Regular price "ask us" must be a number/),
        expect.stringMatching(/^products 112: SKU "BEAKER" is in row \d+ as well/),
      ]),
    )
    expect(await bench.rows('products')).toEqual([])
    const lenient = await bench.migrate(shop)
    expect(lenient.stopped).toBeNull()
    expect(await bench.db.sql`select count(*)::int as count from products`).toEqual([{ count: 11 }])
  })

  it('leaves a product alone whose SKU is here, with its variations', async () => {
    await bench.db
      .sql`insert into products (type, sku, name, slug, regular_price) values ('simple', 'BEAKER', 'Mine', 'mine', 500)`
    await bench.db.sql`insert into settings (key, value) values ('currency', '"EUR"')`
    const { report, stopped } = await bench.migrate(shop)
    expect(stopped).toBeNull()
    expect(await bench.db.sql`select name, regular_price from products where sku = 'BEAKER'`).toEqual([
      { name: 'Mine', regular_price: 500 },
    ])
    expect(noteTexts(report.differences)).toContain('products 101: "Beaker" (SKU BEAKER) is here and stays as it is')
    // Links and coupons refer to the product that is here.
    const [mine] = await bench.db.sql<{ id: number }[]>`select id from products where sku = 'BEAKER'`
    expect(await bench.db.sql`select linked_id from product_links where product_id = 106`).toEqual([
      { linked_id: mine?.id },
    ])
    expect(await bench.db.sql`select product_id from product_links where product_id = ${mine?.id ?? 0}`).toEqual([])
  })

  it('does not mix currencies', async () => {
    await bench.db
      .sql`insert into products (type, sku, name, slug, regular_price) values ('simple', 'MINE', 'Mine', 'mine', 500)`
    const { report, stopped, done } = await bench.migrate(shop)
    expect(done).toEqual(['settings', 'taxes', 'terms'])
    expect(stopped).toEqual({ problem: expect.stringContaining("amounts are in EUR, this shop's in USD") })
    expect(noteTexts(report.differences)).toContain(
      'settings currency: stays USD: products or orders here have amounts in it',
    )
  })

  it('brings the chosen steps, and records since a day', async () => {
    for (const product of shop.lists.products?.slice(1) ?? []) product.date_created_gmt = '2025-07-01T10:00:00'
    const options = { only: ['settings', 'products'] as const, since: new Date('2025-01-01T00:00:00Z') }
    const { done } = await bench.migrate(shop, options)
    expect(done).toEqual(['settings', 'products'])
    const ids = (await bench.db.sql<{ id: number }[]>`select id from products where parent_id is null`).map(
      ({ id }) => id,
    )
    expect(ids.toSorted((a, b) => a - b)).toEqual([102, 103, 104, 106, 107, 108, 109])
    expect(shop.requests.some(({ path }) => path === 'coupons' || path === 'shipping/zones')).toBe(false)
    // Without the step of terms, categories come with their products.
    expect(await bench.db.sql`select slug from categories order by 1`).toEqual([
      { slug: 'table-kitchen' },
      { slug: 'uncategorized' },
    ])
  })

  it('survives hostile answers', async () => {
    const deep = {
      ...shop.lists.products?.[0],
      id: 120,
      sku: 'DEEP',
      slug: 'deep',
      name: '<script>alert(1)</script>',
      attributes: [{ id: 0, name: '__proto__', options: ['x'] }],
      meta_data: [
        { key: '__proto__', value: 'x' },
        { key: 'k'.repeat(500), value: 'x' },
      ],
      images: { '3': { src: 'javascript:alert(1)', alt: null } },
      downloads: [{ id: '', name: '', file: 'file:///etc/passwd' }],
      stock_quantity: 1e300,
    }
    shop.lists.products?.push(
      deep,
      null as never,
      'text' as never,
      { ...deep, id: -4 },
      { ...deep, id: 121, sku: 'X', dimensions: 'none' },
    )
    shop.lists['products/categories']?.push(
      { id: 90, name: 'Loop A', slug: 'a', parent: 91 },
      { id: 91, name: 'Loop B', slug: 'b', parent: 90 },
    )
    shop.lists.taxes = { code: 'no_list' } as never
    const { report, stopped } = await bench.migrate(shop)
    expect(stopped).toBeNull()
    expect(noteTexts(report.faults)).toEqual(
      expect.arrayContaining([
        'tax rates : the answer of taxes is not a list',
        expect.stringContaining('products -4:'),
        expect.stringContaining('products 121:'),
      ]),
    )
    expect(noteTexts(report.differences)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('javascript:alert(1)'),
        expect.stringContaining('file:///etc/passwd'),
      ]),
    )
  })
})
