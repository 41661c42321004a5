import { comma } from '#domain/translation/list-separator.ts'
import type { OrderFacts } from '#shop/checkout/checkout-facts.ts'
import { Choices } from '../cart/line-choices.tsx'
import { Amount, priceText } from '../currency/price.tsx'
import { classNames } from '../shared/class-names.ts'
import { rowHeader } from '../shared/row-header.ts'
import { type ShopContextValue, useShop } from '../shared/shop-context.tsx'
import { OrderDownloads } from './order-downloads.tsx'

/** The items and totals of an order. `paid` false: no payment method is chosen yet, so none is named. */
export function OrderDetails({ order, paid = true }: { order: OrderFacts; paid?: boolean }) {
  const shop = useShop()
  const { t } = shop
  return (
    <section className="woocommerce-order-details">
      {paid && order.downloads && order.downloads.length > 0 && <OrderDownloads downloads={order.downloads} />}
      <h2 className="woocommerce-order-details__title">{t('Order details')}</h2>
      <table className="woocommerce-table woocommerce-table--order-details shop_table order_details">
        <thead>
          <tr>
            <th className="woocommerce-table__product-name product-name" scope="col">
              {t('Product')}
            </th>
            <th className="woocommerce-table__product-table product-total" scope="col">
              {t('Total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr
              key={`${line.productId}${line.name}${line.choices.map((choice) => choice.value).join()}`}
              className="woocommerce-table__line-item order_item"
            >
              <td className="woocommerce-table__product-name product-name" {...rowHeader}>
                {line.url ? <a href={line.url}>{line.name}</a> : line.name}{' '}
                <strong className="product-quantity" translate="no">
                  ×&nbsp;{line.quantity}
                </strong>
                <Choices choices={line.choices} />
              </td>
              <td className={classNames('woocommerce-table__product-total product-total', !paid && 'product-subtotal')}>
                <Amount value={line.subtotal} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {order.totals
            .filter(({ key }) => paid || key !== 'payment_method')
            .map((row) => (
              <tr key={`${row.key}${row.label}`} className={`order-row-${row.key.replaceAll('_', '-')}`}>
                <th scope="row">{row.label}</th>
                <td>
                  {typeof row.value === 'string' ? row.value : <Amount value={row.value} />}
                  {row.key === 'order_total' && order.includedTaxes.length > 0 && (
                    <small className="includes_tax"> {includedTaxesText(shop, order)}</small>
                  )}
                </td>
              </tr>
            ))}
          {order.customerNote && (
            <tr>
              <th scope="row">{t('Note:')}</th>
              <td translate="no" dir="auto">
                {order.customerNote}
              </td>
            </tr>
          )}
        </tfoot>
      </table>
    </section>
  )
}

/** Returns `(includes $3.90 VAT)`; empty where the total includes no tax or rows of its own list it. */
export function includedTaxesText(shop: ShopContextValue, { includedTaxes }: OrderFacts): string {
  if (includedTaxes.length === 0) return ''
  return shop.t(
    '(includes %s)',
    includedTaxes.map(({ label, amount }) => `${priceText(shop, amount)} ${label}`).join(comma(shop.language)),
  )
}

/** Shipping and billing address. */
export function CustomerDetails({ order }: { order: OrderFacts }) {
  const { t } = useShop()
  return (
    <section className="woocommerce-customer-details">
      <div className="woocommerce-columns woocommerce-columns--addresses col2-set addresses">
        <div className="woocommerce-column woocommerce-column--billing-address col-1">
          <h2 className="woocommerce-column__title">{t('Billing address')}</h2>
          <address translate="no">
            <Lines lines={order.billing} />
            {order.phone && (
              <p className="woocommerce-customer-details--phone">
                <bdi>{order.phone}</bdi>
              </p>
            )}
            {order.email && <p className="woocommerce-customer-details--email">{order.email}</p>}
          </address>
        </div>
        {order.shipping.length > 0 && (
          <div className="woocommerce-column woocommerce-column--shipping-address col-2">
            <h2 className="woocommerce-column__title">{t('Shipping address')}</h2>
            <address translate="no">
              <Lines lines={order.shipping} />
            </address>
          </div>
        )}
      </div>
    </section>
  )
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, place) => (
    // In a line of another direction the house number must stay before the street.
    <span key={line} dir="auto">
      {place > 0 && <br />}
      {line}
    </span>
  ))
}
