import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { anImportBench, csv, type ImportBench } from '#tests/support/import/import-fixtures.ts'

let bench: ImportBench
let db: ImportBench['db']
beforeAll(async () => {
  bench = await anImportBench()
  db = bench.db
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.empty()
  const report = await bench.importing(
    csv(
      ['ID', 'Type', 'SKU', 'Name', 'Regular price', 'Parent', 'Attribute 1 name', 'Attribute 1 value(s)'],
      ['171', 'simple', 'JAR', 'Moon Jar', '40', '', '', ''],
      ['101', 'variable', 'VASE', 'Tidal Vase', '', '', 'Colour', 'Chalk, Moss'],
      ['102', 'variation', 'VASE-CHALK', 'Tidal Vase - Chalk', '68', 'VASE', 'Colour', 'Chalk'],
      ['103', 'variation', 'VASE-MOSS', 'Tidal Vase - Moss', '68', 'VASE', 'Colour', 'Moss'],
    ),
  )
  expect(report.faults).toEqual([])
})

const products = () => db.sql`select id, sku, name, type from products order by id`
/** Runs a dry run and an import of the same rows, and expects the same errors and an unchanged catalog from both. */
async function refused(content: string, options: Parameters<ImportBench['importing']>[1] = {}) {
  const before = await bench.everything()
  const dry = await bench.importing(content, { ...options, dryRun: true })
  const real = await bench.importing(content, options)
  expect(dry.faults).toEqual(real.faults)
  expect([dry.ok, real.ok]).toEqual([false, false])
  expect(await bench.everything()).toEqual(before)
  return real.faults
}

