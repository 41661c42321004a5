import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cardMethodId, fastlaneHooks, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { capturesFor, invariants, orderOf, theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import {
  aLoggedInCustomer,
  allMethodSettings,
  anAgreement,
  cardNumber,
  createOrder,
  payApproved,
  placeWith,
} from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { ...allMethodSettings, payments: { cod: { enabled: true } } } })
})
afterAll(() => shop.close())
// Payments that fail on purpose must not pause those of the next test.
beforeEach(() => shop.db.sql`delete from rate_limits`)

let shoppers = 0
async function aShopper(sku = 'MUG'): Promise<Shopper> {
  const shopper = new Shopper(shop, `payer-${++shoppers}`)
  await shopper.add(sku)
  await shopper.openCheckout()
  return shopper
}

async function aCustomer(): Promise<Shopper> {
  const shopper = await aLoggedInCustomer(shop, `customer-${++shoppers}`)
  await shopper.add('MUG')
  await shopper.openCheckout()
  return shopper
}

/** What the shop has asked the provider for one of its orders, the newest last. */
async function createdFor(orderId: number): Promise<Record<string, unknown>[]> {
  const log = (await shop.emulate('/log')) as { method: string; path: string; request?: unknown; body?: unknown }[]
  return log
    .filter(({ method, path }) => method === 'POST' && path === '/v2/checkout/orders')
    .map((call) => (call.request ?? call.body) as Record<string, unknown>)
    .filter((body) => JSON.stringify(body).includes(`"custom_id":"${orderId}"`))
}

const orderOfWallet = async (walletOrderId: string) =>
  (
    await shop.db.kysely
      .selectFrom('wallet_orders')
      .select('order_id')
      .where('id', '=', walletOrderId)
      .executeTakeFirstOrThrow()
  ).order_id

const orderIdIn = ({ redirect = '' }: CheckoutAnswer) => Number(/\/order-received\/(\d+)\//.exec(redirect)?.[1])

const theCard = (walletOrderId: string, ending = '1111', more = {}) =>
  shop.emulate(`/orders/${walletOrderId}/card`, {
    number: ending === '1111' ? '4111111111111111' : cardNumber(ending),
    ...more,
  })

async function startCard(shopper: Shopper, fields: Record<string, string> = {}): Promise<string> {
  const response = await createOrder(shopper, cardMethodId, fields)
  const id: unknown = await response.json()
  expect(response.status, JSON.stringify(id)).toBe(200)
  return String(id)
}

/** A customer's kept means, as the shop has it. */
async function keptOf(shopper: Shopper) {
  return shop.db.kysely
    .selectFrom('payment_tokens')
    .innerJoin('customers', 'customers.id', 'payment_tokens.customer_id')
    .select(['payment_tokens.id', 'method', 'kind', 'last4', 'token'])
    .where('customers.email', '=', shopper.email)
    .orderBy('payment_tokens.id')
    .execute()
}

describe('cards typed into the provider’s fields', () => {
  it('FLOW-01 a card pays the order that was opened for it, and the order names the card', async () => {
    const shopper = await aShopper()
    const id = await startCard(shopper)
    const orderId = await orderOfWallet(id)
    const [body] = await createdFor(orderId)
    expect(body).toMatchObject({
      intent: 'CAPTURE',
      payment_source: { card: { attributes: { verification: { method: 'SCA_WHEN_REQUIRED' } } } },
    })
    await theCard(id)
    const answer = await payApproved(shopper, cardMethodId, id)
    expect(answer.result).toBe('success')
    expect(orderIdIn(answer)).toBe(orderId)
    const order = await theOneOrder(shop, orderId)
    expect(order).toMatchObject({ payment_method: 'ppcp_card', payment_method_title: 'Visa ending in 1111' })
  })

  it('CARD-08 a bank that could not ask stops the payment, and another card pays the same order of the shop', async () => {
    const shopper = await aShopper()
    const first = await startCard(shopper)
    const orderId = await orderOfWallet(first)
    await theCard(first, '1216')
    const refused = await payApproved(shopper, cardMethodId, first)
    expect(refused).toMatchObject({ result: 'failure', code: 'CARD_AUTHENTICATION_RETRY' })
    expect(refused.messages).toContain('Nothing was charged')
    expect(await capturesFor(shop, orderId)).toEqual([])
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'pending' })

    const second = await startCard(shopper)
    expect(second).not.toBe(first)
    expect(await orderOfWallet(second)).toBe(orderId)
    await theCard(second, '1190')
    expect((await payApproved(shopper, cardMethodId, second)).result).toBe('success')
    await theOneOrder(shop, orderId)
  })

  it('CARD-08 a holder whom the bank did not recognise needs another card', async () => {
    const shopper = await aShopper()
    const id = await startCard(shopper)
    await theCard(id, '1133')
    await shop.emulate(`/authentication/${id}`, {})
    const refused = await payApproved(shopper, cardMethodId, id)
    expect(refused).toMatchObject({ result: 'failure', code: 'CARD_AUTHENTICATION_REJECTED' })
    expect(await capturesFor(shop, await orderOfWallet(id))).toEqual([])
  })

  it('CARD-08 before the bank’s page has ended nothing is taken', async () => {
    const shopper = await aShopper()
    const id = await startCard(shopper)
    await theCard(id, '1117')
    const early = await payApproved(shopper, cardMethodId, id)
    expect(early.result).toBe('failure')
    await shop.emulate(`/authentication/${id}`, {})
    expect((await payApproved(shopper, cardMethodId, id)).result).toBe('success')
    await theOneOrder(shop, await orderOfWallet(id))
  })

  it.each([
    ['the call is refused', { number: cardNumber('0002') }, 'INSTRUMENT_DECLINED'],
    ['the capture is declined', { name: 'CCREJECT-IF' }, 'CAPTURE_DECLINED'],
    ['the card is refused for good', { number: cardNumber('0119') }, 'TRANSACTION_REFUSED'],
  ])('F12 at S11: %s, the order stays payable and another card pays it', async (_what, card, code) => {
    const shopper = await aShopper()
    const id = await startCard(shopper)
    const orderId = await orderOfWallet(id)
    await theCard(id, '1111', card)
    expect(await payApproved(shopper, cardMethodId, id)).toMatchObject({ result: 'failure', code })
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'pending' })
    const again = await startCard(shopper)
    await theCard(again)
    expect((await payApproved(shopper, cardMethodId, again)).result).toBe('success')
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'paid' })
    const done = (await capturesFor(shop, orderId)).filter(({ status }) => status === 'COMPLETED')
    expect(done).toHaveLength(1)
    expect(await invariants(shop)).toEqual([])
  })

  it('P12 without the provider’s script the card is typed on the provider’s page', async () => {
    const shopper = await aShopper()
    const answer = await placeWith(shopper, cardMethodId, {})
    expect(answer.result, answer.messages).toBe('success')
    const id = new URL(answer.redirect ?? '').searchParams.get('token') ?? ''
    const [body] = await createdFor(await orderOfWallet(id))
    expect(body).toMatchObject({
      payment_source: { paypal: { experience_context: { user_action: 'PAY_NOW' } } },
    })
    await shopper.approve(id)
    expect(await shopper.returnFromWallet(id)).toContain('/order-received/')
  })
})

