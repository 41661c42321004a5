import { describe, expect, it } from 'vitest'
import { failure, fakeEnvironment, json, type Step, silence, token } from '#tests/support/payments/fake-environment.ts'
import { createPayPal } from './client.ts'

const config = { apiBase: 'http://pay.test', clientId: 'id', clientSecret: 'canary-secret', webhookId: 'WH-1' }
const approved = { id: '5O190127TN364715T', status: 'APPROVED', links: [] }
const capturedOrder = (status = 'COMPLETED') => ({
  id: '5O190127TN364715T',
  status: 'COMPLETED',
  purchase_units: [
    { payments: { captures: [{ id: '3C67', status, amount: { currency_code: 'USD', value: '33.50' } }] } },
  ],
})
const refusal = (issue: string) => ({ name: 'UNPROCESSABLE_ENTITY', debug_id: 'dbg', details: [{ issue }] })

function aClient(steps: Step[]) {
  const fake = fakeEnvironment([token, ...steps])
  const paypal = createPayPal({ environment: fake.environment, config })
  const requestIds = () => fake.calls.slice(1).map(({ init }) => new Headers(init.headers).get('paypal-request-id'))
  return {
    fake,
    paypal,
    requestIds,
    capture: () => fake.run(paypal.captureOrder('5O190127TN364715T', { requestId: 'order-7-capture-1' })),
  }
}

describe('the provider client', () => {
  it('sends the token, the request id and asks for the whole answer', async () => {
    const { capture, fake } = aClient([json(201, capturedOrder())])
    expect(await capture()).toMatchObject({ ok: true, value: { status: 'COMPLETED' } })
    const [asked, captured] = fake.calls
    expect(asked?.url).toBe('http://pay.test/v1/oauth2/token')
    expect(captured?.url).toBe('http://pay.test/v2/checkout/orders/5O190127TN364715T/capture')
    expect(Object.fromEntries(new Headers(captured?.init.headers))).toMatchObject({
      authorization: 'Bearer A21AA-secret-token',
      'paypal-request-id': 'order-7-capture-1',
      prefer: 'return=representation',
    })
  })

  it('takes an id out of a request as one path segment', async () => {
    const { paypal, fake } = aClient([
      json(404, { name: 'RESOURCE_NOT_FOUND', details: [{ issue: 'INVALID_RESOURCE_ID' }] }),
    ])
    const answer = await fake.run(paypal.getOrder('../../v1/x?y'))
    expect(answer).toMatchObject({ kind: 'refused', issue: 'INVALID_RESOURCE_ID', status: 404 })
    expect(fake.calls[1]?.url).toBe('http://pay.test/v2/checkout/orders/..%2F..%2Fv1%2Fx%3Fy')
  })

  it('answers null to a patch that was carried out', async () => {
    const { paypal, fake } = aClient([json(204, null)])
    expect(await fake.run(paypal.patchOrder('A1', []))).toEqual({ ok: true, value: null })
  })

  it('logs debug ids, and neither token nor secret (P12)', async () => {
    const { capture, fake } = aClient([json(422, refusal('INSTRUMENT_DECLINED'), { 'paypal-debug-id': 'dbg-77' })])
    await capture()
    const log = fake.logged.join('\n')
    expect(log).toContain('dbg-77')
    expect(log).not.toMatch(/A21AA|canary/)
  })
})

