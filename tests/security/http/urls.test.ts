import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aGuest } from '#tests/security/support/guest.ts'
import { everythingStored } from '#tests/security/support/state.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let host: string
let port: number
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  const url = new URL(shop.url)
  host = url.host
  port = Number(url.port)
})
afterAll(() => shop.close())

/** What the server says to these very bytes, until it falls silent or hangs up. @param quietMs how long to wait for a word */
function raw(bytes: string | Uint8Array, quietMs = 600): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(quietMs, end)
    socket.on('data', (part) => {
      text += part.toString('latin1')
      socket.setTimeout(50)
    })
    socket.on('end', end)
    socket.on('error', end)
    socket.write(bytes)
  })
}

const alive = async () => expect((await fetch(`${shop.url}/healthz`)).status).toBe(200)
const get = (target: string) =>
  raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`, 3000)
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)

const paths: [string, number[]][] = [
  ['/%00', [400]],
  ['/product/%00/', [400]],
  ['/product/plain-mug%00/', [400]],
  ['/%zz', [400]],
  ['/product/%zz/', [400]],
  ['/product-category/%zz/', [400]],
  ['/product-category/%ff%fe/', [400]],
  ['/product-tag/%c0%ae/', [400]],
  ['/../../../../etc/passwd', [404]],
  ['/%2e%2e/%2e%2e/etc/passwd', [404]],
  ['/..%2f..%2f..%2fetc%2fpasswd', [404]],
  ['/assets/../../package.json', [404]],
  ['/assets/..%2f..%2fpackage.json', [404]],
  ['/assets/%2e%2e%2fserver%2fmain.js', [404]],
  ['/assets/....//....//package.json', [404]],
  ['/assets/.vite', [404]],
  ['/assets/', [404]],
  ['/media/..%2f..%2fpostgres%2fPG_VERSION', [404]],
  ['/media/%2e%2e/secret', [404]],
  ['/media/0123456789abcdef-100.avif', [404]],
  ['/media/aaaaaaaaaaaaaaaa-99999.avif', [404]],
  ['/.env', [404]],
  ['/.git/config', [404]],
  ['/package.json', [404]],
  ['/wp-login.php', [404]],
  ['/wp-json/', [200]],
  ['/product/__proto__/', [404]],
  ['/product/constructor/', [404]],
  [`/product/${'a'.repeat(3000)}/`, [404]],
  [`/${'a/'.repeat(3000)}`, [404]],
  [`/${'a'.repeat(8300)}`, [414]],
  [`/shop/?x=${'a'.repeat(8300)}`, [414]],
  ['/shop/page/0/', [200, 404]],
  ['/shop/page/99999999999999999999/', [200, 404]],
  ['/shop/page/-1/', [404]],
  ['/product-category/', [404]],
  ['/product-category//////', [404]],
  [`/product-category/${'kitchen/'.repeat(500)}`, [404]],
  ['//evil.example/', [400]],
  ['/checkout/order-received/', [404]],
  ['/checkout/wallet-start/', [404]],
  ['/shop/%E2%80%AE/', [404]],
]

const odd = [
  '',
  '0',
  '-1',
  '1e309',
  'NaN',
  '1.5',
  '99999999999999999999',
  '%27%20or%201=1--',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '%zz',
  '%ff',
  '__proto__',
  'constructor',
  'price%00',
  'price;drop%20table%20orders',
  '%F0%9F%98%80',
  '%5B%5D',
  'a%'.repeat(500),
]
const parameters = [
  'orderby',
  'paged',
  's',
  'wc-ajax',
  'add-to-cart',
  'attribute_pa_colour',
  'remove_coupon',
  'remove_item',
  'key',
  'token',
  '_ppcp_order_review',
  'post_type',
]

describe('M9 an address', () => {
  it.each(paths)('%s is answered for what it is', async (path, statuses) => {
    const answer = await get(path)
    expect(statuses, answer.slice(0, 200)).toContain(statusOf(answer))
    expect(answer).not.toMatch(/root:|"dependencies"|node_modules|at file:/)
    await alive()
  })

  it.each([
    '/',
    '/shop/',
    '/product/plain-mug/',
    '/product/linen-shirt/',
    '/product-category/kitchen/',
    '/cart/',
    '/checkout/',
    '/checkout/order-received/1/',
    '/checkout/wallet-return/',
    '/checkout/wallet-cancel/',
  ])(
    'T16 %s with odd parameters is never a fault of ours and runs nothing',
    async (path) => {
      const before = await everythingStored(shop.db)
      for (const name of parameters) {
        for (const value of odd) {
          const response = await fetch(`${shop.url}${path}?${name}=${value}`, {
            redirect: 'manual',
            headers: { accept: 'text/html' },
          })
          const text = await response.text()
          expect(response.status, `${name}=${value}`).toBeLessThan(500)
          expect(text, `${name}=${value}`).not.toContain('<script>alert')
        }
      }
      const after = await everythingStored(shop.db)
      // A link that adds what is not there leaves a notice, and so a session; nothing else.
      expect({ ...after, sessions: '' }).toEqual({ ...before, sessions: '' })
    },
    60_000,
  )

  it('T33 with hundreds of parameters is read as far as it makes sense', async () => {
    const many = Array.from({ length: 700 }, (_, index) => `a${index}=1`).join('&')
    for (const path of ['/shop/', '/product/plain-mug/']) {
      expect((await fetch(`${shop.url}${path}?${many}`)).status).toBeLessThan(500)
    }
  })

  it('I10 does not become what others are shown', async () => {
    const hostile = `${shop.url}/shop/?orderby=price&x="><script>alert(1)</script>`
    await fetch(hostile)
    const plain = await (await fetch(`${shop.url}/shop/?orderby=price`)).text()
    expect(plain).not.toContain('alert(1)')
    // A name in the Host header is the sender's word.
    await raw(`GET /shop/?orderby=date HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
    expect(await (await fetch(`${shop.url}/shop/?orderby=date`)).text()).not.toContain('evil.example')
  })
})

describe('M9 bytes that are no proper request', () => {
  const post = (headers: string, body: string) =>
    `POST /?wc-ajax=add_to_cart HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n${body}`
  const broken: [string, () => string | Uint8Array, number[]][] = [
    ['noise', () => new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0xff, 0x00]), [400]],
    ['no method', () => ' / HTTP/1.1\r\n\r\n', [400]],
    ['an unknown method', () => `BREW / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400]],
    ['another protocol', () => `GET / HTTP/9.9\r\nHost: ${host}\r\n\r\n`, [400, 505]],
    ['no host', () => 'GET / HTTP/1.1\r\n\r\n', [400]],
    ['an empty host', () => 'GET /cart/ HTTP/1.1\r\nHost: \r\n\r\n', [200, 400]],
    ['a host that is none', () => 'GET /cart/ HTTP/1.1\r\nHost: a b<c>@[::\r\n\r\n', [400]],
    ['a host with a path', () => 'GET /cart/ HTTP/1.1\r\nHost: 127.0.0.1/../x\r\n\r\n', [400]],
    ['an address with a NUL', () => `GET /\0 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400]],
    ['an address with a space', () => `GET /a b HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400]],
    ['an address with a backslash', () => `GET /\\evil.example HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400, 404]],
    ['a whole address', () => `GET http://evil.example/cart/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [200, 400]],
    ['an asterisk', () => `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [200, 400, 404]],
    ['CONNECT', () => `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [0, 400, 404]],
    ['TRACE', () => `TRACE / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [400, 404, 405]],
    [
      'an upgrade',
      () => `GET /cart/ HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      [0, 200, 400, 426],
    ],
    ['headers of 20 KB', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, [431]],
    ['two lengths', () => post('Content-Length: 3\r\nContent-Length: 5', 'a=1'), [400]],
    [
      'length and chunks',
      () => post('Content-Length: 3\r\nTransfer-Encoding: chunked', '0\r\n\r\nGET / HTTP/1.1\r\n\r\n'),
      [400],
    ],
    ['a negative length', () => post('Content-Length: -1', ''), [400]],
    ['a length that is no number', () => post('Content-Length: 1e3', ''), [400]],
    ['a chunk that is none', () => post('Transfer-Encoding: chunked', 'zz\r\n'), [400]],
    ['an unknown coding', () => post('Transfer-Encoding: gzip', ''), [400, 501]],
    [
      'chunks without end',
      () => post('Transfer-Encoding: chunked', `${'8000\r\n'}${'a'.repeat(0x8000)}\r\n`.repeat(12)),
      [0, 400, 413],
    ],
    ['a length far too large', () => post('Content-Length: 99999999999', 'a=1'), [413]],
    [
      'a body that says gzip and is none',
      () => post('Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 3', '\x1f\x8b\x08'),
      [400, 415],
    ],
    [
      'a cookie that is none',
      () => `GET /cart/ HTTP/1.1\r\nHost: ${host}\r\nCookie: =;;;sid=%ZZ;sid;\xff=\xfe\r\n\r\n`,
      [200],
    ],
    [
      'a header with a line break in it',
      () => `GET /cart/ HTTP/1.1\r\nHost: ${host}\r\nReferer: a\rb\r\n\r\n`,
      [200, 400],
    ],
  ]

  it.each(broken)('%s: a clear answer or none, and the shop goes on', async (_, bytes, statuses) => {
    const answer = await raw(bytes())
    expect(statuses, answer.slice(0, 300)).toContain(statusOf(answer))
    expect(answer).not.toMatch(/\bat (file:|\/)|node_modules/)
    await alive()
  })

  it('T33 more than a hundred headers are refused, and a half request holds nobody up', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `X-${index}: 1`).join('\r\n')
    expect(
      statusOf(await raw(`GET /cart/ HTTP/1.1\r\nHost: ${host}\r\n${many}\r\nConnection: close\r\n\r\n`, 3000)),
    ).toBe(431)
    const halves = Array.from({ length: 50 }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`POST /?wc-ajax=add_to_cart HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\nproduct`)
      return socket
    })
    const began = Date.now()
    await aGuest(shop).add('MUG')
    expect(Date.now() - began).toBeLessThan(2000)
    for (const socket of halves) socket.destroy()
    await alive()
  })
})
