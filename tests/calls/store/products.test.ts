import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StoreCollectionRecord, type StoreProductRecord, storeProduct } from '#contract/catalog/store-products.ts'
import type { StoreFiledTermRecord, StoreTermRecord } from '#contract/catalog/store-terms.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { StoreClient } from '#tests/support/rest/store-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let client: StoreClient
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { languages: [{ tag: 'de-DE' }] } })
  client = new StoreClient(shop)
  await shop.db.sql`insert into brands (id, name, slug, description) values (7, 'Kiln & Co', 'kiln', 'Potters')`
  await shop.db.sql`insert into product_brands (product_id, brand_id) values (${await shop.idOf('MUG')}, 7)`
  await shop.db.sql`update products set average_rating = 4.5, rating_count = 2 where sku = 'BOWL'`
  await shop.db
    .sql`insert into reviews (product_id, author, email, rating, content, status, verified, created_at, updated_at)
    select id, 'Ida <i>', 'ida@example.test', 5, 'Deep.' || chr(10) || '<script>1</script>', 'approved', true,
      '2026-03-01T10:00:00Z'::timestamptz, now() from products where sku = 'BOWL'
    union all select id, 'Bob', 'bob@example.test', 4, 'Round.', 'approved', false, '2026-04-01T10:00:00Z'::timestamptz, now()
      from products where sku = 'BOWL'
    union all select id, 'Spam', 'spam@example.test', 1, 'Buy!', 'hold', false, now(), now() from products where sku = 'MUG'`
  await catalogChanged(shop.db.kysely)
})
afterAll(() => shop.close())

const list = async (query = '') => (await client.get<StoreProductRecord[]>(`products?per_page=100&${query}`)).body
const skus = async (query: string) => (await list(query)).map(({ sku }) => sku)
const sorted = async (query: string) => (await skus(query)).sort()

