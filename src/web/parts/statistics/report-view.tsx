import { urls } from '#contract/shared/urls.ts'
import { money } from '#domain/money/money.ts'
import { priceText } from '../currency/price.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { ColumnChart } from './column-chart.tsx'
import type { DashboardFacts } from './dashboard-facts.ts'
import { figures } from './figures.ts'
import { type KeyFigure, KeyFigures } from './key-figures.tsx'
import { bucketsOf, periodText, trafficPoints } from './report-dates.ts'
import { ReportPanels } from './report-panels.tsx'
import { exclusionWords } from './report-words.ts'
import { SalesBySource } from './sales-by-source.tsx'
import { TrafficChart } from './traffic-chart.tsx'

/** The part that changes with the period: rendered on the page, and in the response of the call. */
export function ReportView({ facts }: { facts: DashboardFacts }) {
  const shop = useShop()
  const { t, language } = shop
  const { report, counting, sales, hour } = facts
  const dates = periodText(language, report.period)
  const nothingYet = report.since === null && report.totals.views === 0
  return (
    <>
      <h2 className="stat-period" id="stat-period">
        {dates}
      </h2>
      {counting === 'off' && (
        <p className="stat-notice">
          {t('Visits are not counted at the moment: the setting statistics.enabled is off.')}
        </p>
      )}
      {nothingYet ? (
        <FirstSteps facts={facts} />
      ) : (
        <>
          <KeyFigures all={keyFigures(facts, shop)} />
          {report.totals.views === 0 && (
            <p className="stat-notice">{t('No visitors in this period. A longer one may show more.')}</p>
          )}
          <TrafficChart
            points={trafficPoints(language, report, hour)}
            heading={t('Visitors and page views: %s', dates)}
          />
        </>
      )}
      {(sales.orders > 0 || facts.salesBefore.orders > 0) && (
        <div className="stat-panels stat-panels-wide">
          {report.days.length > 1 && <SalesChart facts={facts} />}
          <SalesBySource facts={facts} />
        </div>
      )}
      {!nothingYet && <ReportPanels facts={facts} />}
      <NotCounted facts={facts} />
    </>
  )
}

type Shop = ReturnType<typeof useShop>

function keyFigures(facts: DashboardFacts, shop: Shop): KeyFigure[] {
  const { t, language } = shop
  const { whole, average, share } = figures(language)
  const { report, period, sales, salesBefore, currency } = facts
  // A day in progress is not comparable with a whole one.
  const { totals, before } = report
  const unfinished = period.from === report.today
  const perVisit = (of: { views: number; visits: number }) => (of.visits > 0 ? of.views / of.visits : 0)
  const rate = (orders: number, visits: number) => (visits > 0 ? Math.min(1, orders / visits) : 0)
  const one = (
    key: string,
    name: string,
    now: number,
    then: number | null,
    text: (value: number) => string,
  ): KeyFigure => ({
    key,
    name,
    now,
    text: text(now),
    before: then === null ? null : { value: then, text: text(then) },
    comparable: !unfinished,
  })
  const amount = (minor: number) => priceText(shop, money(minor, currency))
  const then = before?.totals ?? null
  return [
    one('visitors', t('Visitors'), totals.visitors, then?.visitors ?? null, whole),
    one('visits', t('Visits'), totals.visits, then?.visits ?? null, whole),
    one('views', t('Page views'), totals.views, then?.views ?? null, whole),
    one('per-visit', t('Pages per visit'), perVisit(totals), then && perVisit(then), average),
    one('orders', t('Orders'), sales.orders, salesBefore.orders, whole),
    one('revenue', t('Revenue'), sales.revenue, salesBefore.revenue, amount),
    one(
      'conversion',
      t('Orders per visit'),
      rate(sales.orders, totals.visits),
      then && rate(salesBefore.orders, then.visits),
      share,
    ),
  ]
}

function SalesChart({ facts }: { facts: DashboardFacts }) {
  const shop = useShop()
  const { t, n, language } = shop
  const byDay = new Map(facts.sales.days.map((one) => [one.day, one]))
  return (
    <ColumnChart
      id="stat-sales"
      title={t('Revenue')}
      hint={t('Payments minus refunds, by the day of the order.')}
      names={[t('Time'), t('Revenue')]}
      labels={7}
      read={(minor) => priceText(shop, money(minor, facts.currency))}
      columns={bucketsOf(language, facts.report).map(({ days, label, short }) => {
        const sum = (of: 'orders' | 'revenue') => days.reduce((all, day) => all + (byDay.get(day)?.[of] ?? 0), 0)
        const revenue = Math.max(0, sum('revenue'))
        return {
          key: label,
          label,
          short,
          value: revenue,
          text: `${priceText(shop, money(revenue, facts.currency))} (${n(sum('orders'), '%s order', '%s orders')})`,
        }
      })}
    />
  )
}

/** For a shop without visits: what is counted, and how to test it. */
function FirstSteps({ facts: { counting } }: { facts: DashboardFacts }) {
  const { t } = useShop()
  return (
    <section className="stat-empty">
      <svg viewBox="0 0 120 60" aria-hidden="true">
        <path className="stat-empty-line" d="M4 50 28 38 52 44 76 22 100 28 116 8" />
        <path className="stat-grid" d="M0 58h120" />
      </svg>
      <h2>{t('No visitors yet')}</h2>
      <p>
        {t(
          'From the first visit on, you see here how many people came, what they looked at and where they came from. Nothing is stored that identifies them.',
        )}
      </p>
      <ul>
        <li>
          {t('To try it, open the shop in a private window: you yourself are not counted while you are logged in.')}
        </li>
        <li>{t('Share a link to the shop: visits through it show their source here.')}</li>
        {counting === 'agreed' && (
          <li>{t('Only visitors who agree to statistics are counted: the setting statistics.needsConsent is on.')}</li>
        )}
      </ul>
      <a className="button" href={urls.home()}>
        {t('Look around the shop')}
      </a>
    </section>
  )
}

function NotCounted({ facts: { report } }: { facts: DashboardFacts }) {
  const { t, language } = useShop()
  const { whole } = figures(language)
  const words = exclusionWords(t)
  const all = report.exclusions.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  return (
    <details className="stat-table stat-excluded">
      <summary>{t('Page views that were not counted: %s', whole(all))}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Why')}</th>
            <th scope="col">{t('How often')}</th>
          </tr>
        </thead>
        <tbody>
          {report.exclusions.map(({ reason, count }) => (
            <tr key={reason}>
              <th scope="row">{words[reason]}</th>
              <td>{whole(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
