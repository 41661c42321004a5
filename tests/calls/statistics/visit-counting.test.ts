import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StatisticsScript } from '#contract/statistics/statistics.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { customerBy, setRole } from '#shop/customers/manage-customers.ts'
import { onlineNow, readStatistics } from '#shop/statistics/read-statistics.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const browser = { 'user-agent': agent, 'accept-language': 'de-DE,de;q=0.9', 'sec-fetch-site': 'same-origin' }

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop?.close())

const counter = () => shop.shop.application.statistics

async function report() {
  await counter().flush()
  await counter().flush()
  const { tools } = shop.shop.application
  const day = new Date().toISOString().slice(0, 10)
  return readStatistics(tools, { from: day, to: day })
}

beforeEach(async () => {
  await report()
  await shop.db.sql`truncate stat_visit, stat_seen, stat_count, stat_excluded, stat_online`
})

/** What a page prints for its script. */
async function printed(path: string, headers: Record<string, string> = {}): Promise<StatisticsScript | null> {
  const page = await (await fetch(shop.url + path, { headers: { accept: 'text/html', ...browser, ...headers } })).text()
  const [, json] = /<script type="application\/json" id="stats-config">(.*?)<\/script>/s.exec(page) ?? []
  return json === undefined ? null : JSON.parse(json)
}

