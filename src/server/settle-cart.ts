import { stockFault } from '#domain/cart/stock.ts'
import { judgeCoupon, withoutCoupon } from '#shop/apply-coupon.ts'
import { withQuantities } from '#shop/cart-lines.ts'
import { quoteCart } from '#shop/quote-cart.ts'
import { errorNotice } from './cart-notices.tsx'
import { couponNotice } from './coupon-notices.ts'
import type { Visit } from './visit.ts'

/**
 * Brings a visitor's cart in line with the shop as it is now and tells what changed: what is gone or can no longer be
 * bought leaves the cart, coupons that no longer hold come off, and the first line that stock cannot serve is named.
 * @returns whether the cart may be ordered as it is
 */
export async function settleCart(visit: Visit): Promise<boolean> {
  const { tools } = visit.app
  const { id, state } = await visit.session()
  if (state.lines.length === 0) return true
  const { t } = await visit.app.shop()
  const cart = await quoteCart(tools, id, state)
  let fine = true

  if (cart.dropped.length > 0) {
    await visit.change((now) => {
      const gone = new Map(cart.dropped.map(({ line }) => [line.key, 0]))
      return { state: withQuantities(now, gone), result: undefined }
    })
    for (const { name, reason } of cart.dropped) {
      if (reason === 'gone') {
        await visit.addNotice(errorNotice(t('Something in your cart is no longer sold and was taken out.')))
      } else {
        await visit.addNotice(errorNotice(t('“%s” can no longer be bought and was taken out of your cart.', name)))
      }
    }
  }
  const tooMany = cart.entries.filter(({ line, product }) => product.soldIndividually && line.quantity > 1)
  if (tooMany.length > 0) {
    const ones = new Map(tooMany.map(({ line }) => [line.key, 1]))
    await visit.change((now) => ({ state: withQuantities(now, ones), result: undefined }))
    for (const { product } of tooMany)
      await visit.addNotice(errorNotice(t('You can only have 1 %s in your cart.', product.name)))
  }
  const fault = stockFault(
    cart.entries.map(({ line, product }) => ({ ...product, key: line.key, quantity: line.quantity })),
  )
  if (fault) {
    fine = false
    const name = cart.entries.find(({ line }) => line.key === fault.key)?.product.name ?? ''
    await visit.addNotice(
      errorNotice(
        fault.reason === 'out-of-stock'
          ? t('“%s” is sold out. Please take it out of your cart to go on.', name)
          : t('Of “%s” only %s are left. Please lower the quantity to go on.', name, fault.available),
      ),
    )
  }
  const shop = await visit.app.shop()
  for (const coupon of cart.coupons) {
    const validity = judgeCoupon(tools, cart, coupon, state.billing.email)
    if (validity.ok) continue
    await visit.change((now) => ({ state: withoutCoupon(now, coupon.code), result: undefined }))
    await visit.addNotice(couponNotice(shop, coupon.code, validity))
  }
  return fine
}
