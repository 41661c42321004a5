import { urls } from '#contract/shared/urls.ts'
import type { CustomerFacts } from '#shop/customers/account-facts.ts'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** Both addresses, with links to edit them. */
export function AddressesPage({ customer, logOutNonce }: { customer: CustomerFacts; logOutNonce: string }) {
  const { t } = useShop()
  return (
    <AccountFrame title={t('Addresses')} place="edit-address" logOutNonce={logOutNonce}>
      <p className="account-hint">{t('These addresses are filled in at checkout.')}</p>
      <AddressCards customer={customer} level="h2" />
    </AccountFrame>
  )
}

export function AddressCards({ customer, level: Title }: { customer: CustomerFacts; level: 'h2' | 'h3' }) {
  const { t } = useShop()
  const cards = [
    { kind: 'billing', title: t('Billing address'), lines: customer.billing },
    { kind: 'shipping', title: t('Shipping address'), lines: customer.shipping },
  ] as const
  return (
    <div className="u-columns woocommerce-Addresses col2-set addresses">
      {cards.map(({ kind, title, lines }, place) => (
        <div key={kind} className={`u-column${place + 1} col-${place + 1} woocommerce-Address`}>
          <header className="woocommerce-Address-title title">
            <Title>{title}</Title>
            <a
              href={urls.editAddress(kind)}
              className="edit"
              aria-label={t(lines.length > 0 ? 'Edit %s' : 'Add %s', title)}
            >
              {t(lines.length > 0 ? 'Edit' : 'Add')}
            </a>
          </header>
          <address translate={lines.length > 0 ? 'no' : undefined}>
            {lines.length > 0
              ? lines.map((line, at) => (
                  <span key={line} dir="auto">
                    {at > 0 && <br />}
                    {line}
                  </span>
                ))
              : t('Not set up yet.')}
          </address>
        </div>
      ))}
    </div>
  )
}
