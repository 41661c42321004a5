import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardMethodId, paymentFields } from '#contract/payments/constants.ts'
import { invariants, providerLedger, untilNothingIsOpen } from '#tests/support/payments/bookkeeping.ts'
import {
  aLoggedInCustomer,
  allMethodSettings,
  cardNumber,
  createOrder,
  payApproved,
  placeWith,
} from '#tests/support/payments/saved-methods.ts'
import { aShopOfProcesses, type ShopOfProcesses } from '#tests/support/process/process.ts'
import { dice } from '#tests/support/shared/dice.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { seedOr, size } from '#tests/support/size.ts'

/** `PURCHASES` and `SEED` choose others; the seed settles who buys how and which faults come, not who meets whom. */
const purchases = Number(process.env.PURCHASES ?? size(100, 1000))
const seed = seedOr(20_260_301)
const atOnce = 8
const deaths = Math.ceil(purchases / 40)

const faults: readonly object[] = [
  { route: 'orders.create', done_then_500: true },
  { route: 'orders.create', done_then_drop: true },
  { route: 'orders.create', drop: true },
  { route: 'orders.create', malformed: true },
  { route: 'orders.create', status: 503 },
  { route: 'orders.create', status: 429, retry_after: 1 },
  { route: 'orders.get', drop: true },
  { route: 'orders.get', status: 500 },
  { route: 'orders.get', wrong_type: true },
  { route: 'orders.patch', drop: true },
  { route: 'orders.patch', done_then_500: true },
  { route: 'orders.capture', done_then_500: true, times: 2 },
  { route: 'orders.capture', done_then_drop: true },
  { route: 'orders.capture', drop: true },
  { route: 'orders.capture', malformed: true },
  { route: 'orders.capture', huge: true },
  { route: 'orders.capture', status: 503, times: 3 },
  { route: 'orders.capture', status: 429, retry_after: 1 },
  { route: 'orders.capture', answer_late: 1_500 },
  { route: 'orders.capture', delay: 800 },
  { route: 'orders.capture', issue: 'INSTRUMENT_DECLINED' },
  { route: 'orders.capture', issue: 'ORDER_COMPLETION_IN_PROGRESS' },
  { route: 'oauth.token', status: 503 },
]
const webhookTricks: readonly [string, object][] = [
  ['/webhooks/duplicate', { copies: 3 }],
  ['/webhooks/duplicate', { copies: 1 }],
  ['/webhooks/reorder', { on: true }],
  ['/webhooks/reorder', { on: false }],
  ['/webhooks/drop', { count: 3 }],
  ['/tokens/expire', {}],
]

let shop: ShopOfProcesses
beforeAll(async () => {
  shop = await aShopOfProcesses({ settings: allMethodSettings })
  // Enough for everybody: what is counted here is money.
  await shop.db.sql`update products set stock_quantity = stock_quantity + 100000 where manage_stock = 'yes'`
  await shop.db.sql`insert into stock_movements (product_id, change, kind)
    select id, 100000, 'counted' from products where manage_stock = 'yes'`
})
afterAll(() => shop?.close())

/** A proxy in front names the visitor's network: a thousand shoppers are not one. */
const behindProxy = { env: { TRUSTED_PROXIES: '1', LOG_LEVEL: 'warn' } }

/** What a person does whose page does not load: the same again, a moment later. */
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

type Seen = { confirmed: number[]; approved: string[]; cards: number; kept: number }

type Roll = (sides: number) => number

/** One purchase, with the patience of a person: by the checkout's form, from the cart, by a card that is typed or kept. */
async function buy(index: number, seen: Seen, keeper: Keeper): Promise<void> {
  const roll = dice(seed * 7919 + index)
  const how = roll(20)
  const byKept = how === 0
  const from = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
  const shopper = byKept ? keeper.shopper : new Shopper(shop, `shopper-${index}`, from)
  const sku = roll(2) === 0 ? 'MUG' : 'BOWL'
  await again(() => shopper.add(sku, 1 + roll(3)))
  if (byKept) return payByKept(keeper, seen)
  if (how < 4) return payByCard(shopper, seen, roll)
  await payByWallet(shopper, seen, roll, how < 9)
}