const hit = (url: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(new URL(url, shop.url), { ...init, headers: { ...browser, ...headers } })

const answered = async (response: Response) => ({ status: response.status, ...((await response.json()) as object) })

const counted = { status: true, data: { exclusion: false }, message: 'The visit was counted.' }

describe('the hit call', () => {
  it('STAT-01 is printed into every page with what the page is, and is answered so that nobody keeps it', async () => {
    const script = await printed('/product/plain-mug/')
    expect(script?.option).toEqual({ dntEnabled: true, cacheCompatibility: true })
    const url = new URL(script?.hitRequestUrl ?? '', shop.url)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      wp_statistics_hit: 'yes',
      track_all: '1',
      current_page_type: 'product',
      current_page_id: String(await shop.idOf('MUG')),
      current_currency: 'USD',
      page_uri: Buffer.from('/product/plain-mug/').toString('base64url'),
    })
    const response = await hit(
      `${script?.hitRequestUrl}&referred=${encodeURIComponent('https://blog.example.org/a?b=c')}&_=1790000000000`,
    )
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await answered(response)).toEqual({ ...counted, status: true })
    const { totals, pages, sources, languages } = await report()
    expect(totals).toEqual({ visitors: 1, visits: 1, views: 1 })
    expect(pages).toEqual([
      { path: '/product/plain-mug/', type: 'product', id: await shop.idOf('MUG'), views: 1, visitors: 1 },
    ])
    expect(sources[0]).toMatchObject({ source: 'blog.example.org', channel: 'referral' })
    expect(languages[0]).toMatchObject({ language: 'de', visitors: 1 })
  })

  it.each([
    ['/', 'home', '/'],
    ['/shop/', 'shop', '/shop/'],
    ['/product-category/kitchen/', 'category', '/product-category/kitchen/'],
    ['/?s=mug&post_type=product', 'search', '/?s='],
    ['/cart/', 'cart', '/cart/'],
    ['/my-account/', 'account', '/my-account/'],
    ['/nowhere/at/all/', '404', '/nowhere/at/all/'],
  ])('STAT-01 %s is a page of the type %s', async (path, type, uri) => {
    const script = await printed(path)
    const { searchParams } = new URL(script?.hitRequestUrl ?? '', shop.url)
    expect(searchParams.get('current_page_type')).toBe(type)
    expect(Buffer.from(searchParams.get('page_uri') ?? '', 'base64url').toString()).toBe(uri)
    expect((await hit(script?.hitRequestUrl ?? '')).status).toBe(200)
    const { pages, exclusions } = await report()
    if (type === '404') expect(exclusions).toEqual([{ reason: '404', count: 1 }])
    else expect(pages.map((page) => page.path)).toEqual([uri])
  })

  it('STAT-04 tells searches of another language from its first page, and not what they were for', async () => {
    for (const uri of ['/de/', '/de/?s=geheim', '/de/?key=geheim#s']) {
      const type = uri.includes('s=') ? 'search' : 'home'
      await hit(`/api/stats/hit?current_page_type=${type}&page_uri=${encodeURIComponent(uri)}`)
    }
    expect((await report()).pages.map(({ path, type, views }) => [path, type, views])).toEqual([
      ['/de/', 'home', 2],
      ['/de/?s=', 'search', 1],
    ])
  })

  it('STAT-01 is also taken as the ecosystem sends it: at any address, and posted', async () => {
    const fields = { wp_statistics_hit: 'yes', current_page_type: 'page', page_uri: '/about/?key=secret#there' }
    const query = new URLSearchParams(fields)
    expect(await answered(await hit(`/?${query}`))).toEqual(counted)
    expect(await answered(await hit('/api/stats/hit', {}, { method: 'POST', body: query }))).toEqual(counted)
    await report()
    const campaign = { ...fields, utm_source: 'news letter', utm_medium: 'email', utm_campaign: 'a+b' }
    expect(
      await answered(await hit('/api/stats/hit', {}, { method: 'POST', body: new URLSearchParams(campaign) })),
    ).toEqual(counted)
    const { pages, campaigns } = await report()
    expect(pages.map(({ path, views }) => [path, views])).toEqual([['/about/', 3]])
    expect(campaigns).toEqual([{ campaign: 'a+b', source: 'news letter', medium: 'email', visitors: 0, visits: 1 }])
  })

  it('STAT-04 a campaign named in another script keeps its name, which is long where it is encoded', async () => {
    const script = await printed('/shop/')
    const campaign = 'Летняя распродажа керамики и текстиля до конца августа'
    const link = new URLSearchParams({ utm_source: 'рассылка', utm_medium: 'email', utm_campaign: campaign })
    expect(
      await answered(await hit(`${script?.hitRequestUrl}&${link.toString().replaceAll('+', '%20')}`)),
    ).toMatchObject(counted)
    expect((await report()).campaigns).toEqual([
      { campaign, source: 'рассылка', medium: 'email', visitors: 1, visits: 1 },
    ])
  })

  it('STAT-03 a visitor who does not want it is answered like everybody else, and not counted', async () => {
    const { hitRequestUrl, keepOnlineRequestUrl } = (await printed('/')) ?? {
      hitRequestUrl: '',
      keepOnlineRequestUrl: '',
    }
    for (const [headers, reason] of [
      [{ dnt: '1' }, 'do-not-track'],
      [{ 'sec-gpc': '1' }, 'global-privacy-control'],
      [{ 'user-agent': 'Googlebot/2.1' }, 'robot'],
      [{ 'sec-fetch-site': 'cross-site' }, 'cross-site'],
    ] as const) {
      const sent = { ...headers } as unknown as Record<string, string>
      const exclusion = { exclusion_match: 'yes', exclusion_reason: reason }
      expect(await answered(await hit(hitRequestUrl, sent))).toMatchObject({ status: true, data: { exclusion } })
      expect(await answered(await hit(keepOnlineRequestUrl, sent))).toMatchObject({ status: true })
    }
    const { totals, exclusions } = await report()
    expect(totals.views).toBe(0)
    expect(exclusions.map(({ reason }) => reason).sort()).toEqual([
      'cross-site',
      'do-not-track',
      'global-privacy-control',
      'robot',
    ])
    expect((await onlineNow(shop.shop.application.tools)).visitors).toBe(0)
  })

  it('STAT-02 a page that stays open keeps its visitor here', async () => {
    const script = await printed('/shop/')
    await hit(script?.hitRequestUrl ?? '')
    await report()
    await shop.db.sql`delete from stat_online`
    const response = await hit(script?.keepOnlineRequestUrl ?? '')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(await answered(response)).toEqual({ status: true, message: 'The visitor is here.' })
    await report()
    expect(await onlineNow(shop.shop.application.tools)).toEqual({
      visitors: 1,
      pages: [{ path: '/shop/', visitors: 1 }],
    })
  })

  it.each([
    ['no page', 'current_page_type=page'],
    ['a type that there is not', 'current_page_type=wizard&page_uri=/'],
    ['no type', 'page_uri=/'],
    ['a path that is none', 'current_page_type=page&page_uri=about'],
    ['a path of 513 characters', `current_page_type=page&page_uri=/${'a'.repeat(512)}`],
    ['an id that is no number', 'current_page_type=page&page_uri=/&current_page_id=one'],
    ['an id below nothing', 'current_page_type=page&page_uri=/&current_page_id=-1'],
    ['base64 of no text', 'current_page_type=page&page_uri=_____w'],
  ])('STAT-01 is refused with %s', async (_, query) => {
    const response = await hit(`/api/stats/hit?${query}`)
    expect(response.status).toBe(400)
    expect((await report()).totals.views).toBe(0)
  })

  it('STAT-04 survives every header forged, eight kilobytes long and in other encodings', async () => {
    const long = 'Z'.repeat(8_000)
    const latin = 'caf\u00e9 \u00fc\u00ff'
    const names = [
      'user-agent',
      'accept-language',
      'referer',
      'cf-ipcountry',
      'x-forwarded-for',
      'cookie',
      'dnt',
      'sec-gpc',
      'sec-purpose',
      'purpose',
      'sec-fetch-site',
    ]
    const url = '/api/stats/hit?current_page_type=page&page_uri=/forged/'
    for (const name of names) {
      for (const value of [
        long,
        latin,
        '<script>alert(1)</script>',
        "'; drop table stat_visit; --",
        '%00%ff%fe',
        '\u00c3\u0028',
      ]) {
        const status = await raw(url, { ...browser, [name]: value })
        expect([name, value.slice(0, 20), status]).toEqual([name, value.slice(0, 20), 200])
      }
    }
    const odd = [
      'referred=%ff%fe',
      'referred=javascript:alert(1)',
      'referred=https://x.test/%00',
      `referred=https://${long}.test/`,
      'utm_source=%ff',
      'utm_campaign=%u0041',
      'search_query=%%%',
      'current_currency=<b>',
    ]
    for (const piece of odd)
      expect([piece, [200, 400].includes(await raw(`${url}&${piece}`, browser))]).toEqual([piece, true])
    const { totals, sources, countries } = await report()
    expect(totals.views).toBeGreaterThan(30)
    for (const { source } of sources) expect(source).toMatch(/^[^\p{Cc}]{1,100}$/u)
    // Nobody's own proxy has said so.
    expect(countries.map(({ country }) => country).filter((country) => country !== 'DE' && country !== '')).toEqual([])
  })
})

