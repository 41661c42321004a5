import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cardMethodId, fastlaneHooks, paymentFields } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { finishPayment } from '#shop/payments/operation/finish-payment.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  providerLedger,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import {
  aLoggedInCustomer,
  allMethodSettings,
  createOrder,
  payApproved,
  placeWith,
} from '#tests/support/payments/saved-methods.ts'
import { aShopOfProcesses, type ShopOfProcesses, type TestWorld } from '#tests/support/process/process.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

let shoppers = 0

type Payer = { shopper: Shopper; press: () => Promise<CheckoutAnswer> }

/** Somebody who has a cart, and a card that pays once without anybody's approval. */
async function aPayer(world: TestWorld, card: object = {}): Promise<Payer> {
  const shopper = new Shopper(world, `at-once-${++shoppers}`)
  await shopper.add('MUG')
  const intention = intentionIn(await shopper.openCheckout())
  const { id } = (await world.emulate('/single-use-tokens', card)) as { id: string }
  const fields = { intention, [paymentFields(cardMethodId).paymentToken]: id, [fastlaneHooks.flagField]: '1' }
  return { shopper, press: () => placeWith(shopper, cardMethodId, fields) }
}

const intentionIn = (html: string) => /name="intention" value="([^"]+)"/.exec(html)?.[1] ?? ''

/** Somebody with an account who has a cart, and a card that was kept with an earlier purchase. */
async function aKeeper(world: TestWorld): Promise<Payer> {
  const shopper = await aLoggedInCustomer(world, `keeper-${++shoppers}`)
  await shopper.add('MUG')
  await shopper.openCheckout()
  const save = { [paymentFields(cardMethodId).save]: '1' }
  const first = String(await (await createOrder(shopper, cardMethodId, save)).json())
  await world.emulate(`/orders/${first}/card`, {})
  const bought = await payApproved(shopper, cardMethodId, first, save)
  if (bought.result !== 'success') throw new Error(`no card was kept: ${bought.messages}`)
  const kept = await world.db.kysely
    .selectFrom('payment_tokens')
    .innerJoin('customers', 'customers.id', 'payment_tokens.customer_id')
    .select('payment_tokens.id')
    .where('customers.email', '=', shopper.email)
    .executeTakeFirstOrThrow()
  await shopper.add('MUG')
  const intention = intentionIn(await shopper.openCheckout())
  const fields = { intention, [paymentFields(cardMethodId).kept]: String(kept.id) }
  return { shopper, press: () => placeWith(shopper, cardMethodId, fields) }
}

/** Somebody who has typed a card into the provider's fields, which have confirmed it. */
async function aTyper(world: TestWorld): Promise<Payer> {
  const shopper = new Shopper(world, `typed-${++shoppers}`)
  await shopper.add('MUG')
  await shopper.openCheckout()
  const opened = String(await (await createOrder(shopper, cardMethodId)).json())
  await world.emulate(`/orders/${opened}/card`, {})
  return { shopper, press: () => payApproved(shopper, cardMethodId, opened) }
}

const payers: readonly [string, (world: TestWorld) => Promise<Payer>, string][] = [
  ['a card of accelerated checkout', aPayer, 'orders.create'],
  ['a kept card', aKeeper, 'orders.create'],
  ['a card’s fields', aTyper, 'orders.capture'],
]

