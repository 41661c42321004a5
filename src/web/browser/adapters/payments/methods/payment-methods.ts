import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { reviewHooks } from '#contract/payments/constants.ts'
import { allOf } from '../../../runtime/elements.ts'
import { listen, trigger } from '../../../runtime/events.ts'
import { isShown, slideDown, slideUp } from '../../../runtime/slide.ts'
import { showButtonOf } from './custom-place-order.ts'

/** The choice of a way to pay: one box open at a time, and the words of that method on the button. */

let selectedId: string | undefined
let followsKept = false

/** After every arrival of the payment block: the choice made before stands again, else the first method's. */
export function initPaymentMethods(): void {
  followKept()
  const radios = methodRadios()
  const [only] = radios
  if (only && radios.length === 1) only.hidden = true
  const before = radios.find((radio) => radio.id === selectedId)
  const chosen = before ?? radios.find((radio) => radio.checked) ?? only
  if (!chosen) {
    showButtonOf(undefined)
    return
  }
  chosen.checked = true
  for (const radio of radios) if (radio !== chosen) for (const box of boxesOf(radio)) slideUp(box, 0)
  selectPaymentMethod(chosen, 0)
}

export function selectPaymentMethod(radio: HTMLInputElement, slideMs: number): void {
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
  showButtonOf(radio.value)
}

/** The method's own words say that one goes somewhere to pay. Nobody does with what is kept, or has been approved already. */
function nameButtonFor(radio: HTMLInputElement): void {
  const button = document.querySelector<HTMLButtonElement>(checkoutHooks.placeOrder)
  const kept = boxesOf(radio).some((box) => box.querySelector(`${checkoutHooks.keptMethod}:checked:not([value="new"])`))
  const approved = document.querySelector(`.${reviewHooks.containerClass}:not([hidden])`) !== null
  const text = (!kept && !approved && radio.dataset.order_button_text) || button?.dataset.value
  if (!button || !text) return
  button.textContent = text
  button.value = text
}

function followKept(): void {
  if (followsKept) return
  followsKept = true
  listen(document, 'change', ({ target }) => {
    if (!(target instanceof Element) || !target.matches(checkoutHooks.keptMethod)) return
    const chosen = chosenPaymentRadio()
    if (chosen) nameButtonFor(chosen)
  })
}

/** The value of the chosen method, undefined while there is none. */
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
