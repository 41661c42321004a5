import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/settings.ts'
import { refreshPrices } from '#database/catalog/derived-columns.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type ImportOptions, importProducts } from './import-products.ts'
import type { ImportTools } from './import-products-tools.ts'

let db: TestDatabase
let folder: string
const today = new Date('2026-05-10T12:00:00Z')

beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'import-'))
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.sql`truncate products, categories, tags, attributes, images restart identity cascade`
})

function toolsAt(now = today, settings: object = {}): ImportTools {
  let hex = 0
  return {
    db,
    settings: shopSettings.parse({ timeZone: 'Europe/Berlin', ...settings }),
    clock: { now: () => now, sleep: async () => {} },
    chance: { hex: () => `${++hex}`, alphanumeric: () => 'a', uuid: () => '', fraction: () => 0 },
    network: { fetch: async () => new Response('no', { status: 404 }) },
  }
}

let files = 0
async function fileOf(content: string | Uint8Array): Promise<string> {
  const file = join(folder, `products-${++files}.csv`)
  await writeFile(file, content)
  return file
}

async function importing(content: string | Uint8Array, options: Partial<ImportOptions> = {}, tools = toolsAt()) {
  return importProducts(tools, {
    file: await fileOf(content),
    delimiter: ',',
    existing: 'update',
    dryRun: false,
    imagesDir: folder,
    mediaDir: join(folder, 'media'),
    lookup: async () => ['93.184.216.34'],
    ...options,
  })
}

const csv = (...rows: readonly (readonly string[])[]) =>
  `\uFEFF${rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n`

/** Every row of every catalogue table, to see that nothing moved. */
async function everything() {
  const tables = [
    'products',
    'categories',
    'product_categories',
    'tags',
    'product_tags',
    'attributes',
    'attribute_terms',
  ]
  const more = [
    'product_attributes',
    'variation_attributes',
    'product_images',
    'product_links',
    'stock_movements',
    'images',
  ]
  const all: Record<string, unknown> = {}
  for (const table of [...tables, ...more]) {
    all[table] =
      await db.sql`select row_to_json(t)::text as row, ctid::text, xmin::text from ${db.sql(table)} t order by 1`
  }
  return all
}

