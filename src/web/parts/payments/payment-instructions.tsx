import type { PaymentInstructions as Facts } from '#shop/payments/operation/payment-method-facts.ts'
import { useShop } from '../shared/shop-context.tsx'

/** The instructions of an unpaid order: the merchant's text, and the bank account. */
export function PaymentInstructions({ facts }: { facts: Facts }) {
  const { t } = useShop()
  return (
    <>
      {facts.text
        .split(/\n{2,}/)
        .filter(Boolean)
        .map((text) => (
          <p key={text} className="payment-instructions">
            {text}
          </p>
        ))}
      {facts.accounts.length > 0 && (
        <section className="woocommerce-bacs-bank-details">
          <h2 className="wc-bacs-bank-details-heading">{t('Our bank details')}</h2>
          {facts.accounts.map(({ accountName, bankName, accountNumber, sortCode, iban, bic }) => (
            <div key={`${accountName}${accountNumber}${iban}`}>
              {accountName && (
                <h3 className="wc-bacs-bank-details-account-name" translate="no">
                  {accountName}
                </h3>
              )}
              <ul className="wc-bacs-bank-details order_details bacs_details">
                <Entry name="bank_name" label={t('Bank')} value={bankName} />
                <Entry name="account_number" label={t('Account number')} value={accountNumber} />
                <Entry name="sort_code" label={t('Routing number')} value={sortCode} />
                <Entry name="iban" label={t('IBAN')} value={iban} />
                <Entry name="bic" label={t('BIC')} value={bic} />
              </ul>
            </div>
          ))}
        </section>
      )}
    </>
  )
}

function Entry({ name, label, value }: { name: string; label: string; value: string }) {
  const { t } = useShop()
  if (value === '') return null
  return (
    <li className={name}>
      {t('%s:', label)} <strong translate="no">{value}</strong>
    </li>
  )
}
