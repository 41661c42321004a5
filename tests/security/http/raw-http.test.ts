import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionLimits } from '#server/http/connection-limits.ts'
import { statusesOf, talk } from '#tests/security/support/raw-requests.ts'
import { dice } from '#tests/support/shared/dice.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { nightly, size } from '#tests/support/size.ts'

// M9 below the level of requests: bytes that are no proper HTTP, or that two servers might read differently.

let shop: TestShop
let host: string
let port: number
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  host = new URL(shop.url).host
  port = Number(new URL(shop.url).port)
})
afterAll(() => shop?.close())

const get = (headers = '', path = '/healthz') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`
const post = (headers: string, body: string) =>
  `POST /?wc-ajax=add_to_cart HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n${body}`
/** Stands where only a server that was led astray would take it for a request of its own. */
const hidden = get('', '/hidden-request')
const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('')

async function isWell(): Promise<void> {
  const heard = await talk(port, get('Connection: close\r\n'))
  expect(statusesOf(heard)).toEqual([200])
}

/** Bytes, and how often at most they may be answered. */
const ambiguous: readonly [string, () => string][] = [
  ['a length beside chunks', () => post('Content-Length: 6\r\nTransfer-Encoding: chunked', `0\r\n\r\n${hidden}`)],
  [
    'chunks beside a length',
    () => post(`Transfer-Encoding: chunked\r\nContent-Length: ${hidden.length}`, `0\r\n\r\n${hidden}`),
  ],
  ['two lengths', () => post(`Content-Length: 0\r\nContent-Length: ${hidden.length}`, hidden)],
  ['a list of lengths', () => post(`Content-Length: 0, ${hidden.length}`, hidden)],
  ['a length with a sign', () => post('Content-Length: +0', hidden)],
  ['a length in hexadecimal', () => post('Content-Length: 0x0', hidden)],
  ['a length beyond counting', () => post('Content-Length: 18446744073709551616', hidden)],
  ['a space before the colon', () => post('Content-Length : 0', hidden)],
  ['a space before the colon of the coding', () => post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`)],
  ['a folded header', () => post('Content-Length: 0\r\nX: a\r\n b', hidden)],
  ['a folded coding', () => post('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${hidden}`)],
  ['a coding of another name', () => post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`)],
  ['chunked not as the last coding', () => post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${hidden}`)],
  ['a coding in quotes', () => post('Transfer-Encoding: "chunked"', `0\r\n\r\n${hidden}`)],
  ['a vertical tab in the coding', () => post('Transfer-Encoding: \x0bchunked', `0\r\n\r\n${hidden}`)],
  [
    'a header that begins with a space',
    () => `POST / HTTP/1.1\r\n Host: ${host}\r\nContent-Length: 0\r\n\r\n${hidden}`,
  ],
  ['line ends without CR in the chunks', () => post('Transfer-Encoding: chunked', `0\n\n${hidden}`)],
  ['a chunk of negative size', () => post('Transfer-Encoding: chunked', `-1\r\n\r\n${hidden}`)],
  ['a chunk size beyond counting', () => post('Transfer-Encoding: chunked', `10000000000000000\r\n${hidden}`)],
  ['a chunk that is longer than it says', () => post('Transfer-Encoding: chunked', `1\r\nabc\r\n0\r\n\r\n${hidden}`)],
]

