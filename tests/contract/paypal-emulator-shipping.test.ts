import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LocalServer, localServer } from '#tests/support/http/local-server.ts'
import { anOrder } from './fixtures/emulator-client.ts'
import { aProvider } from './fixtures/provider-setup.ts'
import { answerFaults } from './paypal-openapi.ts'

const ORDERS = '/v2/checkout/orders'
const california = { country_code: 'US', admin_area_1: 'CA', admin_area_2: 'San Jose', postal_code: '95131' }

const { provider, call } = aProvider({ seed: 'shipping' })
let shop: LocalServer
let callbackUrl = ''
let asked: Record<string, unknown>[] = []
/** How the shop answers; `silent` never does. */
let reply: { status: number; body: unknown } | 'silent' = { status: 200, body: {} }

beforeAll(async () => {
  shop = await localServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()))
      if (reply === 'silent') return
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text)
    })
  })
  callbackUrl = `${shop.url}/callback/secret`
})
afterAll(async () => {
  await shop?.close()
})
beforeEach(async () => {
  asked = []
})

const option = (id: string, value: string, selected: boolean) => ({
  id,
  label: id,
  type: 'SHIPPING',
  selected,
  amount: { currency_code: 'USD', value },
})

/** 20.00 of hats, 4.50 tax, 1.00 off, and 10.00 or 15.00 for sending. */
async function openOrder(url = callbackUrl): Promise<string> {
  const order = anOrder({
    context: {
      shipping_preference: 'GET_FROM_FILE',
      order_update_callback_config: { callback_url: url, callback_events: ['SHIPPING_ADDRESS', 'SHIPPING_OPTIONS'] },
    },
  })
  const units = order.purchase_units.map((unit) => ({
    ...unit,
    shipping: { options: [option('slow', '10.00', true), option('fast', '15.00', false)] },
  }))
  const answer = await call('POST', ORDERS, { ...order, purchase_units: units })
  return String(answer.body.id)
}

const money = (value: string) => ({ currency_code: 'USD', value })
/** The same order with the fast option: 38.50. */
const faster = (id: string, total = '38.50') => ({
  id,
  purchase_units: [
    {
      reference_id: 'default',
      amount: {
        ...money(total),
        breakdown: {
          item_total: money('20.00'),
          shipping: money('15.00'),
          tax_total: money('4.50'),
          discount: money('1.00'),
        },
      },
      shipping_options: [option('slow', '10.00', false), option('fast', '15.00', true)],
    },
  ],
})

async function unitOf(id: string) {
  const answer = await call('GET', `${ORDERS}/${id}`)
  const [unit] = answer.body.purchase_units as {
    amount: { value: string }
    items: unknown[]
    shipping: { options: { id: string; selected: boolean }[] }
  }[]
  return {
    value: unit?.amount.value,
    items: unit?.items.length,
    selected: unit?.shipping.options.find(({ selected }) => selected)?.id,
  }
}

