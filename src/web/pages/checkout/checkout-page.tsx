import { urls } from '#contract/shared/urls.ts'
import { missingText } from '#domain/addresses/field-errors.ts'
import type { CheckoutFacts, FieldFacts } from '#shop/checkout/checkout-facts.ts'
import type { RefusedLogIn } from '#shop/customers/sessions/session-state.ts'
import { AttributionInputs } from '../../parts/attribution/attribution-inputs.tsx'
import type { Nonces } from '../../parts/cart/cart-form.tsx'
import { OrderReview } from '../../parts/checkout/order-review.tsx'
import { CheckoutCoupon } from '../../parts/coupons/coupon-form.tsx'
import { AccountField } from '../../parts/customers/account-field.tsx'
import { LogInForm } from '../../parts/customers/log-in-form.tsx'
import { type AcceleratedFlow, AcceleratedPlace } from '../../parts/payments/accelerated.tsx'
import { Payment } from '../../parts/payments/payment.tsx'
import { PaymentHiddenFields } from '../../parts/payments/payment-hidden-fields.tsx'
import { ExpressCheckout } from '../../parts/payments/wallet-buttons.tsx'
import { FormRow } from '../../parts/shared/form-row.tsx'
import { LinkButton } from '../../parts/shared/link-button.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

type CheckoutPageProps = {
  facts: CheckoutFacts
  nonces: Nonces
  /** Ids of the rejected fields, for a page posted without scripts. */
  invalid?: readonly string[]
  /** The start of accelerated checkout, where it is offered. */
  accelerated?: AcceleratedFlow | undefined
  /** True if the form submits attribution data. */
  attribution?: boolean
}

/** The checkout: one form that works without scripts. */
export function CheckoutPage({ facts, nonces, invalid = [], accelerated, attribution = false }: CheckoutPageProps) {
  const { t, couponsEnabled } = useShop()
  const { account } = facts
  if (account?.offer.kind === 'log-in-first') return <LogInFirst nonces={nonces} refused={account.refusedLogIn} />
  return (
    <article className="private-page">
      <h1 className="entry-title">{t('Checkout')}</h1>
      <div className="woocommerce">
        {account?.logInForm && <LogIn nonces={nonces} refused={account.refusedLogIn} />}
        {couponsEnabled && <CheckoutCoupon />}
        {facts.cart.needsPayment && !facts.ready && <ExpressCheckout />}
        <form
          name="checkout"
          method="post"
          className="checkout woocommerce-checkout"
          action={urls.checkout()}
          encType="multipart/form-data"
          aria-label={t('Checkout')}
          noValidate
        >
          <div className="col2-set" id="customer_details">
            <div className="col-1">
              <div className="woocommerce-billing-fields">
                <h2>{facts.cart.needsShipping ? t('Your details') : t('Billing details')}</h2>
                <Rows name="billing" fields={facts.billing} invalid={invalid} accelerated={accelerated} />
                {attribution && <AttributionInputs />}
              </div>
              {account && <Account account={account} invalid={invalid} />}
            </div>
            <div className="col-2">
              {facts.cart.needsShipping && <Shipping facts={facts} invalid={invalid} />}
              {facts.order.length > 0 && (
                <div className="woocommerce-additional-fields">
                  <Rows name="additional" fields={facts.order} invalid={invalid} />
                </div>
              )}
            </div>
          </div>
          <div className="checkout-summary">
            <h2 id="order_review_heading">{t('Your order')}</h2>
            <div id="order_review" className="woocommerce-checkout-review-order">
              <OrderReview cart={facts.cart} />
              <Payment facts={facts} nonces={nonces} invalid={invalid} />
            </div>
          </div>
          <PaymentHiddenFields walletOrder={facts.ready?.walletOrderId ?? ''} />
          <input type="hidden" name="intention" value={facts.intention} />
        </form>
      </div>
    </article>
  )
}

type RowsProps = Pick<CheckoutPageProps, 'accelerated'> & {
  name: 'billing' | 'shipping' | 'additional'
  fields: readonly FieldFacts[]
  invalid: readonly string[]
}

function Rows({ name, fields, invalid, accelerated }: RowsProps) {
  return (
    <div className={`woocommerce-${name}-fields__field-wrapper`}>
      {fields.map((field) => (
        <FormRow key={field.id} field={field} invalid={invalid.includes(field.id)}>
          {accelerated && field.id === 'billing_email' && <AcceleratedPlace flow={accelerated} />}
        </FormRow>
      ))}
    </div>
  )
}

