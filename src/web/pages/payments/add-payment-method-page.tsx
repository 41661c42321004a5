import { walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import type { PaymentMethodFacts } from '#shop/payments/operation/payment-method-facts.ts'
import { AccountFrame } from '../../parts/customers/account-frame.tsx'
import { PaymentMethods } from '../../parts/payments/payment.tsx'
import { PaymentHiddenFields } from '../../parts/payments/payment-hidden-fields.tsx'
import { WalletButtons } from '../../parts/payments/wallet-buttons.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

type Props = { methods: readonly PaymentMethodFacts[]; nonce: string; logOutNonce: string }

/**
 * Saves a payment method without a purchase. One form that works without scripts: the wallet is then approved by a
 * redirect to the provider.
 */
export function AddPaymentMethodPage({ methods, nonce, logOutNonce }: Props) {
  const { t } = useShop()
  const buttonText = t('Add payment method')
  return (
    <AccountFrame title={t('Add payment method')} place="payment-methods" logOutNonce={logOutNonce}>
      <form
        id="add_payment_method"
        method="post"
        action={urls.addPaymentMethod()}
        aria-label={t('Add payment method')}
        noValidate
      >
        <div id="payment" className="woocommerce-Payment">
          <PaymentMethods
            methods={methods}
            none={t('No payment method can be saved in this shop at the moment.')}
            toAdd
          >
            <WalletButtons page="add_payment_method" />
          </PaymentMethods>
          {methods.length > 0 && (
            <div className="form-row place-order">
              <button type="submit" className="button alt" id="place_order" value={buttonText} data-value={buttonText}>
                {buttonText}
              </button>
              {methods.some(({ id }) => id === walletMethodId) && (
                <p className="account-hint">{t('Nothing is charged. You can delete it again at any time.')}</p>
              )}
              <input type="hidden" name="woocommerce-add-payment-method-nonce" value={nonce} />
              <input type="hidden" name="woocommerce_add_payment_method" value="1" />
              <PaymentHiddenFields />
            </div>
          )}
        </div>
      </form>
      <p>
        <a href={urls.paymentMethods()} className="wc-backward">
          {t('Back to payment methods')}
        </a>
      </p>
    </AccountFrame>
  )
}
