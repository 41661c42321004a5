import { describe, expect, it } from 'vitest'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProvider, issueOf } from './fixtures/provider-setup.ts'

const ORDERS = '/v2/checkout/orders'

const { provider, validCall: call } = aProvider({ seed: 'cards' })

const cardOf = (number: string, more: object = {}) => ({ number, expiry: '2040-01', security_code: '123', ...more })
const verified = { attributes: { verification: { method: 'SCA_WHEN_REQUIRED' } } }
const withCard = (card: object, wish: Parameters<typeof anOrder>[0] = {}) => ({
  ...anOrder(wish),
  payment_source: { card },
})

type Shown = {
  status: string
  links: { rel: string; href: string }[]
  payment_source?: { card?: { authentication_result?: unknown; brand?: string; last_digits?: string } }
  purchase_units: {
    payments?: { captures?: Paid[]; authorizations?: Paid[] }
  }[]
}
type Paid = { id: string; status: string; processor_response?: { response_code: string; cvv_code: string } }
const shown = ({ body }: { body: unknown }) => body as Shown
const capturesOf = (answer: { body: unknown }) => shown(answer).purchase_units[0]?.payments?.captures ?? []

/** An order without a card yet, as the server makes it for the script's fields. */
async function awaitingCard(card: object = {}, intent = 'CAPTURE'): Promise<string> {
  const answer = await call('POST', ORDERS, withCard(card, { intent }))
  expect([answer.status, answer.body.status]).toEqual([201, 'CREATED'])
  return String(answer.body.id)
}
const confirm = (id: string, card: object) =>
  call('POST', `${ORDERS}/${id}/confirm-payment-source`, { payment_source: { card } })

describe('a card that the script hands in', () => {
  it('is approved by that, and pays when the order is captured', async () => {
    const id = await awaitingCard()
    const confirmed = await confirm(id, cardOf('4111111111111111', { name: 'Ada Example' }))
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'APPROVED'])
    expect(shown(confirmed).payment_source?.card).toEqual({
      name: 'Ada Example',
      brand: 'VISA',
      last_digits: '1111',
      type: 'CREDIT',
      expiry: '2040-01',
    })
    const captured = await call('POST', `${ORDERS}/${id}/capture`, {})
    expect(captured.body.status).toBe('COMPLETED')
    expect(capturesOf(captured)).toMatchObject([
      { status: 'COMPLETED', processor_response: { response_code: '0000', cvv_code: 'M' } },
    ])
  })

  it('leaves neither number nor security code anywhere in the answers, the ledger or the page', async () => {
    const id = await awaitingCard()
    const order = await confirm(id, cardOf('4111111111111111', { security_code: '987' }))
    const ledger = await (await fetch(`${provider.url}/__emulator/ledger`)).text()
    const log = await (await fetch(`${provider.url}/__emulator/log`)).text()
    for (const text of [order.text, ledger, log]) {
      expect(text).not.toContain('4111111111111111')
      expect(text).not.toContain('987"')
    }
  })

  it.each([
    ['4111111111111112', {}, 'PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED'],
    ['4111111111111111', { expiry: '2020-01' }, 'CARD_EXPIRED'],
    ['378282246310005', {}, 'INVALID_SECURITY_CODE_LENGTH'],
    ['4000000000000069', {}, 'CARD_EXPIRED'],
  ])('%s with %j is refused: %s', async (number, more, issue) => {
    const id = await awaitingCard()
    const answer = await confirm(id, cardOf(number, more))
    expect([answer.status, issueOf(answer)]).toEqual([422, issue])
  })

  it.each([
    ['5555555555554444', 'MASTERCARD'],
    ['6011111111111117', 'DISCOVER'],
    ['3530111333300000', 'JCB'],
  ])('%s is of the brand %s', async (number, brand) => {
    const id = await awaitingCard()
    expect(shown(await confirm(id, cardOf(number))).payment_source?.card?.brand).toBe(brand)
  })

  it.each([
    ['CCREJECT-REFUSED', '0500'],
    ['CCREJECT-SF', '9500'],
    ['CCREJECT-EC', '5400'],
    ['CCREJECT-IRC', '5180'],
    ['CCREJECT-IF', '5120'],
    ['CCREJECT-LS', '9520'],
    ['CCREJECT-IA', '1330'],
    ['CCREJECT-BANK_ERROR', '5100'],
    ['CCREJECT-CVV_F', '00N7'],
  ])('F12 the name %s gives a declined capture with code %s in a completed order', async (name, code) => {
    const id = await awaitingCard()
    await confirm(id, cardOf('4111111111111111', { name }))
    const captured = await call('POST', `${ORDERS}/${id}/capture`, {})
    expect([captured.status, captured.body.status]).toEqual([201, 'COMPLETED'])
    expect(capturesOf(captured)).toMatchObject([{ status: 'DECLINED', processor_response: { response_code: code } }])
  })

  it('F12 a declined authorisation is denied', async () => {
    const id = await awaitingCard({}, 'AUTHORIZE')
    await confirm(id, cardOf('4111111111111111', { name: 'CCREJECT-IF' }))
    const done = await call('POST', `${ORDERS}/${id}/authorize`, {})
    expect(shown(done).purchase_units[0]?.payments?.authorizations).toMatchObject([
      { status: 'DENIED', processor_response: { response_code: '5120' } },
    ])
  })

  it('F12 a refused card leaves the order to be paid with another', async () => {
    const id = await awaitingCard()
    await confirm(id, cardOf('4000000000000002'))
    const refused = await call('POST', `${ORDERS}/${id}/capture`, {})
    expect([refused.status, issueOf(refused)]).toEqual([422, 'INSTRUMENT_DECLINED'])
    expect((await confirm(id, cardOf('4111111111111111'))).status).toBe(200)
    expect(capturesOf(await call('POST', `${ORDERS}/${id}/capture`, {}))).toMatchObject([{ status: 'COMPLETED' }])
    expect((await provider.ledger()).captures).toHaveLength(1)
  })
})

