import { describe, expect, it } from 'vitest'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProvider, issueOf } from './fixtures/provider-setup.ts'
import { answerFaults } from './paypal-openapi.ts'

const ORDERS = '/v2/checkout/orders'
const SETUP = '/v3/vault/setup-tokens'
const TOKENS = '/v3/vault/payment-tokens'
const AGREEMENTS = '/v1/billing-agreements'

const { provider, sink, renew, call: anyCall, validCall } = aProvider({ seed: 'vault', withSink: true })
/** No published file describes the bodies of agreements. */
const call: typeof validCall = (method, path, ...given) =>
  (path.startsWith(AGREEMENTS) ? anyCall : validCall)(method, path, ...given)

type Answer = Awaited<ReturnType<typeof call>>
const customerOf = ({ body }: Answer) => String((body.customer as { id: string }).id)
const relations = ({ body }: Answer) => (body.links as { rel: string }[]).map(({ rel }) => rel)

const walletSetup = (more: object = {}) => ({
  payment_source: {
    paypal: {
      usage_type: 'MERCHANT',
      customer_type: 'CONSUMER',
      permit_multiple_payment_tokens: false,
      experience_context: {
        brand_name: 'Hats',
        return_url: 'http://127.0.0.1/back',
        cancel_url: 'http://127.0.0.1/away',
        ...more,
      },
    },
  },
})
const keep = (id: unknown, type = 'SETUP_TOKEN') => ({ payment_source: { token: { id, type } } })

async function keptWallet(buyer = 'buyer'): Promise<Answer> {
  const { body } = await call('POST', SETUP, walletSetup())
  await provider.control(`/setup-tokens/${body.id}/approve`, { buyer })
  return call('POST', TOKENS, keep(body.id))
}

async function savedCard(card: object = {}): Promise<Answer> {
  const { body } = await call('POST', SETUP, { payment_source: { card: {} } })
  await provider.control(`/setup-tokens/${body.id}/card`, card)
  return call('POST', TOKENS, keep(body.id))
}

describe('a wallet that is kept without a purchase', () => {
  it('goes from the buyer’s page to a payment token', async () => {
    const setup = await call('POST', SETUP, walletSetup())
    expect([setup.status, setup.body.status, relations(setup)]).toEqual([
      201,
      'PAYER_ACTION_REQUIRED',
      ['approve', 'self', 'confirm'],
    ])
    expect((setup.body.links as { href: string }[])[0]?.href).toBe(
      `${provider.url}/agreements/approve?approval_session_id=${setup.body.id}`,
    )
    const early = await call('POST', TOKENS, keep(setup.body.id))
    expect([early.status, issueOf(early)]).toEqual([422, 'SETUP_TOKEN_NOT_APPROVED'])

    await provider.control(`/setup-tokens/${setup.body.id}/approve`)
    expect((await call('GET', `${SETUP}/${setup.body.id}`)).body.status).toBe('APPROVED')
    const kept = await call('POST', TOKENS, keep(setup.body.id))
    expect([kept.status, relations(kept)]).toEqual([201, ['self', 'delete']])
    expect(kept.body.payment_source).toMatchObject({
      paypal: {
        email_address: 'buyer@emulator.test',
        name: { full_name: 'Ada Example' },
        shipping: { address: { postal_code: '95131' } },
      },
    })
    expect(customerOf(kept)).toBe(customerOf(setup))
    expect((await call('GET', `${SETUP}/${setup.body.id}`)).body.status).toBe('VAULTED')
    expect((await call('GET', `${TOKENS}/${kept.body.id}`)).body).toEqual(kept.body)
  })

  it('is kept as soon as the buyer agrees where that was asked for', async () => {
    const setup = await call('POST', SETUP, walletSetup({ vault_instruction: 'ON_PAYER_APPROVAL' }))
    await provider.control(`/setup-tokens/${setup.body.id}/approve`)
    expect((await call('GET', `${SETUP}/${setup.body.id}`)).body.status).toBe('VAULTED')
    const { payment_tokens } = (await provider.ledger()) as unknown as { payment_tokens: { id: string }[] }
    expect((await call('POST', TOKENS, keep(setup.body.id))).body.id).toBe(payment_tokens[0]?.id)
  })

  it('one buyer of one customer has one token, whatever is asked twice', async () => {
    const first = await keptWallet()
    const body = { ...walletSetup(), customer: { id: customerOf(first) } }
    const setup = await call('POST', SETUP, body)
    await provider.control(`/setup-tokens/${setup.body.id}/approve`)
    expect((await call('POST', TOKENS, keep(setup.body.id))).body.id).toBe(first.body.id)
  })

  it('a repeated request id gives the same token with 200, for three hours', async () => {
    const headers = { 'paypal-request-id': 'same' }
    const first = await call('POST', SETUP, walletSetup(), headers)
    const again = await call('POST', SETUP, walletSetup(), headers)
    expect([again.status, again.body.id]).toEqual([200, first.body.id])
    await provider.control('/clock', { advance_ms: 3 * 3_600_000 + 1_000 })
    expect((await call('POST', SETUP, walletSetup(), headers)).status).toBe(201)
  })

  it('a setup token is gone after three days', async () => {
    const { body } = await call('POST', SETUP, walletSetup())
    await provider.control('/clock', { advance_ms: 3 * 86_400_000 + 1_000 })
    await renew()
    expect((await call('GET', `${SETUP}/${body.id}`)).status).toBe(404)
  })

  it('needs an address to come back to', async () => {
    const answer = await call('POST', SETUP, { payment_source: { paypal: { usage_type: 'MERCHANT' } } })
    expect([answer.status, issueOf(answer)]).toEqual([400, 'MISSING_REQUIRED_PARAMETER'])
  })
})

