import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refreshPrices } from '#database/catalog/derived-columns.ts'
import { anImportBench, csv, type ImportBench, shop } from '#tests/support/import/import-fixtures.ts'

let bench: ImportBench
let db: ImportBench['db']
beforeAll(async () => {
  bench = await anImportBench()
  db = bench.db
})
afterAll(() => bench.close())
beforeEach(() => bench.empty())

describe('an import', () => {
  it('takes a variation from one product to another, and brings both up to date', async () => {
    const made = await bench.importing(
      csv(
        ['Type', 'SKU', 'Name', 'Regular price', 'Parent', 'Attribute 1 name', 'Attribute 1 value(s)'],
        ['variable', 'CUP', 'Cup', '', '', 'Colour', 'Sand, Clay'],
        ['variable', 'JUG', 'Jug', '', '', 'Colour', 'Sand, Clay'],
        ['variation', 'ONE', 'Cup', '10', 'CUP', 'Colour', 'Sand'],
        ['variation', 'TWO', 'Cup', '20', 'CUP', 'Colour', 'Clay'],
        ['variation', 'THREE', 'Jug', '30', 'JUG', 'Colour', 'Sand'],
      ),
    )
    expect(made).toMatchObject({ faults: [] })
    const moved = await bench.importing(
      csv(
        ['Type', 'SKU', 'Parent', 'Attribute 1 name', 'Attribute 1 value(s)'],
        ['variation', 'TWO', 'JUG', 'Colour', 'Clay'],
      ),
    )
    expect(moved).toMatchObject({ faults: [], updated: 1 })
    const span = async (sku: string) =>
      (await db.sql`select min_price, max_price from products where sku = ${sku}`).map(Object.values)
    expect([await span('CUP'), await span('JUG')]).toEqual([[[1000, 1000]], [[2000, 3000]]])
    const changed = await db.sql`
      select p.sku from catalog_changes join products p on p.id = product_id
      where version = (select max(version) from catalog_changes) order by p.sku`
    expect(changed.map(({ sku }) => sku)).toEqual(['CUP', 'JUG'])
  })

  it('stocks a shop from a file whose rows refer to rows further down', async () => {
    const report = await bench.importing(shop)
    expect(report).toMatchObject({
      ok: true,
      rows: 6,
      created: 6,
      updated: 0,
      unchanged: 0,
      faults: [],
      ignoredColumns: ['Swatches'],
    })

    const products = await db.sql`
      select sku, type, slug, min_price, max_price, on_sale, stock_status, weight_grams, manage_stock, meta from products order by sku`
    expect(products).toEqual([
      {
        sku: 'BOOK',
        type: 'external',
        slug: 'mug-2',
        min_price: 3000,
        max_price: 3000,
        on_sale: false,
        stock_status: 'instock',
        weight_grams: null,
        manage_stock: 'no',
        meta: {},
      },
      {
        sku: 'BOWL',
        type: 'simple',
        slug: 'bowl',
        min_price: 2400,
        max_price: 2400,
        on_sale: false,
        stock_status: 'instock',
        weight_grams: 1200,
        manage_stock: 'yes',
        meta: {},
      },
      {
        sku: 'MUG',
        type: 'variable',
        slug: 'mug',
        min_price: 1600,
        max_price: 1900,
        on_sale: true,
        stock_status: 'instock',
        weight_grams: null,
        manage_stock: 'no',
        meta: { maker: 'Ida' },
      },
      expect.objectContaining({ sku: 'MUG-A', stock_status: 'onbackorder', min_price: 1900 }),
      expect.objectContaining({ sku: 'MUG-G', stock_status: 'instock', min_price: 1600, on_sale: true }),
      expect.objectContaining({ sku: 'SET', type: 'grouped', min_price: 1600, max_price: 2400, on_sale: true }),
    ])
    expect((await db.sql`select id from products where sku = 'BOWL'`)[0]).toEqual({ id: 70 })
    const filed = await db.sql`
      select p.sku, c.name, parent.name as parent from product_categories pc join products p on p.id = pc.product_id
      join categories c on c.id = pc.category_id left join categories parent on parent.id = c.parent_id order by 1, 2`
    expect(filed).toEqual([
      { sku: 'BOOK', name: 'Books', parent: null },
      { sku: 'BOWL', name: 'Table', parent: null },
      { sku: 'MUG', name: 'Cups', parent: 'Table' },
      { sku: 'MUG', name: 'Table', parent: null },
      { sku: 'SET', name: 'Sets', parent: 'Table' },
    ])
    const attributes = await db.sql`
      select slug, options, for_variations, default_option, attribute_id is not null as shared from product_attributes order by position`
    expect(attributes).toEqual([
      {
        slug: 'pa_colour',
        options: ['sea-green', 'amber'],
        for_variations: true,
        default_option: 'amber',
        shared: true,
      },
      { slug: 'size', options: ['S', 'L'], for_variations: true, default_option: '', shared: false },
    ])
    const chosen = await db.sql`
      select p.sku, v.slug, v.value from variation_attributes v join products p on p.id = v.product_id order by 1, 2`
    expect(chosen).toEqual([
      { sku: 'MUG-A', slug: 'pa_colour', value: 'amber' },
      { sku: 'MUG-A', slug: 'size', value: 'L' },
      { sku: 'MUG-G', slug: 'pa_colour', value: 'sea-green' },
      { sku: 'MUG-G', slug: 'size', value: '' },
    ])
    const links = await db.sql`
      select p.sku, l.kind, o.sku as other from product_links l join products p on p.id = l.product_id
      join products o on o.id = l.linked_id order by p.sku, l.kind, l.position`
    expect(links).toEqual([
      { sku: 'MUG', kind: 'upsell', other: 'BOWL' },
      { sku: 'SET', kind: 'grouped', other: 'MUG' },
      { sku: 'SET', kind: 'grouped', other: 'BOWL' },
    ])
    // A product added later does not get an ID of the file.
    expect(
      Number((await db.sql`select nextval(pg_get_serial_sequence('products', 'id')) as id`)[0]?.id),
    ).toBeGreaterThan(70)
  })

  it('of the same file again changes nothing at all', async () => {
    await bench.importing(shop)
    const before = await bench.everything()
    expect(await bench.importing(shop, {}, bench.toolsAt(new Date('2026-05-10T13:00:00Z')))).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 6,
    })
    expect(await bench.everything()).toEqual(before)
  })

  it('changes what the file says and leaves columns alone that it does not have', async () => {
    await bench.importing(shop)
    const report = await bench.importing(
      csv(['SKU', 'Stock', 'Regular price'], ['BOWL', '2', '26'], ['MUG-G', '4', '18.50']),
    )
    expect(report).toMatchObject({ ok: true, created: 0, updated: 1, unchanged: 1 })
    const [bowl] = await db.sql`select name, stock_quantity, min_price, weight_grams from products where sku = 'BOWL'`
    expect(bowl).toEqual({ name: 'Bowl', stock_quantity: 2, min_price: 2600, weight_grams: 1200 })
  })

  it('FLOW-08 says which products are set up with a way to pay instead of being paid', async () => {
    await bench.importing(shop)
    await bench.importing(csv(['SKU', 'Keeps a way to pay?'], ['BOWL', '1'], ['BOOK', '']))
    await bench.importing(csv(['SKU', 'Regular price'], ['BOWL', '26']))
    const rows = await db.sql`select sku, keeps_method from products where sku in ('BOWL', 'BOOK') order by sku`
    expect(rows).toEqual([
      { sku: 'BOOK', keeps_method: false },
      { sku: 'BOWL', keeps_method: true },
    ])
  })

  it('I4 notes each count of stock as a movement, so that movements add up to what is on hand', async () => {
    await bench.importing(shop)
    await db.sql`update products set stock_quantity = 5 where sku = 'BOWL'`
    await db.sql`insert into stock_movements (product_id, change, kind) values (70, -2, 'sold')`
    await bench.importing(csv(['SKU', 'Stock'], ['BOWL', '9']))
    const rows = await db.sql`select change, kind from stock_movements where product_id = 70 order by id`
    expect(rows).toEqual([
      { change: 7, kind: 'counted' },
      { change: -2, kind: 'sold' },
      { change: 4, kind: 'counted' },
    ])
  })

  it('finds a product by its SKU before its ID, and lets references follow', async () => {
    await bench.importing(csv(['ID', 'SKU', 'Name'], ['5', 'A', 'Here since long']))
    const report = await bench.importing(
      csv(['ID', 'SKU', 'Name', 'Upsells'], ['900', 'A', 'Renamed', ''], ['901', 'B', 'New', 'id:900']),
    )
    expect(report).toMatchObject({ created: 1, updated: 1 })
    expect(await db.sql`select id, sku, name from products order by id`).toEqual([
      { id: 5, sku: 'A', name: 'Renamed' },
      { id: 901, sku: 'B', name: 'New' },
    ])
    expect(await db.sql`select linked_id from product_links`).toEqual([{ linked_id: 5 }])
  })

  it('skips products that are there when told to', async () => {
    await bench.importing(shop)
    const report = await bench.importing(
      csv(['SKU', 'Name', 'Upsells'], ['BOWL', 'Other', ''], ['NEW', 'New', 'BOWL']),
      {
        existing: 'skip',
      },
    )
    expect(report).toMatchObject({ created: 1, skipped: 1, updated: 0 })
    expect(await db.sql`select name from products where sku = 'BOWL'`).toEqual([{ name: 'Bowl' }])
    expect(
      await db.sql`select linked_id from product_links l join products p on p.id = product_id where sku = 'NEW'`,
    ).toEqual([{ linked_id: 70 }])
  })

  it('writes nothing in a dry run, and says what it would do', async () => {
    const before = await bench.everything()
    expect(await bench.importing(shop, { dryRun: true })).toMatchObject({ ok: true, dryRun: true, created: 6 })
    expect(await bench.everything()).toEqual(before)
  })

  it('moves prices when a sale ends, by the day of the shop', async () => {
    await bench.importing(shop)
    const price = async () => (await db.sql`select min_price, on_sale from products where sku = 'MUG'`)[0]
    expect(await refreshPrices(db, new Date('2026-05-10T21:59:59Z'))).toBe(0)
    expect(await price()).toEqual({ min_price: 1600, on_sale: true })
    expect(await refreshPrices(db, new Date('2026-05-10T22:00:00Z'))).toBe(1)
    expect(await price()).toEqual({ min_price: 1850, on_sale: false })
    expect(await db.sql`select min_price from products where sku = 'SET'`).toEqual([{ min_price: 1850 }])
  })
})
