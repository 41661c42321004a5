import { describe, expect, it } from 'vitest'
import { startEmulator } from '../../emulator/start-emulator.ts'
import { anOrder, clientOf } from './fixtures/emulator-client.ts'
import { aProvider, issueOf } from './fixtures/provider-setup.ts'
import { requestFaults } from './paypal-openapi.ts'

const ORDERS = '/v2/checkout/orders'
const PAYMENTS = '/v2/payments'

const { provider, renew, call } = aProvider({ seed: 'orders' })

async function newOrder(wish: Parameters<typeof anOrder>[0] = {}): Promise<string> {
  const answer = await call('POST', ORDERS, anOrder(wish))
  expect(answer.status, answer.text).toBe(201)
  return String(answer.body.id)
}

async function approvedOrder(wish: Parameters<typeof anOrder>[0] = {}, buyer = 'buyer'): Promise<string> {
  const id = await newOrder(wish)
  await provider.control(`/orders/${id}/approve`, { buyer })
  return id
}

const capturesOf = (body: unknown) =>
  (body as { purchase_units: { payments: { captures: { id: string; status: string }[] } }[] }).purchase_units[0]
    ?.payments.captures ?? []
const relations = (body: unknown) => (body as { links: { rel: string }[] }).links.map(({ rel }) => rel)

describe('credentials', () => {
  it('gives a token for the right pair and refuses any other', async () => {
    const ask = (pair: string, form: Record<string, string> = { grant_type: 'client_credentials' }) =>
      fetch(`${provider.url}/v1/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(pair)}` },
        body: new URLSearchParams(form),
      })
    const good = await ask('sb:emulator-secret')
    expect(good.status).toBe(200)
    expect(await good.json()).toMatchObject({ token_type: 'Bearer', expires_in: 31_668 })
    const bad = await ask('sb:wrong')
    expect([bad.status, await bad.json()]).toEqual([
      401,
      { error: 'invalid_client', error_description: 'Client Authentication failed' },
    ])
    expect((await ask('sb:emulator-secret', { grant_type: 'password' })).status).toBe(400)
  })

  it('answers 401 to a token that is missing, unknown or too old', async () => {
    const id = await newOrder()
    for (const authorization of ['', 'Bearer nonsense']) {
      const answer = await call('GET', `${ORDERS}/${id}`, undefined, { authorization })
      expect([answer.status, answer.body.name]).toEqual([401, 'AUTHENTICATION_FAILURE'])
    }
    await provider.control('/clock', { advance_ms: 9 * 3_600_000 })
    expect((await call('GET', `${ORDERS}/${id}`)).status).toBe(401)
  })
})

