import { urls } from '#contract/urls.ts'
import type { CheckoutFacts, FieldFacts } from '#shop/checkout-facts.ts'
import type { Nonces } from '../parts/cart-form.tsx'
import { FormRow } from '../parts/form-row.tsx'
import { LinkButton } from '../parts/link-button.tsx'
import { OrderReview } from '../parts/order-review.tsx'
import { Payment } from '../parts/payment.tsx'
import { useShop } from '../parts/shop-context.tsx'

/** The checkout: one form that a browser can post by itself. */
export function CheckoutPage({ facts, nonces }: { facts: CheckoutFacts; nonces: Nonces }) {
  const { t, couponsEnabled } = useShop()
  return (
    <article className="private-page">
      <h1 className="entry-title">{t('Checkout')}</h1>
      <div className="woocommerce">
        {couponsEnabled && <CouponForm />}
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
                <Rows name="billing" fields={facts.billing} />
              </div>
            </div>
            <div className="col-2">
              {facts.cart.needsShipping && <Shipping facts={facts} />}
              {facts.order.length > 0 && (
                <div className="woocommerce-additional-fields">
                  <Rows name="additional" fields={facts.order} />
                </div>
              )}
            </div>
          </div>
          <div className="checkout-summary">
            <h2 id="order_review_heading">{t('Your order')}</h2>
            <div id="order_review" className="woocommerce-checkout-review-order">
              <OrderReview cart={facts.cart} />
              <Payment facts={facts} nonces={nonces} />
            </div>
          </div>
          <input
            type="hidden"
            name="ppcp_paypal_order_id"
            id="ppcp_paypal_order_id"
            value={facts.ready?.walletOrderId ?? ''}
          />
          <input type="hidden" name="intention" value={facts.intention} />
        </form>
      </div>
    </article>
  )
}

function Rows({ name, fields }: { name: 'billing' | 'shipping' | 'additional'; fields: readonly FieldFacts[] }) {
  return (
    <div className={`woocommerce-${name}-fields__field-wrapper`}>
      {fields.map((field) => (
        <FormRow key={field.id} field={field} />
      ))}
    </div>
  )
}

/** The address block shows with the tick alone (a style rule), so that it needs no script. */
function Shipping({ facts }: { facts: CheckoutFacts }) {
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
        <Rows name="shipping" fields={facts.shipping} />
      </div>
    </div>
  )
}

/** Stands before the checkout form, since forms do not nest. */
function CouponForm() {
  const { t } = useShop()
  return (
    <>
      <div className="woocommerce-form-coupon-toggle">
        <div className="woocommerce-info" role="status">
          {t('Have a coupon?')}{' '}
          <LinkButton
            href="#woocommerce-checkout-form-coupon"
            className="showcoupon"
            aria-controls="woocommerce-checkout-form-coupon"
            aria-expanded="false"
          >
            {t('Enter your code')}
          </LinkButton>
        </div>
      </div>
      <form
        className="checkout_coupon woocommerce-form-coupon"
        method="post"
        action={urls.checkout()}
        id="woocommerce-checkout-form-coupon"
        hidden
      >
        <p className="form-row form-row-first">
          <label htmlFor="coupon_code" className="screen-reader-text">
            {t('Coupon:')}
          </label>
          <input
            type="text"
            name="coupon_code"
            className="input-text"
            placeholder={t('Coupon code')}
            id="coupon_code"
            autoComplete="off"
          />
        </p>
        <p className="form-row form-row-last">
          <button type="submit" className="button" name="apply_coupon" value={t('Apply coupon')}>
            {t('Apply coupon')}
          </button>
        </p>
      </form>
    </>
  )
}
