import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readListingFilters } from '#contract/catalog/listing-query.ts'
import { shopSettings } from '#contract/shared/settings.ts'
import { catalogChanged, changesSince } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { importProducts } from '../import/import-products.ts'
import { interfaceTranslator } from '../translation/translator.ts'
import { type CatalogTools, cachedCatalog, waitForNewestCatalog } from './cached-catalog.ts'
import { emptyCatalogCache } from './catalog-cache.ts'
import type { ListingFacts } from './catalog-facts.ts'
import { type ListingRequest, readListing } from './read-listing.ts'
import { suggest } from './suggest-searches.ts'

let db: TestDatabase
const now = new Date('2026-05-10T12:00:00Z')

const catalogCache = emptyCatalogCache()

function tools(settings: object = {}): CatalogTools {
  return {
    db,
    settings: shopSettings.parse({ swatches: { colour: { red: '#aa0000' } }, ...settings }),
    clock: { now: () => now, sleep: async () => {} },
    log: systemLog('silent'),
    translator: async () => interfaceTranslator('en-US'),
    exchange: noExchange('USD'),
    pageSlugs: () => new Set(),
    catalogCache,
    taxRates: [
      {
        id: 1,
        country: 'US',
        state: 'CA',
        postcodes: [],
        cities: [],
        ratePpm: 100_000,
        name: 'CA',
        priority: 1,
        compound: false,
        shipping: false,
        class: '',
      },
    ],
  }
}

const file = `Type,SKU,Name,Published,Visibility in catalog,In stock?,Stock,Backorders allowed?,Sale price,Regular price,Categories,Tags,Parent,Tax status,Attribute 1 name,Attribute 1 value(s),Attribute 1 global,Attribute 2 name,Attribute 2 value(s),Attribute 2 global
simple,MUG,Ceramic Mug,1,visible,1,,,8,10,Home > Kitchen,,,taxable,Material,Clay,1,,,
simple,POT,Teapot,1,visible,1,,,,40,Home > Kitchen,gift,,taxable,Material,"Clay, Steel",1,,,
simple,RUG,Rug,1,visible,0,,,,90,Home,gift,,none,Material,Wool,1,,,
variable,HOOD,Hoodie,1,visible,1,,,,,Clothes,gift,,taxable,Colour,"Red, Blue, Green",1,Size,"S, M",1
variation,HOOD-RS,Hoodie,1,visible,1,2,0,,50,,,HOOD,taxable,Colour,Red,1,Size,S,1
variation,HOOD-BM,Hoodie,1,visible,1,,,,60,,,HOOD,taxable,Colour,Blue,1,Size,M,1
variation,HOOD-GM,Hoodie,1,visible,0,,,,60,,,HOOD,taxable,Colour,Green,1,Size,M,1
variable,TEE,Tee,1,visible,backorder,,notify,,,Clothes,,,taxable,Colour,"Red, Blue",1,Size,"S, M",1
variation,TEE-R,Tee,1,visible,backorder,,notify,,20,,,TEE,taxable,Colour,Red,1,,,
simple,SECRET,Secret red thing,1,hidden,1,,,,1,Home,,,taxable,Colour,Red,1,,,
`

beforeAll(async () => {
  db = await aDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'facets-'))
  await writeFile(join(folder, 'shop.csv'), file)
  const chance = { hex: () => 'a', alphanumeric: () => 'a', uuid: () => '', fraction: () => 0 }
  const report = await importProducts(
    { ...tools(), chance, network: { fetch: async () => new Response() } },
    {
      file: join(folder, 'shop.csv'),
      delimiter: ',',
      existing: 'update',
      dryRun: false,
      imagesDir: folder,
      mediaDir: folder,
      downloadsDir: join(folder, 'downloads'),
      lookup: async () => [],
    },
  )
  expect(report.faults).toEqual([])
})
afterAll(() => db.close())