describe('the life of an order', () => {
  it('goes from payer action over approval to completion, with the links of each state', async () => {
    const created = await call('POST', ORDERS, anOrder({ invoiceId: 'SHOP-1' }))
    expect([created.status, created.body.status, relations(created.body)]).toEqual([
      201,
      'PAYER_ACTION_REQUIRED',
      ['self', 'payer-action'],
    ])
    const path = `${ORDERS}/${created.body.id}`
    const early = await call('POST', `${path}/capture`, {})
    expect([early.status, issueOf(early)]).toEqual([422, 'ORDER_NOT_APPROVED'])

    await provider.control(`/orders/${created.body.id}/approve`)
    const approved = await call('GET', path)
    expect(approved.body).toMatchObject({ status: 'APPROVED', payer: { email_address: 'buyer@emulator.test' } })
    expect(relations(approved.body)).toEqual(['self', 'update', 'capture'])

    const captured = await call('POST', `${path}/capture`, {})
    expect([captured.status, captured.body.status]).toEqual([201, 'COMPLETED'])
    expect(capturesOf(captured.body)).toMatchObject([
      { status: 'COMPLETED', amount: { value: '33.50' }, invoice_id: 'SHOP-1', custom_id: '1042' },
    ])
    expect(issueOf(await call('POST', `${path}/capture`, {}))).toBe('ORDER_ALREADY_CAPTURED')
    expect(issueOf(await call('PATCH', path, [{ op: 'replace', path: '/intent', value: 'CAPTURE' }]))).toBe(
      'ORDER_ALREADY_COMPLETED',
    )
  })

  it('is CREATED with an approve link when no source is named, until one is confirmed', async () => {
    const { payment_source, ...plain } = anOrder()
    const created = await call('POST', ORDERS, plain)
    expect([created.body.status, relations(created.body)]).toEqual([
      'CREATED',
      ['self', 'approve', 'update', 'capture'],
    ])
    const confirmed = await call('POST', `${ORDERS}/${created.body.id}/confirm-payment-source`, { payment_source })
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'PAYER_ACTION_REQUIRED'])
  })

  it('answers the whole order when the caller prefers it', async () => {
    const answer = await call('POST', ORDERS, anOrder(), { prefer: 'return=representation' })
    expect(answer.body).toMatchObject({ intent: 'CAPTURE', purchase_units: [{ items: [{ name: 'Hat' }] }] })
  })

  it('takes six hours for approval and six more for capture', async () => {
    const id = await newOrder()
    await provider.control('/clock', { advance_ms: 5.9 * 3_600_000 })
    await provider.control(`/orders/${id}/approve`)
    await provider.control('/clock', { advance_ms: 2 * 3_600_000 })
    expect((await call('GET', `${ORDERS}/${id}`)).body.status).toBe('APPROVED')
    await provider.control('/clock', { advance_ms: 4.1 * 3_600_000 })
    await renew()
    expect((await provider.call('POST', `${ORDERS}/${id}/capture`, {})).status).toBe(404)
  })

  it('keeps authorisations: partial capture, void and the wrong action', async () => {
    const id = await approvedOrder({ intent: 'AUTHORIZE' })
    expect(issueOf(await call('POST', `${ORDERS}/${id}/capture`, {}))).toBe('ACTION_DOES_NOT_MATCH_INTENT')
    const done = await call('POST', `${ORDERS}/${id}/authorize`, {})
    expect(done.status).toBe(201)
    const [authorization] = (done.body as { purchase_units: { payments: { authorizations: { id: string }[] } }[] })
      .purchase_units[0]?.payments.authorizations ?? [{ id: '' }]
    const path = `${PAYMENTS}/authorizations/${authorization?.id}`
    const part = { amount: { currency_code: 'USD', value: '10.00' } }
    expect((await call('POST', `${path}/capture`, part)).body).toMatchObject({
      status: 'COMPLETED',
      final_capture: false,
    })
    expect((await call('GET', path)).body.status).toBe('PARTIALLY_CAPTURED')
    expect(issueOf(await call('POST', `${path}/void`, {}))).toBe('PREVIOUSLY_CAPTURED')
    const much = { amount: { currency_code: 'USD', value: '90.00' } }
    expect(issueOf(await call('POST', `${path}/capture`, much))).toBe('MAX_CAPTURE_AMOUNT_EXCEEDED')
    expect(issueOf(await call('POST', `${path}/reauthorize`, {}))).toBe('REAUTHORIZATION_TOO_SOON')

    const other = await approvedOrder({ intent: 'AUTHORIZE' })
    await call('POST', `${ORDERS}/${other}/authorize`, {})
    const { body } = await call('GET', `${ORDERS}/${other}`)
    const [second] = (body as { purchase_units: { payments: { authorizations: { id: string }[] } }[] })
      .purchase_units[0]?.payments.authorizations ?? [{ id: '' }]
    const voided = `${PAYMENTS}/authorizations/${second?.id}`
    expect((await call('POST', `${voided}/void`, {})).status).toBe(204)
    expect(issueOf(await call('POST', `${voided}/void`, {}))).toBe('PREVIOUSLY_VOIDED')
    expect((await call('GET', `${ORDERS}/${other}`)).body.status).toBe('VOIDED')
  })

  it('gives back money up to what was captured, and no further', async () => {
    const id = await approvedOrder()
    const [capture] = capturesOf((await call('POST', `${ORDERS}/${id}/capture`, {})).body)
    const path = `${PAYMENTS}/captures/${capture?.id}`
    const part = await call('POST', `${path}/refund`, { amount: { currency_code: 'USD', value: '13.50' } })
    expect([part.status, part.body.status]).toEqual([201, 'COMPLETED'])
    expect((await call('GET', `${PAYMENTS}/refunds/${part.body.id}`)).body.amount).toEqual({
      currency_code: 'USD',
      value: '13.50',
    })
    expect((await call('GET', path)).body.status).toBe('PARTIALLY_REFUNDED')
    const much = { amount: { currency_code: 'USD', value: '20.01' } }
    expect(issueOf(await call('POST', `${path}/refund`, much))).toBe('REFUND_AMOUNT_EXCEEDED')
    const euro = { amount: { currency_code: 'EUR', value: '1.00' } }
    expect(issueOf(await call('POST', `${path}/refund`, euro))).toBe('REFUND_CAPTURE_CURRENCY_MISMATCH')
    await call('POST', `${path}/refund`, {})
    expect((await call('GET', path)).body.status).toBe('REFUNDED')
    expect(issueOf(await call('POST', `${path}/refund`, {}))).toBe('CAPTURE_FULLY_REFUNDED')
    expect((await call('GET', `${ORDERS}/${id}`)).body).toMatchObject({
      purchase_units: [{ payments: { refunds: [{ amount: { value: '13.50' } }, { amount: { value: '20.00' } }] } }],
    })
  })

  it('takes an invoice id for one payment only', async () => {
    const first = await approvedOrder({ invoiceId: 'SHOP-7' })
    const second = await approvedOrder({ invoiceId: 'SHOP-7' })
    expect((await call('POST', `${ORDERS}/${first}/capture`, {})).status).toBe(201)
    expect(issueOf(await call('POST', `${ORDERS}/${second}/capture`, {}))).toBe('DUPLICATE_INVOICE_ID')
    expect((await provider.ledger()).captures).toHaveLength(1)
  })
})

