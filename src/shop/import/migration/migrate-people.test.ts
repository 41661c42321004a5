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

describe('people of a migrated shop', () => {
  it('customers come without passwords, and no email leaves', async () => {
    const { report, stopped } = await bench.migrate(shop)
    expect(stopped).toBeNull()
    const customers = await bench.db.sql`
      select email, username, first_name, password, role, billing, shipping, created_at from customers order by email`
    expect(customers).toMatchObject([
      {
        email: 'ada.feld@mail.example',
        username: 'ada',
        first_name: 'Ada',
        password: null,
        role: 'customer',
        billing: { address_1: 'Lindenweg 4', city: 'Mainz', country: 'DE', phone: '+49 6131 1' },
        shipping: { postcode: '55116' },
        created_at: new Date('2024-01-05T10:00:00Z'),
      },
      { email: 'noor@mail.example', username: 'noor', password: null },
    ])
    expect(noteTexts(report.faults)).toContain('customers 13: email "not an address" is no email address')
    expect(await bench.db.sql`select * from sent_mail`).toEqual([])
  })

  it('orders come as history, with their figures, and belong to the customers', async () => {
    const { report } = await bench.migrate(shop)
    const orders = await bench.db.sql`
      select o.id, imported_from, imported_number, status, currency, total, total_tax, shipping_total, discount_total, prices_include_tax,
        payment_method, payment_method_title, transaction_id, customer_note, paid_at, o.created_at, c.email, payment_state
      from orders o left join customers c on c.id = o.customer_id order by imported_number`
    expect(orders).toMatchObject([
      {
        imported_from: 'old.example',
        imported_number: '2024-0401',
        status: 'completed',
        currency: 'EUR',
        total: 4190,
        total_tax: 669,
        shipping_total: 412,
        discount_total: 311,
        prices_include_tax: true,
        payment_method: 'ppcp-gateway',
        payment_method_title: 'PayPal',
        transaction_id: '8AB12345CD678901E',
        customer_note: 'Please ring.\nTwice.',
        paid_at: new Date('2024-04-02T07:31:00Z'),
        created_at: new Date('2024-04-02T07:30:00Z'),
        email: 'ada.feld@mail.example',
        payment_state: 'none',
      },
      { imported_number: '2024-0402', status: 'cancelled', email: null },
      { imported_number: '2024-0404', status: 'completed', total: 2000 },
    ])
    const items = await bench.db.sql`
      select i.type, i.name, i.sku, i.quantity, i.product_id, i.variation_id, i.subtotal, i.total, i.total_tax, i.facts -> 'choices' as choices
      from order_items i join orders o on o.id = i.order_id where imported_number = '2024-0401' order by position`
    expect(items).toMatchObject([
      {
        type: 'line_item',
        name: 'Beaker',
        sku: 'BEAKER',
        quantity: 2,
        product_id: 101,
        subtotal: 3110,
        total: 2799,
        total_tax: 531,
      },
      {
        name: 'Vase - Sand, S',
        product_id: 102,
        variation_id: 201,
        total: 310,
        choices: [{ label: 'Colour', value: 'Sand' }],
      },
      { type: 'shipping', name: 'Parcel', total: 412, total_tax: 78 },
      { type: 'tax', name: 'VAT', total: 591, total_tax: 78 },
      { type: 'coupon', name: 'spring 15', total: 311 },
    ])
    const wrapped = await bench.db.sql`
      select i.type, i.name, i.total from order_items i join orders o on o.id = i.order_id where imported_number = '2024-0404' order by position`
    expect(wrapped).toEqual([
      { type: 'line_item', name: 'Gone; for | good', total: 1800 },
      { type: 'fee', name: 'Gift & wrap', total: 200 },
    ])
    expect(await bench.db.sql`select amount from refunds`).toEqual([{ amount: 1150 }])
    expect(await bench.db.sql`select count(*)::int as count from ledger`).toEqual([{ count: 0 }])
    expect(await bench.db.sql`select kind from stock_movements where kind <> 'counted'`).toEqual([])
    expect(noteTexts(report.faults)).toContain('orders 405: order_total "-1.00" must not be negative')
    expect(noteTexts(report.differences)).toEqual(
      expect.arrayContaining([
        'orders 402: "pending" is imported as cancelled',
        'orders 403: was never placed',
        'orders 404: "awaiting-clay" is imported as completed',
      ]),
    )
  })

  it('reviews come as plain text with their stars, and products have their average', async () => {
    const { report } = await bench.migrate(shop)
    const reviews = await bench.db.sql`
      select product_id, author, email, rating, content, status, verified, created_at from reviews order by imported_id`
    expect(reviews).toMatchObject([
      {
        product_id: 101,
        author: 'Ada & Co',
        email: 'ada.feld@mail.example',
        rating: 5,
        content: 'Holds > 200 ml.\nLovely.\n\nx()',
        status: 'approved',
        verified: true,
        created_at: new Date('2024-04-20T08:00:00Z'),
      },
      { product_id: 101, rating: 4, status: 'hold', verified: false },
      { product_id: 102, rating: null, content: 'A remark' },
    ])
    expect(await bench.db.sql`select average_rating, rating_count from products where id = 101`).toEqual([
      { average_rating: 5, rating_count: 1 },
    ])
    expect(noteTexts(report.differences)).toContain('reviews 503: its product 105 is not here')
    expect(noteTexts(report.faults)).toContain('reviews 505: content-missing')
  })

  it('are erased for good: a repeated migration does not bring them back', async () => {
    await bench.migrate(shop)
    await bench.db.sql`delete from customers where email = 'noor@mail.example'`
    await bench.db.sql`delete from reviews where rating = 4`
    await bench.migrate(shop)
    expect(await bench.db.sql`select email from customers`).toEqual([{ email: 'ada.feld@mail.example' }])
    expect(await bench.db.sql`select count(*)::int as count from reviews`).toEqual([{ count: 2 }])
  })
})
