import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statisticsNamespace } from '#contract/statistics/dashboard.ts'
import { readStatisticsAnswer } from '#contract/statistics/read-statistics.ts'
import { addDays, daysOf } from '#domain/statistics/report-period.ts'
import { readSales } from '#shop/statistics/read-sales.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { staffMember } from '#tests/support/customers/staff.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let manager: Customer
let translator: Customer
let customer: Customer

const page = '/statistics/'
const report = `/wp-json/${statisticsNamespace}/statistics`
const online = `${report}/online`
/** Noon in the shop, so that no test runs over midnight. */
const now = new Date('2026-03-10T20:00:00Z')
const today = '2026-03-10'
const timeZone = 'America/Los_Angeles'

beforeAll(async () => {
  const clock = { now: () => now, sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) }
  shop = await aShop({ settings: { languages: [{ tag: 'de-DE' }], timeZone }, environment: { clock } })
  manager = await staffMember(shop, 'mona@example.test', 'shop_manager')
  translator = await staffMember(shop, 'tessa@example.test', 'translator')
  customer = aCustomer(shop, 'cara@example.test')
  await customer.register()
})
afterAll(() => shop?.close())

const looks = (who: Customer, path = page) => who.send(path, { headers: { accept: 'text/html' } })
const asks = (who: Customer, path: string, nonce = who.nonce('wp_rest')) =>
  who.send(path, { headers: { 'X-WP-Nonce': nonce, accept: 'application/json' } })

type Counted = { dimension: string; day: string; value?: string; detail?: string; visitors: number; views?: number }

/** Puts down what was counted, as the nightly sums have it. */
async function counted(rows: readonly Counted[]): Promise<void> {
  for (const { dimension, day, value = '', detail = '', visitors, views = visitors * 3 } of rows) {
    await shop.db.sql`
      insert into stat_count (dimension, grain, day, value, detail, visitors, visits, views)
      values (${dimension}, 'day', ${day}, ${value}, ${detail}, ${visitors}, ${visitors}, ${views})`
  }
}

describe('who may read the statistics', () => {
  it('STAT-04 a stranger is asked to log in, customers and translators find nothing, the manager reads it', async () => {
    const stranger = aCustomer(shop, 'nobody@example.test')
    expect(await stranger.page(page)).toContain('name="password"')
    for (const one of [customer, translator]) {
      expect((await looks(one)).status).toBe(404)
      expect(await one.page('/my-account/')).not.toContain('/statistics/')
    }
    const answer = await looks(manager)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<h1>Statistics</h1>')
    expect(await manager.page('/my-account/')).toContain('href="/statistics/"')
    expect(await manager.page('/de/my-account/')).toContain('href="/de/statistics/"')
  })

  it('STAT-04 nobody keeps the page, frames it or finds it, and it does not count itself', async () => {
    const { headers } = await looks(manager)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-robots-tag')).toContain('noindex')
    expect(headers.get('x-frame-options')).toBe('DENY')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    const html = await manager.page(page)
    expect(html).not.toContain('stats-config')
    expect(html).not.toMatch(/ style="|<script(?![^>]* type="(?:module|application\/json)")/)
    expect(html).toMatch(/<script type="module" src="\/assets\/statistics-[^"]+"><\/script>/)
    expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/statistics-[^"]+\.css"\/>/)
  })

  it.each([report, online])('STAT-04 %s answers a manager with a nonce, and nobody else', async (path) => {
    const stranger = aCustomer(shop, 'nobody@example.test')
    await stranger.page('/my-account/')
    const refused = async (answer: Response, status: number, code: string) => {
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ code, data: { status } })
    }
    await refused(await asks(stranger, path), 401, 'rest_forbidden')
    await refused(await asks(customer, path), 403, 'rest_forbidden')
    await refused(await asks(translator, path), 403, 'rest_forbidden')
    await refused(await asks(manager, path, customer.nonce('wp_rest')), 403, 'rest_cookie_invalid_nonce')
    await refused(await asks(manager, path, ''), 403, 'rest_cookie_invalid_nonce')
    const answer = await asks(manager, path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  })
})

describe('what a new shop shows', () => {
  it('STAT-04 helps where nothing was counted yet', async () => {
    const html = await manager.page(page)
    expect(html).toContain('No visitors yet')
    expect(html).not.toContain('stat-figures')
    expect(await manager.page('/de/statistics/')).toContain('<html lang="de-DE"')
  })
})

