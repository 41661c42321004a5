import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cardMethodId, fastlaneHooks, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import type { WalletOrder } from '#contract/paypal/order.ts'
import type { PayPal } from '#paypal/client.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { captureAuthorizedPayment } from '#shop/payments/operation/capture-authorization.ts'
import { finishPayment } from '#shop/payments/operation/finish-payment.ts'
import { voidAuthorizedPayment } from '#shop/payments/operation/void-authorization.ts'
import { recordLatePayment } from '#shop/payments/reconcile/adopt-late-payment.ts'
import { handleWebhook } from '#shop/payments/webhooks/handle-webhook.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  providerLedger,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import {
  allMethodSettings,
  anAgreement,
  createOrder,
  payApproved,
  placeWith,
} from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type Unit = NonNullable<WalletOrder['purchase_units']>[number]

let shoppers = 0
async function aShopper(shop: TestShop): Promise<Shopper> {
  const shopper = new Shopper(shop, `reviewed-${++shoppers}`)
  await shopper.add('MUG')
  await shopper.openCheckout()
  return shopper
}

const openAttempts = (shop: TestShop, orderId: number) =>
  shop.db.sql`select step from payment_attempts where order_id = ${orderId} and state in ('open', 'unknown')`

async function orderOfShopper(shop: TestShop, { email }: Shopper): Promise<number> {
  const [row] = await shop.db.sql`select id from orders where billing->>'email' = ${email}`
  return Number(row?.id)
}

describe('money that is held', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await aShop({ settings: { paypal: { ...allMethodSettings.paypal, intent: 'authorize' } } })
  })
  afterAll(() => shop?.close())
  beforeEach(() => shop.emulate('/faults/clear', {}))

  async function placeAuthorizedOrder(): Promise<number> {
    const shopper = new Shopper(shop, `holder-${++shoppers}`)
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'authorised' })
    return orderId
  }
  const tools = () => shop.shop.application.tools
  const authorizationsOf = (orderId: number) =>
    shop.db.sql<{ id: string; status: string }[]>`select id, status from authorizations where order_id = ${orderId}`

  it('F12 at S11: a declined capture leaves the money held, and it can be taken later', async () => {
    const orderId = await placeAuthorizedOrder()
    await shop.emulate('/captures/next', { outcome: 'DECLINED' })
    expect(await captureAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: false, reason: 'refused' })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'on-hold', payment_state: 'authorised' })
    expect(await authorizationsOf(orderId)).toMatchObject([{ status: 'CREATED' }])
    expect(await captureAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: true, state: 'paid' })
    expect(await authorizationsOf(orderId)).toMatchObject([{ status: 'CAPTURED' }])
    expect((await capturesFor(shop, orderId)).filter(({ status }) => status === 'COMPLETED')).toHaveLength(1)
    expect(await openAttempts(shop, orderId)).toEqual([])
    expect(await invariants(shop)).toEqual([])
  })

  it('I12 what the provider lets go by itself is shown to a person as soon as it tells of it', async () => {
    const orderId = await placeAuthorizedOrder()
    const [held] = await authorizationsOf(orderId)
    await shop.emulate(`/authorizations/${held?.id}/void`, {})
    const order = await until('the order needs attention', async () => {
      const row = await orderOf(shop, orderId)
      return row.payment_state === 'attention' && row
    })
    expect(order.attention).toContain('not there any more')
    expect(await authorizationsOf(orderId)).toMatchObject([{ status: 'VOIDED' }])
  })

  it('T4 a notification that held money is gone changes nothing while the provider holds it', async () => {
    const orderId = await placeAuthorizedOrder()
    const [held] = await authorizationsOf(orderId)
    await handleWebhook(tools(), {
      id: `WH-${orderId}`,
      type: 'PAYMENT.AUTHORIZATION.VOIDED',
      subject: { walletOrderId: undefined, customId: undefined, authorizationId: held?.id },
      receivedAt: new Date(),
    })
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'authorised' })
    expect(await authorizationsOf(orderId)).toMatchObject([{ status: 'CREATED' }])
  })

  it('I12 money whose time is over while it is being taken is followed to its end', async () => {
    const orderId = await placeAuthorizedOrder()
    const { paypal } = tools()
    if (!paypal) throw new Error('the shop has no provider')
    const lost = { ok: false, kind: 'unknown', reason: 'the answer is lost' } as const
    const deaf: PayPal = {
      ...paypal,
      captureAuthorization: (...call) => paypal.captureAuthorization(...call).then(() => lost),
      getOrder: () => Promise.resolve(lost),
    }
    const checking = await captureAuthorizedPayment({ ...tools(), paypal: deaf }, orderId)
    expect(checking).toMatchObject({ ok: false, reason: 'checking' })
    // Nor is it let go meanwhile.
    expect(await voidAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: false, reason: 'checking' })
    await shop.db.sql`update authorizations set expires_at = now() - interval '1 day' where order_id = ${orderId}`
    await maintain(tools())
    await shop.db
      .sql`update payment_attempts set opened_at = opened_at - interval '1 minute' where order_id = ${orderId}`
    await until('the money is found', async () => {
      await maintain(tools())
      return (await orderOf(shop, orderId)).payment_state === 'paid'
    })
    expect(await openAttempts(shop, orderId)).toEqual([])
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
  })
})

