import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ordersCommand } from '#cli/orders/orders.ts'
import { urls } from '#contract/shared/urls.ts'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { amountsIn } from '#tests/support/currency/currencies.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let key: ApiKeyPair
beforeAll(async () => {
  shop = await aShop({ settings: { taxes: { pricesIncludeTax: true, displayCart: 'incl', displayShop: 'incl' } } })
  const { sql } = shop.db
  await sql`update tax_rates set rate_ppm = 200000`
  await sql`update products set regular_price = 1349, min_price = 1349, max_price = 1349 where sku = 'MUG'`
  await sql`insert into coupons (code, type, amount_ppm) values ('half', 'percent', 500000)`
  await reconfigured(shop)
  key = await makeApiKey(shop.shop.application.tools, { description: 'Books', who: 'tester' })
})
afterAll(() => shop?.close())

type Answer = Record<'discount_total' | 'discount_tax' | 'total' | 'total_tax', string> & {
  line_items: Record<string, unknown>[]
  coupon_lines: Record<string, unknown>[]
  refunds: Record<string, unknown>[]
}

async function readOrder(id: number): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')}`
  const answer = await fetch(`${shop.url}/wp-json/wc/v3/orders/${id}`, { headers: { authorization } })
  return (await answer.json()) as Answer
}

/** Half of 13.49 is 6.74, of which a sixth is tax: 5.62 and 1.12. */
const half = { discount: '5.62', discount_tax: '1.12' }
const reported = {
  discount_total: half.discount,
  discount_tax: half.discount_tax,
  coupon_lines: [{ code: 'half', ...half }],
}

describe('the discount of an order, where prices hold tax', () => {
  it('is reported as the net of the gross discount, while the rows of pages add up', async () => {
    const shopper = new Shopper(shop, 'discount')
    await shopper.add('MUG')
    await shopper.post(urls.cart(), { coupon_code: 'half', apply_coupon: 'Apply' })
    await shopper.openCheckout()
    const placed = await shopper.placeOrder('cod')
    const id = placed.order_id ?? 0
    const order = await readOrder(id)
    expect(order).toMatchObject({ ...reported, line_items: [{ subtotal: '11.24', total: '5.63' }] })
    const [row] = await shop.db.sql`select discount_total, discount_tax from orders where id = ${id}`
    expect(row).toEqual({ discount_total: 562, discount_tax: 112 })

    // 13.49 − 6.74 + 6.90 = 13.65, on the page and in net figures at the desk.
    const page = await shopper.page(placed.redirect ?? '')
    const amounts = amountsIn(page)
    expect(amounts).toContain('\u2212$6.74')
    expect(amounts).toContain('$13.65')
    const shown = await runCommand(ordersCommand, shop.db, 'show', String(id))
    expect(shown.out).toMatch(/Lines +11\.24/)
    expect(shown.out).toMatch(/Coupon half +-5\.61/)
  })

  it('adds up at the provider, and stays as it was after a refund', async () => {
    const shopper = new Shopper(shop, 'discount-wallet')
    await shopper.add('MUG')
    await shopper.post(urls.cart(), { coupon_code: 'half', apply_coupon: 'Apply' })
    await shopper.openCheckout()
    const placed = await shopper.placeOrder()
    const walletOrderId = new URL(placed.redirect ?? '', shop.url).searchParams.get('token') ?? ''
    const log = (await shop.emulate('/log')) as { operation: string; request?: unknown }[]
    const asked = log.findLast(({ operation }) => operation === 'orders.create')?.request as {
      purchase_units: { amount: { value: string; breakdown: Record<string, { value: string }> } }[]
    }
    const value = (part: string) => asked.purchase_units[0]?.amount.breakdown[part]?.value
    expect(asked.purchase_units[0]?.amount.value).toBe('13.65')
    expect([value('item_total'), value('discount'), value('tax_total'), value('shipping')]).toEqual([
      ...['11.24', '5.61', '1.12', '6.90'],
    ])
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    const id = placed.order_id ?? 0
    const { tools } = shop.shop.application
    expect(await refundOrder(tools, id, { key: 'part', ask: { kind: 'amount', minor: 100 } })).toMatchObject({
      ok: true,
    })
    expect(await readOrder(id)).toMatchObject({ ...reported, total: '13.65', refunds: [{ total: '-1.00' }] })
  })
})