describe('what is read', () => {
  beforeAll(async () => {
    const mug = await shop.idOf('MUG')
    await counted([
      ...daysOf({ from: addDays(today, -40), to: today }).map((day, place) => ({
        dimension: 'total',
        day,
        visitors: place + 1,
      })),
      { dimension: 'page', day: today, value: '/product/plain-mug/', detail: `product:${mug}`, visitors: 7, views: 21 },
      { dimension: 'page', day: today, value: '/<b>bold</b>/', detail: 'page:0', visitors: 3 },
      { dimension: 'page', day: addDays(today, -1), value: '/shop/', detail: 'shop:0', visitors: 2 },
      { dimension: 'source', day: today, value: 'google', detail: 'search', visitors: 5 },
      { dimension: 'channel', day: today, value: 'search', visitors: 5 },
      { dimension: 'hour', day: today, value: '09', visitors: 4 },
      { dimension: 'country', day: today, value: 'DE', detail: 'header', visitors: 6 },
      { dimension: 'device', day: today, value: 'Mobile', visitors: 6 },
    ])
    await shop.db.sql`insert into stat_excluded (day, reason, n) values (${today}, 'robot', 1234)`
    await shop.db.sql`insert into stat_online (vid, last_at, path) values ('a', ${now}, '/'), ('b', ${now}, '/shop/')`
  })

  it('STAT-04 visits, pages, referrers and visitors online stand on the page, as text', async () => {
    const html = await manager.page(`${page}?period=today`)
    expect(html).toMatch(/<dt>Visitors<\/dt><dd><span class="stat-value">41<\/span>/)
    expect(html).toContain('<a href="/product/plain-mug/">Plain mug</a>')
    expect(html).toContain('/&lt;b&gt;bold&lt;/b&gt;/')
    expect(html).not.toContain('<b>bold')
    expect(html).toContain('<bdi>google</bdi>')
    expect(html).toContain('Germany')
    expect(html).toContain('Page views that were not counted: 1,234')
    expect(html).toContain('2 visitors online now')
    expect(html).not.toContain('href="/shop/"')
  })

  it('STAT-04 periods are links and a form, so that it works without scripts', async () => {
    const visitors = async (query: string) =>
      /<dt>Visitors<\/dt><dd><span class="stat-value">([\d,]+)</.exec(await manager.page(page + query))?.[1]
    expect(await visitors('?period=yesterday')).toBe('40')
    expect(await visitors('?period=7-days')).toBe(String(41 + 40 + 39 + 38 + 37 + 36 + 35))
    expect(await visitors('')).toBe('795')
    expect(await visitors(`?from=${addDays(today, -2)}&to=${addDays(today, -1)}`)).toBe('79')
    const html = await manager.page(`${page}?period=7-days`)
    expect(html).toMatch(/<a href="\/statistics\/\?period=90-days" data-period="90-days">90 days<\/a>/)
    expect(html).toMatch(/data-period="7-days" aria-current="true"/)
    expect(html).toMatch(/<form (?=[^>]*method="get")(?=[^>]*action="\/statistics\/")/)
    expect(html).toContain('value="2026-03-04"')
    // The days of the period are in a table for those who see no drawing.
    expect(html).toContain('<th scope="row">Monday, March 9, 2026</th><td>40</td><td>120</td>')
    expect(html).toContain('<th scope="row">Tuesday, March 10, 2026 (until now)</th><td>41</td><td>123</td>')
  })

  it('STAT-04 the call gives the same figures, and the markup in the language of the page', async () => {
    const answer = await asks(manager, `${report}?period=7-days&language=de-DE&_locale=user`)
    const body = readStatisticsAnswer.parse(await answer.json())
    expect(body.period).toEqual({ name: '7-days', from: '2026-03-04', to: today })
    expect(body.totals.visitors).toBe(266)
    expect(body.days).toHaveLength(7)
    expect(body.text).toBe('4.–10. März 2026')
    expect(body.html).toContain('4.–10. März 2026')
    expect(await (await asks(manager, online)).json()).toEqual({
      visitors: 2,
      pages: expect.arrayContaining([{ path: '/', visitors: 1 }]),
      text: '2 visitors online now',
    })
  })

  it('takes whatever an address may say for the usual period', async () => {
    const usual = readStatisticsAnswer.parse(await (await asks(manager, report)).json()).period
    expect(usual).toEqual({ name: '30-days', from: '2026-02-09', to: today })
    for (const query of [
      `period=${'x'.repeat(7000)}`,
      "from=';drop table orders;--&to=2026-01-01",
      'from=2026-02-31&to=2026-02-01',
      'period[]=today',
      'period=constructor',
      'from=%F0%9F%92%A9&to=%20',
      'language=__proto__',
      'language=zz-ZZ',
    ]) {
      const answer = await asks(manager, `${report}?${query}`)
      expect([query.slice(0, 40), answer.status]).toEqual([query.slice(0, 40), 200])
      expect(readStatisticsAnswer.parse(await answer.json()).period).toEqual(usual)
      expect((await looks(manager, `${page}?${query}`)).status).toBe(200)
    }
  })
})

