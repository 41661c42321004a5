/**
 * Makes the shop's calls at two providers and says what differs: status, issue, and the shape of what comes back. Ids,
 * times and addresses differ between any two, so of texts only the kind counts; of words in capitals, the word.
 */

export type Provider = {
  /** Without a slash at the end. */
  readonly apiBase: string
  readonly sdkUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

export type Difference = { readonly step: string; readonly one: string; readonly other: string }

type Answer = { status: number; body: unknown }
type Step = {
  readonly name: string
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `{order}` stands for the id that the step named `order` was given. */
  readonly path: string
  readonly body?: unknown
  readonly requestId?: string
  /** Keeps the id of the answer under this name. */
  readonly keeps?: string
}

const usd = (value: string) => ({ currency_code: 'USD', value })
const experience = {
  brand_name: 'Contract',
  locale: 'en-US',
  shipping_preference: 'NO_SHIPPING',
  user_action: 'PAY_NOW',
  return_url: 'https://example.com/return',
  cancel_url: 'https://example.com/cancel',
}
const unit = (run: string, amount: object = usd('19.77')) => ({
  reference_id: 'default',
  custom_id: `contract-${run}`,
  invoice_id: `CONTRACT-${run}`,
  description: 'Contract test',
  amount: {
    ...amount,
    breakdown: { item_total: usd('12.00'), shipping: usd('6.90'), tax_total: usd('0.87') },
  },
  items: [{ name: 'Mug', sku: 'MUG', quantity: '1', unit_amount: usd('12.00'), category: 'PHYSICAL_GOODS' }],
})

/** @param run told in every id of ours, so that two runs do not meet */
function steps(run: string): readonly Step[] {
  const orders = '/v2/checkout/orders'
  const wallet = { paypal: { experience_context: experience } }
  const create = (name: string, body: object, requestId = `${run}-${name}`): Step => ({
    name,
    method: 'POST',
    path: orders,
    body,
    requestId,
    keeps: name,
  })
  const whole = { intent: 'CAPTURE', purchase_units: [unit(`${run}-1`)], payment_source: wallet }
  return [
    create('order', whole),
    { ...create('the same request again', whole, `${run}-order`), keeps: 'again' },
    { name: 'read an order', path: `${orders}/{order}` },
    {
      name: 'change an order',
      method: 'PATCH',
      path: `${orders}/{order}`,
      body: [{ op: 'replace', path: "/purchase_units/@reference_id=='default'", value: unit(`${run}-1b`) }],
    },
    {
      name: 'capture what nobody approved',
      method: 'POST',
      path: `${orders}/{order}/capture`,
      body: {},
      requestId: `${run}-c`,
    },
    {
      name: 'authorise what is to be captured',
      method: 'POST',
      path: `${orders}/{order}/authorize`,
      body: {},
      requestId: `${run}-a`,
    },
    create('parts that do not add up', { ...whole, purchase_units: [unit(`${run}-2`, usd('19.78'))] }),
    create('an amount of nothing', {
      intent: 'CAPTURE',
      purchase_units: [{ amount: usd('0.00') }],
      payment_source: wallet,
    }),
    create('yen with decimals', {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'JPY', value: '1.50' } }],
      payment_source: wallet,
    }),
    create('a currency of nobody', {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'XXX', value: '1.00' } }],
      payment_source: wallet,
    }),
    create('no unit', { intent: 'CAPTURE', purchase_units: [] }),
    create('held order', { ...whole, intent: 'AUTHORIZE', purchase_units: [unit(`${run}-3`)] }),
    create('order for a card', {
      intent: 'CAPTURE',
      purchase_units: [unit(`${run}-4`)],
      payment_source: { card: { attributes: { verification: { method: 'SCA_WHEN_REQUIRED' } } } },
    }),
    create('a kept card of nobody', {
      intent: 'CAPTURE',
      purchase_units: [unit(`${run}-5`)],
      payment_source: { card: { vault_id: 'nosuchtoken00' } },
    }),
    { name: 'an order of nobody', path: `${orders}/0AA00000AA000000A` },
    { name: 'a capture of nobody', path: '/v2/payments/captures/0AA00000AA000000A' },
    {
      name: 'refund a capture of nobody',
      method: 'POST',
      path: '/v2/payments/captures/0AA00000AA000000A/refund',
      body: {},
      requestId: `${run}-r`,
    },
    { name: 'an authorisation of nobody', path: '/v2/payments/authorizations/0AA00000AA000000A' },
    {
      name: 'void an authorisation of nobody',
      method: 'POST',
      path: '/v2/payments/authorizations/0AA00000AA000000A/void',
      body: {},
      requestId: `${run}-v`,
    },
    {
      name: 'begin to keep a wallet',
      method: 'POST',
      path: '/v3/vault/setup-tokens',
      requestId: `${run}-sw`,
      keeps: 'wallet',
      body: {
        payment_source: {
          paypal: {
            usage_type: 'MERCHANT',
            customer_type: 'CONSUMER',
            permit_multiple_payment_tokens: false,
            experience_context: { ...experience, user_action: undefined, vault_instruction: 'ON_PAYER_APPROVAL' },
          },
        },
      },
    },
    { name: 'read what is being kept', path: '/v3/vault/setup-tokens/{wallet}' },
    {
      name: 'begin to keep a card',
      method: 'POST',
      path: '/v3/vault/setup-tokens',
      requestId: `${run}-sc`,
      body: { payment_source: { card: { verification_method: 'SCA_WHEN_REQUIRED' } } },
    },
    {
      name: 'keep what nobody approved',
      method: 'POST',
      path: '/v3/vault/payment-tokens',
      requestId: `${run}-pt`,
      body: { payment_source: { token: { id: '{wallet}', type: 'SETUP_TOKEN' } } },
    },
    { name: 'kept by nobody', path: '/v3/vault/payment-tokens?customer_id=nobodyatall1' },
    { name: 'a kept means of nobody', path: '/v3/vault/payment-tokens/nosuchtoken00' },
    { name: 'where notifications go', path: '/v1/notifications/webhooks' },
    {
      name: 'a signature of nobody',
      method: 'POST',
      path: '/v1/notifications/verify-webhook-signature',
      body: {
        auth_algo: 'SHA256withRSA',
        cert_url: 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-7a8abba8',
        transmission_id: '69cd13f0-d67a-11e5-baa3-778b53f4ae55',
        transmission_sig: 'bm90aGluZw==',
        transmission_time: '2026-02-18T20:01:35Z',
        webhook_id: '1JE4291016473214C',
        webhook_event: { id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: {} },
      },
    },
  ]
}

