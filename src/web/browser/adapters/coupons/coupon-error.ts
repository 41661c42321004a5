import { cartHooks } from '#contract/cart/hooks.ts'
import { allOf } from '../../runtime/elements.ts'

/** Shows the error of a coupon code under its field, and links the two. */
export function showCouponError(text: string): void {
  const field = couponField()
  const box = field?.closest(cartHooks.couponBox)
  if (!field || !box) return
  const error = document.createElement('p')
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
