import type { ReactNode } from 'react'
import { urls } from '#contract/shared/urls.ts'
import { useShop } from '../shared/shop-context.tsx'

export type AccountPlace =
  | 'dashboard'
  | 'orders'
  | 'downloads'
  | 'edit-address'
  | 'payment-methods'
  | 'edit-account'
  | 'privacy'

/** A page of the account beside the account navigation. */
export function AccountFrame({
  title,
  place,
  logOutNonce,
  children,
}: {
  title: ReactNode
  place: AccountPlace
  logOutNonce: string
  children: ReactNode
}) {
  const { t } = useShop()
  const entries = [
    { key: 'dashboard', label: t('Dashboard'), url: urls.account() },
    { key: 'orders', label: t('Orders'), url: urls.orders() },
    { key: 'downloads', label: t('Downloads'), url: urls.downloads() },
    { key: 'edit-address', label: t('Addresses'), url: urls.addresses() },
    { key: 'payment-methods', label: t('Payment methods'), url: urls.paymentMethods() },
    { key: 'edit-account', label: t('Account details'), url: urls.editAccount() },
    { key: 'privacy', label: t('Logins and data'), url: urls.privacy() },
    { key: 'customer-logout', label: t('Log out'), url: urls.logOut(logOutNonce) },
  ]
  return (
    <article className="private-page account-page">
      <h1 className="entry-title">{title}</h1>
      <div className="woocommerce">
        <nav className="woocommerce-MyAccount-navigation" aria-label={t('Account pages')}>
          <ul>
            {entries.map(({ key, label, url }) => {
              const name = `woocommerce-MyAccount-navigation-link woocommerce-MyAccount-navigation-link--${key}`
              const here = key === place
              return (
                <li key={key} className={here ? `${name} is-active` : name}>
                  <a href={url} aria-current={here ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              )
            })}
          </ul>
        </nav>
        <div className="woocommerce-MyAccount-content">{children}</div>
      </div>
    </article>
  )
}