describe('a card that is kept without a purchase', () => {
  it('comes from the script’s fields and shows brand, end and expiry only', async () => {
    const kept = await savedCard({ number: '5555555555554444', name: 'Ada Example' })
    expect(kept.status).toBe(201)
    expect(kept.body.payment_source).toEqual({
      card: { brand: 'MASTERCARD', last_digits: '4444', expiry: '2040-01', name: 'Ada Example' },
    })
    expect(kept.text).not.toContain('5555555555554444')
  })

  it.each([
    ['succeeded', 201, undefined],
    ['failed', 422, 'PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED'],
  ])('asks its bank first where that was wanted: %s gives %i', async (end, status, issue) => {
    const card = { verification_method: 'SCA_WHEN_REQUIRED' }
    const { body } = await call('POST', SETUP, { payment_source: { card } })
    const confirmed = await provider.control(`/setup-tokens/${body.id}/card`, { number: '4000000000001109' })
    expect(confirmed.status).toBe('PAYER_ACTION_REQUIRED')
    expect(((await call('GET', `${SETUP}/${body.id}`)).body.links as { href: string }[])[0]?.href).toBe(
      `${provider.url}/threedsecure?token=${body.id}`,
    )
    await provider.control(`/authentication/${body.id}`, { end })
    const kept = await call('POST', TOKENS, keep(body.id))
    expect([kept.status, issueOf(kept)]).toEqual([status, issue])
  })

  it('a card of accelerated checkout is kept by its token, which is used up by that', async () => {
    const { id } = await provider.control('/single-use-tokens', {})
    expect((await call('POST', TOKENS, keep(id, 'NONCE'))).status).toBe(201)
    expect((await call('POST', TOKENS, keep(id, 'NONCE'))).status).toBe(422)
  })
})

