import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { currencyHooks } from '#contract/currency/hooks.ts'
import { languageHooks } from '#contract/translation/language-hooks.ts'
import { closestTo } from '../../runtime/elements.ts'
import { goTo } from '../../runtime/navigate.ts'
import { isBlocked } from '../../runtime/overlay.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'
import { submitNatively } from '../../runtime/submit-natively.ts'
import { keepForm } from './form-fields.ts'

/** The page is left after this time, even without a response. */
const leaveAfterMs = 1000

const leavingForms = `${currencyHooks.switcher}, ${checkoutHooks.loginForm}`

/**
 * Stores the entered values before a link leads to this page again, in another currency or language or logged in: the
 * shop renders that page from stored values.
 */
export function startLeaving(form: HTMLFormElement): void {
  let leaving = false
  const leave = async (event: Event, go: () => void) => {
    event.preventDefault()
    if (leaving) return
    leaving = true
    told = true
    await Promise.race([
      keepForm(form).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, leaveAfterMs)),
    ])
    leaving = false
    go()
  }
  // An order in progress has sent all values.
  const isOrdered = () => form.classList.contains(cartHooks.processingClass)

  let told = true
  for (const type of ['input', 'change']) form.addEventListener(type, () => (told = false))
  // Keeps the values for a shopper who visits the cart and returns.
  addEventListener('pagehide', () => {
    if (!told && !isOrdered() && !isBlocked(form)) void keepForm(form).catch(() => undefined)
    told = true
  })

  document.addEventListener('submit', (event) => {
    const { target, submitter, defaultPrevented } = event
    if (defaultPrevented || !(target instanceof HTMLFormElement) || !target.matches(leavingForms) || isOrdered()) return
    const pressed = submitter instanceof HTMLButtonElement && submitter.name
    const flags: Readonly<Record<string, string>> = pressed ? { [pressed]: submitter.value } : {}
    void leave(event, () => submitNatively(target, flags))
  })
  document.addEventListener('click', (event) => {
    const link = closestTo(event, languageHooks.link)
    if (!(link instanceof HTMLAnchorElement) || !isPlainClick(event) || isOrdered()) return
    // Reads `link.href` late: another handler of the same press adds the page's hash to it.
    void leave(event, () => goTo(link.href))
  })
}
