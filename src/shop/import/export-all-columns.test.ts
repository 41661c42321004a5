import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anImportBench, csv, type ImportBench, shop, today } from '#tests/support/import/import-fixtures.ts'
import { exportAllColumns } from './export-all-columns.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await anImportBench()
  await mkdir(join(bench.folder, 'data/downloads'), { recursive: true })
  await writeFile(join(bench.folder, 'manual.pdf'), 'pages')
})
afterAll(() => bench.close())
beforeEach(() => bench.empty())

async function exported(): Promise<string> {
  const tools = { ...bench.toolsAt(today), publicUrl: 'https://shop.example' }
  let text = ''
  for await (const line of exportAllColumns(tools)) text += `${line}\n`
  return text
}

const odd = csv(
  [
    ...[
      'SKU',
      'Type',
      'Name',
      'Description',
      'Regular price',
      'Sale price',
      'Date sale price ends',
      'Categories',
      'Tags',
    ],
    ...['Brands', 'Upsells', 'Attribute 1 name', 'Attribute 1 value(s)', 'Attribute 1 global', 'Attribute 1 default'],
    ...[
      'Meta: _maker',
      'Weight (kg)',
      'Length (cm)',
      'Stock',
      'Backorders allowed?',
      'Slug',
      'Download 1 URL',
      'Purchase note',
    ],
    ...[
      'GTIN, UPC, EAN, or ISBN',
      'Published',
      'Is featured?',
      'Tax class',
      'Shipping class',
      'Low stock amount',
      'Parent',
    ],
  ],
  [
    ...[
      '=ODD',
      'simple, virtual, downloadable',
      'Salt &amp;amp; "pepper"',
      '<p>One, "two"</p>\n<p>C:\\\\new</p>',
      '1234.50',
      '999',
    ],
    ...[
      '2026-12-31 18:30:00',
      'Tea &amp; Coffee > Pots &gt; 1 l, Sale',
      'a\\, b, new',
      'Kiln &amp; Co > Pots &gt; 1 l, Loom',
      'LATER, PLAIN',
    ],
    ...[
      'Material',
      'Oak\\, oiled, Ash',
      '1',
      'Ash',
      '007',
      '1.25',
      '30.5',
      '-4',
      'notify',
      'odd-one',
      'manual.pdf',
      'Thanks',
    ],
    ...['4006381333931', '-1', '1', 'reduced-rate', 'bulky', '3', ''],
  ],
  [
    'PLAIN',
    'simple',
    'Plain',
    '',
    '10',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '1',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '1',
    '',
    '',
    '',
    '',
    '',
  ],
  [
    'TEE',
    'variable',
    'Tee',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    'Size',
    'S, M',
    '',
    'S',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
  ],
  [
    'TEE-S',
    'variation',
    '',
    '',
    '20',
    '',
    '',
    '',
    '',
    '',
    '',
    'Size',
    'S',
    '',
    '',
    '',
    '',
    '',
    'parent',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    'TEE',
  ],
  [
    'TEE-X',
    'variation',
    'Tee, any',
    '',
    '21',
    '',
    '',
    '',
    '',
    '',
    '',
    'Size',
    '',
    '',
    '',
    '',
    '',
    '',
    '2',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    'TEE',
  ],
)

describe('a file of all columns', () => {
  it('that comes back unchanged changes nothing', async () => {
    await sharp({ create: { width: 30, height: 20, channels: 3, background: '#a20' } })
      .png()
      .toFile(join(bench.folder, 'mug.png'))
    expect(await bench.importing(shop)).toMatchObject({ ok: true })
    expect(await bench.importing(odd)).toMatchObject({ ok: true, created: 5 })
    expect(await bench.importing(csv(['SKU', 'Images'], ['MUG', 'mug.png']))).toMatchObject({ ok: true, images: 1 })
    const text = await exported()
    expect(text).toMatch(/https:\/\/shop\.example\/media\/[0-9a-f]{64}-30\.webp/)
    const before = await bench.everything()
    const report = await bench.importing(text, { delimiter: undefined })
    expect([report.ok, report.faults]).toEqual([true, []])
    expect(report).toMatchObject({ created: 0, updated: 0, unchanged: 11 })
    expect(await bench.everything()).toEqual(before)
    expect(await exported()).toBe(text)
  })

  it('makes the same products in an empty shop', async () => {
    await bench.importing(shop)
    await bench.importing(odd)
    const text = await exported()
    await bench.empty()
    const report = await bench.importing(text, { delimiter: undefined })
    expect([report.ok, report.faults, report.created]).toEqual([true, [], 11])
    expect(await exported()).toBe(text)
  })

  it('has no product from the trash, and nothing in an empty shop', async () => {
    expect((await exported()).trim().split('\n')).toHaveLength(1)
    await bench.importing(odd)
    await bench.db.sql`update products set status = 'trash' where sku = 'TEE'`
    expect((await exported()).includes('TEE')).toBe(false)
  })
})
