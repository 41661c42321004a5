import type { OrderRowFacts } from '#shop/customers/account-facts.ts'
import { Amount } from '../currency/price.tsx'
import { Day } from '../shared/day.tsx'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'
import { UntranslatedText } from '../translation/untranslated-text.tsx'

/** Returns the localized status of an order for its customer. */
export function orderStatusText({ t }: Pick<ShopContextValue, 't'>, status: string): string {
  const words: Readonly<Record<string, string>> = {
    pending: t('Pending payment'),
    'on-hold': t('On hold'),
    processing: t('Processing'),
    completed: t('Completed'),
    cancelled: t('Canceled'),
    refunded: t('Refunded'),
    failed: t('Failed'),
  }
  return words[status] ?? status
}

/** A dot beside the text shows whether an action is required. */
export const orderStatusClass = (status: string): string => `order-status order-status--${status}`

/** A customer's orders. On a narrow screen each is a block, its cells named by `data-title`. */
export function OrdersTable({ orders }: { orders: readonly OrderRowFacts[] }) {
  const shop = useShop()
  const { t, n } = shop
  const heads = { number: t('Order'), date: t('Date'), status: t('Status'), total: t('Total'), actions: t('Actions') }
  const cell = (kind: keyof typeof heads) => ({
    className: `woocommerce-orders-table__cell woocommerce-orders-table__cell-order-${kind}`,
    'data-title': heads[kind],
  })
  return (
    <table className="woocommerce-orders-table woocommerce-MyAccount-orders shop_table shop_table_responsive my_account_orders account-orders-table account-table">
      <thead>
        <tr>
          {Object.entries(heads).map(([kind, label]) => (
            <th
              key={kind}
              scope="col"
              className={`woocommerce-orders-table__header woocommerce-orders-table__header-order-${kind}`}
            >
              {kind === 'actions' ? <span className="screen-reader-text">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr
            key={order.id}
            className={`woocommerce-orders-table__row woocommerce-orders-table__row--status-${order.status} order`}
          >
            <th scope="row" {...cell('number')}>
              <a href={order.viewUrl} aria-label={t('View order number %s', order.number)}>
                <UntranslatedText text={t('#%s', order.number)} part={String(order.number)} />
              </a>
            </th>
            <td {...cell('date')}>
              <Day at={order.createdAt} />
            </td>
            <td {...cell('status')}>
              <span className={orderStatusClass(order.status)}>{orderStatusText(shop, order.status)}</span>
            </td>
            <td {...cell('total')}>
              <Amount value={order.total} />{' '}
              <span className="account-hint">{n(order.pieces, 'for %s item', 'for %s items')}</span>
            </td>
            <td {...cell('actions')}>
              {order.payUrl && (
                <a
                  href={order.payUrl}
                  className="woocommerce-button button pay"
                  aria-label={t('Pay for order %s', order.number)}
                >
                  {t('Pay')}
                </a>
              )}
              <a
                href={order.viewUrl}
                className="woocommerce-button button view"
                aria-label={t('View order %s', order.number)}
              >
                {t('View')}
              </a>
              {order.cancelUrl && (
                <a
                  href={order.cancelUrl}
                  className="woocommerce-button button cancel"
                  aria-label={t('Cancel order %s', order.number)}
                >
                  {t('Cancel')}
                </a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
