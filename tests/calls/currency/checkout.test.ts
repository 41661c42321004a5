import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { listDeskCustomers } from '#database/customers/desk-customers.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { amountsIn, chooseCurrency, mailsOf, plain, totalIn } from '#tests/support/currency/currencies.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** One mug for 12.00 dollars, sending it for 6.90, in California 7.25 % on goods: 19.77 altogether. */
const currencies = [
  { code: 'EUR', rate: '0.9', rounding: { type: 'up', step: '1', subtract: '0.01' } },
  { code: 'JPY', rate: '150', fee: { type: 'percentage', value: '10' } },
  { code: 'HUF', rate: '355.5' },
  { code: 'TWD', rate: '31.7' },
  // Shown only: the merchant does not want to be paid in it.
  { code: 'GBP', rate: '0.8', checkout: false },
  // Shown only: the provider does not know it.
  { code: 'INR', rate: '83.25' },
  // By transfer alone.
  { code: 'CHF', rate: '0.95', paymentMethods: ['bacs'] },
]

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: { currencies, exchange: { checkoutInShown: true }, payments: { bacs: { enabled: true } } },
  })
})
afterAll(() => shop?.close())

const tools = () => shop.shop.application.tools

async function shopperIn(currency: string, name: string): Promise<Shopper> {
  const shopper = new Shopper(shop, name)
  await chooseCurrency(shopper, currency)
  return shopper
}

const orderRow = (id: number) =>
  shop.db.kysely.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const field = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
/** What the page's script is told of the wallet. */
const walletSettings = (html: string) => ({
  sdk: /"queryParams":\{[^}]*"currency":"([A-Z]{3})"/.exec(html)?.[1],
  cart: /"cart":\{"total":"([^"]*)","totalCents":\d+,"currency":"([A-Z]{3})"/.exec(html)?.slice(1),
  product: /"product":\{"id":\d+,"needsShipping":\w+,"total":"([^"]*)","price":"[^"]*","currency":"([A-Z]{3})"/
    .exec(html)
    ?.slice(1),
})

type Logged = { operation: string; path: string; request?: unknown }
type Unit = {
  amount: { currency_code: string; value: string; breakdown: Record<string, { currency_code: string; value: string }> }
  items: { quantity: string; unit_amount: { currency_code: string; value: string } }[]
}

/** What the provider was asked to open last. */
async function opened(): Promise<Unit> {
  const log = (await shop.emulate('/log')) as Logged[]
  const last = log.findLast(({ operation }) => operation === 'orders.create')?.request as { purchase_units: Unit[] }
  const [unit] = last.purchase_units
  if (!unit) throw new Error('the provider was asked for nothing')
  return unit
}

const broken = () => checkInvariants({ db: shop.db, clock: tools().clock, paypal: tools().paypal })

