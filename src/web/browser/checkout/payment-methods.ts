import { checkoutEvents } from '#contract/events.ts'
import { checkoutHooks } from '#contract/hooks.ts'
import { allOf } from '../elements.ts'
import { trigger } from '../events.ts'
import { isShown, slideDown, slideUp } from '../slide.ts'

/** The choice of a way to pay: one box open at a time, and the words of that method on the button. */

let selectedId: string | undefined

/** After every arrival of the payment block: the choice made before stands again, else the first method's. */
export function initPaymentMethods(): void {
  const radios = methodRadios()
  const [only] = radios
  if (only && radios.length === 1) only.hidden = true
  const before = radios.find((radio) => radio.id === selectedId)
  const chosen = before ?? radios.find((radio) => radio.checked) ?? only
  if (!chosen) return
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

  const button = document.querySelector<HTMLButtonElement>(checkoutHooks.placeOrder)
  const text = radio.dataset.order_button_text || button?.dataset.value
  if (button && text) {
    button.textContent = text
    button.value = text
  }
  if (radio.id !== selectedId) {
    selectedId = radio.id
    trigger(document.body, checkoutEvents.paymentMethodSelected)
  }
}

/** The value of the chosen method, undefined while there is none. */
export function chosenPaymentMethod(): string | undefined {
  return methodRadios().find((radio) => radio.checked)?.value
}

function methodRadios(): HTMLInputElement[] {
  return allOf<HTMLInputElement>(`:is(${checkoutHooks.methods}) ${checkoutHooks.methodRadio}`)
}

function boxesOf(radio: HTMLInputElement): HTMLElement[] {
  return allOf(`${checkoutHooks.paymentBox}.payment_method_${CSS.escape(radio.value)}`)
}
