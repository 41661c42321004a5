import { restNonceAction } from '#contract/shared/rest.ts'
import { urls } from '#contract/shared/urls.ts'
import { type DashboardSettings, dashboardElementId } from '#contract/statistics/dashboard.ts'
import { readStatisticsInput } from '#contract/statistics/read-statistics.ts'
import { renderEditor } from '#web/editor/render-editor.tsx'
import { StatisticsPage } from '#web/pages/statistics/statistics-page.tsx'
import { reportDirective } from '../../http/security/security-headers.ts'
import { readDashboard } from '../../statistics/read-dashboard.ts'
import { requireRole } from '../customers/require-role.ts'
import { staffPageHeaders } from '../shared/staff-page-headers.ts'

/** As strict as possible: the page has no third-party content and must not be framed. */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'",
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types vitrine",
  reportDirective,
].join('; ')

/** Answers with the merchant's statistics: for shop managers alone, not cached, not counted itself. */
export const statisticsPage = requireRole('shop_manager', async (visit) => {
  const { app } = visit
  const shop = await app.shop()
  const { t } = shop
  const facts = await readDashboard(app, readStatisticsInput.parse(Object.fromEntries(visit.url.searchParams)))
  const settings: DashboardSettings = {
    root: urls.rest(''),
    nonce: await visit.nonce('wp_rest'),
    nonceEndpoint: `${urls.adminAjax}?action=${restNonceAction}`,
    language: app.language.tag,
    words: {
      loading: t('Loading…'),
      shown: t('Shown: %s'),
      failed: t('The figures could not be loaded. Please try again.'),
      loggedOut: t('You are no longer logged in. Please reload the page.'),
      inspect: t('Figures for one point of the chart'),
    },
  }
  const { css, script } = app.assets.statistics
  const writing = new Intl.Locale(app.language.tag).maximize().script === 'Latn' ? [] : app.assets.writing
  const frame = {
    title: t('Statistics'),
    css: [...app.assets.css, ...writing, ...css],
    script,
    facts: settings,
    factsId: dashboardElementId,
    className: 'stat-page',
  }
  return new Response(renderEditor(shop, frame, <StatisticsPage facts={facts} />), {
    headers: { ...staffPageHeaders(policy), 'Content-Language': app.language.tag },
  })
})
