import { describe, expect, it } from 'vitest'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProvider, issueOf } from './fixtures/provider-setup.ts'
import { answerFaults } from './paypal-openapi.ts'

const ORDERS = '/v2/checkout/orders'
const PAYMENTS = '/v2/payments'
const DISPUTES = '/v1/customer/disputes'
const DAY_MS = 86_400_000

const { provider, sink, renew, validCall: call } = aProvider({ seed: 'money', withSink: true })

type Paid = { id: string; status: string; status_details?: { reason: string } }
type Shown = { purchase_units: { payments?: { captures?: Paid[]; authorizations?: Paid[] } }[] }
const paymentsOf = ({ body }: { body: unknown }) => (body as Shown).purchase_units[0]?.payments ?? {}
const dollars = (value: string) => ({ amount: { currency_code: 'USD', value } })
const heard = async (type: string) => {
  await provider.control('/webhooks/flush')
  return sink.received.filter((event) => event.type === type).length
}

async function captured(buyer = 'buyer'): Promise<string> {
  const { body } = await call('POST', ORDERS, anOrder())
  await provider.control(`/orders/${body.id}/approve`, { buyer })
  return paymentsOf(await call('POST', `${ORDERS}/${body.id}/capture`, {})).captures?.[0]?.id ?? ''
}

/** 33.50 held for 29 days. */
async function held(): Promise<{ id: string; order: string; path: string }> {
  const { body } = await call('POST', ORDERS, anOrder({ intent: 'AUTHORIZE' }))
  await provider.control(`/orders/${body.id}/approve`)
  const done = await call('POST', `${ORDERS}/${body.id}/authorize`, {})
  const id = paymentsOf(done).authorizations?.[0]?.id ?? ''
  return { id, order: String(body.id), path: `${PAYMENTS}/authorizations/${id}` }
}

async function days(count: number): Promise<void> {
  await provider.control('/clock', { advance_ms: count * DAY_MS })
  await renew()
}

describe('money that is held', () => {
  it('may be collected up to 115 percent, to the cent', async () => {
    const { path } = await held()
    // 33.50 and 15 percent of it, 5.025, cut to the cent.
    expect(issueOf(await call('POST', `${path}/capture`, dollars('38.53')))).toBe('MAX_CAPTURE_AMOUNT_EXCEEDED')
    expect((await call('POST', `${path}/capture`, dollars('38.52'))).status).toBe(201)
    expect((await call('GET', path)).body.status).toBe('CAPTURED')
  })

  it('may be collected in parts, the last of which lets the rest go', async () => {
    const { path } = await held()
    await call('POST', `${path}/capture`, dollars('10.00'))
    expect((await call('GET', path)).body.status).toBe('PARTIALLY_CAPTURED')
    await call('POST', `${path}/capture`, { ...dollars('5.00'), final_capture: true })
    expect(issueOf(await call('POST', `${path}/capture`, dollars('1.00')))).toBe('AUTHORIZATION_ALREADY_CAPTURED')
    expect(await provider.ledger()).toMatchObject({
      totals: { USD: { captured: '15.00', held: '0.00', refunded: '0.00' } },
    })
  })

  it('is authorised anew from the fourth day on', async () => {
    const { path } = await held()
    await days(2.9)
    expect(issueOf(await call('POST', `${path}/reauthorize`, {}))).toBe('REAUTHORIZATION_TOO_SOON')
    await days(0.2)
    expect((await call('POST', `${path}/reauthorize`, dollars('20.00'))).body.amount).toEqual({
      currency_code: 'USD',
      value: '20.00',
    })
    // Once: what was authorised anew is not authorised a third time.
    expect(issueOf(await call('POST', `${path}/reauthorize`, {}))).toBe('REAUTHORIZATION_NOT_SUPPORTED')
  })

  it('is let go after 29 days, and the shop is told once', async () => {
    const { path, order } = await held()
    await days(28.9)
    expect((await call('GET', path)).body.status).toBe('CREATED')
    await days(0.2)
    expect((await call('GET', path)).body.status).toBe('VOIDED')
    expect(issueOf(await call('POST', `${path}/capture`, dollars('1.00')))).toBe('AUTHORIZATION_EXPIRED')
    expect((await call('GET', `${ORDERS}/${order}`)).body.status).toBe('VOIDED')
    expect(await heard('PAYMENT.AUTHORIZATION.VOIDED')).toBe(1)
    expect(await provider.ledger()).toMatchObject({ totals: { USD: { held: '0.00', captured: '0.00' } } })
  })

  it('may be collected or let go by the merchant at the provider', async () => {
    const first = await held()
    await provider.control(`/authorizations/${first.id}/capture`, { amount: '12.50' })
    expect((await call('GET', first.path)).body.status).toBe('PARTIALLY_CAPTURED')
    const second = await held()
    await provider.control(`/authorizations/${second.id}/void`)
    expect((await call('GET', second.path)).body.status).toBe('VOIDED')
    expect(await heard('PAYMENT.CAPTURE.COMPLETED')).toBe(1)
  })
})

