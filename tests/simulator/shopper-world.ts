import type { Database } from '#database/engine/connect.ts'
import type { Luck } from './chance.ts'
import type { Provider } from './provider.ts'
import { shopOrigin } from './shop-process.ts'
import type { Tally } from './tally.ts'
import type { Turns } from './turns.ts'
import type { Street } from './visit.ts'

type Parts = {
  readonly db: Database
  readonly turns: Turns
  readonly tally: Tally
  /** Of the one who walks on it. */
  readonly luck: Luck
  readonly provider: Provider
  readonly fetch: (request: Request) => Promise<Response>
  /** The totals that were agreed to for a wallet order, in minor units, to add to. */
  readonly agreed: (walletOrderId: string) => Set<number>
  /** Wallet orders whose card's bank does not know its holder, to add to and take from. */
  readonly strangers: Set<string>
  readonly confirmed: (orderId: number) => void
}

/** What lies between one shopper, the shop and the wallet. What they agree to on the way is noted, for the witness. */
export function streetTo({ db, turns, tally, luck, provider, fetch, agreed, strangers, confirmed }: Parts): Street {
  return {
    turns,
    tally,
    luck,
    world: {
      url: shopOrigin,
      fetch: (url, init) => fetch(new Request(url, init)),
      idOf: async (sku) => {
        const [row] = await db.sql<{ id: number }[]>`select id from products where sku = ${sku}`
        return row?.id ?? 0
      },
      emulate: (path, body = {}) => provider.control(path, body),
    },
    approve: async (id, buyer) => {
      await turns.pause(luck.between(500, 5_000), `a shopper approves ${id}`)
      const shown = provider.world.orders.get(id)?.units[0]?.amount
      const answer = await provider.control(`/orders/${id}/approve`, { buyer }).catch(() => null)
      if (!answer || !shown) return null
      tally.count(`approved by ${buyer}`)
      const minor = Math.round(Number(shown.value) * 100)
      agreed(id).add(minor)
      return minor
    },
    agreed: (id, seen) => {
      if (seen !== null) agreed(id).add(seen)
    },
    holderKnown: (id, isKnown) => {
      if (isKnown) strangers.delete(id)
      else strangers.add(id)
    },
    placed: async (orderId) => {
      const [order] = await db.sql<{ holds: boolean }[]>`
        select status <> 'pending' or not exists (
            select from order_items i join products p on p.id = (i.facts ->> 'stockOwner')::bigint
            where i.order_id = o.id and i.type = 'line_item' and p.manage_stock = 'yes')
          or exists (select from stock_reservations r where r.order_id = o.id) as holds
        from orders o where id = ${orderId}`
      if (order && !order.holds) tally.violated('I4', orderId, 'it was placed and holds no pieces')
    },
    paidAtOnce: async (orderId, seen) => {
      if (seen === null) return
      for (const { id } of await db.sql<{ id: string }[]>`select id from wallet_orders where order_id = ${orderId}`) {
        agreed(id).add(seen)
      }
    },
    confirmed,
  }
}
