import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { exportCommand } from '../export/export.ts'
import { importGroup } from './import-group.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'record-import-'))
  await db.sql`insert into products (id, type, sku, name, slug, imported_id) values
    (1, 'simple', 'CUP', 'Cup', 'cup', 501), (2, 'simple', 'PLATE', 'Plate', 'plate', null)`
  await db.sql`insert into categories (id, name, slug) values (7, 'Cups', 'cups')`
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.sql`delete from coupons`
  await db.sql`delete from refunds`
  await db.sql`delete from orders`
  await db.sql`delete from customers`
})

const imports = async (kind: string, csv: string, ...options: string[]) => {
  const file = join(folder, `${kind}.csv`)
  await writeFile(file, csv)
  return runCommand(importGroup, db, kind, file, ...options)
}
/** Exports a kind to a file, imports that again with --update, and compares all rows. */
async function roundTrip(kind: 'coupons' | 'customers' | 'orders', table: 'coupons' | 'customers' | 'orders') {
  const rows = () => db.kysely.selectFrom(table).selectAll().orderBy('id').execute()
  const before = await rows()
  const file = join(folder, `exported-${kind}.csv`)
  expect((await runCommand(exportCommand, db, kind, file)).code).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const again = await runCommand(importGroup, db, kind, file, '--update', '--json')
  expect(again.err).toBe('')
  expect(JSON.parse(again.out)).toMatchObject({ ok: true, created: 0, updated: 0, faultCount: 0, ignoredColumns: [] })
  expect(await rows()).toEqual(before)
  return readFile(file, 'utf8')
}

