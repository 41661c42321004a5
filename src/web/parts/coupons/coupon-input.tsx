import { cartHooks } from '#contract/cart/hooks.ts'
import { useFault } from '../notices/page-notices.tsx'
import { Html } from '../shared/html.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** Id of the coupon field, on the cart and above the checkout form. */
export const couponFieldId = 'coupon_code'

export function CouponInput() {
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
export function CouponMessage() {
  const html = useFault(couponFieldId)
  if (html === undefined) return null
  return <Html as="span" id={cartHooks.couponErrorId} className={cartHooks.couponErrorClass} html={html} />
}
