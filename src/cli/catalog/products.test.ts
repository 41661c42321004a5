import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { importCommand } from '../import/import.ts'
import { productsCommand } from './products.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.sql`truncate products, categories, settings, catalog_changes, stock_movements restart identity cascade`
  await db.sql`insert into products (type, sku, name, slug, regular_price, sale_price, manage_stock, stock_quantity) values
    ('simple', 'BOWL', 'Bowl', 'bowl', 2400, null, 'yes', 12),
    ('simple', '007', 'Spoon', 'spoon', 900, 800, 'no', null),
    ('variable', 'MUG', 'Mug', 'mug', null, null, 'no', null),
    ('simple', null, 'Gift 100%', 'gift', 500, null, 'no', null)`
  await db.sql`insert into products (type, sku, name, slug, parent_id, regular_price, manage_stock, stock_quantity) values
    ('variation', 'MUG-SAND', 'Mug', 'v1', 3, 1500, 'no', null), ('variation', 'MUG-SEA', 'Mug', 'v2', 3, 1800, 'yes', 3)`
  await db.sql`insert into categories (name, slug) values ('Table', 'table')`
  await db.sql`insert into categories (name, slug, parent_id) values ('Glass', 'glass', 1)`
  await db.sql`insert into product_categories (product_id, category_id) values (1, 2), (3, 1)`
  await db.kysely.transaction().execute((tx) => deriveColumns(tx, [1, 2, 3, 4], new Date()))
})

const products = (...args: string[]) => runCommand(productsCommand, db, ...args)
const stored = async (sku: string) => (await db.sql`select * from products where sku = ${sku}`)[0]
const names = async (...args: string[]) =>
  JSON.parse((await products('list', '--json', ...args)).out).map(({ name }: { name: string }) => name)
/** Which products the pages must be made again for, change by change. */
const told = async () =>
  (await db.sql`select product_id from catalog_changes order by version, product_id`).map(({ product_id: id }) => id)

