import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutEvents } from '#contract/checkout/events.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { noticeHooks } from '#contract/notices/hooks.ts'
import { allOf } from '../../runtime/elements.ts'
import { trigger } from '../../runtime/events.ts'
import { stopProcessing } from '../../runtime/processing.ts'
import { scrollToElement } from '../../runtime/scroll.ts'
import { settings } from '../../runtime/settings.ts'
import { parseMarkup } from '../../runtime/trusted-markup.ts'
import { showInlineError, validateFields } from './field-validation.ts'

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
