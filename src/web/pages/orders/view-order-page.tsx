import type { ViewOrderFacts } from '#shop/customers/account-facts.ts'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { CustomerDetails, OrderDetails } from '../../parts/orders/order-details.tsx'
import { orderStatusClass, orderStatusText } from '../../parts/orders/orders-table.tsx'
import { Day } from '../../parts/shared/day.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import { UntranslatedText } from '../../parts/translation/untranslated-text.tsx'

/** A single order of a customer. */
export function ViewOrderPage({ facts, logOutNonce }: { facts: ViewOrderFacts; logOutNonce: string }) {
  const shop = useShop()
  const { t } = shop
  const { order, payUrl, cancelUrl, againUrl, notes } = facts
  return (
    <AccountFrame
      title={<UntranslatedText text={t('Order #%s', order.number)} part={String(order.number)} />}
      place="orders"
      logOutNonce={logOutNonce}
    >
      <p className="account-lead">
        {t('Placed on')}{' '}
        <mark className="order-date">
          <Day at={order.createdAt} />
        </mark>{' '}
        <mark className={orderStatusClass(order.status)}>{orderStatusText(shop, order.status)}</mark>
      </p>
      {notes.length > 0 && (
        <section>
          <h2>{t('Order updates')}</h2>
          <ol className="woocommerce-OrderUpdates commentlist notes">
            {notes.map(({ at, note }) => (
              <li key={`${at.toISOString()}${note}`} className="woocommerce-OrderUpdate comment note">
                <Day at={at} className="account-hint" />
                <p>{note}</p>
              </li>
            ))}
          </ol>
        </section>
      )}
      <div className="woocommerce-order">
        <OrderDetails order={order} />
        {(payUrl || againUrl || cancelUrl) && (
          <p className="order-again account-submit">
            {payUrl && (
              <a href={payUrl} className="woocommerce-button button pay">
                {t('Pay for this order')}
              </a>
            )}
            {againUrl && (
              <a href={againUrl} className="button">
                {t('Order again')}
              </a>
            )}
            {cancelUrl && (
              <a href={cancelUrl} className="button cancel">
                {t('Cancel order')}
              </a>
            )}
          </p>
        )}
        <CustomerDetails order={order} />
      </div>
    </AccountFrame>
  )
}
