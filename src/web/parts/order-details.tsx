import type { OrderFacts } from '#shop/checkout-facts.ts'
import { Choices } from './choices.tsx'
import { Amount } from './price.tsx'
import { useShop } from './shop-context.tsx'

/** What was ordered and what it came to. */
export function OrderDetails({ order }: { order: OrderFacts }) {
  const { t } = useShop()
  return (
    <section className="woocommerce-order-details">
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
              <td className="woocommerce-table__product-name product-name">
                {line.url ? <a href={line.url}>{line.name}</a> : line.name}{' '}
                <strong className="product-quantity">×&nbsp;{line.quantity}</strong>
                <Choices choices={line.choices} />
              </td>
              <td className="woocommerce-table__product-total product-total">
                <Amount value={line.subtotal} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {order.totals.map((row) => (
            <tr key={row.key} className={`order-row-${row.key.replaceAll('_', '-')}`}>
              <th scope="row">{row.label}</th>
              <td>{typeof row.value === 'string' ? row.value : <Amount value={row.value} />}</td>
            </tr>
          ))}
          {order.customerNote && (
            <tr>
              <th scope="row">{t('Note:')}</th>
              <td>{order.customerNote}</td>
            </tr>
          )}
        </tfoot>
      </table>
    </section>
  )
}

/** Where it goes and who pays. */
export function CustomerDetails({ order }: { order: OrderFacts }) {
  const { t } = useShop()
  return (
    <section className="woocommerce-customer-details">
      <div className="woocommerce-columns woocommerce-columns--addresses col2-set addresses">
        <div className="woocommerce-column woocommerce-column--billing-address col-1">
          <h2 className="woocommerce-column__title">{t('Billing address')}</h2>
          <address>
            <Lines lines={order.billing} />
            {order.phone && <p className="woocommerce-customer-details--phone">{order.phone}</p>}
            {order.email && <p className="woocommerce-customer-details--email">{order.email}</p>}
          </address>
        </div>
        {order.shipping.length > 0 && (
          <div className="woocommerce-column woocommerce-column--shipping-address col-2">
            <h2 className="woocommerce-column__title">{t('Shipping address')}</h2>
            <address>
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
    <span key={line}>
      {place > 0 && <br />}
      {line}
    </span>
  ))
}
