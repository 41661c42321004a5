import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { aShop } from '#tests/support/shared/page-fixtures.ts'
import { noFacts, someFacts } from '#tests/support/statistics/report-fixtures.ts'
import { type ShopContextValue, ShopProvider } from '../shared/shop-context.tsx'
import type { DashboardFacts } from './dashboard-facts.ts'
import { bucketsOf, periodText, trafficPoints } from './report-dates.ts'
import { ReportView } from './report-view.tsx'

const shown = (facts: DashboardFacts, over: Partial<ShopContextValue> = {}) =>
  renderToStaticMarkup(
    <ShopProvider value={aShop(over)}>
      <ReportView facts={facts} />
    </ShopProvider>,
  )
const text = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&lt;', '<')
const rects = (html: string, className: string) =>
  [...html.matchAll(new RegExp(`<svg class="${className}[^"]*"[^>]*><rect x="([^"]+)" width="([^"]+)"`, 'g'))].map(
    ([, x, width]) => [x, width],
  )

describe('the report of a period', () => {
  it('STAT-04 shows visitors, visits, views, pages, sources, campaigns, countries, devices, searches and what was left out', () => {
    const html = shown(someFacts({ period: '30-days' }))
    const words = text(html)
    expect(words).not.toContain('bing 0')
    for (const title of [
      'Visitors 10,774',
      'Visits 12,498',
      'Page views 35,554',
      'Harbour mug /product/harbour-mug/',
      'google Search engines',
      'autumn-table newsletter / email',
      'United States',
      'guessed from the language',
      'Smartphone',
      'linen apron',
      'Safari 26',
      'Page views that were not counted: 10,',
      'Revenue $14,835.00',
      'google 97 $6,230.70 2.1%',
      'newsletter 62 $4,005.45 –',
    ]) {
      expect(words).toContain(title)
    }
  })

  it('says how much has changed by a sign and a word, not by colour alone', () => {
    const html = shown(someFacts({ period: '30-days' }))
    expect(html).toMatch(/data-way="up"><span class="stat-by"><svg.*?<\/svg>\+12%<\/span>/)
    expect(html).toMatch(/data-way="down"><span class="stat-by"><svg.*?<\/svg>−9%<\/span>/)
    expect(text(html)).toContain('before: 9,611')
  })

  it('compares a day that has only begun with nothing', () => {
    const html = shown(someFacts({ period: 'today' }))
    expect(html).not.toContain('class="stat-by"')
    expect(text(html)).toContain('before: 360')
  })

  it('writes what visitors send as text, and links to no other site', () => {
    const facts = someFacts()
    const hostile = '"><script>alert(1)</script>'
    const page = (path: string) => ({ path, type: 'page', id: 0, views: 5, visitors: 5 })
    const html = shown({
      ...facts,
      report: {
        ...facts.report,
        pages: ['//evil.example/', '/\\evil.example/', 'javascript:alert(1)', `/${hostile}`].map(page),
        sources: [{ source: hostile, channel: 'referral', visits: 3, visitors: 3 }],
        campaigns: [{ campaign: hostile, source: hostile, medium: hostile, visits: 3, visitors: 3 }],
        searches: [{ term: hostile, visits: 3, visitors: 3 }],
        countries: [{ country: hostile, visits: 3, visitors: 3, guessed: 0 }],
        languages: [{ language: hostile, visits: 3, visitors: 3 }],
        browsers: [
          { browser: hostile, visits: 3, visitors: 3, versions: [{ version: hostile, visits: 3, visitors: 3 }] },
        ],
      },
    })
    expect(html).not.toContain('<script')
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;',
    ])
    expect(text(html)).toContain('"><script>alert(1)</script>'.replace('"', '&quot;').replaceAll('>', '&gt;'))
  })

  it('helps a shop that nobody has come to yet', () => {
    const words = text(shown(noFacts()))
    expect(words).toContain('No visitors yet')
    expect(words).not.toContain('Pages per visit')
    expect(text(shown({ ...noFacts(), counting: 'off' }))).toContain('statistics.enabled is off')
    expect(text(shown({ ...noFacts(), counting: 'agreed' }))).toContain('statistics.needsConsent is on')
  })

  it('draws no revenue as nought', () => {
    const facts = { ...someFacts({ period: '30-days' }), sales: { orders: 0, revenue: 0, days: [] } }
    const html = shown(facts)
    const [, chart = ''] = /aria-label="Revenue">(.*?)<\/svg>/.exec(html) ?? []
    expect(chart).toContain('>$0.00</text>')
    expect(html).not.toContain('$0.01')
  })

  it('draws from the right where the language is read so', () => {
    const facts = someFacts()
    const left = rects(shown(facts), 'stat-bar')
    const right = rects(shown(facts, { dir: 'rtl', language: 'ar' }), 'stat-bar')
    expect(left[0]).toEqual(['0', '100%'])
    expect(left[1]?.[0]).toBe('0')
    const [x = '', width = ''] = right[1] ?? []
    expect(Number.parseFloat(x) + Number.parseFloat(width)).toBeCloseTo(100)
    expect(width).toBe(left[1]?.[1])
  })

  it('is written as the language writes numbers and days', () => {
    const words = text(shown(someFacts({ period: '7-days' }), { language: 'de-DE' }))
    expect(words).toContain('16.–22. November 2026')
    expect(words).toContain('Visitors 2.653')
  })
})

describe('the places of the chart', () => {
  it('are hours of a single day, of which those to come are empty and the present one is unfinished', () => {
    const { report } = someFacts({ period: 'today' })
    const points = trafficPoints('en-GB', report, 14)
    expect(points).toHaveLength(24)
    expect(points[14]).toMatchObject({ label: '14', unfinished: true, visitors: report.hours[14]?.visitors })
    expect(points[15]).toMatchObject({ visitors: null, views: null })
    expect(trafficPoints('en-GB', someFacts({ period: 'yesterday' }).report, 14).every((one) => !one.unfinished)).toBe(
      true,
    )
  })

  it('are days, of which today is unfinished', () => {
    const points = trafficPoints('en-US', someFacts({ period: '90-days' }).report, 14)
    expect(points).toHaveLength(90)
    expect(points.filter(({ unfinished }) => unfinished)).toEqual([points[89]])
    expect(points[89]?.label).toBe('Sunday, November 22, 2026')
  })

  it('are whole weeks in a year, and lose nobody', () => {
    const { report } = someFacts({ period: '12-months' })
    const points = trafficPoints('en-US', report, 14)
    expect(points).toHaveLength(52)
    expect(points.reduce((sum, { visitors }) => sum + (visitors ?? 0), 0)).toBe(report.totals.visitors)
    const odd = bucketsOf('en-US', someFacts({ from: '2026-06-01', to: '2026-10-31' }).report)
    expect(odd[0]?.days).toEqual(['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05', '2026-06-06'])
    expect(odd.slice(1).every(({ days }) => days.length === 7)).toBe(true)
    expect(odd[0]?.unfinished).toBe(true)
  })

  it('name a period of one day by the day alone', () => {
    expect(periodText('en-US', { from: '2026-11-22', to: '2026-11-22' })).toBe('November 22, 2026')
  })
})