const scripts: readonly [string, Record<string, string>][] = [
  ['the script', { currency: 'USD' }],
  ['the script for a locale that is none', { currency: 'USD', locale: 'en_001' }],
  ['the script for a currency that is none', { currency: 'XXX' }],
  ['the script with an unknown parameter', { currency: 'USD', _: '1' }],
  ['the script with an intent in capitals', { currency: 'USD', intent: 'CAPTURE' }],
]

/** @throws Error when one of the two does not take the credentials */
export async function compareProviders(one: Provider, other: Provider, run: string): Promise<Difference[]> {
  const [ones, others] = await Promise.all([one, other].map((provider) => answersOf(provider, run)))
  const names = [...new Set([...(ones?.keys() ?? []), ...(others?.keys() ?? [])])]
  return names.flatMap((step) => {
    const [left, right] = [ones?.get(step), others?.get(step)]
    return differences(step, left ?? { status: 0, body: null }, right ?? { status: 0, body: null })
  })
}

async function answersOf(provider: Provider, run: string): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  const token = await accessToken(provider)
  const kept = new Map<string, string>()
  const filled = (text: string) => text.replace(/\{(\w[\w ]*)\}/g, (_, name: string) => kept.get(name) ?? 'missing')
  for (const { name, method = 'GET', path, body, requestId, keeps } of steps(run)) {
    const response = await fetch(provider.apiBase + filled(path), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
        ...(requestId ? { 'paypal-request-id': requestId } : {}),
      },
      ...(body === undefined ? {} : { body: filled(JSON.stringify(body)) }),
    })
    const text = await response.text()
    const answer: Answer = { status: response.status, body: parsed(text) }
    answers.set(name, answer)
    const { id } = (answer.body ?? {}) as { id?: unknown }
    if (keeps && typeof id === 'string') kept.set(keeps, id)
  }
  for (const [name, query] of scripts) {
    const response = await fetch(
      `${provider.sdkUrl}?${new URLSearchParams({ 'client-id': provider.clientId, ...query })}`,
    )
    const said = /SDK Validation error: '([^']+)'/.exec(await response.text())?.[1] ?? null
    answers.set(name, { status: response.status, body: said === null ? null : { said } })
  }
  return answers
}

async function accessToken({ apiBase, clientId, clientSecret }: Provider): Promise<string> {
  const response = await fetch(`${apiBase}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (!token) throw new Error(`${apiBase} does not take the credentials: it answers ${response.status}`)
  return token
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text === '' ? null : 'a text'
  }
}

function differences(step: string, one: Answer, other: Answer): Difference[] {
  if (one.status !== other.status) {
    const told = ({ status, body }: Answer) => `${status} ${issuesIn(body).join(', ')}`.trim()
    return [{ step, one: told(one), other: told(other) }]
  }
  const [left, right] = [shapeOf(one.body), shapeOf(other.body)]
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((path) => left.get(path) !== right.get(path))
    .map((path) => ({
      step,
      one: `${path}: ${left.get(path) ?? 'nothing'}`,
      other: `${path}: ${right.get(path) ?? 'nothing'}`,
    }))
}

function issuesIn(body: unknown): string[] {
  const { details = [], name } = (body ?? {}) as { details?: { issue?: string }[]; name?: string }
  return [name ?? '', ...details.map(({ issue = '' }) => issue)].filter((word) => word !== '')
}

/** Path → what stands there: a word in capitals as it is, of everything else the kind. Of a list every kind of member. */
function shapeOf(value: unknown, path = '', shape = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) {
    for (const member of value) shapeOf(member, `${path}[]`, shape)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) shapeOf(inner, path ? `${path}.${key}` : key, shape)
  } else if (typeof value === 'string' && /^[A-Z]{2,}(_[A-Z0-9]+)*$/.test(value)) {
    const before = shape.get(path)
    shape.set(
      path,
      before && before !== value ? [...new Set([...before.split(' | '), value])].toSorted().join(' | ') : value,
    )
  } else {
    shape.set(path, value === null ? 'null' : typeof value)
  }
  return shape
}
