import { z } from 'zod'
import { storeCart, storeNoInput } from '#contract/cart/store-cart.ts'
import { storeCoupon, storeCouponInput } from '#contract/coupons/store-coupons.ts'
import { couponCode } from '#domain/coupons/coupon.ts'
import { withoutCoupon } from '#shop/coupons/apply-coupon.ts'
import { applyPostedCoupon } from '../../../coupons/apply-coupon.ts'
import { couponNotice } from '../../../coupons/coupon-notices.ts'
import { type StoreContext, storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'

const codePattern = { code: /^.{1,500}$/s }

/** `cart/apply-coupon` */
export const storeApplyCouponCall = storeCall({
  name: 'cart/apply-coupon',
  method: 'POST',
  summary: 'Apply a coupon',
  tag: 'coupons',
  about: 'cart',
  input: storeCouponInput,
  output: storeCart,
  async answer(context, { code }) {
    await apply(context, code)
    return { body: await context.cart.record() }
  },
})

/** `cart/remove-coupon` */
export const storeRemoveCouponCall = storeCall({
  name: 'cart/remove-coupon',
  method: 'POST',
  summary: 'Remove a coupon',
  tag: 'coupons',
  about: 'cart',
  input: storeCouponInput,
  output: storeCart,
  async answer(context, { code }) {
    requireCoupons(context)
    const removed = await remove(context, code)
    if (!removed) throw notApplied()
    return { body: await context.cart.record() }
  },
})

/** `cart/coupons` */
export const storeCouponsCall = storeCall({
  name: 'cart/coupons',
  method: 'GET',
  summary: 'List the coupons of the cart',
  tag: 'coupons',
  about: 'cart',
  input: storeNoInput,
  output: z.array(storeCoupon),
  answer: async ({ cart }) => ({ body: (await cart.record()).coupons }),
})

/** `POST cart/coupons` */
export const storeCreateCouponCall = storeCall({
  name: 'cart/coupons',
  method: 'POST',
  summary: 'Apply a coupon as a record',
  tag: 'coupons',
  about: 'cart',
  input: storeCouponInput,
  output: storeCoupon,
  status: 201,
  async answer(context, { code }) {
    const applied = await apply(context, code)
    const { coupons } = await context.cart.record()
    return { status: 201, body: coupons.find((one) => one.code === applied) }
  },
})

/** `DELETE cart/coupons` */
export const storeClearCouponsCall = storeCall({
  name: 'cart/coupons',
  method: 'DELETE',
  summary: 'Remove all coupons',
  tag: 'coupons',
  about: 'cart',
  input: storeNoInput,
  output: z.array(storeCoupon),
  async answer({ visit }) {
    await visit.change((state) => ({ state: state.coupons.reduce(withoutCoupon, state), result: undefined }), 'S3')
    return { body: [] }
  },
})

/** `cart/coupons/<code>` */
export const storeCouponCall = storeCall({
  name: 'cart/coupons/:code',
  members: codePattern,
  method: 'GET',
  summary: 'Read a coupon of the cart',
  tag: 'coupons',
  about: 'cart',
  input: storeCouponInput,
  output: storeCoupon,
  async answer({ cart }, { code }) {
    const coupon = (await cart.record()).coupons.find((one) => one.code === couponCode(code))
    if (!coupon) throw new StoreError(404, 'woocommerce_rest_cart_coupon_invalid_code', 'Coupon is not in the cart.')
    return { body: coupon }
  },
})

/** `DELETE cart/coupons/<code>` */
export const storeDeleteCouponCall = storeCall({
  name: 'cart/coupons/:code',
  members: codePattern,
  method: 'DELETE',
  summary: 'Remove a coupon by its address',
  tag: 'coupons',
  about: 'cart',
  input: storeCouponInput,
  output: z.array(storeCoupon),
  async answer(context, { code }) {
    const removed = await remove(context, code)
    if (!removed) throw new StoreError(404, 'woocommerce_rest_cart_coupon_invalid_code', 'Coupon is not in the cart.')
    return { body: (await context.cart.record()).coupons }
  },
})

const notApplied = () =>
  new StoreError(
    409,
    'woocommerce_rest_cart_coupon_invalid_code',
    'Coupon cannot be removed because it is not applied.',
  )

function requireCoupons({ tools }: StoreContext): void {
  if (tools.settings.couponsEnabled) return
  throw new StoreError(404, 'woocommerce_rest_cart_coupon_disabled', 'Coupons are disabled.')
}

/** @returns the normalized code */
async function apply(context: StoreContext, typed: string): Promise<string> {
  requireCoupons(context)
  const { visit } = context
  const result = await applyPostedCoupon(visit, typed)
  if (result.ok) return result.code
  const [notice] = couponNotice(await visit.app.shop(), typed, result)
  const message = notice?.html ?? 'This coupon cannot be applied.'
  if (result.reason === 'too-many') {
    const retryAfter = String(Math.ceil(result.waitMs / 1000))
    throw new StoreError(429, 'woocommerce_rest_cart_coupon_error', message, {}, { 'Retry-After': retryAfter })
  }
  throw new StoreError(400, 'woocommerce_rest_cart_coupon_error', message, { details: { cart: message } })
}

function remove({ visit }: StoreContext, code: string): Promise<boolean> {
  return visit.change((state) => {
    const next = withoutCoupon(state, code)
    return { state: next, result: next !== state }
  }, 'S3')
}
