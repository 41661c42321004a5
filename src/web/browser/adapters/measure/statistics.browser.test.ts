import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { readStatistics } from '#shop/statistics/read-statistics.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { measureScripts } from '../../../../../bench/support/measure-scripts.ts'

let browser: Browser
let shop: TestShop
let script: string
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false })])
  script = (await measureScripts()).get('measure.ts') ?? ''
})
afterAll(async () => {
  await browser.close()
  await shop.close()
})
beforeEach(() => configured({}))

/** Browser properties that a test sets before the page's first script. */
type Nature = {
  navigator?: Record<string, unknown>
  window?: Record<string, unknown>
  hidden?: boolean
  prerendering?: boolean
  staff?: boolean
}

/** Opens a page of a human visitor's browser, with a clock that the test moves and the hits that it sent. */
async function aLook(nature: Nature = {}, { answers = true } = {}) {
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    locale: 'de-AT',
  })
  const page = await context.newPage()
  const sent: URL[] = []
  const headers: Record<string, string>[] = []
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(`uncaught ${error.message}`))
  let loads = 0
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname === script) loads += 1
  })
  await page.clock.install()
  await page.route('**/api/stats/**', async (route) => {
    sent.push(new URL(route.request().url()))
    headers.push(await route.request().allHeaders())
    if (answers) await route.fallback()
    else await route.abort()
  })
  await page.addInitScript((given: Nature) => {
    const define = (on: object, name: string, value: unknown) =>
      Object.defineProperty(on, name, { get: () => value, configurable: true })
    for (const [name, value] of Object.entries(given.navigator ?? {})) define(Navigator.prototype, name, value)
    for (const [name, value] of Object.entries(given.window ?? {})) define(window, name, value)
    if (given.prerendering) define(document, 'prerendering', true)
    if (given.hidden) define(document, 'hidden', true)
  }, nature)
  return {
    page,
    sent,
    headers,
    said,
    loads: () => loads,
    hits: () => sent.filter(({ pathname }) => pathname.endsWith('/hit')),
    pings: () => sent.filter(({ pathname }) => pathname.endsWith('/online')).length,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Opens the path and waits for the idle time, after which the script has run, or has not. */
async function open(page: Page, path = '/shop/'): Promise<void> {
  await page.goto(shop.url + path)
  await page.clock.runFor(2_000)
}

/** Waits until the script is loaded and has had a moment to run. */
async function started(look: { page: Page; loads(): number }, times = 1): Promise<void> {
  await eventually(async () => {
    await look.page.clock.runFor(100)
    return look.loads()
  }).toBe(times)
  // It waits for an idle moment, a second at most.
  await look.page.clock.runFor(2_000)
}

const shown = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { get: () => value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

async function configured(statistics: object): Promise<void> {
  await writeSettings(shop.db, { statistics })
  const asked = () => shop.shop.application.tools.settings.statistics
  await eventually(() =>
    Object.entries(statistics).every(([name, value]) => Reflect.get(asked(), name) === value),
  ).toBe(true)
  if (Object.keys(statistics).length === 0) {
    await eventually(() => asked().enabled && asked().cacheCompatibility && asked().honourDoNotTrack).toBe(true)
  }
}

describe('a page that is looked at', () => {
  it('STAT-01 says so once, with where its visitor came from and the time, without a cookie', async () => {
    await using look = await aLook()
    await look.page.context().addCookies([{ name: 'sid', value: 'secret', url: shop.url }])
    await look.page.goto(`${shop.url}/shop/?utm_source=a+b%20c&utm_content=mine&gclid=my-own-click&secret=1`, {
      referer: 'https://blog.example.org/post?x=1',
    })
    await eventually(async () => {
      await look.page.clock.runFor(500)
      return look.hits().length
    }).toBe(1)
    const [hit] = look.hits()
    expect(hit?.pathname).toBe('/api/stats/hit')
    expect(hit?.searchParams.get('current_page_type')).toBe('shop')
    expect(hit?.searchParams.get('referred')).toBe('https://blog.example.org/post?x=1')
    expect(Number(hit?.searchParams.get('_'))).toBeGreaterThan(1_600_000_000_000)
    // The link's parameters, without any that identify a visitor.
    expect(hit?.search).toContain('utm_source=a+b%20c')
    expect(hit?.search).toContain('gclid=1')
    expect(hit?.search).not.toMatch(/my-own-click|secret/)
    expect(look.headers[0]?.cookie).toBeUndefined()
    await look.page.clock.runFor(20_000)
    expect(look.hits()).toHaveLength(1)
    const { tools } = shop.shop.application
    const day = new Date().toISOString().slice(0, 10)
    await eventually(async () => (await readStatistics(tools, { from: day, to: day })).sources).toEqual([
      { source: 'a+b c', channel: 'paid', visitors: 1, visits: 1 },
    ])
    expect(await look.page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
    expect(look.said).toEqual([])
  })

  it('STAT-02 says every half a minute that it still is, not while it is hidden, and at once when it is back after longer', async () => {
    await using look = await aLook()
    await open(look.page)
    await eventually(() => look.hits().length).toBe(1)
    expect(look.pings()).toBe(0)
    await look.page.clock.runFor(61_000)
    await eventually(look.pings).toBe(2)
    await shown(look.page, true)
    await look.page.clock.runFor(10 * 60_000)
    expect(look.pings()).toBe(2)
    await shown(look.page, false)
    await eventually(look.pings).toBe(3)
    // After a short absence the next hit is sent when its half minute is over.
    await shown(look.page, true)
    await look.page.clock.runFor(5_000)
    await shown(look.page, false)
    expect(look.pings()).toBe(3)
    await look.page.clock.runFor(31_000)
    await eventually(look.pings).toBe(4)
  })

  it('STAT-01 STAT-02 where the server counts pages only says that it still is looked at', async () => {
    await configured({ cacheCompatibility: false })
    await using look = await aLook()
    await open(look.page)
    await started(look)
    await eventually(async () => {
      await look.page.clock.runFor(31_000)
      return look.pings()
    }).toBeGreaterThan(0)
    expect(look.hits()).toEqual([])
  })

  it.each<[string, Nature]>([
    ['the browser’s', { navigator: { doNotTrack: '1' } }],
    ['the number', { navigator: { doNotTrack: 1 } }],
    ['the word', { navigator: { doNotTrack: 'yes' } }],
    ['an old browser’s', { navigator: { msDoNotTrack: '1' } }],
    ['the window’s', { window: { doNotTrack: '1' } }],
    ['Global Privacy Control', { navigator: { globalPrivacyControl: true } }],
  ])('STAT-03 sends nothing where its visitor does not want it: %s', async (_, nature) => {
    await using look = await aLook(nature)
    await open(look.page)
    if (!nature.navigator?.globalPrivacyControl) await started(look)
    await look.page.clock.runFor(95_000)
    expect(look.sent).toEqual([])
  })

  it.each(['0', 'unspecified', null, 'null', '2'])('STAT-03 do-not-track %s is no such wish', async (doNotTrack) => {
    await using look = await aLook({ navigator: { doNotTrack } })
    await open(look.page)
    await eventually(() => look.hits().length).toBe(1)
  })

  it('STAT-03 do-not-track is no reason where the merchant does not honour it, Global Privacy Control always is', async () => {
    await configured({ honourDoNotTrack: false })
    await using look = await aLook({ navigator: { doNotTrack: '1' } })
    await open(look.page)
    await eventually(() => look.hits().length).toBe(1)
    await using other = await aLook({ navigator: { doNotTrack: '1', globalPrivacyControl: true } })
    await open(other.page)
    await other.page.clock.runFor(65_000)
    expect(other.sent).toEqual([])
  })

  it('STAT-01 is not counted while it is made ready, or waits behind another, but when it is first shown', async () => {
    await using look = await aLook({ hidden: true, prerendering: true })
    await open(look.page)
    await look.page.clock.runFor(65_000)
    expect(look.sent).toEqual([])
    await look.page.evaluate(() => {
      Object.defineProperty(document, 'prerendering', { get: () => false, configurable: true })
      document.dispatchEvent(new Event('prerenderingchange'))
    })
    await started(look)
    await look.page.clock.runFor(65_000)
    expect(look.sent).toEqual([])
    await shown(look.page, false)
    await eventually(() => look.hits().length).toBe(1)
    expect(look.pings()).toBe(0)
  })

  it('STAT-01 counts again when its visitor comes back to it, as a page of the same visit', async () => {
    await using look = await aLook()
    await look.page.goto(`${shop.url}/shop/?utm_source=once`, { referer: 'https://blog.example.org/' })
    await eventually(async () => {
      await look.page.clock.runFor(500)
      return look.hits().length
    }).toBe(1)
    await look.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await eventually(() => look.hits().length).toBe(2)
    expect(look.hits()[1]?.searchParams.get('referred')).toBe('')
    expect(look.hits()[1]?.search).not.toContain('once')
  })

  it('STAT-01 goes on as if nothing were, where the calls are blocked', async () => {
    await using look = await aLook({}, { answers: false })
    await open(look.page)
    await eventually(() => look.hits().length).toBe(1)
    await look.page.clock.runFor(31_000)
    await eventually(look.pings).toBe(1)
    expect(look.said.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })

  it('STAT-01 says one thing on the console where its settings are missing or broken, and nothing else happens', async () => {
    for (const broken of ['{', 'null', '{"hitRequestUrl":"/x"}']) {
      await using look = await aLook()
      await look.page.route('**/shop/', async (route) => {
        const response = await route.fetch()
        const html = (await response.text()).replace(/(id="stats-config">).*?(<\/script>)/s, `$1${broken}$2`)
        await route.fulfill({ response, body: html })
      })
      await open(look.page)
      await started(look)
      await eventually(() => look.said).toEqual(['The page does not say how its visits are counted.'])
      await look.page.clock.runFor(31_000)
      expect(look.sent).toEqual([])
    }
  })

  it('STAT-04 a browser in which somebody of the staff was is not counted any more', async () => {
    await using look = await aLook()
    await look.page.route('**/my-account/', async (route) => {
      const response = await route.fetch()
      const html = (await response.text()).replace(
        '"cacheCompatibility":true',
        '"cacheCompatibility":true,"staff":true',
      )
      await route.fulfill({ response, body: html })
    })
    await open(look.page, '/my-account/')
    await started(look)
    await eventually(() => look.page.evaluate(() => localStorage.length)).toBe(1)
    await open(look.page, '/shop/')
    await started(look, 2)
    await look.page.clock.runFor(65_000)
    expect(look.sent).toEqual([])
  })
})