describe('amounts', () => {
  const money = (value: string, currency_code = 'USD') => ({ value, currency_code })
  const hat = { name: 'Hat', quantity: '3', unit_amount: money('3.33') }
  const unit = (amount: object, more: object = {}) => ({
    intent: 'CAPTURE',
    purchase_units: [{ amount, ...more }],
  })

  it.each<[string, object, string | undefined]>([
    ['a plain total', unit(money('9.99')), undefined],
    ['a whole number', unit(money('9')), undefined],
    [
      'parts that add up',
      unit({ ...money('10.99'), breakdown: { item_total: money('9.99'), shipping: money('1') } }, { items: [hat] }),
      undefined,
    ],
    [
      'every part there is',
      unit({
        ...money('16.50'),
        breakdown: {
          item_total: money('10.00'),
          tax_total: money('2.00'),
          shipping: money('5.00'),
          handling: money('1.00'),
          insurance: money('0.50'),
          shipping_discount: money('1.50'),
          discount: money('0.50'),
        },
      }),
      undefined,
    ],
    [
      'parts a cent short',
      unit({ ...money('11.00'), breakdown: { item_total: money('9.99'), shipping: money('1') } }, { items: [hat] }),
      'AMOUNT_MISMATCH',
    ],
    [
      'items that make another sum',
      unit({ ...money('10.00'), breakdown: { item_total: money('10.00') } }, { items: [hat] }),
      'ITEM_TOTAL_MISMATCH',
    ],
    ['items without their total', unit(money('9.99'), { items: [hat] }), 'ITEM_TOTAL_REQUIRED'],
    [
      'taxes without their total',
      unit({ ...money('9.99'), breakdown: { item_total: money('9.99') } }, { items: [{ ...hat, tax: money('1') }] }),
      'TAX_TOTAL_REQUIRED',
    ],
    [
      'taxes that make another sum',
      unit(
        { ...money('11.99'), breakdown: { item_total: money('9.99'), tax_total: money('2') } },
        { items: [{ ...hat, tax: money('1') }] },
      ),
      'TAX_TOTAL_MISMATCH',
    ],
    ['three decimals', unit(money('9.999')), 'DECIMAL_PRECISION'],
    ['nothing to pay', unit(money('0.00')), 'CANNOT_BE_ZERO_OR_NEGATIVE'],
    [
      'a negative part',
      unit({ ...money('9.00'), breakdown: { item_total: money('10.00'), shipping: money('-1.00') } }),
      'CANNOT_BE_NEGATIVE',
    ],
    ['more than there is', unit(money('1000000000000000.00')), 'MAX_VALUE_EXCEEDED'],
    ['an unknown currency', unit(money('9.99', 'XXX')), 'INVALID_CURRENCY_CODE'],
    ['yen without decimals', unit(money('999', 'JPY')), undefined],
    ['yen with decimals', unit(money('999.00', 'JPY')), 'DECIMALS_NOT_SUPPORTED'],
    ['forints with decimals', unit(money('999.5', 'HUF')), 'DECIMALS_NOT_SUPPORTED'],
    [
      'two currencies',
      unit({ ...money('9.99'), breakdown: { item_total: money('9.99', 'EUR') } }),
      'MULTI_CURRENCY_ORDER',
    ],
  ])('%s', async (_, body, issue) => {
    const answer = await call('POST', ORDERS, body)
    expect([answer.status, issueOf(answer)]).toEqual(issue === undefined ? [201, undefined] : [422, issue])
  })

  it('points to the field of the unit that is wrong', async () => {
    const answer = await call('POST', ORDERS, unit({ ...money('5.00'), breakdown: { item_total: money('4.00') } }))
    expect(answer.body.details).toMatchObject([
      { field: "/purchase_units/@reference_id=='default'/amount/value", value: '5.00', location: 'body' },
    ])
  })

  it('checks addresses and shipping options', async () => {
    const shipped = (shipping: object, context: object = {}) => {
      const order = anOrder({ context })
      return { ...order, purchase_units: [{ ...order.purchase_units[0], shipping }] }
    }
    const address = { address_line_1: '1 Main St', admin_area_2: 'San Jose', country_code: 'US' }
    expect(issueOf(await call('POST', ORDERS, shipped({ address })))).toBe('POSTAL_CODE_REQUIRED')
    expect(issueOf(await call('POST', ORDERS, shipped({ address: { country_code: 'DE', postal_code: '1' } })))).toBe(
      'CITY_REQUIRED',
    )
    const fixed = { shipping_preference: 'SET_PROVIDED_ADDRESS' }
    const missing = await call('POST', ORDERS, anOrder({ context: fixed }))
    expect([missing.status, issueOf(missing)]).toEqual([400, 'MISSING_REQUIRED_PARAMETER'])
    const option = (id: string, selected: boolean, value = '10.00') => ({
      id,
      label: id,
      selected,
      type: 'SHIPPING',
      amount: money(value),
    })
    const options = async (...list: object[]) => issueOf(await call('POST', ORDERS, shipped({ options: list })))
    expect(await options(option('a', true), option('b', false))).toBeUndefined()
    expect(await options(option('a', false))).toBe('SHIPPING_OPTION_NOT_SELECTED')
    expect(await options(option('a', true), option('b', true))).toBe('MULTIPLE_SHIPPING_OPTION_SELECTED')
    expect(await options(option('a', true, '9.00'))).toBe('PREFERRED_SHIPPING_OPTION_AMOUNT_MISMATCH')
  })
})

