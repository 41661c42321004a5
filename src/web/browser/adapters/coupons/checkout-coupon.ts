import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { trigger } from '../../runtime/events.ts'
import { isProcessing } from '../../runtime/processing.ts'
import { isShown, slideToggle, slideUp } from '../../runtime/slide.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'
import { applyCoupon, type CouponPage, couponField, removeCoupon } from './coupon-form.ts'

const slideMs = 400

const checkoutPage: CouponPage = {
  params: 'wc_checkout_params',
  appliedEvent: checkoutEvents.couponApplied,
  removedEvent: checkoutEvents.couponRemoved,
  callFields: () => ({ billing_email: document.querySelector<HTMLInputElement>('#billing_email')?.value ?? '' }),
  showApplied(notices, form) {
    closeForm(form)
    form.before(parseMarkup(notices))
  },
  showRemoved: (notices) => document.querySelector(checkoutHooks.form)?.before(parseMarkup(notices)),
}

export function toggleCouponForm(toggle: HTMLElement): void {
  const form = couponForm()
  if (!form) return
  const open = slideToggle(form, slideMs)
  toggle.setAttribute('aria-expanded', String(open))
  if (open) form.querySelector<HTMLElement>('input')?.focus()
}

export async function applyCheckoutCoupon(form: HTMLFormElement): Promise<void> {
  if (isProcessing(form)) return
  if (await applyCoupon(form, checkoutPage)) updateTotals()
  const field = couponField()
  if (field?.matches('.has-error')) field.focus()
  // The focused form would lose the focus on closing, or has already lost it without an animation.
  else if (form.contains(document.activeElement) || (document.activeElement === document.body && !isShown(form)))
    focusToggle()
}

export async function removeCheckoutCoupon(link: HTMLAnchorElement): Promise<void> {
  const focused = link === document.activeElement
  if (await removeCoupon(link, checkoutHooks.review, checkoutPage)) {
    updateTotals()
    const form = couponForm()
    if (form) closeForm(form)
  }
  // The link is removed with its row.
  if (focused) focusToggle()
}

function updateTotals(): void {
  trigger(document.body, checkoutEvents.update, { update_shipping_method: false })
}

function closeForm(form: HTMLFormElement): void {
  const field = couponField()
  if (field) field.value = ''
  document.querySelector(checkoutHooks.couponToggle)?.setAttribute('aria-expanded', 'false')
  slideUp(form, slideMs)
}

function focusToggle(): void {
  document.querySelector<HTMLElement>(checkoutHooks.couponToggle)?.focus({ preventScroll: true })
}

function couponForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(checkoutHooks.couponForm)
}
