import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languages } from '#tests/support/import/files/languages.ts'
import { shopifyAndSheets } from '#tests/support/import/files/shopify-and-sheets.ts'
import type { ImportedProduct, TriedFile } from '#tests/support/import/files/tried-file.ts'
import { values } from '#tests/support/import/files/values.ts'
import { waysToWrite } from '#tests/support/import/files/ways-to-write.ts'
import { anImportBench, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'

const files: readonly TriedFile[] = [...waysToWrite, ...languages, ...values, ...shopifyAndSheets]

let bench: ImportBench
beforeAll(async () => {
  bench = await anImportBench()
})
afterAll(() => bench.close())

const inTheShop = () => bench.db.sql<ImportedProduct[]>`
  select p.sku, p.type, p.name, p.status, p.regular_price::int as regular, p.sale_price::int as sale,
    p.stock_quantity as stock, p.stock_status as "stockStatus", p.backorders, p.gtin, p.tax_status as "taxStatus",
    p.tax_class as "taxClass", p.weight_grams as grams, p.virtual, p.description, parent.sku as parent, p.meta,
    to_json(p.sale_to at time zone 'UTC')::text as "saleTo",
    array(select concat_ws(' > ', up.name, c.name) from product_categories pc join categories c on c.id = pc.category_id
      left join categories up on up.id = c.parent_id where pc.product_id = p.id order by c.id) as categories,
    array(select t.name from product_tags pt join tags t on t.id = pt.tag_id where pt.product_id = p.id order by 1) as tags,
    array(select concat_ws(' > ', up.name, b.name) from product_brands pb join brands b on b.id = pb.brand_id
      left join brands up on up.id = b.parent_id where pb.product_id = p.id order by b.id) as brands,
    array(select a.name || case when a.attribute_id is null then '' else '*' end || ': ' || array_to_string(a.options, ', ')
      from product_attributes a where a.product_id = p.id order by a.position) as attributes,
    array(select v.slug || ': ' || v.value from variation_attributes v where v.product_id = p.id order by 1) as chosen,
    array(select l.sku from product_links pl join products l on l.id = pl.linked_id
      where pl.product_id = p.id and pl.kind = 'upsell' order by pl.position) as upsells,
    array(select n.name from product_link_names n where n.product_id = p.id order by n.position) as waiting,
    (select count(*)::int from product_images i where i.product_id = p.id) as images
  from products p left join products parent on parent.id = p.parent_id`

describe('a file that people really have', () => {
  it('is in the table once', () => {
    expect(files.length).toBeGreaterThanOrEqual(60)
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
  })

  it.each(files.map((file) => [file.name, file.about, file] as const))(
    '%s (%s) brings in what the table says, and nothing new the second time',
    async (_, __, { content, options = {}, reading = {}, products, says }) => {
      await bench.empty()
      const tools = bench.toolsAt(today, { currency: 'EUR' })
      const report = await bench.importing(content, { delimiter: undefined, ...options }, tools)
      const texts = [...report.notes, ...report.faults].map(({ problem }) => problem)
      if (says !== undefined) expect(texts.join('\n')).toContain(says)
      if (report.reading) expect(report.reading).toMatchObject(reading)
      const found = (await inTheShop()).map((product) => ({
        ...product,
        saleTo: product.saleTo === null ? null : `${product.saleTo.replaceAll('"', '')}Z`,
      }))
      if (products.length === 0) {
        expect([report.ok, found]).toEqual([false, []])
        return
      }
      expect([report.ok, report.faults]).toEqual([true, []])
      for (const product of products) expect(found.find(({ sku }) => sku === product.sku)).toMatchObject({ ...product })
      const before = await bench.everything()
      const again = await bench.importing(content, { delimiter: undefined, ...options }, tools)
      expect(again).toMatchObject({ ok: true, created: 0, updated: 0 })
      expect(await bench.everything()).toEqual(before)
    },
  )

  it('is listed in the guide with its result', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../../docs/reference/import-files.md'), 'utf8')
    const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
    expect(rows).toEqual(
      files.map(({ name, about, products, says }) => {
        const count = products.length
        const came = count === 0 ? `rejected: ${says}` : `${count} ${count === 1 ? 'product' : 'products'}`
        const note = count > 0 && says !== undefined ? `; noted: ${says}` : ''
        return `| \`${name}\` | ${about.replaceAll('|', '\\|')} | ${came}${note} |`
      }),
    )
  })
})
