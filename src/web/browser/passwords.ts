import { accountHooks } from '#contract/account-hooks.ts'
import { pageMarks } from '#contract/hooks.ts'
import { allOf } from './elements.ts'
import { startPasswordStrength } from './password-strength.ts'
import { addPasswordToggle } from './password-toggle.ts'

/** What scripts add to forms with passwords. */
export function startPasswords(): void {
  for (const input of allOf<HTMLInputElement>(pageMarks.password)) addPasswordToggle(input)
  startPasswordStrength()
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
