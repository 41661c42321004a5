import { urls } from '#contract/shared/urls.ts'
import { statisticsUrls } from '#contract/statistics/dashboard.ts'
import { editorUrls } from '#contract/translation/editor.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import type { CustomerFacts, OrderRowFacts } from '#shop/customers/account-facts.ts'
import { AccountEmpty } from '../../parts/customers/account-empty.tsx'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { OrdersTable } from '../../parts/orders/orders-table.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'
import { UntranslatedText } from '../../parts/translation/untranslated-text.tsx'
import { AddressCards } from '../addresses/addresses-page.tsx'
import { ConfirmEmailHint } from './verify-email-page.tsx'

/** The account's dashboard. `orders` are the latest few. */
export function DashboardPage({
  customer,
  orders,
  confirmNonce,
  logOutNonce,
}: {
  customer: CustomerFacts
  orders: readonly OrderRowFacts[]
  confirmNonce: string
  logOutNonce: string
}) {
  const { t, languages } = useShop()
  return (
    <AccountFrame
      title={<UntranslatedText text={t('Hello, %s', customer.displayName)} part={customer.displayName} />}
      place="dashboard"
      logOutNonce={logOutNonce}
    >
      {(customer.emailWanted || !customer.emailConfirmed) && (
        <ConfirmEmailHint email={customer.emailWanted ?? customer.email} nonce={confirmNonce} />
      )}
      {languages.length > 1 && mayActAs(customer.role, 'translator') && (
        <p>
          <a href={editorUrls.editor()} className="button">
            {t('Translations')}
          </a>
        </p>
      )}
      {mayActAs(customer.role, 'shop_manager') && (
        <p>
          <a href={statisticsUrls.page()} className="button">
            {t('Statistics')}
          </a>
        </p>
      )}
      <section>
        <header className="account-section">
          <h2>{t('Latest orders')}</h2>
          {orders.length > 0 && <a href={urls.orders()}>{t('All orders')}</a>}
        </header>
        {orders.length > 0 ? <OrdersTable orders={orders} /> : <NoOrders />}
      </section>
      <section>
        <h2>{t('Addresses')}</h2>
        <AddressCards customer={customer} level="h3" />
      </section>
    </AccountFrame>
  )
}

export function NoOrders() {
  const { t } = useShop()
  return (
    <AccountEmpty
      title={t('You have not ordered anything yet.')}
      text={t('Your orders appear here, and you can follow them until they arrive.')}
    >
      <a href={urls.shop()} className="button">
        {t('Look around the shop')}
      </a>
    </AccountEmpty>
  )
}