describe('what a customer keeps', () => {
  it('is listed page by page', async () => {
    const customer = { id: 'customer_1' }
    for (const number of ['4111111111111111', '5555555555554444', '6011111111111117']) {
      const { body } = await call('POST', SETUP, { payment_source: { card: {} }, customer })
      await provider.control(`/setup-tokens/${body.id}/card`, { number })
      await call('POST', TOKENS, keep(body.id))
    }
    const page = (number: number) =>
      call('GET', `${TOKENS}?customer_id=customer_1&page_size=2&page=${number}&total_required=true`)
    const first = await page(1)
    expect(first.body).toMatchObject({ customer, total_items: 3, total_pages: 2 })
    expect(relations(first)).toEqual(['self', 'first', 'last', 'next'])
    const digits = ({ body }: Answer) =>
      (body.payment_tokens as { payment_source: { card: { last_digits: string } } }[]).map(
        ({ payment_source }) => payment_source.card.last_digits,
      )
    expect([digits(first), digits(await page(2))]).toEqual([['1111', '4444'], ['1117']])
    expect((await call('GET', `${TOKENS}?customer_id=nobody_here`)).body.payment_tokens).toEqual([])
    expect((await call('GET', TOKENS)).status).toBe(400)
  })

  it('is deleted once, without an error when it is gone, and pays no more', async () => {
    const kept = await savedCard()
    expect((await call('DELETE', `${TOKENS}/${kept.body.id}`)).status).toBe(204)
    expect((await call('DELETE', `${TOKENS}/${kept.body.id}`)).status).toBe(204)
    expect((await call('GET', `${TOKENS}/${kept.body.id}`)).status).toBe(404)
    const order = { ...anOrder(), payment_source: { card: { vault_id: kept.body.id } } }
    const used = await call('POST', ORDERS, order)
    expect([used.status, issueOf(used)]).toEqual([404, 'INVALID_RESOURCE_ID'])
  })

  it('the shop hears of tokens that come and go', async () => {
    const kept = await savedCard()
    await call('DELETE', `${TOKENS}/${kept.body.id}`)
    await provider.control('/webhooks/flush')
    // In any order: each is sent by itself, as the provider's are.
    await expect
      .poll(() => sink.received.map(({ type }) => type).toSorted())
      .toEqual(['VAULT.PAYMENT-TOKEN.CREATED', 'VAULT.PAYMENT-TOKEN.DELETED'])
  })
})

describe('paying with what is kept', () => {
  it.each(['paypal', 'card'] as const)('a kept %s pays in one call', async (kind) => {
    const kept = kind === 'paypal' ? await keptWallet() : await savedCard()
    const order = { ...anOrder(), payment_source: { [kind]: { vault_id: kept.body.id } } }
    const paid = await call('POST', ORDERS, order)
    expect([paid.status, paid.body.status]).toEqual([201, 'COMPLETED'])
    expect((await provider.ledger()).captures).toMatchObject([{ status: 'COMPLETED', amount: { value: '33.50' } }])
  })

  it('F7 whose answer was lost pays once, however often the call is made again', async () => {
    const kept = await savedCard()
    const order = { ...anOrder(), payment_source: { card: { vault_id: kept.body.id } } }
    const again = { 'paypal-request-id': 'lost' }
    await provider.control('/fault', { route: 'orders.create', done_then_drop: true })
    await expect(provider.call('POST', ORDERS, order, again)).rejects.toThrow()
    const repeated = await call('POST', ORDERS, order, again)
    expect([repeated.status, repeated.body.status]).toEqual([200, 'COMPLETED'])
    expect((await provider.ledger()).captures).toHaveLength(1)
  })

  it('needs a request id, and the right kind of source', async () => {
    const kept = await keptWallet()
    const body = (kind: string) => ({ ...anOrder(), payment_source: { [kind]: { vault_id: kept.body.id } } })
    const without = await provider.call('POST', ORDERS, body('paypal'))
    expect([without.status, issueOf(without)]).toEqual([400, 'PAYPAL_REQUEST_ID_REQUIRED'])
    expect(issueOf(await call('POST', ORDERS, body('card')))).toBe('MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE')
  })

  it('F12 a kept wallet may be declined', async () => {
    const kept = await keptWallet('declined')
    const order = { ...anOrder(), payment_source: { paypal: { vault_id: kept.body.id } } }
    const refused = await call('POST', ORDERS, order)
    expect([refused.status, issueOf(refused)]).toEqual([422, 'INSTRUMENT_DECLINED'])
    expect((await provider.ledger()).orders).toEqual([])
  })

  it('pays an order that is collected with it', async () => {
    const kept = await savedCard()
    const { payment_source, ...plain } = anOrder()
    const { body } = await call('POST', ORDERS, plain)
    const source = { payment_source: { card: { vault_id: kept.body.id } } }
    expect((await call('POST', `${ORDERS}/${body.id}/capture`, source)).body.status).toBe('COMPLETED')
    expect(payment_source).toBeDefined()
  })
})

