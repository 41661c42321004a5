import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { StoreProductRecord } from '#contract/catalog/store-products.ts'
import type { StoreFiledTermRecord } from '#contract/catalog/store-terms.ts'
import type { V3Product } from '#contract/catalog/v3-products.ts'
import { exportAllColumns } from '#shop/import/export-all-columns.ts'
import { importProducts } from '#shop/import/import-products.ts'
import { StoreClient } from '#tests/support/rest/store-client.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { say } from '#tests/support/translation/add-translations.ts'

/** A page shows a saved change within a second, on a machine that has nothing else to do. */
const patience = { timeout: 15_000, interval: 100 }

let shop: TestShop
let api: V3Client
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { languages: [{ tag: 'de-DE' }] } })
  api = await v3Client(shop)
  await imported('SKU,Brands\nMUG,"Kiln & Co > Studio"\nBOWL,"Kiln & Co, Loom"\n')
  await say(shop, 'de-DE', { Studio: 'Werkstatt' })
})
afterAll(() => shop.close())

async function imported(content: string) {
  const file = join(shop.dataDir, 'brands.csv')
  await writeFile(file, content)
  const report = await importProducts(shop.shop.application.tools, {
    file,
    delimiter: ',',
    existing: 'update',
    dryRun: false,
    imagesDir: shop.dataDir,
    mediaDir: join(shop.dataDir, 'media'),
    downloadsDir: join(shop.dataDir, 'downloads'),
    lookup: async () => [],
  })
  expect([report.ok, report.faults]).toEqual([true, []])
}

const page = async (path: string) => (await fetch(shop.url + path)).text()
/** The row of the brands in the product's table: label and names. */
const row = (html: string) => /attribute_pa_brand"><th[^>]*>([^<]*)<\/th><td[^>]*>([^<]*)<\/td>/.exec(html)?.slice(1)
const brandForSearchEngines = (html: string) => /"brand":(\{[^}]*\})/.exec(html)?.[1]
async function listed(query: string) {
  const ids = /<body[^>]* data-product-ids="([\d,]*)"/.exec(await page(`/shop/?${query}`))?.[1]?.split(',') ?? []
  const rows = await shop.db.sql<
    { sku: string }[]
  >`select sku from products where id = any(${ids}::bigint[]) order by sku`
  return rows.map(({ sku }) => sku)
}

