import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shopSettings } from '#contract/shared/settings.ts'
import { type ImportOptions, type ImportReport, importProducts } from '#shop/import/import-products.ts'
import type { ImportTools } from '#shop/import/import-tools.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'

export type ImportBench = {
  readonly db: TestDatabase
  /** Pictures are looked for here. */
  readonly folder: string
  importing(content: string | Uint8Array, options?: Partial<ImportOptions>, tools?: ImportTools): Promise<ImportReport>
  toolsAt(now: Date, settings?: object): ImportTools
  /** Every row of every catalogue table, to see that nothing moved. */
  everything(): Promise<Record<string, unknown>>
  /** Takes the catalogue away. */
  empty(): Promise<void>
  close(): Promise<void>
}

export const today = new Date('2026-05-10T12:00:00Z')

/** An empty shop and a folder of its own, for a file of tests. */
export async function anImportBench(): Promise<ImportBench> {
  const db = await aDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  const bench = (now: Date, settings: object = {}) => toolsAt(db, now, settings)
  let files = 0
  return {
    db,
    folder,
    toolsAt: bench,
    async importing(content, options = {}, tools = bench(today)) {
      const file = join(folder, `products-${++files}.csv`)
      await writeFile(file, content)
      return importProducts(tools, {
        file,
        delimiter: ',',
        existing: 'update',
        dryRun: false,
        imagesDir: folder,
        mediaDir: join(folder, 'media'),
        downloadsDir: join(folder, 'data/downloads'),
        lookup: async () => ['93.184.216.34'],
        ...options,
      })
    },
    everything: () => everything(db),
    async empty() {
      await db.sql`truncate products, categories, brands, tags, attributes, images restart identity cascade`
    },
    async close() {
      await db.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function toolsAt(db: TestDatabase, now: Date, settings: object): ImportTools {
  let hex = 0
  return {
    db,
    settings: shopSettings.parse({ timeZone: 'Europe/Berlin', ...settings }),
    clock: { now: () => now, sleep: async () => {} },
    chance: { hex: () => `${++hex}`, alphanumeric: () => 'a', uuid: () => '', fraction: () => 0 },
    network: { fetch: async () => new Response('no', { status: 404 }) },
  }
}

async function everything(db: TestDatabase): Promise<Record<string, unknown>> {
  const tables = [
    ...['products', 'categories', 'product_categories', 'tags', 'product_tags', 'attributes', 'attribute_terms'],
    ...[
      'brands',
      'product_brands',
      'product_attributes',
      'variation_attributes',
      'product_images',
      'product_links',
      'stock_movements',
      'images',
    ],
  ]
  const all: Record<string, unknown> = {}
  for (const table of tables) {
    all[table] =
      await db.sql`select row_to_json(t)::text as row, ctid::text, xmin::text from ${db.sql(table)} t order by 1`
  }
  return all
}

/** Rows as a file of a spreadsheet: byte order mark, every cell quoted. */
export const csv = (...rows: readonly (readonly string[])[]) =>
  `\uFEFF${rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n`

/** Six products, references before what they refer to, on purpose. */
export const shop = `\uFEFF${`
ID,Type,SKU,Name,Published,Stock,Backorders allowed?,Weight (kg),Sale price,Regular price,Date sale price starts,Date sale price ends,Categories,Tags,Parent,Grouped products,Upsells,External URL,Position,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible,Attribute 1 global,Attribute 1 default,Attribute 2 name,Attribute 2 value(s),Meta: maker,Swatches
,grouped,SET,Breakfast set,1,,,,,,,,Table > Sets,,,"MUG, id:70",,,3,,,,,,,,,
,variation,MUG-G,Mug - Green,1,4,,0.35,16,18.50,2026-05-01,2026-05-10,,,MUG,,,,0,Colour,Sea green,,1,,Size,,,
,variable,MUG,Mug,1,,,,,,,,"Table > Cups, Table","new, clay",,,BOWL,,2,Colour,"Sea green, Amber",1,1,Amber,Size,"S, L",Ida,x
,variation,MUG-A,Mug - Amber,1,0,notify,0.35,,19,,,,,MUG,,,,1,Colour,amber,,1,,Size,L,,
70,simple,BOWL,Bowl,1,7,0,1.2,,24,,,Table,clay,,,,,1,,,,,,,,,
,external,BOOK,Mug,1,,,,,30,,,Books,,,,,https://books.example/clay,4,,,,,,,,,
`.trim()}\n`.replaceAll('\n', '\r\n')
