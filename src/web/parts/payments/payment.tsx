import { fieldMessageId, missingAttribute } from '#contract/notices/hooks.ts'
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
import { CardMarks, NewCard } from './card-fields.tsx'
import { SavedMethods, SaveMethod } from './saved-methods.tsx'
import { WalletButtons } from './wallet-buttons.tsx'
import { TermsVersion } from './wallet-terms.tsx'

type PaymentProps = {
  facts: CheckoutFacts
  nonces: Nonces
  /** Ids of the rejected fields. */
  invalid?: readonly string[]
}

/** The fragment `#payment`: the payment methods, the terms, and the button that places the order. */
export function Payment({ facts, nonces, invalid = [] }: PaymentProps) {
  const { t, wallet } = useShop()
  const { methods, cart } = facts
  // A method's own button text is set by the script that follows the choice: without it the text would stay for another
  // method.
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
              ? t('We cannot accept payments for your address yet. Please contact us.')
              : t('The payment methods appear here once your address is filled in.')
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
            {t('Without JavaScript, please press “Update totals” after changing your address or the shipping method.')}
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
        {/* The total on this screen is charged: a changed total requires a new confirmation. */}
        <input type="hidden" name="seen_total" value={cart.totals.total.minor} />
        <input type="hidden" name="seen_currency" value={cart.totals.total.currency} />
      </div>
    </div>
  )
}

type PaymentMethodsProps = {
  methods: readonly PaymentMethodFacts[]
  /** A fee depends on the choice. */
  changeTotal?: boolean
  /** The wallet has approved already. */
  approved?: boolean
  /** The message without a payment method. */
  none: string
  /** On the page that saves a method: adds that page's own names, which extensions know. */
  toAdd?: boolean
  /** Content of the wallet's box. */
  children?: React.ReactNode
}

/** The list of payment methods; a style rule opens the box of the selected one, without scripts. */
export function PaymentMethods({
  methods,
  changeTotal = false,
  approved = false,
  none,
  toAdd = false,
  children,
}: PaymentMethodsProps) {
  const { t } = useShop()
  // Extensions expect a list of choices; the role names the group to keyboard users.
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
        // An approved payment needs no redirect: its order is placed like any other.
        data-order_button_text={approved ? '' : method.orderButtonText}
      />
      <label htmlFor={id}>
        {method.title}
        {method.fields === 'card' && <CardMarks />}
      </label>
      <div className={classNames(`payment_box ${id}`, toAdd && named('woocommerce-PaymentBox', method.id))}>
        {method.description && <p>{method.description}</p>}
        <SavedMethods method={method} />
        {method.fields === 'card' && <NewCard />}
        {children}
        <SaveMethod method={method} />
      </div>
    </li>
  )
}

const named = (block: string, id: string) => `${block} ${block}--${id}`

export const termsId = 'terms'

type TermsProps = { asked: boolean; accepted?: boolean; invalid?: boolean }

/** The terms to accept, where the shop has some, and the privacy text. */
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
        // It scrolls, and is focusable.
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
        <p
          className={classNames('form-row validate-required', invalid && 'woocommerce-invalid')}
          {...{ [missingAttribute]: t('Accept the terms and conditions') }}
        >
          <label className="woocommerce-form__label woocommerce-form__label-for-checkbox checkbox">
            <input
              type="checkbox"
              className="woocommerce-form__input woocommerce-form__input-checkbox input-checkbox"
              name="terms"
              id={termsId}
              defaultChecked={accepted}
              aria-required="true"
              aria-invalid={invalid || undefined}
              aria-describedby={invalid ? fieldMessageId(termsId) : undefined}
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
        {t('Your payment is ready. Please review your order once more, then place it.')}
      </p>
      <a className="wc-ppcp-cancel__payment" href={cancelUrl}>
        {t('Cancel this payment')}
      </a>
    </div>
  )
}
