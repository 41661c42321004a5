import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { readStatistics } from '#shop/statistics/read-statistics.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'accept-language': 'en-GB',
  accept: 'text/html',
}

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop.close())

const configured = async (settings: Record<string, unknown>) => {
  await writeSettings(shop.db, settings)
  await reconfigured(shop)
}
const page = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(shop.url + path, { headers: { ...browser, ...headers } })).text()
const marks = (html: string) =>
  ['data-asks="statistics marketing"', 'id="privacy-choices"', 'privacy-choices-link', '/assets/consent-'].filter(
    (mark) => html.includes(mark),
  )
const all = 4

describe('the question of consent in pages', () => {
  it('ATTR-05 is the same for everybody, whatever they have answered, and in every kind of page', async () => {
    await configured({ consent: { banner: true }, statistics: { needsConsent: true } })
    const forged = 'wp_consent_marketing=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E'
    const first = await page('/shop/')
    expect(marks(first)).toHaveLength(all)
    for (const cookie of ['wp_consent_marketing=allow', 'wp_consent_marketing=deny', forged])
      expect(await page('/shop/', { cookie })).toBe(first)
    for (const path of ['/', '/product/plain-mug/', '/cart/', '/my-account/', '/privacy-policy/', '/nowhere/'])
      expect(marks(await page(path, { cookie: forged })), path).toHaveLength(all)
    expect(first).toContain('href="/privacy-policy/"')
  })

  it('ATTR-05 stands in the page of a shop that is not open yet, too', async () => {
    await configured({ consent: { banner: true }, statistics: { needsConsent: true }, comingSoon: true })
    const html = await page('/shop/')
    expect(html).toContain('site-footer--bare')
    expect(marks(html)).toHaveLength(all)
    await configured({ comingSoon: false })
  })

  it('ATTR-05 is not put where nothing depends on the answer', async () => {
    await configured({
      consent: { banner: true },
      attribution: { enabled: false },
      statistics: { needsConsent: false },
    })
    const html = await page('/shop/')
    expect(marks(html)).toEqual([])
    expect(html).toContain('data-asks=""')
  })
})

describe('visits that the server counts itself', () => {
  it('P13 ATTR-05 STAT-02 are counted only with the consent that the shop asks for', async () => {
    await configured({
      consent: { banner: true },
      statistics: { needsConsent: true, cacheCompatibility: false },
    })
    await page('/shop/')
    await page('/shop/', { cookie: 'wp_consent_statistics=deny' })
    await page('/shop/', { cookie: `wp_consent_statistics=${'allow'.repeat(1600)}` })
    await page('/', { cookie: 'wp_consent_statistics=allow' })
    expect(await views()).toEqual([['/', 1]])

    // Where nobody is asked, a visitor who has said no all the same is left alone.
    await configured({ consent: { banner: false }, statistics: { needsConsent: false, cacheCompatibility: false } })
    await page('/cart/')
    await page('/shop/', { cookie: 'wp_consent_statistics=deny' })
    expect(await views()).toEqual([
      ['/', 1],
      ['/cart/', 1],
    ])
  })

  async function views() {
    const { statistics, tools } = shop.shop.application
    await statistics.flush()
    await statistics.flush()
    const day = new Date().toISOString().slice(0, 10)
    const { pages } = await readStatistics(tools, { from: day, to: day })
    return pages.map(({ path, views }) => [path, views]).sort()
  }
})