async function payByWallet(shopper: Shopper, seen: Seen, roll: Roll, express: boolean): Promise<void> {
  let walletOrderId = await again(async () => {
    if (express) {
      const response = await shopper.post('/checkout/wallet-start/', {})
      const token = new URL(response.headers.get('location') ?? '', shop.url).searchParams.get('token')
      if (!token) throw new Error('the wallet did not open')
      return token
    }
    await shopper.openCheckout()
    return walletOf(await shopper.placeOrder())
  })
  for (let approvals = 0; approvals < 6; approvals += 1) {
    await again(() => shopper.approve(walletOrderId, roll(12) === 0 ? 'declined' : 'buyer')).catch(() => undefined)
    seen.approved.push(walletOrderId)
    // Some never come back: their window closed, their train went into a tunnel.
    if (!express && roll(12) === 0) return
    if (await isPaid(shopper, await again(() => shopper.returnFromWallet(walletOrderId)), seen)) return
    // Told to try again, or shown another total: the checkout says what to do, and its button does it.
    const answer = await again(async () => {
      await shopper.openCheckout()
      return shopper.placeOrder()
    })
    if (await isPaid(shopper, answer.redirect, seen)) return
    const next = new URL(answer.redirect ?? '', shop.url).searchParams.get('token')
    if (next) walletOrderId = next
  }
}

/** Types a card into the provider's fields, and another one when the first is declined. */
async function payByCard(shopper: Shopper, seen: Seen, roll: Roll): Promise<void> {
  for (let cards = 0; cards < 6; cards += 1) {
    const opened = await again(async () => {
      await shopper.openCheckout()
      const response = await createOrder(shopper, cardMethodId)
      // "Cannot be reached" asks for another try; any other refusal says that nothing is left to pay.
      if (response.status === 503) throw new Error('the provider cannot be reached')
      return (await response.json()) as unknown
    })
    if (typeof opened !== 'string') return
    const card = roll(12) === 0 ? { number: cardNumber('0002') } : {}
    await again(() => shop.emulate(`/orders/${opened}/card`, card))
    seen.cards += 1
    if (roll(12) === 0) return
    const answer = await again(() => payApproved(shopper, cardMethodId, opened))
    if (await isPaid(shopper, answer.redirect, seen)) return
  }
}

/** Customers with an account and a card that is kept, one for each who buys at the same time. */
type Keeper = { shopper: Shopper; kept: string }

async function aKeeper(index: number): Promise<Keeper> {
  const shopper = await aLoggedInCustomer(shop, `keeper-${index}`, `10.200.0.${index}`)
  await shopper.add('MUG')
  await shopper.openCheckout()
  const save = { [paymentFields(cardMethodId).save]: '1' }
  const first = String(await (await createOrder(shopper, cardMethodId, save)).json())
  await shop.emulate(`/orders/${first}/card`, {})
  const answer = await payApproved(shopper, cardMethodId, first, save)
  if (answer.result !== 'success') throw new Error(`no card was kept: ${answer.messages}`)
  const token = await shop.db.kysely
    .selectFrom('payment_tokens')
    .innerJoin('customers', 'customers.id', 'payment_tokens.customer_id')
    .select('payment_tokens.id')
    .where('customers.email', '=', shopper.email)
    .executeTakeFirstOrThrow()
  return { shopper, kept: String(token.id) }
}

async function payByKept({ shopper, kept }: Keeper, seen: Seen): Promise<void> {
  for (let presses = 0; presses < 6; presses += 1) {
    const page = await again(() => shopper.openCheckout())
    const intention = /name="intention" value="([^"]+)"/.exec(page)?.[1]
    // Without a form the cart is empty: the order of the press before is paid.
    if (!intention) return
    const fields = { intention, [paymentFields(cardMethodId).kept]: kept }
    seen.kept += 1
    const answer = await again(() => placeWith(shopper, cardMethodId, fields))
    if (await isPaid(shopper, answer.redirect, seen)) return
  }
}

/** Reads the page that the shopper is sent to, again while it says that the payment is being found out. */
async function isPaid(shopper: Shopper, place: string | undefined, seen: Seen): Promise<boolean> {
  const order = /\/order-received\/(\d+)\//.exec(place ?? '')?.[1]
  if (!place || !order) return false
  for (let looks = 0; looks < 20; looks += 1) {
    const page = await again(() => shopper.page(place))
    if (page.includes('Thank you. Your order has been received.')) {
      seen.confirmed.push(Number(order))
      return true
    }
    if (!page.includes('We are checking your payment')) return false
    await sleep(200)
  }
  // Nobody looks at it for ever. The order is found out without them.
  return true
}

function walletOf({ redirect = '', messages = '' }: { redirect?: string; messages?: string }): string {
  const token = new URL(redirect, shop.url).searchParams.get('token')
  if (!token) throw new Error(`no wallet: ${messages}`)
  return token
}

