import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aClassicShop, type ClassicShop } from '#tests/support/import/classic-shop.ts'
import { aMigrationBench, type MigrationBench, noteTexts } from '#tests/support/import/migration-bench.ts'

let shop: ClassicShop
let bench: MigrationBench
beforeEach(async () => {
  shop = await aClassicShop()
  bench = await aMigrationBench()
})
afterEach(async () => {
  await shop.close()
  await bench.close()
})

describe('a migration', () => {
  it('brings settings, taxes and shipping, and only reads at the source', async () => {
    const { report, stopped } = await bench.migrate(shop)
    expect(stopped).toBeNull()
    expect([...new Set(shop.requests.map(({ method }) => method))]).toEqual(['GET'])
    expect(shop.requests.filter(({ status }) => status === 405)).toEqual([])
    const settings = Object.fromEntries(report.settings.map(({ key, after }) => [key, after]))
    expect(settings).toMatchObject({
      name: 'Hearth & Kiln',
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
      'priceFormat.decimalSeparator': ',',
      'base.country': 'DE',
      'base.state': 'DE-RP',
      'taxes.pricesIncludeTax': true,
      sellTo: ['DE', 'AT'],
      hideOutOfStock: true,
      'accounts.registration': false,
    })
    expect(
      await bench.db
        .sql`select country, state, postcodes, cities, rate_ppm, name, priority, compound, shipping, class from tax_rates order by id`,
    ).toEqual([
      expect.objectContaining({ country: 'DE', rate_ppm: 190_000, name: 'VAT', class: '' }),
      expect.objectContaining({ country: 'DE', rate_ppm: 70_000, class: 'reduced-rate' }),
      expect.objectContaining({ country: 'AT', rate_ppm: 200_000, shipping: false }),
      expect.objectContaining({
        postcodes: ['562*', '56300...56310'],
        cities: ['HÖHR'],
        rate_ppm: 55_000,
        class: 'books',
      }),
      expect.objectContaining({ country: 'US', state: 'NY', priority: 2, compound: true, rate_ppm: 88_750 }),
    ])
    expect(
      await bench.db.sql`select z.id, name, zone_order, countries, postcodes, method, title, m.settings
        from shipping_zones z join shipping_methods m on m.zone_id = z.id order by zone_order, z.id, position`,
    ).toMatchObject([
      { id: 0, method: 'local_pickup', settings: { taxable: false } },
      {
        name: 'Germany',
        zone_order: 1,
        countries: ['DE'],
        postcodes: ['562*'],
        method: 'flat_rate',
        settings: { cost: '4.90', classCosts: { bulky: '12' }, classMode: 'order' },
      },
      {
        name: 'Germany',
        method: 'free_shipping',
        settings: { requires: 'min_amount', min_amount: '80', ignoreDiscounts: true },
      },
      { name: 'Austria', zone_order: 2, method: 'flat_rate', settings: { cost: '9.90' } },
    ])
  })

  it('brings terms, products, variations, links, pictures and files', async () => {
    const { report } = await bench.migrate(shop)
    const { sql } = bench.db
    expect(
      await sql`select id, type, sku, name, slug, status, regular_price, sale_price, manage_stock, stock_quantity, parent_id from products order by id`,
    ).toEqual([
      {
        id: 101,
        type: 'simple',
        sku: 'BEAKER',
        name: 'Beaker',
        slug: 'beaker-classic',
        status: 'publish',
        regular_price: 1850,
        sale_price: null,
        manage_stock: 'yes',
        stock_quantity: 12,
        parent_id: null,
      },
      expect.objectContaining({ id: 102, type: 'variable', sku: null, slug: 'vase' }),
      expect.objectContaining({ id: 103, type: 'grouped' }),
      expect.objectContaining({ id: 104, type: 'external', regular_price: 9000 }),
      expect.objectContaining({ id: 106, sku: 'RECIPES', regular_price: 1000 }),
      expect.objectContaining({ id: 107, slug: 'тарелка', status: 'draft', regular_price: 2000, sale_price: 1400 }),
      expect.objectContaining({ id: 108, status: 'private', stock_quantity: -2, regular_price: null }),
      expect.objectContaining({ id: 109, sku: '=ODD', name: '=Odd name, with a comma', sale_price: null }),
      expect.objectContaining({
        id: 201,
        type: 'variation',
        name: 'Vase - Sand, S',
        manage_stock: 'parent',
        parent_id: 102,
      }),
      expect.objectContaining({ id: 202, sku: null, name: 'Vase - Deep blue, S', stock_quantity: 2 }),
      expect.objectContaining({ id: 203, name: 'Vase - Deep blue, L', sale_price: 4900 }),
    ])
    const [beaker] =
      await sql`select description, weight_grams, length_mm, height_mm, featured, gtin, shipping_class, meta, low_stock_amount from products where id = 101`
    expect(beaker).toEqual({
      description: '<p>Holds <strong>200 ml</strong>.</p>\n<p>Path C:\\new</p>',
      weight_grams: 240,
      length_mm: 80,
      height_mm: 95,
      featured: true,
      gtin: '4006381333931',
      shipping_class: 'bulky',
      meta: { glaze: 'ash' },
      low_stock_amount: 4,
    })
    const [plate] = await sql`select sale_from, sale_to, tax_class from products where id = 107`
    expect(plate).toEqual({
      sale_from: new Date('2024-05-31T22:00:00Z'),
      sale_to: new Date('2031-06-30T21:59:59Z'),
      tax_class: 'reduced-rate',
    })
    expect(
      await sql`select c.name, c.slug, p.name as above, c.description, c.image_id is not null as pictured from categories c left join categories p on p.id = c.parent_id order by c.id`,
    ).toEqual([
      { name: 'Uncategorized', slug: 'uncategorized', above: null, description: '', pictured: false },
      { name: 'Table & Kitchen', slug: 'kitchen', above: null, description: 'For the table.', pictured: true },
      { name: 'Cups, bowls', slug: 'cups-bowls', above: 'Table & Kitchen', description: '', pictured: false },
      { name: 'Living', slug: 'living', above: null, description: '', pictured: false },
    ])
    expect(
      await sql`select product_id, c.slug from product_categories pc join categories c on c.id = pc.category_id order by 1`,
    ).toEqual([
      { product_id: 101, slug: 'cups-bowls' },
      { product_id: 102, slug: 'kitchen' },
      { product_id: 107, slug: 'kitchen' },
      { product_id: 108, slug: 'uncategorized' },
    ])
    expect(
      await sql`select t.name, t.description from product_tags pt join tags t on t.id = pt.tag_id order by 1`,
    ).toEqual([
      { name: 'Tom & Jo', description: '' },
      { name: 'handmade', description: 'Thrown by hand' },
    ])
    expect(await sql`select product_id, b.slug from product_brands pb join brands b on b.id = pb.brand_id`).toEqual([
      { product_id: 101, slug: 'kiln-no-4' },
    ])
    expect(
      await sql`select slug, options, visible, for_variations, default_option, attribute_id is not null as shared from product_attributes order by product_id, position`,
    ).toEqual([
      {
        slug: 'care',
        options: ['Dishwasher', 'Oven, up to 200 °C'],
        visible: true,
        for_variations: false,
        default_option: '',
        shared: false,
      },
      {
        slug: 'pa_color',
        options: ['sand', 'deep-blue'],
        visible: true,
        for_variations: true,
        default_option: 'deep-blue',
        shared: true,
      },
      { slug: 'pa_size', options: ['s', 'l'], visible: false, for_variations: true, default_option: '', shared: true },
    ])
    expect(await sql`select product_id, slug, value from variation_attributes order by 1, 2`).toEqual([
      { product_id: 201, slug: 'pa_color', value: 'sand' },
      { product_id: 201, slug: 'pa_size', value: 's' },
      { product_id: 202, slug: 'pa_color', value: 'deep-blue' },
      { product_id: 202, slug: 'pa_size', value: 's' },
      { product_id: 203, slug: 'pa_color', value: 'deep-blue' },
      { product_id: 203, slug: 'pa_size', value: 'l' },
    ])
    expect(await sql`select product_id, kind, linked_id from product_links order by 1, 2, position`).toEqual([
      { product_id: 101, kind: 'upsell', linked_id: 106 },
      { product_id: 101, kind: 'upsell', linked_id: 103 },
      { product_id: 103, kind: 'grouped', linked_id: 101 },
      { product_id: 103, kind: 'grouped', linked_id: 107 },
      { product_id: 106, kind: 'crosssell', linked_id: 101 },
    ])
    expect(await sql`select product_id, count(*)::int as pictures from product_images group by 1 order by 1`).toEqual([
      { product_id: 101, pictures: 2 },
      { product_id: 102, pictures: 1 },
      { product_id: 201, pictures: 1 },
    ])
    const [recipes] = await sql<
      { downloads: { id: string; name: string; url: string }[] }[]
    >`select downloads, download_limit, download_expiry_days from products where id = 106`
    expect(recipes).toMatchObject({
      downloads: [{ id: 'a1b2', name: 'Recipes', url: expect.stringMatching(/^[0-9a-f]{12}\/recipes\.txt$/) }],
      download_limit: 3,
      download_expiry_days: 30,
    })
    expect(await readdir(join(bench.dataDir, 'downloads', recipes?.downloads[0]?.url.slice(0, 12) ?? ''))).toEqual([
      'recipes.txt',
    ])
    // Nothing is left of the working files.
    expect(await readdir(join(bench.dataDir, 'migration'))).toEqual([])
    expect(noteTexts(report.differences)).toEqual(
      expect.arrayContaining([
        'products 105: "Monthly clay" has the type "subscription", which does not exist here',
        'products 106: the regular price 9.995 has more decimals than the currency and becomes 10.00',
        'products 108: has no price and cannot be bought',
        'products 109: the sale price 2 is not below the regular price 1 and is left out',
        'pictures 107: https://old.example/wp-content/uploads/missing.png could not be fetched (status 404): the product comes without it',
        'shipping zones 6: the method "Courier" (acme_courier) is of a plug-in and does not come',
      ]),
    )
  })

  it('brings coupons with their restrictions, and none that would apply to more than it should', async () => {
    const { report } = await bench.migrate(shop)
    const [category] = await bench.db.sql<{ id: number }[]>`select id from categories where slug = 'kitchen'`
    expect(
      await bench.db
        .sql`select code, type, amount_ppm, amount_minor, usage_limit, used, expires_at, settings from coupons order by id`,
    ).toMatchObject([
      {
        code: 'spring 15',
        type: 'percent',
        amount_ppm: 150_000,
        expires_at: new Date('2031-04-30T22:00:00Z'),
        settings: { categoryIds: [category?.id], excludeSaleItems: true, minimumAmount: 4000, maximumAmount: null },
      },
      {
        code: 'club',
        type: 'fixed_cart',
        amount_minor: 500,
        usage_limit: 100,
        used: 3,
        settings: { individualUse: true, usageLimitPerUser: 1, emails: ['*@club.example'] },
      },
      { code: 'beaker2', type: 'fixed_product', amount_minor: 200, settings: { productIds: [101], limitToItems: 2 } },
      { code: 'used-up', usage_limit: 1, used: 1 },
    ])
    expect(noteTexts(report.faults)).toContain(
      'coupons 306: products 105 are not here: the coupon would apply to everything',
    )
    expect(noteTexts(report.differences)).toEqual(
      expect.arrayContaining([
        'coupons 305: has the type "recurring_percent", which does not exist here',
        'coupons 307: has the status "draft" and does not come',
      ]),
    )
  })
})