describe('an ID of another shop', () => {
  it('never overwrites a product here: a row with an SKU of its own is a fault that names both products', async () => {
    const faults = await refused(csv(['ID', 'SKU', 'Name'], ['171', 'foreign-2', 'Foreign Lamp']))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ row: 2, column: 'ID', value: '171' })
    for (const named of ['"Foreign Lamp" (SKU foreign-2)', '"Moon Jar" (ID 171, SKU JAR)', '--ids foreign'])
      expect(faults[0]?.problem).toContain(named)
  })

  it('never overwrites a product here: a row that has only the ID becomes a new product with another one', async () => {
    const content = csv(['ID', 'SKU', 'Name'], ['171', '', 'Foreign Lamp'])
    const report = await bench.importing(content)
    expect(report).toMatchObject({ ok: true, created: 1, updated: 0 })
    expect(report.notes).toMatchObject([{ row: 2, column: 'ID', value: '171' }])
    expect(report.notes[0]?.problem).toContain('"Moon Jar" (ID 171, SKU JAR)')
    expect((await products()).map(({ sku, name }) => [sku, name])).toEqual([
      ['VASE', 'Tidal Vase'],
      ['VASE-CHALK', 'Tidal Vase - Chalk'],
      ['VASE-MOSS', 'Tidal Vase - Moss'],
      ['JAR', 'Moon Jar'],
      [null, 'Foreign Lamp'],
    ])
    // A repeated file matches the same product by its imported ID.
    expect(await bench.importing(content)).toMatchObject({ ok: true, created: 0, unchanged: 1, notes: [] })
    expect(await products()).toHaveLength(5)
  })

  it('gives way to the SKU: the same SKU is the same product, whatever the ID', async () => {
    const report = await bench.importing(csv(['ID', 'SKU', 'Name'], ['9000', 'JAR', 'Moon Jar, large']))
    expect(report).toMatchObject({ ok: true, created: 0, updated: 1 })
    expect((await products()).at(-1)).toMatchObject({ id: 171, sku: 'JAR', name: 'Moon Jar, large' })
  })

  it('that is one product while the SKU is another is a fault that names both', async () => {
    const [fault] = await refused(csv(['ID', 'SKU', 'Name'], ['101', 'JAR', 'Jar']))
    expect(fault).toMatchObject({ row: 2, column: 'ID', value: '101' })
    expect(fault?.problem).toContain('"Moon Jar" (ID 171, SKU JAR)')
    expect(fault?.problem).toContain('"Tidal Vase" (ID 101, SKU VASE)')
  })

  it('is passed over with "foreign": rows become new products, and references find the rows of the file', async () => {
    const content = csv(
      ['ID', 'Type', 'SKU', 'Name', 'Regular price', 'Parent', 'Upsells', 'Attribute 1 name', 'Attribute 1 value(s)'],
      ['103', 'variation', '', 'Cup - Red', '5', 'id:101', '', 'Colour', 'Red'],
      ['101', 'variable', '', 'Cup', '', '', 'id:171', 'Colour', 'Red'],
      ['171', 'grouped', 'foreign-2', 'Foreign Set', '', '', 'id:101', '', ''],
    )
    const options = { ids: 'foreign' } as const
    expect(await bench.importing(content, { ...options, dryRun: true })).toMatchObject({ ok: true, created: 3 })
    expect(await bench.importing(content, options)).toMatchObject({ ok: true, created: 3, updated: 0 })
    const links = await db.sql`select p.name, o.name as other from product_links l
      join products p on p.id = l.product_id join products o on o.id = l.linked_id order by 1`
    expect(links).toEqual([
      { name: 'Cup', other: 'Foreign Set' },
      { name: 'Foreign Set', other: 'Cup' },
    ])
    const [cup] = await db.sql`select p.name as parent from products v join products p on p.id = v.parent_id
      where v.name = 'Cup - Red'`
    expect(cup).toEqual({ parent: 'Cup' })
    expect((await products()).slice(0, 4)).toMatchObject([{ id: 101 }, { id: 102 }, { id: 103 }, { id: 171 }])
    // Repeated without the option: products imported under an ID are matched by it.
    expect(await bench.importing(content)).toMatchObject({ ok: true, created: 0, unchanged: 3 })
  })

  it('that is free becomes the ID here, so that old links to the product stay good', async () => {
    await bench.importing(csv(['ID', 'SKU', 'Name'], ['500', 'NEW', 'New']))
    expect((await products()).at(-1)).toMatchObject({ id: 500, sku: 'NEW' })
  })

  it.each([
    ['Parent', 'variation', '101', ''],
    ['Upsells', 'simple', '', '171'],
    ['Cross-sells', 'simple', '', '171'],
    ['Grouped products', 'grouped', '', '171'],
  ])('in %s names a row of the file, never a product here', async (column, type, parent, linked) => {
    const id = `id:${parent || linked}`
    const content = csv(
      ['Type', 'SKU', 'Name', 'Attribute 1 name', 'Attribute 1 value(s)', column],
      [type, 'N', 'New', 'Colour', 'Moss', id],
    )
    // A variation needs its parent; other links wait for the product.
    const report = parent === '' ? await bench.importing(content) : null
    const [place] = report?.notes ?? (await refused(content))
    expect(place).toMatchObject({ row: 2, column, value: id, problem: expect.stringContaining('no row of the file') })
    expect(
      await db.sql`select l.* from product_links l join products p on p.id = l.linked_id where p.id = 171`,
    ).toEqual([])
  })

  it('that stands in two rows is a fault that names both rows', async () => {
    const faults = await refused(csv(['ID', 'SKU', 'Name'], ['700', 'A', 'One'], ['700', 'B', 'Two']))
    expect(faults).toMatchObject([{ row: 3, column: 'ID', value: '700', problem: 'is in row 2 as well' }])
  })
})

describe('a type', () => {
  it.each([
    ['VASE', 'simple', '"Tidal Vase" (ID 101, SKU VASE)'],
    ['JAR', 'variable', '"Moon Jar" (ID 171, SKU JAR)'],
    ['VASE', 'grouped', '"Tidal Vase" (ID 101, SKU VASE)'],
    ['VASE', '', '"Tidal Vase" (ID 101, SKU VASE)'],
  ])(
    'of %s that changes to or from variable, here "%s", is a fault that names both products',
    async (sku, type, here) => {
      for (const existing of ['update', 'skip'] as const) {
        const [fault] = await refused(csv(['SKU', 'Type', 'Name'], [sku, type, 'In the file']), { existing })
        expect(fault).toMatchObject({ row: 2, column: 'Type', value: type || 'simple' })
        expect(fault?.problem).toContain('"In the file"')
        expect(fault?.problem).toContain(here)
      }
    },
  )
})

