import { urls } from '#contract/urls.ts'
import type { CheckoutFacts, PaymentMethodFacts } from '#shop/checkout-facts.ts'
import type { Nonces } from './cart-form.tsx'
import { useShop } from './shop-context.tsx'
import { WalletButtons } from './wallet-buttons.tsx'

/** The fragment `#payment`: how to pay, the terms, and the button that places the order. */
export function Payment({ facts, nonces }: { facts: CheckoutFacts; nonces: Nonces }) {
  const { t, wallet } = useShop()
  const { methods, cart } = facts
  // A method's own words come with the script that follows the choice: without it they would stay for another method.
  const orderText = t('Place order')
  return (
    <div id="payment" className="woocommerce-checkout-payment">
      {cart.needsPayment && (
        <ul className="wc_payment_methods payment_methods methods">
          {methods.length === 0 && (
            <li>
              <div className="woocommerce-info" role="status">
                {cart.customer.country
                  ? t('We cannot take a payment for your address yet. Please write to us.')
                  : t('The ways to pay appear here once your address is filled in.')}
              </div>
            </li>
          )}
          {methods.map((method) => (
            <Method key={method.id} method={method} approved={facts.ready !== null}>
              {method.id === 'ppcp' && wallet.buttonPlacement === 'payment_method' && !facts.ready && (
                <WalletButtons page="checkout" />
              )}
            </Method>
          ))}
        </ul>
      )}
      <div className="form-row place-order">
        <noscript>
          <p>
            {t('Without scripts, please press “Update totals” after changing your address or the shipping method.')}
          </p>
          <button type="submit" className="button" name="woocommerce_checkout_update_totals" value={t('Update totals')}>
            {t('Update totals')}
          </button>
        </noscript>
        <Terms facts={facts} />
        {facts.ready && <Ready cancelUrl={facts.ready.cancelUrl} />}
        <button
          type="submit"
          className="button alt"
          name="woocommerce_checkout_place_order"
          id="place_order"
          value={orderText}
          data-value={orderText}
        >
          {orderText}
        </button>
        {wallet.buttonPlacement === 'place_order' && !facts.ready && cart.needsPayment && (
          <WalletButtons page="checkout" />
        )}
        <input
          type="hidden"
          id="woocommerce-process-checkout-nonce"
          name="woocommerce-process-checkout-nonce"
          value={nonces['woocommerce-process_checkout'] ?? ''}
        />
        <input type="hidden" name="_wp_http_referer" value={urls.checkout()} />
        {/* What this screen shows is what is charged: another total is confirmed first. */}
        <input type="hidden" name="seen_total" value={cart.totals.total.minor} />
      </div>
    </div>
  )
}

type MethodProps = { method: PaymentMethodFacts; approved: boolean; children?: React.ReactNode }

function Method({ method, approved, children }: MethodProps) {
  const id = `payment_method_${method.id}`
  return (
    <li className={`wc_payment_method payment_method_${method.id}`}>
      <input
        id={id}
        type="radio"
        className="input-radio"
        name="payment_method"
        value={method.id}
        defaultChecked={method.chosen}
        // What is approved already needs no going to the provider: its order is placed like any other.
        data-order_button_text={approved ? '' : method.orderButtonText}
      />
      <label htmlFor={id}>{method.title}</label>
      <div className={`payment_box payment_method_${method.id}`}>
        {method.description && <p>{method.description}</p>}
        {children}
      </div>
    </li>
  )
}

function Terms({ facts }: { facts: CheckoutFacts }) {
  const { t } = useShop()
  return (
    <div className="woocommerce-terms-and-conditions-wrapper">
      <div className="woocommerce-privacy-policy-text">
        <p>
          {t('We use what you enter here to process your order and for nothing else.')}{' '}
          <a className="woocommerce-privacy-policy-link" href={urls.page('privacy-policy')}>
            {t('Privacy policy')}
          </a>
        </p>
      </div>
      {facts.terms && (
        <p className="form-row validate-required">
          <label className="woocommerce-form__label woocommerce-form__label-for-checkbox checkbox">
            <input
              type="checkbox"
              className="woocommerce-form__input woocommerce-form__input-checkbox input-checkbox"
              name="terms"
              id="terms"
              defaultChecked={facts.termsAccepted}
              aria-required="true"
            />{' '}
            <span className="woocommerce-terms-and-conditions-checkbox-text">
              {t('I have read and agree to the')}{' '}
              <a
                href={urls.page('terms')}
                className="woocommerce-terms-and-conditions-link"
                target="_blank"
                rel="noopener"
              >
                {t('terms and conditions')}
              </a>
              &nbsp;
              <span className="required" aria-hidden="true">
                *
              </span>
            </span>
          </label>
          <input type="hidden" name="terms-field" value="1" />
        </p>
      )}
    </div>
  )
}

function Ready({ cancelUrl }: { cancelUrl: string }) {
  const { t } = useShop()
  return (
    <div className="wc-ppcp-order-review-message__container" role="status">
      <p className="wc-ppcp-order-review-message">
        {t('Your payment is ready. Please look over your order once more, then place it.')}
      </p>
      <a className="wc-ppcp-cancel__payment" href={cancelUrl}>
        {t('Cancel this payment')}
      </a>
    </div>
  )
}
