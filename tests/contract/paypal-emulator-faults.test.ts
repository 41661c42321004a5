import { describe, expect, it } from 'vitest'
import { MISHAPS } from '../../emulator/control/mishaps.ts'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProvider } from './fixtures/provider-setup.ts'

const ORDERS = '/v2/checkout/orders'

const { provider, sink } = aProvider({ seed: 'faults', withSink: true })

async function approved(): Promise<string> {
  const order = anOrder({
    context: {
      shipping_preference: 'GET_FROM_FILE',
      order_update_callback_config: { callback_url: sink.url, callback_events: ['SHIPPING_ADDRESS'] },
    },
  })
  const { body } = await provider.call('POST', ORDERS, order)
  await provider.control(`/orders/${body.id}/approve`)
  return String(body.id)
}

/** Presses a button of the control page; the address it leads to. */
async function press(path: string, fields: Record<string, string> = {}): Promise<string | null> {
  const response = await fetch(`${provider.url}/__emulator${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: provider.url },
    body: new URLSearchParams(fields),
  })
  return response.headers.get('location')
}

const wishes = MISHAPS.flatMap(({ id, wishes }) => wishes.map((wish) => [id, wish.text, wish] as const))
/** A call, or that its connection was cut. */
const tried = (path: string, body: unknown) => provider.call('POST', path, body).catch(() => 'cut' as const)

describe('the list of what can go wrong', () => {
  it('names every fault of the provider that a shop has to survive', () => {
    expect(MISHAPS.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12', 'F13', 'F17', 'F39', 'F40']),
    )
  })

  it.each(wishes)('%s "%s" is one press away', async (_, __, { path, fields }) => {
    const id = await approved()
    await provider.call('POST', `${ORDERS}/${id}/capture`, {})
    expect(await press(path, fields)).toBe('/__emulator/')
  })

  it('each button stands on the page, with the fault it is for', async () => {
    const page = await (await fetch(`${provider.url}/__emulator/`)).text()
    for (const { id, wishes } of MISHAPS) {
      expect(page).toContain(`<small>${id}</small>`)
      for (const { text } of wishes) expect(page).toContain(`<button>${text}</button>`)
    }
  })

  it('what cannot be done yet is said on the page', async () => {
    const location = await press('/orders/latest/second')
    expect(location).toBe('/__emulator/?problem=there%20is%20no%20such%20order%20yet')
    expect(await (await fetch(provider.url + location)).text()).toContain('there is no such order yet')
    const hostile = await (await fetch(`${provider.url}/__emulator/?problem=<script>alert(1)</script>`)).text()
    expect(hostile).not.toContain('<script>alert')
  })
})

describe('faults that last', () => {
  it('F8 an outage of a minute ends by the clock, however often it is met', async () => {
    await provider.control('/fault', { route: '/v*', status: 503, seconds: 60 })
    for (let call = 0; call < 5; call++) expect((await provider.call('POST', ORDERS, anOrder())).status).toBe(503)
    await provider.control('/clock', { advance_ms: 61_000 })
    expect((await provider.call('POST', ORDERS, anOrder())).status).toBe(201)
  })

  it('F6 the connection is cut three times, and then no more', async () => {
    await provider.control('/fault', { route: '/v*', drop: true, times: 3 })
    const answers = []
    for (let call = 0; call < 4; call++) answers.push(await tried(ORDERS, anOrder()))
    expect(answers.map((answer) => (typeof answer === 'string' ? answer : answer.status))).toEqual([
      'cut',
      'cut',
      'cut',
      201,
    ])
    expect((await provider.ledger()).orders).toHaveLength(1)
  })

  it('F7 a route may name several calls, and the first of them meets the fault', async () => {
    const id = await approved()
    await provider.control('/fault', { route: 'orders.authorize, orders.capture', done_then_drop: true })
    expect(await tried(`${ORDERS}/${id}/capture`, {})).toBe('cut')
    expect((await provider.ledger()).captures).toHaveLength(1)
  })

  it.each([0, -1, 90_000, 'soon'])('seconds: %s is refused', async (seconds) => {
    expect(await provider.control('/fault', { route: '*', drop: true, seconds })).toHaveProperty('error')
  })
})

describe('faults of the token', () => {
  const ask = () =>
    fetch(`${provider.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('sb:emulator-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })

  it('F9 says when to come again', async () => {
    await provider.control('/fault', { route: 'oauth.token', status: 429, retry_after: 2 })
    const answer = await ask()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2'])
  })

  it('F11 half of the JSON, or a page', async () => {
    await provider.control('/fault', { route: 'oauth.token', malformed: true })
    const half = await (await ask()).text()
    expect(() => JSON.parse(half)).toThrow()
    await provider.control('/fault', { route: 'oauth.token', wrong_type: true })
    expect((await ask()).headers.get('content-type')).toBe('text/html')
    expect((await ask()).status).toBe(200)
  })
})
