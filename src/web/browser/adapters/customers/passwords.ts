import { accountHooks } from '#contract/customers/hooks.ts'
import { pageMarks } from '#contract/shared/hooks.ts'
import { forgetFragments } from '../../runtime/clear-cached-fragments.ts'
import { cartHasItems } from '../../runtime/cookies.ts'
import { allOf } from '../../runtime/elements.ts'
import { clearTypedValues } from '../addresses/typed-addresses.ts'
import { offerEstimator, startPasswordStrength } from './password-strength.ts'
import { addPasswordToggle } from './password-toggle.ts'

/** What scripts add to forms with passwords. */
export function startPasswords(): void {
  for (const input of allOf<HTMLInputElement>(pageMarks.password)) addPasswordToggle(input)
  offerEstimator()
  if (!document.querySelector(accountHooks.classicMeterScript)) startPasswordStrength()
  if (document.querySelector(accountHooks.logInPage)) forgetCustomer()
  for (const form of allOf<HTMLFormElement>(accountHooks.lostForm)) {
    // A second press would send a second message, or find its link used up.
    form.addEventListener('submit', () => {
      for (const button of allOf<HTMLButtonElement>('button[type=submit]', form)) button.disabled = true
    })
  }
  // Come back to by the Back button, the form can be sent again.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    for (const button of allOf<HTMLButtonElement>(`${accountHooks.lostForm} button[type=submit]`))
      button.disabled = false
  })
}

/** Logging out leads to where one logs in, by whatever way it came about: whoever sits here next sees nothing of who left. */
function forgetCustomer(): void {
  clearTypedValues()
  // Without a cart of this visitor's own, what the tab keeps is another's.
  if (!cartHasItems()) forgetFragments()
}
