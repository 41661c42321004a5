import { staysHere } from './offline.ts'

/**
 * The browser sends the form itself, with the flag that a pressed button would have added.
 * @param later what is done instead once there is a connection, where there is none
 */
export function submitNatively(
  form: HTMLFormElement,
  flags: Readonly<Record<string, string>>,
  later?: () => void,
): void {
  if (staysHere(later)) return
  const fields = Object.entries(flags).map(([name, value]) =>
    Object.assign(document.createElement('input'), { type: 'hidden', name, value }),
  )
  form.append(...fields)
  // A control called `submit` would hide the form's own function.
  HTMLFormElement.prototype.submit.call(form)
  // The page may be come back to as it was left.
  for (const field of fields) field.remove()
}
