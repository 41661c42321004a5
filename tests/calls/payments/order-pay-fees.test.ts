import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** What depends on the way to pay, of an order that is paid another way than it was placed with. Goods are taxed with 7.25 %. */
let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: {
      payments: { bacs: { enabled: true } },
      fees: [
        { name: 'Gift wrap', amount: '2.50' },
        { name: 'Wallet surcharge', percent: 3, when: { paymentMethod: 'ppcp' } },
        { name: 'For the courier', amount: '4', taxable: false, when: { paymentMethod: 'cod' } },
        { name: 'Rebate for transfers', amount: '-1.50', when: { paymentMethod: 'bacs' } },
      ],
    },
  })
})
afterAll(() => shop.close())

const figures = ['total', 'total_tax', 'cart_tax', 'payment_method', 'base_total'] as const
type Row = { [Name in (typeof figures)[number] | 'id']: number } & {
  key: string
  status: string
  payment_state: string
}

async function row(id: number): Promise<Row> {
  const [found] = await shop.db.sql<Row[]>`select * from orders where id = ${id}`
  if (!found) throw new Error(`no order ${id}`)
  return found
}

/** What an order comes to and why, without its numbers. */
async function comesTo(id: number) {
  const order = await row(id)
  const items = await shop.db.sql`
    select type, name, total, total_tax, facts ->> 'ratePpm' as rate from order_items
    where order_id = ${id} order by type, position`
  return [Object.fromEntries(figures.map((name) => [name, order[name]])), items.map((item) => Object.values(item))]
}

async function placedBy(name: string, method: string): Promise<{ shopper: Shopper; order: Row; path: string }> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG', 2)
  await shopper.openCheckout()
  const placed = await shopper.placeOrder(method)
  const order = await row(placed.order_id ?? 0)
  return { shopper, order, path: urls.orderPay(order.id, order.key) }
}

async function pay(shopper: Shopper, path: string, method: string): Promise<string> {
  const html = await shopper.page(path)
  const form = /<form[^>]*id="order_review".*?<\/form>/s.exec(html)?.[0] ?? ''
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, field = '', value = '']) => [field, value]))
  const response = await shopper.post(path, { ...fields, payment_method: method, terms: '1' })
  return response.headers.get('location') ?? ''
}

async function broken() {
  const { clock, paypal } = shop.shop.application.tools
  return checkInvariants({ db: shop.db, clock, paypal })
}

describe('an order that is paid another way than it was placed with', () => {
  it.each(['bacs', 'cod'])(
    'I6 I7 costs by %s what it would have cost so at once, and is paid once that was shown',
    async (method) => {
      const { shopper, order, path } = await placedBy('ida', 'ppcp')
      expect(await shopper.page(path)).toContain('Wallet surcharge')
      expect(await pay(shopper, path, method)).toBe(path)
      expect(await row(order.id)).toMatchObject({ status: 'pending' })
      const shown = await shopper.page(path)
      expect(shown).toContain('total has changed')
      expect(shown).not.toContain('Wallet surcharge')

      expect(await pay(shopper, path, method)).toBe(urls.orderReceived(order.id, order.key))
      const direct = await placedBy('may', method)
      expect(await comesTo(order.id)).toEqual(await comesTo(direct.order.id))
      expect(await broken()).toEqual([])
    },
  )

  it('I3 I7 a wallet order that was opened for the former total takes no money, and one for the new total does', async () => {
    const { shopper, order, path } = await placedBy('sue', 'ppcp')
    const before = await comesTo(order.id)
    const [old] = await shop.db.sql<{ id: string; amount: number }[]>`
      select id, amount from wallet_orders where order_id = ${order.id}`
    expect(old?.amount).toBe(order.total)
    await pay(shopper, path, 'cod')
    const changed = await row(order.id)
    expect(changed.total).not.toBe(order.total)
    await shopper.approve(old?.id ?? '')
    expect(await shopper.returnFromWallet(old?.id ?? '')).not.toContain(String(order.id))
    expect(await row(order.id)).toMatchObject({ status: 'pending', total: changed.total })
    expect(await shop.db.sql`select id from captures where order_id = ${order.id}`).toHaveLength(0)

    // Back again: the surcharge is not got round by a detour.
    expect(await pay(shopper, path, 'ppcp')).toBe(path)
    expect(await comesTo(order.id)).toEqual(before)
    const wallet = new URL(await pay(shopper, path, 'ppcp')).searchParams.get('token') ?? ''
    expect(wallet).not.toBe(old?.id)
    await shopper.approve(wallet)
    expect(await shopper.returnFromWallet(wallet)).toBe(urls.orderReceived(order.id, order.key))
    const [capture] = await shop.db.sql`select amount from captures where order_id = ${order.id}`
    expect(capture).toEqual({ amount: order.total })
    expect(await broken()).toEqual([])
  })

  it('I7 is shown anew before the wallet’s button opens a window for it', async () => {
    const { shopper, order, path } = await placedBy('eve', 'ppcp')
    await pay(shopper, path, 'bacs')
    const body = { payment_method: 'ppcp', order_id: order.id, order_key: order.key }
    const refused = await shopper.rest('order/pay', body)
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ code: 'currency-changed' })])
    expect(await shopper.page(path)).toContain('total has changed')
    const opened = (await (await shopper.rest('order/pay', body)).json()) as string
    const [wallet] = await shop.db.sql`select amount from wallet_orders where id = ${opened}`
    expect(wallet).toEqual({ amount: order.total })
  })

  it('keeps its figures where something else was ordered than what they were worked out for', async () => {
    const { shopper, order, path } = await placedBy('tom', 'ppcp')
    await shop.db.sql`update orders set total = total + 100 where id = ${order.id}`
    await shop.db.sql`update order_items set total = total + 100 where order_id = ${order.id} and type = 'line_item'`
    expect(await pay(shopper, path, 'cod')).toBe(urls.orderReceived(order.id, order.key))
    expect(await row(order.id)).toMatchObject({ total: order.total + 100, payment_method: 'cod' })
  })

  it('drops the fee of the way that it was placed with for one that is offered only since', async () => {
    const { shopper, order, path } = await placedBy('kim', 'ppcp')
    await shop.db.sql`update orders set figures_by_method = figures_by_method - 'cod' where id = ${order.id}`
    await pay(shopper, path, 'cod')
    const fees = await shop.db.sql`select name from order_items where order_id = ${order.id} and type = 'fee'`
    expect(fees.map(({ name }) => name)).toEqual(['Gift wrap'])
  })
})
