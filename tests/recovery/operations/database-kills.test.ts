import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aKillablePostgres, deaths, type KillablePostgres } from '#tests/recovery/fixtures/killable-postgres.ts'
import { invariants, providerLedger, until, untilNothingIsOpen } from '#tests/support/payments/bookkeeping.ts'
import { aShopOfProcesses, type ShopOfProcesses } from '#tests/support/process/process.ts'
import { dice } from '#tests/support/shared/dice.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'
import { seedOr, size } from '#tests/support/size.ts'

/** `KILLS` chooses another number. */
const kills = Number(process.env.KILLS ?? size(6, 500))
const seed = seedOr(20_261_122)
const atOnce = 4

let postgres: KillablePostgres
let shop: ShopOfProcesses
beforeAll(async () => {
  postgres = await aKillablePostgres()
  shop = await aShopOfProcesses({ database: postgres.database })
  // Enough for everybody.
  await shop.db.sql`update products set stock_quantity = stock_quantity + 100000 where manage_stock = 'yes'`
  await shop.db.sql`insert into stock_movements (product_id, change, kind)
    select id, 100000, 'counted' from products where manage_stock = 'yes'`
  await shop.start({ env: { TRUSTED_PROXIES: '1', LOG_LEVEL: 'warn' } })
})
afterAll(async () => {
  await shop?.close()
  await postgres?.stop()
})

/** What a person does who is told that the shop is busy: the same again, a moment later. */
async function again<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= 300) throw error
      await sleep(100)
    }
  }
}

/** Orders that the shop has said to have, by who ordered. */
const acknowledged = new Map<string, number>()

async function onDelivery(shopper: Shopper): Promise<number> {
  await again(async () => {
    if (!(await shopper.openCheckout()).includes('name="intention"')) throw new Error('no page to order on')
  })
  return again(async () => {
    const { order_id: id, messages } = await shopper.placeNamed('cod')
    if (!id) throw new Error(`nothing was ordered: ${messages}`)
    return id
  })
}

async function byWallet(shopper: Shopper): Promise<number> {
  const { orderId, walletOrderId } = await again(async () => {
    await shopper.openCheckout()
    return startedOf(await shopper.placeOrder())
  })
  await shopper.approve(walletOrderId)
  const place = await again(async () => {
    const next = await shopper.returnFromWallet(walletOrderId)
    if (!next.includes('/order-received/')) throw new Error(`the return leads to ${next}`)
    return next
  })
  await again(async () => {
    const page = await shopper.page(place)
    if (!page.includes('Thank you. Your order has been received.')) throw new Error('not confirmed yet')
  })
  return orderId
}

async function buy(index: number): Promise<void> {
  const shopper = new Shopper(shop, `buyer-${index}`, `10.1.${index >> 8}.${index & 255}`)
  await again(() => shopper.add(index % 2 === 0 ? 'MUG' : 'BOWL'))
  acknowledged.set(shopper.email, await (index % 3 === 0 ? onDelivery(shopper) : byWallet(shopper)))
}

describe(`the database server killed ${kills} times`, () => {
  it(
    'M4 P2 P10: no order that was acknowledged is lost, none is there twice, and the shop goes on without a restart',
    async () => {
      const roll = dice(seed)
      let bought = 0
      let left = true
      const goShopping = async () => {
        while (left) {
          bought += 1
          await buy(bought)
        }
      }
      const shoppers = Promise.all(Array.from({ length: atOnce }, goShopping))
      // Told by what is awaited first.
      shoppers.catch(() => {})
      const waits: number[] = []
      const murder = async () => {
        for (let kill = 0; kill < kills; kill += 1) {
          await sleep(roll(500))
          const what = deaths[roll(deaths.length)] ?? 'everything'
          await until('a process of the server is killed', async () => postgres.kill(what) > 0, 60_000)
          const sofar = acknowledged.size
          const began = performance.now()
          await until(`orders flow again after kill ${kill} of ${what}`, async () => acknowledged.size > sofar, 60_000)
          waits.push(Math.round(performance.now() - began))
        }
      }
      const trouble = (error: unknown) => {
        throw new Error(`${String(error)}; the shop said:\n${shop.output().slice(-3000)}`)
      }
      await murder()
        .catch(trouble)
        .finally(() => {
          left = false
        })
      await shoppers
      await settle()

      const orders = await shop.db.sql<{ id: number; email: string; status: string; payment_method: string }[]>`
        select id, billing ->> 'email' as email, status, payment_method from orders where status <> 'cancelled'`
      const kept = new Map(orders.map(({ email, id }) => [email, id]))
      const lost = [...acknowledged].filter(([email, id]) => kept.get(email) !== id)
      expect(lost, 'acknowledged and not there').toEqual([])
      expect(orders.length, 'one order for each buyer').toBe(acknowledged.size)
      expect(orders.filter(({ status }) => status !== 'processing')).toEqual([])
      const taken = (await providerLedger(shop)).captures.filter(({ status }) => status === 'COMPLETED')
      const byOrder = orders.filter(({ payment_method: method }) => method !== 'cod').map(({ id }) => String(id))
      expect(taken.map(({ custom_id: id }) => id).toSorted(), 'captures').toEqual(byOrder.toSorted())
      expect(await invariants(shop), 'broken invariants').toEqual([])
      const longest = Math.max(...waits)
      console.info(
        `${kills} kills, ${orders.length} orders, seed ${seed}; orders flowed again after at most ${longest} ms`,
      )
    },
    kills * 60_000,
  )

  it('M4 I13: after it the same process writes its messages and does its minute job, as before', async () => {
    await buy(1_000_000)
    // What was being written when the server died is held by nobody: in five minutes the minute job says so.
    await shop.db.sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '10 minutes'`
    await shop.db.sql`update sent_mail set taken_at = taken_at - interval '10 minutes'`
    const unsent = () => shop.db.sql<{ kind: string }[]>`
      select kind from sent_mail where sent_at is null and kind in ('new_order', 'customer_processing_order')`
    const told = async () => {
      const [row] = await shop.db.sql<{ orders: number; mails: number }[]>`select
        (select count(*)::int from orders where status = 'processing') as orders,
        (select count(*)::int from sent_mail where sent_at is not null
          and kind in ('new_order', 'customer_processing_order')) as mails`
      return row?.mails === (row?.orders ?? 0) * 2
    }
    await until('every order has its two messages', told, 180_000).catch(async (error: unknown) => {
      throw new Error(`${String(error)}; unsent: ${JSON.stringify(await unsent())}`)
    })
  }, 300_000)
})

/** Time goes by: whatever was left open comes to its end. */
async function settle(): Promise<void> {
  await again(async () => shop.db.sql`select 1`)
  await shop.emulate('/webhooks/flush', {})
  await untilNothingIsOpen(
    shop,
    60_000,
    () => shop.db.sql`
      update webhook_events set received_at = received_at - interval '1 minute' where processed_at is null`,
  )
}
