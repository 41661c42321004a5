import type { OnlineNow as Online } from '#shop/statistics/read-statistics.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The number of visitors online, and their pages. No live region: it changes twice a minute. */
export function OnlineNow({ online }: { online: Online }) {
  const { n } = useShop()
  return (
    <p className="stat-online" data-visitors={online.visitors}>
      <span className="stat-pulse" aria-hidden="true" />
      <span id="statistics-online">{n(online.visitors, '%s visitor online now', '%s visitors online now')}</span>
    </p>
  )
}
