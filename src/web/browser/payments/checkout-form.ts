import { checkoutEvents } from '#contract/events.ts'
import { checkoutHooks } from '#contract/hooks.ts'
import { walletHooks, walletMethodId, walletOrderField } from '#contract/payment-words.ts'
import { listen } from '../events.ts'

export function checkoutForm(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(checkoutHooks.form)
}

/** The form's fields as a browser would send them, files left out. */
export function formFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}

/** Terms that are not on the page, or not visible, ask for nothing. */
export function termsAccepted(form: HTMLFormElement): boolean {
  const terms = form.querySelector<HTMLInputElement>(checkoutHooks.terms)
  return !terms || terms.checked || !terms.checkVisibility()
}

/** Remembers the wallet order in the form, so that the form alone can finish the purchase; '' forgets it. */
export function rememberWalletOrder(form: HTMLFormElement, walletOrderId: string): void {
  const field = form.elements.namedItem(walletOrderField)
  if (field instanceof HTMLInputElement) field.value = walletOrderId
}

export type CheckoutChoice = {
  /** The wallet is the chosen method, and no saved method of it is used. */
  wallet: boolean
  terms: boolean
}

/** Tells what is chosen in the checkout form, now and at every change. @returns a function that stops watching. */
export function watchCheckout(form: HTMLFormElement, tell: (choice: CheckoutChoice) => void): () => void {
  const look = () => tell({ wallet: walletChosen(form), terms: termsAccepted(form) })
  look()
  const stops = [
    listen(document.body, checkoutEvents.updated, look),
    listen(document.body, checkoutEvents.paymentMethodSelected, look),
  ]
  form.addEventListener('change', look)
  return () => {
    for (const stop of stops) stop()
    form.removeEventListener('change', look)
  }
}

function walletChosen(form: HTMLFormElement): boolean {
  const method = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)
  const token = form.querySelector<HTMLInputElement>(walletHooks.savedToken)
  return method?.value === walletMethodId && (!token || token.value === 'new')
}

/**
 * Shows the form's own button, or hides it while the wallet's stands in its place. To be repeated whenever the server's
 * markup has come anew.
 */
export function showPlaceOrder(form: HTMLFormElement, shown: boolean): void {
  const button = form.querySelector<HTMLElement>(checkoutHooks.placeOrder)
  if (!button) return
  button.classList.toggle(walletHooks.hiddenButtonClass, !shown)
  // By property: a class rule of a theme may be stronger than `hidden`.
  button.style.display = shown ? '' : 'none'
}