describe('the provider asks the shop itself', () => {
  it('with the place but not the street, and takes the answer over whole, items kept', async () => {
    const id = await openOrder()
    reply = { status: 200, body: faster(id) }
    const address = { ...california, address_line_1: '12 Garden Street' }
    expect(await provider.control(`/orders/${id}/shipping`, { address, option: 'fast' })).toMatchObject({ ok: true })
    expect(asked).toMatchObject([
      { id, shipping_option: { id: 'fast', amount: money('15.00') }, purchase_units: [{ custom_id: '1042' }] },
    ])
    expect(asked[0]?.shipping_address).toEqual(california)
    expect(await unitOf(id)).toEqual({ value: '38.50', items: 1, selected: 'fast' })
  })

  it.each(['ADDRESS_ERROR', 'COUNTRY_ERROR', 'STATE_ERROR', 'ZIP_ERROR', 'METHOD_UNAVAILABLE', 'STORE_UNAVAILABLE'])(
    'a refusal with %s is passed on and nothing changes',
    async (issue) => {
      const id = await openOrder()
      reply = { status: 422, body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] } }
      const answer = await provider.control(`/orders/${id}/shipping`, { address: california })
      expect(answer).toMatchObject({ ok: false, issue, status: 422 })
      expect((await unitOf(id)).value).toBe('33.50')
    },
  )

  it.each([
    ['a total that is not the sum', (id: string) => ({ status: 200, body: faster(id, '38.51') })],
    ['the figures of another order', () => ({ status: 200, body: faster('5O190127TN364715T') })],
    ['no JSON', () => ({ status: 200, body: '<!doctype html>' })],
    ['a server error', () => ({ status: 500, body: {} })],
    ['two selected options', (id: string) => ({ status: 200, body: twice(faster(id)) })],
  ])('%s counts as no answer', async (_, answerFor) => {
    const id = await openOrder()
    reply = answerFor(id)
    const answer = await provider.control(`/orders/${id}/shipping`, { address: california })
    expect(answer).toMatchObject({ ok: false, issue: 'NO_ANSWER' })
    expect(await unitOf(id)).toEqual({ value: '33.50', items: 1, selected: 'slow' })
  })

  it('silence is given up after five seconds', async () => {
    const id = await openOrder()
    reply = 'silent'
    const startedMs = performance.now()
    const answer = await provider.control(`/orders/${id}/shipping`, { address: california })
    expect(answer).toMatchObject({ ok: false, issue: 'NO_ANSWER', status: 0 })
    expect(performance.now() - startedMs).toBeGreaterThan(4_900)
  })

  it('F39 a question may come after the buyer agreed, and its answer changes nothing', async () => {
    const id = await openOrder()
    await provider.control(`/orders/${id}/approve`)
    reply = { status: 200, body: faster(id) }
    expect(await provider.control(`/orders/${id}/shipping`, { option: 'fast' })).toMatchObject({ issue: 'TOO_LATE' })
    expect((await unitOf(id)).value).toBe('33.50')
  })

  it('F39 a question may name another order, or an option that nobody offered', async () => {
    const id = await openOrder()
    reply = { status: 422, body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'METHOD_UNAVAILABLE' }] } }
    await provider.control(`/orders/${id}/shipping`, { order_id_override: '5O190127TN364715T', option: 'stolen:1' })
    expect(asked).toMatchObject([{ id: '5O190127TN364715T', shipping_option: { id: 'stolen:1' } }])
  })

  it('no other machine is ever asked', async () => {
    const id = await openOrder('https://shop.example/callback')
    const answer = await provider.control(`/orders/${id}/shipping`, { address: california })
    expect(answer).toMatchObject({ ok: false, issue: 'NO_ANSWER', status: 0 })
  })

  it('the question stands in the log with what came back', async () => {
    const id = await openOrder()
    reply = { status: 200, body: faster(id) }
    await provider.control(`/orders/${id}/shipping`, { address: california })
    const log = (await (await fetch(`${provider.url}/__emulator/log`)).json()) as { operation: string }[]
    expect(log.find(({ operation }) => operation === 'shop.shipping-callback')).toMatchObject({
      status: 200,
      path: '/callback/secret',
    })
  })
})

describe('ways of shipping in an order', () => {
  it.each([
    ['none selected', [option('slow', '10.00', false)], 'SHIPPING_OPTION_NOT_SELECTED'],
    [
      'two selected',
      [option('slow', '10.00', true), option('fast', '10.00', true)],
      'MULTIPLE_SHIPPING_OPTION_SELECTED',
    ],
    ['another amount', [option('slow', '11.00', true)], 'PREFERRED_SHIPPING_OPTION_AMOUNT_MISMATCH'],
    ['eleven', Array.from({ length: 11 }, (_, i) => option(`o${i}`, '10.00', i === 0)), 'INVALID_ARRAY_MAX_ITEMS'],
  ])('%s is refused at creation and in a patch', async (_, options, issue) => {
    const order = anOrder({ context: { shipping_preference: 'GET_FROM_FILE' } })
    const units = order.purchase_units.map((unit) => ({ ...unit, shipping: { options } }))
    const made = await provider.call('POST', ORDERS, { ...order, purchase_units: units })
    expect((made.body.details as { issue: string }[])[0]?.issue).toBe(issue)
    const id = await openOrder()
    const path = "/purchase_units/@reference_id=='default'/shipping/options"
    const patched = await provider.call('PATCH', `${ORDERS}/${id}`, [{ op: 'replace', path, value: options }])
    expect((patched.body.details as { issue: string }[])[0]?.issue).toBe(issue)
    expect(answerFaults('PATCH', `${ORDERS}/${id}`, patched.status, patched.body)).toEqual([])
  })
})

function twice(answer: ReturnType<typeof faster>): object {
  return {
    ...answer,
    purchase_units: answer.purchase_units.map((unit) => ({
      ...unit,
      shipping_options: unit.shipping_options.map((one) => ({ ...one, selected: true })),
    })),
  }
}
