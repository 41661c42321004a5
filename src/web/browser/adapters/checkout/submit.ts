import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { trigger, triggerHandler } from '../../runtime/events.ts'
import { goToWhenOnline, reloadPage } from '../../runtime/navigate.ts'
import { startProcessing } from '../../runtime/processing.ts'
import { parseCheckoutAnswer, request } from '../../runtime/request.ts'
import { ajaxUrl, settings } from '../../runtime/settings.ts'
import { chosenPaymentMethod } from '../payments/methods/payment-methods.ts'
import { showCheckoutError } from './checkout-error.ts'
import { controllerOf } from './current-controller.ts'
import { serializeForm } from './form-fields.ts'

/** An order may include the payment provider's response time. */
const orderTimeoutMs = 120_000

/** Places the order. A second press during a request does nothing. */
export async function placeOrder(form: HTMLFormElement): Promise<void> {
  if (form.classList.contains(cartHooks.processingClass)) return
  const controller = controllerOf(form)
  const method = chosenPaymentMethod()
  if (!triggerHandler(form, checkoutEvents.placeOrder, controller)) return
  if (method && !triggerHandler(form, `${checkoutEvents.placeOrder}_${method}`, controller)) return
  await sendOrder(form)
}

/** Submits the form's current values. */
export async function sendOrder(form: HTMLFormElement): Promise<void> {
  startProcessing(form)
  const { checkout_url } = settings('wc_checkout_params')
  const answer = await request(checkout_url ?? ajaxUrl(undefined, 'checkout'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: serializeForm(form),
    timeoutMs: orderTimeoutMs,
  }).catch(() => undefined)

  const data = parseCheckoutAnswer(answer?.text ?? '') ?? {}
  const { result, redirect } = data
  const success = result === 'success' && mayGoOn(form, data)
  // The form stays blocked until the next page is loaded.
  if (success && typeof redirect === 'string') goToWhenOnline(decodeRedirect(redirect))
  else if (data.reload) reloadPage()
  else {
    if (data.refresh) trigger(document.body, checkoutEvents.update)
    const code = typeof data.code === 'string' ? data.code : undefined
    const messages = typeof data.messages === 'string' ? data.messages : ''
    // The shop reports that nothing was done, or that a repeated press will find the result.
    const busy = answer?.status === 503 ? settings('wc_checkout_params').i18n_shop_busy : undefined
    showCheckoutError(form, messages, code, busy)
  }
}

function mayGoOn(form: HTMLFormElement, data: Record<string, unknown>): boolean {
  return triggerHandler(form, checkoutEvents.placeOrderSuccess, data, controllerOf(form))
}

/** A URL that was encoded as a whole within another contains both schemes. */
function decodeRedirect(redirect: string): string {
  return redirect.includes('https://') && redirect.includes('http://') ? decodeURIComponent(redirect) : redirect
}
