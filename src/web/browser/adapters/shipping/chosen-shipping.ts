import { cartHooks } from '#contract/cart/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import type { FormValue } from '../../runtime/request.ts'

/** Returns the chosen shipping method of every package, by package index. */
export function chosenShipping(): Record<string, FormValue> {
  const chosen: Record<string, FormValue> = {}
  for (const control of allOf<HTMLInputElement | HTMLSelectElement>(cartHooks.shippingMethod)) {
    if (control instanceof HTMLInputElement && control.type === 'radio' && !control.checked) continue
    chosen[control.dataset.index ?? '0'] = control.value
  }
  return chosen
}