describe('3-D Secure', () => {
  it.each([
    ['4000000000001190', { liability_shift: 'NO', three_d_secure: { enrollment_status: 'N' } }],
    ['4000000000001208', { liability_shift: 'NO', three_d_secure: { enrollment_status: 'U' } }],
    ['4000000000001216', { liability_shift: 'UNKNOWN', three_d_secure: { enrollment_status: 'U' } }],
    ['4000000000001224', { liability_shift: 'NO', three_d_secure: { enrollment_status: 'B' } }],
    ['4000000000001232', { liability_shift: 'UNKNOWN' }],
    ['4111111111111111', undefined],
  ])('%s needs no page of the bank and ends as %j', async (number, result) => {
    const id = await awaitingCard(verified)
    const confirmed = await confirm(id, cardOf(number))
    expect(confirmed.body.status).toBe('APPROVED')
    const order = await call('GET', `${ORDERS}/${id}`)
    expect(shown(order).payment_source?.card?.authentication_result).toEqual(result)
  })

  const enrolled = (authentication_status: string | undefined, liability_shift: string) => ({
    liability_shift,
    three_d_secure: { enrollment_status: 'Y', ...(authentication_status ? { authentication_status } : {}) },
  })
  it.each([
    ['4000000000001109', 'succeeded', enrolled('Y', 'POSSIBLE')],
    ['4000000000001109', 'failed', enrolled('N', 'NO')],
    ['4000000000001117', 'by itself', enrolled('Y', 'POSSIBLE')],
    ['4000000000001125', 'by itself', enrolled('A', 'POSSIBLE')],
    ['4000000000001133', 'by itself', enrolled('N', 'NO')],
    ['4000000000001141', 'by itself', enrolled('R', 'NO')],
    ['4000000000001158', 'by itself', enrolled('U', 'UNKNOWN')],
    ['4000000000001166', 'by itself', enrolled('U', 'NO')],
    ['4000000000001174', 'by itself', enrolled('C', 'UNKNOWN')],
    ['4000000000001182', 'by itself', enrolled(undefined, 'NO')],
  ])('%s waits for the bank and %s gives %j', async (number, end, result) => {
    const id = await awaitingCard(verified)
    const confirmed = await confirm(id, cardOf(number))
    expect(confirmed.body.status).toBe('PAYER_ACTION_REQUIRED')
    expect(shown(confirmed).links.find(({ rel }) => rel === 'payer-action')?.href).toBe(
      `${provider.url}/threedsecure?token=${id}`,
    )
    const early = await call('POST', `${ORDERS}/${id}/capture`, {})
    expect([early.status, issueOf(early)]).toEqual([422, 'PAYER_ACTION_REQUIRED'])

    await provider.control(`/authentication/${id}`, { end })
    const order = await call('GET', `${ORDERS}/${id}`)
    expect([order.body.status, shown(order).payment_source?.card?.authentication_result]).toEqual(['APPROVED', result])
  })

  it('does not take place when nobody asked for it, and may be asked for by the step that confirms', async () => {
    const plain = await awaitingCard()
    expect((await confirm(plain, cardOf('4000000000001109'))).body.status).toBe('APPROVED')
    const asked = await awaitingCard()
    expect((await confirm(asked, { ...cardOf('4000000000001109'), ...verified })).body.status).toBe(
      'PAYER_ACTION_REQUIRED',
    )
  })
})

