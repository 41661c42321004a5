import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { createListener } from '#server/http/request-listener.ts'
import { createLoadGate, type LoadGate } from '#server/operations/load/load-gate.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { aShop, type TestShop } from '../support/shop.ts'
import { Shopper, type VisitedWorld } from '../support/shopper.ts'

/** More than a shop has at work that keeps up. */
const stuck = 40

let shop: TestShop
/** The shop behind a door of the test's own, where requests below `/held/` are answered when the test says so. */
let server: Server
let front: string
let world: VisitedWorld
const held: (() => void)[] = []
let checkouts = 0
let gate: LoadGate
/** A clock and an event loop of the test's own: it decides when the shop is late. */
const pulse = { now: 0, late: 0, nowMs: () => pulse.now, takeDelayMs: () => pulse.late }

beforeAll(async () => {
  shop = await aShop({ settings: { language: 'en-US', languages: [{ tag: 'de-DE' }, { tag: 'ar' }] } })
  const { app, application } = shop.shop
  const behind: typeof app = async (request, facts) => {
    const { pathname, search } = new URL(request.url)
    if (search.startsWith('?wc-ajax=checkout')) checkouts += 1
    if (pathname.startsWith('/held/')) await new Promise<void>((resolve) => held.push(resolve))
    return app(request, facts)
  }
  gate = createLoadGate(application, pulse, () => 0)
  server = createServer(createListener(behind, application.pageCache, () => true, gate))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  front = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Forms are taken from the shop's own pages: only where they are sent to is another address.
  const sent: typeof fetch = (url, init) => fetch(String(url).replace(shop.url, front), init)
  world = { ...shop, fetch: sent }
}, 60_000)
afterAll(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
  await shop?.close()
})

const look = (late: number) => {
  pulse.late = late
  pulse.now += 1_000
}

/** As many requests as a shop has at work that is full, none of which is answered before the function is called. */
async function crowd(): Promise<() => Promise<void>> {
  const asked = Array.from({ length: stuck }, (_, nr) => ask(`/held/${nr}`))
  await until('a shop full of requests', async () => held.length === stuck)
  return async () => {
    for (const letGo of held.splice(0)) letGo()
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 404))
  }
}

type Told = { status: number; retryAfter: number; cache: string | null; text: string; type: string | null }

async function told(answer: Response): Promise<Told> {
  const { headers } = answer
  return {
    status: answer.status,
    retryAfter: Number(headers.get('retry-after')),
    cache: headers.get('cache-control'),
    type: headers.get('content-type'),
    text: await answer.text(),
  }
}

const ask = async (path: string, init?: RequestInit) => told(await fetch(front + path, init))
const statusOf = async (answer: Promise<Response>) => (await told(await answer)).status

describe('a shop that has too much to do', { timeout: 60_000 }, () => {
  it('P7 says that it is busy while it is, so that messages wait', async () => {
    expect(gate.isBusy()).toBe(false)
    const letGo = await crowd()
    expect(gate.isBusy()).toBe(true)
    await letGo()
    await until('nobody at work', async () => !gate.isBusy())
  })

  it('P9 F37 M14 finishes a checkout that has begun, tells newcomers when to come again, and is as before afterwards', async () => {
    const ada = new Shopper(world, 'ada')
    await ada.add('MUG')
    await ada.openCheckout()
    const bob = new Shopper(world, 'bob')
    await bob.add('MUG')
    const home = await ask('/')
    const end = await crowd()
    look(1_000)

    const busy = await ask('/shop/?min_price=1')
    expect(busy).toMatchObject({ status: 503, cache: 'no-store', type: 'text/html; charset=UTF-8' })
    expect(busy.retryAfter).toBeGreaterThanOrEqual(5)
    expect(busy.retryAfter).toBeLessThan(10)
    expect(busy.text).toContain('<html lang="en-US" dir="ltr">')
    expect(busy.text).toContain('The shop is very busy')
    expect(busy.text).toContain('<a href="/shop/?min_price=1">Try again</a>')
    const german = await ask('/de/shop/?min_price=1&x="><script>')
    expect(german).toMatchObject({ status: 503, cache: 'no-store' })
    expect(german.text).toContain('<html lang="de-DE" dir="ltr">')
    expect(german.text).toContain('>Erneut versuchen</a>')
    expect(german.text).not.toContain('<script>')
    expect((await ask('/ar/product/mug/')).text).toContain('dir="rtl"')

    const pressed = await ask(urls.wcAjax('add_to_cart'), { method: 'POST', body: new URLSearchParams({ x: '1' }) })
    expect(pressed).toMatchObject({ status: 503, cache: 'no-store', type: 'application/json', retryAfter: 2 })
    expect(JSON.parse(pressed.text)).toMatchObject({ code: 'shop_busy', data: { status: 503 } })
    expect(await statusOf(fetch(`${front}/wp-json/x`, { method: 'POST' }))).toBe(503)
    // Somebody with a cart is not in the checkout yet.
    expect(await statusOf(bob.request(urls.checkout()))).toBe(503)

    // What is finished, what says how the shop is, and what the provider says costs little or must be heard.
    expect(await ask('/')).toMatchObject({ status: 200, text: home.text })
    for (const path of ['/healthz', '/readyz', '/robots.txt', '/favicon.svg'])
      expect([path, (await ask(path)).status]).toEqual([path, 200])
    const figures = await ask('/metrics', { headers: monitorHeaders })
    expect(figures.text).toMatch(/vitrine_requests_shed_total\{class="anonymous-page"\} 4\n/)
    expect(figures.text).toMatch(/vitrine_requests_shed_total\{class="cart"\} 2\n/)
    expect(await statusOf(fetch(front + urls.paypalWebhook(), { method: 'POST', body: '{}' }))).toBe(400)

    expect(await ada.pieces()).toBe(1)
    const page = await ada.request(urls.checkout())
    expect(page.status).toBe(200)
    await page.text()
    const placed = await ada.placeOrder('cod')
    expect(placed).toMatchObject({ result: 'success' })
    expect(await statusOf(ada.request(placed.redirect ?? ''))).toBe(200)

    await end()
    for (const path of ['/shop/?min_price=1', '/de/shop/?min_price=1']) expect((await ask(path)).status).toBe(200)
    expect((await bob.openCheckout()).includes('woocommerce-process-checkout-nonce')).toBe(true)
  })

  it('F37 who sends a body slowly is no work for the shop', async () => {
    const { hostname, port } = new URL(front)
    checkouts = 0
    const senders = Array.from({ length: stuck }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(`POST /?wc-ajax=checkout HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${shop.url}\r\n`)
      socket.write('Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nx=')
      return socket
    })
    try {
      await until('all who send slowly', async () => checkouts === stuck)
      expect((await ask('/shop/?min_price=2')).status).toBe(200)
      look(10_000)
      expect((await ask('/shop/?min_price=3')).status).toBe(200)
    } finally {
      for (const socket of senders) socket.destroy()
    }
  })
})
