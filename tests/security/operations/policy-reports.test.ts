import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#contract/shared/environment.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const lines: { facts: Record<string, unknown>; message: string }[] = []
const warn: Log['warn'] = (facts, message) => lines.push({ facts, message })

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, environment: { log: { info: () => {}, warn, error: warn } } })
})
afterAll(() => shop?.close())
beforeEach(() => {
  lines.length = 0
})

const send = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${shop.url}/api/policy-report`, {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report', 'sec-fetch-site': 'same-origin', ...headers },
    body,
  })
const report = (facts: Record<string, unknown>) =>
  JSON.stringify({
    'csp-report': {
      'document-uri': `${shop.url}/checkout/`,
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://evil.example/x.js?of=ada@example.test',
      ...facts,
    },
  })
const counted = async () => {
  const text = await (await fetch(`${shop.url}/metrics`, { headers: monitorHeaders })).text()
  return Number(/vitrine_policy_breaches_total\{directive="script-src-elem",script="yes"\} (\d+)/.exec(text)?.[1] ?? 0)
}
const told = () => lines.filter(({ message }) => message === 'content security policy violation')

describe('a report of a page that was tampered with', () => {
  it('P14 T28 T38 is counted, and told with what was kept out and where, without the visitor', async () => {
    const before = await counted()
    const path = '/checkout/order-received/4711/?key=wc_order_secret&email=ada@example.test'
    expect((await send(report({ 'document-uri': shop.url + path }))).status).toBe(204)
    expect(await counted()).toBe(before + 1)
    expect(told().map(({ facts }) => facts)).toEqual([
      {
        directive: 'script-src-elem',
        blocked: 'https://evil.example',
        page: '/checkout/order-received/*/',
        unsaid: 0,
        // As every line: by which request.
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ])
    await send(report({ 'blocked-uri': 'inline' }))
    expect(told().at(-1)?.facts).toMatchObject({ blocked: 'inline', page: '/checkout/' })
  })

  it('T35 that is none, is of another site or is too long is refused, and counted nowhere', async () => {
    const before = await counted()
    const answers = await Promise.all([
      send(''),
      send('{'),
      send('[]'),
      send('{"csp-report":"x"}'),
      send('{"csp-report":{"__proto__":{}}}'),
      send(report({ 'document-uri': 'https://elsewhere.example/checkout/' })),
      send(report({ 'effective-directive': 'no-such-src' })),
      send(report({ 'document-uri': 'x'.repeat(5000) })),
      send(report({ more: 'x'.repeat(9000) })),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 413])
    expect((await send(report({}), { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })).status).toBe(
      403,
    )
    expect(await counted()).toBe(before)
    expect(told()).toEqual([])
  })

  it('T35 that comes by the thousand is a few lines in the log', async () => {
    for (let round = 0; round < 4; round += 1) await Promise.all(Array.from({ length: 25 }, () => send(report({}))))
    // Thirty in a minute, and the minute may have turned.
    expect(told().length).toBeGreaterThan(0)
    expect(told().length).toBeLessThanOrEqual(60)
  })
})
