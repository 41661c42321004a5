import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { anImportBench, csv, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'

let bench: ImportBench
beforeAll(async () => {
  bench = await anImportBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.empty())

const file = csv(
  [
    'Type',
    'SKU',
    'Name',
    'Regular price',
    'Parent',
    'Categories',
    'Tags',
    'Attribute 1 name',
    'Attribute 1 value(s)',
    'Attribute 1 global',
  ],
  ['variable', 'A', 'Café Ærø Straße', '', '', 'Gläser > Für Öl', 'Süß', 'Größe', 'Groß, Übergroß', '1'],
  ['variation', 'A-1', 'Café Ærø Straße', '10', 'A', '', '', 'Größe', 'Groß', '1'],
)

async function slugs() {
  const { sql } = bench.db
  const of = async (rows: PromiseLike<readonly { slug?: string }[]>) => (await rows).map(({ slug }) => slug)
  return {
    product: await of(sql`select slug from products where parent_id is null order by id`),
    categories: await of(sql`select slug from categories order by id`),
    tags: await of(sql`select slug from tags order by id`),
    attributes: await of(sql`select slug from attributes order by id`),
    terms: await of(sql`select slug from attribute_terms order by id`),
    onProducts: await of(sql`select slug from product_attributes
      union all select slug || '=' || value from variation_attributes order by 1`),
  }
}

const german = () => bench.toolsAt(today, { language: 'de-DE' })

it('a new product, category, tag, attribute and value is spelled out wholly in its address, in German as Germans do', async () => {
  expect(await bench.importing(file, {}, german())).toMatchObject({ faults: [], created: 2 })
  expect(await slugs()).toEqual({
    product: ['cafe-aeroe-strasse'],
    categories: ['glaeser', 'fuer-oel'],
    tags: ['suess'],
    attributes: ['groesse'],
    terms: ['gross', 'uebergross'],
    onProducts: ['pa_groesse', 'pa_groesse=gross'],
  })
})

it('in another language it is spelled out by its letters alone', async () => {
  await bench.importing(file)
  expect(await slugs()).toMatchObject({
    product: ['cafe-aero-strasse'],
    categories: ['glaser', 'fur-ol'],
    attributes: ['grosse'],
    terms: ['gross', 'ubergross'],
  })
})

it('an address that there is never changes by itself: not by an import, not by another language', async () => {
  await bench.importing(file)
  // As an older version of the shop created them.
  const { sql } = bench.db
  await sql`update products set slug = 'cafe-ærø-straße' where sku = 'A'`
  await sql`update categories set slug = 'für-öl' where name = 'Für Öl'`
  await sql`update attributes set slug = 'große'`
  await sql`update product_attributes set slug = 'pa_große'`
  await sql`update attribute_terms set slug = 'groß' where name = 'Groß'`
  await sql`update variation_attributes set slug = 'pa_große', value = 'groß'`
  const before = await slugs()
  expect(await bench.importing(file.replaceAll('"10"', '"12"'), {}, german())).toMatchObject({ faults: [], created: 0 })
  const after = await slugs()
  expect(after).toEqual({ ...before, onProducts: ['pa_große', 'pa_große=groß'] })
})
