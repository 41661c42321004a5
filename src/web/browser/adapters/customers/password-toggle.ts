import { accountHooks } from '#contract/customers/hooks.ts'
import { settings } from '../../runtime/settings.ts'

/** Adds a button that shows the typed password. Caret, focus and autofill stay unchanged. */
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
    // Only the label changes, without a pressed state: both together would contradict each other.
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
  // Browsers offer to save values of password fields only, and store text fields as autofill entries.
  input.form?.addEventListener('submit', () => set(false))
  box.append(button)
}

/** Returns the element around the field that contains the button. */
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
