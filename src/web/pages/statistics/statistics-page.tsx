import { urls } from '#contract/shared/urls.ts'
import { statisticsUrls } from '#contract/statistics/dashboard.ts'
import { periodNames } from '#domain/statistics/report-period.ts'
import { useShop } from '../../parts/shared/shop-context.tsx'
import type { DashboardFacts } from '../../parts/statistics/dashboard-facts.ts'
import { OnlineNow } from '../../parts/statistics/online-now.tsx'
import { choosableDays } from '../../parts/statistics/report-dates.ts'
import { ReportView } from '../../parts/statistics/report-view.tsx'
import { periodWords } from '../../parts/statistics/report-words.ts'

/**
 * The merchant's statistics page. Periods are links and a form, so that it works without scripts; its script changes
 * them without a page load.
 */
export function StatisticsPage({ facts }: { facts: DashboardFacts }) {
  const { t, path, name } = useShop()
  const { period, report } = facts
  const words = periodWords(t)
  const { min, max } = choosableDays(report)
  return (
    <>
      <a className="skip-link screen-reader-text" href="#main">
        {t('Skip to content')}
      </a>
      <header className="stat-head">
        <div className="stat-title">
          <h1>{t('Statistics')}</h1>
          <p>{name}</p>
        </div>
        <OnlineNow online={facts.online} />
        <nav className="stat-links" aria-label={t('Shop')}>
          <a href={path(urls.account())}>{t('My account')}</a>
          <a href={path(urls.home())}>{t('Back to the shop')}</a>
        </nav>
      </header>
      <main id="main" className="stat-main" tabIndex={-1}>
        <div className="stat-controls">
          <nav className="stat-periods" aria-label={t('Period')}>
            <ul>
              {periodNames.map((one) => (
                <li key={one}>
                  <a
                    href={path(statisticsUrls.page({ period: one }))}
                    data-period={one}
                    aria-current={period.name === one ? 'true' : undefined}
                  >
                    {words[one]}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <form className="stat-dates" method="get" action={path(statisticsUrls.page())}>
            <label>
              <span>{t('From')}</span>
              <input type="date" name="from" defaultValue={period.from} min={min} max={max} required />
            </label>
            <label>
              <span>{t('To')}</span>
              <input type="date" name="to" defaultValue={period.to} min={min} max={max} required />
            </label>
            <button type="submit" className="button">
              {t('Show')}
            </button>
          </form>
        </div>
        <p className="stat-told" role="status" />
        <div id="statistics-report" className="stat-report">
          <ReportView facts={facts} />
        </div>
      </main>
    </>
  )
}
