import { messageId } from '#contract/notices/hooks.ts'
import { walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import type { CheckoutFacts } from '#shop/checkout/checkout-facts.ts'
import type { PaymentMethodFacts } from '#shop/payments/operation/payment-method-facts.ts'
import type { Nonces } from '../cart/cart-form.tsx'
import { GuideNote } from '../currency/approximate-amount.tsx'
import { FieldMessage } from '../notices/page-notices.tsx'
import { classNames } from '../shared/class-names.ts'
import { Html } from '../shared/html.tsx'
import { useShop } from '../shared/shop-context.tsx'
import { CardFields, CardMarks } from './card-fields.tsx'
import { SavedMethods, SaveMethod } from './saved-methods.tsx'
import { WalletButtons } from './wallet-buttons.tsx'
import { TermsVersion } from './wallet-terms.tsx'

type PaymentProps = {
  facts: CheckoutFacts
  nonces: Nonces
  /** Ids of the fields that were refused. */
  invalid?: readonly string[]
}

/** The fragment `#payment`: how to pay, the terms, and the button that places the order. */
export function Payment({ facts, nonces, invalid = [] }: PaymentProps) {
  const { t, wallet } = useShop()
  const { methods, cart } = facts
  // A method's own words come with the script that follows the choice: without it they would stay for another method.
  const orderText = t('Place order')
  return (
    <div id="payment" className="woocommerce-checkout-payment">
      {cart.needsPayment && <h2>{t('Payment')}</h2>}
      <GuideNote cart={cart} />
      {cart.needsPayment && (
        <PaymentMethods
          methods={methods}
          changeTotal={facts.methodsChangeTotal}
          approved={facts.ready !== null}
          none={
            cart.customer.country
              ? t('We cannot take a payment for your address yet. Please write to us.')
              : t('The ways to pay appear here once your address is filled in.')
          }
        >
          {wallet.buttonPlacement === 'payment_method' && !facts.ready && (
            <WalletButtons page="checkout" methods={methods} />
          )}
        </PaymentMethods>
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
        <Terms asked={facts.terms} accepted={facts.termsAccepted} invalid={invalid.includes(termsId)} />
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
          <WalletButtons page="checkout" methods={methods} />
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
        <input type="hidden" name="seen_currency" value={cart.totals.total.currency} />
      </div>
    </div>
  )
}

type PaymentMethodsProps = {
  methods: readonly PaymentMethodFacts[]
  /** A fee hangs on the choice. */
  changeTotal?: boolean
  /** The wallet has approved already. */
  approved?: boolean
  /** Said where there is no way to pay. */
  none: string
  /** On the page that saves one: with that page's own names besides, which extensions know. */
  toAdd?: boolean
  /** Stands in the wallet's box. */
  children?: React.ReactNode
}

/** The list of ways to pay; the box of the chosen one is open by a style rule, so that it needs no script. */
export function PaymentMethods({
  methods,
  changeTotal = false,
  approved = false,
  none,
  toAdd = false,
  children,
}: PaymentMethodsProps) {
  const { t } = useShop()
  // Extensions look the choices up as a list; whoever comes to one of them by keyboard is told what it is one of.
  const choices = methods.length > 0 ? { role: 'radiogroup', 'aria-label': t('Payment') } : {}
  return (
    <ul
      className={classNames(
        'wc_payment_methods payment_methods methods',
        toAdd && 'woocommerce-PaymentMethods',
        changeTotal && 'update_totals_on_change',
      )}
      {...choices}
    >
      {methods.length === 0 && (
        <li>
          <div className="woocommerce-info" role="status">
            {none}
          </div>
        </li>
      )}
      {methods.map((method) => (
        <Method key={method.id} method={method} approved={approved} toAdd={toAdd}>
          {method.id === walletMethodId && children}
        </Method>
      ))}
    </ul>
  )
}

type MethodProps = { method: PaymentMethodFacts; approved: boolean; toAdd: boolean; children?: React.ReactNode }

function Method({ method, approved, toAdd, children }: MethodProps) {
  const id = `payment_method_${method.id}`
  return (
    <li
      className={classNames(`wc_payment_method ${id}`, toAdd && named('woocommerce-PaymentMethod', method.id))}
      role="presentation"
    >
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
      <label htmlFor={id}>
        {method.title}
        {method.fields === 'card' && <CardMarks />}
      </label>
      <div className={classNames(`payment_box ${id}`, toAdd && named('woocommerce-PaymentBox', method.id))}>
        {method.description && <p>{method.description}</p>}
        <SavedMethods method={method} />
        {method.fields === 'card' && <CardFields />}
        {children}
        <SaveMethod method={method} />
      </div>
    </li>
  )
}

const named = (block: string, id: string) => `${block} ${block}--${id}`

export const termsId = 'terms'

type TermsProps = { asked: boolean; accepted?: boolean; invalid?: boolean }

/** The terms to be accepted where the shop has some, and what becomes of what is typed. */
export function Terms({ asked, accepted = false, invalid = false }: TermsProps) {
  const { t, terms, hasPrivacyPolicy } = useShop()
  return (
    <div className="woocommerce-terms-and-conditions-wrapper">
      <div className="woocommerce-privacy-policy-text">
        <p>
          {t('We use what you enter here to process your order and for nothing else.')}
          {hasPrivacyPolicy && (
            <>
              {' '}
              <a className="woocommerce-privacy-policy-link" href={urls.page('privacy-policy')}>
                {t('Privacy policy')}
              </a>
            </>
          )}
        </p>
      </div>
      {asked && terms && (
        // It scrolls, and is reached by keyboard.
        <Html
          className="woocommerce-terms-and-conditions"
          role="region"
          aria-label={t('terms and conditions')}
          tabIndex={0}
          hidden
          html={terms.html}
          {...terms.writtenIn}
        />
      )}
      {asked && (
        <p className={classNames('form-row validate-required', invalid && 'woocommerce-invalid')}>
          <label className="woocommerce-form__label woocommerce-form__label-for-checkbox checkbox">
            <input
              type="checkbox"
              className="woocommerce-form__input woocommerce-form__input-checkbox input-checkbox"
              name="terms"
              id={termsId}
              defaultChecked={accepted}
              aria-required="true"
              aria-invalid={invalid || undefined}
              aria-describedby={invalid ? messageId(termsId) : undefined}
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
          <TermsVersion />
          <FieldMessage fieldId={termsId} />
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
