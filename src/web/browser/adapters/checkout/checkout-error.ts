import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { atFieldAttribute, noticeHooks } from '#contract/notices/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { trigger } from '../../runtime/events.ts'
import { stopProcessing } from '../../runtime/processing.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { settings } from '../../runtime/settings.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'
import { showInlineError, validateFields } from './field-validation.ts'

/**
 * Shows a refusal of the server at the top and at each named field. Without messages it shows the shop's general text.
 * @param code the reason for a refused payment
 * @param general the text without messages; by default it states that the order's result is unknown
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
  for (const item of allOf('li[data-id]', group)) {
    const text = item.getAttribute(atFieldAttribute) ?? item.textContent?.trim() ?? ''
    showInlineError(item.dataset.id ?? '', text)
  }
  scrollToElement(group)
  group.querySelector<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
  trigger(document.body, checkoutEvents.error, markup, code, said)
}

/**
 * Links each message about a field to it. A message with a link of its own gets the new link beside it: links cannot be
 * nested.
 */
function linkedMessages(markup: string): DocumentFragment {
  const messages = parseMarkup(markup)
  for (const list of messages.querySelectorAll<HTMLElement>(noticeHooks.errors)) {
    list.removeAttribute('role')
    list.tabIndex = -1
    // The alert now contains the list, so it has list semantics again.
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
