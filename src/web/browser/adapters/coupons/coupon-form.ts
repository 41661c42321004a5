import { cartHooks } from '#contract/cart/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { trigger } from '../../runtime/events.ts'
import { goTo } from '../../runtime/navigate.ts'
import { isProcessing, whileProcessing } from '../../runtime/processing.ts'
import { postForm } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { submitNatively } from '../../runtime/submit-natively.ts'
import { textOf } from '../../runtime/trusted-markup.ts'
import { removeNotices } from '../notices/notices.ts'

/** Contract adapter of the coupon form, on the cart and above the checkout; a page says how it shows the answers. */
export type CouponPage = {
  readonly params: 'wc_cart_params' | 'wc_checkout_params'
  readonly appliedEvent: string
  readonly removedEvent: string
  /** Fields that the call sends besides the code. */
  readonly callFields?: () => Readonly<Record<string, string>>
  showApplied(notices: string, form: HTMLFormElement): void
  showRemoved(notices: string): void
}

/** @returns false if nothing was answered: then the page is being left, and a message belongs to the next page. */
export async function applyCoupon(form: HTMLFormElement, page: CouponPage): Promise<boolean> {
  clearCouponError()
  const code = couponField()?.value ?? ''
  return callCoupons('apply_coupon', form, page, { coupon_code: code, ...page.callFields?.() }, (answer) => {
    // The shop distinguishes a coupon from the form's other actions by the button's name.
    if (answer === undefined) {
      submitNatively(form, { apply_coupon: 'Apply coupon' })
      return
    }
    if (isErrorMarkup(answer)) showCouponError(textOf(answer))
    else page.showApplied(answer, form)
    trigger(document.body, page.appliedEvent, code)
  })
}

/** @param panel contains the discounts with their links, and is busy meanwhile. @returns as `applyCoupon` */
export async function removeCoupon(link: HTMLAnchorElement, panel: string, page: CouponPage): Promise<boolean> {
  const code = link.dataset.coupon ?? ''
  const busy = link.closest<HTMLElement>(panel)
  if (!busy || isProcessing(busy)) return false
  return callCoupons('remove_coupon', busy, page, { coupon: code }, (answer) => {
    if (answer === undefined) {
      goTo(link.href)
      return
    }
    page.showRemoved(answer)
    trigger(document.body, page.removedEvent, code)
    clearCouponError()
    const field = couponField()
    if (field) field.value = ''
  })
}

async function callCoupons(
  name: 'apply_coupon' | 'remove_coupon',
  panel: HTMLElement,
  { params }: CouponPage,
  fields: Readonly<Record<string, string>>,
  show: (answer: string | undefined) => void,
): Promise<boolean> {
  const { wc_ajax_url, [`${name}_nonce` as const]: security } = settings(params)
  let answered = false
  await whileProcessing([panel], async () => {
    const answer = await postForm(ajaxUrl(wc_ajax_url, name), { security, ...fields }).catch(() => undefined)
    answered = answer?.ok === true
    if (answered) removeNotices()
    show(answer?.ok ? answer.text : undefined)
  })
  return answered
}

/** Shows the error of a coupon code under its field, and links the two. */
export function showCouponError(text: string): void {
  const field = couponField()
  const cartBox = field?.closest(cartHooks.couponBox)
  const box = cartBox ?? field?.parentElement
  if (!field || !box) return
  // On the checkout the field is in a paragraph, which cannot contain another.
  const error = document.createElement(cartBox ? 'p' : 'span')
  error.id = cartHooks.couponErrorId
  error.className = cartHooks.couponErrorClass
  error.setAttribute('role', 'alert')
  error.textContent = text
  field.classList.add('has-error')
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', error.id)
  box.append(error)
}

export function couponErrorText(): string | undefined {
  return document.getElementById(cartHooks.couponErrorId)?.textContent ?? undefined
}

export function clearCouponError(): void {
  const field = couponField()
  field?.classList.remove('has-error')
  field?.removeAttribute('aria-invalid')
  field?.removeAttribute('aria-describedby')
  for (const error of allOf(`.${cartHooks.couponErrorClass}`)) error.remove()
}

export function couponField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(cartHooks.couponField)
}

/** Both kinds of notice markup count. */
function isErrorMarkup(markup: string): boolean {
  return markup.includes('woocommerce-error') || markup.includes('is-error')
}
