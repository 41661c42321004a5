import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type ToldSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
}

let collector: Server
let shop: TestShop
const told: string[] = []
const log: { msg: string; traceId?: string; spanId?: string }[] = []
const spans = (): ToldSpan[] =>
  told.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as ToldSpan[])
const ofTrace = (traceId: string) => spans().filter((span) => span.traceId === traceId)
const collectorUrl = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const patience = { timeout: 30_000, interval: 50 }

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      told.push(body)
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => collector.once('listening', resolve))
  shop = await aShop({
    traces: { otlpEndpoint: collectorUrl(), trustedProxies: 1 },
    environment: { log: pino({ level: 'info' }, { write: (line) => void log.push(JSON.parse(line)) }) },
  })
})
afterAll(async () => {
  await shop?.close()
  collector?.close()
})

describe('a purchase in traces', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'
  const canaries = ['canary-shopper', 'Lovelace', 'Main Street', '4085550100', 'San Jose']

  it('goes on with the trace of a proxy of ours, through the call to the provider, to the job that writes the message', async () => {
    const shopper = new Shopper(shop, 'canary-shopper')
    const follow = shopper.request.bind(shopper)
    shopper.request = (path, init = {}) => {
      const headers = new Headers(init.headers)
      headers.set('traceparent', `00-${traceId}-${parent}-01`)
      return follow(path, { ...init, headers })
    }
    const { walletOrderId } = await shopper.startToPay('MUG', 1)
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    await vi.waitFor(() => expect(ofTrace(traceId).map(({ name }) => name)).toContain('job order-mail'), patience)

    const found = ofTrace(traceId)
    const requests = found.filter(({ kind }) => kind === 2)
    const names = requests.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['POST wc-ajax add_to_cart', 'POST wc-ajax checkout']))
    expect(requests.every(({ parentSpanId }) => parentSpanId === parent)).toBe(true)
    const ids = new Set(requests.map(({ spanId }) => spanId))
    const outgoing = found.filter(({ kind }) => kind === 3)
    expect(outgoing.length).toBeGreaterThan(0)
    const jobs = found.filter(({ kind }) => kind === 5)
    for (const { parentSpanId = '' } of [...outgoing, ...jobs]) expect(ids).toContain(parentSpanId)
  })

  it('M18 T38 tells nothing of the person, and no address but by its pattern', () => {
    const all = told.join('\n')
    expect(canaries.filter((canary) => all.includes(canary))).toEqual([])
    const keys = new Set(spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    const allowed = ['http.request.method', 'http.response.status_code', 'http.route', 'server.address']
    expect([...keys].filter((key) => !allowed.includes(key))).toEqual([])
    const routes = spans().flatMap(({ attributes }) =>
      attributes.flatMap(({ key, value }) => (key === 'http.route' ? [value.stringValue ?? ''] : [])),
    )
    expect(routes.length).toBeGreaterThan(0)
    expect(routes.filter((route) => /[?=&]|\/\d+/.test(route))).toEqual([])
  })

  it('has its number in the lines of the log, and the number that the visitor is told where it begins here', async () => {
    await shop.db.sql`alter table products rename to products_gone`
    const answers = await Promise.all([
      fetch(`${shop.url}/shop/?min_price=7`, { headers: { traceparent: 'nonsense' } }),
      fetch(`${shop.url}/shop/?min_price=8`, { headers: { traceparent: `00-${'a'.repeat(32)}-${parent}-00` } }),
    ])
    await shop.db.sql`alter table products_gone rename to products`
    const [mine = '', other = ''] = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
    const line = (spanId: string) => log.find((one) => one.spanId === spanId && one.msg === 'request failed')
    expect(line(mine)).toMatchObject({ traceId: mine.padStart(32, '0') })
    expect(line(other)).toMatchObject({ traceId: 'a'.repeat(32) })
    await vi.waitFor(() => expect(ofTrace(mine.padStart(32, '0'))).toHaveLength(1), patience)
    // Whoever began it wants nobody to be told.
    expect(ofTrace('a'.repeat(32))).toEqual([])
  })
})

describe('a shop without a proxy', () => {
  it("takes nobody's word for a trace, and gives none away", async () => {
    const alone = await aShop({ traces: { otlpEndpoint: collectorUrl() }, wallet: false })
    try {
      const traceparent = `00-${'b'.repeat(32)}-00f067aa0ba902b7-01`
      const answer = await fetch(`${alone.url}/cart/`, { headers: { traceparent } })
      const own = (answer.headers.get('x-request-id') ?? '').padStart(32, '0')
      expect(answer.headers.get('traceparent')).toBeNull()
      await vi.waitFor(() => expect(ofTrace(own).map(({ name }) => name)).toEqual(['GET /cart/']), patience)
      expect(ofTrace('b'.repeat(32))).toEqual([])
    } finally {
      await alone.close()
    }
  })
})
