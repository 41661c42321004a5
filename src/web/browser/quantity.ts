import { quantityHooks } from '#contract/hooks.ts'
import { allOf } from './elements.ts'

/** Quantity fields: none starts below what may be bought. In the cart a lower number stays, as 0 there means "remove". */
export function startQuantities(): void {
  for (const input of allOf<HTMLInputElement>(quantityHooks.input)) {
    const min = Number.parseFloat(input.min)
    if (!input.closest(quantityHooks.inCart) && min >= 0 && Number.parseFloat(input.value) < min)
      input.value = input.min
  }
}