/** Another visitor than above, who was not so quick. */
const other = { ...browser, 'user-agent': agent.replaceAll('145', '144') }

describe('where the server counts', () => {
  it('STAT-01 STAT-03 pages are counted as they are handed out, from the cache too, and the hit call counts nothing', async () => {
    await configured({ cacheCompatibility: false })
    try {
      for (let time = 0; time < 3; time += 1) await (await fetch(`${shop.url}/shop/`, { headers: other })).text()
      await (await fetch(`${shop.url}/shop/`, { headers: { ...other, dnt: '1' } })).text()
      await (await fetch(`${shop.url}/shop/`, { headers: { ...other, 'sec-gpc': '1' } })).text()
      await (await fetch(`${shop.url}/shop/`, { headers: { ...other, 'sec-purpose': 'prefetch' } })).text()
      await (await fetch(`${shop.url}/?utm_source=news`, { headers: other })).text()
      await (await fetch(`${shop.url}/cart/`, { headers: other })).text()
      const script = await printed('/nowhere/')
      expect(script?.option.cacheCompatibility).toBe(false)
      expect(await answered(await hit(script?.hitRequestUrl ?? ''))).toMatchObject({ status: false })
      const { pages, exclusions, sources } = await report()
      expect(pages.map(({ path, views }) => [path, views])).toEqual([
        ['/shop/', 3],
        ['/', 1],
        ['/cart/', 1],
      ])
      expect(sources.find(({ source }) => source === 'news')).toMatchObject({ visits: 1 })
      expect(exclusions.map(({ reason, count }) => `${reason} ${count}`).sort()).toEqual([
        '404 1',
        'do-not-track 1',
        'global-privacy-control 1',
        'prefetch 1',
      ])
    } finally {
      await configured({})
    }
  })

  it('STAT-04 who follows a link on another site is counted as its visitor, what that site fetches by itself is not', async () => {
    await configured({ cacheCompatibility: false })
    try {
      const fromBlog = { ...other, 'sec-fetch-site': 'cross-site', referer: 'https://blog.example/' }
      await (await fetch(`${shop.url}/shop/`, { headers: { ...fromBlog, 'sec-fetch-dest': 'document' } })).text()
      await (await fetch(`${shop.url}/shop/`, { headers: { ...fromBlog, 'sec-fetch-dest': 'iframe' } })).text()
      await (await fetch(`${shop.url}/shop/`, { headers: fromBlog })).text()
      const { totals, sources, exclusions } = await report()
      expect(totals).toEqual({ visitors: 1, visits: 1, views: 1 })
      expect(sources).toEqual([{ source: 'blog.example', channel: 'referral', visitors: 1, visits: 1 }])
      expect(exclusions).toEqual([{ reason: 'cross-site', count: 2 }])
    } finally {
      await configured({})
    }
  })

  it('STAT-03 nothing is printed, and nothing counted, where the merchant wants no statistics', async () => {
    await configured({ enabled: false })
    try {
      expect(await printed('/shop/')).toBeNull()
      const url = '/api/stats/hit?current_page_type=page&page_uri=/'
      expect(await answered(await hit(url))).toMatchObject({ status: false })
      expect(await answered(await hit('/api/stats/online'))).toMatchObject({ status: false })
      expect((await report()).totals.views).toBe(0)
    } finally {
      await configured({})
    }
  })

  it('STAT-04 pages of those who work in the shop say so, and the server does not count them', async () => {
    await configured({ cacheCompatibility: false })
    try {
      const person = aCustomer(shop, 'manager@example.test')
      await person.register()
      const { tools } = shop.shop.application
      await setRole(tools, (await customerBy(tools, person.email))?.id ?? 0, 'shop_manager')
      const manager = aCustomer(shop, person.email)
      await manager.logIn()
      await report()
      await shop.db.sql`truncate stat_excluded, stat_count`
      const page = await (await manager.send('/my-account/', { headers: other })).text()
      expect(page).toContain('"staff":true')
      const { exclusions, totals } = await report()
      expect(exclusions).toEqual([{ reason: 'staff', count: 1 }])
      expect(totals.views).toBe(0)
      expect(
        await (await aCustomer(shop, 'x@example.test').send('/my-account/', { headers: other })).text(),
      ).not.toContain('"staff"')
    } finally {
      await configured({})
    }
  })
})

/** With these settings of the statistics, and the others as they are left out. */
async function configured(statistics: object): Promise<void> {
  await writeSettings(shop.db, { statistics })
  const wanted = JSON.stringify({ enabled: true, cacheCompatibility: true, ...statistics })
  await expect
    .poll(
      () => {
        const { enabled, cacheCompatibility } = shop.shop.application.tools.settings.statistics
        return JSON.stringify({ enabled, cacheCompatibility })
      },
      { timeout: 20_000 },
    )
    .toBe(wanted)
}

/** As bytes: the platform's own client sends no header that it does not like. */
function raw(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, shop.url), { headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end()
  })
}