const malformed: readonly [string, () => string, readonly number[]][] = [
  ['HTTP/0.9', () => 'GET /\r\n\r\n', [400]],
  ['HTTP/2 in clear', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505]],
  ['HTTP/1.0 without a host, as balancers ask', () => 'GET /healthz HTTP/1.0\r\n\r\n', [200]],
  ['HTTP/1.1 without a host', () => 'GET /healthz HTTP/1.1\r\n\r\n', [400]],
  ['no version', () => `GET /healthz\r\nHost: ${host}\r\n\r\n`, [200, 400]],
  [
    'a host that looks like an address',
    () => `GET /healthz HTTP/1.1\r\nHost: 127.0d0.1:1\r\nConnection: close\r\n\r\n`,
    [400],
  ],
  [
    'a host with a port beyond all',
    () => `GET /cart/ HTTP/1.1\r\nHost: shop.example:99999\r\nConnection: close\r\n\r\n`,
    [400],
  ],
  ['a tab for a space', () => `GET\t/healthz\tHTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400]],
  ['a method of 10 KB', () => `${'A'.repeat(10_000)} / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400]],
  ['a NUL in a name', () => get('X\0Y: 1\r\n'), [400]],
  ['a NUL in a value', () => get('X: a\0b\r\n'), [400]],
  ['a name that is empty', () => get(': 1\r\n'), [400]],
  ['a name with brackets', () => get('X[a]: 1\r\n'), [400]],
  ['a header without a colon', () => get('nothing\r\n'), [400]],
  ['two hosts', () => get('Host: evil.example\r\nConnection: close\r\n'), [400]],
  ['one host twice', () => get(`hOST: ${host}\r\nConnection: close\r\n`), [400]],
  ['two hosts for a page that is kept', () => get('Host: evil.example\r\nConnection: close\r\n', '/'), [400]],
  ['headers of 40 KB', () => get(`X: ${'x'.repeat(40_000)}\r\n`), [431]],
  ['an address of 40 KB', () => get('', `/${'x'.repeat(40_000)}`), [431, 414]],
  ['101 headers', () => get(many(101)), [431]],
  ['2000 headers', () => get(many(2000)), [431]],
  ['CONNECT', () => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400, 404, 405]],
  ['TRACE', () => `TRACE / HTTP/1.1\r\nHost: ${host}\r\nX-Secret: a\r\nConnection: close\r\n\r\n`, [400, 404, 405]],
  [
    'an upgrade to HTTP/2',
    () => get('Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
    [200, 400, 426],
  ],
  [
    'a whole address of another host',
    () => `GET http://evil.example/cart/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    [200, 400, 404],
  ],
  [
    'a whole address of another kind',
    () => `GET file:///etc/passwd HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    [400, 404],
  ],
  [
    'an address that is no path',
    () => `GET healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    [400, 404],
  ],
  ['an expectation of something else', () => get('Expect: 200-maybe\r\nConnection: close\r\n'), [200, 400, 417]],
  [
    'a body of 300 KB in chunks',
    () =>
      post(
        'Connection: close\r\nTransfer-Encoding: chunked',
        `${`${'8000\r\n'}${'a'.repeat(0x8000)}\r\n`.repeat(10)}0\r\n\r\n`,
      ),
    [413],
  ],
  ['a body that says it has 300 KB', () => post('Connection: close\r\nContent-Length: 300000', 'a=1'), [413]],
]

describe('M9 T33 raw bytes', () => {
  it.each(ambiguous)('%s: nothing hidden behind it is answered, and the connection ends', async (_, bytes) => {
    const heard = await talk(port, bytes())
    expect(statusesOf(heard).length, heard.text.slice(0, 400)).toBeLessThanOrEqual(1)
    expect(statusesOf(heard)[0] ?? 400, heard.text.slice(0, 400)).toBeLessThan(500)
    expect(heard.hungUp).toBe(true)
    await isWell()
  })

  it.each(malformed)(
    '%s: a clear answer or none, the connection ends, the next one is served',
    async (_, bytes, statuses) => {
      const heard = await talk(port, bytes())
      for (const status of statusesOf(heard)) expect(statuses, heard.text.slice(0, 400)).toContain(status)
      expect(statusesOf(heard).length).toBeLessThanOrEqual(1)
      expect(heard.text).not.toMatch(/\bat (?:file:|\/)|node_modules|X-Secret|root:/)
      expect(heard.hungUp).toBe(true)
      await isWell()
    },
  )

  it('answers twenty requests of one breath in their order', async () => {
    const breath = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? get() : get('', '/not-here'))).join('')
    const heard = await talk(port, breath + get('Connection: close\r\n'))
    expect(statusesOf(heard)).toEqual([...Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 200 : 404)), 200])
  })

  it('survives noise, and a proper request of which a few bytes are others', async () => {
    const roll = dice(20)
    const proper = [
      get('Connection: close\r\n'),
      post('Connection: close\r\nContent-Length: 12', 'product_id=1'),
      post('Connection: close\r\nTransfer-Encoding: chunked', 'c\r\nproduct_id=1\r\n0\r\n\r\n'),
    ]
    for (let round = 0; round < size(40, 400); round += 1) {
      const bytes = await Promise.all(
        Array.from({ length: 10 }, () => {
          const some = Buffer.from(proper[roll(proper.length)] ?? '', 'latin1')
          for (let change = 0; change < 1 + roll(4); change += 1) some[roll(some.length)] = roll(256)
          return talk(port, some, 150).then((heard) => ({ heard, sent: some.toString('latin1') }))
        }),
      )
      for (const { heard, sent } of bytes) {
        for (const status of statusesOf(heard))
          expect(status === 501 || status < 500, JSON.stringify([sent, heard.text.slice(0, 300)])).toBe(true)
      }
    }
    await isWell()
  }, 120_000)
})

describe('T33 a slow sender', () => {
  it('of headers is cut off after five seconds', async () => {
    const heard = await talk(port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX: `, 25_000)
    expect([heard.hungUp, statusesOf(heard)]).toEqual([true, [408]])
    expect(heard.tookMs).toBeGreaterThan(connectionLimits.headersTimeout - 500)
    // Without being looked at each second, it could have stayed for half a minute more.
    expect(heard.tookMs).toBeLessThan(20_000)
    await isWell()
  }, 40_000)

  it.runIf(nightly)(
    'of a body is cut off after thirty seconds',
    async () => {
      const heard = await talk(port, post('Content-Length: 100', 'product_id='), 60_000)
      expect([heard.hungUp, statusesOf(heard)]).toEqual([true, [408]])
      expect(heard.tookMs).toBeGreaterThan(connectionLimits.requestTimeout - 500)
      await isWell()
    },
    90_000,
  )

  it('is looked for often enough', () => {
    const { headersTimeout, requestTimeout, connectionsCheckingInterval } = connectionLimits
    expect([headersTimeout, requestTimeout]).toEqual([5_000, 30_000])
    expect(connectionsCheckingInterval).toBeLessThanOrEqual(headersTimeout / 5)
  })
})
