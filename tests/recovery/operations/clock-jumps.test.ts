import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { productsCommand } from '#cli/catalog/products.ts'
import { couponsCommand } from '#cli/coupons/coupons.ts'
import { urls } from '#contract/shared/urls.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { finishPayment } from '#shop/payments/operation/finish-payment.ts'
import { withLast } from '#tests/recovery/fixtures/last-piece.ts'
import { submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { chooseCurrency, totalIn } from '#tests/support/currency/currencies.ts'
import { invariants, orderOf, theOneOrder, until } from '#tests/support/payments/bookkeeping.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let offsetMs = 0
const clock = {
  now: () => new Date(Date.now() + offsetMs),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}

let shop: TestShop
beforeAll(async () => {
  const currencies = [{ code: 'EUR', rate: '0.9' }]
  const settings = { timeZone: 'Europe/Berlin', currencies, exchange: { checkoutInShown: true } }
  shop = await aShop({ settings, environment: { clock } })
})
afterAll(() => shop.close())
afterEach(async () => {
  offsetMs = 0
  await minute()
})

const tools = () => shop.shop.application.tools
/** The job that would run by itself within the next minute. */
const minute = () => maintain(tools())
const setTo = (time: string) => {
  offsetMs = Date.parse(time) - Date.now()
}

let shoppers = 0
const aShopper = () => new Shopper(shop, `timeless-${++shoppers}`)

describe.each([
  ['a day ahead', dayMs],
  ['a day back', -dayMs],
])('a clock that is set %s', (_, jumpMs) => {
  it('F29: takes no job from whoever is at it, and gives those of the dead to others', async () => {
    const { sql } = shop.db
    const held = async (minutes: number) => {
      const [job] = await sql<{ id: string }[]>`select id::text as id from graphile_worker.add_job('what nobody does')`
      await sql`update graphile_worker._private_jobs set locked_by = 'process ' || id,
          locked_at = now() - make_interval(mins => ${minutes}) where id = ${job?.id ?? ''}::bigint`
      return job?.id
    }
    const ids = [await held(1), await held(10)]
    offsetMs = jumpMs
    await minute()
    const jobs = await sql`
      delete from graphile_worker._private_jobs where id = any(${ids as string[]}::bigint[]) returning id::text as id, locked_by`
    expect(new Map(jobs.map(({ id, locked_by }) => [id, locked_by]))).toEqual(
      new Map([
        [ids[0], `process ${ids[0]}`],
        [ids[1], null],
      ]),
    )
  })

  it('F29 at S7 and S9: takes no piece from whoever approves meanwhile', async () => {
    await minute()
    await withLast(shop, 1)
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    offsetMs = jumpMs
    await minute()
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending' })
    const rival = aShopper()
    await rival.add('LAST')
    await rival.openCheckout()
    expect((await rival.placeOrder('cod')).result, 'it is held still').toBe('failure')
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('F29 at S7: leaves to an unpaid order the minutes that it had, and no more than those', async () => {
    await minute()
    const { orderId } = await aShopper().startToPay('MUG')
    offsetMs = jumpMs
    await minute()
    const [held] = await shop.db.sql<{ expires_at: Date }[]>`
      select expires_at from stock_reservations where order_id = ${orderId}`
    const leftMinutes = ((held?.expires_at.getTime() ?? 0) - clock.now().getTime()) / minuteMs
    expect(leftMinutes).toBeGreaterThan(25)
    expect(leftMinutes).toBeLessThan(35)
    // Minute by minute, as time passes.
    for (let passed = 0; passed < 40; passed += 4) {
      offsetMs += 4 * minuteMs
      await minute()
    }
    expect((await orderOf(shop, orderId)).status).toBe('cancelled')
  })

  it('F29 at S4 and S5: keeps the cart, and a form that was open before needs no more than one more look', async () => {
    const shopper = aShopper()
    await shopper.add('MUG')
    await shopper.openCheckout()
    offsetMs = jumpMs
    const answer = await shopper.placeOrder('cod')
    if (answer.result === 'failure') {
      expect((await viewCart(shopper)).lines).toEqual(['Plain mug × 1'])
      await shopper.openCheckout()
      expect((await shopper.placeOrder('cod')).result).toBe('success')
    }
    expect(await invariants(shop)).toEqual([])
  })

  it('F29 at S11: takes the money once when it is set in the middle of taking it', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    await shop.emulate('/fault', { route: 'orders.capture', delay: 700 })
    await shopper.approve(walletOrderId)
    const paying = shopper.returnFromWallet(walletOrderId)
    await until('the capture is under way', async () => (await orderOf(shop, orderId)).payment_state !== 'pending')
    offsetMs = jumpMs
    const again = shopper.placeOrder('ppcp', walletOrderId)
    await minute()
    expect(await paying).toContain(`/order-received/${orderId}/`)
    await again
    await theOneOrder(shop, orderId)
  })

  it('F29 at S6 and S11: goes on with the provider, to whom the access token is over', async () => {
    const before = aShopper()
    await before.startToPay('MUG')
    offsetMs = jumpMs
    await shop.emulate('/clock', { advance_ms: dayMs })
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('F29 at S12: believes a notification, whose time limit is three days', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    offsetMs = jumpMs
    await shopper.approve(walletOrderId)
    // Nobody comes back: the notification alone.
    await theOneOrder(shop, orderId)
  })

  it('F29: keeps numbers, ledger and rates in order', async () => {
    const before = await aShopper().startToPay('MUG')
    offsetMs = jumpMs
    const shopper = aShopper()
    await chooseCurrency(shopper, 'EUR')
    const after = await shopper.startToPay('MUG')
    expect(after.orderId).toBeGreaterThan(before.orderId)
    expect(totalIn(await shopper.page(urls.cart()))).toBe('€17.79')
    await shopper.approve(after.walletOrderId)
    await shopper.returnFromWallet(after.walletOrderId)
    await theOneOrder(shop, after.orderId)
    const entries = await shop.db.sql<{ kind: string }[]>`
      select kind from ledger where order_id = ${after.orderId} order by seq`
    const kinds = entries.map(({ kind }) => kind)
    expect(kinds.indexOf('placed')).toBe(0)
    expect(kinds.indexOf('capture-started')).toBeLessThan(kinds.indexOf('capture-recorded'))
  })
})

describe('a clock that is set back again and again', () => {
  it('F29 at S11: keeps nobody waiting for longer than a clock that goes right', async () => {
    const { orderId, walletOrderId } = await aShopper().startToPay('MUG')
    const [attempt] = await shop.db.sql<{ id: number }[]>`
      insert into payment_attempts (order_id, step, revision, request_id, wallet_order_id, amount, currency, body_hash, state,
        instance, opened_at)
      select id, 'capture', 1, ${`a call that hangs ${orderId}`}, ${walletOrderId}, total, currency, '', 'open',
        ${tools().instance}, now() from orders where id = ${orderId} returning id`
    const id = attempt?.id ?? 0
    tools().working.add(id)
    let pauses = 0
    const sleep = async () => {
      offsetMs -= dayMs
      pauses += 1
      if (pauses > 500) throw new Error('it waits for ever')
    }
    const result = await finishPayment({ ...tools(), clock: { ...clock, sleep } }, orderId, walletOrderId)
    tools().working.delete(id)
    expect(result).toMatchObject({ ok: false, reason: 'checking' })
    offsetMs = 0
    await finishPayment(tools(), orderId)
    expect(await invariants(shop)).toEqual([])
  })
})

describe('what holds until a date, in Berlin', () => {
  // Local midnight before and after the day, as the clock of the world has it.
  const days = [
    ['the day on which summer time begins', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['the day on which summer time ends', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['a leap day', '2028-02-29', '2028-02-28T23:00:00Z', '2028-02-29T23:00:00Z'],
    ['the last day of a year', '2026-12-31', '2026-12-30T23:00:00Z', '2026-12-31T23:00:00Z'],
  ] as const

  it.each(days)('F29: a sale of %s lasts from its first second to its last', async (_, day, begins, ends) => {
    const { code, err } = await runCommandWith(
      { clock },
      productsCommand,
      shop.db,
      ...['edit', 'BOWL', '--sale-from', day, '--sale-to', day],
    )
    expect(code, err).toBe(0)
    const totalAt = async (time: string, seconds: number) => {
      setTo(time)
      offsetMs += seconds * 1000
      const shopper = aShopper()
      await shopper.add('BOWL')
      return (await viewCart(shopper)).total
    }
    // 15.50 or 20.00, tax 1.12 or 1.45, shipping 6.90. A minute on either side: the machine may be slow.
    const [sale, regular] = ['$23.52', '$28.35']
    expect(await totalAt(begins, -60)).toBe(regular)
    expect(await totalAt(begins, 1)).toBe(sale)
    expect(await totalAt(ends, -60)).toBe(sale)
    expect(await totalAt(ends, 1)).toBe(regular)
  })

  it.each(days)('F29 at S3: a coupon that expires on %s is taken until that day begins', async (_, day, begins) => {
    const coupon = `until-${day}`
    const { code, err } = await runCommandWith(
      { clock },
      couponsCommand,
      shop.db,
      ...['add', coupon, '--type', 'fixed_cart', '--amount', '5', '--expires', day],
    )
    expect(code, err).toBe(0)
    const takenAt = async (seconds: number) => {
      setTo(begins)
      offsetMs += seconds * 1000
      const shopper = aShopper()
      await shopper.add('MUG')
      return (await submitCart(shopper, { coupon_code: coupon, apply_coupon: 'Apply coupon' })).coupons
    }
    expect(await takenAt(-60)).toEqual([coupon])
    expect(await takenAt(1)).toEqual([])
  })
})
