import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { productsCommand } from '#cli/catalog/products.ts'
import { currenciesCommand } from '#cli/currency/currencies.ts'
import type { Command } from '#cli/shared/command.ts'
import { shippingZonesCommand } from '#cli/shipping/shipping-zones.ts'
import { taxRatesCommand } from '#cli/tax/tax-rates.ts'
import { walletOrderField } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { chooseCurrency } from '#tests/support/currency/currencies.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  providerLedger,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  const currencies = [{ code: 'EUR', rate: '0.9' }]
  shop = await aShop({ settings: { currencies, exchange: { checkoutInShown: true } } })
})
afterAll(() => shop.close())

async function desk(command: Command, ...words: string[]): Promise<void> {
  const { code, err } = await runCommand(command, shop.db, ...words)
  if (code !== 0) throw new Error(`the desk refuses "${words.join(' ')}": ${err}`)
  await reconfigured(shop)
}

type Change = {
  what: string
  currency: string
  /** Minor units of a mug that is sent to California, before and after. */
  before: number
  after: number
  make: () => Promise<void>
  undo: () => Promise<void>
}

const tax = (percent: string) =>
  desk(taxRatesCommand, 'add', percent, '--country', 'US', '--state', 'CA', '--name', 'Sales tax', '--no-shipping')
const standard = (cost: string) => desk(shippingZonesCommand, 'edit-method', '1', '--cost', cost)
const price = (regular: string) => desk(productsCommand, 'edit', 'MUG', '--price', regular)
const rate = (euros: string) => desk(currenciesCommand, 'set', 'EUR', euros)

/** 12.00, 7.25 % of it, 6.90 for sending. */
const changes: Change[] = [
  { what: 'price', currency: 'USD', before: 1977, after: 2299, make: () => price('15.00'), undo: () => price('12.00') },
  { what: 'tax rate', currency: 'USD', before: 1977, after: 2010, make: () => tax('10'), undo: () => tax('7.25') },
  {
    what: 'price of shipping',
    currency: 'USD',
    before: 1977,
    after: 2277,
    make: () => standard('9.90'),
    undo: () => standard('6.90'),
  },
  // 10.80 + 0.78 + 6.21; 9.60 + 0.70 + 5.52.
  {
    what: 'exchange rate',
    currency: 'EUR',
    before: 1779,
    after: 1582,
    make: () => rate('0.8'),
    undo: () => rate('0.9'),
  },
]

let undo: (() => Promise<void>) | null = null
afterEach(async () => {
  await undo?.()
  undo = null
})
async function made(change: Change): Promise<void> {
  undo = change.undo
  await change.make()
}

let shoppers = 0
async function aShopper({ currency }: Change): Promise<Shopper> {
  const shopper = new Shopper(shop, `watched-${++shoppers}`)
  if (currency !== 'USD') await chooseCurrency(shopper, currency)
  await shopper.add('MUG')
  await shopper.openCheckout()
  return shopper
}

/** What the checkout page shows now, as its form sends it. */
async function shown(shopper: Shopper): Promise<Record<string, string>> {
  const html = await shopper.openCheckout()
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  return { seen_total: value('seen_total'), seen_currency: value('seen_currency'), intention: value('intention') }
}

async function press(shopper: Shopper, method: string, fields: Record<string, string>) {
  const response = await shopper.post(urls.wcAjax('checkout'), { ...shopper.form(method), ...fields })
  return (await response.json()) as CheckoutAnswer
}

const atProvider = async (walletOrderId: string) => {
  const { orders } = await providerLedger(shop)
  return Math.round(Number(orders.find(({ id }) => id === walletOrderId)?.amount.value) * 100)
}