describe('malformed requests', () => {
  it.each<[string, unknown, string]>([
    ['no intent of the list', { ...anOrder(), intent: 'GIFT' }, 'INVALID_PARAMETER_VALUE'],
    ['no units', { intent: 'CAPTURE', purchase_units: [] }, 'INVALID_ARRAY_MIN_ITEMS'],
    ['no amount', { intent: 'CAPTURE', purchase_units: [{}] }, 'MISSING_REQUIRED_PARAMETER'],
    [
      'a long custom id',
      {
        intent: 'CAPTURE',
        purchase_units: [{ custom_id: 'x'.repeat(128), amount: { currency_code: 'USD', value: '1' } }],
      },
      'INVALID_STRING_LENGTH',
    ],
    [
      'a word for an amount',
      { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code: 'USD', value: 'one' } }] },
      'INVALID_PARAMETER_SYNTAX',
    ],
    [
      'a quantity of a half',
      {
        intent: 'CAPTURE',
        purchase_units: [
          {
            amount: { currency_code: 'USD', value: '1' },
            items: [{ name: 'x', quantity: '0.5', unit_amount: { currency_code: 'USD', value: '2' } }],
          },
        ],
      },
      'INVALID_PARAMETER_SYNTAX',
    ],
    ['half a JSON', '{"intent":', 'MALFORMED_REQUEST_JSON'],
    [
      'a script as return address',
      anOrder({ context: { return_url: 'javascript:alert(1)' } }),
      'INVALID_PARAMETER_SYNTAX',
    ],
  ])('%s is 400', async (_, body, issue) => {
    const answer = await call('POST', ORDERS, body)
    expect([answer.status, answer.body.name, issueOf(answer)]).toEqual([400, 'INVALID_REQUEST', issue])
  })

  it('an unknown order is 404, a form is 415', async () => {
    const unknown = await call('GET', `${ORDERS}/NOSUCHORDER`)
    expect([unknown.status, issueOf(unknown)]).toEqual([404, 'INVALID_RESOURCE_ID'])
    const form = await call('POST', ORDERS, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })
    expect([form.status, form.body.name]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('the same setting in the old and the new place is refused', async () => {
    const both = { ...anOrder(), application_context: { brand_name: 'Hats' } }
    expect(issueOf(await call('POST', ORDERS, both))).toBe('INCOMPATIBLE_PARAMETER_VALUE')
  })

  it('a source that this merchant cannot take is refused', async () => {
    const source = { blik: { name: 'Ada Example', country_code: 'PL' } }
    expect(issueOf(await call('POST', ORDERS, { ...anOrder(), payment_source: source }))).toBe(
      'PAYMENT_SOURCE_CANNOT_BE_USED',
    )
  })

  it('a source that pays at once needs a request id', async () => {
    const card = { ...anOrder(), payment_source: { card: { number: '4111111111111111', expiry: '2040-01' } } }
    const answer = await call('POST', ORDERS, card)
    expect([answer.status, issueOf(answer)]).toEqual([400, 'PAYPAL_REQUEST_ID_REQUIRED'])
  })
})

