import { describe, expect, it } from 'vitest'
import { refreshPrices } from '#database/catalog/derived-columns.ts'
import { deleteProductRow } from '#database/catalog/product-changes.ts'
import { sellStock } from '#database/catalog/stock.ts'
import { insertProducts, touchProducts, updateProducts } from '#database/catalog/write-products.ts'
import { deleteCoupon, saveCoupon } from '#database/coupons/coupons.ts'
import { insertCustomer, updateCustomer } from '#database/customers/customers.ts'
import { deleteCustomer } from '#database/customers/personal-data.ts'
import { transaction } from '#database/engine/connect.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { announceChange } from './announce-change.ts'
import { followActiveTopics } from './webhooks.ts'

const now = new Date('2026-05-10T12:00:00Z')
const environment = systemEnvironment(systemLog('silent'))

/** Makes a webhook of each topic. @returns a function for the enqueued `topic record`, which empties the queue */
async function announced(db: TestDatabase, ...topics: string[]) {
  for (const topic of topics) {
    await db.sql`insert into webhooks (name, topic, delivery_url, secret, made_by, created_at, updated_at)
      values (${topic}, ${topic}, 'https://x.example', '', 'tester', ${now}, ${now})`
  }
  await followActiveTopics(db)
  return async () => {
    const jobs = await db.sql<{ payload: { topic: string; resourceId: number } }[]>`
      delete from graphile_worker._private_jobs returning payload`
    return jobs.map(({ payload }) => `${payload.topic} ${payload.resourceId}`).sort()
  }
}

const productTopics = ['created', 'updated', 'deleted', 'restored', 'published'].map((event) => `product.${event}`)

describe('announcing changes to webhooks', () => {
  it('names each change of a product by its topic', async () => {
    await using db = await aDatabase()
    const jobs = await announced(db, ...productTopics)
    const { kysely } = db
    await insertProducts(kysely, [{ id: 1, slug: 'cup', name: 'Cup', type: 'simple', status: 'draft' }], now)
    expect(await jobs()).toEqual(['product.created 1'])
    const status = async (to: string) => {
      await updateProducts(kysely, [{ id: 1, status: to }], now)
      return jobs()
    }
    expect(await status('publish')).toEqual(['product.published 1', 'product.updated 1'])
    expect(await status('trash')).toEqual(['product.deleted 1'])
    expect(await status('trash')).toEqual([])
    expect(await status('draft')).toEqual(['product.restored 1'])
    await updateProducts(kysely, [{ id: 1, name: 'Mug' }], now)
    await touchProducts(kysely, [1], now)
    expect(await jobs()).toEqual(['product.updated 1'])
    await db.sql`update products set status = 'publish', manage_stock = 'yes', stock_quantity = 5, regular_price = 900,
      sale_price = 700, sale_from = ${new Date(now.getTime() - 1)} where id = 1`
    expect(await refreshPrices(db, now)).toBe(1)
    expect(await jobs()).toEqual(['product.updated 1'])
    await transaction({ ...environment, db }, (tx) =>
      sellStock(tx, [{ orderId: 7, quantities: new Map([[1, 2]]) }], now),
    )
    expect(await jobs()).toEqual(['product.updated 1'])
    await updateProducts(kysely, [{ id: 1, status: 'trash' }], now)
    expect(await jobs()).toEqual(['product.deleted 1'])
    await deleteProductRow(kysely, 1)
    expect(await jobs()).toEqual([])
    await insertProducts(kysely, [{ id: 2, slug: 'jug', name: 'Jug', type: 'simple' }], now)
    await jobs()
    await deleteProductRow(kysely, 2)
    expect(await jobs()).toEqual(['product.deleted 2'])
  })

  it('names changes of customers that programs can see, and of coupons', async () => {
    await using db = await aDatabase()
    const topics = ['created', 'updated', 'deleted'].flatMap((event) => [`customer.${event}`, `coupon.${event}`])
    const jobs = await announced(db, ...topics)
    const { kysely } = db
    const customer = await insertCustomer(kysely, {
      ...{
        email: 'ida@example.test',
        email_wanted: 'ida@example.test',
        username: 'ida',
        display_name: 'ida',
        password: null,
      },
      ...{ created_at: now, updated_at: now },
    })
    const id = typeof customer === 'string' ? 0 : customer.id
    expect(await jobs()).toEqual([`customer.created ${id}`])
    await updateCustomer(kysely, id, { reset_digest: null })
    expect(await jobs()).toEqual([])
    await updateCustomer(kysely, id, { first_name: 'Ida' })
    expect(await jobs()).toEqual([`customer.updated ${id}`])
    await kysely.transaction().execute((tx) => deleteCustomer(tx, id))
    expect(await jobs()).toEqual([`customer.deleted ${id}`])

    const coupon = { code: 'spring', type: 'percent', amount_ppm: 100_000, amount_minor: null, settings: {} } as const
    const inTx = <Result>(work: Parameters<typeof transaction<Result>>[1]) => transaction({ ...environment, db }, work)
    await inTx((tx) => saveCoupon(tx, { ...coupon, usage_limit: null, expires_at: null }))
    await inTx((tx) => saveCoupon(tx, { ...coupon, usage_limit: 5, expires_at: null }))
    expect(await jobs()).toEqual(['coupon.created 1', 'coupon.updated 1'])
    await inTx((tx) => deleteCoupon(tx, 'spring'))
    expect(await jobs()).toEqual(['coupon.deleted 1'])
  })

  it('leaves with its transaction, once for each record, in the hooks of the topic as well', async () => {
    await using db = await aDatabase()
    const jobs = await announced(db, 'order.updated', 'action.woocommerce_update_order')
    const failing = transaction({ ...environment, db }, async (tx) => {
      await announceChange(tx, 'order.updated', 4)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await jobs()).toEqual([])
    await transaction({ ...environment, db }, async (tx) => {
      await announceChange(tx, 'order.updated', 4, 4)
      await announceChange(tx, 'order.updated', 4)
    })
    await announceChange(db.kysely, 'order.updated', 4)
    expect(await jobs()).toEqual(['action.woocommerce_update_order 4', 'order.updated 4'])
  })

  it('sends no statement while no webhook of the topic is active', async () => {
    await using db = await aDatabase()
    await announced(db, 'order.deleted')
    // Every statement about webhooks would fail from here on.
    await db.sql`drop table webhooks cascade`
    await db.sql`drop schema graphile_worker cascade`
    await transaction({ ...environment, db }, (tx) => announceChange(tx, 'order.updated', 4))
    await expect(transaction({ ...environment, db }, (tx) => announceChange(tx, 'order.deleted', 4))).rejects.toThrow(
      'webhooks',
    )
  })

  it('asks the database where the topics are unknown, as in a command', async () => {
    await using db = await aDatabase()
    await announceChange(db.kysely, 'order.updated', 4)
    await db.sql`insert into webhooks (name, topic, delivery_url, secret, made_by, created_at, updated_at, status)
      values ('a', 'order.updated', 'https://x.example', '', 'tester', ${now}, ${now}, 'active'),
        ('b', 'order.updated', 'https://x.example', '', 'tester', ${now}, ${now}, 'paused')`
    await announceChange(db.kysely, 'order.updated', 4)
    const jobs = await db.sql`select payload from graphile_worker._private_jobs`
    expect(jobs).toEqual([{ payload: { topic: 'order.updated', webhookId: 1, resourceId: 4 } }])
  })
})
