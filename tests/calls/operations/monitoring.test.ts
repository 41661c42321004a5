import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#database/engine/connect.ts'
import { notReady } from '#server/operations/metrics/readiness.ts'
import { kindOf } from '#server/operations/metrics/request-metrics.ts'
import { until } from '#tests/support/payments/bookkeeping.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const folder = join(import.meta.dirname, '../../../deploy/observability')

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop?.close())

const figures = async () => (await fetch(`${shop.url}/metrics`, { headers: monitorHeaders })).text()

describe('the figures for a monitor', () => {
  it('hold each that the dashboard and the alert rules name', async () => {
    const shopper = new Shopper(shop)
    const { walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    await shopper.page('/shop/')
    await until('a look at what the shop promises', async () =>
      (await figures()).includes('\nvitrine_invariants_broken 0\n'),
    )
    const told = new Set([...(await figures()).matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))
    for (const file of ['dashboard.json', 'alerts.yaml']) {
      const text = readFileSync(join(folder, file), 'utf8')
      const named = [...text.matchAll(/\b((?:vitrine|nodejs|process)_[a-z0-9_]+)\b/g)].map(([, name = '']) => name)
      expect(named.length).toBeGreaterThan(8)
      const unknown = named.filter((name) => !told.has(name) && !told.has(name.replace(/_(?:count|bucket|sum)$/, '')))
      expect({ file, unknown }).toEqual({ file, unknown: [] })
    }
    JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'))
  })

  it('tell of requests, payments and jobs, and of nobody who buys', async () => {
    const text = await figures()
    expect(text).toMatch(/vitrine_http_request_seconds_count\{kind="checkout",status="2xx"\} [1-9]/)
    expect(text).toMatch(/vitrine_payment_attempts\{step="capture",state="succeeded"\} [1-9]/)
    expect(text).toMatch(/vitrine_jobs\{task="order-mail",state="failed"\} 0/)
    expect(text).toMatch(/vitrine_page_cache_total\{outcome="miss"\} [1-9]/)
    const order = await shop.db.kysely.selectFrom('orders').select(['key', 'transaction_id']).executeTakeFirstOrThrow()
    for (const word of ['example.test', 'Lovelace', order.key, order.transaction_id ?? '-'])
      expect(text).not.toContain(word)
  })

  it('T10 are closed without a token, to private networks and the machine itself as well', async () => {
    await using closed = await aShop({ wallet: false, metricsToken: null })
    const from = async (ip: string, headers: Record<string, string> = {}) => {
      const answer = await closed.shop.app(new Request(`${closed.url}/metrics`, { headers }), { ip })
      expect(await answer.text()).not.toContain('vitrine_')
      return answer.status
    }
    for (const ip of [
      '127.0.0.1',
      '::1',
      '10.2.3.4',
      '192.168.1.9',
      '::ffff:10.0.0.1',
      'fd00::1',
      '8.8.8.8',
      '2a00:1450::1',
    ])
      expect([ip, await from(ip)]).toEqual([ip, 403])
    expect(await from('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(403)
    expect(await from('127.0.0.1', monitorHeaders)).toBe(403)
    expect(await from('127.0.0.1', { authorization: 'Bearer null' })).toBe(403)
    expect((await fetch(`${closed.url}/metrics`)).status).toBe(403)
  })

  it('T10 come with a token to whoever shows it, from wherever, and to nobody else', async () => {
    const metricsToken = 'a-token-that-is-long-enough-for-all'
    const guarded = await aShop({ wallet: false, metricsToken })
    try {
      const ask = (headers: Record<string, string>) => fetch(`${guarded.url}/metrics`, { headers })
      for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${metricsToken}`, `Bearer ${metricsToken}x`]) {
        const answer = await ask({ authorization })
        expect([authorization, answer.status, answer.headers.get('www-authenticate')]).toEqual([
          authorization,
          401,
          'Bearer',
        ])
        expect(await answer.text()).not.toContain('vitrine_')
      }
      const through = await ask({ authorization: `Bearer ${metricsToken}`, 'x-forwarded-for': '8.8.8.8' })
      expect([through.status, (await through.text()).includes('vitrine_')]).toEqual([200, true])
    } finally {
      await guarded.close()
    }
  })

  it.each([
    ['/', 'page'],
    ['/product/plain-mug/?a=1', 'page'],
    ['/media/0123.webp', 'file'],
    ['/cart/', 'cart'],
    ['/?wc-ajax=add_to_cart', 'cart'],
    ['/checkout/', 'checkout'],
    ['/de/checkout/', 'checkout'],
    ['/?wc-ajax=checkout', 'checkout'],
    ['/wp-json/wc-ppcp/v1/cart/order', 'checkout'],
    ['/wp-json/wc-ppcp/v1/webhook', 'notification'],
    ['/wp-json/wc/store/v1/cart/add-item', 'cart'],
    ['/de/wp-json/wc/store/checkout', 'checkout'],
    ['/wp-json/wc/store/v1/products?search=cart', 'call'],
    ['/wp-json/x', 'call'],
    ['/readyz', 'operation'],
    [`/${'never-seen-'.repeat(50)}`, 'page'],
  ])('count %s as one kind of few', (address, kind) => {
    expect(kindOf(address)).toBe(kind)
  })
})

describe('whether visitors may come', () => {
  it('yes, once the database is there and brought up to date', async () => {
    const answer = await fetch(`${shop.url}/readyz`)
    expect([answer.status, await answer.text()]).toEqual([200, 'ready'])
  })

  it('no, while migrations are missing; a newer database keeps nobody out', async () => {
    const { sql } = shop.db
    const [last] =
      await sql`delete from schema_migrations where number = (select max(number) from schema_migrations) returning *`
    try {
      const answer = await fetch(`${shop.url}/readyz`, { headers: monitorHeaders })
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(await answer.text()).toBe('1 migrations are not applied\n')
      // What is wrong concerns no visitor.
      const visitors = await fetch(`${shop.url}/readyz`)
      expect([visitors.status, await visitors.text()]).toEqual([503, 'not ready\n'])
    } finally {
      await sql`insert into schema_migrations ${sql(last ?? {})}`
    }
    await sql`insert into schema_migrations (number, name, checksum) values (9999, '9999_later.sql', '')`
    try {
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
    } finally {
      await sql`delete from schema_migrations where number = 9999`
    }
  })

  it('yes, while all its connections wait for a lock: other processes have the same database, and none would be left', async () => {
    const { sql } = shop.shop.application.tools.db
    const holder = await shop.db.sql.reserve()
    await holder`select pg_advisory_lock(1)`
    // Whoever comes after them waits behind them.
    const waiting = Array.from({ length: sql.options.max * 2 }, () =>
      sql`select pg_advisory_xact_lock(1)`.catch(() => null),
    )
    try {
      expect((await fetch(`${shop.url}/readyz`)).status).toBe(200)
    } finally {
      await holder`select pg_advisory_unlock(1)`
      holder.release()
      await Promise.all(waiting)
    }
  })

  it('no, while the database is away, and the process lives all the same', async () => {
    const { application } = shop.shop
    const away = connect('postgres://nobody@127.0.0.1:1/none', { max: 1 })
    const reasons = await notReady({ ...application, tools: { ...application.tools, db: away } })
    await away.close()
    expect(reasons).toEqual(['database did not answer'])
    expect((await fetch(`${shop.url}/healthz`)).status).toBe(200)
  })
})