describe('an order in the currency that is shown', () => {
  it.each([
    // 10.80 → 11 − 0.01; shipping 6.21; tax 7.25 % of 10.99 = 0.80
    { currency: 'EUR', total: 1800, value: '18.00', rate: '0.9', base: 2000, text: '€18.00' },
    // at 165: 1,980, shipping 1,138.5 → 1,139, tax 143.55 → 144
    { currency: 'JPY', total: 3263, value: '3263', rate: '165', base: 1978, text: '¥3,263' },
    // 4,266, shipping 2,452.95 → 2,453, tax 309.285 → 309
    { currency: 'HUF', total: 7028, value: '7028', rate: '355.5', base: 1977, text: 'Ft\u00a07,028' },
    // 380.4 → 380, shipping 218.73 → 219, tax 27.55 → 28
    { currency: 'TWD', total: 627, value: '627', rate: '31.7', base: 1978, text: 'NT$627' },
  ])(
    'CUR-07 is placed, charged, told and given back in $currency',
    async ({ currency, total, value, rate, base, text }) => {
      const shopper = await shopperIn(currency, `buys-${currency.toLowerCase()}`)
      await shopper.add('MUG')
      expect(totalIn(await shopper.page(urls.cart()))).toBe(text)
      const checkout = await shopper.openCheckout()
      expect(totalIn(checkout)).toBe(text)
      expect([field(checkout, 'seen_total'), field(checkout, 'seen_currency')]).toEqual([String(total), currency])
      expect(walletSettings(checkout)).toMatchObject({ sdk: currency, cart: [value, currency] })

      const placed = await shopper.placeOrder()
      const walletOrderId = new URL(placed.redirect ?? '').searchParams.get('token') ?? ''
      const orderId = placed.order_id ?? 0
      const { amount, items } = await opened()
      expect(amount).toMatchObject({ currency_code: currency, value })
      const figure = (name: string) => Number(amount.breakdown[name]?.value ?? 0)
      const sum =
        figure('item_total') + figure('tax_total') + figure('shipping') + figure('handling') - figure('discount')
      expect(sum).toBeCloseTo(Number(value), 8)
      const sold = items.reduce((all, one) => all + Number(one.quantity) * Number(one.unit_amount.value), 0)
      expect(sold).toBeCloseTo(figure('item_total'), 8)

      await shopper.approve(walletOrderId)
      const order = await orderRow(orderId)
      expect(await shopper.returnFromWallet(walletOrderId)).toBe(urls.orderReceived(orderId, order.key))
      expect(await orderRow(orderId)).toMatchObject({
        ...{ currency, total, exchange_rate: rate, base_currency: 'USD', base_total: base },
        ...{ payment_state: 'paid', status: 'processing' },
      })
      const captures = await shop.db.sql`select amount, currency from captures where order_id = ${orderId}`
      expect([...captures]).toEqual([{ amount: total, currency }])
      expect(amountsIn(await shopper.page(urls.orderReceived(orderId, order.key)))).toContain(text)
      await until(`messages about order ${orderId} leave`, async () => (await mailsOf(shop, orderId)).length >= 2)
      for (const mail of await mailsOf(shop, orderId)) expect(mail).toContain(text)

      const back = await refundOrder(tools(), orderId, { key: 'all', ask: { kind: 'full' } })
      expect(back).toMatchObject({ ok: true, refund: { amount: total, currency } })
      expect(await broken()).toEqual([])
    },
  )

  it('CUR-07 later rates do not touch it: it is shown and given back by its own figures', async () => {
    const shopper = await shopperIn('EUR', 'rates')
    const { orderId, walletOrderId } = await shopper.startToPay('MUG', 2)
    const before = await orderRow(orderId)
    await shopper.approve(walletOrderId)
    await setCurrencies(
      currencies.map((one) => (one.code === 'EUR' ? { ...one, rate: '0.5' } : one)),
      '0.5',
    )
    await shopper.returnFromWallet(walletOrderId)
    const after = await orderRow(orderId)
    expect(after).toMatchObject({ payment_state: 'paid', total: before.total, exchange_rate: '0.9' })
    const line = await shop.db.kysely
      .selectFrom('order_items')
      .selectAll()
      .where('order_id', '=', orderId)
      .where('type', '=', 'line_item')
      .executeTakeFirstOrThrow()
    const ask = { kind: 'lines', lines: [{ itemId: line.id, quantity: 1 }] } as const
    const refunded = await refundOrder(tools(), orderId, { key: 'one', ask, restock: true })
    expect(refunded).toMatchObject({ ok: true, refund: { amount: 1099 + 80, currency: 'EUR' } })
    expect(await broken()).toEqual([])
    await setCurrencies(currencies, '0.9')
  })

  it('CUR-07 a rate that changes while the form is filled in: the new total is seen before it is charged', async () => {
    const shopper = await shopperIn('EUR', 'form-rates')
    await shopper.add('MUG')
    const seenIn = (html: string) => ({
      seen_total: field(html, 'seen_total'),
      seen_currency: field(html, 'seen_currency'),
    })
    const seen = seenIn(await shopper.openCheckout())
    await setCurrencies(
      currencies.map((one) => (one.code === 'EUR' ? { ...one, rate: '0.5' } : one)),
      '0.5',
    )
    const place = async (what: object) => {
      const answer = await shopper.post(urls.wcAjax('checkout'), { ...shopper.form('bacs'), ...what })
      return (await answer.json()) as { result: string; messages?: string; order_id?: number }
    }
    const refused = await place(seen)
    // 6 → 5.99; shipping 3.45; tax 0.43
    expect([refused.result, plain(refused.messages ?? '')]).toEqual(['failure', expect.stringContaining('€9.87')])
    const { order_id: id = 0 } = await place(seenIn(await shopper.openCheckout()))
    expect(await orderRow(id)).toMatchObject({ total: 987, currency: 'EUR', exchange_rate: '0.5', base_total: 1974 })
    await setCurrencies(currencies, '0.9')
  })

  it('CUR-07 sums over orders of several currencies are in the shop’s own', async () => {
    const customerId = await aCustomer('sums@example.test')
    for (const currency of ['USD', 'EUR', 'JPY']) {
      const shopper = await shopperIn(currency, `sums-${currency.toLowerCase()}`)
      const { orderId, walletOrderId } = await shopper.startToPay()
      await shopper.approve(walletOrderId)
      await shopper.returnFromWallet(walletOrderId)
      await shop.db.sql`update orders set customer_id = ${customerId} where id = ${orderId}`
      // Half of it goes back: half of what it was worth.
      if (currency === 'EUR') {
        const half = { kind: 'amount', minor: 900 } as const
        expect(await refundOrder(tools(), orderId, { key: 'half', ask: half })).toMatchObject({ ok: true })
      }
    }
    const { customers } = await listDeskCustomers(
      shop.db.kysely,
      { id: customerId },
      { sort: 'newest', limit: 1, offset: 0 },
      'USD',
    )
    expect(customers[0]).toMatchObject({ orders: 3, spent: 1977 + 1000 + 1978 })
  })

  it('is paid in its own currency later, whatever its customer looks at the shop in', async () => {
    const shopper = await shopperIn('EUR', 'later')
    const { orderId } = await shopper.startToPay()
    const { key } = await orderRow(orderId)
    await chooseCurrency(shopper, 'JPY')
    const html = await shopper.page(urls.orderPay(orderId, key))
    expect(amountsIn(html)).toContain('€18.00')
    expect(walletSettings(html).sdk).toBe('EUR')
    const answer = await shopper.rest('order/pay', { payment_method: 'ppcp', order_id: orderId, order_key: key })
    const walletOrderId = (await answer.json()) as string
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    expect(await orderRow(orderId)).toMatchObject({ payment_state: 'paid', currency: 'EUR', total: 1800 })
  })

  it('a switch is no change of prices, and each currency has its own cart hash', async () => {
    const shopper = await shopperIn('EUR', 'switch')
    await shopper.add('MUG')
    const hashes = new Set<string>()
    for (const currency of ['EUR', 'JPY', 'USD', 'EUR']) {
      await chooseCurrency(shopper, currency)
      const html = await shopper.page(urls.cart())
      expect(html).not.toContain('woocommerce-info')
      expect(html).not.toContain('woocommerce-error')
      hashes.add(shopper.cookie('woocommerce_cart_hash') ?? '')
    }
    expect(hashes.size).toBe(3)
  })

  it('is placed anew when the cart goes from one currency to another and back', async () => {
    const shopper = await shopperIn('EUR', 'there-and-back')
    const first = await shopper.startToPay()
    for (const currency of ['JPY', 'EUR']) {
      await chooseCurrency(shopper, currency)
      await shopper.openCheckout()
      expect((await shopper.placeOrder()).result).toBe('success')
    }
    expect(await orderRow(first.orderId)).toMatchObject({ status: 'cancelled', currency: 'EUR', total: 1800 })
    const [open] = await shop.db.sql<{ currency: string; total: number }[]>`
      select currency, total from orders where billing ->> 'email' = ${shopper.email} and status = 'pending'`
    expect(open).toMatchObject({ currency: 'EUR', total: 1800 })
  })
})

