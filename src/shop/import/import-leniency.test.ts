import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anImportBench, csv, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'
import { size } from '#tests/support/size.ts'
import type { ImportTools } from './import-tools.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await anImportBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.empty())

const links = () => bench.db.sql`
  select p.sku, l.kind, l.position, t.sku as linked from product_links l join products p on p.id = l.product_id
  join products t on t.id = l.linked_id order by 1, 2, 3`
const names = () => bench.db.sql`select position, name from product_link_names order by product_id, position`

describe('a link to a product that is not there', () => {
  it('is kept by its name, and made in its place when the product comes', async () => {
    const file = csv(['SKU', 'Name', 'Upsells'], ['A', 'One', 'X, B, y'], ['B', 'Two', ''])
    expect(await bench.importing(file)).toMatchObject({ ok: true, created: 2, noteCount: 2 })
    expect(await names()).toEqual([
      { position: 0, name: 'X' },
      { position: 2, name: 'y' },
    ])
    await bench.importing(csv(['SKU', 'Name'], ['Y', 'Three']))
    expect(await links()).toEqual([
      { sku: 'A', kind: 'upsell', position: 1, linked: 'B' },
      { sku: 'A', kind: 'upsell', position: 2, linked: 'Y' },
    ])
    expect(await names()).toEqual([{ position: 0, name: 'X' }])
    const before = await bench.everything()
    expect(await bench.importing(file)).toMatchObject({ ok: true, updated: 0, noteCount: 1 })
    expect(await bench.everything()).toEqual(before)
    await bench.importing(csv(['SKU', 'Upsells'], ['A', 'B']))
    expect([await names(), (await links()).length]).toEqual([[], 1])
  })

  it('by an ID of another shop is made by the next file of that shop', async () => {
    await bench.importing(csv(['ID', 'SKU', 'Name', 'Cross-sells'], ['501', 'A', 'One', 'id:502']))
    expect(await names()).toEqual([{ position: 0, name: 'id:502' }])
    await bench.importing(csv(['ID', 'SKU', 'Name'], ['502', 'B', 'Two']))
    expect(await links()).toEqual([{ sku: 'A', kind: 'crosssell', position: 0, linked: 'B' }])
  })
})

describe('the status of a product', () => {
  it('stays a draft where the export guards its -1 against spreadsheets', async () => {
    const file = csv(
      ['SKU', 'Name', 'Published'],
      ['A', 'Draft', "'-1"],
      ['B', 'Other draft', '-1'],
      ['C', 'Shown', '1'],
    )
    expect(await bench.importing(file)).toMatchObject({ ok: true, created: 3 })
    expect(await bench.db.sql`select sku, status from products order by 1`).toEqual([
      { sku: 'A', status: 'draft' },
      { sku: 'B', status: 'draft' },
      { sku: 'C', status: 'publish' },
    ])
  })
})

describe('an SKU in another case', () => {
  it('is the same product and stays as the shop has it', async () => {
    await bench.importing(csv(['SKU', 'Name', 'Regular price'], ['Mug-1', 'Mug', '9']))
    const report = await bench.importing(csv(['SKU', 'Name', 'Regular price'], ['MUG-1', 'Mug', '10']))
    expect(report).toMatchObject({ ok: true, created: 0, updated: 1 })
    expect(await bench.db.sql`select sku, regular_price::int from products`).toEqual([
      { sku: 'Mug-1', regular_price: 1000 },
    ])
  })
})

describe('brands', () => {
  const brands = () => bench.db.sql`select b.name, up.name as above from product_brands join brands b on b.id = brand_id
    left join brands up on up.id = b.parent_id order by 1`
  const attributes = () => bench.db.sql`select name, options from product_attributes order by position`

  it('have a column of their own: a file without it keeps them, one with it alone keeps the attributes', async () => {
    const titles = ['SKU', 'Name', 'Attribute 1 name', 'Attribute 1 value(s)']
    await bench.importing(csv([...titles, 'Brands'], ['A', 'One', 'Size', 'S', 'Kiln']))
    const kept = [{ name: 'Size', options: ['S'] }]
    expect([await brands(), await attributes()]).toEqual([[{ name: 'Kiln', above: null }], kept])
    await bench.importing(csv(titles, ['A', 'One', 'Size', 'S']))
    expect([await brands(), await attributes()]).toEqual([[{ name: 'Kiln', above: null }], kept])
    await bench.importing(csv(['SKU', 'Brands'], ['A', 'Loom']))
    expect([await brands(), await attributes()]).toEqual([[{ name: 'Loom', above: null }], kept])
    await bench.importing(csv(['SKU', 'Brands'], ['A', '']))
    expect([await brands(), await attributes()]).toEqual([[], kept])
  })

  it('are found in upper or lower case, one below another, and created where they are missing', async () => {
    await bench.db.sql`insert into brands (name, slug) values ('Kiln', 'kiln')`
    const content = csv(
      ['SKU', 'Name', 'Brands'],
      ['A', 'One', 'KILN > Studio, > Loom >'],
      ['B', 'Two', 'Kiln > studio'],
    )
    expect(await bench.importing(content)).toMatchObject({ ok: true, created: 2 })
    expect(await brands()).toEqual([
      { name: 'Loom', above: null },
      { name: 'Studio', above: 'Kiln' },
      { name: 'Studio', above: 'Kiln' },
    ])
    expect(await bench.db.sql`select slug from brands order by id`).toEqual([
      { slug: 'kiln' },
      { slug: 'studio' },
      { slug: 'loom' },
    ])
  })
})