const read = (query: string, request: Partial<ListingRequest> = { kind: 'shop' }, settings: object = {}) =>
  readListing(tools(settings), {
    ...request,
    filters: readListingFilters(new URLSearchParams(query)),
  } as ListingRequest) // The partial request always contains its kind.
const names = (facts: ListingFacts | null) => facts?.products.map(({ name }) => name).sort()
const counts = (facts: ListingFacts | null, name: string) => {
  const facet = facts?.facets.find((it) => it.name === name)
  return facet?.kind === 'options' ? facet.options.map(({ value, count }) => `${value} ${count}`) : facet
}

describe('a listing narrowed by facets', () => {
  it.each<[string, string[]]>([
    ['', ['Ceramic Mug', 'Hoodie', 'Rug', 'Teapot', 'Tee']],
    ['filter_material=clay', ['Ceramic Mug', 'Teapot']],
    ['filter_material=clay,wool', ['Ceramic Mug', 'Rug', 'Teapot']],
    ['filter_material=clay,steel&query_type_material=and', ['Teapot']],
    ['filter_material=clay,steel&query_type_material=or', ['Ceramic Mug', 'Teapot']],
    // Green is sold out, and a tee of any size comes in both.
    ['filter_colour=green', []],
    ['filter_colour=red', ['Hoodie', 'Tee']],
    ['filter_size=m', ['Hoodie', 'Tee']],
    ['filter_colour=red,blue&filter_product_cat=clothes&filter_stock_status=onbackorder', ['Tee']],
    ['filter_product_cat=home', ['Ceramic Mug', 'Rug', 'Teapot']],
    ['filter_product_cat=kitchen,clothes', ['Ceramic Mug', 'Hoodie', 'Teapot', 'Tee']],
    ['filter_stock_status=outofstock', ['Rug']],
    ['filter_on_sale=1', ['Ceramic Mug']],
    ['min_price=40&max_price=55', ['Hoodie', 'Teapot']],
    ['max_price=8', ['Ceramic Mug']],
    ['max_price=7.99', []],
    ['min_price=60.01', ['Rug']],
    ['min_price=52&max_price=58', ['Hoodie']],
    ['min_price=55&max_price=45', []],
  ])('LIST-06 by %j holds %j', async (query, expected) => {
    const facts = await read(query)
    expect(names(facts)).toEqual(expected)
    expect(facts?.total).toBe(expected.length)
  })

  it('LIST-06 narrows a category, a tag and a search alike', async () => {
    expect(names(await read('filter_material=steel', { kind: 'category', categoryPath: 'home' }))).toEqual(['Teapot'])
    expect(names(await read('filter_stock_status=instock', { kind: 'tag', tag: 'gift' }))).toEqual(['Hoodie', 'Teapot'])
    expect(names(await read('filter_on_sale=1', { kind: 'search', term: 'clay' }))).toEqual(['Ceramic Mug'])
  })

  it('counts the options of a facet under all the others', async () => {
    const all = await read('')
    expect(counts(all, 'filter_material')).toEqual(['clay 2', 'steel 1', 'wool 1'])
    expect(counts(all, 'filter_colour')).toEqual(['red 2', 'blue 1'])
    expect(counts(all, 'filter_product_cat')).toEqual(['home 3', 'clothes 2'])
    expect(counts(all, 'filter_stock_status')).toEqual(['instock 3', 'onbackorder 1', 'outofstock 1'])
    expect(counts(all, 'filter_on_sale')).toEqual(['1 1'])

    const clay = await read('filter_material=clay')
    // Its own choice does not remove the others …
    expect(counts(clay, 'filter_material')).toEqual(['clay 2', 'steel 1', 'wool 1'])
    // … but filters the other facets; options without products are not offered.
    expect(counts(clay, 'filter_colour')).toBeUndefined()
    expect(counts(clay, 'filter_product_cat')).toBeUndefined()
    // If all values are required, another value narrows further.
    const both = await read('filter_material=clay,steel&query_type_material=and')
    expect(counts(both, 'filter_material')).toEqual(['clay 1', 'steel 1'])

    const kitchen = await read('filter_product_cat=home')
    expect(counts(kitchen, 'filter_product_cat')).toEqual(['home 3', 'kitchen 2', 'clothes 2'])
  })

  it('links each choice to the listing with it or, once chosen, without it', async () => {
    const facts = await read('filter_colour=red&filter_on_sale=0&orderby=price', { kind: 'shop', sorting: 'price' })
    const colour = facts?.facets.find(({ name }) => name === 'filter_colour')
    expect(colour?.kind === 'options' && colour.options).toEqual([
      {
        value: 'red',
        label: 'Red',
        count: 2,
        selected: true,
        url: '/shop/?orderby=price',
        swatch: { kind: 'colour', colour: '#aa0000' },
      },
      {
        value: 'blue',
        label: 'Blue',
        count: 1,
        selected: false,
        url: '/shop/?filter_colour=blue%2Cred&orderby=price',
        swatch: null,
      },
    ])
    expect(facts?.chosen).toEqual([{ label: 'Red', url: '/shop/?orderby=price' }])
    expect(facts?.clearUrl).toBe('/shop/?orderby=price')
    expect(facts?.path).toBe('/shop/?filter_colour=red&orderby=price')
    expect((await read(''))?.clearUrl).toBeNull()
    const found = await read('filter_on_sale=1', { kind: 'search', term: 'clay' })
    expect(found?.query).toEqual({ s: 'clay', post_type: 'product', filter_on_sale: '1' })
    expect(found?.clearUrl).toBe('/?s=clay&post_type=product')
  })

  it('says from where to where prices go without the price facet, in whole units', async () => {
    const price = async (query: string, settings: object = {}) =>
      (await read(query, { kind: 'shop' }, settings))?.facets.find(({ kind }) => kind === 'price')
    const usd = (minor: number) => ({ minor, currency: 'USD' })
    expect(await price('')).toMatchObject({ lowest: usd(800), highest: usd(9000), from: null, to: null })
    expect(await price('max_price=10')).toMatchObject({ highest: usd(9000), to: usd(1000) })
    expect(await price('filter_product_cat=clothes')).toMatchObject({ lowest: usd(2000), highest: usd(6000) })
    // 8.00 and the untaxed 90.00 with 10 % tax where there is any: 8.80 and 90.00.
    const withTax = { taxes: { displayShop: 'incl' } }
    expect(await price('', withTax)).toMatchObject({ lowest: usd(800), highest: usd(9000) })
    expect(names(await read('max_price=8.79', { kind: 'shop' }, withTax))).toEqual([])
    expect(names(await read('max_price=8.80', { kind: 'shop' }, withTax))).toEqual(['Ceramic Mug'])
    expect(names(await read('min_price=90', { kind: 'shop' }, withTax))).toEqual(['Rug'])
  })

  it('offers no products that are out of stock when the shop hides them', async () => {
    const facts = await read('', { kind: 'shop' }, { hideOutOfStock: true })
    expect(facts?.total).toBe(4)
    expect(counts(facts, 'filter_stock_status')).toEqual(['instock 3', 'onbackorder 1'])
    expect(counts(facts, 'filter_product_cat')).toEqual(['home 2', 'clothes 2'])
    expect(facts?.categories.map(({ productCount }) => productCount)).toEqual([2, 2])
  })
})