// References before what they refer to, on purpose.
const shop = csv(
  [
    'ID',
    'Type',
    'SKU',
    'Name',
    'Published',
    'Stock',
    'Backorders allowed?',
    'Weight (kg)',
    'Sale price',
    'Regular price',
    'Date sale price starts',
    'Date sale price ends',
    'Categories',
    'Tags',
    'Parent',
    'Grouped products',
    'Upsells',
    'External URL',
    'Position',
    'Attribute 1 name',
    'Attribute 1 value(s)',
    'Attribute 1 visible',
    'Attribute 1 global',
    'Attribute 1 default',
    'Attribute 2 name',
    'Attribute 2 value(s)',
    'Meta: maker',
    'Swatches',
  ],
  [
    '',
    'grouped',
    'SET',
    'Breakfast set',
    '1',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    'Table > Sets',
    '',
    '',
    'MUG, id:70',
    '',
    '',
    '3',
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
    '',
    'variation',
    'MUG-G',
    'Mug - Green',
    '1',
    '4',
    '',
    '0.35',
    '16',
    '18.50',
    '2026-05-01',
    '2026-05-10',
    '',
    '',
    'MUG',
    '',
    '',
    '',
    '0',
    'Colour',
    'Sea green',
    '',
    '1',
    '',
    'Size',
    '',
    '',
    '',
  ],
  [
    '',
    'variable',
    'MUG',
    'Mug',
    '1',
    '',
    '',
    '',
    '',
    '',
    '',
    '',
    'Table > Cups, Table',
    'new, clay',
    '',
    '',
    'BOWL',
    '',
    '2',
    'Colour',
    'Sea green, Amber',
    '1',
    '1',
    'Amber',
    'Size',
    'S, L',
    'Ida',
    'x',
  ],
  [
    '',
    'variation',
    'MUG-A',
    'Mug - Amber',
    '1',
    '0',
    'notify',
    '0.35',
    '',
    '19',
    '',
    '',
    '',
    '',
    'MUG',
    '',
    '',
    '',
    '1',
    'Colour',
    'amber',
    '',
    '1',
    '',
    'Size',
    'L',
    '',
    '',
  ],
  [
    '70',
    'simple',
    'BOWL',
    'Bowl',
    '1',
    '7',
    '0',
    '1.2',
    '',
    '24',
    '',
    '',
    'Table',
    'clay',
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
    '',
    '',
  ],
  [
    '',
    'external',
    'BOOK',
    'Mug',
    '1',
    '',
    '',
    '',
    '',
    '30',
    '',
    '',
    'Books',
    '',
    '',
    '',
    '',
    'https://books.example/clay',
    '4',
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
)

describe('an import', () => {
  it('stocks a shop from a file whose rows refer to rows further down', async () => {
    const report = await importing(shop)
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
    // A product added later does not get the number that the file brought along.
    expect(
      Number((await db.sql`select nextval(pg_get_serial_sequence('products', 'id')) as id`)[0]?.id),
    ).toBeGreaterThan(70)
  })

  it('of the same file again changes nothing at all', async () => {
    await importing(shop)
    const before = await everything()
    expect(await importing(shop, {}, toolsAt(new Date('2026-05-10T13:00:00Z')))).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 6,
    })
    expect(await everything()).toEqual(before)
  })

  it('changes what the file says and leaves columns alone that it does not have', async () => {
    await importing(shop)
    const report = await importing(csv(['SKU', 'Stock', 'Regular price'], ['BOWL', '2', '26'], ['MUG-G', '4', '18.50']))
    expect(report).toMatchObject({ ok: true, created: 0, updated: 1, unchanged: 1 })
    const [bowl] = await db.sql`select name, stock_quantity, min_price, weight_grams from products where sku = 'BOWL'`
    expect(bowl).toEqual({ name: 'Bowl', stock_quantity: 2, min_price: 2600, weight_grams: 1200 })
  })

  it('I4 notes each count of stock as a movement, so that movements add up to what is on hand', async () => {
    await importing(shop)
    await db.sql`update products set stock_quantity = 5 where sku = 'BOWL'`
    await db.sql`insert into stock_movements (product_id, change, kind) values (70, -2, 'sold')`
    await importing(csv(['SKU', 'Stock'], ['BOWL', '9']))
    const rows = await db.sql`select change, kind from stock_movements where product_id = 70 order by id`
    expect(rows).toEqual([
      { change: 7, kind: 'counted' },
      { change: -2, kind: 'sold' },
      { change: 4, kind: 'counted' },
    ])
  })

  it('finds a product by its SKU before its ID, and lets references follow', async () => {
    await importing(csv(['ID', 'SKU', 'Name'], ['5', 'A', 'Here since long']))
    const report = await importing(
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
    await importing(shop)
    const report = await importing(csv(['SKU', 'Name', 'Upsells'], ['BOWL', 'Other', ''], ['NEW', 'New', 'BOWL']), {
      existing: 'skip',
    })
    expect(report).toMatchObject({ created: 1, skipped: 1, updated: 0 })
    expect(await db.sql`select name from products where sku = 'BOWL'`).toEqual([{ name: 'Bowl' }])
    expect(
      await db.sql`select linked_id from product_links l join products p on p.id = product_id where sku = 'NEW'`,
    ).toEqual([{ linked_id: 70 }])
  })

  it('writes nothing in a dry run, and says what it would do', async () => {
    const before = await everything()
    expect(await importing(shop, { dryRun: true })).toMatchObject({ ok: true, dryRun: true, created: 6 })
    expect(await everything()).toEqual(before)
  })

  it('moves prices when a sale ends, by the day of the shop', async () => {
    await importing(shop)
    const price = async () => (await db.sql`select min_price, on_sale from products where sku = 'MUG'`)[0]
    expect(await refreshPrices(db, new Date('2026-05-10T21:59:59Z'))).toBe(0)
    expect(await price()).toEqual({ min_price: 1600, on_sale: true })
    expect(await refreshPrices(db, new Date('2026-05-10T22:00:00Z'))).toBe(1)
    expect(await price()).toEqual({ min_price: 1850, on_sale: false })
    expect(await db.sql`select min_price from products where sku = 'SET'`).toEqual([{ min_price: 1850 }])
  })
})

