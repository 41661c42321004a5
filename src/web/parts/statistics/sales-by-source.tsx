import { money } from '#domain/money/money.ts'
import { priceText } from '../currency/price.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { Bar } from './bar-table.tsx'
import { percentOf } from './chart-scale.ts'
import type { DashboardFacts } from './dashboard-facts.ts'
import { figures } from './figures.ts'
import { channelWords } from './report-words.ts'

const shown = 8

/** Channels of the last visits before each order, with their sales. The bars are proportional to the revenue. */
export function SalesBySource({ facts: { origins } }: { facts: DashboardFacts }) {
  const shop = useShop()
  const { t, dir, language } = shop
  const { whole, share } = figures(language)
  const lines = origins.lines.filter(({ orders }) => orders > 0).slice(0, shown)
  const largest = Math.max(1, ...lines.map(({ revenue }) => revenue))
  const nameOf = (source: string) =>
    source === '' ? t('Unknown') : source === '(direct)' ? channelWords(t).direct : <bdi>{source}</bdi>
  return (
    <section className="stat-panel" aria-labelledby="stat-origins-title">
      <h2 id="stat-origins-title">{t('Orders by source')}</h2>
      <p className="stat-hint">{t('By the last visit before the order.')}</p>
      {lines.length === 0 ? (
        <p className="stat-none">{t('No data in this period yet.')}</p>
      ) : (
        <table className="stat-bars stat-sold">
          <thead>
            <tr>
              <th scope="col">{t('Source')}</th>
              <th scope="col" className="stat-number">
                {t('Orders')}
              </th>
              <th scope="col" className="stat-number">
                {t('Revenue')}
              </th>
              <th scope="col" className="stat-number">
                {t('Orders per visit')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ value, orders, revenue, conversion }) => (
              <tr key={value}>
                <th scope="row">
                  <Bar width={percentOf(Math.max(0, revenue), largest)} rtl={dir === 'rtl'} kind={undefined} />
                  <span className="stat-name">{nameOf(value)}</span>
                </th>
                <td className="stat-number">{whole(orders)}</td>
                <td className="stat-number">{priceText(shop, money(revenue, origins.currency))}</td>
                <td className="stat-number">{conversion === null ? '–' : share(Math.min(1, conversion))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