const orderIdIn = ({ redirect = '' }: CheckoutAnswer) => Number(/\/order-received\/(\d+)\//.exec(redirect)?.[1])

/** The newest: who keeps a card has bought before. */
async function orderOfPayer(world: TestWorld, { email }: Shopper): Promise<number> {
  const row = await world.db.kysely
    .selectFrom('orders')
    .select('id')
    .where(({ eb, ref }) => eb(ref('billing', '->>').key('email'), '=', email))
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return row.id
}

async function walletOrdersFor(world: TestWorld, orderId: number): Promise<number> {
  return (await providerLedger(world)).orders.filter(({ custom_id }) => custom_id === String(orderId)).length
}

describe('killed while one call opens and takes', () => {
  let shop: ShopOfProcesses
  beforeAll(async () => {
    shop = await aShopOfProcesses({ settings: allMethodSettings })
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    await shop.kill()
    await shop.emulate('/webhooks/hold', { on: true })
  })

  const points: [string, Checkpoint, string][] = [
    ['F3 at S11', 'S11 attempt written', 'the call is sent by whoever comes next'],
    ['F4 at S11', 'S11 called', 'the repeated call shows what the first one took'],
    ['F1 at S12', 'S12 before commit', 'the repeated call is recorded'],
    ['F2 at S13', 'S13 after commit', 'all is done'],
  ]
  const untouched: (typeof points)[number] = ['F1 at S11', 'S11 before commit', 'nothing was begun']

  /** Presses in a process that dies at the point. */
  async function dying(point: Checkpoint, aPayerOf: (world: TestWorld) => Promise<Payer>): Promise<Payer> {
    // Who keeps a card has paid before, which must not be what the process dies of.
    const begun = aPayerOf === aKeeper ? await shop.start().then(() => aPayerOf(shop)) : null
    await shop.kill()
    await shop.start({ crashAt: point })
    const payer = begun ?? (await aPayerOf(shop))
    await expect(payer.press()).rejects.toThrow('fetch failed')
    await shop.ended()
    await shop.start()
    return payer
  }

  /** Every point with every means. */
  const each = (rows: typeof points) =>
    rows.flatMap(([id, point, what]) => payers.map(([means, payer]) => [id, point, means, what, payer] as const))

  it.each(each([untouched, ...points]))(
    '%s (%s), by %s: %s, and the same press shows it',
    async (_id, point, _means, _what, aPayerOf) => {
      const { shopper, press } = await dying(point, aPayerOf)
      const answer = await press()
      const orderId = await orderOfPayer(shop, shopper)
      expect(orderIdIn(answer), answer.messages).toBe(orderId)
      await theOneOrder(shop, orderId)
      expect(await walletOrdersFor(shop, orderId)).toBe(1)
      await shop.emulate('/webhooks/flush', {})
      expect(await capturesFor(shop, orderId)).toHaveLength(1)
    },
  )

  it.each(each(points))(
    '%s (%s), by %s: %s, although nobody comes back',
    async (_id, point, _means, _what, aPayerOf) => {
      const { shopper } = await dying(point, aPayerOf)
      const orderId = await orderOfPayer(shop, shopper)
      await theOneOrder(shop, orderId)
      expect(await walletOrdersFor(shop, orderId)).toBe(1)
    },
  )
})

describe('a provider that does it and does not say so', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await aShop({ settings: allMethodSettings })
    await shop.emulate('/webhooks/hold', { on: true })
    // Enough for everybody.
    await shop.db.sql`update products set stock_quantity = stock_quantity + 1000 where sku = 'MUG'`
    await shop.db.sql`insert into stock_movements (product_id, change, kind)
      select id, 1000, 'counted' from products where sku = 'MUG'`
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    await shop.emulate('/faults/clear', {})
    await shop.db.sql`delete from rate_limits`
  })

  const faults: [string, object][] = [
    ['F8 at S11: works, then answers 500', { done_then_500: true }],
    ['F7 at S11: works, then cuts the connection', { done_then_drop: true }],
    ['F11 at S11: works, then answers half of its JSON', { malformed: true }],
    ['F9 at S11: asks for patience', { status: 429, retry_after: 1 }],
    ['F8 at S11: is out of order for a moment', { status: 503, times: 2 }],
  ]
  describe.each(payers)('to %s', (_means, aPayerOf, route) => {
    it.each(faults)('%s: paid once, by one wallet order', async (_what, fault) => {
      const { shopper, press } = await aPayerOf(shop)
      await shop.emulate('/fault', { route, ...fault })
      const answer = await press()
      expect(answer.result, answer.messages).toBe('success')
      const orderId = await orderOfPayer(shop, shopper)
      await theOneOrder(shop, orderId)
      expect(await walletOrdersFor(shop, orderId)).toBe(1)
    })

    it('F7 at S11: an unknown end is told as such, keeps every other payment off, and is found out', async () => {
      const { shopper, press } = await aPayerOf(shop)
      await shop.emulate('/fault', { route, done_then_drop: true, times: 3 })
      const answer = await press()
      const orderId = await orderOfPayer(shop, shopper)
      expect(orderIdIn(answer), answer.messages).toBe(orderId)
      const order = await orderOf(shop, orderId)
      if (order.payment_state !== 'paid') {
        expect(order).toMatchObject({ status: 'pending', payment_state: 'authorising' })
        await until('the page finds out', async () => {
          await shopper.page(urls.orderReceived(orderId, order.key))
          return (await orderOf(shop, orderId)).payment_state === 'paid'
        })
      }
      await theOneOrder(shop, orderId)
      expect(await walletOrdersFor(shop, orderId)).toBe(1)
    })

    it('F12 at S11: a refusal is told, takes nothing, and the same order is paid with another card', async () => {
      const { shopper, press } = await aPayerOf(shop)
      await shop.emulate('/fault', { route, issue: 'INSTRUMENT_DECLINED' })
      const refused = await press()
      expect(refused.result).toBe('failure')
      expect(refused.messages).toContain('Nothing was charged')
      const orderId = await orderOfPayer(shop, shopper)
      expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'pending' })
      expect(await capturesFor(shop, orderId)).toEqual([])
      expect(await invariants(shop)).toEqual([])
      await shopper.openCheckout()
      const { id } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
      const fields = { [paymentFields(cardMethodId).paymentToken]: id, [fastlaneHooks.flagField]: '1' }
      expect(orderIdIn(await placeWith(shopper, cardMethodId, fields))).toBe(orderId)
      await theOneOrder(shop, orderId)
    })

    it('F13 at S11: a payment that is looked at keeps the pieces, and the later event decides', async () => {
      const { shopper, press } = await aPayerOf(shop)
      await shop.emulate('/captures/next', { outcome: 'PENDING_REVIEW' })
      expect((await press()).result).toBe('success')
      const orderId = await orderOfPayer(shop, shopper)
      expect(await orderOf(shop, orderId)).toMatchObject({
        status: 'on-hold',
        payment_state: 'review',
        stock_reduced: true,
      })
      const [capture] = await capturesFor(shop, orderId)
      await shop.emulate(`/captures/${capture?.id}/settle`, { status: 'COMPLETED' })
      await shop.emulate('/webhooks/flush', {})
      await until('the order is paid', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
      expect(await capturesFor(shop, orderId)).toHaveLength(1)
      expect(await invariants(shop)).toEqual([])
    })

    it('I12 F9 at S11: a look that fails while a payment is looked at does not put in doubt what was seen before', async () => {
      const { shopper, press } = await aPayerOf(shop)
      await shop.emulate('/captures/next', { outcome: 'PENDING_REVIEW' })
      expect((await press()).result).toBe('success')
      const orderId = await orderOfPayer(shop, shopper)
      const states = () => shop.db.sql<{ step: string; state: string }[]>`
        select step, state from payment_attempts where order_id = ${orderId} order by id`
      const before = await states()
      expect(before.map(({ state }) => state)).not.toContain('unknown')
      await shop.emulate('/fault', { route: 'orders.get', status: 503, times: 5 })
      expect(await finishPayment(shop.shop.application.tools, orderId)).toMatchObject({ ok: false, reason: 'checking' })
      await shop.emulate('/faults/clear', {})
      expect(await states()).toEqual(before)
    })

    it('F40 at S11: while one means pays, and after it has, another takes nothing for the same order', async () => {
      const { shopper, press } = await aPayerOf(shop)
      await shop.emulate('/fault', { route, delay: 1_500 })
      const paying = press()
      const another = shopper.anotherTab()
      await another.openCheckout()
      const orderId = await until('the payment is under way', async () => {
        const id = await orderOfPayer(shop, shopper).catch(() => 0)
        return id > 0 && (await orderOf(shop, id)).payment_state === 'authorising' && id
      })
      const { id } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
      const fields = { [paymentFields(cardMethodId).paymentToken]: id, [fastlaneHooks.flagField]: '1' }
      const meanwhile = await placeWith(another, cardMethodId, fields)
      expect(orderIdIn(await paying)).toBe(orderId)
      if (meanwhile.result === 'success') expect(orderIdIn(meanwhile)).toBe(orderId)
      const paid = await theOneOrder(shop, orderId)
      await placeWith(another, cardMethodId, fields)
      await press()
      expect(await capturesFor(shop, orderId)).toHaveLength(1)
      expect(await orderOf(shop, orderId)).toEqual(paid)
    })
  })

  it('F7 at S11: what cannot be found out any more is left to a person, and never sent again', async () => {
    await shop.emulate('/fault', { route: 'orders.create', drop: true, times: 3 })
    const { shopper, press } = await aPayer(shop)
    const answer = await press()
    const orderId = await orderOfPayer(shop, shopper)
    await shop.db.sql`update payment_attempts set result = result || '{"at":"2020-01-01T00:00:00.000Z"}'
      where order_id = ${orderId} and step = 'pay'`
    await shop.emulate('/faults/clear', {})
    await shopper.page(answer.redirect ?? '')
    const order = await orderOf(shop, orderId)
    expect(order.payment_state).toBe('attention')
    expect(order.attention).toContain('look for the invoice')
    expect(await walletOrdersFor(shop, orderId)).toBe(0)
  })

  it('F12 at S6: a refusal takes nothing, says so, and the same order is paid with another card', async () => {
    const { shopper, press } = await aPayer(shop, { name: 'CCREJECT-REFUSED' })
    const refused = await press()
    expect(refused.result).toBe('failure')
    expect(refused.messages).toContain('Nothing was charged')
    const orderId = await orderOfPayer(shop, shopper)
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'pending' })
    const { id } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
    const fields = { [paymentFields(cardMethodId).paymentToken]: id, [fastlaneHooks.flagField]: '1' }
    expect(orderIdIn(await placeWith(shopper, cardMethodId, fields))).toBe(orderId)
    expect((await capturesFor(shop, orderId)).filter(({ status }) => status === 'COMPLETED')).toHaveLength(1)
  })

  it('F40 at S11: once an order is paid another card takes nothing more for the same order', async () => {
    const { shopper, press } = await aPayer(shop)
    await press()
    const orderId = await orderOfPayer(shop, shopper)
    const paid = await theOneOrder(shop, orderId)
    // Pressed again with another card: the order is paid, and nothing more is taken.
    const { id } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
    await placeWith(shopper, cardMethodId, {
      [paymentFields(cardMethodId).paymentToken]: id,
      [fastlaneHooks.flagField]: '1',
    })
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
    expect(await orderOf(shop, orderId)).toEqual(paid)
  })
})
