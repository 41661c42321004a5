import { rowHooks } from '#contract/addresses/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks, customButtonHooks } from '#contract/checkout/hooks.ts'
import { allOf } from '../../../runtime/elements.ts'
import { trigger } from '../../../runtime/events.ts'
import { isRecord } from '../../../runtime/request.ts'
import { scrollToElement } from '../../../runtime/scroll.ts'
import { validateFields } from '../../checkout/field-validation.ts'
import { takeCustomButtons } from './custom-buttons.ts'

/** A way to pay may bring a button in place of the shop's. */

type Api = {
  /** Looks at all that can be seen of the form, marks what is wrong, and leads to the first of it. */
  validate(): Promise<{ hasError: boolean }>
  /** Does what the shop's own button does. */
  submit(): void
}
type CustomButton = { render(container: HTMLElement, api: Api): void; cleanup(): void }

const buttons = new Map<string, CustomButton>()
let shown: { method: string; container: HTMLElement } | undefined
let chosenMethod: string | undefined

export const startCustomButtons = () => takeCustomButtons(register)

/** The first registration of a method counts. What cannot be one is said to whoever wrote it, and changes nothing. */
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
  showButtonOf(method)
  trigger(document.body, checkoutEvents.customButtonRegistered, method)
}

/** Shows the button of the chosen method in place of the shop's, or the shop's. To be repeated when its markup comes anew. */
export function showButtonOf(method: string | undefined): void {
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

/**
 * Before the markup that it stands in is changed into other markup, which would take its container for something of its own.
 * `showButtonOf` draws it anew.
 */
export function takeButtonOut(of: Element): void {
  if (shown && of.contains(shown.container)) remove()
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

function apiFor(form: HTMLFormElement): Api {
  return {
    async validate() {
      // A page that only saves a way to pay has nothing to fill in.
      if (form.matches(checkoutHooks.addMethodForm)) return { hasError: false }
      validateFields(form)
      const wrong = allOf(`${checkoutHooks.row}.${rowHooks.invalid}`, form).find((row) => row.checkVisibility())
      if (wrong) scrollToElement(wrong, 100, 500)
      return { hasError: wrong !== undefined }
    },
    submit: () => form.requestSubmit(),
  }
}
