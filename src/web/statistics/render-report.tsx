import { renderToStaticMarkup } from 'react-dom/server'
import { type ShopContextValue, ShopProvider } from '../parts/shared/shop-context.tsx'
import type { DashboardFacts } from '../parts/statistics/dashboard-facts.ts'
import { ReportView } from '../parts/statistics/report-view.tsx'

/** Renders the report of a period as a string. Links are not localized: they lead to pages in any language. */
export function renderReport(shop: ShopContextValue, facts: DashboardFacts): string {
  return renderToStaticMarkup(
    <ShopProvider value={shop}>
      <ReportView facts={facts} />
    </ShopProvider>,
  )
}