describe('npm run shop -- products', () => {
  it('lists products with price and stock', async () => {
    await db.sql`insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total,
      billing, shipping, payment_method, payment_method_title, created_at, updated_at)
      values (1, 'k', 'pending', 's', 'i', '', 'USD', false, 1, '{}', '{}', 'cod', 'Cash', now(), now())`
    await db.sql`insert into stock_reservations values (1, 1, 2, now() + interval '1 hour')`
    const { code, out } = await products()
    await db.sql`delete from orders`
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SKU', 'Name', 'Type', 'Price (USD)', 'Stock', 'Sold', 'Status'],
      ['BOWL', 'Bowl', 'simple', '24.00', '12, 2 held', '0', 'publish'],
      ['id:4', 'Gift 100%', 'simple', '5.00', 'in stock', '0', 'publish'],
      ['MUG', 'Mug', 'variable', '15.00 to 18.00', 'in stock', '0', 'publish'],
      ['007', 'Spoon', 'simple', '8.00 (9.00)', 'in stock', '0', 'publish'],
    ])
  })

  it('says at once what was sold, before the listings count it, and of whole products alone', async () => {
    await db.sql`insert into sales_news (product_id, pieces) values (3, 2), (3, 3), (1, 1), (1, -1)`
    const { out } = await products('list', '--variations', '--sort', 'sold')
    await db.sql`delete from sales_news`
    const sold = out.split('\n').map((line) => line.split(/ {2,}/))
    expect(sold.slice(1, 3)).toEqual([
      ['MUG', 'Mug', 'variable', '15.00 to 18.00', 'in stock', '5', 'publish'],
      ['BOWL', 'Bowl', 'simple', '24.00', '12', '0', 'publish'],
    ])
    expect(sold.filter(([, , type]) => type === 'variation').map((cells) => cells.at(-2))).toEqual(['in stock', '3'])
  })

  it('takes the list apart', async () => {
    await products('trash', '007')
    await products('hide', 'id:4')
    expect(await names()).toEqual(['Bowl', 'Gift 100%', 'Mug'])
    expect(await names('--status', 'trash')).toEqual(['Spoon'])
    expect(await names('--status', 'private')).toEqual(['Gift 100%'])
    expect(await names('mUg')).toEqual(['Mug'])
    expect(await names('--search', 'BOW')).toEqual(['Bowl'])
    expect(await names('100%')).toEqual(['Gift 100%'])
    expect(await names('w%l')).toEqual([])
    expect(await names('--category', 'table')).toEqual(['Bowl', 'Mug'])
    expect(await names('--category', 'glass')).toEqual(['Bowl'])
    expect(await names('--type', 'variation')).toEqual(['Mug', 'Mug'])
    expect(await names('--variations', '--stock', 'low')).toEqual([])
    await products('stock', 'MUG-SEA', '--count', '2')
    expect(await names('--variations', '--stock', 'low')).toEqual(['Mug'])
    expect(await names('--sort', 'newest', '--limit', '1')).toHaveLength(1)
  })

  it('goes from page to page', async () => {
    expect((await products('--limit', '3')).err).toBe('1 to 3 of 4. Next page: --page 2')
    const last = await products('--limit', '3', '--page', '2')
    expect([last.out.split('\n').length, last.err]).toEqual([2, ''])
    expect((await products('--page', '9')).err).toBe('This page is empty: the list has 4 rows and ends on page 1.')
  })

  it('writes all of them for a spreadsheet, unless told how many', async () => {
    await db.sql`insert into products (type, sku, name, slug)
      select 'simple', 'MANY-' || n, 'Many', 'many-' || n from generate_series(1, 30) n`
    const { out, err } = await products('--csv', '--search', 'MANY')
    expect([out.split('\n').length, err]).toEqual([31, ''])
    expect((await products('--csv', '--search', 'MANY', '--limit', '2')).out.split('\n')).toHaveLength(3)
  })

  it('writes lines for a spreadsheet in which nothing runs', async () => {
    await products('edit', 'BOWL', '--name', '=1+1, "quoted"')
    expect((await products('--csv', '--search', 'BOWL')).out).toBe(
      `SKU,Name,Type,Price (USD),Stock,Sold,Status\nBOWL,"'=1+1, ""quoted""",simple,24.00,12,0,publish`,
    )
  })

  it("exports a file that the import recognises as this shop's own: IDs are products, and what was not changed stays", async () => {
    await products('edit', '007', '--name', 'Salt &amp; <pepper>')
    const { out, code } = await products('export')
    expect(code).toBe(0)
    const folder = await mkdtemp(join(tmpdir(), 'export-'))
    const file = join(folder, 'products.csv')
    const imported = async (text: string) => {
      await writeFile(file, text)
      return (await runCommand(importCommand, db, file, '--update')).err
    }
    expect(await imported(out)).toMatch(/^Imported 6 rows in .* s: 0 created, 0 updated, 6 unchanged, 0 skipped/)
    const whole = (await products('export', '--all')).out
    expect(whole).toMatch(/^Shop mark,ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Slug,Published,/)
    expect(await imported(whole)).toMatch(/^Imported 6 rows in .* s: 0 created, 0 updated, 6 unchanged, 0 skipped/)
    // The one without an SKU is named by its ID alone.
    expect(await imported(out.replace('Gift 100%,1,5.00', 'Gift 100%,1,6.00'))).toContain('1 updated, 5 unchanged')
    expect(await db.sql`select regular_price from products where id = 4`).toEqual([{ regular_price: 600 }])
    // In another shop the same file means nothing but its SKUs.
    await db.sql`update shop_mark set mark = gen_random_uuid()`
    expect(await imported(out.replaceAll('BOWL,', 'OTHER,'))).toContain('--ids foreign')
    await rm(folder, { recursive: true })
  })

  it('changes prices by the decimals of the currency, and tells which pages to make again', async () => {
    expect((await products('edit', 'BOWL', '--price', '25', '--sale-price', '19.5')).code).toBe(0)
    expect(await stored('BOWL')).toMatchObject({
      regular_price: 2500,
      sale_price: 1950,
      min_price: 1950,
      on_sale: true,
      stock_quantity: 12,
      name: 'Bowl',
    })
    expect(await told()).toEqual([1])
    expect((await products('edit', 'BOWL', '--sale-price', '')).code).toBe(0)
    expect(await stored('BOWL')).toMatchObject({ sale_price: null, min_price: 2500, on_sale: false })
    await products('edit', 'MUG-SAND', '--price', '12')
    expect(await stored('MUG')).toMatchObject({ min_price: 1200, max_price: 1800 })
    expect(await told()).toEqual([1, 1, 3])
    expect((await products('edit', 'MUG-SAND', '--price', '12.00')).err).toBe(
      'No change: the products have these values already.',
    )
    expect(await told()).toEqual([1, 1, 3])
  })

  it('puts a product on sale for whole days of the shop', async () => {
    await db.sql`insert into settings (key, value) values ('timeZone', '"Europe/Berlin"')`
    await products('edit', 'BOWL', '--sale-price', '20', '--sale-from', '2090-11-27', '--sale-to', '2090-11-30')
    expect(await stored('BOWL')).toMatchObject({
      sale_from: new Date('2090-11-26T23:00:00Z'),
      sale_to: new Date('2090-11-30T22:59:59.999Z'),
      on_sale: false,
      min_price: 2400,
    })
    expect((await products('show', 'BOWL')).out).toMatch(/^Sale price +20\.00 USD from 2090-11-27 to 2090-11-30$/m)
    // By the shop's clocks even where it has moved since.
    await db.sql`update settings set value = '"America/New_York"' where key = 'timeZone'`
    const { out } = await products('show', 'BOWL')
    expect(out).toMatch(/^Sale price +20\.00 USD from 2090-11-26 18:00:00 to 2090-11-30 17:59:59$/m)
    await db.sql`update settings set value = '"Europe/Berlin"' where key = 'timeZone'`
    const { code, err } = await products('edit', 'BOWL', '--sale-to', '2090-11-01')
    expect([code, err]).toEqual([
      1,
      'Error: --sale-to "2090-11-01": must not lie before the day the sale starts (BOWL)',
    ])
  })

  it('changes several products, all of them or none', async () => {
    expect((await products('edit', 'BOWL,007', 'id:4', '--tax-class', 'Reduced rate')).code).toBe(0)
    const classes = await db.sql`select tax_class from products where id in (1, 2, 4)`
    expect(classes.map(({ tax_class }) => tax_class)).toEqual(['reduced-rate', 'reduced-rate', 'reduced-rate'])
    const { code, err } = await products('edit', 'BOWL', '007', '--sale-price', '10')
    expect([code, err]).toEqual([1, 'Error: --sale-price "10": must be lower than the regular price (007)'])
    expect(await stored('BOWL')).toMatchObject({ sale_price: null })
  })

  it('says which words a switch takes', async () => {
    const { code, err } = await products('edit', 'BOWL', '--featured', 'maybe')
    expect([code, err]).toEqual([1, 'Error: --featured "maybe": must be 1 or 0, yes or no (BOWL)'])
  })

  it('refuses a tax class that the shop does not have', async () => {
    const { code, err } = await products('edit', 'BOWL', '--tax-class', 'luxury')
    expect([code, err]).toEqual([
      1,
      'Error: --tax-class "luxury": must be a tax class of the shop: reduced-rate, zero-rate (BOWL)',
    ])
    await db.sql`insert into settings (key, value) values ('taxes', '{"classes": ["Luxury goods"]}')`
    expect((await products('edit', 'BOWL', '--tax-class', 'luxury goods')).code).toBe(0)
    expect((await db.sql`select tax_class from products where sku = 'BOWL'`)[0]).toEqual({ tax_class: 'luxury-goods' })
    expect((await products('edit', 'BOWL', '--tax-class', '')).code).toBe(0)
  })

  it('FLOW-08 makes a product one that is had for nothing only with what can be charged later', async () => {
    expect((await products('edit', 'BOWL', '--keeps-method', 'yes')).code).toBe(0)
    expect(await stored('BOWL')).toMatchObject({ keeps_method: true })
    await products('edit', 'BOWL', '--price', '25')
    expect(await stored('BOWL')).toMatchObject({ keeps_method: true })
    await products('edit', 'BOWL', '--keeps-method', 'no')
    expect(await stored('BOWL')).toMatchObject({ keeps_method: false })
    const { code, err } = await products('edit', 'BOWL', '--keeps-method', 'perhaps')
    expect([code, err]).toEqual([1, expect.stringMatching(/^Error: --keeps-method[^:]*: /)])
  })

  it('counts stock, moves it and keeps the movements', async () => {
    await products('stock', 'BOWL', '--count', '9')
    await products('stock', 'BOWL', '--by', '-2')
    await products('stock', 'BOWL', '--by', '+1')
    expect(await stored('BOWL')).toMatchObject({ stock_quantity: 8, stock_status: 'instock' })
    const movements = await db.sql`select change, kind from stock_movements order by id`
    expect(movements.map(({ change, kind }) => `${kind} ${change}`)).toEqual(['counted -3', 'counted -2', 'counted 1'])
    await products('stock', 'BOWL', '--by', '-8')
    expect(await stored('BOWL')).toMatchObject({ stock_quantity: 0, stock_status: 'outofstock' })
    await products('stock', 'BOWL', '--status', 'onbackorder')
    expect(await stored('BOWL')).toMatchObject({
      manage_stock: 'no',
      stock_quantity: null,
      stock_status: 'onbackorder',
    })
    await products('stock', 'BOWL', '--count', '4')
    expect(await stored('BOWL')).toMatchObject({ manage_stock: 'yes', stock_quantity: 4, stock_status: 'instock' })
  })

  it('takes no piece twice when two count at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => products('stock', 'BOWL', '--by', '-2')))
    expect(await stored('BOWL')).toMatchObject({ stock_quantity: 0 })
  })

  it('publishes, hides and puts away', async () => {
    for (const [word, status] of [
      ['hide', 'private'],
      ['trash', 'trash'],
      ['publish', 'publish'],
    ] as const) {
      expect((await products(word, 'MUG-SEA', 'BOWL')).code).toBe(0)
      expect([(await stored('BOWL'))?.status, (await stored('MUG-SEA'))?.status]).toEqual([status, status])
      // Without the dearer variation the parent costs what is left of it.
      expect((await stored('MUG'))?.max_price).toBe(status === 'publish' ? 1800 : 1500)
    }
    expect(await told()).toEqual([1, 3, 1, 3, 1, 3])
  })

  it('shows one product with what stands around it', async () => {
    await products('stock', 'MUG-SEA', '--count', '7')
    const { out } = await products('show', 'MUG')
    for (const line of [
      /^Mug$/m,
      /^Page +http:\/\/shop\.test\/product\/mug\/$/m,
      /^Price +15\.00 to 18\.00$/m,
      /^Categories +table$/m,
      /^ {2}MUG-SEA +18\.00 {2}7$/m,
    ])
      expect(out).toMatch(line)
    const shown = JSON.parse((await products('show', 'MUG-SEA', '--json')).out)
    expect(shown).toMatchObject({ price: '18.00', stock: 7, page: '/product/mug/', movements: [{ change: 4 }] })
  })

  it('takes an SKU of digits for an SKU', async () => {
    expect(JSON.parse((await products('show', '007', '--json')).out)).toMatchObject({ id: 2, name: 'Spoon' })
    expect((await products('show', '7')).code).toBe(1)
    expect(JSON.parse((await products('show', '4', '--json')).out)).toMatchObject({ id: 4 })
  })

  it.each([
    [['edit', 'BOWL'], 2, /^Error: no option to change was given\. Example: /],
    [['edit', 'NOPE', '--price', '1'], 1, /^Error: no product has the SKU or number "NOPE"\. Find it with: /],
    [['edit', 'BOWL', '--price', '1,500'], 1, /^Error: --price[^:]*: must be a price like 12\.50/],
    [['edit', 'BOWL', '--price', '-1'], 1, /^Error: --price[^:]*: must not be negative/],
    [['edit', 'BOWL', '--price', '1.234'], 1, /^Error: --price[^:]*: has more than 2 decimals/],
    [
      ['edit', 'BOWL', '--sale-price', '24'],
      1,
      /^Error: --sale-price[^:]*: must be lower than the regular price \(BOWL\)/,
    ],
    [['edit', 'BOWL', '--price', ''], 0, /^$/],
    [['edit', 'BOWL', '--sku', '007'], 1, /^Error: --sku[^:]*: another product has it$/],
    [['edit', 'BOWL', '--name', ''], 1, /^Error: --name[^:]*: must not be empty/],
    [['edit', 'BOWL', '--backorders', 'perhaps'], 1, /^Error: --backorders[^:]*: must be one of/],
    [['edit', 'BOWL', '--prise', '3'], 2, /^Error: unknown option "--prise"\. .*\nDid you mean "--price"\?$/],
    [['edit', 'MUG', '--price', '3'], 1, /^Error: --price[^:]*: is the price of its variations \(MUG\)/],
    [['stock', 'BOWL'], 2, /^Error: give exactly one option: --count/],
    [['stock', 'BOWL', '--count', '1', '--by', '1'], 2, /^Error: give exactly one option: --count/],
    [['stock', 'BOWL', '--count', 'many'], 2, /^Error: --count "many" is not a whole number\. Example: /],
    [['stock', 'BOWL', '--by', '-13'], 1, /must not be negative while backorders are not allowed/],
    [['stock', '007', '--by', '1'], 1, /is not counted yet/],
    [['stock', 'MUG', '--status', 'instock'], 1, /follows from its variations/],
    [['stock', 'BOWL', '--status', 'instok'], 2, /Did you mean "instock"/],
    [['--status', 'hidden'], 2, /^Error: unknown status "hidden"\. Choose one of: publish/],
    [['--limit', '0'], 2, /^Error: --limit "0" is not a whole number/],
    [['--json', '--csv'], 2, /^Error: --json and --csv cannot be combined/],
    [['pubish', 'BOWL'], 2, /Did you mean "products publish"/],
    [['trash', 'BOWL', 'NOPE'], 1, /NOPE/],
  ])('%j ends with %i and says why', async (args, code, words) => {
    expect(await products(...args)).toMatchObject({ code, err: expect.stringMatching(words) })
    if (code !== 0) expect(await told()).toEqual([])
  })
})
