import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { cardHooks, cardMethodId, newMethod, paymentFields } from '#contract/payments/constants.ts'
import { formFields } from '../checkout-form.ts'

const fields = paymentFields(cardMethodId)

/** The method is chosen with none of its kept cards, and the form carries no card that was approved, kept or brought by accelerated checkout. */
export function asksForCard(form: HTMLFormElement): boolean {
  const method = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)
  const kept = form.querySelector<HTMLInputElement>(cardHooks.savedToken)
  if (method?.value !== cardMethodId || (kept && kept.value !== newMethod)) return false
  const values = formFields(form)
  return !values[fields.order] && !values[fields.paymentToken]
}

/** For forms that the browser sends by itself. @returns a function that stops watching */
export function beforeSending(form: HTMLFormElement, takes: () => boolean): () => void {
  const onSubmit = (event: SubmitEvent) => {
    if (!takes()) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  form.addEventListener('submit', onSubmit, { capture: true })
  return () => form.removeEventListener('submit', onSubmit, { capture: true })
}

/** That no card can be entered, and what else can be done: another way to pay only where the page offers one. */
export function unavailableText(
  form: HTMLFormElement,
  i18n: { readonly unavailable: string; readonly unavailable_alone: string },
): string {
  return form.querySelectorAll(checkoutHooks.methodRadio).length > 1 ? i18n.unavailable : i18n.unavailable_alone
}