describe('rows of products that are here', () => {
  it('are left alone and reported one by one, unless they are to be updated', async () => {
    const content = csv(['ID', 'SKU', 'Name'], ['', 'JAR', 'Renamed'], ['', 'NEW', 'New'], ['101', 'VASE', 'Renamed'])
    for (const dryRun of [true, false]) {
      const report = await bench.importing(content, { existing: 'skip', dryRun })
      expect(report).toMatchObject({ ok: true, created: 1, updated: 0, skipped: 2, noteCount: 2 })
      expect(report.notes).toMatchObject([
        { row: 2, column: 'SKU', value: 'JAR', problem: expect.stringContaining('"Moon Jar" (ID 171, SKU JAR)') },
        { row: 4, column: 'SKU', value: 'VASE', problem: expect.stringContaining('--update') },
      ])
    }
    expect(await db.sql`select name from products where sku in ('JAR', 'VASE') order by name`).toEqual([
      { name: 'Moon Jar' },
      { name: 'Tidal Vase' },
    ])
  })

  it('keep their values when skipped: a new variation has to fit the parent as it is here', async () => {
    const content = csv(
      ['Type', 'SKU', 'Name', 'Regular price', 'Parent', 'Attribute 1 name', 'Attribute 1 value(s)'],
      ['variation', 'VASE-INK', 'Tidal Vase - Ink', '68', 'VASE', 'Colour', 'Ink'],
      ['variable', 'VASE', 'Tidal Vase', '', '', 'Colour', 'Chalk, Moss, Ink'],
    )
    const [fault] = await refused(content, { existing: 'skip' })
    expect(fault).toMatchObject({ row: 2, column: 'Attribute "Colour"', value: 'Ink' })
    expect(await bench.importing(content)).toMatchObject({ ok: true, created: 1, updated: 1 })
  })
})

describe('a file of this shop', () => {
  const own = async (...rows: readonly (readonly string[])[]) => {
    const mark = await readShopMark(db.kysely)
    return csv(['Shop mark', 'ID', 'SKU', 'Name', 'Upsells'], ...rows.map((row) => [mark, ...row]))
  }

  it('says so by its mark: there an ID is the product, and may change its SKU', async () => {
    const report = await bench.importing(await own(['171', 'JAR-2', 'Moon Jar', 'id:101'], ['900', 'N', 'New', '']))
    expect(report).toMatchObject({ faults: [], updated: 1, created: 1, ignoredColumns: [] })
    expect((await products()).slice(-2)).toMatchObject([{ id: 171, sku: 'JAR-2' }, { id: 900 }])
    expect(await db.sql`select product_id, linked_id from product_links`).toEqual([{ product_id: 171, linked_id: 101 }])
  })

  it('that is declared by the merchant needs no mark', async () => {
    const content = csv(['ID', 'Regular price'], ['171', '44'])
    expect(await bench.importing(content, { ids: 'own' })).toMatchObject({ faults: [], updated: 1 })
    const [fault] = await refused(content)
    expect(fault).toMatchObject({ row: 2, column: 'Name', problem: expect.stringContaining('--ids own') })
  })

  it('is not meant by the mark of another shop', async () => {
    const header = ['Shop mark', 'ID', 'SKU', 'Name']
    const faults = await refused(csv(header, ['0f3c1de2-0000-4000-8000-000000000000', '171', 'X', 'Other']))
    expect(faults).toMatchObject([{ row: 2, column: 'ID', value: '171' }])
  })

  it('cannot give a product the SKU of another', async () => {
    const [fault] = await refused(await own(['171', 'VASE', 'Moon Jar', '']))
    expect(fault).toMatchObject({ row: 2, column: 'ID', value: '171' })
    expect(fault?.problem).toContain('"Tidal Vase" (ID 101, SKU VASE)')
    expect(fault?.problem).toContain('"Moon Jar" (ID 171, SKU JAR)')
  })
})