describe('a file with faults', () => {
  it('is refused as a whole, with row, column and value of every fault', async () => {
    const before = await everything()
    const report = await importing(
      csv(
        [
          'ID',
          'Type',
          'SKU',
          'Name',
          'Regular price',
          'Sale price',
          'Parent',
          'Upsells',
          'Images',
          'Attribute 1 name',
          'Attribute 1 value(s)',
        ],
        ['', 'simple', 'OK', 'Fine', '10', '', '', '', '', '', ''],
        ['', 'simple', 'NEG', 'Negative', '-3', '', '', '', '', '', ''],
        ['', 'simple', 'OK', 'Twice', '10', '12', '', '', '', '', ''],
        ['', 'variation', 'V', 'Lost', '10', '', 'NOWHERE', '', '', '', ''],
        ['', 'variation', 'V2', 'Astray', '10', '', 'OK', '', '', '', ''],
        ['', 'variable', 'P', 'Parent', '', '', '', 'P', '', 'Size', 'S'],
        ['', 'variation', 'V3', 'Impossible', '10', '', 'P', '', 'none.jpg', 'Size', 'XXL'],
      ),
    )
    expect(report.ok).toBe(false)
    expect(report.faults.map(({ row, column, value }) => [row, column, value])).toEqual([
      [3, 'Regular price', '-3'],
      [4, 'Sale price', '12'],
      [6, 'Parent', 'OK'],
      [7, 'Upsells', 'P'],
      [8, 'Attribute "Size"', 'XXL'],
      [8, 'Images', 'none.jpg'],
      [5, 'Parent', 'NOWHERE'],
    ])
    expect(await everything()).toEqual(before)
  })

  it('names a duplicate SKU with both of its rows', async () => {
    const { faults } = await importing(csv(['SKU', 'Name'], ['A', 'One'], ['B', 'Two'], ['A', 'Three']))
    expect(faults).toEqual([{ row: 4, column: 'SKU', value: 'A', problem: 'is in row 2 as well' }])
  })

  it('counts the faults that it does not list', async () => {
    const rows = Array.from({ length: 700 }, (_, index) => [`S${index}`, 'x', '-1'])
    const report = await importing(csv(['SKU', 'Name', 'Regular price'], ...rows))
    expect([report.faults.length, report.faultCount]).toEqual([200, 700])
  })

  it.each([
    ['an empty file', '', 1, /empty/],
    ['a missing header', 'MUG,Mug,12\n', 1, /first row must hold the column names/],
    ['a file without rows is fine, but not one of blanks', '\n\n\n', 1, /empty/],
    ['a quotation mark that never closes', 'SKU,Name\nA,One\nB,"Two\nC,Three\n', 3, /opens and never closes/],
    ['text after a closing quotation mark', 'SKU,Name\nA,One\nB,"Two"x\nC,Three\n', 3, /out of place/],
    ['a quotation mark inside plain text', 'SKU,Name\nA,One 5"\n', 2, /out of place/],
    ['too many cells', 'SKU,Name\nA,One\nB,Two,Three\n', 3, /3 cells, but the header has 2/],
    ['a NUL byte', 'SKU,Name\nA,One\nB,T\0wo\n', 3, /NUL/],
    [
      'a file of another encoding',
      Buffer.from('SKU,Name\nA,One\nB,Vase verte fonc\xe9e\n', 'latin1'),
      3,
      /not UTF-8 near "/,
    ],
    ['UTF-16', Buffer.from('\uFEFFSKU,Name\nA,One\n', 'utf16le'), 1, /UTF-16/],
    ['a column named __proto__', 'SKU,Name,__proto__\nA,One,x\n', 1, /not allowed/],
    ['another delimiter', 'SKU;Name\nA;One\n', 1, /--delimiter/],
  ])('%s is a clear fault, and nothing is written', async (_, content, row, problem) => {
    const before = await everything()
    const report = await importing(content)
    expect(report.faults[0]).toMatchObject({ row, problem: expect.stringMatching(problem) })
    expect(await everything()).toEqual(before)
  })

  it('takes another delimiter when told', async () => {
    expect(await importing('SKU;Name\nA;One, two\n', { delimiter: ';' })).toMatchObject({ ok: true, created: 1 })
  })
})