describe('what is kept', () => {
  async function withSavedCard(ending = '1111'): Promise<{ shopper: Shopper; kept: string }> {
    const shopper = await aCustomer()
    const id = await startCard(shopper, { [paymentFields(cardMethodId).save]: '1' })
    await theCard(id, ending)
    if (ending !== '1111') await shop.emulate(`/authentication/${id}`, {})
    const answer = await payApproved(shopper, cardMethodId, id, { [paymentFields(cardMethodId).save]: '1' })
    expect(answer.result, answer.messages).toBe('success')
    const [kept] = await keptOf(shopper)
    expect(kept).toMatchObject({ method: 'ppcp_card', kind: 'card', last4: ending })
    await shopper.add('MUG')
    await shopper.openCheckout()
    return { shopper, kept: String(kept?.id) }
  }

  it('P1 a kept card pays with one press, once, however often the form is sent', async () => {
    const { shopper, kept } = await withSavedCard()
    const fields = { [paymentFields(cardMethodId).kept]: kept }
    const answers = await Promise.all([1, 2, 3].map(() => placeWith(shopper, cardMethodId, fields)))
    const [orderId] = answers.map(orderIdIn)
    expect(answers.map(orderIdIn)).toEqual([orderId, orderId, orderId])
    const [body] = await createdFor(orderId ?? 0)
    expect(body).toMatchObject({
      payment_source: {
        card: { stored_credential: { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' } },
      },
    })
    await theOneOrder(shop, orderId ?? 0)
  })

  it('CARD-08 a kept card whose bank wants to see its holder goes there first, and is charged after that', async () => {
    const { shopper, kept } = await withSavedCard('1117')
    const answer = await placeWith(shopper, cardMethodId, { [paymentFields(cardMethodId).kept]: kept })
    expect(answer.result, answer.messages).toBe('success')
    expect(answer.redirect).not.toContain('/order-received/')
    const orderId = answer.order_id ?? 0
    expect(await capturesFor(shop, orderId)).toEqual([])
    const wallet = await shop.db.kysely
      .selectFrom('wallet_orders')
      .select('id')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    await shop.emulate(`/authentication/${wallet.id}`, {})
    expect(await shopper.returnFromWallet(wallet.id)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('FLOW-09 an agreement from before there was a vault pays at once', async () => {
    const shopper = await aShopper()
    const agreement = await anAgreement(shop, shopper)
    const answer = await placeWith(shopper, walletMethodId, { [paymentFields(walletMethodId).billingToken]: agreement })
    expect(answer.result, answer.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(answer))
  })

  it('T5 T8 an agreement that somebody else began pays nothing, be it named by a guest or by a customer', async () => {
    const owner = await aShopper()
    const agreement = await anAgreement(shop, owner)
    for (const thief of [await aShopper(), await aCustomer()]) {
      const fields = { [paymentFields(walletMethodId).billingToken]: agreement }
      const answer = await placeWith(thief, walletMethodId, fields)
      expect(answer.result).toBe('failure')
      expect(answer.order_id === undefined ? [] : await capturesFor(shop, answer.order_id)).toEqual([])
    }
    const answer = await placeWith(owner, walletMethodId, { [paymentFields(walletMethodId).billingToken]: agreement })
    expect(answer.result, answer.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(answer))
  })

  it('FLOW-01 a kept wallet pays at once, and its owner is the provider’s customer', async () => {
    const shopper = await aCustomer()
    const save = { [paymentFields(walletMethodId).save]: '1' }
    const first = await createOrder(shopper, walletMethodId, save)
    const id = String(await first.json())
    expect((await createdFor(await orderOfWallet(id)))[0]).toMatchObject({
      payment_source: { paypal: { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } } },
    })
    await shopper.approve(id)
    expect((await payApproved(shopper, walletMethodId, id, save)).result).toBe('success')
    const [kept] = await keptOf(shopper)
    expect(kept).toMatchObject({ method: 'ppcp', kind: 'wallet' })
    await shopper.add('MUG')
    await shopper.openCheckout()
    const answer = await placeWith(shopper, walletMethodId, { [paymentFields(walletMethodId).kept]: String(kept?.id) })
    expect(answer.result, answer.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(answer))
  })

  it('T5 what one customer keeps pays nothing for another, nor for a guest', async () => {
    const { kept } = await withSavedCard()
    const [row] = await shop.db.sql<{ token: string }[]>`select token from payment_tokens where id = ${kept}`
    for (const stranger of [await aCustomer(), await aShopper()]) {
      for (const fields of [
        { [paymentFields(cardMethodId).kept]: kept },
        { [paymentFields(cardMethodId).paymentToken]: row?.token ?? '' },
        { [paymentFields(cardMethodId).kept]: '1 or 1=1' },
      ]) {
        const answer = await placeWith(stranger, cardMethodId, fields)
        expect(answer).toMatchObject({ result: 'failure', code: 'UNKNOWN-MEANS' })
        expect(answer.messages).toContain('Nothing was charged')
      }
    }
  })

  it('T3 T5 what was kept with play money pays no order of another environment', async () => {
    const { shopper, kept } = await withSavedCard()
    await shop.db.sql`update payment_tokens set environment = 'live' where id = ${kept}`
    const answer = await placeWith(shopper, cardMethodId, { [paymentFields(cardMethodId).kept]: kept })
    expect(answer).toMatchObject({ result: 'failure', code: 'UNKNOWN-MEANS' })
  })

  it('T5 a guest keeps nothing, whatever the form says', async () => {
    const shopper = await aShopper()
    const id = await startCard(shopper, { [paymentFields(cardMethodId).save]: '1' })
    const [body] = await createdFor(await orderOfWallet(id))
    expect(JSON.stringify(body)).not.toContain('store_in_vault')
  })

  it('F12 at S11: a token of the other kind is tried once as that', async () => {
    const { shopper, kept } = await withSavedCard()
    await shop.db.sql`update payment_tokens set kind = 'wallet' where id = ${kept}`
    const answer = await placeWith(shopper, cardMethodId, { [paymentFields(cardMethodId).kept]: kept })
    expect(answer.result, answer.messages).toBe('success')
    const orderId = orderIdIn(answer)
    expect((await createdFor(orderId)).map(({ payment_source: source }) => Object.keys(source as object)[0])).toEqual([
      'paypal',
      'card',
    ])
    await theOneOrder(shop, orderId)
  })
})

describe('a card of accelerated checkout', () => {
  it('FAST-11 its token pays at once, and only once', async () => {
    const { id: token } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
    const fields = { [paymentFields(cardMethodId).paymentToken]: token, [fastlaneHooks.flagField]: '1' }
    const shopper = await aShopper()
    const answer = await placeWith(shopper, cardMethodId, fields)
    expect(answer.result, answer.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(answer))
    const another = await placeWith(await aShopper(), cardMethodId, fields)
    expect(another.result).toBe('failure')
    expect(another.messages).toContain('Nothing was charged')
  })
})

describe('fundings of the wallet', () => {
  it('FLOW-01 another button for the same order opens the right wallet order, and the newest counts', async () => {
    const shopper = await aShopper()
    const first = String(await (await createOrder(shopper, walletMethodId)).json())
    const same = String(await (await createOrder(shopper, walletMethodId, { ppcp_funding: 'paylater' })).json())
    expect(same).toBe(first)
    const venmo = String(await (await createOrder(shopper, walletMethodId, { ppcp_funding: 'venmo' })).json())
    expect(venmo).not.toBe(first)
    const orderId = await orderOfWallet(venmo)
    expect((await createdFor(orderId)).at(-1)).toMatchObject({ payment_source: { venmo: {} } })
    await shopper.approve(first)
    expect((await payApproved(shopper, walletMethodId, first)).result).toBe('failure')
    await shopper.approve(venmo)
    expect((await payApproved(shopper, walletMethodId, venmo)).result).toBe('success')
    await theOneOrder(shop, orderId)
  })
})

describe('a button on a product page', () => {
  it.each([
    ['venmo', { venmo: expect.any(Object) }],
    ['paylater', { paypal: expect.any(Object) }],
    ['paypal', { paypal: expect.any(Object) }],
    ['something else', { paypal: expect.any(Object) }],
  ])('FLOW-01 %s opens the wallet order that its source asks for', async (funding, source) => {
    const shopper = new Shopper(shop, `button-${++shoppers}`)
    const product = { payment_method: 'ppcp', product_id: await shop.idOf('MUG'), qty: 2, ppcp_funding: funding }
    const response = await shopper.rest('cart/item', product)
    const { order_id: id } = (await response.json()) as { order_id: string }
    expect(response.status).toBe(200)
    const [asked] = await createdFor(await orderOfWallet(id))
    expect(asked?.payment_source).toEqual(source)
    await shopper.approve(id)
    const paid = { payment_method: 'ppcp', context: 'product', ppcp_paypal_order_id: id }
    const closed = (await (await shopper.rest('cart/checkout', paid)).json()) as CheckoutAnswer
    expect(closed.result, closed.messages).toBe('success')
    await theOneOrder(shop, orderIdIn(closed))
  })
})

describe('payments that fail', () => {
  it('T8 the sixth within ten minutes is paused with a clear message, and the provider is not asked', async () => {
    const shopper = await aShopper()
    for (let count = 0; count < 5; count += 1) {
      const id = await startCard(shopper)
      await theCard(id, '0119')
      expect(await payApproved(shopper, cardMethodId, id)).toMatchObject({ code: 'TRANSACTION_REFUSED' })
    }
    const response = await createOrder(shopper, cardMethodId)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Too many payments have failed')
    // Another visitor of the same network waits as well.
    const { id: token } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
    const fields = { [paymentFields(cardMethodId).paymentToken]: token, [fastlaneHooks.flagField]: '1' }
    expect(await placeWith(await aShopper(), cardMethodId, fields)).toMatchObject({ result: 'failure', code: 'PAUSED' })
    // Not for long, so that nobody is locked out by others behind the same address: the next may follow in two minutes.
    await shop.db.sql`update rate_limits set used_until = used_until - interval '2 minutes'`
    expect((await placeWith(await aShopper(), cardMethodId, fields)).result).toBe('success')
  })
})

describe('an order that was placed before', () => {
  it('FLOW-11 is paid with a card, by the page that pays orders', async () => {
    const shopper = await aShopper()
    await createOrder(shopper, walletMethodId)
    const order = await shop.db.kysely
      .selectFrom('orders')
      .select(['id', 'key'])
      .where(({ eb, ref }) => eb(ref('billing', '->>').key('email'), '=', shopper.email))
      .executeTakeFirstOrThrow()
    const opened = await shopper.rest('order/pay', {
      payment_method: cardMethodId,
      order_id: order.id,
      order_key: order.key,
    })
    const id = String(await opened.json())
    await theCard(id)
    const answer = (await (
      await shopper.rest('cart/checkout', {
        payment_method: cardMethodId,
        context: 'order_pay',
        ppcp_card_paypal_order_id: id,
      })
    ).json()) as CheckoutAnswer
    expect(answer.redirect).toContain(urls.orderReceived(order.id, order.key))
    await theOneOrder(shop, order.id)
  })
})
