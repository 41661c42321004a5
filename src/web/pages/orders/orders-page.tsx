import { urls } from '#contract/shared/urls.ts'
import type { OrderListFacts } from '#shop/customers/account-facts.ts'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { OrdersTable } from '../../parts/orders/orders-table.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import { NoOrders } from '../customers/account-dashboard-page.tsx'

/** A customer's orders, ten a page. */
export function OrdersPage({ facts, logOutNonce }: { facts: OrderListFacts; logOutNonce: string }) {
  const { t } = useShop()
  const { orders, page, pageCount } = facts
  return (
    <AccountFrame title={t('Orders')} place="orders" logOutNonce={logOutNonce}>
      {orders.length > 0 ? <OrdersTable orders={orders} /> : <NoOrders />}
      {pageCount > 1 && (
        <nav
          className="woocommerce-pagination woocommerce-pagination--without-numbers woocommerce-Pagination"
          aria-label={t('Order pages')}
        >
          {page > 1 && (
            <a
              className="woocommerce-button woocommerce-button--previous woocommerce-Button woocommerce-Button--previous button"
              rel="prev"
              href={urls.orders(page - 1)}
            >
              {t('Previous')}
            </a>
          )}
          <span className="account-hint">{t('Page %s of %s', page, pageCount)}</span>
          {page < pageCount && (
            <a
              className="woocommerce-button woocommerce-button--next woocommerce-Button woocommerce-Button--next button"
              rel="next"
              href={urls.orders(page + 1)}
            >
              {t('Next')}
            </a>
          )}
        </nav>
      )}
    </AccountFrame>
  )
}
