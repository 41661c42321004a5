import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { cardHooks, cardMethodId, newMethod, paymentFields } from '#contract/payments/constants.ts'
import { formFields } from '../checkout-form.ts'

const fields = paymentFields(cardMethodId)

/**
 * Returns true if the method is selected without a saved card, and the form contains no card that was approved, saved
 * or filled in by accelerated checkout.
 */
export function asksForCard(form: HTMLFormElement): boolean {
  const method = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)
  const kept = form.querySelector<HTMLInputElement>(cardHooks.savedToken)
  if (method?.value !== cardMethodId || (kept && kept.value !== newMethod)) return false
  const values = formFields(form)
  return !values[fields.order] && !values[fields.paymentToken]
}

/** Intercepts forms that the browser submits. @returns a function that stops watching */
export function beforeSending(form: HTMLFormElement, takes: () => boolean): () => void {
  const onSubmit = (event: SubmitEvent) => {
    if (!takes()) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  form.addEventListener('submit', onSubmit, { capture: true })
  return () => form.removeEventListener('submit', onSubmit, { capture: true })
}

/** Returns the text for unavailable card fields; it suggests another payment method only where the page offers one. */
export function unavailableText(
  form: HTMLFormElement,
  i18n: { readonly unavailable: string; readonly unavailable_alone: string },
): string {
  return form.querySelectorAll(checkoutHooks.methodRadio).length > 1 ? i18n.unavailable : i18n.unavailable_alone
}