describe('a card in the call that creates the order', () => {
  it('pays at once, and once per request id', async () => {
    const body = withCard(cardOf('4111111111111111'))
    const first = await call('POST', ORDERS, body, { 'paypal-request-id': 'one' })
    expect([first.status, first.body.status]).toEqual([201, 'COMPLETED'])
    const again = await call('POST', ORDERS, body, { 'paypal-request-id': 'one' })
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    expect((await provider.ledger()).captures).toHaveLength(1)
  })

  it('reserves the money when that is what is intended', async () => {
    const done = await call('POST', ORDERS, withCard(cardOf('4111111111111111'), { intent: 'AUTHORIZE' }))
    expect(shown(done).purchase_units[0]?.payments?.authorizations).toMatchObject([{ status: 'CREATED' }])
  })

  it('F12 refused, it leaves no order behind', async () => {
    const refused = await call('POST', ORDERS, withCard(cardOf('4000000000000002')))
    expect([refused.status, issueOf(refused)]).toEqual([422, 'INSTRUMENT_DECLINED'])
    expect((await provider.ledger()).orders).toEqual([])
  })

  it('waits for the bank where that was asked for, and is captured afterwards', async () => {
    const made = await call('POST', ORDERS, withCard({ ...cardOf('4000000000001109'), ...verified }))
    expect([made.status, made.body.status]).toEqual([201, 'PAYER_ACTION_REQUIRED'])
    await provider.control(`/authentication/${made.body.id}`, { end: 'succeeded' })
    expect((await call('POST', `${ORDERS}/${made.body.id}/capture`, {})).body.status).toBe('COMPLETED')
  })

  it('a token of accelerated checkout pays once, within three hours', async () => {
    const mint = async () => String((await provider.control('/single-use-tokens', { number: '4111111111111111' })).id)
    const token = await mint()
    expect((await call('POST', ORDERS, withCard({ single_use_token: token }))).body.status).toBe('COMPLETED')
    const twice = await call('POST', ORDERS, withCard({ single_use_token: token }))
    expect([twice.status, issueOf(twice)]).toEqual([422, 'PAYMENT_SOURCE_CANNOT_BE_USED'])
    const unknown = await call('POST', ORDERS, withCard({ single_use_token: 'NONE' }))
    expect([unknown.status, issueOf(unknown)]).toEqual([404, 'INVALID_RESOURCE_ID'])
    const old = await mint()
    await provider.control('/clock', { advance_ms: 3 * 3_600_000 + 1_000 })
    const late = await call('POST', ORDERS, withCard({ single_use_token: old }))
    expect([late.status, issueOf(late)]).toEqual([422, 'TOKEN_EXPIRED'])
  })
})