const search = (term: string) => readListing(tools(), { kind: 'search', term })

describe('a search', () => {
  it.each<[string, string[], string | null]>([
    ['hodie', ['Hoodie'], 'hoodie'],
    ['ceramc mug', ['Ceramic Mug'], 'ceramic mug'],
    ['hoodie', ['Hoodie'], null],
    ['kitchen', ['Ceramic Mug', 'Teapot'], null],
    ['red', ['Hoodie', 'Tee'], null],
    ['HOOD-BM', ['Hoodie'], null],
    ['hood-', ['Hoodie'], null],
    ['secret', [], null],
  ])('LIST-06 for %j finds %j', async (term, expected, corrected) => {
    const facts = await search(term)
    expect(names(facts)).toEqual(expected)
    expect(facts?.correctedTerm).toBe(corrected)
  })

  it('suggests products and the categories that begin so', async () => {
    const facts = await suggest(tools(), 'cl')
    expect(facts.categories).toEqual([{ name: 'Clothes', slug: 'clothes', url: '/product-category/clothes/' }])
    expect(facts.products.map(({ name }) => name)).toEqual(['Ceramic Mug', 'Hoodie', 'Teapot', 'Tee'])
    expect(facts).toMatchObject({ term: 'cl', total: 4, url: '/?s=cl&post_type=product' })
    expect(await suggest(tools(), '')).toMatchObject({ products: [], categories: [], total: 0 })
  })
})