describe('payments in one call', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await aShop({ settings: allMethodSettings })
  })
  afterAll(() => shop?.close())
  beforeEach(async () => {
    await shop.emulate('/faults/clear', {})
    await shop.emulate('/webhooks/hold', { on: true })
    await shop.db.sql`delete from rate_limits`
  })
  const tools = () => shop.shop.application.tools

  const singleUse = async () => {
    const { id } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
    return { [paymentFields(cardMethodId).paymentToken]: id, [fastlaneHooks.flagField]: '1' }
  }

  const otherwise: [string, (unit: Unit) => Unit[], string][] = [
    ['another payee', (unit) => [{ ...unit, payee: { merchant_id: 'SOMEBODYELSES' } }], 'refused'],
    ['another order of the shop', (unit) => [{ ...unit, custom_id: '1' }], 'outdated'],
    ['less money', (unit) => [{ ...unit, amount: { currency_code: 'USD', value: '0.01' } }], 'outdated'],
    ['another currency', (unit) => [{ ...unit, amount: { currency_code: 'JPY', value: '1977' } }], 'outdated'],
    ['two parcels of money', (unit) => [unit, unit], 'outdated'],
  ]
  it.each(otherwise)('I3 T1 T2 T3 an approval for %s takes nothing', async (_what, changed, reason) => {
    const shopper = await aShopper(shop)
    const id = String(await (await createOrder(shopper, walletMethodId)).json())
    const orderId = await orderOfShopper(shop, shopper)
    await shopper.approve(id)
    const { paypal } = tools()
    if (!paypal) throw new Error('the shop has no provider')
    const changing: PayPal = {
      ...paypal,
      async getOrder(asked) {
        const read = await paypal.getOrder(asked)
        if (!read.ok) return read
        return { ...read, value: { ...read.value, purchase_units: read.value.purchase_units?.flatMap(changed) } }
      },
    }
    expect(await finishPayment({ ...tools(), paypal: changing }, orderId, id)).toMatchObject({ ok: false, reason })
    expect(await capturesFor(shop, orderId)).toEqual([])
    expect(await openAttempts(shop, orderId)).toEqual([])
  })

  it('P1 an agreement whose second exchange is refused does not free an order that may be paid', async () => {
    const shopper = await aShopper(shop)
    const agreement = await anAgreement(shop, shopper)
    await shop.emulate('/fault', { route: 'orders.create', done_then_drop: true, times: 3 })
    await placeWith(shopper, walletMethodId, { [paymentFields(walletMethodId).billingToken]: agreement })
    const orderId = await orderOfShopper(shop, shopper)
    await shop.emulate('/faults/clear', {})
    await shop.emulate('/fault', { route: 'agreements.create', status: 422, times: 100 })
    await finishPayment(tools(), orderId)
    await theOneOrder(shop, orderId)
    expect(await openAttempts(shop, orderId)).toEqual([])
  })

  it('T8 what is the merchant’s to mend counts against nobody', async () => {
    const shopper = await aShopper(shop)
    for (let count = 0; count < 6; count += 1) {
      const id = String(await (await createOrder(shopper, walletMethodId)).json())
      await shopper.approve(id)
      await shop.emulate('/fault', { route: 'orders.capture', issue: 'PAYEE_ACCOUNT_RESTRICTED' })
      const answer = await payApproved(shopper, walletMethodId, id)
      expect(answer).toMatchObject({ result: 'failure', code: 'PAYEE_ACCOUNT_RESTRICTED' })
    }
  })

  it('T8 a provider that is out of order pauses nobody', async () => {
    const shopper = await aShopper(shop)
    for (let count = 0; count < 6; count += 1) {
      await shop.emulate('/fault', { route: 'orders.create', status: 429, retry_after: 60 })
      const answer = await placeWith(shopper, cardMethodId, await singleUse())
      expect(answer).toMatchObject({ result: 'failure', code: 'RATE_LIMIT_REACHED' })
    }
    expect((await placeWith(shopper, cardMethodId, await singleUse())).result).toBe('success')
  })

  // The last: what it lets through tells of the approvals above as well, which are paid then.
  it('P2 F15 at S11: money whose end nobody could find out is found by its late notification', async () => {
    const shopper = await aShopper(shop)
    await shop.emulate('/fault', { route: 'orders.create', done_then_drop: true, times: 3 })
    await placeWith(shopper, cardMethodId, await singleUse())
    const orderId = await orderOfShopper(shop, shopper)
    await shop.emulate('/faults/clear', {})
    await shop.db.sql`update payment_attempts set result = result || '{"at":"2020-01-01T00:00:00.000Z"}'
      where order_id = ${orderId} and step = 'pay'`
    await finishPayment(tools(), orderId)
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'attention' })

    // Money under another number is not that of this call, whatever order it names.
    const { paypal } = tools()
    const taken = (await providerLedger(shop)).orders.find(({ custom_id: of }) => of === String(orderId))
    if (!paypal || !taken) throw new Error('the provider has not taken it')
    const foreign: PayPal = {
      ...paypal,
      async getOrder(id) {
        const read = await paypal.getOrder(id)
        const renumbered = (unit: Unit) => ({ ...unit, invoice_id: `${unit.invoice_id}9` })
        const units = read.ok ? read.value.purchase_units?.map(renumbered) : undefined
        return read.ok ? { ...read, value: { ...read.value, purchase_units: units } } : read
      },
    }
    const named = { walletOrderId: taken.id, customId: String(orderId) }
    expect(await recordLatePayment({ ...tools(), paypal: foreign }, named)).toBe('unknown')
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'attention' })

    await shop.emulate('/webhooks/hold', { on: false })
    await shop.emulate('/webhooks/flush', {})
    const order = await theOneOrder(shop, orderId)
    expect(order.attention).toBeNull()
  })
})

describe('cards that are always to be confirmed', () => {
  let shop: TestShop
  beforeAll(async () => {
    const cards = { ...allMethodSettings.paypal.cards, threeDSecure: { request: 'SCA_ALWAYS' } }
    shop = await aShop({ settings: { paypal: { ...allMethodSettings.paypal, cards } } })
  })
  afterAll(() => shop?.close())

  it('CARD-08 any card pays once its bank has said so, and not before', async () => {
    const shopper = await aShopper(shop)
    const id = String(await (await createOrder(shopper, cardMethodId)).json())
    await shop.emulate(`/orders/${id}/card`, { number: '4111111111111111' })
    expect((await payApproved(shopper, cardMethodId, id)).result).toBe('failure')
    await shop.emulate(`/authentication/${id}`, {})
    expect((await payApproved(shopper, cardMethodId, id)).result).toBe('success')
    await theOneOrder(shop, await orderOfShopper(shop, shopper))
  })
})
