import { accountHooks } from '#contract/customers/hooks.ts'
import { settings } from '../../runtime/settings.ts'

/** A button in a password field that shows what is typed. Caret, focus and what the browser fills in stay as they are. */
export function addPasswordToggle(input: HTMLInputElement): void {
  const box = wrapper(input)
  if (box.querySelector(accountHooks.showPassword)) return
  const { i18n_password_show: show = 'Show password', i18n_password_hide: hide = 'Hide password' } =
    settings('woocommerce_params')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = accountHooks.showPasswordClass
  button.setAttribute('aria-describedby', input.id)
  const set = (shown: boolean) => {
    const { selectionStart, selectionEnd } = input
    input.type = shown ? 'text' : 'password'
    input.spellcheck = !shown && input.spellcheck
    button.classList.toggle(accountHooks.displayClass, shown)
    // The words change and no pressed state does: both together would say the opposite.
    button.setAttribute('aria-label', shown ? hide : show)
    if (selectionStart !== null) input.setSelectionRange(selectionStart, selectionEnd)
  }
  set(false)
  button.addEventListener('click', () => {
    const at = input.selectionStart
    set(input.type === 'password')
    input.focus()
    if (at !== null) input.setSelectionRange(at, at)
  })
  // Browsers offer to keep passwords of password fields alone, and remember the words of others.
  input.form?.addEventListener('submit', () => set(false))
  box.append(button)
}

/** The element around the field that the button stands in. */
function wrapper(input: HTMLInputElement): HTMLElement {
  const parent = input.parentElement
  if (parent instanceof HTMLSpanElement) {
    parent.classList.add(accountHooks.passwordBoxClass)
    return parent
  }
  const box = document.createElement('span')
  box.className = accountHooks.passwordBoxClass
  input.replaceWith(box)
  box.append(input)
  return box
}