describe(`${purchases} purchases`, () => {
  it(
    'M3 P1 P2 I1 I2: with random faults and process kills, the books of shop and provider agree to the cent',
    async () => {
      await shop.start(behindProxy)
      const roll = dice(seed)
      const seen: Seen = { confirmed: [], approved: [], cards: 0, kept: 0 }
      const keepers: Keeper[] = []
      for (let index = 0; index < atOnce; index += 1) keepers.push(await aKeeper(index))
      let left = true
      let kills = 0
      let injected = 0

      // Both go by how far the purchases have come, so that a slow machine has as much trouble as a quick one, and no more.
      let done = 0
      const murder = async () => {
        for (let next = purchases / deaths; next < purchases; next += purchases / deaths) {
          while (done < next && left) await sleep(20)
          await sleep(roll(400))
          if (!left) return
          await shop.kill()
          kills += 1
          await shop.start(behindProxy)
        }
      }
      const queue = Array.from({ length: purchases }, (_, index) => index).values()
      const shoppers = async (keeper: Keeper) => {
        for (const index of queue) {
          if (roll(5) < 3) {
            await shop.emulate('/fault', faults[roll(faults.length)] ?? {})
            injected += 1
          }
          if (roll(5) === 0)
            await shop.emulate(...(webhookTricks[roll(webhookTricks.length)] ?? ['/tokens/expire', {}]))
          await buy(index, seen, keeper)
          done += 1
        }
      }
      const everybody = Promise.all(keepers.map(shoppers)).finally(() => {
        left = false
      })
      await Promise.all([everybody, murder()])
      await settle()

      const { captures } = await providerLedger(shop)
      const taken = captures.filter(({ status }) => status === 'COMPLETED')
      const paid = await shop.db.sql<{ id: number; total: number; currency: string; payment_state: string }[]>`
        select id, total, currency, payment_state from orders where payment_state in ('paid', 'attention', 'captured', 'review')`
      console.info(
        `${purchases} purchases, seed ${seed}: ${taken.length} captures, ${paid.length} paid orders, ${kills} kills, ${injected} faults, ${seen.cards} cards typed, ${seen.kept} presses with a kept card`,
      )
      const byOrder = Map.groupBy(taken, ({ custom_id: id }) => id)
      expect(
        [...byOrder].filter(([, all]) => all.length > 1),
        'captured twice',
      ).toEqual([])
      const minor = ({ value }: { value: string }) => Math.round(Number(value) * 100)
      const theirs = taken.map(({ custom_id: id, amount }) => `${id} ${minor(amount)} ${amount.currency_code}`)
      const ours = paid.map(({ id, total, currency }) => `${id} ${total} ${currency}`)
      expect(theirs.toSorted(), 'the two ledgers').toEqual(ours.toSorted())
      expect(paid.filter(({ payment_state: state }) => state !== 'paid')).toEqual([])
      const unpaid = seen.confirmed.filter((id) => !byOrder.has(String(id)))
      const whatBecame = await shop.db.sql`
        select o.id, o.status, o.payment_state, o.payment_method, o.created_via, o.attention,
          (select json_agg(json_build_array(step, revision, state, result, opened_at, closed_at) order by id)
            from payment_attempts where order_id = o.id) as attempts
        from orders o where o.id = any(${unpaid}) order by o.id`
      expect(whatBecame, 'confirmed and not paid').toEqual([])
      expect(await invariants(shop), 'broken invariants').toEqual([])
      // So that nothing of this is true because nothing happened.
      expect(taken.length).toBeGreaterThan(purchases * 0.9)
      expect(kills).toBeGreaterThanOrEqual(Math.floor(deaths / 2))
      expect(injected).toBeGreaterThan(purchases / 3)
      expect(seen.cards).toBeGreaterThan(purchases / 20)
      expect(seen.kept).toBeGreaterThan(purchases / 100)
    },
    15 * 60_000,
  )
})

/** No more trouble, and time goes by: whatever was left open comes to its end. */
async function settle(): Promise<void> {
  await shop.emulate('/faults/clear', {})
  await shop.emulate('/webhooks/duplicate', { copies: 1 })
  await shop.emulate('/webhooks/reorder', { on: false })
  await shop.emulate('/webhooks/drop', { count: 0 })
  await shop.emulate('/webhooks/flush', {})
  await untilNothingIsOpen(
    shop,
    120_000,
    () => shop.db.sql`update wallet_orders set created_at = created_at - interval '61 minutes'`,
  )
}