describe('what a process knows of the catalogue', () => {
  const change = (ids: readonly number[], column: 'stock_quantity' | 'short_description', value: number | string) =>
    db.kysely.transaction().execute(async (tx) => {
      await tx
        .updateTable('products')
        .set({ [column]: value })
        .where('id', 'in', ids)
        .execute()
      await catalogChanged(tx, await deriveColumns(tx, ids, now))
    })
  const idOf = async (sku: string) =>
    (await db.kysely.selectFrom('products').select('id').where('sku', '=', sku).executeTakeFirstOrThrow()).id

  it('follows the sale of a last piece by reading one product', async () => {
    const before = await cachedCatalog(tools())
    expect(counts(await read(''), 'filter_colour')).toEqual(['red 2', 'blue 1'])
    const id = await idOf('HOOD-RS')
    await change([id], 'stock_quantity', 0)
    // Only the blue one in M is left of the hoodie; the tee comes in both sizes.
    const after = await read('')
    expect(counts(after, 'filter_colour')).toEqual(['red 1', 'blue 1'])
    expect(counts(after, 'filter_size')).toEqual(['s 1', 'm 2'])
    const catalog = await cachedCatalog(tools())
    expect(catalog.version).toBe(before.version + 1)
    expect(catalog.book).toBe(before.book)
    expect(catalog.words).toBe(before.words)
    await change([id], 'stock_quantity', 2)
    expect(counts(await read(''), 'filter_colour')).toEqual(['red 2', 'blue 1'])
  })

  it('reads everything again when the words of a product changed', async () => {
    const before = await cachedCatalog(tools())
    expect(names(await search('porridge'))).toEqual([])
    await change([await idOf('MUG')], 'short_description', 'For porridge too')
    await waitForNewestCatalog(tools())
    expect(names(await search('porridge'))).toEqual(['Ceramic Mug'])
    expect((await cachedCatalog(tools())).book).not.toBe(before.book)
  })

  it('catches up over many versions, as long as their changes are noted', async () => {
    const { version } = await changesSince(db.sql, 0)
    await change([await idOf('MUG')], 'stock_quantity', 0)
    await change([await idOf('POT')], 'stock_quantity', 0)
    const both = [await idOf('MUG'), await idOf('POT')]
    expect(await changesSince(db.sql, version)).toEqual({ version: version + 2, products: both })
    await db.sql`delete from catalog_changes where version = ${version + 1}`
    expect(await changesSince(db.sql, version)).toEqual({ version: version + 2, products: null })
    await catalogChanged(db.kysely)
    expect((await changesSince(db.sql, version + 2)).products).toBeNull()
    // After a restore of an older backup.
    expect((await changesSince(db.sql, version + 99)).products).toBeNull()
  })

  it('is read at once by all who ask first', async () => {
    const catalogs = await Promise.all([cachedCatalog(tools()), cachedCatalog(tools()), cachedCatalog(tools())])
    expect(new Set(catalogs).size).toBe(1)
  })
})