describe('an order in the shop’s own currency, where another is shown', () => {
  it.each([
    ['GBP', '£', 'the merchant does not want'],
    ['INR', '₹', 'the provider does not accept'],
  ])('CUR-07 CUR-05 tells before paying that %s is a guide, where it is one that %s … %s', async (currency, symbol) => {
    const shopper = await shopperIn(currency, `guide-${currency.toLowerCase()}`)
    await shopper.add('MUG')
    const cart = await shopper.page(urls.cart())
    const guide = totalIn(cart)
    expect(guide.startsWith(symbol)).toBe(true)
    expect(plain(/<p class="charged-note">.*?<\/p>/s.exec(cart)?.[0] ?? '')).toBe(
      `Prices in ${currency} are approximate. You pay in USD: $19.77.`,
    )
    // From the shop's own prices, not from what is shown.
    expect(walletSettings(cart)).toMatchObject({ sdk: 'USD', cart: ['19.77', 'USD'] })

    const checkout = await shopper.openCheckout()
    const row = /<tr class="order-total">.*?<\/tr>/s.exec(checkout)?.[0] ?? ''
    expect(amountsIn(row)).toEqual(['$19.77', guide])
    expect(plain(row)).toContain(`(~approximately ${guide})`)
    expect(checkout).toContain(`You pay in USD. Amounts in ${currency} are approximate.`)
    expect(field(checkout, 'seen_currency')).toBe('USD')
    // What the visitor has chosen stays chosen, and the browser's copy of the mini cart is of that.
    expect(checkout).toContain(`data-currencies="${currency}"`)
    const keyOf = (html: string) => /"fragment_name":"(\w+)"/.exec(html)?.[1]
    expect(keyOf(checkout)).toBe(keyOf(cart))

    const product = await shopper.page(urls.product('plain-mug'))
    expect(amountsIn(product)[0]).toMatch(new RegExp(`^\\${symbol}`))
    expect(walletSettings(product)).toMatchObject({ sdk: 'USD', product: ['12.00', 'USD'] })
    expect(product).toContain('With PayPal you pay in USD.')
    const shirt = await shopper.page(urls.product('linen-shirt'))
    expect(shirt).toMatch(/"prices":\{("\d+":"4\d\.00",?)+\}/)

    const { orderId, walletOrderId } = await placed(shopper)
    expect((await opened()).amount).toMatchObject({ currency_code: 'USD', value: '19.77' })
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    expect(await orderRow(orderId)).toMatchObject({
      ...{ currency: 'USD', total: 1977, payment_state: 'paid' },
      ...{ exchange_rate: null, base_currency: null, base_total: null },
    })
  })

  it('shows the guide again when the review is worked out anew', async () => {
    const shopper = await shopperIn('GBP', 'review')
    await shopper.add('MUG')
    const html = await shopper.openCheckout()
    const security = /"update_order_review_nonce":"([0-9a-f]+)"/.exec(html)?.[1] ?? ''
    const answer = await shopper.post(urls.wcAjax('update_order_review'), {
      security,
      country: 'US',
      state: 'CA',
      postcode: '95131',
      post_data: '',
    })
    const { fragments } = (await answer.json()) as { fragments: Record<string, string> }
    expect(fragments['.woocommerce-checkout-review-order-table']).toContain('approximate-amount')
    expect(fragments['.woocommerce-checkout-payment']).toContain('You pay in USD.')
  })

  it('is not asked for where a currency is taken by other ways to pay alone: the wallet stays away', async () => {
    const shopper = await shopperIn('CHF', 'transfer')
    await shopper.add('MUG')
    const cart = await shopper.page(urls.cart())
    expect(cart).not.toContain('charged-note')
    expect(cart).not.toContain('wc-ppcp-wallet')
    const checkout = await shopper.openCheckout()
    expect([...checkout.matchAll(/id="payment_method_(\w+)"/g)].map(([, id]) => id)).toEqual(['bacs'])
    const refused = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    expect(refused.status).toBe(400)
    expect((await shopper.placeOrder('cod')).result).toBe('failure')
    const { order_id: id = 0 } = await shopper.placeOrder('bacs')
    expect(await orderRow(id)).toMatchObject({ currency: 'CHF', status: 'on-hold', exchange_rate: '0.95' })
  })
})

