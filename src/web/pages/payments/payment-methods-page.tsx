import { urls } from '#contract/shared/urls.ts'
import type { SavedMethodFacts } from '#shop/customers/account-facts.ts'
import { AccountEmpty } from '../../parts/customers/account-empty.tsx'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { type ShopContextValue, useShop } from '../../parts/shared/shop-context.tsx'

/** The saved payment methods of a customer. */
export function PaymentMethodsPage({
  methods,
  canAdd,
  logOutNonce,
}: {
  methods: readonly SavedMethodFacts[]
  /** The shop lets its customers save one without a purchase. */
  canAdd: boolean
  logOutNonce: string
}) {
  const { t } = useShop()
  const add = canAdd && (
    <a href={urls.addPaymentMethod()} className="button">
      {t('Add payment method')}
    </a>
  )
  return (
    <AccountFrame title={t('Payment methods')} place="payment-methods" logOutNonce={logOutNonce}>
      {methods.length > 0 ? (
        <>
          <MethodsTable methods={methods} />
          {add && <p>{add}</p>}
        </>
      ) : (
        <AccountEmpty
          title={t('No payment method is saved.')}
          text={t('You can choose a saved one at checkout without entering it again.')}
        >
          {add}
        </AccountEmpty>
      )}
    </AccountFrame>
  )
}

function MethodsTable({ methods }: { methods: readonly SavedMethodFacts[] }) {
  const shop = useShop()
  const { t } = shop
  const heads = { method: t('Method'), expires: t('Expires'), actions: t('Actions') }
  const cell = (kind: keyof typeof heads) => ({
    className: `woocommerce-PaymentMethod woocommerce-PaymentMethod--${kind} payment-method-${kind}`,
    'data-title': heads[kind],
  })
  return (
    <table className="woocommerce-MyAccount-paymentMethods shop_table shop_table_responsive account-payment-methods-table account-table">
      <thead>
        <tr>
          {Object.entries(heads).map(([kind, label]) => (
            <th key={kind} scope="col" className={`payment-method-${kind}`}>
              {kind === 'actions' ? <span className="screen-reader-text">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {methods.map((method) => {
          const name = methodName(shop, method)
          return (
            <tr
              key={method.id}
              className={method.isDefault ? 'payment-method default-payment-method' : 'payment-method'}
            >
              <th scope="row" {...cell('method')}>
                <span translate="no">{name}</span>{' '}
                {method.isDefault && <span className="account-hint">{t('Default')}</span>}
              </th>
              <td {...cell('expires')}>{expiryText(shop, method)}</td>
              <td {...cell('actions')}>
                {method.defaultUrl && (
                  <a href={method.defaultUrl} className="button default" aria-label={t('Make default: %s', name)}>
                    {t('Make default')}
                  </a>
                )}
                <a href={method.deleteUrl} className="button delete" aria-label={t('Delete %s', name)}>
                  {t('Delete')}
                </a>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** `Visa ending in 4242`, or the wallet with its owner's address. */
export function methodName(
  { t }: Pick<ShopContextValue, 't'>,
  method: Pick<SavedMethodFacts, 'kind' | 'brand' | 'last4' | 'account'>,
): string {
  if (method.kind === 'wallet') return method.account === '' ? t('PayPal') : t('PayPal (%s)', method.account)
  const brand = brands[method.brand.toLowerCase()] ?? (method.brand || t('Card'))
  return method.last4 === '' ? brand : t('%s ending in %s', brand, method.last4)
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  maestro: 'Maestro',
}

function expiryText(shop: ShopContextValue, { expires, expired }: SavedMethodFacts): string {
  if (expires === '') return shop.t('Never')
  const text = expiryMonth(shop, expires)
  return expired ? shop.t('Expired %s', text) : text
}

/** `04/27` of `2027-04`. */
export function expiryMonth({ language }: Pick<ShopContextValue, 'language'>, expires: string): string {
  const month = new Intl.DateTimeFormat(language, { month: '2-digit', year: '2-digit', timeZone: 'UTC' })
  return month.format(new Date(`${expires}-01T00:00:00Z`))
}