describe('rows with errors', () => {
  it('of Shopify are left out with all rows of their product', async () => {
    const faultyFile = join(bench.folder, 'shopify.faulty.csv')
    const content =
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\n' +
      'bowl,Bowl,Title,Default Title,BOWL,12\ntee,Tee,Size,S,TEE-S,20\ntee,,,M,TEE-M,dear\ncap,Cap,Title,Default Title,CAP,9\n'
    const report = await bench.importing(content, { delimiter: undefined, faultyFile })
    expect(report).toMatchObject({ ok: true, created: 2, faulty: 1, faultyFile, faultCount: 1 })
    expect(report.faults).toMatchObject([{ row: 4, column: 'Variant Price', value: 'dear' }])
    expect((await readFile(faultyFile, 'utf8')).split('\r\n').slice(1, -1)).toEqual([
      'tee,Tee,Size,S,TEE-S,20,Variant Price: must be a number like 12.50',
      'tee,,,M,TEE-M,dear,',
    ])
  })

  it('are left out too where their image cannot be read, and links to them are kept as names', async () => {
    const faultyFile = join(bench.folder, 'images.faulty.csv')
    const content = csv(
      ['SKU', 'Name', 'Images', 'Upsells'],
      ['A', 'One', 'https://shop.example/gone.png', ''],
      ['B', 'Two', '', 'A'],
      ['C', 'Three', 'https://shop.example/gone.png', ''],
    )
    const report = await bench.importing(content, { faultyFile, fetchImages: true })
    expect(report).toMatchObject({ ok: true, created: 1, faulty: 2 })
    expect(await names()).toEqual([{ position: 0, name: 'A' }])
    expect((await readFile(faultyFile, 'utf8')).match(/could not be fetched \(status 404\)/g)).toHaveLength(2)
  })

  it('stop the import as long as they are not to be left out', async () => {
    const report = await bench.importing(csv(['SKU', 'Name'], ['A', 'One'], ['B', '']))
    expect(report).toMatchObject({ ok: false, created: 0, faultCount: 1 })
    expect(await bench.db.sql`select id from products`).toEqual([])
  })
})

describe('images of other servers', () => {
  it('are fetched several at a time when allowed, and not again when the import is repeated', async () => {
    const picture = (colour: number) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background: { r: colour, g: 0, b: 0 } } })
        .png()
        .toBuffer()
    const fetched: string[] = []
    let open = 0
    let most = 0
    let fails = true
    const tools: ImportTools = {
      ...bench.toolsAt(today),
      network: {
        fetch: async (address) => {
          fetched.push(String(address))
          open += 1
          most = Math.max(most, open)
          await new Promise((done) => setImmediate(done))
          open -= 1
          const number = Number(/(\d+)\.png/.exec(String(address))?.[1])
          if (fails && number === 7) return new Response('busy', { status: 503 })
          return new Response(new Uint8Array(await picture(number)), { headers: { 'content-type': 'image/png' } })
        },
      },
    }
    const rows = Array.from({ length: 8 }, (_, at) => [`P${at}`, 'Pot', `https://shop.example/${at}.png`])
    const content = csv(['SKU', 'Name', 'Images'], ...rows)
    expect(await bench.importing(content, {}, tools)).toMatchObject({ ok: false, faultCount: 8 })
    expect(fetched).toEqual([])

    const stopped = await bench.importing(content, { fetchImages: true }, tools)
    expect([stopped.ok, stopped.faults.map(({ row }) => row), fetched.length]).toEqual([false, [9], 8])
    expect(most).toBeGreaterThan(2)
    fails = false
    fetched.length = 0
    expect(await bench.importing(content, { fetchImages: true }, tools)).toMatchObject({
      ok: true,
      created: 8,
      images: 8,
    })
    expect(fetched).toEqual(['https://shop.example/7.png'])
    expect(await bench.db.sql`select count(*)::int from product_images`).toEqual([{ count: 8 }])
  })
})

describe('any file', () => {
  const title = fc.constantFrom(
    'SKU',
    'Name',
    'Price',
    'Stock',
    'Type',
    'Parent',
    'Images',
    'Handle',
    'Variant Price',
    'Meta: x',
    'x',
  )
  const cell = fc.oneof(
    fc.constantFrom(
      'variable',
      'variation',
      '-1',
      '1,250',
      'id:7',
      '"',
      'a|b',
      '',
      "'=1",
      '12 €',
      'S, M',
      '\u0000',
      '\uFFFD',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  )
  const separator = fc.constantFrom(',', ';', '\t', '|')
  const table = fc
    .tuple(
      separator,
      fc.array(title, { minLength: 1, maxLength: 6 }),
      fc.array(fc.array(cell, { maxLength: 7 }), { maxLength: 6 }),
    )
    .map(([mark, titles, rows]) => [titles, ...rows].map((cells) => cells.join(mark)).join('\n'))
  const encoding = fc.constantFrom('utf8', 'utf16le', 'latin1')
  const bytes = fc.oneof(
    fc.tuple(table, encoding).map(([text, name]) => Buffer.from(text, name as BufferEncoding)),
    fc.uint8Array({ maxLength: 200 }),
  )

  it('ends in a report: with its rows, or with what is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const options = { delimiter: undefined, faultyFile: join(bench.folder, 'any.faulty.csv') }
        for (const dryRun of [true, false]) {
          const report = await bench.importing(content, { ...options, dryRun })
          if (report.ok) expect(report.rows).toBe(report.created + report.updated + report.unchanged + report.skipped)
          else expect(report.faultCount).toBeGreaterThan(0)
        }
      }),
      { numRuns: size(60, 400) },
    )
  }, 300_000)
})