describe('import coupons', () => {
  const classic =
    'post_title,discount_type,coupon_amount,individual_use,product_ids,product_SKUs,product_categories,usage_limit,usage_limit_per_user,limit_usage_to_x_items,date_expires,free_shipping,minimum_amount,maximum_amount,exclude_sale_items,customer_email,usage_count\n'

  it('reads the classic columns, resolves products and categories here, and keeps earlier uses', async () => {
    const csv = `${classic}SPRING,percent,"12,5",yes,,CUP|PLATE,Table > Cups,10,1,2,2027-01-31,no,"1.000,00",,yes,"*@club.example, ida@example.test",4
ship,fixed_cart,0,no,501,,,,,3,,yes,,,no,,0\n`
    const done = await imports('coupons', csv)
    expect([done.code, done.err]).toEqual([0, 'Imported 2 rows: 2 coupons created, 0 updated, 0 unchanged, 0 skipped.'])
    const rows = await db.kysely.selectFrom('coupons').selectAll().orderBy('code').execute()
    expect(rows).toMatchObject([
      // An ID of another shop is the product that was imported with it.
      {
        code: 'ship',
        type: 'fixed_cart',
        amount_minor: 0,
        settings: { freeShipping: true, productIds: [1], limitToItems: null },
      },
      {
        code: 'spring',
        type: 'percent',
        amount_ppm: 125_000,
        usage_limit: 10,
        used: 4,
        settings: {
          individualUse: true,
          productIds: [1, 2],
          categoryIds: [7],
          usageLimitPerUser: 1,
          limitToItems: 2,
          minimumAmount: 100_000,
          excludeSaleItems: true,
          emails: ['*@club.example', 'ida@example.test'],
        },
      },
    ])
    await roundTrip('coupons', 'coupons')
    expect((await imports('coupons', csv)).err).toContain('0 coupons created, 0 updated, 0 unchanged, 2 skipped')
  })

  it("reads Shopify's discounts", async () => {
    const csv = `Name,Value,Value Type,Type,Discount Class,Times Used In Total,Usage Limit Per Code,Applies Once Per Customer,Status,Start,End
TEN,-10.0,percentage,Amount off order,order,3,100,true,active,2024-01-01 00:00:00 -0500,
FIVER,-5.00,fixed_amount,Amount off order,order,0,,false,active,2024-01-01,2030-01-01
SHIPFREE,-100,percentage,Free shipping,shipping,0,,false,active,2024-01-01,
SHOES,-20,percentage,Amount off products,product,0,,false,active,2024-01-01,
LATER,-20,percentage,Amount off order,order,0,,false,scheduled,2999-01-01,`
    const refused = await imports('coupons', csv)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(
      'row 5, Discount Class, "product": is a discount on products that the file does not name',
    )
    expect(refused.err).toContain('row 6, Start: is in the future, and a coupon here is valid at once')
    expect(refused.err).toMatch(/nothing was imported: 2 errors in .*--skip-faulty\.$/)
    expect(await db.sql`select 1 from coupons`).toHaveLength(0)

    const taken = await imports('coupons', csv, '--skip-faulty')
    expect(taken.code).toBe(0)
    expect(taken.err).toContain('Imported 5 rows: 3 coupons created')
    const rows =
      await db.sql`select code, type, amount_ppm, amount_minor, used, settings ->> 'freeShipping' as ships from coupons order by code`
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['fiver', 'fixed_cart', null, 500, 0, 'false'],
      ['shipfree', 'fixed_cart', null, 0, 0, 'true'],
      ['ten', 'percent', 100_000, null, 3, 'false'],
    ])
    const faulty = await readFile(join(folder, 'coupons.faulty.csv'), 'utf8')
    expect(faulty.split('\n').map((line) => line.split(',')[0])).toEqual(['\uFEFFName', 'SHOES', 'LATER', ''])
    expect(faulty).toMatch(/,Import error\n/)
  })

  it('refuses a restriction that it cannot resolve: the coupon would apply to more', async () => {
    const wrong = await imports('coupons', 'code,amount,products,product_categories\na,5,BOWL,\nb,5,,12\nc,5,77,\n')
    expect(wrong.err).toContain('row 2, products: there is no product "BOWL" here')
    expect(wrong.err).toContain('row 3, product_categories: there is no category "12" here')
    expect(wrong.err).toContain('row 4, products: there is no product "77" here')
  })

  it('skips drafts with a note, changes nothing in a dry run, and refuses a code twice', async () => {
    const draft = await imports('coupons', 'code,amount,status\na,5,draft\nb,5,publish\n', '--dry-run')
    expect(draft.err).toContain('Warning: row 2, status, "draft": cannot be used there')
    expect(draft.err).toContain(
      'Checked 2 rows: 1 would be created, 0 updated, 1 skipped, 0 rows with errors. Nothing was changed.',
    )
    expect(await db.sql`select 1 from coupons`).toHaveLength(0)
    expect((await imports('coupons', 'code,amount\nX,5\nx,6\n')).err).toContain(
      'row 3, code: is the code of row 2, too',
    )
  })

  it('skips a code in the trash, and exports drafts as drafts', async () => {
    await imports('coupons', 'code,amount\nold,5\nnew,5\n')
    await db.sql`update coupons set trashed_at = now() where code = 'old'`
    await db.sql`update coupons set status = 'draft' where code = 'new'`
    const again = await imports('coupons', 'code,amount\nold,6\n', '--update')
    expect(again.err).toContain('Warning: row 2, code, "old": is in the trash here')
    const { out } = await runCommand(exportCommand, db, 'coupons')
    expect(out).toMatch(/,new,draft,fixed_cart,5.00,/)
    expect(out).not.toContain(',old,')
  })

  it('updates only what differs, on request', async () => {
    await imports('coupons', 'code,discount_type,amount\na,percent,5\nb,percent,5\n')
    const report = await imports('coupons', 'code;discount_type;amount\na;percent;5\nb;percent;7,5%\n', '--update')
    expect(report.err).toContain('0 coupons created, 1 updated, 1 unchanged')
  })
})