describe('a currency that another tab has chosen meanwhile', () => {
  it('CUR-07 is refused by the checkout with the total that it would be now', async () => {
    const shopper = await shopperIn('EUR', 'tabs')
    await shopper.add('MUG')
    const html = await shopper.openCheckout()
    const seen = { seen_total: field(html, 'seen_total'), seen_currency: field(html, 'seen_currency') }
    await chooseCurrency(shopper, 'JPY')
    for (const method of ['ppcp', 'bacs']) {
      const answer = await shopper.post(urls.wcAjax('checkout'), { ...shopper.form(method), ...seen })
      const refused = (await answer.json()) as { result: string; messages: string; refresh: boolean }
      expect(refused).toMatchObject({ result: 'failure', refresh: true })
      expect(plain(refused.messages)).toContain('The total is now ¥3,263.')
    }
    const made = await shop.db.sql`select from orders where billing ->> 'email' = ${shopper.email}`
    expect(made).toHaveLength(0)
  })

  it.each([
    ['cart/order', { payment_method: 'ppcp', context: 'cart' }],
    ['cart/order', { payment_method: 'ppcp', context: 'minicart' }],
    ['cart/item', { payment_method: 'ppcp', context: 'product', qty: 1 }],
  ])('CUR-07 is refused by %s before anything is opened', async (route, body) => {
    const shopper = await shopperIn('EUR', 'buttons')
    await shopper.add('MUG')
    await chooseCurrency(shopper, 'JPY')
    const product = route === 'cart/item' ? { product_id: await shop.idOf('BOWL') } : {}
    const creations = async () =>
      ((await shop.emulate('/log')) as Logged[]).filter(({ operation }) => operation === 'orders.create').length
    const before = await creations()
    const refused = await shopper.rest(route, { ...body, ...product, seen_currency: 'EUR' })
    expect(refused.status).toBe(400)
    const { code, message } = (await refused.json()) as { code: string; message: string }
    expect([code, message]).toEqual(['currency-changed', expect.stringContaining('¥3,263')])
    // The page is loaded anew, and says it.
    expect(await shopper.page(urls.product('plain-mug'))).toContain(message)
    expect([await creations(), await shopper.pieces()]).toEqual([before, 1])
    const taken = await shopper.rest(route, { ...body, ...product, seen_currency: 'JPY' })
    expect(taken.status).toBe(200)
  })

  it.each([
    ['a picture', '🤷'],
    ['a broken code', '%%%'],
    ['eight thousand letters', 'x'.repeat(8000)],
    ['markup', '<script>'],
  ])('and what is no currency but %s is refused like it', async (_what, seen) => {
    const shopper = await shopperIn('EUR', 'forged')
    await shopper.add('MUG')
    const refused = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart', seen_currency: seen })
    expect(refused.status).toBe(400)
    expect(await refused.text()).not.toContain('<script>')
  })

  it('CUR-07 with the wallet’s window open: nothing is charged, and the order is placed anew', async () => {
    const shopper = await shopperIn('EUR', 'window')
    const { walletOrderId } = await shopper.startExpress()
    await shopper.approve(walletOrderId)
    await chooseCurrency(shopper, 'JPY')
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(urls.checkout())
    expect(await shopper.openCheckout()).toContain('The currency was changed in the meantime.')
    const [capture] = await shop.db.sql`select from captures where wallet_order_id = ${walletOrderId}`
    expect(capture).toBeUndefined()

    const again = await placed(shopper)
    expect((await opened()).amount).toMatchObject({ currency_code: 'JPY' })
    await shopper.approve(again.walletOrderId)
    await shopper.returnFromWallet(again.walletOrderId)
    expect(await orderRow(again.orderId)).toMatchObject({ currency: 'JPY', payment_state: 'paid' })
    expect(await broken()).toEqual([])
  })

  it('CUR-07 with the wallet’s window open: another address is not worked out in another currency', async () => {
    const shopper = await shopperIn('EUR', 'window-address')
    const { walletOrderId } = await shopper.startExpress()
    const address = { city: 'New York', state: 'NY', postcode: '10001', country: 'US' }
    const ask = () => shopper.rest('cart/shipping', { payment_method: 'ppcp', order_id: walletOrderId, address })
    expect((await ask()).status).toBe(200)
    await chooseCurrency(shopper, 'JPY')
    expect((await ask()).status).toBe(404)
    const [order] = await shop.db.sql<{ currency: string; total: number; status: string }[]>`
      select o.currency, o.total, o.status from orders o join wallet_orders w on w.order_id = o.id where w.id = ${walletOrderId}`
    // Without the tax of California.
    expect(order).toEqual({ currency: 'EUR', total: 1720, status: 'pending' })
  })
})

async function placed(shopper: Shopper): Promise<{ orderId: number; walletOrderId: string }> {
  const answer = await shopper.placeOrder()
  const walletOrderId = new URL(answer.redirect ?? '', 'http://nowhere.test').searchParams.get('token')
  if (!walletOrderId || !answer.order_id) throw new Error(JSON.stringify(answer))
  return { orderId: answer.order_id, walletOrderId }
}

async function setCurrencies(all: readonly object[], euro: string): Promise<void> {
  await writeSettings(shop.db, { currencies: all })
  await until(`the shop knows that a dollar is ${euro} euros`, async () =>
    shop.shop.application.currencies().some(({ code, rate }) => code === 'EUR' && rate === euro),
  )
}

async function aCustomer(email: string): Promise<number> {
  const [row] = await shop.db.sql<{ id: number }[]>`
    insert into customers (email, username, created_at, updated_at)
    values (${email}, ${email}, now(), now()) returning id`
  return row?.id ?? 0
}
