import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import { productsForCart } from '#database/cart/cart-products.ts'
import { noExchange } from '#domain/currency/exchange.ts'
import { systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { importProducts } from '../import/import-products.ts'
import { interfaceTranslator } from '../translation/translator.ts'
import { type CatalogTools, readMenu } from './cached-catalog.ts'
import { emptyCatalogCache } from './catalog-cache.ts'
import type { ListingFacts } from './catalog-facts.ts'
import { type ListingRequest, readListing } from './read-listing.ts'
import { readProduct, readVariation } from './read-product.ts'
import { readShelves, type Shelf } from './read-product-sections.ts'

let db: TestDatabase
const now = new Date('2026-05-10T12:00:00Z')

const california = {
  id: 1,
  country: 'US',
  state: 'CA',
  postcodes: [],
  cities: [],
  ratePpm: 72_500,
  name: 'CA',
  priority: 1,
  compound: false,
  shipping: false,
  class: '',
}

const catalogCache = emptyCatalogCache()

function tools(settings: object = {}, at = now): CatalogTools {
  return {
    db,
    settings: shopSettings.parse({ productsPerPage: 4, ...settings }),
    clock: { now: () => at, sleep: async () => {} },
    log: systemLog('silent'),
    translator: async () => interfaceTranslator('en-US'),
    exchange: noExchange('USD'),
    pageSlugs: () => new Set(),
    catalogCache,
    taxRates: [california],
  }
}

const header =
  'Type,SKU,Name,Published,Is featured?,Visibility in catalog,Short description,In stock?,Stock,Backorders allowed?,Sale price,Regular price,Categories,Tags,Parent,Grouped products,Upsells,Position,Tax status,Attribute 1 name,Attribute 1 value(s),Attribute 1 global,Attribute 1 default'
const shop = `${header}
simple,VASE,Slender vase,1,1,visible,"Blown glass, café au lait",1,,,30,40,"Home > Glass, Home",tall,,,CARAFE,2,taxable,Material,Glass,1,
simple,CARAFE,Carafe,1,0,visible,Blown glass,1,5,0,,24,Home > Glass,,,,,1,taxable,,,,
simple,HID,Hidden glass,1,0,hidden,,1,,,,10,Home > Glass,,,,,0,taxable,,,,
simple,ONLY,Glass for searchers,1,0,search,,1,,,,12,Home > Glass,,,,,0,taxable,,,,
simple,SHOWN,Catalogue only glass,1,0,catalog,,1,,,,14,Home,,,,,3,taxable,,,,
simple,DRAFT,Draft glass,-1,0,visible,,1,,,,14,Home,,,,,3,taxable,,,,
simple,SOLD,Sold out bowl,1,0,visible,,0,,,,18,Home,tall,,,,5,none,,,,
simple,FREE,Unpriced thing,1,0,visible,,1,,,,,Home,,,,,6,taxable,,,,
variable,CUP,Cup,1,0,visible,,1,,,,,Table & Co,tall,,,,4,taxable,Colour,"Sea green, Amber",1,Amber
variation,CUP-G,Cup,1,0,visible,,1,3,0,10,12,,,CUP,,,0,taxable,Colour,Sea green,1,
variation,CUP-A,Cup,1,0,visible,,1,0,notify,10,12,,,CUP,,,1,taxable,Colour,Amber,1,
grouped,SET,Set,1,0,visible,,1,,,,,Table & Co,,,"CUP, CARAFE",,7,taxable,,,,
`

beforeAll(async () => {
  db = await aDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'listing-'))
  await writeFile(join(folder, 'shop.csv'), shop)
  const chance = { hex: () => 'a', alphanumeric: () => 'a', uuid: () => '', fraction: () => 0 }
  const network = { fetch: async () => new Response() }
  const report = await importProducts(
    { ...tools(), chance, network },
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

const names = (facts: ListingFacts | null) => facts?.products.map(({ name }) => name)

describe('a listing', () => {
  it('shows what is published and visible, in the order of the menu, page by page', async () => {
    const first = await readListing(tools(), { kind: 'shop' })
    expect(names(first)).toEqual(['Carafe', 'Slender vase', 'Catalogue only glass', 'Cup'])
    expect(first).toMatchObject({
      title: 'Shop',
      path: '/shop/',
      page: 1,
      pageCount: 2,
      perPage: 4,
      total: 7,
      sorting: 'menu_order',
    })
    expect(first?.categories.map(({ name, productCount }) => [name, productCount])).toEqual([
      ['Home', 5],
      ['Table & Co', 2],
    ])
    expect(names(await readListing(tools(), { kind: 'shop', page: 2 }))).toEqual([
      'Sold out bowl',
      'Unpriced thing',
      'Set',
    ])
    expect(await readListing(tools(), { kind: 'shop', page: 3 })).toBeNull()
  })

  it.each<[string, string[]]>([
    ['price', ['Cup', 'Set', 'Catalogue only glass', 'Sold out bowl']],
    ['price-desc', ['Slender vase', 'Carafe', 'Sold out bowl', 'Catalogue only glass']],
    ['date', ['Set', 'Cup', 'Unpriced thing', 'Sold out bowl']],
  ])('LIST-01 sorts by %s', async (sorting, expected) => {
    const facts = await readListing(tools(), { kind: 'shop', sorting })
    // The set starts at the cup's price: among equals the older id comes first.
    expect(names(facts)).toEqual(expected)
    expect(facts?.path).toBe(`/shop/?orderby=${sorting}`)
    expect(facts?.query).toEqual({ orderby: sorting })
    expect(facts?.sortings).toEqual(['menu_order', 'popularity', 'rating', 'date', 'price', 'price-desc'])
  })

  it('puts what has no price at the end of both orders of price', async () => {
    for (const sorting of ['price', 'price-desc']) {
      expect(names(await readListing(tools(), { kind: 'shop', sorting, page: 2 }))?.at(-1)).toBe('Unpriced thing')
    }
  })

  it('of a category holds the categories below it, and says the way to it', async () => {
    const home = await readListing(tools(), { kind: 'category', categoryPath: 'home' })
    expect(names(home)).toEqual(['Carafe', 'Slender vase', 'Catalogue only glass', 'Sold out bowl'])
    expect(home?.total).toBe(5)
    expect(home?.categories.map(({ url }) => url)).toEqual(['/product-category/home/glass/'])
    const glass = await readListing(tools(), { kind: 'category', categoryPath: 'home/glass' })
    expect(names(glass)).toEqual(['Carafe', 'Slender vase'])
    expect(glass?.ancestors).toEqual([{ name: 'Home', slug: 'home', url: '/product-category/home/' }])
    expect(await readListing(tools(), { kind: 'category', categoryPath: 'glass' })).toBeNull()
    expect(names(await readListing(tools(), { kind: 'category', categoryPath: 'table-co' }))).toEqual(['Cup', 'Set'])
  })

  it('of a tag holds what carries it', async () => {
    const tall = await readListing(tools(), { kind: 'tag', tag: 'tall' })
    expect(names(tall)).toEqual(['Slender vase', 'Cup', 'Sold out bowl'])
    expect(await readListing(tools(), { kind: 'tag', tag: 'none' })).toBeNull()
  })

  it('leaves out what is out of stock when the shop hides it', async () => {
    expect((await readListing(tools({ hideOutOfStock: true }), { kind: 'shop' }))?.total).toBe(6)
    expect((await readListing(tools(), { kind: 'shop' }))?.total).toBe(7)
  })

  it('gives each card its price, stock and terms', async () => {
    const facts = await readListing(tools({ productsPerPage: 24 }), { kind: 'shop' })
    const card = (name: string) => facts?.products.find((product) => product.name === name)
    const usd = (minor: number) => ({ minor, currency: 'USD' })
    expect(card('Slender vase')).toMatchObject({
      sku: 'VASE',
      url: '/product/slender-vase/',
      onSale: true,
      featured: true,
      purchasable: true,
      price: { kind: 'sale', regular: usd(4000), price: usd(3000) },
      categories: [{ name: 'Home' }, { name: 'Glass', url: '/product-category/home/glass/' }],
      tags: [{ name: 'tall', url: '/product-tag/tall/' }],
    })
    expect(card('Cup')).toMatchObject({
      price: { kind: 'sale', regular: usd(1200), price: usd(1000) },
      hasDefaultAttributes: true,
      stock: 'instock',
    })
    expect(card('Set')).toMatchObject({ price: { kind: 'range', from: usd(1000), to: usd(2400) }, purchasable: false })
    expect(card('Unpriced thing')).toMatchObject({ price: { kind: 'none' }, purchasable: false })
  })

  it('shows prices with the tax of the shop when it shows them so', async () => {
    const facts = await readListing(tools({ taxes: { displayShop: 'incl' } }), {
      kind: 'shop',
      sorting: 'price',
      page: 2,
    })
    const price = (name: string) => facts?.products.find((product) => product.name === name)?.price
    // 24.00 × 1.0725 and 30.00 × 1.0725, rounded half up.
    expect(price('Carafe')).toEqual({ kind: 'single', price: { minor: 2574, currency: 'USD' } })
    expect(price('Slender vase')).toMatchObject({ price: { minor: 3218, currency: 'USD' } })
  })

  it('sees a change of the catalogue at once', async () => {
    await db.sql`insert into products (type, sku, name, slug, regular_price, min_price, max_price) values ('simple', 'NEW', 'New', 'new', 1, 1, 1)`
    const { catalogChanged } = await import('#database/catalog/catalog-version.ts')
    await catalogChanged(db.kysely)
    expect((await readListing(tools(), { kind: 'shop' }))?.total).toBe(8)
    await db.sql`delete from products where sku = 'NEW'`
    await catalogChanged(db.kysely)
    expect((await readListing(tools(), { kind: 'shop' }))?.total).toBe(7)
  })

  it('finds out after a while about changes that nobody announced', async () => {
    await db.sql`insert into products (type, name, slug) values ('simple', 'By hand', 'by-hand')`
    const total = async (minutes: number) =>
      (await readListing(tools({}, new Date(now.getTime() + minutes * 60_000)), { kind: 'shop' }))?.total
    expect(await total(0)).toBe(7)
    await total(2)
    await expect.poll(() => total(2)).toBe(8)
    await db.sql`delete from products where name = 'By hand'`
    const { catalogChanged } = await import('#database/catalog/catalog-version.ts')
    await catalogChanged(db.kysely)
  })
})

describe('a search', () => {
  const search = (term: string, more: Partial<ListingRequest> = {}) =>
    readListing(tools({ productsPerPage: 24 }), { ...more, kind: 'search', term })

  it.each<[string, string[]]>([
    ['glass', ['Glass for searchers', 'Carafe', 'Slender vase']],
    ['glass blo', ['Carafe', 'Slender vase']],
    ['CAFÉ', ['Slender vase']],
    ['cup-a', ['Cup']],
    ['vase', ['Slender vase']],
    ['hidden', []],
    ['draft', []],
    ['', []],
    ["'; drop table products; --", []],
    ['xq & ! | ( :* \0 \\', []],
  ])('for %j finds %j', async (term, expected) => {
    expect(names(await search(term))).toEqual(expected)
  })

  it('sorts by relevance unless told otherwise', async () => {
    const facts = await search('glass')
    expect(facts).toMatchObject({
      sorting: 'relevance',
      searchTerm: 'glass',
      path: '/?s=glass&post_type=product',
      total: 3,
    })
    expect(names(await search('glass', { sorting: 'price-desc' }))).toEqual([
      'Slender vase',
      'Carafe',
      'Glass for searchers',
    ])
    expect(await search('glass', { page: 2 })).toBeNull()
  })
})

describe('a product page', () => {
  it('holds everything about the product, with the way to it', async () => {
    const vase = await readProduct(tools(), 'slender-vase')
    expect(vase).toMatchObject({
      name: 'Slender vase',
      shortDescription: 'Blown glass, café au lait',
      stockQuantity: null,
      maxQuantity: null,
      attributes: [
        { slug: 'pa_material', label: 'Material', options: [{ value: 'glass', label: 'Glass' }], forVariations: false },
      ],
      ancestors: [{ name: 'Home' }, { name: 'Glass' }],
      upsells: [{ name: 'Carafe', price: { kind: 'single' } }],
    })
    expect(vase?.related.map(({ name }) => name)).not.toContain('Slender vase')
    expect(vase?.related.map(({ name }) => name)).not.toContain('Carafe')
    expect(vase?.related).toHaveLength(3)
    expect(await readProduct(tools(), 'carafe')).toMatchObject({ stockQuantity: 5, maxQuantity: 5, lowStockAmount: 2 })
    expect((await readProduct(tools(), 'set'))?.grouped.map(({ name }) => name)).toEqual(['Cup', 'Carafe'])
  })

  it('is there for products hidden from lists, and not for drafts or unknown ones', async () => {
    expect((await readProduct(tools(), 'hidden-glass'))?.name).toBe('Hidden glass')
    for (const slug of ['draft-glass', 'nothing', 'variation:10', '\0'])
      expect(await readProduct(tools(), slug)).toBeNull()
  })

  it('lists variations in their order, with what they take from the product', async () => {
    const cup = await readProduct(tools(), 'cup')
    expect(cup?.variationsInline).toBe(true)
    expect(cup?.attributes).toMatchObject([
      { slug: 'pa_colour', label: 'Colour', forVariations: true, defaultOption: 'amber' },
    ])
    expect(cup?.variations).toMatchObject([
      {
        sku: 'CUP-G',
        attributes: { pa_colour: 'sea-green' },
        stock: 'instock',
        stockQuantity: 3,
        maxQuantity: 3,
        purchasable: true,
        displayPrice: { minor: 1000 },
        displayRegularPrice: { minor: 1200 },
      },
      { sku: 'CUP-A', stock: 'onbackorder', stockQuantity: 0, maxQuantity: null, backorders: 'notify' },
    ])
  })

  it('finds the variation for what was chosen', async () => {
    const cup = await readProduct(tools(), 'cup')
    const id = cup?.id ?? 0
    expect((await readVariation(tools(), id, { pa_colour: 'amber' }))?.sku).toBe('CUP-A')
    expect(await readVariation(tools(), id, { pa_colour: 'blue' })).toBeNull()
    expect(await readVariation(tools(), id, {})).toBeNull()
    expect(await readVariation(tools(), 999, { pa_colour: 'amber' })).toBeNull()
  })
})

it('the shop has shelves, the menu its categories', async () => {
  const names = async (...shelves: Omit<Shelf, 'count'>[]) => {
    const read = await readShelves(
      tools(),
      shelves.map((shelf) => ({ ...shelf, count: 3 })),
    )
    return read.map((products) => products.map(({ name }) => name))
  }
  const [featured, onSale, newest] = await names({ from: 'featured' }, { from: 'sale' }, { from: 'newest' })
  expect(featured).toEqual(['Slender vase'])
  expect(onSale).toEqual(['Slender vase', 'Cup', 'Set'])
  expect(newest).toHaveLength(3)
  // Hand-picked products in their order, also by the SKU of a variation; unavailable ones are left out.
  expect(await names({ skus: ['cup-a', 'NONE', 'VASE', 'CUP'] })).toEqual([['Cup', 'Slender vase']])
  const [glass, none] = await names({ category: 'glass' }, { category: 'no-such-thing' })
  expect(glass).toContain('Slender vase')
  expect(none).toEqual([])
  expect((await readMenu(tools())).map(({ name, url }) => [name, url])).toEqual([
    ['Home', '/product-category/home/'],
    ['Table & Co', '/product-category/table-co/'],
  ])
})

describe('products for a cart', () => {
  it('bring along what their parent decides, and categories with those above', async () => {
    const ids = await db.sql<{ id: number; sku: string }[]>`select id, sku from products`
    const id = (sku: string) => ids.find((row) => row.sku === sku)?.id ?? 0
    const products = await productsForCart(db, [id('VASE'), id('CUP-G'), 999_999], now)
    expect([...products.keys()].toSorted((a, b) => a - b)).toEqual([id('VASE'), id('CUP-G')].toSorted((a, b) => a - b))
    const paths = await db.sql<{ id: number }[]>`select id from categories where slug in ('home', 'glass') order by id`
    expect(products.get(id('VASE'))).toMatchObject({
      parentId: null,
      name: 'Slender vase',
      regularPrice: 4000,
      salePrice: 3000,
      stockOwner: null,
      chosen: {},
      categoryIds: paths.map((row) => row.id),
    })
    expect(products.get(id('CUP-G'))).toMatchObject({
      parentId: id('CUP'),
      type: 'variation',
      name: 'Cup',
      slug: 'cup',
      sku: 'CUP-G',
      stockOwner: id('CUP-G'),
      stockQuantity: 3,
      chosen: { pa_colour: 'sea-green' },
      attributes: [
        {
          slug: 'pa_colour',
          label: 'Colour',
          forVariations: true,
          options: [{ value: 'sea-green', label: 'Sea green' }, { value: 'amber' }],
        },
      ],
    })
  })

  it('count what others hold, but neither the own order nor what has expired', async () => {
    const [carafe] = await db.sql<{ id: number }[]>`select id from products where sku = 'CARAFE'`
    const id = carafe?.id ?? 0
    const hold = async (session: string, quantity: number, until: string) => {
      const [order] = await db.sql<{ id: number }[]>`
        insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, billing, shipping, payment_method,
          payment_method_title, created_at, updated_at, total)
        values (${session}, 'pending', ${session}, 'i', '', 'USD', false, '{}', '{}', '', '', now(), now(), 1) returning id`
      await db.sql`insert into stock_reservations values (${order?.id ?? 0}, ${id}, ${quantity}, ${until})`
      return order?.id ?? 0
    }
    const own = await hold('own', 1, '2026-05-10T13:00:00Z')
    await hold('other', 2, '2026-05-10T13:00:00Z')
    await hold('late', 1, '2026-05-10T11:00:00Z')
    const held = async (except: object) => (await productsForCart(db, [id], now, except)).get(id)?.reservedByOthers
    expect(await held({})).toBe(3)
    expect(await held({ orderId: own })).toBe(2)
    expect(await held({ sessionId: 'own' })).toBe(2)
  })
})