describe('import customers', () => {
  it("reads Shopify's file, and changes no account of staff", async () => {
    await db.sql`insert into customers (email, username, role, first_name, created_at, updated_at)
      values ('boss@example.test', 'boss', 'administrator', 'Bo', now(), now())`
    const csv = `First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Tags,Tax Exempt
Ida,Vale,IDA@Example.test,yes,Vale Ltd,1 Quay Street,Oakland,CA,US,94607,,'+1 510 555 0100,vip,yes
Bo,Changed,boss@example.test,no,,,,,,,,,,yes`
    const done = await imports('customers', csv, '--update', '--verbose')
    expect(done.err).toContain('Warning: unknown column "Accepts Email Marketing" is ignored.')
    expect(done.err).toContain('is an account of staff, which files do not change')
    expect(done.err).toContain('Imported 2 rows: 1 customer created, 0 updated, 0 unchanged, 1 skipped.')
    const rows = await db.kysely.selectFrom('customers').selectAll().orderBy('id').execute()
    expect(rows).toMatchObject([
      { email: 'boss@example.test', role: 'administrator', first_name: 'Bo', vat_exempt: false },
      {
        email: 'ida@example.test',
        username: 'ida.vale',
        role: 'customer',
        password: null,
        email_verified_at: null,
        vat_exempt: true,
        state: { vatExempt: true },
        billing: {
          first_name: 'Ida',
          last_name: 'Vale',
          company: 'Vale Ltd',
          state: 'CA',
          country: 'US',
          phone: '+1 510 555 0100',
        },
      },
    ])
    await roundTrip('customers', 'customers')
  })

  it('reads the classic columns; roles and passwords of another shop mean nothing here', async () => {
    const csv = `customer_id,user_login,email,user_pass,role,date_registered,billing_first_name,billing_last_name,billing_country
1,root,root@old.test,$P$Bhash,administrator,2019-04-01 10:00:00,Ada,Lane,Germany
2,ada,ada@old.test,$P$Bhash,customer,2020-04-01 10:00:00,Ada,Lane,DE
3,ada,ada2@old.test,,customer,,Ada,Lane,DE`
    const done = await imports('customers', csv)
    expect(done.err).toContain('row 2, role, "administrator": is not imported: root@old.test becomes a customer')
    const rows = await db.sql`select email, username, role, password, first_name, billing ->> 'country' as country,
      created_at::date::text as since from customers where email like '%@old.test' order by id`
    expect(rows.map((row) => Object.values(row)).slice(0, 2)).toEqual([
      ['root@old.test', 'root', 'customer', null, 'Ada', 'DE', '2019-04-01'],
      ['ada@old.test', 'ada', 'customer', null, 'Ada', 'DE', '2020-04-01'],
    ])
    expect(rows[2]?.username).toBe('ada.lane')
    await roundTrip('customers', 'customers')
    const wrong = await imports(
      'customers',
      'email,billing_country\nno address,DE\nx@y.test,Atlantis\n,\nb@b.test,\nB@B.test,\n',
    )
    expect(wrong.err).toContain('row 2, email, "no address": is no email address')
    expect(wrong.err).toContain('row 3, billing_country, "Atlantis": is no country')
    expect(wrong.err).toContain('nothing was imported: 3 errors')
    expect((await imports('customers', 'email\nb@b.test\nB@B.test\n')).err).toContain(
      'row 3, email, "b@b.test": is the address of row 2, too',
    )
  })
})

