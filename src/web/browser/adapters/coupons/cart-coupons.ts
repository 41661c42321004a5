import { cartHooks } from '#contract/cart/hooks.ts'
import { cartPageEvents } from '#contract/shared/events.ts'
import { trigger } from '../../runtime/events.ts'
import { goTo } from '../../runtime/navigate.ts'
import { isProcessing, whileProcessing } from '../../runtime/processing.ts'
import { postForm } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { submitNatively } from '../../runtime/submit-natively.ts'
import { parseMarkup, textOf } from '../../runtime/trusted-markup.ts'
import { repostCart } from '../cart/cart-form.ts'
import { removeNotices, showNotices } from '../notices/notices.ts'
import { clearCouponError, couponField, showCouponError } from './coupon-error.ts'

export async function applyCoupon(form: HTMLFormElement): Promise<void> {
  const { wc_ajax_url, apply_coupon_nonce } = settings('wc_cart_params')
  const code = couponField()?.value ?? ''
  let answered = false
  await whileProcessing([form], async () => {
    const answer = await postForm(ajaxUrl(wc_ajax_url, 'apply_coupon'), {
      security: apply_coupon_nonce,
      coupon_code: code,
    }).catch(() => undefined)
    if (!answer?.ok) {
      submitNatively(form, { apply_coupon: 'Apply coupon' })
      return
    }
    answered = true
    removeNotices()
    clearCouponError()
    if (isErrorMarkup(answer.text)) showCouponError(textOf(answer.text))
    else showNotices([...parseMarkup(answer.text).children], form)
    trigger(document.body, cartPageEvents.couponApplied, code)
  })
  // Otherwise the page is being left, and the message belongs to the next page.
  if (answered) await repostCart({ preserveNotices: true })
}

export async function removeCoupon(link: HTMLAnchorElement): Promise<void> {
  const { wc_ajax_url, remove_coupon_nonce } = settings('wc_cart_params')
  const code = link.dataset.coupon ?? ''
  const totals = link.closest<HTMLElement>(cartHooks.totals)
  if (!totals || isProcessing(totals)) return
  let answered = false
  await whileProcessing([totals], async () => {
    const answer = await postForm(ajaxUrl(wc_ajax_url, 'remove_coupon'), {
      security: remove_coupon_nonce,
      coupon: code,
    }).catch(() => undefined)
    if (!answer?.ok) {
      goTo(link.href)
      return
    }
    answered = true
    removeNotices()
    showNotices([...parseMarkup(answer.text).children], document.querySelector(cartHooks.form))
    trigger(document.body, cartPageEvents.couponRemoved, code)
    const field = couponField()
    if (field) field.value = ''
    clearCouponError()
  })
  // Otherwise the page is being left, and the message belongs to the next page.
  if (answered) await repostCart({ preserveNotices: true })
}

/** Both kinds of notice markup count. */
export function isErrorMarkup(markup: string): boolean {
  return markup.includes('woocommerce-error') || markup.includes('is-error')
}
