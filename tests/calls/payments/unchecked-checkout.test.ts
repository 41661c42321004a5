import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import { createOrder, payApproved } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

/** One mug for 12.00, 6.90 to send it within the United States, and 7.25 % of it more in California. */
let shop: TestShop
let checking: TestShop
beforeAll(async () => {
  ;[shop, checking] = await Promise.all([
    aShop({ settings: { paypal: { validateFirst: false } } }),
    aShop({ settings: { paypal: { validateFirst: true } } }),
  ])
})
afterAll(() => Promise.all([shop.close(), checking.close()]))

async function aShopper(name: string, where = shop): Promise<Shopper> {
  const shopper = new Shopper(where, name)
  await shopper.add('MUG')
  await shopper.openCheckout()
  return shopper
}

const nothing = Object.fromEntries(
  ['first_name', 'last_name', 'address_1', 'city', 'state', 'postcode', 'phone', 'email'].map((key) => [
    `billing_${key}`,
    '',
  ]),
)
const orderIdIn = ({ redirect = '' }: CheckoutAnswer) => Number(/\/order-received\/(\d+)\//.exec(redirect)?.[1])

/** What the wallet was opened for. */
async function amountOf(walletOrderId: string): Promise<string | undefined> {
  const { orders } = (await shop.emulate('/ledger')) as { orders: { id: string; amount: { value: string } }[] }
  return orders.find(({ id }) => id === walletOrderId)?.amount.value
}

async function opened(shopper: Shopper, fields: Record<string, string> = {}): Promise<string> {
  const response = await createOrder(shopper, walletMethodId, fields)
  const id: unknown = await response.json()
  expect(response.status, JSON.stringify(id)).toBe(200)
  return String(id)
}

/** The form as the page has it now, sent by its own button. */
async function placedFrom(shopper: Shopper, path: string, fields: Record<string, string> = {}) {
  const html = await shopper.page(path)
  await shopper.openCheckout()
  const hidden = Object.fromEntries(
    ['seen_total', 'intention', 'ppcp_paypal_order_id'].map((name) => [
      name,
      new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? '',
    ]),
  )
  const response = await shopper.post(urls.wcAjax('checkout'), {
    ...shopper.form(walletMethodId),
    ...hidden,
    ...fields,
  })
  return { html, hidden, answer: (await response.json()) as CheckoutAnswer }
}

const notApproved = async (walletOrderId: string) => {
  const [row] = await shop.db.sql<{ created_via: string; payment_state: string }[]>`
    select created_via, payment_state from orders join wallet_orders on order_id = orders.id
    where wallet_orders.id = ${walletOrderId}`
  return row
}

describe('a checkout whose form is checked first', () => {
  it('FLOW-13 opens no wallet for a form that does not hold, and names every field', async () => {
    const shopper = await aShopper('ann', checking)
    const response = await createOrder(shopper, walletMethodId, nothing)
    const answer = (await response.json()) as { code: string; data: { messages: string } }
    expect([response.status, answer.code]).toEqual([400, 'validation_errors'])
    expect(answer.data.messages).toContain('Street address')
    const { orders } = (await checking.emulate('/ledger')) as { orders: object[] }
    expect(orders).toEqual([])
    expect(await checking.db.sql`select from orders`).toHaveLength(0)
  })
})

describe('a checkout whose form is not checked first', () => {
  it('FLOW-13 FLOW-02 opens the wallet, and pays at once when the form that comes back holds and costs the same', async () => {
    const shopper = await aShopper('bob')
    const id = await opened(shopper, { billing_first_name: '', billing_phone: '' })
    expect(await amountOf(id)).toBe('19.77')
    await shopper.approve(id)
    const answer = await payApproved(shopper, walletMethodId, id)
    expect(answer.result, answer.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(answer))
  })

  it('FLOW-13 a form that holds opens the wallet with its address, as ever', async () => {
    const shopper = await aShopper('cid')
    const id = await opened(shopper)
    const log = (await shop.emulate('/log')) as { operation: string; request?: object }[]
    expect(log.findLast(({ operation }) => operation === 'orders.create')?.request).toMatchObject({
      purchase_units: [{ shipping: { address: { postal_code: '95131' } } }],
    })
    expect((await notApproved(id))?.created_via).toBe('checkout')
  })

  it('FLOW-04 P5 a total that the wallet has not shown is looked at first, told to it, and paid by the form once', async () => {
    const shopper = await aShopper('dan')
    const id = await opened(shopper, nothing)
    // The form names a country only, and no tax is known for that: 12.00 and 6.90.
    expect(await amountOf(id)).toBe('18.90')
    await shopper.approve(id)
    const review = await payApproved(shopper, walletMethodId, id)
    expect(review.redirect).toContain('_ppcp_order_review=')
    expect(await amountOf(id)).toBe('19.77')
    expect(await notApproved(id)).toEqual({ created_via: 'wallet', payment_state: 'pending' })

    const { html, hidden, answer } = await placedFrom(shopper, review.redirect ?? '')
    expect(html).toContain('Your address has changed the total')
    expect(hidden).toMatchObject({ seen_total: '1977', ppcp_paypal_order_id: id })
    expect(answer.result, answer.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(answer))
    const { captures } = (await shop.emulate('/ledger')) as { captures: { order_id: string; amount: object }[] }
    expect(captures.filter(({ order_id }) => order_id === id).map(({ amount }) => amount)).toMatchObject([
      { value: '19.77' },
    ])
  })

  it('FLOW-04 P5 another way of shipping on the way is told to the wallet too, and paid as the form showed it', async () => {
    const shopper = await aShopper('eva')
    const id = await opened(shopper, nothing)
    await shopper.approve(id)
    const review = await payApproved(shopper, walletMethodId, id)
    // 12.00 and 0.87 of tax, with 15.00 for sending it express.
    const { answer } = await placedFrom(shopper, review.redirect ?? '', {
      'shipping_method[0]': 'flat_rate:2',
      seen_total: '2787',
    })
    expect(answer.result, answer.messages).toBe('success')
    const { captures } = (await shop.emulate('/ledger')) as { captures: { order_id: string; amount: object }[] }
    expect(captures.filter(({ order_id }) => order_id === id).map(({ amount }) => amount)).toMatchObject([
      { value: '27.87' },
    ])
    await theOneOrder(shop, orderIdIn(answer))
  })

  it('FLOW-04 P5 a total that the form has not shown either is never taken', async () => {
    const shopper = await aShopper('fay')
    const id = await opened(shopper, nothing)
    await shopper.approve(id)
    const review = await payApproved(shopper, walletMethodId, id)
    const { answer } = await placedFrom(shopper, review.redirect ?? '', { 'shipping_method[0]': 'flat_rate:2' })
    expect(answer).toMatchObject({ result: 'failure', code: 'OUTDATED' })
    const { captures } = (await shop.emulate('/ledger')) as { captures: { order_id: string }[] }
    expect(captures.filter(({ order_id }) => order_id === id)).toEqual([])
  })

  it('FLOW-13 what is still wrong after approval is said on the checkout, with the payment ready', async () => {
    const shopper = await aShopper('gus')
    const id = await opened(shopper, { billing_phone: '', billing_city: '' })
    await shopper.approve(id)
    const review = await payApproved(shopper, walletMethodId, id, { billing_phone: 'nobody knows' })
    expect(review.redirect).toContain('_ppcp_order_review=')
    const { html, answer } = await placedFrom(shopper, review.redirect ?? '')
    expect(html).toContain('Your payment is ready.')
    expect(html).toContain('Phone')
    expect(answer.result, answer.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(answer))
  })

  it('FLOW-13 T10 what a stranger has approved opens nobody’s review', async () => {
    const shopper = await aShopper('hal')
    const id = await opened(shopper, nothing)
    await shopper.approve(id)
    const stranger = await aShopper('ira')
    const answer = await payApproved(stranger, walletMethodId, id)
    expect(answer.result).toBe('failure')
    expect(await amountOf(id)).toBe('18.90')
  })

  it('FLOW-13 a card is opened with a form that holds only: its bank asks for the address', async () => {
    await using cards = await aShop({ settings: { paypal: { validateFirst: false, cards: { enabled: true } } } })
    const shopper = await aShopper('joy', cards)
    const response = await createOrder(shopper, 'ppcp_card', nothing)
    expect(await response.json()).toMatchObject({ code: 'validation_errors' })
  })
})