describe('keeping while paying', () => {
  const vault = { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' }
  type Kept = { vault?: { id?: string; status: string; customer: { id: string } } }
  const keptOf = ({ body }: Answer, kind: string) =>
    (body.payment_source as Record<string, { attributes?: Kept }>)[kind]?.attributes?.vault

  async function paidBy(buyer: string, kind: 'paypal' | 'venmo' = 'paypal') {
    const source = { experience_context: { brand_name: 'Hats' }, attributes: { vault } }
    const { body } = await call('POST', ORDERS, { ...anOrder(), payment_source: { [kind]: source } })
    await provider.control(`/orders/${body.id}/approve`, { buyer })
    return call('POST', `${ORDERS}/${body.id}/capture`, {})
  }

  it.each(['paypal', 'venmo'] as const)('a %s wallet is kept once it has paid', async (kind) => {
    const kept = keptOf(await paidBy('buyer', kind), kind)
    expect(kept).toMatchObject({ status: 'VAULTED', id: expect.any(String), customer: { id: expect.any(String) } })
    const paid = await call('POST', ORDERS, { ...anOrder(), payment_source: { [kind]: { vault_id: kept?.id } } })
    expect(paid.body.status).toBe('COMPLETED')
  })

  it('a card is kept once it has paid, and not when it was declined', async () => {
    const attributes = { vault: { store_in_vault: 'ON_SUCCESS' }, customer: { id: 'customer_7' } }
    const pay = async (name: string) => {
      const { body } = await call('POST', ORDERS, { ...anOrder(), payment_source: { card: { attributes } } })
      await provider.control(`/orders/${body.id}/card`, { name })
      return call('POST', `${ORDERS}/${body.id}/capture`, {})
    }
    expect(keptOf(await pay('Ada Example'), 'card')).toMatchObject({
      status: 'VAULTED',
      customer: { id: 'customer_7' },
    })
    expect(keptOf(await pay('CCREJECT-IF'), 'card')).toBeUndefined()
  })

  it('of a token that comes later the answer says APPROVED, and only the notification has its id', async () => {
    const kept = keptOf(await paidBy('kept-later'), 'paypal')
    expect(kept).toEqual({ status: 'APPROVED', customer: { id: expect.any(String) } })
    await provider.control('/webhooks/flush')
    await expect.poll(() => sink.received.map(({ type }) => type)).toContain('VAULT.PAYMENT-TOKEN.CREATED')
    const event = sink.received.find(({ type }) => type === 'VAULT.PAYMENT-TOKEN.CREATED')
    const { resource } = JSON.parse(event?.rawBody ?? '{}') as { resource: { id: string; customer: { id: string } } }
    expect(answerFaults('GET', `${TOKENS}/${resource.id}`, 200, resource)).toEqual([])
    expect(resource.customer.id).toBe(kept?.customer.id)
    const paid = await call('POST', ORDERS, { ...anOrder(), payment_source: { paypal: { vault_id: resource.id } } })
    expect(paid.body.status).toBe('COMPLETED')
  })
})

describe('agreements from before there was a vault', () => {
  const request = {
    description: 'Hats',
    payer: { payment_method: 'PAYPAL' },
    plan: {
      type: 'MERCHANT_INITIATED_BILLING',
      merchant_preferences: { return_url: 'http://127.0.0.1/back', cancel_url: 'http://127.0.0.1/away' },
    },
  }

  it('go from token over approval to an agreement that pays until it is cancelled', async () => {
    const made = await call('POST', `${AGREEMENTS}/agreement-tokens`, request)
    const id = String(made.body.token_id)
    expect(relations(made)).toEqual(['approval_url', 'self'])
    expect(issueOf(await call('POST', `${AGREEMENTS}/agreements`, { token_id: id }))).toBe('AGREEMENT_NOT_APPROVED')
    await provider.control(`/agreement-tokens/${id}/approve`)
    expect((await call('GET', `${AGREEMENTS}/agreement-tokens/${id}`)).body).toMatchObject({
      payer: { payer_info: { email: 'buyer@emulator.test', first_name: 'Ada' } },
      shipping_address: { line1: '12 Garden Street', city: 'San Jose', state: 'CA' },
    })
    const agreement = await call('POST', `${AGREEMENTS}/agreements`, { token_id: id })
    expect([agreement.status, agreement.body.state]).toEqual([201, 'ACTIVE'])

    const source = { token: { id: agreement.body.id, type: 'BILLING_AGREEMENT' } }
    const order = { ...anOrder(), payment_source: source }
    expect((await call('POST', ORDERS, order)).body.status).toBe('COMPLETED')
    const { payment_source, ...plain } = order
    const { body } = await call('POST', ORDERS, plain)
    const collected = await call('POST', `${ORDERS}/${body.id}/capture`, { payment_source })
    expect(collected.body.status).toBe('COMPLETED')
    expect((await call('POST', TOKENS, keep(agreement.body.id, 'BILLING_AGREEMENT'))).status).toBe(201)

    await call('POST', `${AGREEMENTS}/agreements/${agreement.body.id}/cancel`, {})
    expect(issueOf(await call('POST', ORDERS, order))).toBe('AGREEMENT_ALREADY_CANCELLED')
  })
})

describe('tokens for the browser', () => {
  const ask = async (form: [string, string][]) => {
    const response = await fetch(`${provider.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('sb:emulator-secret')}` },
      body: new URLSearchParams([['grant_type', 'client_credentials'], ...form]),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  it('a client token names its domains and opens none of the server’s calls', async () => {
    const whole: [string, string][] = [
      ['response_type', 'client_token'],
      ['intent', 'sdk_init'],
      ['domains[]', 'shop.example'],
    ]
    const token = await ask(whole)
    expect(token.status).toBe(200)
    const headers = { authorization: `Bearer ${token.body.access_token}` }
    expect((await provider.call('GET', `${ORDERS}/X`, undefined, headers)).status).toBe(401)
    expect((await ask(whole.slice(0, 2))).status).toBe(400)
    expect((await ask([whole[0] ?? ['', ''], whole[2] ?? ['', '']])).status).toBe(400)
    expect((await ask([...whole.slice(0, 2), ['domains[]', 'https://shop.example']])).status).toBe(400)
  })

  it('an id token carries the customer it was asked for', async () => {
    const { status, body } = await ask([
      ['response_type', 'id_token'],
      ['target_customer_id', 'customer_1'],
    ])
    expect(status).toBe(200)
    const claims = JSON.parse(Buffer.from(body.id_token?.split('.')[1] ?? '', 'base64url').toString('utf8'))
    expect(claims.options.customer_id).toBe('customer_1')
  })
})

describe('eligible methods', () => {
  const PATH = '/v2/payments/find-eligible-methods'
  const methods = async (body: object) => {
    const answer = await provider.call('POST', PATH, body)
    expect(answerFaults('POST', PATH, answer.status, answer.body), answer.text).toEqual([])
    return Object.keys((answer.body.eligible_methods ?? {}) as object)
  }
  it('follow country, currency and purpose, and the switches of the control API', async () => {
    const dollars = [{ amount: { currency_code: 'USD', value: '10.00' } }]
    const euros = [{ amount: { currency_code: 'EUR', value: '10.00' } }]
    expect(await methods({ customer: { country_code: 'US' }, purchase_units: dollars })).toEqual([
      'paypal',
      'paypal_pay_later',
      'venmo',
      'advanced_cards',
      'card',
    ])
    expect(await methods({ customer: { country_code: 'AT' }, purchase_units: euros })).toEqual([
      'paypal',
      'advanced_cards',
      'card',
    ])
    await provider.control('/eligibility', { card: false })
    const preferences = { payment_flow: 'VAULT_WITH_PAYMENT' }
    expect(await methods({ customer: { country_code: 'US' }, purchase_units: dollars, preferences })).toEqual([
      'paypal',
      'venmo',
    ])
  })
})
