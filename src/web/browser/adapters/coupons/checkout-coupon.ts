import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { noticeHooks } from '#contract/notices/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { trigger } from '../../runtime/events.ts'
import { goTo } from '../../runtime/navigate.ts'
import { isProcessing, whileProcessing } from '../../runtime/processing.ts'
import { postForm } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { isShown, slideToggle, slideUp } from '../../runtime/slide.ts'
import { submitNatively } from '../../runtime/submit-natively.ts'
import { parseMarkup, textOf } from '../../runtime/trusted-markup.ts'
import { isErrorMarkup } from './cart-coupons.ts'

const slideMs = 400
const errorId = cartHooks.couponErrorId

export function toggleCouponForm(toggle: HTMLElement): void {
  const form = couponForm()
  if (!form) return
  const open = slideToggle(form, slideMs)
  toggle.setAttribute('aria-expanded', String(open))
  if (open) form.querySelector<HTMLElement>('input')?.focus()
}

export async function applyCheckoutCoupon(form: HTMLFormElement): Promise<void> {
  clearCheckoutCouponError()
  if (isProcessing(form)) return
  const { wc_ajax_url, apply_coupon_nonce } = settings('wc_checkout_params')
  const field = couponField(form)
  const code = field?.value ?? ''
  await whileProcessing([form], async () => {
    const answer = await postForm(ajaxUrl(wc_ajax_url, 'apply_coupon'), {
      security: apply_coupon_nonce,
      coupon_code: code,
      billing_email: document.querySelector<HTMLInputElement>('#billing_email')?.value ?? '',
    }).catch(() => undefined)
    if (!answer?.ok) {
      // The shop distinguishes a coupon from an order by the button's name.
      submitNatively(form, { apply_coupon: 'Apply coupon' })
      return
    }
    clearNotices()
    if (isErrorMarkup(answer.text)) {
      showError(field, textOf(answer.text))
    } else {
      closeForm(form)
      form.before(parseMarkup(answer.text))
    }
    trigger(document.body, checkoutEvents.couponApplied, code)
    trigger(document.body, checkoutEvents.update, { update_shipping_method: false })
  })
  if (field?.matches('.has-error')) field.focus()
  // The focused form would lose the focus on closing, or has already lost it without an animation.
  else if (form.contains(document.activeElement) || (document.activeElement === document.body && !isShown(form)))
    focusToggle()
}

export async function removeCheckoutCoupon(link: HTMLAnchorElement): Promise<void> {
  const { wc_ajax_url, remove_coupon_nonce } = settings('wc_checkout_params')
  const code = link.dataset.coupon ?? ''
  const review = link.closest<HTMLElement>(checkoutHooks.review)
  if (!review || isProcessing(review)) return
  const focused = link === document.activeElement
  await whileProcessing([review], async () => {
    const answer = await postForm(ajaxUrl(wc_ajax_url, 'remove_coupon'), {
      security: remove_coupon_nonce,
      coupon: code,
    }).catch(() => undefined)
    if (!answer?.ok) {
      goTo(link.href)
      return
    }
    clearNotices()
    document.querySelector(checkoutHooks.form)?.before(parseMarkup(answer.text))
    trigger(document.body, checkoutEvents.couponRemoved, code)
    trigger(document.body, checkoutEvents.update, { update_shipping_method: false })
    const form = couponForm()
    if (form) closeForm(form)
  })
  // The link is removed with its row.
  if (focused) focusToggle()
}

export function clearCheckoutCouponError(): void {
  const form = couponForm()
  const field = form && couponField(form)
  field?.classList.remove('has-error')
  field?.removeAttribute('aria-invalid')
  field?.removeAttribute('aria-describedby')
  form?.querySelector(`.${cartHooks.couponErrorClass}`)?.remove()
}

function showError(field: HTMLInputElement | null, text: string): void {
  if (!field) return
  const error = document.createElement('span')
  error.id = errorId
  error.className = cartHooks.couponErrorClass
  error.setAttribute('role', 'alert')
  error.textContent = text
  field.classList.add('has-error')
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', errorId)
  field.parentElement?.append(error)
}

function closeForm(form: HTMLFormElement): void {
  const field = couponField(form)
  if (field) field.value = ''
  document.querySelector(checkoutHooks.couponToggle)?.setAttribute('aria-expanded', 'false')
  slideUp(form, slideMs)
}

function focusToggle(): void {
  document.querySelector<HTMLElement>(checkoutHooks.couponToggle)?.focus({ preventScroll: true })
}

function clearNotices(): void {
  for (const stale of allOf(`${noticeHooks.errors}, ${noticeHooks.successes}`)) stale.remove()
}

function couponForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(checkoutHooks.couponForm)
}

function couponField(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>('[name=coupon_code]')
}
