import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { through, times } from '#tests/recovery/fixtures/parallel.ts'
import { viewCart } from '#tests/support/cart/cart.ts'
import { anotherProcess, invariants, orderOf } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const limit = 7

let shop: TestShop
let second: RunningShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  second = await anotherProcess(shop)
  await shop.db.sql`insert into coupons (code, type, amount_minor, usage_limit, settings) values
    ('few', 'fixed_cart', 500, ${limit}, '{}'), ('oneeach', 'fixed_cart', 500, null, '{"usageLimitPerUser":1}')`
  // Mugs for everybody.
  const id = await shop.idOf('MUG')
  await shop.db.sql`insert into stock_movements (product_id, change, kind)
    select id, 500 - stock_quantity, 'counted' from products where id = ${id}`
  await shop.db.sql`update products set stock_quantity = 500 where id = ${id}`
})
afterAll(async () => {
  await second.stop()
  await shop.close()
})

/** Visitors by turns of the one process and of the other, each at the checkout with this coupon. */
const atCheckout = (count: number, code: string, nameOf: (index: number) => string) =>
  times(count, async (index) => {
    const shopper = new Shopper(index % 2 ? through(shop, second) : shop, nameOf(index))
    await shopper.add('MUG')
    await shopper.post(urls.cart(), { coupon_code: code, apply_coupon: 'Apply coupon' })
    await shopper.openCheckout()
    return shopper
  })

const usesOf = async (code: string) => {
  const [row] = await shop.db.sql<{ used: number; uses: number }[]>`
    select used, (select count(*)::int from coupon_uses u where u.coupon_id = c.id) as uses
    from coupons c where code = ${code}`
  return row
}

const refusal = 'The usage limit of coupon “few” has been reached.'

describe('a coupon with a limit, by two processes', () => {
  it('F27 at S5: of a hundred orders at once as many take it as its limit allows; the others are told and may go on', async () => {
    const shoppers = await atCheckout(100, 'few', (index) => `hundred-${index}`)
    const answers = await Promise.all(shoppers.map((shopper) => shopper.placeOrder('cod')))
    const winners = answers.flatMap((answer) => (answer.result === 'success' ? [answer] : []))
    expect(winners).toHaveLength(limit)
    for (const { result, messages } of answers) if (result === 'failure') expect(messages).toContain(refusal)
    expect(await usesOf('few')).toEqual({ used: limit, uses: limit })
    // 12.00 − 5.00, tax 0.51, shipping 6.90.
    for (const { order_id: id = 0 } of winners) expect((await orderOf(shop, id)).total).toBe(1441)

    const loser = shoppers[answers.findIndex(({ result }) => result === 'failure')]
    expect((await (loser && viewCart(loser)))?.coupons).toEqual([])
    await loser?.openCheckout()
    const full = await loser?.placeOrder('cod')
    expect((await orderOf(shop, full?.order_id ?? 0)).total).toBe(1977)
    expect(await invariants(shop)).toEqual([])
  })

  it('F27 at S3: whoever types it when it is used up reads so at once, however many do', async () => {
    const { application } = shop.shop
    const answers = await times(100, async (index) => {
      const shopper = new Shopper(index % 2 ? through(shop, second) : shop, `types-${index}`)
      await shopper.add('MUG')
      const token = sha256(shopper.cookie(application.sessionCookie) ?? '')
      const security = nonceFor(application.secret, 'apply-coupon', token, application.tools.clock.now())
      const answer = await shopper.post(urls.wcAjax('apply_coupon'), { security, coupon_code: 'few' })
      return answer.text()
    })
    expect(new Set(answers)).toEqual(
      new Set([`<ul class="woocommerce-error" role="alert"><li role="presentation">${refusal}</li></ul>`]),
    )
    expect(await usesOf('few')).toEqual({ used: limit, uses: limit })
  })

  it('I5 F27 at S5: a use that comes free is taken once, whoever of twenty is there first', async () => {
    const [use] = await shop.db.sql<{ order_id: number }[]>`
      select order_id from coupon_uses u join coupons c on c.id = u.coupon_id where c.code = 'few' limit 1`
    const { tools } = shop.shop.application
    await shop.db.sql`update coupons set usage_limit = usage_limit + 1 where code = 'few'`
    const shoppers = await atCheckout(20, 'few', (index) => `waits-${index}`)
    // The one more is gone again; what is cancelled is what they race for.
    await shop.db.sql`update coupons set usage_limit = usage_limit - 1 where code = 'few'`
    expect((await transitionOrder(tools, use?.order_id ?? 0, { to: 'cancelled' })).ok).toBe(true)
    const answers = await Promise.all(shoppers.map((shopper) => shopper.placeOrder('cod')))
    expect(answers.filter(({ result }) => result === 'success')).toHaveLength(1)
    expect(await usesOf('few')).toEqual({ used: limit, uses: limit })
    expect(await invariants(shop)).toEqual([])
  })

  it('I5 F27 at S5: who may use it once uses it once, in twenty windows at once', async () => {
    const shoppers = await atCheckout(20, 'oneeach', () => 'same-person')
    const answers = await Promise.all(shoppers.map((shopper) => shopper.placeOrder('cod')))
    expect(answers.filter(({ result }) => result === 'success')).toHaveLength(1)
    expect(await usesOf('oneeach')).toEqual({ used: 1, uses: 1 })
    expect(await invariants(shop)).toEqual([])
  })
})
