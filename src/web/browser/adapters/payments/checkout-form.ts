import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import {
  newMethod,
  paymentFields,
  walletHooks,
  walletMethodId,
  walletOrderField,
} from '#contract/payments/constants.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { forgetProviderValues, setFormValue } from './form-values.ts'
import { isReady, watchReady } from './wallet/approval-state.ts'

/** Returns the form that places an order, pays an existing order, or only saves a payment method. */
export function checkoutForm(): HTMLFormElement | null {
  const { form, orderPayForm, addMethodForm } = checkoutHooks
  return document.querySelector<HTMLFormElement>(`${form}, ${orderPayForm}, ${addMethodForm}`)
}

/** Returns the form's fields as a browser would submit them, without files. */
export function formFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}

/** Terms that are missing or hidden require no acceptance. */
export function termsAccepted(form: HTMLFormElement): boolean {
  const terms = form.querySelector<HTMLInputElement>(checkoutHooks.terms)
  return !terms || terms.checked || !terms.checkVisibility()
}

/** Stores the wallet order in the form, so that the form alone can finish the purchase; '' removes it. */
export function storeWalletOrder(form: HTMLFormElement, walletOrderId: string): void {
  if (walletOrderId === '') forgetProviderValues(form)
  else setFormValue(form, walletOrderField, walletOrderId)
}

export type CheckoutChoice = {
  /** The wallet is the selected method, without a saved method, and has not approved yet. */
  wallet: boolean
  terms: boolean
}

/** Reports the choice in the checkout form, now and at every change. @returns a function that stops watching. */
export function watchCheckout(form: HTMLFormElement, tell: (choice: CheckoutChoice) => void): () => void {
  const look = () => tell({ wallet: walletChosen(form) && !isReady(), terms: termsAccepted(form) })
  look()
  const stops = [
    watchReady(look),
    listen(document.body, checkoutEvents.updated, look),
    listen(document.body, checkoutEvents.paymentMethodSelected, look),
  ]
  let timer: ReturnType<typeof setTimeout> | undefined
  const changed = ({ target }: Event) => {
    clearTimeout(timer)
    // A ticked box may tick or hide others first.
    if (target instanceof HTMLInputElement && target.type === 'checkbox') timer = setTimeout(look, tickedAfterMs)
    else look()
  }
  form.addEventListener('change', changed)
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
    form.removeEventListener('change', changed)
  }
}

const tickedAfterMs = 250

function walletChosen(form: HTMLFormElement): boolean {
  const method = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)
  const token = form.querySelector<HTMLInputElement>(walletHooks.savedToken)
  return method?.value === walletMethodId && (!token || token.value === newMethod)
}

/** Applies a press on an express button: the terms are accepted, and the wallet pays, without a saved method. */
export function chooseWallet(form: HTMLFormElement): void {
  const kept = `input[name="${paymentFields(walletMethodId).kept}"][value="${newMethod}"]`
  const method = `${checkoutHooks.methodRadio}[value="${walletMethodId}"]`
  for (const box of form.querySelectorAll<HTMLInputElement>(`${checkoutHooks.terms}, ${method}, ${kept}`))
    if (!box.checked) box.click()
}

/** Requests totals for the form's current values. Settles when they are shown, or after a timeout. */
export function updatedCheckout(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, updatedWithinMs)
    const stop = listen(document.body, checkoutEvents.updated, done)
    trigger(document.body, checkoutEvents.update)
  })
}

/** A timeout is harmless: the server recalculates the totals with the order. */
const updatedWithinMs = 15_000

/** Submits the form as its own button does. */
export function submitForm(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>(checkoutHooks.placeOrder)
  form.requestSubmit(button?.type === 'submit' ? button : undefined)
}

/**
 * Shows the form's own button, or hides it in favour of the wallet's. Call it again after the server has replaced the
 * markup.
 */
export function showPlaceOrder(form: HTMLFormElement, shown: boolean): void {
  const button = form.querySelector<HTMLElement>(checkoutHooks.placeOrder)
  if (!button) return
  button.classList.toggle(walletHooks.hiddenButtonClass, !shown)
  // An inline property: a theme's class rule may override `hidden`.
  button.style.display = shown ? '' : 'none'
}
