import type { DownloadFacts } from '#shop/orders/downloads/list-downloads.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The downloads of an order, on the pages of that order. */
export function OrderDownloads({ downloads }: { downloads: readonly DownloadFacts[] }) {
  const { t } = useShop()
  return (
    <section className="woocommerce-order-downloads">
      <h2 className="woocommerce-order-downloads__title">{t('Downloads')}</h2>
      <ul>
        {downloads.map(({ url, fileName, remaining }) => (
          <li key={url}>
            <a href={url} className="woocommerce-MyAccount-downloads-file" translate="no">
              {fileName}
            </a>
            {remaining !== null && ` (${t('%s:', t('Downloads left'))} ${remaining})`}
          </li>
        ))}
      </ul>
    </section>
  )
}
