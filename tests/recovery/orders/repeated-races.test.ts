import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { withLast } from '#tests/recovery/fixtures/last-piece.ts'
import { through } from '#tests/recovery/fixtures/parallel.ts'
import { anotherProcess, invariants, providerLedger } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper, startedOf } from '#tests/support/shopper.ts'
import { size } from '#tests/support/size.ts'

const rounds = size(15, 1000)
const patienceMs = size(300_000, 1_800_000)

let shop: TestShop
let second: RunningShop
let elsewhere: TestShop
beforeAll(async () => {
  shop = await aShop()
  second = await anotherProcess(shop)
  elsewhere = through(shop, second)
})
afterAll(async () => {
  await second.stop()
  await shop.close()
})

/** A visitor of each process, with their carts filled. */
const aPair = async (name: string, fill: (shopper: Shopper) => Promise<void>) => {
  const pair = [new Shopper(shop, `${name}-here`), new Shopper(elsewhere, `${name}-there`)] as const
  for (const shopper of pair) {
    await fill(shopper)
    await shopper.openCheckout()
  }
  return pair
}

const wins = (answers: readonly CheckoutAnswer[]) => answers.map(({ result }) => result === 'success')

describe(`${rounds} rounds between two processes`, () => {
  it('M6 P4 the last piece is sold once', { timeout: patienceMs }, async () => {
    const fill = (shopper: Shopper) => shopper.add('LAST')
    await withLast(shop, 1)
    const pair = await aPair('last', fill)
    for (let round = 0; round < rounds; round += 1) {
      await withLast(shop, 1)
      const won = wins(await Promise.all(pair.map((shopper) => shopper.placeOrder('cod'))))
      expect(won.filter(Boolean), `round ${round}`).toHaveLength(1)
      await withLast(shop, 1)
      // Who has bought it comes back for another; who was late has it in the cart still.
      await Promise.all(pair.map((shopper, index) => (won[index] ? fill(shopper) : null)))
    }
    expect(await invariants(shop)).toEqual([])
  })

  it('M6 I5 the last use of a coupon is taken once', { timeout: patienceMs }, async () => {
    await shop.db.sql`insert into coupons (code, type, amount_minor, usage_limit, settings)
      values ('round', 'fixed_cart', 500, 1, '{}')`
    const stock = await shop.idOf('CARD')
    const [{ managed } = { managed: 'no' }] = await shop.db.sql<{ managed: string }[]>`
      select manage_stock as managed from products where id = ${stock}`
    expect(managed, 'there are as many gift cards as anybody wants').toBe('no')
    const fill = async (shopper: Shopper) => {
      await shopper.add('CARD')
      await shopper.post(urls.cart(), { coupon_code: 'round', apply_coupon: 'Apply coupon' })
    }
    const pair = await aPair('coupon', fill)
    for (let round = 0; round < rounds; round += 1) {
      const won = wins(await Promise.all(pair.map((shopper) => shopper.placeOrder('cod'))))
      expect(won.filter(Boolean), `round ${round}`).toHaveLength(1)
      const [coupon] = await shop.db.sql`update coupons set usage_limit = usage_limit + 1 where code = 'round'
        returning used`
      expect(coupon).toEqual({ used: round + 1 })
      const again = async (shopper: Shopper, hasWon: boolean) => {
        if (hasWon) return fill(shopper)
        await shopper.post(urls.cart(), { coupon_code: 'round', apply_coupon: 'Apply coupon' })
      }
      await Promise.all(pair.map((shopper, index) => again(shopper, won[index] ?? false)))
    }
    expect(await invariants(shop)).toEqual([])
  })

  const paid: number[] = []

  it('M6 P1 an approved payment that is sent twice is taken once', { timeout: patienceMs }, async () => {
    const shopper = new Shopper(shop, 'twice')
    for (let round = 0; round < rounds; round += 1) {
      await shopper.add('CARD')
      if (round === 0) await shopper.openCheckout()
      const { orderId, walletOrderId } = startedOf(await shopper.placeOrder())
      await shopper.approve(walletOrderId)
      const answers = await Promise.all([
        shopper.placeOrder('ppcp', walletOrderId),
        shopper.anotherTab(elsewhere).placeOrder('ppcp', walletOrderId),
      ])
      for (const { redirect } of answers) expect(redirect, `round ${round}`).toContain(`/order-received/${orderId}/`)
      paid.push(orderId)
    }
    const { captures } = await providerLedger(shop)
    expect(captures.map(({ custom_id }) => Number(custom_id)).sort((a, b) => a - b)).toEqual(paid)
    const [states] = await shop.db.sql`select count(*)::int as paid from orders
      where id = any(${paid}) and payment_state = 'paid'`
    expect(states).toEqual({ paid: rounds })
    expect(await invariants(shop)).toEqual([])
  })

  it('M6 F38 at S16: all that is left goes back once, by one key or by two', { timeout: patienceMs }, async () => {
    expect(paid, 'the orders of the rounds before').toHaveLength(rounds)
    for (const [round, orderId] of paid.entries()) {
      const keys = ['all', round % 2 === 0 ? 'all' : 'all of it']
      const processes = [shop.shop.application.tools, second.application.tools]
      const answers = await Promise.all(
        processes.map((tools, index) => refundOrder(tools, orderId, { key: keys[index] ?? '', ask: { kind: 'full' } })),
      )
      const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.reason]))
      if (round % 2 === 0) expect(refused, `round ${round}`).toEqual([])
      else expect([['under-way'], ['nothing-left']], `round ${round}`).toContainEqual(refused)
    }
    const rows = await shop.db.sql`select order_id from refunds where state = 'done' order by order_id`
    expect(rows.map(({ order_id: id }) => id)).toEqual(paid)
    const { refunds } = (await shop.emulate('/ledger')) as { refunds: unknown[] }
    expect(refunds).toHaveLength(rounds)
    expect(await invariants(shop)).toEqual([])
  })
})