describe('import orders', () => {
  it("reads Shopify's file of several rows an order", async () => {
    const csv = `Name,Email,Financial Status,Paid at,Fulfillment Status,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem taxable,Billing Name,Billing Address1,Billing City,Billing Zip,Billing Province,Billing Country,Shipping Name,Shipping Country,Notes,Cancelled at,Payment Method,Payment Reference,Refunded Amount,Tax 1 Name,Tax 1 Value
#1001,ida@example.test,partially_refunded,2024-05-01 10:00:00 -0400,fulfilled,USD,27.00,5.00,2.43,34.43,SPRING,3.00,Standard,2024-05-01 09:59:00 -0400,2,Cup,10.00,CUP,true,Ida Vale,1 Quay Street,Oakland,'94607,CA,US,Ida Vale,US,Ring twice,,Shopify Payments,c123,4.43,CA State Tax 9%,2.43
#1001,,,,,,,,,,,,,2024-05-01 09:59:00 -0400,1,Plate,10.00,PLATE,true,,,,,,,,,,,,,,,
#1002,bo@example.test,pending,,unfulfilled,EUR,23.80,0.00,3.80,23.80,,0.00,,2024-05-02 09:00:00 +0200,1,Unknown thing,23.80,,true,Bo,,,,,DE,,,,2024-05-03 09:00:00 +0200,,,0.00,VAT 19%,3.80`
    const done = await imports('orders', csv, '--from', 'old.example')
    expect([done.code, done.err]).toEqual([0, 'Imported 3 rows: 2 orders created, 0 updated, 0 unchanged, 0 skipped.'])
    const orders = await db.kysely.selectFrom('orders').selectAll().orderBy('id').execute()
    expect(orders).toMatchObject([
      {
        imported_from: 'old.example',
        imported_number: '1001',
        status: 'completed',
        currency: 'USD',
        total: 3443,
        total_tax: 243,
        discount_total: 300,
        shipping_total: 500,
        payment_method_title: 'Shopify Payments',
        transaction_id: 'c123',
        customer_note: 'Ring twice',
        billing: { first_name: 'Ida', last_name: 'Vale', postcode: '94607', state: 'CA', email: 'ida@example.test' },
        created_at: new Date('2024-05-01T13:59:00Z'),
        paid_at: new Date('2024-05-01T14:00:00Z'),
        prices_include_tax: false,
      },
      {
        imported_number: '1002',
        status: 'cancelled',
        currency: 'EUR',
        total: 2380,
        total_tax: 380,
        paid_at: null,
        prices_include_tax: true,
      },
    ])
    const items = await db.sql`select type, name, product_id, quantity, subtotal, total, total_tax from order_items
      where order_id = ${orders[0]?.id ?? 0} order by position`
    expect(items.map((item) => Object.values(item))).toEqual([
      ['line_item', 'Cup', 1, 2, 2000, 1800, 137],
      ['line_item', 'Plate', 2, 1, 1000, 900, 68],
      ['shipping', 'Standard', null, 1, 0, 500, 38],
      ['tax', 'CA State Tax 9%', null, 1, 0, 243, 0],
      ['coupon', 'spring', null, 1, 0, 300, 0],
    ])
    expect(await db.sql`select amount, state, by_provider from refunds`).toEqual([
      { amount: 443, state: 'done', by_provider: false },
    ])
    const exported = await roundTrip('orders', 'orders')
    expect(exported).toContain('old.example')
  })

  it('reads lists in cells, numbered line items and rows of items of the classic plug-ins', async () => {
    const lists =
      `order_id,order_number,date,status,order_total,tax_total,shipping_total,shipping_tax_total,order_currency,billing_email,line_items,shipping_items,fee_items,tax_items,coupon_items,refunded_total
77,A-77,2023-01-02 03:04:05,processing,33.32,5.32,5.00,0.95,EUR,ida@example.test,id:1|name:Cup; blue|sku:CUP|quantity:2|subtotal:25.00|subtotal_tax:4.75|total:20.00|total_tax:3.80|meta:Colour=Blue;id:2|name:Box|quantity:1|total:2.00|total_tax:0.38,method_title:DHL|total:5.00|total_tax:0.95,name:Gift wrap|total:1.00|total_tax:0.19,code:VAT|title:VAT|total:4.37|shipping_total:0.95|rate_percent:19,code:five|amount:5.00,`.replace(
        'Cup; blue',
        'Cup\\; blue',
      )
    expect((await imports('orders', lists)).err).toContain('1 order created')
    const numbered =
      'order_number,order_date,status,order_total,line_item_1,line_item_2\n78,2023-01-03,completed,30,name:Cup|sku:CUP|quantity:1|total:10,name:Plate|quantity:2|total:20\n'
    expect((await imports('orders', numbered)).err).toContain('1 order created')
    const perItem =
      'Order Number,Order Date,Order Status,Order Total Amount,SKU,Quantity,Item Name,Item Cost\n79,2023-01-04 10:00,Completed,30,CUP,1,Cup,10\n79,2023-01-04 10:00,Completed,30,PLATE,2,Plate,10\n'
    expect((await imports('orders', perItem)).err).toContain('1 order created')
    const rows =
      await db.sql`select o.imported_number as number, o.total, array_agg(i.type || ' ' || i.name || ' ' || i.quantity || ' ' || i.total || '+' || i.total_tax order by position) as items
      from orders o join order_items i on i.order_id = o.id group by o.id order by o.id`
    expect(rows.map((row) => Object.values(row))).toEqual([
      [
        'A-77',
        3332,
        [
          'line_item Cup; blue 2 2000+380',
          'line_item Box 1 200+38',
          'shipping DHL 1 500+95',
          'fee Gift wrap 1 100+19',
          'tax VAT 1 437+95',
          'coupon five 1 500+0',
        ],
      ],
      ['78', 3000, ['line_item Cup 1 1000+0', 'line_item Plate 2 2000+0']],
      ['79', 3000, ['line_item Cup 1 1000+0', 'line_item Plate 2 2000+0']],
    ])
    await roundTrip('orders', 'orders')
  })

  it('names rows and cells at fault, and writes them to a file with the reason', async () => {
    const csv = `order_number,order_date,order_total,order_currency,item_name,item_cost,qty
1,someday,5,EUR,Cup,5,1
2,2024-01-01,"5,00",Euro,Cup,5,1
3,2024-01-01,5,EUR,Cup,5,0
4,2024-01-01,5,EUR,=Cup,5,1
4,2024-01-01,5,EUR,Plate,free,1
5,2024-01-01,5,EUR,Cup,5,1
6,2024-01-01,5,EUR,Cup,5,1
5,2024-01-01,5,EUR,Plate,5,1`
    const refused = await imports('orders', csv)
    for (const line of [
      'row 2, order_date, "someday": must be a date like 2026-12-31',
      'row 3, order_currency, "Euro": must be a currency code like EUR',
      'row 4, qty, "0": must be at least 1',
      'row 6, item_cost, "free": must be an amount like 12.50',
    ])
      expect(refused.err).toContain(`Error: ${line}`)
    expect(await db.sql`select 1 from orders`).toHaveLength(0)
    const taken = await imports('orders', csv, '--skip-faulty')
    expect(taken.err).toContain('row 9: order 5 begins in row 7 already')
    expect(taken.err).toContain('Imported 8 rows: 2 orders created')
    const faulty = (await readFile(join(folder, 'orders.faulty.csv'), 'utf8')).trim().split('\n')
    expect(faulty).toHaveLength(7)
    expect(faulty[0]).toBe('order_number,order_date,order_total,order_currency,item_name,item_cost,qty,Import error')
    expect(faulty).toContain(`4,2024-01-01,5,EUR,'=Cup,5,1,item_cost: must be an amount like 12.50`)
    expect((await stat(join(folder, 'orders.faulty.csv'))).mode & 0o777).toBe(0o600)
  })

  it('reads other encodings and separators, and the corrected file of faulty rows', async () => {
    const text = 'order_number;order_date;order_total;billing_first_name\n1;03.04.2024;1.234,50 €;Jürgen\n'
    const file = join(folder, 'ansi.csv')
    await writeFile(file, Buffer.from(text.replace('€', 'EUR'), 'latin1'))
    const ansi = await runCommand(importGroup, db, 'orders', file)
    expect(ansi.err).toContain('Warning: the encoding WINDOWS-1252 is a guess.')
    const [order] =
      await db.sql`select total, billing ->> 'first_name' as name, created_at::date::text as day from orders`
    expect(order).toEqual({ total: 123_450, name: 'Jürgen', day: '2024-04-03' })
    await writeFile(file, Buffer.from(`\uFEFF${text.replace('1;03', '2;03').replaceAll(';', '\t')}`, 'utf16le'))
    expect((await runCommand(importGroup, db, 'orders', file)).err).toContain('1 order created')
    const corrected =
      'order_number,order_date,order_total,Import error\n3,2024-01-01,5,order_total: must be an amount\n'
    expect((await imports('orders', corrected)).err).toBe(
      'Imported 1 row: 1 order created, 0 updated, 0 unchanged, 0 skipped.',
    )
  })

  it('explains what a file lacks, and a file that cannot be read', async () => {
    expect((await imports('orders', 'total\n5\n')).err).toContain(
      'has no column with the number of the order (Order number) and its date',
    )
    expect((await imports('orders', '')).err).toContain('the file is empty')
    expect((await imports('customers', 'name\nx\n')).err).toContain('has no column with email addresses (Email)')
    expect((await imports('coupons', 'amount\n5\n')).err).toContain('has no column with the codes of coupons')
    expect((await runCommand(importGroup, db, 'orders', join(folder, 'none.csv'))).err).toContain(
      'no such file or folder',
    )
    expect((await runCommand(importGroup, db, 'order', 'x.csv')).err).toContain('Did you mean "import orders"?')
    expect((await runCommand(importGroup, db, 'orders', 'x.csv', '--delimiter', ';;')).code).toBe(2)
    expect((await runCommand(importGroup, db, join(folder, 'none.csv'))).err).toContain('no such file or folder')
  })
})