describe('calls without a body, as the provider’s own libraries send them', () => {
  // `fetch` names a type of its own for a text, and none for nothing.
  const types = ['application/x-www-form-urlencoded', 'application/json', '']

  it.each(types)('order, authorization, void and refund of the rest, with the type "%s"', async (type) => {
    const bare = async (path: string) => {
      const answer = await provider.call('POST', path, undefined, { 'content-type': type })
      expect(answerFaults('POST', path, answer.status, answer.body), answer.text).toEqual([])
      return answer
    }
    const { body } = await call('POST', ORDERS, anOrder())
    await provider.control(`/orders/${body.id}/approve`)
    const paid = await bare(`${ORDERS}/${body.id}/capture`)
    expect(paid.status).toBe(201)
    const capture = paymentsOf(paid).captures?.[0]?.id ?? ''
    const refund = await bare(`${PAYMENTS}/captures/${capture}/refund`)
    expect([refund.status, refund.body.status]).toEqual([201, 'COMPLETED'])

    const first = await held()
    expect((await bare(`${first.path}/void`)).status).toBe(204)
    const second = await held()
    expect((await bare(`${second.path}/capture`)).status).toBe(201)
  })

  it('a form with fields is no body that the provider reads', async () => {
    const { path } = await held()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await provider.call('POST', `${path}/capture`, 'amount=1', form)).status).toBe(415)
    // Nothing of it was done.
    expect((await call('GET', path)).body.status).toBe('CREATED')
  })
})