describe('faults of the provider', () => {
  it('F6 at S11 reports a refused connection as never sent, within three seconds', async () => {
    const { capture, fake } = aClient([failure('ECONNREFUSED'), failure('ECONNREFUSED'), failure('ECONNREFUSED')])
    expect(await capture()).toEqual({ ok: false, kind: 'unreachable', reason: 'ECONNREFUSED' })
    expect(fake.elapsed()).toBeLessThanOrEqual(3000)
  })

  it('F6 at S6 reports a token that could not be fetched as never sent', async () => {
    const fake = fakeEnvironment([failure('ENOTFOUND'), failure('ENOTFOUND'), failure('ENOTFOUND')])
    const paypal = createPayPal({ environment: fake.environment, config })
    expect(await fake.run(paypal.getOrder('A1'))).toMatchObject({ kind: 'unreachable' })
  })

  it('F7 at S11 gives up after ten seconds with an unknown outcome', async () => {
    const { capture, fake } = aClient([silence])
    expect(await capture()).toMatchObject({ ok: false, kind: 'unknown' })
    expect(fake.elapsed()).toBe(10_000)
  })

  it('F7 at S11 keeps the outcome unknown when only later tries are certain not to have arrived', async () => {
    const { capture } = aClient([failure('ECONNRESET'), failure('ECONNREFUSED'), failure('ECONNREFUSED')])
    expect(await capture()).toEqual({ ok: false, kind: 'unknown', reason: 'ECONNRESET' })
  })

  it('F8 at S11 repeats a 503 with the same request id and takes the answer', async () => {
    const { capture, requestIds } = aClient([json(503, {}), json(500, {}), json(201, capturedOrder())])
    expect(await capture()).toMatchObject({ ok: true })
    expect(requestIds()).toEqual(['order-7-capture-1', 'order-7-capture-1', 'order-7-capture-1'])
  })

  it('F8 at S11 tries three times, then says that the outcome is unknown', async () => {
    const { capture, fake } = aClient([json(503, {}), json(503, {}), json(503, {})])
    expect(await capture()).toEqual({ ok: false, kind: 'unknown', reason: 'HTTP_503' })
    expect(fake.calls).toHaveLength(4)
    expect(fake.elapsed()).toBeLessThanOrEqual(10_000)
  })

  it('F9 at S6 waits as long as Retry-After says', async () => {
    const { fake, capture } = aClient([json(429, {}, { 'retry-after': '4' }), json(201, capturedOrder())])
    expect(await capture()).toMatchObject({ ok: true })
    expect((fake.calls[2]?.at ?? 0) - (fake.calls[1]?.at ?? 0)).toBe(4000)
  })

  it('F9 at S6 does not hold the shopper for a longer pause than a call may take', async () => {
    const { fake, capture } = aClient([json(429, { name: 'RATE_LIMIT_REACHED' }, { 'retry-after': '60' })])
    expect(await capture()).toMatchObject({ kind: 'refused', issue: 'RATE_LIMIT_REACHED', retryAfterMs: 60_000 })
    expect(fake.elapsed()).toBe(0)
  })

  it('F10 refreshes an expired token once for all callers and repeats each call once', async () => {
    const fresh = json(200, { access_token: 'second', expires_in: 3600 })
    const expired = json(401, { error: 'invalid_token' })
    const { paypal, fake } = aClient([expired, expired, fresh, json(200, approved), json(200, approved)])
    const both = await fake.run(Promise.all([paypal.getOrder('A1'), paypal.getOrder('A2')]))
    expect(both.every(({ ok }) => ok)).toBe(true)
    expect(fake.calls.filter(({ url }) => url.endsWith('/token'))).toHaveLength(2)
  })

  it('F10 does not go round in circles with a token that is refused again', async () => {
    const { capture, fake } = aClient([json(401, {}), token, json(401, { name: 'AUTHENTICATION_FAILURE' })])
    expect(await capture()).toMatchObject({ kind: 'refused', issue: 'AUTHENTICATION_FAILURE', status: 401 })
    expect(fake.calls).toHaveLength(4)
  })

  it('renews a token before it ends', async () => {
    const { paypal, fake } = aClient([json(200, approved), token, json(200, approved)])
    await fake.run(paypal.getOrder('A1'))
    fake.advance(32_400_000 - 30_000)
    await fake.run(paypal.getOrder('A1'))
    expect(fake.calls.filter(({ url }) => url.endsWith('/token'))).toHaveLength(2)
  })

  it('asks for one token for pages, apart from its own, and again before that ends', async () => {
    const page = json(200, { access_token: 'page', expires_in: 900 })
    const { paypal, fake } = aClient([json(200, approved), page, page])
    await fake.run(paypal.getOrder('A1'))
    const ask = () => fake.run(paypal.browserToken({ domains: ['shop.test'] }))
    const both = await fake.run(Promise.all([ask(), ask()]))
    expect(both).toEqual([both[0], both[0]])
    expect(both[0]).toMatchObject({ ok: true, value: { token: 'page' } })
    fake.advance(810_000)
    expect(await ask()).toMatchObject({ ok: true })
    const bodies = fake.calls.filter(({ url }) => url.endsWith('/token')).map(({ init }) => init.body)
    const forPage = 'grant_type=client_credentials&response_type=client_token&intent=sdk_init&domains%5B%5D=shop.test'
    expect(bodies).toEqual(['grant_type=client_credentials', forPage, forPage])
  })

  it('tells a refused token for pages from one that could not be fetched', async () => {
    const fake = fakeEnvironment([json(403, { error: 'NOT_AUTHORIZED' }), json(503, {}), failure('ENOTFOUND')])
    const paypal = createPayPal({ environment: fake.environment, config })
    const ask = () => fake.run(paypal.browserToken({ domains: ['shop.test'] }))
    expect(await ask()).toMatchObject({ kind: 'refused', issue: 'NOT_AUTHORIZED', status: 403 })
    expect(await ask()).toMatchObject({ kind: 'unreachable', reason: 'token endpoint answered 503' })
    expect(await ask()).toMatchObject({ kind: 'unreachable', reason: 'ENOTFOUND' })
  })

  it('says at once that credentials are wrong', async () => {
    const fake = fakeEnvironment([json(401, { error: 'invalid_client' })])
    const paypal = createPayPal({ environment: fake.environment, config })
    expect(await fake.run(paypal.getOrder('A1'))).toMatchObject({
      kind: 'refused',
      issue: 'invalid_client',
      status: 401,
    })
  })

  it.each<[string, Step]>([
    ['a cut body', () => new Response('{"id":"5O19', { status: 201, headers: { 'content-type': 'application/json' } })],
    ['a page instead of JSON', () => new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } })],
    [
      'an answer of 10 MB',
      () => new Response(endless(10), { status: 200, headers: { 'content-type': 'application/json' } }),
    ],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://evil.test' } })],
    ['a connection reset', failure('ECONNRESET')],
  ])('F11 at S11 treats %s as an unknown outcome', async (_, step) => {
    const { capture } = aClient([step, step, step])
    expect(await capture()).toMatchObject({ ok: false, kind: 'unknown' })
  })

  it('F11 at S11 stops waiting for an answer that drips', async () => {
    const drip = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('{'))
        return new Promise(() => {})
      },
    })
    const { capture, fake } = aClient([
      () => new Response(drip, { status: 200, headers: { 'content-type': 'application/json' } }),
    ])
    expect(await capture()).toMatchObject({ kind: 'unknown' })
    expect(fake.elapsed()).toBe(10_000)
  })

  it('F11 at S11 does not take an answer of another shape for a capture', async () => {
    const { capture } = aClient([json(201, { id: '5O190127TN364715T', status: 'PAID' })])
    expect(await capture()).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('status') })
  })

  it.each(['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'ORDER_ALREADY_CAPTURED', 'ORDER_NOT_APPROVED'])(
    'F12 at S11 hands on %s at the first answer',
    async (issue) => {
      const { capture, fake } = aClient([json(422, refusal(issue))])
      expect(await capture()).toMatchObject({ kind: 'refused', issue, status: 422, debugId: 'dbg' })
      expect(fake.calls).toHaveLength(2)
    },
  )

  it('F12 at S11 waits while an equal call is at work', async () => {
    const busy = json(409, { name: 'RESOURCE_CONFLICT', details: [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }] })
    expect(await aClient([busy, json(201, capturedOrder())]).capture()).toMatchObject({ ok: true })
    expect(await aClient([busy, busy, busy]).capture()).toMatchObject({ kind: 'unknown' })
  })

  it('F13 at S11 shows a capture that is under review as PENDING, whatever the order says', async () => {
    const answer = await aClient([json(201, capturedOrder('PENDING'))]).capture()
    expect(answer.ok && answer.value.purchase_units?.[0]?.payments?.captures?.[0]?.status).toBe('PENDING')
  })

  it('stops calling after five failures and lets one probe through after fifteen seconds', async () => {
    const down = json(503, {})
    const { capture, fake, paypal } = aClient([down, down, down, down, down])
    await capture()
    await capture()
    const sent = fake.calls.length
    expect(await capture()).toMatchObject({ kind: 'unreachable' })
    expect(fake.calls).toHaveLength(sent)

    fake.advance(15_000)
    fake.steps.push(json(200, approved), json(200, approved))
    const probes = await fake.run(Promise.all([paypal.getOrder('A1'), paypal.getOrder('A2')]))
    expect(probes.map((probe) => (probe.ok ? 'ok' : probe.kind))).toEqual(['ok', 'unreachable'])
    expect(await fake.run(paypal.getOrder('A3'))).toMatchObject({ ok: true })
  })
})