describe('wc/store/v1/products', () => {
  it('describes a product with every member, and its prices in minor units', async () => {
    const { status, body } = await client.get<StoreProductRecord>(`products/${await shop.idOf('BOWL')}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(Object.keys(storeProduct.shape))
    expect(body).toMatchObject({
      name: 'Soup bowl',
      type: 'simple',
      parent: 0,
      on_sale: true,
      prices: { price: '1550', regular_price: '2000', sale_price: '1550', price_range: null, currency_code: 'USD' },
      average_rating: '4.50',
      review_count: 2,
      is_purchasable: true,
      is_in_stock: true,
      weight: '0.6',
      formatted_weight: '0.6 kg',
      add_to_cart: { text: 'Add to cart', minimum: 1, maximum: 50 },
      permalink: `${shop.url}/product/soup-bowl/`,
    })
    expect(body.price_html).toContain('<del')
    expect(body.images[0]?.src).toMatch(/^http.*\/media\/[0-9a-f]{64}-\d+\.webp$/)
    expect(body.categories.map(({ slug }) => slug)).toEqual(['kitchen'])
    const bySlug = await client.get<StoreProductRecord>('products/soup-bowl')
    expect(bySlug.body).toEqual(body)
    for (const path of ['products/999999', 'products/nowhere']) {
      const { status: none, code } = await client.fail('GET', path)
      expect([path, none, code]).toEqual([path, 404, 'woocommerce_rest_product_invalid_id'])
    }
  })

  it('describes a variable product with its variations, which are products as well', async () => {
    const { body: shirt } = await client.get<StoreProductRecord>('products/linen-shirt')
    expect(shirt).toMatchObject({
      type: 'variable',
      has_options: true,
      prices: { price: '4000', price_range: { min_amount: '4000', max_amount: '4400' } },
      add_to_cart: { text: 'Select options' },
    })
    expect(shirt.attributes.map(({ name, has_variations, taxonomy }) => [name, has_variations, taxonomy])).toEqual([
      ['Colour', true, 'pa_colour'],
      ['Size', true, null],
    ])
    expect(shirt.variations[0]?.attributes).toEqual([
      { name: 'Colour', value: 'sand' },
      { name: 'Size', value: null },
    ])
    const id = await shop.idOf('SHIRT-SEA-M')
    const { body: variation } = await client.get<StoreProductRecord>(`products/${id}`)
    expect(variation).toMatchObject({ id, type: 'variation', parent: shirt.id, variation: 'Colour: Sea, Size: M' })
    expect(await sorted(`type=variation&parent=${shirt.id}`)).toEqual(['SHIRT-SAND', 'SHIRT-SEA-L', 'SHIRT-SEA-M'])
    expect(await sorted(`parent=${shirt.id}&stock_status=outofstock`)).toEqual(['SHIRT-SEA-L'])
  })

  it('has pages, with their number and links', async () => {
    const all = await list()
    const { body, headers } = await client.get<StoreProductRecord[]>('products?per_page=2&page=2&orderby=id&order=asc')
    expect(headers.get('x-wp-total')).toBe(String(all.length))
    expect(headers.get('x-wp-totalpages')).toBe(String(Math.ceil(all.length / 2)))
    expect(headers.get('link')).toContain('rel="prev"')
    const byId = (await list('orderby=id&order=asc')).map(({ id }) => id)
    expect(body.map(({ id }) => id)).toEqual(byId.slice(2, 4))
    expect((await list('orderby=id&order=asc&offset=3')).map(({ id }) => id)).toEqual(byId.slice(3))
    const bad = await client.fail('GET', 'products?per_page=101')
    expect([bad.status, bad.code]).toEqual([400, 'rest_invalid_param'])
  })

  it('filters by each parameter of the table', async () => {
    const [mug, bowl, shirt] = [await shop.idOf('MUG'), await shop.idOf('BOWL'), await shop.idOf('SHIRT')]
    expect(await skus('slug=soup-bowl')).toEqual(['BOWL'])
    expect(await skus('sku=shirt-sea-m')).toEqual(['SHIRT'])
    expect(await sorted(`include=${mug},${bowl}`)).toEqual(['BOWL', 'MUG'])
    expect(await skus(`include=${shirt},${mug}&orderby=include`)).toEqual(['SHIRT', 'MUG'])
    expect(await skus(`exclude=${mug}`)).not.toContain('MUG')
    expect(await skus('search=linen')).toContain('SHIRT')
    expect(await skus('featured=true')).toEqual(['MUG'])
    expect(await skus('featured=false')).not.toContain('MUG')
    expect(await sorted('on_sale=true')).toEqual(['BOWL', 'SET'])
    expect(await skus('on_sale=false')).not.toContain('BOWL')
    expect(await sorted('category=cups')).toEqual(['MUG'])
    expect(await sorted('category=kitchen&tag=clay')).toEqual(['BOWL', 'MUG'])
    expect(await skus('category=kitchen&category_operator=not_in')).not.toContain('BOWL')
    expect(await skus('category=nowhere')).toEqual([])
    expect(await sorted('tag=clay')).toEqual(['BOWL', 'MUG'])
    expect(await skus('tag=clay,nowhere&tag_operator=and')).toEqual([])
    expect(await skus('brand=kiln')).toEqual(['MUG'])
    expect(await skus('brand=7&brand_operator=not_in')).not.toContain('MUG')
    expect(await skus('min_price=1500&max_price=1600&type=simple')).toEqual(['BOWL'])
    expect(await skus('type=variable')).toEqual(['SHIRT'])
    expect(await skus('stock_status=outofstock')).toEqual(['GONE'])
    expect(await skus('rating=5')).toEqual(['BOWL'])
    expect(await skus('attributes[0][attribute]=pa_colour&attributes[0][slug]=sea')).toEqual(['SHIRT'])
    expect(await skus('attributes[0][attribute]=pa_colour&attributes[0][slug]=pink')).toEqual([])
    expect(
      await skus('attributes[0][attribute]=pa_colour&attributes[0][slug]=sea&attributes[0][operator]=not_in'),
    ).not.toContain('SHIRT')
    expect(await skus('after=2999-01-01')).toEqual([])
    expect((await skus('before=2999-01-01T00:00:00&date_column=modified')).length).toBeGreaterThan(3)
    expect(await skus(`related=${mug}`)).not.toContain('MUG')
    expect(await skus('catalog_visibility=hidden')).not.toContain('MUG')
    expect(await skus('catalog_visibility=visible')).toContain('MUG')
    const byPrice = (await list('orderby=price&order=asc&stock_status=instock')).map(({ prices }) =>
      Number(prices.price),
    )
    expect(byPrice).toEqual(byPrice.toSorted((a, b) => a - b))
    const byName = (await list('orderby=title&order=asc')).map(({ name }) => name)
    expect(byName[0]).toBeDefined()
    for (const order of ['date', 'modified', 'slug', 'popularity', 'rating', 'menu_order', 'comment_count']) {
      const [up, down] = [await list(`orderby=${order}&order=asc`), await list(`orderby=${order}&order=desc`)]
      expect([order, up.length]).toEqual([order, down.length])
    }
  })

  it('shows a change at once', async () => {
    await list('slug=plain-mug')
    await shop.db.kysely.transaction().execute(async (tx) => {
      await tx.updateTable('products').set({ name: 'Fine mug' }).where('sku', '=', 'MUG').execute()
      await catalogChanged(tx, [await shop.idOf('MUG')])
    })
    expect((await list('slug=plain-mug'))[0]?.name).toBe('Fine mug')
  })

  it('counts products for filters', async () => {
    const query =
      'calculate_price_range=true&calculate_stock_status_counts=true&calculate_rating_counts=true' +
      '&calculate_attribute_counts[0][taxonomy]=pa_colour&calculate_attribute_counts[0][query_type]=or' +
      '&calculate_taxonomy_counts[]=product_cat&calculate_taxonomy_counts[]=product_brand'
    const { body } = await client.get<StoreCollectionRecord>(`products/collection-data?${query}`)
    expect(body.price_range).toMatchObject({ currency_code: 'USD', min_price: expect.stringMatching(/^\d+$/) })
    expect(body.rating_counts).toEqual([{ rating: 5, count: 1 }])
    expect(body.stock_status_counts).toContainEqual({ status: 'outofstock', count: 1 })
    expect(body.attribute_counts).toHaveLength(2)
    expect(body.taxonomy_counts).toContainEqual({ term: 7, count: 1 })
    const narrow = await client.get<StoreCollectionRecord>(
      'products/collection-data?category=cups&calculate_price_range=1',
    )
    expect(narrow.body).toMatchObject({ price_range: { min_price: '1200', max_price: '1200' }, rating_counts: null })
    const none = await client.get<StoreCollectionRecord>('products/collection-data')
    expect(Object.values(none.body)).toEqual([null, null, null, null, null])
  })

  it('lists attributes and their terms, categories, tags and brands, with counts', async () => {
    const attributes = (await client.get<{ id: number; taxonomy: string }[]>('products/attributes')).body
    const colour = attributes.find(({ taxonomy }) => taxonomy === 'pa_colour')
    expect((await client.get(`products/attributes/${colour?.id}`)).body).toEqual(colour)
    const terms = (await client.get<StoreTermRecord[]>(`products/attributes/${colour?.id}/terms`)).body
    expect(terms.map(({ slug, count }) => [slug, count])).toEqual([
      ['sand', 1],
      ['sea', 1],
    ])
    const categories = (await client.get<StoreFiledTermRecord[]>('products/categories')).body
    const kitchen = categories.find(({ slug }) => slug === 'kitchen')
    expect(kitchen).toMatchObject({ parent: 0, count: 6, review_count: 2 })
    expect(kitchen?.permalink).toContain('/product-category/kitchen/')
    expect((await client.get(`products/categories/${kitchen?.id}`)).body).toEqual(kitchen)
    const below = (await client.get<StoreFiledTermRecord[]>(`products/categories?parent=${kitchen?.id}`)).body
    expect(below.map(({ slug }) => slug)).toEqual(['cups'])
    const tags = (await client.get<StoreFiledTermRecord[]>('products/tags?search=cla')).body
    expect(tags).toMatchObject([{ slug: 'clay', count: 2 }])
    const brands = (await client.get<StoreFiledTermRecord[]>('products/brands')).body
    expect(brands).toMatchObject([{ id: 7, name: 'Kiln &amp; Co', count: 1 }])
    expect((await client.get('products/brands/7')).body).toEqual(brands[0])
    const paged = await client.get<StoreFiledTermRecord[]>('products/categories?per_page=1&page=2&orderby=slug')
    expect([paged.body.length, paged.headers.get('x-wp-totalpages')]).toEqual([1, String(categories.length)])
    for (const path of [
      'products/attributes/999',
      'products/attributes/999/terms',
      'products/categories/999',
      'products/brands/999',
    ]) {
      const { status, code } = await client.fail('GET', path)
      expect([path, status, code]).toEqual([path, 404, 'woocommerce_rest_term_invalid'])
    }
  })

  it('T15 lists approved reviews alone, as text, without email addresses', async () => {
    const { body, headers } =
      await client.get<{ reviewer: string; review: string; rating: number }[]>('products/reviews')
    expect(headers.get('x-wp-total')).toBe('2')
    expect(body.map(({ reviewer, rating }) => [reviewer, rating])).toEqual([
      ['Bob', 4],
      ['Ida &lt;i&gt;', 5],
    ])
    expect(body[1]?.review).toBe('<p>Deep.<br>&lt;script&gt;1&lt;/script&gt;</p>')
    expect(JSON.stringify(body)).not.toContain('@example.test')
    const mug = await client.get<unknown[]>(`products/reviews?product_id=${await shop.idOf('MUG')}`)
    expect(mug.body).toEqual([])
    const byStars = await client.get<{ rating: number }[]>('products/reviews?orderby=rating&order=asc&per_page=1')
    expect(byStars.body.map(({ rating }) => rating)).toEqual([4])
  })

  it('answers in the language of the address', async () => {
    const german = new StoreClient(shop, 'token', '/de/wp-json/wc/store/v1')
    const { body } = await german.get<StoreProductRecord>('products/soup-bowl')
    expect(body.permalink).toContain(`${shop.url}/de/`)
    expect(body.add_to_cart.text).toBe('In den Warenkorb')
  })
})
