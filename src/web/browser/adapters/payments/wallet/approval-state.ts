import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { reviewHooks, walletMethodId } from '#contract/payments/constants.ts'
import { addedAttribute } from '#contract/shared/hooks.ts'
import { listen } from '../../../runtime/events.ts'
import { scrollToElement } from '../../../runtime/scroll.ts'
import { forgetProviderValues } from '../form-values.ts'

/**
 * State of an approved payment under review: until the order is placed or the payment cancelled, the checkout's own
 * button replaces the wallet's. All buttons of a page share it.
 */

export type ReadyTexts = { readonly ready: string; readonly cancel: string }

let ready: { readonly message: HTMLElement; stop(): void } | undefined
const watchers = new Set<() => void>()

export const isReady = (): boolean => ready !== undefined

/** @returns a function that stops watching */
export function watchReady(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** Marks the form as approved; it already contains the approval. */
export function markReady(form: HTMLFormElement, texts: ReadyTexts): void {
  resetReady()
  const message = messageOf(form, texts)
  const keep = () => keepShown(form, message)
  const stops = [
    listen(document.body, checkoutEvents.updated, keep),
    listen(document.body, checkoutEvents.paymentMethodSelected, keep),
    // The form removes the approval with every error.
    listen(document.body, checkoutEvents.error, resetReady),
  ]
  ready = {
    message,
    stop() {
      for (const stop of stops) stop()
    },
  }
  keep()
  // A live region announces only changes made after its insertion.
  message.querySelector(`.${reviewHooks.textClass}`)?.replaceChildren(texts.ready)
  for (const tell of watchers) tell()
  scrollToElement(message)
}

export function resetReady(): void {
  if (!ready) return
  ready.stop()
  ready.message.remove()
  ready = undefined
  for (const tell of watchers) tell()
}

function messageOf(form: HTMLFormElement, { cancel }: ReadyTexts): HTMLElement {
  const message = document.createElement('div')
  message.className = reviewHooks.containerClass
  message.setAttribute('role', 'status')
  message.toggleAttribute(addedAttribute, true)
  const text = document.createElement('p')
  text.className = reviewHooks.textClass
  const link = document.createElement('button')
  link.type = 'button'
  link.className = `${reviewHooks.cancelClass} button`
  link.textContent = cancel
  link.addEventListener('click', () => {
    forgetProviderValues(form)
    resetReady()
  })
  message.append(text, link)
  return message
}

/** Keeps the message shown: totals replace the markup around it, and other payment methods can still be selected. */
function keepShown(form: HTMLFormElement, message: HTMLElement): void {
  const button = form.querySelector<HTMLElement>(checkoutHooks.placeOrder)
  if (!button) return
  if (!message.isConnected) button.before(message)
  const method = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)
  message.hidden = method?.value !== walletMethodId
  // The redirect text of the button no longer applies.
  if (!message.hidden && button.dataset.value) button.textContent = button.dataset.value
}