describe.each(changes)('the staff changes the $what beside an open checkout', (change) => {
  it('P5 F24 at S5: the form that showed the old total takes nothing; the one that shows the new is charged', async () => {
    const shopper = await aShopper(change)
    const old = await shown(shopper)
    expect(Number(old.seen_total)).toBe(change.before)
    await made(change)
    const refused = await press(shopper, 'cod', old)
    expect([refused.result, refused.redirect]).toEqual(['failure', undefined])
    expect(refused.messages).toContain((change.after / 100).toFixed(2))

    const now = await shown(shopper)
    expect(Number(now.seen_total)).toBe(change.after)
    const { order_id: id = 0 } = await press(shopper, 'cod', now)
    expect((await orderOf(shop, id)).total).toBe(change.after)
  })

  it('P5 F24 at S6: whoever goes to the wallet once more agrees to the new total there', async () => {
    const shopper = await aShopper(change)
    const first = startedOf(await shopper.placeOrder())
    expect(await atProvider(first.walletOrderId)).toBe(change.before)
    await made(change)
    const next = startedOf(await shopper.placeOrder())
    expect(await atProvider(next.walletOrderId)).toBe(change.after)
    await shopper.approve(next.walletOrderId)
    expect(await shopper.returnFromWallet(next.walletOrderId)).toContain(`/order-received/${next.orderId}/`)
    expect((await theOneOrder(shop, next.orderId)).total).toBe(change.after)
  })

  it('F24 at S7 and S9: what was approved is what is charged', async () => {
    const shopper = await aShopper(change)
    const { orderId, walletOrderId } = startedOf(await shopper.placeOrder())
    await made(change)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    expect((await theOneOrder(shop, orderId)).total).toBe(change.before)
  })

  it('F24 at S10: the form that follows the approval is charged what was approved', async () => {
    const shopper = await aShopper(change)
    const old = await shown(shopper)
    const { orderId, walletOrderId } = startedOf(await press(shopper, 'ppcp', old))
    await shopper.approve(walletOrderId)
    await made(change)
    const answer = await press(shopper, 'ppcp', { ...old, [walletOrderField]: walletOrderId })
    expect(answer.redirect, answer.messages).toContain(`/order-received/${orderId}/`)
    expect((await theOneOrder(shop, orderId)).total).toBe(change.before)
  })

  it('P5 F24 at S10: a form that shows the new total by now is not charged the old one', async () => {
    const shopper = await aShopper(change)
    const { orderId, walletOrderId } = startedOf(await press(shopper, 'ppcp', await shown(shopper)))
    await shopper.approve(walletOrderId)
    await made(change)
    const refused = await press(shopper, 'ppcp', { ...(await shown(shopper)), [walletOrderField]: walletOrderId })
    expect([refused.result, refused.messages]).toEqual(['failure', expect.stringContaining('Nothing was charged')])
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('F24 at S11: an amount that is on its way is recorded as it was agreed', async () => {
    const shopper = await aShopper(change)
    const { orderId, walletOrderId } = startedOf(await shopper.placeOrder())
    await shopper.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.capture', delay: 500 })
    const paying = shopper.returnFromWallet(walletOrderId)
    await until('the capture is under way', async () => (await orderOf(shop, orderId)).payment_state !== 'pending')
    await made(change)
    expect(await paying).toContain(`/order-received/${orderId}/`)
    expect((await theOneOrder(shop, orderId)).total).toBe(change.before)
  })
})

const [price12to15 = changes[0]] = changes

describe('a change beside a wallet that is open', () => {
  it('P5 F24 at S8: what the wallet is told of another way of shipping is worked out anew, and is what is charged', async () => {
    const change = changes[2] as Change
    const shopper = await aShopper(change)
    await shopper.post(urls.checkout(), { ...shopper.form('ppcp'), woocommerce_checkout_update_totals: '1' })
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    expect(await atProvider(walletOrderId)).toBe(change.before)
    await made(change)
    const asked = {
      payment_method: 'ppcp',
      order_id: walletOrderId,
      shipping_method: '0:flat_rate:1',
      address: { city: 'San Jose', state: 'CA', postcode: '95131', country: 'US' },
    }
    expect((await shopper.rest('cart/shipping', asked)).status).toBe(200)
    expect(await atProvider(walletOrderId)).toBe(change.after)
    await shopper.approve(walletOrderId)
    const place = await shopper.returnFromWallet(walletOrderId)
    const [row] = await shop.db.sql<{ order_id: number }[]>`
      select order_id from wallet_orders where id = ${walletOrderId}`
    expect(place).toContain(`/order-received/${row?.order_id}/`)
    expect((await theOneOrder(shop, row?.order_id ?? 0)).total).toBe(change.after)
  })

  /** As if the shopper had looked away for longer than the order's figures hold. */
  async function late(change: Change) {
    const shopper = await aShopper(change)
    const { orderId, walletOrderId } = startedOf(await shopper.placeOrder())
    await shop.db.sql`update orders set updated_at = updated_at - interval '31 minutes' where id = ${orderId}`
    await shop.db.sql`update stock_reservations set expires_at = expires_at - interval '31 minutes'
      where order_id = ${orderId}`
    await shopper.approve(walletOrderId)
    return { shopper, orderId, walletOrderId }
  }

  it('P5 F24 at S9: when their time is over, figures that have changed are confirmed again before anything is taken', async () => {
    const { shopper, orderId, walletOrderId } = await late(price12to15 as Change)
    await made(price12to15 as Change)
    expect(await shopper.returnFromWallet(walletOrderId)).not.toContain('order-received')
    expect(await shopper.openCheckout()).toContain('Nothing was charged')
    expect(await capturesFor(shop, orderId)).toEqual([])
    const next = startedOf(await shopper.placeOrder())
    await shopper.approve(next.walletOrderId)
    expect(await shopper.returnFromWallet(next.walletOrderId)).toContain(`/order-received/${next.orderId}/`)
    expect((await theOneOrder(shop, next.orderId)).total).toBe(price12to15?.after)
    expect(await invariants(shop)).toEqual([])
  })
})