describe('pictures', () => {
  const drawn = (width: number, height: number, colour = '#3366cc') =>
    sharp({ create: { width, height, channels: 3, background: colour } })

  it('are made once for each source, never wider than it is, upright and without notes of the camera', async () => {
    const images = join(folder, 'images')
    await mkdir(images, { recursive: true })
    // 800 wide on the sensor, noted as lying on its side.
    await drawn(800, 500)
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(join(images, 'a.jpg'))
    await drawn(800, 500)
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(join(images, 'copy.jpg'))
    await drawn(2000, 1000, '#aa2200').png().toFile(join(images, 'b.png'))
    const file = csv(
      ['SKU', 'Name', 'Images'],
      ['A', 'Vase', 'images/a.jpg, images/b.png'],
      ['B', 'Bowl', 'images/copy.jpg'],
    )
    const mediaDir = join(folder, 'media-once')
    expect(await importing(file, { mediaDir })).toMatchObject({ ok: true, images: 3 })

    const rows = await db.sql`select hash, width, height, widths, alt, placeholder from images order by width`
    expect(rows.map(({ width, height, widths, alt }) => ({ width, height, widths, alt }))).toEqual([
      { width: 500, height: 800, widths: [160, 320, 500], alt: 'Vase' },
      { width: 1440, height: 720, widths: [160, 320, 640, 960, 1440], alt: 'Vase' },
    ])
    expect(rows[1]?.placeholder).toMatch(/^#[a-b].2.0./)
    const made = await readdir(mediaDir)
    expect(made.toSorted()).toEqual(
      rows
        .flatMap(({ hash, widths }) =>
          widths.flatMap((width: number) => [`${hash}-${width}.avif`, `${hash}-${width}.webp`]),
        )
        .toSorted(),
    )
    const small = await sharp(join(mediaDir, `${rows[0]?.hash}-320.avif`)).metadata()
    expect([small.width, small.height, small.exif, small.orientation]).toEqual([320, 512, undefined, undefined])
    const shown = await db.sql`
      select sku, position, i.width from product_images pi join products p on p.id = pi.product_id join images i on i.id = image_id order by 1, 2`
    expect(shown).toEqual([
      { sku: 'A', position: 0, width: 500 },
      { sku: 'A', position: 1, width: 1440 },
      { sku: 'B', position: 0, width: 500 },
    ])
  })

  it('that are missing, damaged, drawn by a program or outside the folder are faults with their row', async () => {
    await writeFile(join(folder, 'text.jpg'), 'no picture')
    await writeFile(join(folder, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    await writeFile(join(tmpdir(), 'outside.png'), await drawn(9, 9).png().toBuffer())
    const whole = await sharp({
      create: {
        width: 600,
        height: 600,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .png()
      .toBuffer()
    await writeFile(join(folder, 'half.png'), whole.subarray(0, whole.length / 2))
    const images = ['gone.jpg', 'text.jpg', 'drawing.svg', '../outside.png', 'https://example.com/a.jpg']
    const report = await importing(
      csv(['SKU', 'Name', 'Images'], ...images.map((image, index) => [`S${index}`, 'x', image])),
    )
    expect(report.faults.map(({ row, value, problem }) => [row, value, problem])).toEqual([
      [2, 'gone.jpg', 'is not there'],
      [3, 'text.jpg', expect.stringContaining('cannot be read as a picture')],
      [4, 'drawing.svg', expect.stringContaining('svg')],
      [5, '../outside.png', 'lies outside the folder of images'],
      [6, 'https://example.com/a.jpg', expect.stringContaining('remoteImages is off')],
    ])
    const half = await importing(csv(['SKU', 'Name', 'Images'], ['H', 'Half', 'half.png']))
    expect(half.faults).toMatchObject([{ row: 2, value: 'half.png' }])
    expect(await db.sql`select count(*)::int as n from products`).toEqual([{ n: 0 }])
  })

  it('T22 come from other servers only when allowed, and never from inside the network', async () => {
    const asked: string[] = []
    const picture = await drawn(200, 100).png().toBuffer()
    const tools: ImportTools = {
      ...toolsAt(today, { remoteImages: true }),
      network: {
        async fetch(url) {
          asked.push(String(url))
          if (String(url).endsWith('/moved.png'))
            return new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } })
          if (String(url).endsWith('/page')) return new Response('<p>', { headers: { 'content-type': 'text/html' } })
          return new Response(new Uint8Array(picture), { headers: { 'content-type': 'image/png' } })
        },
      },
    }
    const lookup = async (host: string) =>
      host === 'inside.example' ? ['93.184.216.34', '10.0.0.7'] : ['93.184.216.34']
    const rows = [
      'https://cdn.example/moved.png',
      'https://inside.example/a.png',
      'http://[::1]/a.png',
      'http://127.0.0.1/a.png',
      'https://cdn.example/page',
    ]
    const refused = await importing(
      csv(['SKU', 'Name', 'Images'], ...rows.map((row, index) => [`R${index}`, 'x', row])),
      { lookup },
      tools,
    )
    expect(refused.faults.map(({ row, problem }) => `${row} ${problem}`).toSorted()).toEqual([
      '2 leads to a private address (169.254.169.254)',
      '3 leads to a private address (inside.example)',
      '4 leads to a private address (::1)',
      '5 leads to a private address (127.0.0.1)',
      '6 is "text/html" and not a picture',
    ])
    expect(asked.toSorted()).toEqual(['https://cdn.example/moved.png', 'https://cdn.example/page'])
    const taken = await importing(
      csv(['SKU', 'Name', 'Images'], ['R', 'x', 'https://cdn.example/a.png']),
      { lookup },
      tools,
    )
    expect(taken).toMatchObject({ ok: true, created: 1 })
  })
})
