import { accountHooks } from '#contract/customers/hooks.ts'
import { pageMarks } from '#contract/shared/hooks.ts'
import { forgetFragments } from '../../runtime/clear-cached-fragments.ts'
import { cartHasItems } from '../../runtime/cookies.ts'
import { allOf } from '../../runtime/elements.ts'
import { islandTag } from '../../runtime/island-tag.ts'
import { clearTypedValues } from '../addresses/typed-addresses.ts'
import { addPasswordToggle } from './password-toggle.ts'

/** Starts the scripts of forms with passwords. */
export function startPasswords(): void {
  for (const input of allOf<HTMLInputElement>(pageMarks.password)) addPasswordToggle(input)
  for (const input of allOf<HTMLInputElement>(accountHooks.newPasswords)) {
    if (document.querySelector(accountHooks.classicMeterScript))
      input.addEventListener('input', () => void import('./password-score.ts').catch(reportError), { once: true })
    else wakeMeter(input)
  }
  if (document.querySelector(accountHooks.logInPage)) forgetCustomer()
  for (const form of allOf<HTMLFormElement>(accountHooks.lostForm)) {
    // A second press would send a second email, or find its link used.
    form.addEventListener('submit', () => {
      for (const button of allOf<HTMLButtonElement>('button[type=submit]', form)) button.disabled = true
    })
  }
  // A page restored from the back/forward cache can submit the form again.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    for (const button of allOf<HTMLButtonElement>(`${accountHooks.lostForm} button[type=submit]`))
      button.disabled = false
  })
}

/** Wakes the island below the field as if the field were in it: when the visitor comes to it, or was there before. */
function wakeMeter(input: HTMLInputElement): void {
  const wake = () => input.parentElement?.parentElement?.querySelector(islandTag)?.dispatchEvent(new Event('focusin'))
  for (const type of ['focus', 'input']) input.addEventListener(type, wake, { once: true })
  if (input.value || document.activeElement === input) wake()
}

/**
 * Clears the customer's data on the login page, where every logout leads: the next person at this browser sees none of
 * it.
 */
function forgetCustomer(): void {
  clearTypedValues()
  // Without a cart of this visitor, the tab's cached fragments belong to another.
  if (!cartHasItems()) forgetFragments()
}