describe('captures that end otherwise', () => {
  it.each([
    ['COMPLETED', 'PAYMENT.CAPTURE.COMPLETED'],
    ['DECLINED', 'PAYMENT.CAPTURE.DENIED'],
  ])('F13 one is under review until it is %s', async (status, type) => {
    await provider.control('/captures/next', { outcome: 'PENDING_REVIEW' })
    const id = await captured()
    const pending = await call('GET', `${PAYMENTS}/captures/${id}`)
    expect(pending.body).toMatchObject({ status: 'PENDING', status_details: { reason: 'PENDING_REVIEW' } })
    expect(await heard('PAYMENT.CAPTURE.PENDING')).toBe(1)
    await provider.control(`/captures/${id}/settle`, { status })
    expect((await call('GET', `${PAYMENTS}/captures/${id}`)).body.status).toBe(status)
    expect(await heard(type)).toBe(1)
    expect((await call('GET', `${PAYMENTS}/captures/${await captured()}`)).body.status).toBe('COMPLETED')
  })

  it('F12 one is declined in a completed order, and its invoice id is free again', async () => {
    await provider.control('/captures/next', { outcome: 'DECLINED' })
    const pay = async () => {
      const { body } = await call('POST', ORDERS, anOrder({ invoiceId: 'SHOP-9' }))
      await provider.control(`/orders/${body.id}/approve`)
      return paymentsOf(await call('POST', `${ORDERS}/${body.id}/capture`, {})).captures?.[0]?.status
    }
    expect([await pay(), await pay()]).toEqual(['DECLINED', 'COMPLETED'])
    expect(await provider.ledger()).toMatchObject({ totals: { USD: { captured: '33.50' } } })
  })

  it('F40 a second wallet order for the same shop order is paid as well', async () => {
    const { body } = await call('POST', ORDERS, anOrder({ invoiceId: 'SHOP-3' }))
    await provider.control(`/orders/${body.id}/approve`)
    await call('POST', `${ORDERS}/${body.id}/capture`, {})
    const second = await provider.control(`/orders/${body.id}/second`)
    expect(second.id).not.toBe(body.id)
    expect((await provider.ledger()).captures).toMatchObject([
      { order_id: body.id, custom_id: '1042', invoice_id: 'SHOP-3' },
      { order_id: second.id, custom_id: '1042', invoice_id: 'SHOP-3-2' },
    ])
    expect(await heard('PAYMENT.CAPTURE.COMPLETED')).toBe(2)
  })

  it('a part is given back by the merchant at the provider, and the rest is taken back by the provider', async () => {
    const id = await captured()
    await provider.control(`/captures/${id}/refund`, { amount: '3.50' })
    await provider.control(`/captures/${id}/refund`, { reversed: true })
    expect((await call('GET', `${PAYMENTS}/captures/${id}`)).body.status).toBe('REFUNDED')
    expect(await heard('PAYMENT.CAPTURE.REFUNDED')).toBe(1)
    expect(await heard('PAYMENT.CAPTURE.REVERSED')).toBe(1)
    expect(await provider.ledger()).toMatchObject({ totals: { USD: { captured: '33.50', refunded: '33.50' } } })
  })
})

describe('disputes', () => {
  it('are opened, followed and ended, and each step is told and can be read', async () => {
    const capture = await captured()
    const { id } = await provider.control(`/captures/${capture}/dispute`, { reason: 'UNAUTHORISED' })
    expect((await call('GET', `${DISPUTES}/${id}`)).body).toMatchObject({
      status: 'OPEN',
      reason: 'UNAUTHORISED',
      dispute_amount: { value: '33.50' },
      disputed_transactions: [{ seller_transaction_id: capture, custom: '1042' }],
    })
    await provider.control(`/disputes/${id}/update`, { status: 'WAITING_FOR_SELLER_RESPONSE' })
    await provider.control(`/disputes/${id}/resolve`, { outcome: 'RESOLVED_BUYER_FAVOUR' })
    expect((await call('GET', `${DISPUTES}?disputed_transaction_id=${capture}`)).body.items).toMatchObject([
      { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } },
    ])
    for (const type of ['CREATED', 'UPDATED', 'RESOLVED']) expect(await heard(`CUSTOMER.DISPUTE.${type}`)).toBe(1)
    // The buyer won: the provider took the money back.
    expect((await call('GET', `${PAYMENTS}/captures/${capture}`)).body.status).toBe('REFUNDED')
    expect((await call('GET', `${DISPUTES}/PP-D-NONE`)).status).toBe(404)
  })

  it('F38 while one is open, a payment is given back whole or not at all', async () => {
    const capture = await captured()
    const { id } = await provider.control(`/captures/${capture}/dispute`, { amount: '10.00' })
    const path = `${PAYMENTS}/captures/${capture}/refund`
    const part = await call('POST', path, dollars('5.00'))
    expect([part.status, issueOf(part)]).toEqual([422, 'TRANSACTION_DISPUTED'])
    await provider.control(`/disputes/${id}/resolve`, { outcome: 'RESOLVED_SELLER_FAVOUR' })
    expect((await call('POST', path, dollars('5.00'))).status).toBe(201)
    const second = await provider.control(`/captures/${capture}/dispute`, { amount: '10.00' })
    await provider.control(`/disputes/${second.id}/resolve`, { outcome: 'RESOLVED_BUYER_FAVOUR' })
    expect(await provider.ledger()).toMatchObject({ totals: { USD: { refunded: '15.00' } } })
    await provider.control(`/captures/${capture}/dispute`)
    expect((await call('POST', path, {})).status).toBe(201)
  })
})
