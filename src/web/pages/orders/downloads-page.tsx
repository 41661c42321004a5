import { urls } from '#contract/shared/urls.ts'
import type { DownloadFacts } from '#shop/orders/downloads/list-downloads.ts'
import { AccountEmpty } from '../../parts/customers/account-empty.tsx'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { Day } from '../../parts/shared/day.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** The downloads of a customer. */
export function DownloadsPage({
  downloads,
  logOutNonce,
}: {
  downloads: readonly DownloadFacts[]
  logOutNonce: string
}) {
  const { t } = useShop()
  return (
    <AccountFrame title={t('Downloads')} place="downloads" logOutNonce={logOutNonce}>
      {downloads.length > 0 ? (
        <DownloadsTable downloads={downloads} />
      ) : (
        <AccountEmpty
          title={t('There is nothing to download.')}
          text={t('Files that you buy appear here, on every device where you log in.')}
        >
          <a href={urls.shop()} className="button">
            {t('Look around the shop')}
          </a>
        </AccountEmpty>
      )}
    </AccountFrame>
  )
}

function DownloadsTable({ downloads }: { downloads: readonly DownloadFacts[] }) {
  const { t } = useShop()
  const heads = { product: t('Product'), remaining: t('Downloads left'), expires: t('Expires'), file: t('File') }
  const cell = (kind: keyof typeof heads) => ({ className: `download-${kind}`, 'data-title': heads[kind] })
  return (
    <table className="woocommerce-MyAccount-downloads shop_table shop_table_responsive account-downloads-table account-table">
      <thead>
        <tr>
          {Object.entries(heads).map(([kind, label]) => (
            <th key={kind} scope="col" className={`download-${kind}`}>
              {kind === 'file' ? <span className="screen-reader-text">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {downloads.map((download) => (
          <tr key={download.url}>
            <th scope="row" {...cell('product')}>
              {download.productUrl ? <a href={download.productUrl}>{download.productName}</a> : download.productName}
            </th>
            <td {...cell('remaining')}>{download.remaining ?? t('Unlimited')}</td>
            <td {...cell('expires')}>{download.expiresAt ? <Day at={download.expiresAt} /> : t('Never')}</td>
            <td {...cell('file')}>
              <a href={download.url} className="woocommerce-MyAccount-downloads-file button" translate="no">
                {download.fileName}
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
