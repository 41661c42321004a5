import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks, customButtonHooks } from '#contract/checkout/hooks.ts'
import { allOf } from '../../../runtime/elements.ts'
import { trigger } from '../../../runtime/events.ts'
import { isRecord } from '../../../runtime/request.ts'
import { scrollToElement } from '../../../runtime/scroll.ts'
import { validateFields } from '../../checkout/field-validation.ts'
import { takeCustomButtons } from './custom-buttons.ts'

/** A payment method may register a button in place of the shop's. */

type Api = {
  /** Validates all visible fields, marks errors, and focuses the first. */
  validate(): Promise<{ hasError: boolean }>
  /** Does the same as the shop's own button. */
  submit(): void
}
type CustomButton = { render(container: HTMLElement, api: Api): void; cleanup(): void }

/** The buttons that payment methods have registered on this page. */
export type CustomButtons = {
  /**
   * Shows the button of the selected method in place of the shop's, or the shop's. Call it again after its markup was
   * replaced.
   */
  show(method: string | undefined): void
  /** Removes the button before its surrounding markup is morphed, which would reuse its container. `show` renders it again. */
  takeOut(of: Element): void
}

export function startCustomButtons(): CustomButtons {
  const buttons = new Map<string, CustomButton>()
  let shown: { method: string; container: HTMLElement } | undefined
  let chosenMethod: string | undefined

  /**
   * Registers a button; the first registration of a method counts. An invalid one is logged for its developer and
   * ignored.
   */
  function register(method: unknown, button: unknown): void {
    if (typeof method !== 'string' || method === '' || !isRecord(button)) {
      console.error('customPlaceOrderButton.register takes the id of a method and an object')
      return
    }
    const { render, cleanup } = button
    if (typeof render !== 'function' || typeof cleanup !== 'function') {
      console.error(`the place-order button of ${method} needs the functions render and cleanup`)
      return
    }
    if (buttons.has(method)) return
    buttons.set(method, {
      render: (container, api) => void render.call(button, container, api),
      cleanup: () => void cleanup.call(button),
    })
    if (chosenMethod !== method) return
    show(method)
    trigger(document.body, checkoutEvents.customButtonRegistered, method)
  }

  function show(method: string | undefined): void {
    chosenMethod = method
    if (shown && shown.method === method && shown.container.isConnected) return
    remove()
    const button = method === undefined ? undefined : buttons.get(method)
    const own = document.querySelector<HTMLElement>(checkoutHooks.placeOrder)
    const form = own?.closest('form')
    if (!method || !button || !own || !form) return
    const container = document.createElement('div')
    container.className = customButtonHooks.containerClass
    own.after(container)
    form.classList.add(customButtonHooks.activeClass)
    shown = { method, container }
    try {
      button.render(container, apiFor(form))
    } catch (error) {
      console.error(`the place-order button of ${method} could not be drawn`, error)
      remove()
    }
  }

  function remove(): void {
    if (!shown) return
    const { method, container } = shown
    shown = undefined
    try {
      buttons.get(method)?.cleanup()
    } catch (error) {
      console.error(`the place-order button of ${method} could not be taken away cleanly`, error)
    }
    container.remove()
    for (const form of allOf(`.${customButtonHooks.activeClass}`)) form.classList.remove(customButtonHooks.activeClass)
  }

  takeCustomButtons(register)
  return {
    show,
    takeOut(of) {
      if (shown && of.contains(shown.container)) remove()
    },
  }
}

function apiFor(form: HTMLFormElement): Api {
  return {
    async validate() {
      // A page that only saves a payment method has no fields to validate.
      if (form.matches(checkoutHooks.addMethodForm)) return { hasError: false }
      validateFields(form)
      const wrong = allOf(`${checkoutHooks.row}.${rowHooks.invalid}`, form).find((row) => row.checkVisibility())
      if (wrong) scrollToElement(wrong, 100, 500)
      return { hasError: wrong !== undefined }
    },
    submit: () => form.requestSubmit(),
  }
}
