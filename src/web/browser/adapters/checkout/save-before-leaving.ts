import { cartHooks } from '#contract/cart/hooks.ts'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { currencyHooks } from '#contract/currency/hooks.ts'
import { languageHooks } from '#contract/translation/language-hooks.ts'
import { closestTo } from '../../runtime/elements.ts'
import { goTo } from '../../runtime/navigate.ts'
import { isBlocked } from '../../runtime/overlay.ts'
import { isPlainClick } from '../../runtime/plain-click.ts'
import { submitNatively } from '../../runtime/submit-natively.ts'
import { keepForm } from './refresh.ts'

/** The page is left in any case, however long the shop takes. */
const leaveAfterMs = 1000

const leavingForms = `${currencyHooks.switcher}, ${checkoutHooks.loginForm}`

/**
 * What leads to this page once more, in another currency or language or logged in, first tells the shop what was entered: the page
 * that comes is made of what the shop knows.
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
  // An order that is being placed has told all of it.
  const isOrdered = () => form.classList.contains(cartHooks.processingClass)

  let told = true
  for (const type of ['input', 'change']) form.addEventListener(type, () => (told = false))
  // Whoever looks at the cart once more, and comes on from there, finds it all.
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
    // Asked for later: what the page's address holds is put into the link's at the same press.
    void leave(event, () => goTo(link.href))
  })
}
