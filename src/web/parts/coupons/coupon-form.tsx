import { cartHooks } from '#contract/cart/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import { useFault, withoutLinks } from '../notices/page-notices.tsx'
import { Html } from '../shared/html.tsx'
import { LinkButton } from '../shared/link-button.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** Id of the coupon field, on the cart and above the checkout form. */
export const couponFieldId = 'coupon_code'

/** Belongs to the cart's form. */
export function CartCoupon() {
  return (
    <div className="coupon">
      <CouponInput />
      <CouponButton />
      <CouponMessage />
    </div>
  )
}

/** The coupon form of the checkout stands before the checkout form, since forms do not nest. */
export function CheckoutCoupon() {
  const { t } = useShop()
  const refused = useFault(couponFieldId) !== undefined
  return (
    <>
      <div className="woocommerce-form-coupon-toggle">
        <div className="woocommerce-info" role="status">
          {t('Have a coupon?')}{' '}
          <LinkButton
            href="#woocommerce-checkout-form-coupon"
            className="showcoupon"
            aria-controls="woocommerce-checkout-form-coupon"
            aria-expanded={refused}
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
        hidden={!refused}
      >
        <p className="form-row form-row-first">
          <CouponInput />
          <CouponMessage />
        </p>
        <p className="form-row form-row-last">
          <CouponButton />
        </p>
      </form>
    </>
  )
}

function CouponInput() {
  const { t } = useShop()
  const invalid = useFault(couponFieldId) !== undefined
  return (
    <>
      <label htmlFor={couponFieldId} className="screen-reader-text">
        {t('Coupon:')}
      </label>
      <input
        type="text"
        name={couponFieldId}
        className={invalid ? 'input-text has-error' : 'input-text'}
        id={couponFieldId}
        placeholder={t('Coupon code')}
        autoComplete="off"
        aria-invalid={invalid || undefined}
        aria-describedby={invalid ? cartHooks.couponErrorId : undefined}
      />
    </>
  )
}

/** The error of the coupon code, until scripts detect a change. */
function CouponMessage() {
  const fault = useFault(couponFieldId)
  const html = fault && withoutLinks(fault.html).said
  if (html === undefined) return null
  return <Html as="span" id={cartHooks.couponErrorId} className={cartHooks.couponErrorClass} html={html} />
}

function CouponButton() {
  const { t } = useShop()
  return (
    <button type="submit" className="button" name="apply_coupon" value={t('Apply coupon')}>
      {t('Apply coupon')}
    </button>
  )
}
