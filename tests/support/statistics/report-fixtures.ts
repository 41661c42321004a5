import { daysOf, type PeriodName, periodBefore, reportPeriod } from '#domain/statistics/report-period.ts'
import type { StatisticsReport } from '#shop/statistics/read-statistics.ts'
import type { DashboardFacts } from '#web/parts/statistics/dashboard-facts.ts'

/** Facts for tests and previews of the statistics: a small shop's, the same in every run. */

const today = '2026-11-22'

/** Weekends are quieter, and each day is somewhat different. */
const wave = (place: number) =>
  (place % 7 >= 5 ? 0.55 : 1) * (1 + 0.25 * Math.sin(place * 1.7) + 0.15 * Math.sin(place / 3))

const share = (visits: number) => ({ visits, visitors: Math.round(visits * 0.86) })

export function someFacts(
  asked: { period?: PeriodName; from?: string; to?: string } = {},
  over: Partial<DashboardFacts> = {},
): DashboardFacts {
  const period = reportPeriod(asked, today)
  const days = (of: { from: string; to: string }, size: number) =>
    daysOf(of).map((day, place) => {
      const visitors = Math.round(size * wave(place) * (day === today ? 0.45 : 1))
      return { day, visitors, visits: Math.round(visitors * 1.16), views: Math.round(visitors * 3.3) }
    })
  const sum = (all: StatisticsReport['days']) => ({
    visitors: all.reduce((sum, { visitors }) => sum + visitors, 0),
    visits: all.reduce((sum, { visits }) => sum + visits, 0),
    views: all.reduce((sum, { views }) => sum + views, 0),
  })
  const now = days(period, 410)
  const before = days(periodBefore(period), 360)
  const totals = sum(now)
  const of = (part: number) => Math.round(totals.visits * part)
  const page = (path: string, type: string, id: number, part: number) => ({
    path,
    type,
    id,
    views: Math.round(totals.views * part),
    visitors: Math.round(totals.visitors * part),
  })
  const sales = now.map(({ day, visits }, place) => ({
    day,
    orders: Math.round(visits * 0.021 * wave(place + 2)),
    revenue: Math.round(visits * 0.021 * wave(place + 2)) * 6450,
  }))
  const salesSum = {
    orders: sales.reduce((sum, { orders }) => sum + orders, 0),
    revenue: sales.reduce((sum, { revenue }) => sum + revenue, 0),
  }
  const report: StatisticsReport = {
    period,
    today,
    since: '2025-06-03',
    totals,
    days: now,
    hours: Array.from({ length: 24 }, (_, hour) => {
      const visitors = Math.round(
        (totals.visitors / 14) * Math.max(0.02, Math.sin(((hour - 5) / 19) * Math.PI)) * wave(hour),
      )
      return { hour, visitors, visits: visitors, views: visitors * 3 }
    }),
    before: { period: periodBefore(period), totals: sum(before), days: before },
    pages: [
      page('/', 'home', 0, 0.21),
      page('/shop/', 'shop', 0, 0.148),
      page('/product/harbour-mug/', 'product', 12, 0.093),
      page('/product-category/kitchen/tableware/', 'category', 3, 0.071),
      page('/de/product/leinen-geschirrtuch-mit-einem-recht-langen-namen-zur-probe/', 'product', 31, 0.055),
      page('/product/oak-board/', 'product', 14, 0.041),
      page('/cart/', 'cart', 0, 0.036),
      page('/checkout/', 'checkout', 0, 0.021),
      page('/about/', 'page', 0, 0.011),
      page('/product/<b>no markup</b>/', 'product', 0, 0.003),
    ],
    channels: [
      { channel: 'search', ...share(of(0.41)) },
      { channel: 'direct', ...share(of(0.23)) },
      { channel: 'social', ...share(of(0.14)) },
      { channel: 'email', ...share(of(0.1)) },
      { channel: 'referral', ...share(of(0.06)) },
      { channel: 'paid', ...share(of(0.04)) },
      { channel: 'campaign', ...share(of(0.02)) },
    ],
    sources: [
      { source: 'google', channel: 'search', ...share(of(0.36)) },
      { source: '(direct)', channel: 'direct', ...share(of(0.23)) },
      { source: 'instagram', channel: 'social', ...share(of(0.11)) },
      { source: 'newsletter', channel: 'email', ...share(of(0.1)) },
      { source: 'bing', channel: 'search', ...share(of(0.05)) },
      { source: 'google', channel: 'paid', ...share(of(0.04)) },
      { source: 'slow-homes.example', channel: 'referral', ...share(of(0.04)) },
      { source: 'facebook', channel: 'social', ...share(of(0.03)) },
      { source: 'leaflet', channel: 'campaign', ...share(of(0.02)) },
    ],
    campaigns: [
      { campaign: 'autumn-table', source: 'newsletter', medium: 'email', ...share(of(0.07)) },
      { campaign: 'brand', source: 'google', medium: 'cpc', ...share(of(0.04)) },
      { campaign: 'harbour', source: 'leaflet', medium: 'print', ...share(of(0.02)) },
    ],
    countries: [
      { country: 'US', guessed: 0, ...share(of(0.38)) },
      { country: 'DE', guessed: 12, ...share(of(0.22)) },
      { country: 'GB', guessed: 0, ...share(of(0.12)) },
      { country: 'CA', guessed: 0, ...share(of(0.08)) },
      { country: 'FR', guessed: 0, ...share(of(0.06)) },
      { country: 'JP', guessed: of(0.03), ...share(of(0.03)) },
      { country: '', guessed: 0, ...share(of(0.02)) },
    ],
    languages: [
      { language: 'en', ...share(of(0.6)) },
      { language: 'de', ...share(of(0.22)) },
      { language: 'fr', ...share(of(0.07)) },
      { language: 'ja', ...share(of(0.03)) },
      { language: '', ...share(of(0.01)) },
    ],
    devices: [
      { device: 'Mobile', ...share(of(0.61)) },
      { device: 'Desktop', ...share(of(0.34)) },
      { device: 'Tablet', ...share(of(0.05)) },
    ],
    browsers: [
      {
        browser: 'Safari',
        ...share(of(0.44)),
        versions: [
          { version: '26', ...share(of(0.3)) },
          { version: '18', ...share(of(0.14)) },
        ],
      },
      { browser: 'Chrome', ...share(of(0.41)), versions: [{ version: '150', ...share(of(0.41)) }] },
      { browser: 'Firefox', ...share(of(0.09)), versions: [{ version: '151', ...share(of(0.09)) }] },
      { browser: 'Edge', ...share(of(0.06)), versions: [] },
    ],
    systems: [
      { system: 'iOS', ...share(of(0.42)) },
      { system: 'Android', ...share(of(0.24)) },
      { system: 'Windows', ...share(of(0.2)) },
      { system: 'macOS', ...share(of(0.12)) },
      { system: 'Linux', ...share(of(0.02)) },
    ],
    searches: [
      { term: 'mug', ...share(of(0.01)) },
      { term: 'linen apron', ...share(of(0.006)) },
      { term: 'gift', ...share(of(0.004)) },
    ],
    currencies: [
      { currency: 'USD', ...share(of(0.7)) },
      { currency: 'EUR', ...share(of(0.3)) },
    ],
    exclusions: [
      { reason: 'robot', count: of(0.7) },
      { reason: 'prefetch', count: of(0.1) },
      { reason: 'do-not-track', count: of(0.05) },
      { reason: 'staff', count: 41 },
    ],
  }
  return {
    period,
    report,
    sales: { ...salesSum, days: sales },
    salesBefore: { orders: Math.round(salesSum.orders * 1.1), revenue: Math.round(salesSum.revenue * 1.06), days: [] },
    currency: 'USD',
    origins: someOrigins(period, salesSum),
    titles: new Map([
      ['/product/harbour-mug/', 'Harbour mug'],
      ['/product/oak-board/', 'Oak board'],
      ['/product-category/kitchen/tableware/', 'Tableware'],
      ['/de/product/leinen-geschirrtuch-mit-einem-recht-langen-namen-zur-probe/', 'Linen tea towel'],
    ]),
    online: { visitors: 7, pages: [{ path: '/', visitors: 3 }] },
    hour: 14,
    counting: 'everybody',
    ...over,
  }
}

