import type { Database } from '#database/engine/connect.ts'
import { findOrder } from '#database/orders/orders.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { type RefundRequest, refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Luck } from './chance.ts'
import type { ShopProcess } from './shop-process.ts'
import type { Tally } from './tally.ts'

export type Office = {
  /** Of the simulator, which no fault of the shop's connections reaches. */
  readonly db: Database
  readonly luck: Luck
  readonly tally: Tally
  /** Wishes to refund, by the order; in minor units, null for the whole rest. */
  readonly wishes: Map<number, { key: string; minor: number | null }[]>
}

/** What people who work in the shop do while others buy. */
export async function staffAtWork(office: Office, process: ShopProcess): Promise<void> {
  const { luck, tally } = office
  const what = luck.pick(['refund', 'refund', 'refund', 'price', 'stock', 'sold out', 'cancel'] as const)
  if (what === 'refund') return refund(office, process)
  tally.count(`staff: ${what}`)
  if (what === 'price') return changePrice(office)
  if (what === 'cancel') return cancel(office, process)
  return changeStock(office, what === 'stock' ? luck.between(1, 20) : null)
}

async function refund({ db, luck, tally, wishes }: Office, process: ShopProcess): Promise<void> {
  const paid = await db.sql<{ id: number; total: number }[]>`
    select id, total from orders where payment_state in ('paid', 'partly-refunded') order by id`
  const order = paid[luck.roll(Math.max(1, paid.length))]
  if (!order) return
  const known = wishes.get(order.id) ?? []
  // The same wish once more, a part, everything, or more than there is.
  const repeated = known.length > 0 && luck.percent(40) ? known[luck.roll(known.length)] : undefined
  const minor = luck.pick([null, luck.between(1, order.total), order.total + 1, luck.between(1, 300)])
  const wish = repeated ?? { key: `wish-${order.id}-${known.length}`, minor }
  if (!repeated) wishes.set(order.id, [...known, wish])
  tally.count(repeated ? 'staff: the same refund again' : 'staff: refund')
  const ask: RefundRequest['ask'] = wish.minor === null ? { kind: 'full' } : { kind: 'amount', minor: wish.minor }
  const call = () => refundOrder(process.tools, order.id, { key: wish.key, ask, restock: wish.minor === null })
  const results = luck.percent(20) ? await Promise.all([call(), call()]) : [await call()]
  for (const result of results) tally.count(`refund: ${result.ok ? result.state : result.reason}`)
}

async function cancel({ db, luck, tally }: Office, process: ShopProcess): Promise<void> {
  const [order] = await db.sql<{ id: number }[]>`
    select id from orders where status in ('pending', 'failed') order by id desc offset ${luck.roll(3)} limit 1`
  if (!order) return
  const moved = await transitionOrder(process.tools, order.id, { to: 'cancelled' })
  tally.count(`cancelled by staff: ${moved.ok ? (await findOrder(db.kysely, order.id))?.status : moved.reason}`)
}

async function changePrice({ db, luck }: Office): Promise<void> {
  const price = 100 * luck.between(8, 30)
  await db.sql`update products set regular_price = ${price}, sale_price = null, min_price = ${price}, max_price = ${price}
    where sku = ${luck.pick(['MUG', 'BOWL'])}`
}

/** @param pieces come in; null: all are gone, but for those that unpaid orders hold */
async function changeStock({ db, luck }: Office, pieces: number | null): Promise<void> {
  const sku = luck.pick(['MUG', 'BOWL', 'LAST', 'ONE'])
  await db.sql.begin(async (sql) => {
    const [product] = await sql<{ id: number; onHand: number; held: number }[]>`
      select p.id, p.stock_quantity as "onHand", (select coalesce(sum(quantity), 0)::int from stock_reservations r
        where r.product_id = p.id) as held
      from products p where sku = ${sku} for update`
    if (!product) return
    const change = pieces ?? -Math.max(0, product.onHand - product.held)
    if (change === 0) return
    await sql`update products set stock_quantity = stock_quantity + ${change} where id = ${product.id}`
    await sql`insert into stock_movements (product_id, change, kind) values (${product.id}, ${change}, 'counted')`
  })
}
