import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import { statusesOf, talk } from '#tests/security/support/raw-requests.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let guest: Guest
let provider: string

beforeAll(async () => {
  shop = await aShop({ publicBaseUrl: 'https://shop.example' })
  provider = new URL(shop.emulator?.url ?? '').origin
  guest = aGuest(shop)
  await guest.add('MUG')
})
afterAll(() => shop.close())

const html = { headers: { accept: 'text/html' } }
const publicPages = [
  '/',
  '/shop/',
  '/shop/?orderby=price',
  '/product-category/kitchen/',
  '/product-tag/clay/',
  '/?s=mug',
  '/product/plain-mug/',
  '/product/linen-shirt/',
  '/terms/',
  '/privacy-policy/',
]
const privatePages = ['/cart/', '/checkout/', '/checkout/order-received/1/?key=x', '/no-such-page/', '/product/none/']
const walletPages = ['/product/plain-mug/', '/product/linen-shirt/', '/cart/', '/checkout/']
const pages = [...publicPages, ...privatePages]

const plainPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; report-uri /api/policy-report; require-trusted-types-for 'script'; trusted-types vitrine"

describe.each(pages)('the page %s', (path) => {
  it('T27 T28 says what may run in it and who may frame it', async () => {
    const { headers } = await guest.send(path, html)
    const policy = headers.get('content-security-policy') ?? ''
    if (walletPages.includes(path)) {
      const nonce = /'nonce-([0-9a-f]{32})'/.exec(policy)?.[1]
      expect(nonce !== undefined).toBe(privatePages.includes(path))
      expect(policy).toBe(
        `default-src 'self'; script-src 'self' ${provider}; style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}; ` +
          `img-src 'self' data: ${provider}; connect-src 'self' ${provider}; frame-src 'self' ${provider}; ` +
          `form-action 'self' ${provider}; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; report-uri /api/policy-report`,
      )
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
      expect(headers.get('permissions-policy')).toContain('payment=*')
    } else {
      expect(policy).toBe(plainPolicy)
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('payment=()')
    }
    // Everything off, but payment where it is used.
    const permissions = (headers.get('permissions-policy') ?? '').split(', ')
    expect(permissions.length).toBeGreaterThan(20)
    expect(permissions.filter((line) => !/^[a-z-]+=\(\)$/.test(line))).toEqual(
      walletPages.includes(path) ? ['payment=*'] : [],
    )
    for (const name of ['camera', 'geolocation', 'microphone', 'usb', 'display-capture'])
      expect(permissions).toContain(`${name}=()`)
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8')
  })

  it('P14 has no script, style or handler of its own in its markup', async () => {
    const text = await (await guest.send(path, html)).text()
    for (const [tag] of text.matchAll(/<script\b[^>]*>/g)) {
      expect(tag).toMatch(/ src="\/assets\/| type="(application\/(ld\+)?json|text\/template|text\/html)"/)
    }
    // Text is escaped, so what looks like markup is markup.
    expect(text).not.toMatch(/<style\b|<[a-z][^>]*\s(style|on[a-z]+)\s*=|javascript:/i)
  })
})

const closed = "default-src 'none'; frame-ancestors 'none'; sandbox"
const ofFiles = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

describe('every answer, whatever it is', () => {
  it.each([
    ['GET', '/healthz', 200, closed],
    ['GET', '/readyz', 200, closed],
    ['GET', '/metrics', 401, closed],
    ['GET', '/robots.txt', 200, closed],
    ['GET', '/sitemap.xml', 200, closed],
    ['GET', '/search-suggestions/?s=mug', 200, closed],
    ['GET', urls.speculationRules(), 200, closed],
    ['GET', urls.feed(), 200, closed],
    ['GET', urls.manifest(), 200, closed],
    ['GET', '/favicon.svg', 200, ofFiles],
    ['GET', '/favicon.ico', 200, ofFiles],
    ['GET', '/assets/none.js', 404, closed],
    ['GET', `/media/${'0'.repeat(16)}-100.webp`, 404, closed],
    ['GET', '/download/none/', 404, closed],
    ['GET', '/wp-json/none', 404, closed],
    ['POST', '/wp-json/wc-ppcp/v1/webhook', 400, closed],
    ['GET', '/wp-json/wc/v3/orders', 401, closed],
    ['GET', '/my-account/', 200, plainPolicy],
    ['GET', '/my-account/orders/', 200, plainPolicy],
    ['GET', '/my-account/customer-logout/', 303, closed],
    ['GET', '/%E0%A4%A', 400, closed],
    ['POST', '/?wc-ajax=add_to_cart', 200, closed],
    ['GET', '/?wc-ajax=get_cart_totals', 200, closed],
    ['POST', '/?wc-ajax=checkout', 200, closed],
    ['DELETE', '/?wc-ajax=add_to_cart', 405, closed],
    ['POST', '/?wc-ajax=none', 200, closed],
    ['POST', '/wp-admin/admin-ajax.php', 400, closed],
    ['POST', '/checkout/', 303, closed],
    ['GET', `/${'x'.repeat(9000)}`, 414, closed],
  ])(
    'T27 T28 %s %s says that it is what it says, runs and frames nothing, and tells little of where one was',
    async (method, path, status, policy) => {
      // Twice: what the first one had kept goes out by a shorter way.
      for (let time = 0; time < 2; time += 1) {
        const { headers, status: answered } = await aGuest(shop).send(path, { method })
        expect(answered).toBe(status)
        expect({
          policy: headers.get('content-security-policy'),
          sniff: headers.get('x-content-type-options'),
          https: headers.get('strict-transport-security'),
          referrer: headers.get('referrer-policy'),
          opener: headers.get('cross-origin-opener-policy'),
          server: headers.get('server'),
          madeBy: headers.get('x-powered-by'),
        }).toEqual({
          policy,
          sniff: 'nosniff',
          https: 'max-age=31536000; includeSubDomains',
          referrer: 'strict-origin-when-cross-origin',
          opener: 'same-origin',
          server: null,
          madeBy: null,
        })
      }
    },
  )

  it('T27 T28 what is no proper request is answered by something that runs and frames nothing', async () => {
    const port = Number(new URL(shop.url).port)
    for (const hosts of ['Host: 999.0x0.1.1', 'Host: a.example\r\nHost: b.example']) {
      const heard = await talk(port, `GET /healthz HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)
      expect(statusesOf(heard)).toEqual([400])
      expect(heard.text.toLowerCase()).toContain(`content-security-policy: ${closed}`)
    }
  })
})

describe('what may be kept by others', () => {
  it.each(publicPages)('T29 %s may, and is the same for everybody', async (path) => {
    const stranger = aGuest(shop)
    const answers = [
      await stranger.send(path, html),
      await guest.send(path, html),
      await stranger.send(path, { headers: { ...html.headers, cookie: 'sid=x; __Host-sid=y; other=z' } }),
    ]
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    for (const { headers, status } of answers) {
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
      expect(headers.getSetCookie()).toEqual([])
      expect(headers.get('vary')).toBe('Accept-Encoding')
    }
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).not.toMatch(/restNonce|_wpnonce=|cspNonce|value="[0-9a-f]{10}"/)
  })

  it.each(privatePages)('T29 %s may not, and carries the id under which the log knows it', async (path) => {
    const ids = new Set<string | null>()
    for (const { headers } of [await guest.send(path, html), await guest.send(path, html)]) {
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/)
      ids.add(headers.get('x-request-id'))
    }
    expect(ids.size).toBe(2)
  })

  it('T29 a public page may not while it tells one visitor something, or takes a cookie back', async () => {
    const visitor = aGuest(shop)
    await visitor.post('/?wc-ajax=add_to_cart', { product_id: String(await shop.idOf('GONE')) })
    const told = await visitor.send('/shop/', html)
    expect(told.headers.get('cache-control')).toBe('private, no-store')
    expect(await told.text()).toContain('out of stock')
    const stale = await aGuest(shop).send('/shop/', { headers: { ...html.headers, cookie: 'vitrine_notices=1' } })
    expect(stale.headers.getSetCookie()).toHaveLength(1)
    expect(stale.headers.get('cache-control')).toBe('private, no-store')
    const after = await visitor.send('/shop/', html)
    expect(after.headers.get('cache-control')).toContain('public')
    expect(await after.text()).not.toContain('out of stock')
  })

  it('a HEAD request gets the headers of its GET and no body', async () => {
    for (const path of ['/shop/', '/cart/']) {
      const response = await aGuest(shop).send(path, { method: 'HEAD' })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.has('content-security-policy')).toBe(true)
    }
  })
})

describe('calls', () => {
  const everyCall: [string, string, string][] = [
    ['POST', '/?wc-ajax=add_to_cart', 'text/html; charset=UTF-8'],
    ['POST', '/?wc-ajax=get_refreshed_fragments', 'application/json'],
    ['GET', '/?wc-ajax=get_cart_totals', 'text/html; charset=UTF-8'],
    ['POST', '/?wc-ajax=apply_coupon', 'text/html; charset=UTF-8'],
    ['POST', '/?wc-ajax=checkout', 'application/json'],
    ['POST', '/cart/?wc-ajax=get_refreshed_fragments', 'application/json'],
    ['POST', '/wp-admin/admin-ajax.php?action=woocommerce_get_refreshed_fragments', 'application/json'],
    ['POST', urls.paypalRest('cart/refresh'), 'application/json'],
  ]

  it.each(everyCall)('%s %s is kept by nobody and found by no search engine', async (method, path, type) => {
    const { headers } = await guest.send(path, { method })
    expect(headers.get('cache-control')).toBe('no-cache, must-revalidate, max-age=0, no-store, private')
    expect(new Date(headers.get('expires') ?? '').getTime()).toBeLessThan(Date.now())
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/)
    expect(headers.get('strict-transport-security')).not.toBeNull()
  })

  it('that nobody knows answer as the classic storefront does', async () => {
    for (const name of ['no_such', '', '__proto__', 'constructor', 'add_to_cart/../x', '%%endpoint%%']) {
      const response = await guest.send(`/?wc-ajax=${encodeURIComponent(name)}`, { method: 'POST' })
      expect([response.status, await response.text()]).toEqual([200, ''])
      expect(response.headers.get('cache-control')).toContain('no-store')
    }
    for (const action of ['', '?action=', '?action=no_such', '?action=woocommerce_no_such', '?action=add_to_cart']) {
      const response = await guest.send(`/wp-admin/admin-ajax.php${action}`, { method: 'POST' })
      expect([response.status, await response.text()]).toEqual([400, '0'])
    }
    const action = new URLSearchParams({ action: 'woocommerce_get_refreshed_fragments' })
    const posted = await guest.send('/wp-admin/admin-ajax.php', { method: 'POST', body: action })
    expect(await posted.json()).toMatchObject({ fragments: {} })
    const route = await guest.send('/wp-json/wc/v9/nothing')
    expect([route.status, (await route.json()).code]).toEqual([404, 'rest_no_route'])
  })

  it('take no other method than their own', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await guest.send('/?wc-ajax=add_to_cart', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
    expect((await guest.send('/cart/', { method: 'DELETE' })).status).toBe(404)
  })
})

describe('the session cookie', () => {
  const line = (response: Response) => response.headers.getSetCookie().find((cookie) => cookie.includes('sid='))

  it('T31 is bound to this host, unseen by scripts and secure over https', async () => {
    const body = new URLSearchParams({ product_id: String(await shop.idOf('MUG')) })
    const cookie = line(await aGuest(shop).send('/?wc-ajax=add_to_cart', { method: 'POST', body })) ?? ''
    const [pair = '', ...attributes] = cookie.split('; ')
    expect(pair).toMatch(/^__Host-sid=[0-9a-f]{64}$/)
    const [expires] = attributes.splice(
      attributes.findIndex((attribute) => attribute.startsWith('Expires=')),
      1,
    )
    const hours = (new Date(expires?.slice('Expires='.length) ?? '').getTime() - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(48)
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
  })

  it.each(['a'.repeat(64), '0', `${'b'.repeat(64)}\u00e9`, 'x'.repeat(4000), '../../x', "' or '1'='1"])(
    'T31 a token that the shop did not hand out (%s) is never adopted',
    async (token) => {
      const product_id = String(await shop.idOf('MUG'))
      const response = await fetch(`${shop.url}/?wc-ajax=add_to_cart`, {
        method: 'POST',
        headers: { cookie: `__Host-sid=${encodeURI(token)}` },
        body: new URLSearchParams({ product_id }),
      })
      expect(response.status).toBe(200)
      const given = /__Host-sid=([0-9a-f]{64});/.exec(line(response) ?? '')?.[1]
      expect(given).toBeDefined()
      expect(given).not.toBe(token)
    },
  )

  it('T31 every cookie that a script of ours writes is secure over https, but those that say how one came', () => {
    const web = join(import.meta.dirname, '../../../src/web')
    const writers = globSync('**/*.{ts,tsx}', { cwd: web })
      .filter((file) => !file.includes('.test.'))
      .map((file) => ({ file, text: readFileSync(join(web, file), 'utf8') }))
      .filter(({ text }) => /document\.cookie = |cookieStore\.set/.test(text))
    expect(writers.length).toBeGreaterThan(3)
    const open = writers.filter(({ text }) => !/location\.protocol === 'https:' \?[^:]*secure/i.test(text))
    // Of these every byte is the classic storefront's, and nothing is decided by them.
    expect(open.map(({ file }) => file)).toEqual(['browser/adapters/measure/attribution/tracker.ts'])
  })

  it('a reader gets none, and leaves no row behind', async () => {
    const count = async () => (await shop.db.sql`select count(*)::int as n from sessions`)[0]?.n
    const before = await count()
    const reader = aGuest(shop)
    for (const path of [...pages, '/?wc-ajax=get_cart_totals']) await (await reader.send(path, html)).text()
    for (const call of ['get_refreshed_fragments', 'remove_from_cart', 'add_to_cart', 'get_variation']) {
      await reader.post(`/?wc-ajax=${call}`)
    }
    expect([...reader.cookies.keys()]).toEqual([])
    expect(await count()).toBe(before)
  })
})