describe('patching', () => {
  const unitPath = "/purchase_units/@reference_id=='default'"

  it('replaces a whole unit, single fields and the intent', async () => {
    const id = await newOrder()
    const amount = { currency_code: 'USD', value: '5.00' }
    const patch = [
      { op: 'replace', path: unitPath, value: { reference_id: 'default', amount } },
      { op: 'add', path: `${unitPath}/invoice_id`, value: 'SHOP-9' },
      { op: 'add', path: `${unitPath}/shipping/name`, value: { full_name: 'Ann Bee' } },
    ]
    expect(requestFaults('PATCH', `${ORDERS}/${id}`, patch)).toEqual([])
    expect((await call('PATCH', `${ORDERS}/${id}`, patch)).status).toBe(204)
    expect((await call('GET', `${ORDERS}/${id}`)).body).toMatchObject({
      purchase_units: [{ amount, invoice_id: 'SHOP-9', shipping: { name: { full_name: 'Ann Bee' } } }],
    })
  })

  it('does all or nothing, and keeps the rules of a new order', async () => {
    const id = await newOrder()
    const patch = [
      { op: 'add', path: `${unitPath}/custom_id`, value: 'changed' },
      { op: 'replace', path: `${unitPath}/amount`, value: { currency_code: 'USD', value: '99.00' } },
    ]
    const answer = await call('PATCH', `${ORDERS}/${id}`, patch)
    expect([answer.status, issueOf(answer)]).toEqual([422, 'ITEM_TOTAL_REQUIRED'])
    expect((await call('GET', `${ORDERS}/${id}`)).body).toMatchObject({ purchase_units: [{ custom_id: '1042' }] })
  })

  it.each<[object, string]>([
    [{ op: 'test', path: unitPath, value: {} }, 'INVALID_PATCH_OPERATION'],
    [{ op: 'replace', value: {} }, 'PATCH_PATH_REQUIRED'],
    [{ op: 'replace', path: unitPath }, 'PATCH_VALUE_REQUIRED'],
    [{ op: 'replace', path: 'intent', value: 'CAPTURE' }, 'INVALID_JSON_POINTER_FORMAT'],
    [{ op: 'replace', path: '/status', value: 'COMPLETED' }, 'NOT_PATCHABLE'],
    [{ op: 'replace', path: `${unitPath}/amount/value`, value: '1' }, 'AMOUNT_NOT_PATCHABLE'],
    [{ op: 'replace', path: `${unitPath}/payments`, value: {} }, 'FIELD_NOT_PATCHABLE'],
    [{ op: 'replace', path: "/purchase_units/@reference_id=='other'/amount", value: {} }, 'REFERENCE_ID_NOT_FOUND'],
  ])('%j is refused', async (operation, issue) => {
    const id = await newOrder()
    expect(issueOf(await call('PATCH', `${ORDERS}/${id}`, [operation]))).toBe(issue)
  })
})