/** A style rule shows the address block when the box is ticked, without scripts. */
function Shipping({ facts, invalid }: { facts: CheckoutFacts; invalid: readonly string[] }) {
  const { t } = useShop()
  return (
    <div className="woocommerce-shipping-fields">
      <h3 id="ship-to-different-address">
        <label className="woocommerce-form__label woocommerce-form__label-for-checkbox checkbox">
          <input
            id="ship-to-different-address-checkbox"
            className="woocommerce-form__input woocommerce-form__input-checkbox input-checkbox"
            type="checkbox"
            name="ship_to_different_address"
            value="1"
            defaultChecked={facts.shipToDifferent}
          />{' '}
          <span>{t('Ship to a different address?')}</span>
        </label>
      </h3>
      <div className="shipping_address">
        <Rows name="shipping" fields={facts.shipping} invalid={invalid} />
      </div>
    </div>
  )
}

type LogInProps = { nonces: Nonces; refused: RefusedLogIn | null | undefined }

/** For returning customers. It posts to the account page, which redirects here. */
function LogIn({ nonces, refused }: LogInProps) {
  const { t } = useShop()
  return (
    <>
      <div className="woocommerce-form-login-toggle">
        <div className="woocommerce-info" role="status">
          {t('Returning customer?')}{' '}
          <LinkButton
            href={urls.account({ redirect: urls.checkout() })}
            className="showlogin"
            aria-controls={logInFormId}
            aria-expanded={refused ? 'true' : 'false'}
          >
            {t('Click here to log in')}
          </LinkButton>
        </div>
      </div>
      <LogInForm facts={{ ...logInFacts(nonces), ...refused, id: logInFormId, hidden: !refused }} />
    </>
  )
}

const logInFormId = 'woocommerce-checkout-form-login'

const logInFacts = (nonces: Nonces) => ({
  nonce: nonces['woocommerce-login'] ?? '',
  referer: urls.checkout(),
  redirect: urls.checkout(),
})

/** For shops that require an account and do not create one with the order. */
function LogInFirst({ nonces, refused }: LogInProps) {
  const { t } = useShop()
  return (
    <article className="private-page">
      <h1 className="entry-title">{t('Checkout')}</h1>
      <div className="woocommerce">
        <p className="woocommerce-info" role="status">
          {t('You must be logged in to place an order.')}
        </p>
        <LogInForm facts={{ ...logInFacts(nonces), ...refused }} />
      </div>
    </article>
  )
}

/** A style rule shows the fields when the box is ticked, without scripts. */
function Account({ account, invalid }: { account: NonNullable<CheckoutFacts['account']>; invalid: readonly string[] }) {
  const { t } = useShop()
  const { offer, wanted, username } = account
  if (offer.kind !== 'open') return null
  return (
    <div className="woocommerce-account-fields">
      {!offer.forced && (
        <p className="form-row form-row-wide create-account">
          <label className="woocommerce-form__label woocommerce-form__label-for-checkbox checkbox">
            <input
              className="woocommerce-form__input woocommerce-form__input-checkbox input-checkbox"
              id="createaccount"
              type="checkbox"
              name="createaccount"
              value="1"
              defaultChecked={wanted}
            />{' '}
            <span>{t('Create an account?')}</span>
          </label>
        </p>
      )}
      <div className="create-account">
        {offer.asksUsername && (
          <AccountField
            id="account_username"
            label={t('Account username')}
            autoComplete="username"
            value={username}
            invalid={invalid.includes('account_username')}
            rowClasses="validate-required"
            missing={t(missingText('Account username'))}
          />
        )}
        {offer.asksPassword ? (
          <AccountField
            id="account_password"
            label={t('Create account password')}
            type="password"
            autoComplete="new-password"
            invalid={invalid.includes('account_password')}
            meter
            rowClasses="validate-required"
            missing={t(missingText('Create account password'))}
          >
            {t('Several words in a row are easy to remember and hard to guess.')}
          </AccountField>
        ) : (
          <p className="account-hint">{t('We will send you a link to choose your password.')}</p>
        )}
      </div>
    </div>
  )
}
