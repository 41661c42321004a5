import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { reviewHooks, walletMethodId } from '#contract/payments/constants.ts'
import { addedAttribute } from '#contract/shared/hooks.ts'
import { listen } from '../../../runtime/events.ts'
import { scrollToElement } from '../../../runtime/scroll.ts'
import { forgetProviderValues } from '../form-values.ts'

/**
 * The payment is approved, and the shopper looks at the order once more: until it is placed or the payment taken back, the
 * checkout's own button stands in place of the wallet's. One state for all the buttons of a page.
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

/** The form carries what was approved already. */
export function markReady(form: HTMLFormElement, texts: ReadyTexts): void {
  resetReady()
  const message = messageOf(form, texts)
  const keep = () => keepShown(form, message)
  const stops = [
    listen(document.body, checkoutEvents.updated, keep),
    listen(document.body, checkoutEvents.paymentMethodSelected, keep),
    // The form forgets what was approved with every error.
    listen(document.body, checkoutEvents.error, resetReady),
  ]
  ready = {
    message,
    stop() {
      for (const stop of stops) stop()
    },
  }
  keep()
  // A live region speaks of what changes while it stands in the page.
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

/** The markup around comes anew with the totals, and other ways to pay can still be chosen. */
function keepShown(form: HTMLFormElement, message: HTMLElement): void {
  const button = form.querySelector<HTMLElement>(checkoutHooks.placeOrder)
  if (!button) return
  if (!message.isConnected) button.before(message)
  const method = form.querySelector<HTMLInputElement>(`${checkoutHooks.methodRadio}:checked`)
  message.hidden = method?.value !== walletMethodId
  // Nobody goes to the provider any more.
  if (!message.hidden && button.dataset.value) button.textContent = button.dataset.value
}