describe('request ids', () => {
  it('the same id makes one order and answers its latest state with 200', async () => {
    const headers = { 'paypal-request-id': 'attempt-1' }
    const first = await call('POST', ORDERS, anOrder(), headers)
    await provider.control(`/orders/${first.body.id}/approve`)
    const second = await call('POST', ORDERS, anOrder(), headers)
    expect([first.status, second.status, second.body.id, second.body.status]).toEqual([
      201,
      200,
      first.body.id,
      'APPROVED',
    ])
    expect((await provider.ledger()).orders).toHaveLength(1)
  })

  it('is forgotten after six hours for orders', async () => {
    const headers = { 'paypal-request-id': 'attempt-2' }
    const first = await call('POST', ORDERS, anOrder(), headers)
    await provider.control('/clock', { advance_ms: 6 * 3_600_000 + 1 })
    expect((await call('POST', ORDERS, anOrder(), headers)).body.id).not.toBe(first.body.id)
  })

  it('a repeated capture answers the first one', async () => {
    const id = await approvedOrder()
    const headers = { 'paypal-request-id': 'capture-1' }
    const first = await call('POST', `${ORDERS}/${id}/capture`, {}, headers)
    const second = await call('POST', `${ORDERS}/${id}/capture`, {}, headers)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
    expect((await provider.ledger()).captures).toHaveLength(1)
  })

  it('a refusal is not remembered', async () => {
    const id = await newOrder()
    const headers = { 'paypal-request-id': 'capture-2' }
    expect((await call('POST', `${ORDERS}/${id}/capture`, {}, headers)).status).toBe(422)
    await provider.control(`/orders/${id}/approve`)
    expect((await call('POST', `${ORDERS}/${id}/capture`, {}, headers)).status).toBe(201)
  })

  it('a second call meets the first one in progress', async () => {
    const id = await approvedOrder()
    await provider.control('/fault', { route: 'orders.capture', delay: 400 })
    const headers = { 'paypal-request-id': 'capture-3' }
    const slow = call('POST', `${ORDERS}/${id}/capture`, {}, headers)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const same = await call('POST', `${ORDERS}/${id}/capture`, {}, headers)
    const other = await call('POST', `${ORDERS}/${id}/capture`, {})
    expect([same.status, issueOf(same)]).toEqual([409, 'PREVIOUS_REQUEST_IN_PROGRESS'])
    expect([other.status, issueOf(other)]).toEqual([422, 'ORDER_COMPLETION_IN_PROGRESS'])
    expect((await slow).status).toBe(201)
    expect((await provider.ledger()).captures).toHaveLength(1)
  })
})