describe('asking the provider about a signature', () => {
  const headers = new Headers({
    'paypal-transmission-id': 't1',
    'paypal-transmission-time': '2026-01-01T00:00:00Z',
    'paypal-transmission-sig': 'c2ln',
    'paypal-cert-url': 'http://pay.test/v1/notifications/certs/1',
    'paypal-auth-algo': 'SHA256withRSA',
  })
  const raw = '{"id":"WH-9", "amount":1.0,"empty":{},"text":"\\u00e9"}'

  it('sends the event byte for byte', async () => {
    const { paypal, fake } = aClient([json(200, { verification_status: 'SUCCESS' })])
    const answer = await fake.run(paypal.verifyWebhookSignature(headers, new TextEncoder().encode(raw)))
    expect(answer).toEqual({ ok: true, value: true })
    const body = String(fake.calls[1]?.init.body)
    expect(body.endsWith(`,"webhook_event":${raw}}`)).toBe(true)
    expect(JSON.parse(body)).toMatchObject({ webhook_id: 'WH-1', transmission_id: 't1' })
  })

  it('does not ask about bytes that are no JSON value, or without a header', async () => {
    const { paypal, fake } = aClient([])
    const injected = new TextEncoder().encode('{},"webhook_id":"WH-2"')
    expect(await paypal.verifyWebhookSignature(headers, injected)).toEqual({ ok: true, value: false })
    expect(await paypal.verifyWebhookSignature(new Headers(), new TextEncoder().encode(raw))).toEqual({
      ok: true,
      value: false,
    })
    expect(fake.calls).toHaveLength(0)
  })
})

function endless(megabytes: number): ReadableStream<Uint8Array> {
  let left = megabytes
  return new ReadableStream({
    pull(controller) {
      if (left === 0) controller.close()
      else controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
      left -= 1
    },
  })
}
