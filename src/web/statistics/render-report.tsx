import { renderToStaticMarkup } from 'react-dom/server'
import { type ShopContextValue, ShopProvider } from '../parts/shared/shop-context.tsx'
import type { DashboardFacts } from '../parts/statistics/dashboard-facts.ts'
import { ReportView } from '../parts/statistics/report-view.tsx'

/** What a period shows, as one string. Its links stay as they are: they lead to pages of whatever language. */
export function renderReport(shop: ShopContextValue, facts: DashboardFacts): string {
  return renderToStaticMarkup(
    <ShopProvider value={shop}>
      <ReportView facts={facts} />
    </ShopProvider>,
  )
}