describe('buyers', () => {
  it('declined@ is declined until the buyer has approved again', async () => {
    const id = await approvedOrder({}, 'declined')
    const declined = await call('POST', `${ORDERS}/${id}/capture`, {})
    expect([issueOf(declined), relations(declined.body)]).toEqual([
      'INSTRUMENT_DECLINED',
      ['redirect', 'information_link'],
    ])
    expect(issueOf(await call('POST', `${ORDERS}/${id}/capture`, {}))).toBe('INSTRUMENT_DECLINED')
    await provider.control(`/orders/${id}/approve`, { buyer: 'declined' })
    expect((await call('POST', `${ORDERS}/${id}/capture`, {})).status).toBe(201)
  })

  it('declined@ pays with other funds by another order of the same sale', async () => {
    const id = await approvedOrder({}, 'declined')
    expect(issueOf(await call('POST', `${ORDERS}/${id}/capture`, {}))).toBe('INSTRUMENT_DECLINED')
    const next = await approvedOrder({}, 'declined')
    expect((await call('POST', `${ORDERS}/${next}/capture`, {})).status).toBe(201)
  })

  it('echeck@ leaves the capture pending until it is settled; not so when payment must be immediate', async () => {
    const id = await approvedOrder({}, 'echeck')
    const answer = await call('POST', `${ORDERS}/${id}/capture`, {})
    expect(answer.body.status).toBe('COMPLETED')
    const [capture] = capturesOf(answer.body)
    expect(capture).toMatchObject({ status: 'PENDING', status_details: { reason: 'ECHECK' } })
    expect(issueOf(await call('POST', `${PAYMENTS}/captures/${capture?.id}/refund`, {}))).toBe('PENDING_CAPTURE')
    await provider.control(`/captures/${capture?.id}/settle`, { status: 'COMPLETED' })
    expect((await call('GET', `${PAYMENTS}/captures/${capture?.id}`)).body.status).toBe('COMPLETED')

    const context = { payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED' }
    const immediate = await approvedOrder({ context }, 'echeck')
    expect(capturesOf((await call('POST', `${ORDERS}/${immediate}/capture`, {})).body)).toMatchObject([
      { status: 'COMPLETED' },
    ])
  })

  it('abroad@ ships to Greenland, noaddress@ nowhere, and a digital order carries no address', async () => {
    const shippingOf = async (id: string) =>
      ((await call('GET', `${ORDERS}/${id}`)).body as { purchase_units: { shipping?: object }[] }).purchase_units[0]
        ?.shipping
    expect(await shippingOf(await approvedOrder({}, 'abroad'))).toMatchObject({ address: { country_code: 'GL' } })
    expect(await shippingOf(await approvedOrder({}, 'noaddress'))).toBeUndefined()
    expect(await shippingOf(await approvedOrder({ context: { shipping_preference: 'NO_SHIPPING' } }))).toBeUndefined()
  })
})

describe('failures on request', () => {
  const post = (path: string, body: object = {}) =>
    provider.call('POST', path, body).then(
      (answer) => answer.status,
      (error: unknown) => (error instanceof SyntaxError ? 'not JSON' : 'cut'),
    )

  it.each<[Record<string, unknown>, number | string, number]>([
    [{ status: 503 }, 503, 0],
    [{ status: 429, retry_after: 2 }, 429, 0],
    [{ drop: true }, 'cut', 0],
    [{ issue: 'TRANSACTION_REFUSED' }, 422, 0],
    [{ delay: 100 }, 201, 1],
    [{ answer_late: 100 }, 201, 1],
    [{ done_then_500: true }, 500, 1],
    [{ done_then_drop: true }, 'cut', 1],
    [{ malformed: true }, 'not JSON', 1],
    [{ wrong_type: true }, 'not JSON', 1],
    [{ huge: true }, 200, 1],
  ])('%j at capture gives %s and %i captures, once', async (effect, outcome, captures) => {
    const id = await approvedOrder()
    await provider.control('/fault', { route: 'orders.capture', ...effect })
    expect(await post(`${ORDERS}/${id}/capture`)).toBe(outcome)
    expect((await provider.ledger()).captures).toHaveLength(captures)
    expect(await post(`${ORDERS}/${id}/capture`)).toBe(captures === 0 ? 201 : 422)
  })

  it('says when to come again, in the header', async () => {
    await provider.control('/fault', { route: 'POST /v2/checkout/*', status: 429, retry_after: 2 })
    const answer = await call('POST', ORDERS, anOrder())
    expect([answer.status, answer.headers.get('retry-after'), answer.body.name]).toEqual([
      429,
      '2',
      'RATE_LIMIT_REACHED',
    ])
  })

  it('answers the issue of a mock header, with its status', async () => {
    const mock = (code: string) => ({ 'paypal-mock-response': JSON.stringify({ mock_application_codes: code }) })
    const declined = await call('POST', ORDERS, anOrder(), mock('INSTRUMENT_DECLINED'))
    expect([declined.status, issueOf(declined)]).toEqual([422, 'INSTRUMENT_DECLINED'])
    expect((await call('POST', ORDERS, anOrder(), mock('INTERNAL_SERVER_ERROR'))).status).toBe(500)
    expect((await call('POST', ORDERS, anOrder(), mock('NONSENSE'))).status).toBe(400)
  })

  it('does not take orders from another page', async () => {
    const answer = await provider.call('POST', '/__emulator/reset', {}, { origin: 'http://evil.test' })
    expect(answer.status).toBe(403)
  })

  it('refuses a fault it does not understand', async () => {
    const answer = await provider.call('POST', '/__emulator/fault', { route: 'orders.capture', explode: true })
    expect(answer.status).toBe(400)
  })
})

describe('the log and the ids', () => {
  it('shows every call with its debug id, request id and body', async () => {
    await call('POST', ORDERS, anOrder(), { 'paypal-request-id': 'seen' })
    const log = (await (await fetch(`${provider.url}/__emulator/log`)).json()) as object[]
    expect(log.at(-1)).toMatchObject({
      operation: 'orders.create',
      requestId: 'seen',
      status: 201,
      request: { intent: 'CAPTURE' },
    })
  })

  it('one seed gives the same ids again', async () => {
    const idsOf = async () => {
      const twin = await startEmulator({ seed: 42 })
      const client = await clientOf(twin)
      const { body } = await client.call('POST', ORDERS, anOrder())
      await twin.close()
      return body.id
    }
    expect(await idsOf()).toBe(await idsOf())
  })

  it('listens on loopback only', async () => {
    await expect(startEmulator({ host: '0.0.0.0' })).rejects.toThrow('loopback')
  })
})
