import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { reviewHooks } from '#contract/payments/constants.ts'
import { allOf } from '../../../runtime/elements.ts'
import { listen, trigger } from '../../../runtime/events.ts'
import { isShown, slideDown, slideUp } from '../../../runtime/slide.ts'
import type { CustomButtons } from './custom-place-order.ts'

/** The choice of a payment method: a single box is open, and the button has the method's text. */

export type PaymentMethods = {
  /** Restores the earlier choice, else selects the first method. Call it after each replacement of the payment block. */
  init(): void
  /** @param slideMs the time in which boxes open and close, in milliseconds */
  select(radio: HTMLInputElement, slideMs: number): void
}

export function startPaymentMethods(buttons: CustomButtons): PaymentMethods {
  let selectedId: string | undefined

  function init(): void {
    const radios = methodRadios()
    const [only] = radios
    if (only && radios.length === 1) only.hidden = true
    const before = radios.find((radio) => radio.id === selectedId)
    const chosen = before ?? radios.find((radio) => radio.checked) ?? only
    if (!chosen) {
      buttons.show(undefined)
      return
    }
    chosen.checked = true
    for (const radio of radios) if (radio !== chosen) for (const box of boxesOf(radio)) slideUp(box, 0)
    select(chosen, 0)
  }

  function select(radio: HTMLInputElement, slideMs: number): void {
    const radios = methodRadios()
    const [box] = boxesOf(radio)
    if (radios.length > 1) {
      for (const other of radios) if (other !== radio) for (const stale of boxesOf(other)) slideUp(stale, slideMs)
    }
    if (box && !isShown(box)) slideDown(box, slideMs)

    nameButtonFor(radio)
    if (radio.id !== selectedId) {
      selectedId = radio.id
      trigger(document.body, checkoutEvents.paymentMethodSelected)
    }
    buttons.show(radio.value)
  }

  listen(document, 'change', ({ target }) => {
    if (!(target instanceof Element) || !target.matches(checkoutHooks.keptMethod)) return
    const chosen = chosenPaymentRadio()
    if (chosen) nameButtonFor(chosen)
  })
  return { init, select }
}

/** Sets the button's text. The method's text mentions a redirect, which saved or approved payments do not need. */
function nameButtonFor(radio: HTMLInputElement): void {
  const button = document.querySelector<HTMLButtonElement>(checkoutHooks.placeOrder)
  const kept = boxesOf(radio).some((box) => box.querySelector(`${checkoutHooks.keptMethod}:checked:not([value="new"])`))
  const approved = document.querySelector(`.${reviewHooks.containerClass}:not([hidden])`) !== null
  const text = (!kept && !approved && radio.dataset.order_button_text) || button?.dataset.value
  if (!button || !text) return
  button.textContent = text
  button.value = text
}

/** Returns the value of the selected method, undefined without one. */
export const chosenPaymentMethod = (): string | undefined => chosenPaymentRadio()?.value

export function chosenPaymentRadio(): HTMLInputElement | undefined {
  return methodRadios().find((radio) => radio.checked)
}

function methodRadios(): HTMLInputElement[] {
  return allOf<HTMLInputElement>(`:is(${checkoutHooks.methods}) ${checkoutHooks.methodRadio}`)
}

function boxesOf(radio: HTMLInputElement): HTMLElement[] {
  return allOf(`${checkoutHooks.paymentBox}.payment_method_${CSS.escape(radio.value)}`)
}