/** Of four sources; what came by the newsletter was not counted as visits. */
function someOrigins(period: { from: string; to: string }, { orders, revenue }: { orders: number; revenue: number }) {
  const line = (value: string, part: number, conversion: number | null) => {
    const sold = Math.round(orders * part)
    const earned = Math.round(revenue * part)
    const visits = conversion === null ? null : Math.round(sold / conversion)
    return { value, orders: sold, paid: sold, revenue: earned, average: 6450, visits, conversion }
  }
  const { value: _, ...all } = line('', 1, 0.018)
  return {
    ...{ from: period.from, to: period.to, by: 'source', touch: 'last', currency: 'USD', withoutVisits: null },
    lines: [
      line('google', 0.42, 0.021),
      line('newsletter', 0.27, null),
      line('(direct)', 0.21, 0.014),
      line('instagram', 0.1, 0.006),
      { ...line('bing', 0, 0.01), orders: 0, visits: 31 },
    ],
    all,
  } satisfies DashboardFacts['origins']
}

/** Of a shop that has only just been set up. */
export function noFacts(): DashboardFacts {
  const facts = someFacts({ period: '30-days' })
  const none = { visitors: 0, visits: 0, views: 0 }
  const zero = (days: StatisticsReport['days']) => days.map(({ day }) => ({ day, ...none }))
  const { report } = facts
  return {
    ...facts,
    report: {
      ...report,
      since: null,
      totals: none,
      days: zero(report.days),
      hours: report.hours.map(({ hour }) => ({ hour, ...none })),
      before: report.before && { ...report.before, totals: none, days: zero(report.before.days) },
      pages: [],
      channels: [],
      sources: [],
      campaigns: [],
      countries: [],
      languages: [],
      devices: [],
      browsers: [],
      systems: [],
      searches: [],
      currencies: [],
      exclusions: [],
    },
    sales: { orders: 0, revenue: 0, days: [] },
    salesBefore: { orders: 0, revenue: 0, days: [] },
    origins: { ...facts.origins, lines: [] },
    online: { visitors: 0, pages: [] },
    titles: new Map(),
  }
}
