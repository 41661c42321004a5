import { cartHooks } from '#contract/cart-hooks.ts'
import { checkoutEvents } from '#contract/checkout-events.ts'
import { checkoutHooks } from '#contract/checkout-hooks.ts'
import { noticeHooks } from '#contract/notice-hooks.ts'
import { allOf } from '../elements.ts'
import { trigger, triggerHandler } from '../events.ts'
import { goOnTo, reloadPage } from '../navigate.ts'
import { startProcessing, stopProcessing } from '../processing.ts'
import { parseCheckoutAnswer, request } from '../request.ts'
import { scrollToElement } from '../scroll.ts'
import { ajaxUrl, settings } from '../settings.ts'
import { parseMarkup } from '../trusted-markup.ts'
import { showInlineError, validateFields } from './field-validation.ts'
import { chosenPaymentMethod } from './payment-methods.ts'
import { serialised } from './refresh.ts'

/** What listeners of the order events get: the form that is being sent. */
export type CheckoutController = { readonly form: HTMLFormElement }

/** An order may take the payment provider's time. */
const orderTimeoutMs = 120_000

/** Places the order. While one is under way a second press does nothing. */
export async function placeOrder(form: HTMLFormElement): Promise<void> {
  if (form.classList.contains(cartHooks.processingClass)) return
  const controller: CheckoutController = { form }
  const method = chosenPaymentMethod()
  if (!triggerHandler(form, checkoutEvents.placeOrder, controller)) return
  if (method && !triggerHandler(form, `${checkoutEvents.placeOrder}_${method}`, controller)) return

  startProcessing(form)
  const { checkout_url } = settings('wc_checkout_params')
  const answer = await request(checkout_url ?? ajaxUrl(undefined, 'checkout'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: serialised(form),
    timeoutMs: orderTimeoutMs,
  }).catch(() => undefined)

  const data = parseCheckoutAnswer(answer?.text ?? '') ?? {}
  const { result, redirect } = data
  const success = result === 'success' && triggerHandler(form, checkoutEvents.placeOrderSuccess, data, controller)
  // The form stays blocked until the next page is there.
  if (success && typeof redirect === 'string') goOnTo(decoded(redirect))
  else if (data.reload) reloadPage()
  else {
    if (data.refresh) trigger(document.body, checkoutEvents.update)
    const code = typeof data.code === 'string' ? data.code : undefined
    const messages = typeof data.messages === 'string' ? data.messages : ''
    // The shop's own word that nothing was done, or that the same press finds out what was.
    const busy = answer?.status === 503 ? settings('wc_checkout_params').i18n_shop_busy : undefined
    showCheckoutError(form, messages, code, busy)
  }
}

/** An address that was encoded whole inside another carries both schemes. */
function decoded(redirect: string): string {
  return redirect.includes('https://') && redirect.includes('http://') ? decodeURIComponent(redirect) : redirect
}

/**
 * Shows what the server refused, at the top and at each field it named. Without words of its own, the shop's general ones.
 * @param code why a payment was refused
 * @param general what is said without messages; that it is not known what became of the order unless told
 */
export function showCheckoutError(form: HTMLFormElement, messages: string, code?: string, general?: string): void {
  for (const stale of allOf(`.${checkoutHooks.checkoutGroupClass}, ${noticeHooks.errors}, ${noticeHooks.successes}`)) {
    stale.remove()
  }
  const group = document.createElement('div')
  group.className = `${noticeHooks.groupClass} ${checkoutHooks.checkoutGroupClass}`
  const alert = document.createElement('div')
  alert.setAttribute('role', 'alert')
  const said = messages.trim() !== ''
  alert.append(said ? linkedMessages(messages) : generalError(general))
  const markup = said ? messages : alert.innerHTML
  group.append(alert)
  form.prepend(group)
  if (form.classList.contains(cartHooks.processingClass)) stopProcessing(form)
  validateFields(form)
  for (const item of allOf('li[data-id]', group)) showInlineError(item.dataset.id ?? '', item.textContent?.trim() ?? '')
  scrollToElement(group)
  group.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
  trigger(document.body, checkoutEvents.error, markup, code, said)
}

/** Each message about a field leads to it; where it leads elsewhere as well, beside that: no link can lie in another. */
function linkedMessages(markup: string): DocumentFragment {
  const messages = parseMarkup(markup)
  for (const list of messages.querySelectorAll<HTMLElement>(noticeHooks.errors)) {
    list.removeAttribute('role')
    list.tabIndex = -1
    // The alert is around it now: it is a list again.
    for (const item of list.querySelectorAll(':scope > [role=presentation]')) item.removeAttribute('role')
  }
  for (const item of messages.querySelectorAll<HTMLElement>('li[data-id]')) {
    const link = document.createElement('a')
    link.href = `#${item.dataset.id}`
    const nodes = [...item.childNodes]
    const other = nodes.findIndex((node) => node.nodeName === 'A')
    link.append(...(other < 0 ? nodes : nodes.slice(0, other)))
    item.prepend(link)
  }
  return messages
}

function generalError(words = settings('wc_checkout_params').i18n_checkout_error): HTMLElement {
  const error = document.createElement('div')
  error.className = noticeHooks.errorClass
  error.tabIndex = -1
  error.append(parseMarkup(words ?? ''))
  return error
}