describe('the brands of a product file', () => {
  it('are those of the REST interfaces, one below another', async () => {
    const { body: brands } = await api<StoreFiledTermRecord[]>('GET', 'products/brands?orderby=id')
    const [kiln, studio, loom] = brands
    expect(brands).toMatchObject([
      { name: 'Kiln & Co', slug: 'kiln-co', parent: 0, count: 1 },
      { name: 'Studio', slug: 'studio', parent: kiln?.id, count: 1 },
      { name: 'Loom', slug: 'loom', parent: 0, count: 1 },
    ])
    const { body: mug } = await api<V3Product>('GET', `products/${await shop.idOf('MUG')}`)
    expect(mug.brands).toEqual([{ id: studio?.id, name: 'Studio', slug: 'studio' }])
    expect(mug.attributes.map(({ name }) => name)).not.toContain('Brand')
    const client = new StoreClient(shop)
    const { body: record } = await client.get<StoreProductRecord>(`products/${await shop.idOf('BOWL')}`)
    expect(record.brands.map(({ id }) => id)).toEqual([kiln?.id, loom?.id])
    // The link of a brand is the list of its products.
    expect(await listed(new URL(record.brands[1]?.link ?? '').search.slice(1))).toEqual(['BOWL'])
  })

  it('leave with the long file as they came, also those that a program set', async () => {
    const { body: wheel } = await api<{ id: number }>('POST', 'products/brands', { name: 'Wheel > 1' })
    const id = await shop.idOf('LATER')
    await api('PUT', `products/${id}`, { brands: [{ id: wheel.id }] })
    const lines: string[] = []
    for await (const line of exportAllColumns({ ...shop.shop.application.tools, publicUrl: shop.url })) lines.push(line)
    const before = await shop.db.sql`select * from product_brands order by 1, 2`
    expect(lines.join('\n')).toMatch(/Kiln & Co > Studio/)
    expect(lines.join('\n')).toMatch(/Wheel &gt; 1/)
    await imported(`${lines.join('\n')}\n`)
    expect(await shop.db.sql`select * from product_brands order by 1, 2`).toEqual(before)
    await api('PUT', `products/${id}`, { brands: [] })
    await api('DELETE', `products/brands/${wheel.id}?force=true`)
  })

  it('are a row of the product page, translated, and the brand that search engines read', async () => {
    const { slug } = (await shop.db.sql<{ slug: string }[]>`select slug from products where sku = 'MUG'`)[0] ?? {}
    const html = await page(`/product/${slug}/`)
    expect(row(html)).toEqual(['Brand', 'Studio'])
    expect(brandForSearchEngines(html)).toBe('{"@type":"Brand","name":"Studio"}')
    await vi.waitFor(
      async () => expect(row(await page(`/de/product/${slug}/`))).toEqual(['Marke', 'Werkstatt']),
      patience,
    )
  })

  it('LIST-06 narrow a listing, a brand with all below it', async () => {
    expect(await listed('filter_brand=studio')).toEqual(['MUG'])
    expect(await listed('filter_brand=kiln-co')).toEqual(['BOWL', 'MUG'])
    expect(await listed('filter_brand=loom,studio')).toEqual(['BOWL', 'MUG'])
    expect(await listed('filter_brand=kiln-co,loom&query_type_brand=and')).toEqual(['BOWL'])
    const choices = (html: string) =>
      [...html.matchAll(/filter_brand=([\w-]+)"[^>]*>(?:<[^>]*>)*([^<]*)/g)].map(([, value, label]) => [value, label])
    expect(choices(await page('/shop/'))).toEqual([
      ['kiln-co', 'Kiln &amp; Co'],
      ['studio', 'Studio'],
      ['loom', 'Loom'],
    ])
    const german = await page('/de/shop/')
    expect(choices(german)).toContainEqual(['studio', 'Werkstatt'])
    expect(german).toMatch(/>Marke</)
    // The interface's own word is no text that a translator is asked for.
    expect(
      await shop.db.sql`select original from translation_originals where original = 'Brand' and area = 'content'`,
    ).toEqual([])
  })

  it('are found by their names', async () => {
    const found = async (term: string) =>
      /data-product-ids="([\d,]*)"/.exec(await page(`/?s=${term}&post_type=product`))?.[1]
    expect(await found('loom')).toBe(String(await shop.idOf('BOWL')))
  })

  it('follow a brand that a program renames', async () => {
    const { body: brands } = await api<{ id: number; slug: string }[]>('GET', 'products/brands?slug=loom')
    await api('PUT', `products/brands/${brands[0]?.id}`, { name: 'Big Loom', slug: 'big-loom' })
    await vi.waitFor(async () => expect(await listed('filter_brand=big-loom')).toEqual(['BOWL']), patience)
    await imported('SKU,Brands\nBOWL,big loom\n')
    await vi.waitFor(async () => expect(await listed('filter_brand=kiln-co')).toEqual(['MUG']), patience)
    expect(await listed('filter_brand=big-loom')).toEqual(['BOWL'])
  })
})

describe('an attribute that is called Brand', () => {
  it('has the brands among its values: one row and one facet', async () => {
    await imported('SKU,Brands,Attribute 1 name,Attribute 1 value(s),Attribute 1 global\nLATER,Loft,Brand,Atelier,1\n')
    const { slug } = (await shop.db.sql<{ slug: string }[]>`select slug from products where sku = 'LATER'`)[0] ?? {}
    expect(row(await page(`/product/${slug}/`))).toEqual(['Brand', 'Loft, Atelier'])
    await vi.waitFor(async () => expect(await listed('filter_brand=atelier')).toEqual(['LATER']), patience)
    expect(await listed('filter_brand=loft')).toEqual(['LATER'])
    const attributes = (await new StoreClient(shop).get<{ id: number; taxonomy: string }[]>('products/attributes')).body
    const own = attributes.find(({ taxonomy }) => taxonomy === 'pa_brand')
    const terms = await new StoreClient(shop).get<{ slug: string }[]>(`products/attributes/${own?.id}/terms`)
    expect(terms.body.map((term) => term.slug)).toEqual(['atelier'])
  })
})
