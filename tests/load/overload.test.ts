import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { aShopOfProcesses, type ShopOfProcesses } from '#tests/support/process/process.ts'
import { crowd } from '../../bench/support/crowd.ts'
import { idleClients, slowClients } from '../../bench/support/idle-clients.ts'
import { leanClient } from '../../bench/support/lean-client.ts'
import { nightly, size } from '../support/size.ts'

let shop: ShopOfProcesses
beforeAll(async () => {
  shop = await aShopOfProcesses()
  await shop.db.sql`update products set stock_quantity = 1000000 where manage_stock = 'yes'`
  // Somebody who comes again with a cart may press the same button once more.
  await shop.db.sql`update products set sold_individually = false`
  await shop.start({ env: { TRUSTED_PROXIES: '1', LOG_LEVEL: 'warn' } })
}, 120_000)
afterAll(() => shop?.close())

/** Somebody who comes now, on a connection of their own, and asks for what nobody has the answer to. */
async function statusOfOne(nr: number): Promise<number> {
  const client = leanClient(false)
  try {
    return (await client.ask(new URL(`/shop/?min_price=${nr}`, shop.url))).status
  } finally {
    client.close()
  }
}

async function ordersPlaced(): Promise<number> {
  const [books] = await shop.db.sql<{ placed: number }[]>`select count(*)::int as placed from orders`
  return books?.placed ?? 0
}

/** Resolves when a request has left this process. */
async function asked(socket: Socket, path: string): Promise<void> {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${new URL(shop.url).host}`,
    'Accept: text/html',
    'Connection: close',
    '',
    '',
  ]
  await new Promise<void>((resolve, reject) =>
    socket.write(lines.join('\r\n'), (error) => (error ? reject(error) : resolve())),
  )
}

describe('a real process', { timeout: size(120_000, 600_000) }, () => {
  it('M13 answers a crowd that looks around and buys, and turns nobody of it away', async () => {
    const told = await crowd({
      kind: 'looking',
      shop: { url: shop.url, ...(shop.paypal && { emulatorUrl: shop.paypal.apiBase }) },
      // By day as many as are no crowd on any machine.
      shoppers: size(20, 1_000),
      thinkMs: size(50, 5_000),
      rampSeconds: size(0.2, 20),
      seconds: size(2, 60),
    })
    expect(told.errors).toEqual([])
    expect(told.requestsShed).toBe(0)
    expect(told.requests).toBeGreaterThan(0)
    if (!nightly) return
    expect(told.p95Ms).toBeLessThan(150)
    expect(told.p99Ms).toBeLessThan(400)
  })

  it('P9 F37 M14 finishes every checkout that it let begin, and tells everybody else when to come again', async () => {
    const { url } = shop
    const before = await ordersPlaced()
    const told = await crowd({ kind: 'buying', shop: { url }, seconds: size(2, 60), perSecond: size(60, 200) })
    expect(told.errors).toEqual([])
    expect(told.dishonest).toBe(0)
    expect(told.started).toBeGreaterThan(0)
    expect(told.ordered).toBe(told.started)
    expect(told.ordered + told.requestsShed).toBe(told.came)
    expect((await ordersPlaced()) - before).toBe(told.ordered)
    // The last of them has been answered: nobody is left who could be in the way.
    expect(await statusOfOne(1)).toBe(200)
  })

  it('F37 M14 sells on beside connections on which nothing happens, and those that send and read slowly', async () => {
    const { url } = shop
    const idle = await idleClients(url, size(1_000, 10_000))
    const slow = await slowClients(url, size(200, 500))
    try {
      expect(idle.open()).toBe(size(1_000, 10_000))
      expect(slow.open()).toBe(size(200, 500))
      expect(await statusOfOne(2)).toBe(200)
      const told = await crowd({ kind: 'buying', shop: { url }, seconds: 2, atOnce: 2 })
      expect(told).toMatchObject({ errors: [], requestsShed: 0 })
      expect(told.ordered).toBeGreaterThan(0)
    } finally {
      slow.close()
      idle.close()
    }
  })

  it('F37 P9 loses nobody, and turns nobody away, who came while it stood still for a second', async () => {
    const { url } = shop
    const before = await ordersPlaced()
    const coming = crowd({ kind: 'buying', shop: { url }, seconds: 3, atOnce: 6 })
    await until('the first order', async () => (await ordersPlaced()) > before)
    await shop.standStill(() => sleep(1_000))
    const told = await coming
    expect(told).toMatchObject({ errors: [], requestsShed: 0, ordered: told.came })
    expect((await ordersPlaced()) - before).toBe(told.ordered)
  })

  it('P9 F37 M14 takes in what it can do of those who all came at once, and tells the others so', async () => {
    const { hostname, port } = new URL(shop.url)
    const sockets = Array.from({ length: 400 }, () => connect(Number(port), hostname))
    // The kernel hands out one new caller at a time; those who are there already can all speak at once.
    for (const socket of sockets) socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
    await Promise.all(sockets.map((socket) => once(socket, 'data')))
    const answers = Promise.all(sockets.map((socket) => text(socket)))
    // All of them say what they want before it can look at the first.
    await shop.standStill(() =>
      Promise.all(sockets.map((socket, nr) => asked(socket, `/shop/?max_price=${1_000 + nr}`))),
    )
    const statuses = (await answers).map((answer) => Number(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)))
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    for (const shed of (await answers).filter((_, nr) => statuses[nr] === 503)) {
      expect(shed).toMatch(/\r\nretry-after: [5-9]\r\n/i)
      expect(shed).toMatch(/\r\ncache-control: no-store\r\n/i)
      expect(shed).toContain('lang="en-US"')
    }
    expect(await statusOfOne(3)).toBe(200)
  })
})