describe('orders and revenue', () => {
  type Order = {
    at: string
    total: number
    status?: string
    paid?: boolean
    currency?: string
    base?: number
    back?: number
  }
  let number = 0
  async function ordered({ at, total, status = 'processing', paid = true, currency = 'USD', base, back }: Order) {
    number += 1
    const [order] = await shop.db.sql`
      insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
        payment_method, payment_method_title, created_at, updated_at, paid_at, base_currency, base_total)
      values (${`wc_order_${number}`}, ${status}, 'none', ${`intention ${number}`}, '', ${currency}, false, ${total}, '{}', '{}',
        'cod', 'Cash', ${at}, ${at}, ${paid ? at : null}, ${base === undefined ? null : 'USD'}, ${base ?? null})
      returning id`
    if (back !== undefined) {
      await shop.db.sql`
        insert into refunds (order_id, key, body_hash, state, made_by, by_provider, amount, currency, created_at)
        values (${order?.id}, ${`refund ${number}`}, '', 'done', 'shop', false, ${back}, ${currency}, ${at})`
    }
    return { id: Number(order?.id) }
  }

  it('count by the day of the shop, without what was given up, given back or not paid, in the currency of the shop', async () => {
    await ordered({ at: '2026-01-05T20:00:00Z', total: 1000 })
    // Still the fifth in California.
    await ordered({ at: '2026-01-06T07:59:00Z', total: 2000, back: 500 })
    await ordered({ at: '2026-01-06T08:00:00Z', total: 4000, status: 'completed' })
    await ordered({ at: '2026-01-06T09:00:00Z', total: 8000, status: 'cancelled' })
    await ordered({ at: '2026-01-06T09:00:00Z', total: 9000, status: 'pending', paid: false })
    await ordered({ at: '2026-01-06T10:00:00Z', total: 700, status: 'on-hold', paid: false })
    // 100 euros were worth 110 dollars; a quarter went back.
    await ordered({ at: '2026-01-06T11:00:00Z', total: 10_000, currency: 'EUR', base: 11_000, back: 2500 })
    await ordered({ at: '2026-01-06T12:00:00Z', total: 3000, status: 'refunded', back: 3000 })
    await ordered({ at: '2026-01-08T12:00:00Z', total: 999_999 })
    const { tools } = shop.shop.application
    expect(await readSales(tools, 'USD', { from: '2026-01-05', to: '2026-01-07' })).toEqual({
      orders: 6,
      revenue: 1000 + 1500 + 4000 + 8250,
      days: [
        { day: '2026-01-05', orders: 2, revenue: 2500 },
        { day: '2026-01-06', orders: 4, revenue: 12_250 },
      ],
    })
    const html = await manager.page(`${page}?from=2026-01-05&to=2026-01-07`)
    expect(html).toMatch(/<dt>Orders<\/dt><dd><span class="stat-value">6<\/span>/)
    expect(html).toMatch(/<dt>Revenue<\/dt><dd><span class="stat-value">\$147\.50<\/span>/)
    expect(html).toContain('$122.50 (4 orders)')
    expect(html).toMatch(/Unknown<\/span><\/th><td[^>]*>6<\/td><td[^>]*>\$147\.50<\/td>/)
  })

  it('I2 do not count what the provider has taken back, until that is settled', async () => {
    const at = '2026-02-05T20:00:00Z'
    await ordered({ at, total: 1000 })
    const { id } = await ordered({ at, total: 2000, back: 500 })
    const sql = shop.db.sql
    await sql`insert into wallet_orders (id, order_id, revision, session_id, environment, amount, currency, state, approve_url, created_at)
      values ('TAKEN', ${id}, 1, 'none', 'sandbox', 2000, 'USD', 'COMPLETED', '', ${at})`
    await sql`insert into captures (id, order_id, wallet_order_id, status, amount, currency, environment, captured_at)
      values ('BACK', ${id}, 'TAKEN', 'REVERSED', 2000, 'USD', 'sandbox', ${at})`
    const { tools } = shop.shop.application
    const revenue = async () =>
      (await readSales(tools, 'USD', { from: '2026-02-01', to: '2026-02-28' })).days.map((day) => day.revenue)
    await sql`update orders set payment_state = 'attention' where id = ${id}`
    expect(await revenue()).toEqual([1000])
    // The dispute about it was won.
    await sql`update captures set status = 'PARTIALLY_REFUNDED' where id = 'BACK'`
    await sql`update orders set payment_state = 'partly-refunded' where id = ${id}`
    expect(await revenue()).toEqual([2500])
  })
})
